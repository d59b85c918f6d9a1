/*
 * pmc.c - parses pmcstat -G of FreeBSD: call graphs that begin with the callee.
 *
 *	@ unhalted-cycles [20 samples]
 *
 *	60.00%  [12]       bcopy @ /boot/kernel/kernel
 *	 75.00%  [9]         uiomove_faultflag
 *	  100.0%  [9]          vn_read
 *	 25.00%  [3]         zfs_read
 *	40.00%  [8]        cpu_idle @ /boot/kernel/kernel
 *
 *	vn_read;uiomove_faultflag;bcopy 9
 *	zfs_read;bcopy 3
 *	cpu_idle 8
 *
 * The number of blanks before a line is its level; deeper is towards the root. Its count includes its callers; the
 * remainder after them has no known caller. Each event is a series.
 */
#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "collapse/text/line_format.h"

struct pmc_level {
	size_t indent;
	uint32_t sym;
	uint64_t left; /* the count minus that of the callers so far */
};

struct pmc {
	struct sink *sink;
	struct pmc_level *levels; /* callee first */
	size_t n, cap;
	struct frames frames;
	uint32_t series;
};

/* Emits the remainders of the lines indented by `indent` or more. */
static void close_levels(struct pmc *p, size_t indent)
{
	while (p->n && p->levels[p->n - 1].indent >= indent) {
		if (p->levels[p->n - 1].left) {
			p->frames.n = 0;
			for (size_t i = p->n; i > 0; i--)
				frames_push(&p->frames, p->levels[i - 1].sym);
			struct sample sample = {
				.weight = p->levels[p->n - 1].left,
				.time = NO_TIME,
				.cpu = NO_CPU,
				.series = p->series,
			};
			sink_stack(p->sink, p->frames.syms, p->frames.n, &sample);
		}
		p->n--;
	}
}

struct pmc_line {
	size_t indent;
	uint64_t count;
	struct slice name;
};

/* " 75.00%  [9]         uiomove_faultflag" */
static bool take_line(struct slice text, struct pmc_line *line)
{
	struct slice rest = text;
	while (slice_take(&rest, " "))
		;
	line->indent = text.n - rest.n;
	if (!slice_take_digits(&rest).n || !slice_take(&rest, ".") || !slice_take_digits(&rest).n)
		return false;
	if (!slice_take(&rest, "%"))
		return false;
	rest = slice_ltrim(rest);
	if (!slice_take(&rest, "[") || !slice_u64(slice_take_digits(&rest), &line->count) || !slice_take(&rest, "]"))
		return false;
	/* " @ " and the module follow */
	rest = slice_trim(rest);
	size_t module = slice_find(rest, " @ ");
	line->name = slice_rtrim(module == SIZE_MAX ? rest : slice_head(rest, module));
	return line->name.n > 0;
}

/* "@ unhalted-cycles [20 samples]" */
static void open_event(struct pmc *p, struct slice line)
{
	close_levels(p, 0);
	slice_take(&line, "@ ");
	struct slice name = slice_take_word(&line);
	p->series = profile_series(p->sink->profile, sink_sym(p->sink, name.s, name.n), 0);
}

/* Takes the count of a caller off what its callee has left. */
static void take_off(struct pmc *p, uint64_t *left, uint64_t count)
{
	if (count > *left)
		report_add_weight(&p->sink->profile->report, NOTE_WARN, "callers have more samples than their callee", NULL,
		                  0, count - *left);
	*left -= count < *left ? count : *left;
}

static void pmc_line(struct pmc *p, struct slice text, uint64_t number)
{
	struct pmc_line line;
	if (!text.n)
		return;
	if (slice_starts(text, "@ ")) {
		open_event(p, text);
	} else if (take_line(text, &line)) {
		close_levels(p, line.indent);
		if (p->n)
			take_off(p, &p->levels[p->n - 1].left, line.count);
		struct pmc_level level = {line.indent, sink_frame(p->sink, line.name.s, line.name.n), line.count};
		mem_push(p->levels, p->n, p->cap, level);
	} else {
		sink_skip(p->sink, "not a line of a call graph (expected 'N.NN%  [COUNT]  NAME')", number, text.s, text.n);
	}
}

static void pmc_end(struct pmc *p, bool is_whole)
{
	if (is_whole)
		close_levels(p, 0);
	frames_deinit(&p->frames);
	free(p->levels);
}

LINE_FORMAT(pmc)

static bool is_mine(struct slice text)
{
	struct pmc_line line;
	return take_line(text, &line);
}

static enum sniff pmc_sniff(const struct head *head, const char **why)
{
	return sniff_any_line(head, is_mine, "no line 'N.NN%  [COUNT]  NAME'", why);
}

const struct collapse_format format_pmc = {
	.name = "pmc",
	.help = "call graphs of FreeBSD's pmcstat: pmcstat -R FILE -G OUT",
	.tells_open_end = true,
	.sniff = pmc_sniff,
	LINE_FORMAT_FUNCTIONS(pmc),
};
