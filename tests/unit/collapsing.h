/*
 * collapsing.h - feeds text to one format, in one piece or in many, and shows the result.
 */
#ifndef TESTS_UNIT_COLLAPSING_H
#define TESTS_UNIT_COLLAPSING_H

#include <inttypes.h>

#include "loading.h"
#include "stacks.h"

#define COLLAPSING_FN __attribute__((unused)) static
#define PIECE_PAD 64 /* readable bytes behind a piece, see collapse.h */

/* One bit for each option that changes what a format makes of its text. */
COLLAPSING_FN struct collapse_options collapse_options_of(uint8_t bits)
{
	return (struct collapse_options){
		.jobs = 1,
		.pid = bits & 1,
		.tid = bits & 1,
		.kernel = bits & 2,
		.jit = bits & 2,
		.addrs = bits & 4,
		.srcline = bits & 8,
		.include_offset = bits & 16,
		.no_modules = bits & 32,
		.wake_stack = bits & 64,
		.shorten_pkgs = bits & 128,
	};
}

/* A copy that ends with the readable bytes, so that a sanitizer detects a read past them. */
COLLAPSING_FN bool feed_piece(const struct collapse_format *format, void *state, struct sink *sink,
                              const char *text, size_t len, struct err *err)
{
	char *piece = mem_zalloc(len + 1 + PIECE_PAD, 1);
	bool good;

	if (len)
		memcpy(piece, text, len);
	piece[len] = '\n';
	good = collapse_feed(format, state, sink, piece, len, err);
	free(piece);
	return good;
}

/* Feeds text in pieces of whole lines, each of at least `step` bytes except the last; *p is initialised here. */
COLLAPSING_FN bool collapse_pieces(struct profile *p, const struct collapse_format *format,
                                   const struct collapse_options *options, const char *text, size_t len,
                                   size_t step)
{
	struct sink sink = {.profile = p, .options = options};
	struct err err = {""};
	bool good = true;
	void *state;

	profile_init(p);
	p->decimals = format->decimals;
	p->format = format->name;
	state = format->start(&sink, &err);
	for (size_t at = 0, n; state && good && at < len; at += n) {
		const char *nl = len - at > step ? memchr(text + at + step - 1, '\n', len - at - step + 1) : NULL;
		n = nl ? (size_t)(nl - text) + 1 - at : len - at;
		good = feed_piece(format, state, &sink, text + at, n, &err);
	}
	return state && format->finish(state, good, &err) && good;
}

/* The text from --to=folded; the caller frees it. */
COLLAPSING_FN char *folded_of(struct profile *p)
{
	struct export_options o = {.factor = 1};
	struct view v;
	char *text;

	view_init(&v, p, UTF8_CLEAN_UTF8, true);
	text = view_update(&v, DIRTY_TREE, NULL, NULL) ? export_text_of(&export_folded, &v, &o) : NULL;
	view_deinit(&v);
	return text;
}

/* Samples in their order, root first, then notes, one a line; the caller frees it. */
COLLAPSING_FN char *samples_of(const struct profile *p)
{
	struct buf out;

	buf_init(&out);
	for (int side = 0; side < 2; side++) {
		const struct sample_log *log = &p->log[side];
		for (size_t i = 0; i < log->n; i++) {
			uint32_t depth = profile_depth(p, log->path[i]);
			buf_adds(&out, side ? "base " : "");
			for (uint32_t d = depth; d; d--) {
				uint32_t path = log->path[i];
				for (uint32_t up = 1; up < d; up++)
					path = p->parent[path];
				buf_addf(&out, "%s%s", p->symtab.symbols[p->sym[path]].name, d > 1 ? ";" : "");
			}
			buf_addf(&out, " %" PRIu64, log->weight[i]);
			if (log->series && log->series[i])
				buf_addf(&out, " series %u", log->series[i]);
			buf_addc(&out, '\n');
		}
	}
	for (size_t i = 0; i < p->report.n; i++) {
		const struct note *n = &p->report.notes[i];
		buf_addf(&out, "%s: line %" PRIu64 ", %" PRIu64 " times: %s\n", n->kind, n->line, n->count,
		         n->detail ? n->detail : "");
	}
	return buf_take(&out);
}

/* Number of notes whose kind begins like this. */
COLLAPSING_FN uint64_t notes_of(const struct profile *p, const char *kind)
{
	uint64_t count = 0;

	for (size_t i = 0; i < p->report.n; i++)
		if (strncmp(p->report.notes[i].kind, kind, strlen(kind)) == 0)
			count += p->report.notes[i].count;
	return count;
}

COLLAPSING_FN uint64_t first_line_of(const struct profile *p, const char *kind)
{
	for (size_t i = 0; i < p->report.n; i++)
		if (strncmp(p->report.notes[i].kind, kind, strlen(kind)) == 0)
			return p->report.notes[i].line;
	return 0;
}

#endif
