/* What every kind of file says when its input is still being read. */
#include "tests/tap.h"

#include "base/escape.h"
#include "model/words.h"
#include "stacks.h"

static void says(uint64_t bytes, uint64_t all, const char *expected)
{
	struct profile p;
	struct view v = {.profile = &p};
	struct buf text;
	profile_init(&p);
	buf_init(&text);
	p.so_far = (struct profile_so_far){true, bytes, all};
	words_add_so_far(&text, &v);
	is_str(buf_str(&text), expected, "%s", expected);
	buf_deinit(&text);
	profile_deinit(&p);
}

int main(void)
{
	static const char words[] = "0.9 of 107 MB read so far";
	struct export_options o = {.factor = 1};
	struct profile p;
	struct view v;

	says(900000, 107000000, words);
	says(0, 107000000, "0.0 of 107 MB read so far");
	says(262144, 2000000000, "0.0003 of 2.0 GB read so far");
	says(123456789, 987000000, "123 of 987 MB read so far");
	says(0, 0, "0 B read so far");
	says(12, 0, "12 B read so far");
	says(18240000, 0, "18 MB read so far");
	says(2000, 1000, "2.0 kB read so far");

	view_of(&v, &p, "main;parse 3\nmain;write 1\n", NULL);
	p.sites = sites_new(); /* there are lines, although of no sample */
	sites_add(p.sites, &(struct site){.line = 1});
	for (size_t i = 0; export_kinds[i]; i++) {
		v.shown.view = export_kinds[i]->holds & EXPORT_HOLDS(FLAME) ? SHOWN_FLAME : SHOWN_LINES;
		char *whole = export_text_of(export_kinds[i], &v, &o);
		ok(!strstr(whole, "so far"), "%s of a whole profile says nothing about it", export_kinds[i]->name);
		free(whole);
	}
	p.so_far = (struct profile_so_far){true, 900000, 107000000};
	for (size_t i = 0; export_kinds[i]; i++) {
		v.shown.view = export_kinds[i]->holds & EXPORT_HOLDS(FLAME) ? SHOWN_FLAME : SHOWN_LINES;
		char *part = export_text_of(export_kinds[i], &v, &o);
		ok(strstr(part, words), "%s of a part says how much of the input it is", export_kinds[i]->name);
		if (export_kinds[i] == &export_folded)
			is_str(part, "# folded stacks\n# 0.9 of 107 MB read so far\nmain;parse 3\nmain;write 1\n",
			       "in a comment behind the line that says what the file is");
		free(part);
	}
	view_deinit(&v);
	profile_deinit(&p);

	view_of(&v, &p, "main;a 7 3\n", NULL);
	p.so_far = (struct profile_so_far){true, 900000, 107000000};
	char *part = export_text_of(&export_folded, &v, &o);
	is_str(part, FOLDED_ESCAPED "\n# 0.9 of 107 MB read so far\nmain;a\\x207 3\n",
	       "escapes stay in the first line");
	free(part);
	view_deinit(&v);
	profile_deinit(&p);
	return done_testing();
}
