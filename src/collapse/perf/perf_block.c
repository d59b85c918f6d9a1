/*
 * perf_block.c - takes all frames of an event of perf script at once.
 *
 * A comparison of text finds what the stack shares with that of the previous sample (perf_recent.h), most other
 * lines are cached (perf_lines.h), and only the rest is parsed.
 */
#include "base/mem.h"
#include "base/scan.h"
#include "collapse/perf/perf_text.h"

/*
 * Looks up one line of a block, up to the newline at nl. NULL: it is no frame line. Not batched: a stack may
 * contain the same line a hundred times.
 */
static const struct perf_memo *find_line(struct perf *p, const char *text, const char *nl, bool is_caller,
                                         struct perf_at *at)
{
	struct slice line = slice_rtrim((struct slice){text, (size_t)(nl - text)}), symbol;
	struct perf_memo *m;
	struct perf_site site;
	bool is_java = p->task->is_java;
	if (!line.n || !is_blank_byte(*text) || !perf_frames_split(line, &site, &symbol))
		return NULL;
	perf_frames_prepare(&p->known, &site, symbol, is_java);
	m = perf_frames_find(&p->known, &site);
	*at = p->sites ? perf_sites_at(p->sites, m, &site) : (struct perf_at){0};
	if (is_caller && at->code && m->n)
		perf_sites_know_caller(p->sites, p->known.pool[m->first].sym, at);
	if (p->sink->options->addrs ||
	    !perf_unnamed_keep(&p->unnamed, text, (size_t)(nl + 1 - text), is_java, m->first, m->n)) {
		struct perf_line *kept = perf_line_keep(p->lines, text, (size_t)(nl + 1 - text), is_java, m->first, m->n);
		if (kept && p->sites)
			p->line_at[kept - p->lines] = *at;
	}
	return m;
}

/* Looks up the lines of a block that are not known yet; false: one of them is no frame line. */
static bool split_block(struct perf *p, const char *text, const char *end)
{
	struct perf_found *found = p->found;
	size_t n = 0, frames = 0;
	bool is_java = p->task->is_java;
	for (; text < end; n++) {
		const struct perf_unnamed *u = &p->unnamed;
		const struct perf_line *met;
		if (n == p->cap_found)
			found = p->found = mem_grow(p->found, &p->cap_found, n + 1, sizeof *p->found);
		if (perf_unnamed_is(u, text, is_java)) {
			found[n] = (struct perf_found){text, u->first, u->n, {0}};
			text += PERF_SYMBOL_AT + u->len;
		} else if ((met = perf_line_find(p->lines, text, end, is_java)) != NULL) {
			found[n] = (struct perf_found){text, met->first, met->n, {0}};
			if (p->sites)
				found[n].at = p->line_at[met - p->lines];
			text += met->len;
		} else {
			const char *nl = scan_to(text, '\n');
			struct perf_at at;
			const struct perf_memo *m = find_line(p, text, nl, n > 0, &at);
			if (!m)
				return false;
			found[n] = (struct perf_found){text, m->first, m->n, at};
			text = nl + 1;
		}
		frames += found[n].n;
	}
	p->n_found = n;
	p->n_found_frames = frames;
	p->has_frames = true;
	return true;
}

/* An inlined function, printed in the line before what it is inlined into. */
static void push_inlined(struct perf *p, const struct perf_found *f, const char *end, struct perf_recent *r)
{
	const char *next = scan_to(f->line, '\n') + 1;
	bool has_module = next < end && perf_same_address(f->line, next);
	for (uint32_t i = f->n; i--;) {
		uint32_t into = has_module ? r->frames[r->n - 1] : 0;
		struct perf_frame frame = perf_frames_inlined(&p->known, p->known.pool[f->first + i], into);
		perf_recent_push(r, frame.sym, frame.hash);
	}
}

/*
 * Pushes the frames of a block, which ends at `end`. Every line of the input that is not shared comes through
 * here.
 */
static void push_found(const struct perf *p, struct perf_recent *r, const char *end)
{
	const struct perf_frame *pool = p->known.pool;
	for (size_t i = p->n_found; i--;) {
		const struct perf_found *f = &p->found[i];
		for (size_t k = f->n; k--;) /* none: the line has no frame, and there may be no pool yet */
			perf_recent_push(r, pool[f->first + k].sym, pool[f->first + k].hash);
		perf_recent_line(r, (size_t)(end - f->line));
	}
}

__attribute__((noinline)) static void push_some_inlined(struct perf *p, struct perf_recent *r, const char *end)
{
	for (size_t k = p->n_found; k--;) {
		const struct perf_found *f = &p->found[k];
		if (f->n && p->known.pool[f->first].is_inlined)
			push_inlined(p, f, end, r);
		else
			for (uint32_t i = f->n; i--;)
				perf_recent_push(r, p->known.pool[f->first + i].sym, p->known.pool[f->first + i].hash);
		perf_recent_line(r, (size_t)(end - f->line));
	}
}

/* The same with sites: lines of one address follow each other, the inlined ones first. */
__attribute__((noinline)) static void push_with_sites(struct perf *p, struct perf_recent *r, const char *end)
{
	const struct perf_frame *pool = p->known.pool;
	size_t leaf = 0; /* lines before this one are at the address of the sample */
	uint32_t level = 0;
	struct perf_at at = {0};
	while (leaf < p->n_found && p->found[leaf].n && pool[p->found[leaf].first].is_inlined)
		leaf++;
	for (size_t k = p->n_found; k--;) {
		const struct perf_found *f = &p->found[k];
		bool is_inlined = f->n && pool[f->first].is_inlined;
		uint32_t node = r->sites[r->n];
		level = is_inlined ? level + 1 : 0;
		at = is_inlined ? at : f->at;
		if (is_inlined)
			push_inlined(p, f, end, r);
		for (uint32_t i = is_inlined ? 0 : f->n; i--;)
			perf_recent_push(r, pool[f->first + i].sym, pool[f->first + i].hash);
		if (f->n)
			node = perf_sites_child(p->sites, node, r->frames[r->n - 1], &at, k <= leaf, level);
		perf_recent_at(r, f->n, node);
		perf_recent_line(r, (size_t)(end - f->line));
	}
}

bool perf_take_block(struct perf *p, const char *text, size_t len)
{
	struct perf_recent *r = &p->recent[p->task->task % PERF_TASKS];
	size_t known;
	if (r->task != p->task->task || !r->n || r->frames[0] != p->task->root)
		perf_recent_begin(r, p->task->task, p->task->root, p->profile->symtab.symbols[p->task->root].hash);
	known = perf_recent_share(r, text, len);
	if (p->sites && r->has_other_leaf) {
		perf_recent_begin(r, p->task->task, p->task->root, p->profile->symtab.symbols[p->task->root].hash);
		known = perf_recent_share(r, text, len);
	}
	if (!split_block(p, text, text + len - known)) {
		r->end = NULL;
		return false;
	}
	perf_recent_reserve(r, p->n_found_frames, p->n_found);
	if (p->sites)
		push_with_sites(p, r, text + len);
	else if (p->known.has_inlined)
		push_some_inlined(p, r, text + len);
	else
		push_found(p, r, text + len);
	if (r->n < 2) {
		r->end = NULL;
		return false;
	}
	perf_set_series(p);
	p->sample.site = p->sites ? r->sites[r->n] : NO_SITE;
	profile_add(p->profile, p->sink->options->side, perf_recent_path(r, p->profile), &p->sample);
	return true;
}
