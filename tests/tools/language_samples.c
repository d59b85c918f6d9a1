/*
 * language_samples.c - prints the stacks of languages that a recording holds, each with its lines.
 *
 *	language_samples FILE
 *	S TAB tid TAB name:file:line* TAB ...
 *
 * The innermost frame comes first; * marks those that native code began to run. A stack that could not be read is
 * "E TAB tid", one that was skipped "L TAB tid"; M instead of S: the thread moved meanwhile.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "languages/items.h"
#include "perfdata/perfdata.h"

struct reading {
	struct perfdata *p;
	char **texts; /* by number */
	size_t n, cap;
};

static void take_function(struct reading *r, const struct item *it)
{
	char text[8300];
	const char *slash = strrchr(it->function.file, '/');
	snprintf(text, sizeof text, "%s:%s", it->function.name, slash ? slash + 1 : it->function.file);
	while (r->n <= it->number)
		mem_push(r->texts, r->n, r->cap, NULL);
	r->texts[it->number] = mem_strdup(text);
}

static void take_stack(const struct reading *r, int32_t tid, const struct item *it)
{
	static const char *const lacks[] = {[LACK_FAILED] = "E", [LACK_SKIPPED] = "L", [LACK_WAKER] = "W"};
	printf("%s\t%d", it->lack ? lacks[it->lack] : it->has_moved ? "M" : "S", tid);
	for (uint32_t i = 0; i < it->n; i++) {
		struct language_frame f = item_frame(it, i);
		if (f.function == NO_FUNCTION) {
			printf("\t[loop]");
			continue;
		}
		const char *text = f.function < r->n && r->texts[f.function] ? r->texts[f.function] : "?";
		printf("\t%s:%u%s", text, f.line, f.is_entry ? "*" : "");
	}
	puts(it->is_cut ? "\t[cut]" : "");
}

static void take(void *arg, const struct perfdata_sample *s)
{
	struct reading *r = arg;
	const char *name = perfdata_event(r->p, s->event)->name;
	struct item it;
	if (!name || strcmp(name, ITEMS_EVENT) != 0 || !item_parse(&it, s->raw, s->n_raw))
		return;
	if (it.kind == ITEM_FUNCTION)
		take_function(r, &it);
	else if (it.kind == ITEM_STACK)
		take_stack(r, s->tid, &it);
	else if (it.kind == ITEM_HOW)
		fprintf(stderr, "how %d\n", it.how);
	else
		fprintf(stderr, "%s\n", it.trouble);
}

static bool read_file(void *arg, uint64_t offset, void *into, size_t n)
{
	return pread(*(int *)arg, into, n, (off_t)offset) == (ssize_t)n;
}

int main(int argc, char **argv)
{
	static const struct perfdata_hooks hooks = {.sample = take};
	struct reading r = {0};
	struct err err = {""};
	static char bytes[65536];
	int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
	ssize_t n;
	r.p = perfdata_new(&hooks, &r);
	bool ok = fd >= 0 && perfdata_read_features(r.p, read_file, &fd, &err);
	while (ok && (n = read(fd, bytes, sizeof bytes)) > 0)
		ok = perfdata_feed(r.p, bytes, (size_t)n, &err);
	perfdata_finish(r.p, ok, NULL);
	if (!ok)
		fprintf(stderr, "%s\n", err.text);
	return !ok;
}
