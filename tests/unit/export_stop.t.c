/* An export that is cancelled leaves the old file as it was, no other file, and no message. */
#include "tests/tap.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sort.h"
#include "stacks.h"

#define FUNCTIONS 30000

static char *many_stacks(void)
{
	struct buf b;
	buf_init(&b);
	for (int i = 0; i < FUNCTIONS; i++)
		buf_addf(&b, "main;part%d;function%d %d\n", i % 300, i, i % 7 + 1);
	return buf_take(&b);
}

static size_t files_in(const char *path)
{
	DIR *d = opendir(path);
	size_t n = 0;
	for (struct dirent *e; d && (e = readdir(d));)
		n += e->d_name[0] != '.' || strncmp(e->d_name, ".flametop", 9) == 0;
	closedir(d);
	return n;
}

static void write_old(const char *path)
{
	FILE *f = fopen(path, "w");
	if (!f || fputs("old", f) < 0 || fclose(f) != 0)
		bail_out("%s: cannot write", path);
}

static bool is_old(const char *path)
{
	char text[16] = "";
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
	if (f)
		fclose(f);
	return n == 3 && strcmp(text, "old") == 0;
}

struct receiver {
	struct progress *progress;
	size_t calls;
};

/* Cancels the export that has begun to write. */
static int receive(void *arg, const void *bytes, size_t n)
{
	struct receiver *r = arg;
	(void)bytes;
	(void)n;
	r->calls++;
	atomic_store(&r->progress->cancel, true);
	return 0;
}

static void test_kind(const struct export_kind *kind, struct view *v, enum shown_view shown, const char *directory)
{
	struct progress progress = {.cancel = true};
	struct export_options o = {.factor = 1, .progress = &progress};
	struct err err = {0};
	struct buf path;
	v->shown.view = shown;
	if (!(kind->holds & 1u << shown))
		return;
	buf_init(&path);
	buf_addf(&path, "%s/file", directory);
	write_old(buf_str(&path));
	bool is_written = export_to(buf_str(&path), kind, v, &o, &err);
	ok(!is_written && !*err.text, "%s, view %d: cancelled, without a message", kind->name, (int)shown);
	ok(is_old(buf_str(&path)) && files_in(directory) == 1, "the old file stays, and is the only one");

	struct receiver r = {.progress = &progress};
	atomic_store(&progress.cancel, false);
	struct output *out = output_open_sink("sink", receive, &r);
	is_written = export_into(out, kind, v, &o, &err);
	ok(!is_written && !*err.text && r.calls == 1, "cancelled while it writes, it writes no more");

	atomic_store(&progress.cancel, false);
	is_written = export_to(buf_str(&path), kind, v, &o, &err);
	ok(is_written && !is_old(buf_str(&path)) && files_in(directory) == 1, "not cancelled, it is written");
	unlink(buf_str(&path));
	buf_deinit(&path);
}

static void test_kinds(const char *text, const char *function, const char *directory)
{
	struct profile p;
	struct view v;
	view_of(&v, &p, text, NULL);
	p.sites = sites_new(); /* there are lines, although of no sample */
	sites_add(p.sites, &(struct site){.line = 1});
	v.shown.function = view_find_function(&v, function, strlen(function));
	for (size_t i = 0; export_kinds[i]; i++)
		for (enum shown_view shown = SHOWN_FLAME; shown < N_SHOWN_VIEWS; shown++)
			test_kind(export_kinds[i], &v, shown, directory);
	view_deinit(&v);
	profile_deinit(&p);
}

static void test_sort(void)
{
	static struct sort_item items[FUNCTIONS], scratch[FUNCTIONS];
	struct progress progress = {.cancel = true};
	bool is_there[FUNCTIONS] = {false}, are_all = true;
	for (uint32_t i = 0; i < FUNCTIONS; i++)
		items[i] = (struct sort_item){.key = i * UINT64_C(0x9E3779B97F4A7C15), .tie = i, .value = i};
	ok(!sort_items_until(items, FUNCTIONS, scratch, &progress), "a sort is cancelled");
	for (uint32_t i = 0; i < FUNCTIONS; i++)
		is_there[items[i].value] = true;
	for (uint32_t i = 0; i < FUNCTIONS; i++)
		are_all &= is_there[i];
	ok(are_all, "all items are still there");
}

int main(void)
{
	char directory[] = "/tmp/flametop-stop-XXXXXX";
	char *many = many_stacks();
	if (!mkdtemp(directory))
		bail_out("mkdtemp");
	test_kinds("main;a;b 3\nmain;a 2\nmain;c 1\n", "a", directory);
	test_kinds(many, "part7", directory);
	test_sort();
	rmdir(directory);
	free(many);
	return done_testing();
}
