/* idle - weights left out as waiting, through joins and other decimals, and the words for them. */
#include "model/idle.h"

#include "export/export.h"
#include "tests/tap.h"

#include "stacks.h"

static void says(const struct profile *p, int32_t series, unsigned side, double factor, const char *expected,
                 const char *name)
{
	struct buf words;

	buf_init(&words);
	ok(idle_add_words(p, series, side, factor, &words) == (*expected != 0), "%s: there is something to say", name);
	is_str(buf_str(&words), expected, "%s", name);
	buf_deinit(&words);
}

static void test_words(void)
{
	struct profile p;
	struct buf share;
	uint32_t time;

	profile_init(&p);
	says(&p, 0, 0, 1, "", "there is no message about an empty profile");
	stacks_add(&p, 0, "a;b 1400\n");
	says(&p, 0, 0, 1, "", "there is no message if nothing was left out");
	idle_add(&p, 0, 0, 0, 10, "wait");
	says(&p, 0, 0, 1, "", "nothing at all is nothing left out");
	idle_add(&p, 0, 0, 600, 2000, "wait in the system");
	says(&p, 0, 0, 1, "600 of 2,000 samples wait in the system and are left out; --idle keeps them", "counts");
	says(&p, -1, 0, 0.5, "300 of 1,000 samples wait in the system and are left out; --idle keeps them",
	     "counts times a factor, of any series that has some");
	is_int((int)p.report.n, 1, "one note is made");
	is_str(p.report.notes[0].detail, "600 of 2,000 samples wait in the system and are left out; --idle keeps them",
	       "the note says the same");
	ok(p.report.notes[0].level == NOTE_WARN, "the note is a warning");
	buf_init(&share);
	ok(idle_add_share(&p, 0, &share), "there is a share");
	is_str(buf_str(&share), "30.0% idle, left out", "the share of all");
	buf_deinit(&share);
	idle_add(&p, 0, 0, 400, 400, "sleep");
	says(&p, 0, 0, 1, "1,000 of 2,400 samples are idle and are left out; --idle keeps them",
	     "two inputs with words of their own");
	time = profile_series(&p, symtab_intern(&p.symtab, "time", 4), symtab_intern(&p.symtab, "ms", 2));
	idle_add(&p, 1, time, 1500, 1500, "have no frames");
	says(&p, (int32_t)time, 1, 1, "before: 1.5 s of 1.5 s have no frames and are left out; --idle keeps them",
	     "times, of a baseline");
	says(&p, (int32_t)time, 0, 1, "", "of which the profile has none");
	profile_deinit(&p);
}

static void test_sums(void)
{
	struct profile all, part;

	profile_init(&all);
	profile_init(&part);
	stacks_add(&part, 0, "a;b 10\n");
	idle_add(&part, 0, 0, 5, 15, "wait");
	profile_append(&all, &part, "x", 0);
	profile_append(&all, &part, "y", 0);
	says(&all, 0, 0, 1, "10 of 30 samples wait and are left out; --idle keeps them", "joined weights add up");
	is_str(all.report.notes[1].file, "y", "each file has its note");
	profile_raise_decimals(&all, 2);
	is_int((int)all.series[0].idle[0].weight, 1000, "weights get decimals with all others");
	profile_append(&all, &part, "z", 0);
	says(&all, 0, 0, 1, "15 of 45 samples wait and are left out; --idle keeps them",
	     "weights without decimals join those with");
	all.series[0].idle[0].weight = UINT64_MAX - 1;
	profile_append(&all, &part, "z", 0);
	ok(all.series[0].idle[0].weight == UINT64_MAX, "sums stay at the greatest number there is");
	profile_deinit(&part);
	profile_deinit(&all);
}

static void test_exports(void)
{
	static const char words[] = "3 of 6 samples wait and are left out; --idle keeps them";
	static const struct export_kind *const kinds[] = {&export_text, &export_top, &export_markdown};
	struct export_options o = {.factor = 1, .width = 60};
	struct profile p;
	struct view v;

	view_of(&v, &p, "a;b 3\n", NULL);
	idle_add(&p, 0, 0, 3, 6, "wait");
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		char *text = export_text_of(kinds[i], &v, &o);
		ok(strstr(text, words) != NULL, "--to=%s reports the left-out weight", kinds[i]->name);
		free(text);
	}
	view_deinit(&v);
	profile_deinit(&p);
}

int main(void)
{
	test_words();
	test_sums();
	test_exports();
	return done_testing();
}
