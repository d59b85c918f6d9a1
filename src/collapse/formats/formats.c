/*
 * formats.c - the table of formats.
 *
 * Where the marks of several are complete at the same byte, or none are and several take the input as it is, the order
 * decides: marks that nothing else has come first (a heading, a tag), then shapes of lines, from the peculiar to the plain.
 * Folded text is what is left when lines end in a number.
 */
#include "collapse/formats.h"

#include <string.h>

const struct collapse_format *const collapse_formats[] = {
	&format_pprof,
	&format_speedscope,
	&format_chrome_tracing,
	&format_cpuprofile,
	&format_xctrace,
	&format_vsprof,
	&format_vtune_mc,
	&format_vtune,
	&format_ibmjava,
	&format_xdebug,
	&format_sample,
	&format_ghcprof,
	&format_go,
	&format_jstack,
	&format_instruments,
	&format_bpftrace,
	&format_elfutils,
	&format_aix,
	&format_wcp,
	&format_faulthandler,
	&format_gdb,
	&format_pmc,
	&format_stap,
	&format_ljp,
	&format_perf_sched, /* before perf: the same text, read for its time instead of its samples */
	&format_perf,
	&format_dtrace,
	&format_java_exceptions,
	&format_folded,
	NULL,
};

/* Other names under which people know a format. */
static const struct {
	const char *alias, *name;
} aliases[] = {
	{"vtune_mc", "vtune-mc"},
	{"chrome_tracing", "chrome-tracing"},
	{"java_exceptions", "java-exceptions"},
	{"perf_sched", "perf-sched"},
	{"recursive", "folded"},
};

const struct collapse_format *collapse_find(const char *name)
{
	for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
		if (!strcmp(aliases[i].alias, name))
			name = aliases[i].name;
	}
	for (const struct collapse_format *const *f = collapse_formats; *f; f++) {
		if (!strcmp((*f)->name, name))
			return *f;
	}
	return NULL;
}

bool head_line(const char **p, const char *end, const char **line, size_t *len)
{
	if (*p >= end)
		return false;
	const char *eol = memchr(*p, '\n', (size_t)(end - *p));
	*line = *p;
	*p = eol ? eol + 1 : end;
	*len = (size_t)((eol ? eol : end) - *line);
	if (*len && (*line)[*len - 1] == '\r')
		--*len;
	return true;
}

struct head head_lines(const struct head *head)
{
	struct head lines = *head;
	const char *eol = head->len && !head->is_all ? memrchr(head->text, '\n', head->len) : NULL;
	if (!head->is_all)
		lines.len = eol ? (size_t)(eol - head->text) + 1 : 0;
	return lines;
}
