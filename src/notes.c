/*
 * notes.c - notes on standard error about an exported view: other events, filters without effect, gaps of a
 * comparison, data that folded stacks cannot hold.
 *
 *	flametop: 70.0% of cycles is left out by --focus
 *
 * The viewer shows the same in its header.
 */
#include "notes.h"

#include "model/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/number.h"
#include "model/diff.h"
#include "model/estimate.h"
#include "model/halves.h"
#include "model/selection.h"

static void say_other_events(const struct options *o, const struct view *v)
{
	struct buf text;
	if (options_chose_event(o, v->profile) || o->collapse.event_filter)
		return;
	buf_init(&text);
	words_add_events(&text, v);
	if (text.len > 0)
		err_printf("%s (--event=NAME)", buf_str(&text));
	buf_deinit(&text);
}

/* It is unknown whether these names match, so the view may be off by their weight. */
void notes_given_up(const char *option, const char *pattern, uint64_t names)
{
	if (names)
		err_printf("warning: --%s=%s: took too long on %llu name%s, which count%s as no match", option, pattern,
		           (unsigned long long)names, names > 1 ? "s" : "", names > 1 ? "" : "s");
}

/* Labels that no sample has are a slip of the fingers: names those there are. */
static void say_unknown_labels(const struct view *v)
{
	const struct recipe *r = &v->recipe;
	struct buf text;
	buf_init(&text);
	for (size_t i = 0; i < r->n_splits; i++) {
		text.len = 0;
		if (words_add_unknown_label(&text, v->profile, &r->splits[i]))
			err_printf("warning: %s", buf_str(&text));
	}
	buf_deinit(&text);
}

static void say_empty_filters(const struct view *v)
{
	for (size_t i = 0; i < v->recipe.n_filters; i++) {
		const struct filter *f = &v->recipe.filters[i];
		struct buf pattern;
		notes_given_up(filter_names[f->kind].option, f->pattern, f->given_up);
		if (!f->matched_none || !f->pattern)
			continue;
		buf_init(&pattern);
		words_add_pattern(&pattern, f, UTF8_CLEAN_UTF8);
		buf_addf(&pattern, " matches no %s", words_filtered(f->kind));
		if (filter_is_of_tags(f->kind))
			words_add_labels(&pattern, v->profile);
		err_printf("warning: --%s=%s", filter_names[f->kind].option, buf_str(&pattern));
		buf_deinit(&pattern);
	}
}

/* Duration of a sample in nanoseconds; 0: a moment. */
static double span_of(const struct profile *p, size_t i)
{
	const struct sample_log *log = &p->log[0];
	const char *unit = p->symtab.symbols[p->series[log_series(log, i)].unit].name;
	double ns = strcmp(unit, "us") == 0 ? 1000 : strcmp(unit, "ns") == 0 ? 1 : 0;
	return (double)log->weight[i] * ns / profile_unit(p);
}

/* Samples that extend beyond the range are not cut at its ends. */
static void say_whole_spans(const struct view *v)
{
	const struct profile *p = v->profile;
	const struct recipe *r = &v->recipe;
	const struct sample_log *log = &p->log[0];
	const struct collapse_format *format = p->format ? collapse_find(p->format) : NULL;
	uint64_t first, last;
	bool is_over = false;
	if ((!r->from && !r->to) || !format || !format->has_spans || !profile_time_range(p, &first, &last))
		return;
	uint64_t base = profile_time_base(p, first), from = base + r->from, to = r->to ? base + r->to : UINT64_MAX;
	for (size_t i = 0; i < log->n && !is_over; i++) {
		uint64_t t = log->time[i];
		if (t == NO_TIME || t >= to || !log_is_of(log, i, r->series))
			continue;
		double span = span_of(p, i);
		is_over = t < from ? span > (double)(from - t) : span > (double)(to - t);
	}
	if (is_over)
		err_printf(
			"warning: --time does not cut spans: those that begin in the range are taken whole, and those that "
			"began before are left out");
}

/* The option that chooses the visible time of a chart that has a time axis; NULL: all of it is visible. */
static const char *option_of_cut(const struct options *o, const struct view *v)
{
	bool is_of_time = o->shown.view == SHOWN_FLAME || o->shown.view == SHOWN_TABLE;
	return !v->tree.until || !is_of_time ? NULL : o->shown.span.to ? "zoom-time" : o->zoom ? "zoom" : NULL;
}

/* Names selections that do not apply to the baseline, which is another run. */
static void say_whole_baseline(const struct options *o, const struct view *v)
{
	const struct recipe *r = &v->recipe;
	const char *option = r->pid || r->tid || (r->comm && !v->profile->log[1].task) ? "thread"
	                     : r->from || r->to                                        ? "time"
	                     : r->last                                                 ? "window"
	                     : r->half_life                                            ? "decay"
	                                                                               : option_of_cut(o, v);
	if (option)
		err_printf("warning: --%s applies only to the new profile, which is compared with the whole baseline",
		           option);
}

/* Events that only the baseline has, and nothing is compared with. */
static void say_other_bases(const struct view *v)
{
	const struct profile *p = v->profile;
	int32_t shown = selection_series(p, &v->recipe, 1);
	for (size_t i = 0; shown >= 0 && i < p->n_series; i++)
		if (p->series[i].total[1] && !p->series[i].samples && i != (size_t)shown)
			err_printf("warning: '%s' is in the baseline only, and not compared", profile_event_name(p, i));
}

/* Only frames of one event can be compared: a millisecond is a million, a page fault one. */
static void say_mixed_units(const struct view *v)
{
	if (view_has_mixed_units(v))
		err_printf("warning: --split=event adds up events of different units: compare frames of one event only, "
		           "or choose one (--event=NAME)");
}

static void say_overlap(const struct view *v)
{
	if (view_has_overlap(v))
		err_printf("warning: events that count the same are added up: look at one event at a time");
}

static void say_shortened(const struct view *v)
{
	struct buf text;
	if (!v->tree.is_shortened)
		return;
	buf_init(&text);
	words_add_shortened(&text, v);
	err_printf("warning: %s: the input is too small for so many", buf_str(&text));
	buf_deinit(&text);
}

static void say_uneven_sides(const struct view *v)
{
	struct buf text;
	buf_init(&text);
	if (words_add_uneven(&text, v))
		err_printf("warning: %s", buf_str(&text));
	buf_deinit(&text);
}

static void say_taken(const struct view *v)
{
	struct buf text;
	buf_init(&text);
	for (unsigned side = 0; side < 2; side++) {
		text.len = 0;
		if (words_add_taken(&text, v, side))
			err_printf("warning: %s", buf_str(&text));
	}
	buf_deinit(&text);
}

static void say_counted(const struct options *o, const struct view *v)
{
	struct buf text;
	buf_init(&text);
	if (words_add_counted(&text, v, UTF8_CLEAN_UTF8))
		err_printf("%s%s%s", buf_str(&text),
		           o->compare_by == COMPARE_SHARES ? "" : ": shares are compared, as by --normalize",
		           o->compare_by == COMPARE_WEIGHTS ? ", and not weights" : "");
	buf_deinit(&text);
}

static void say_comparison(const struct options *o, const struct view *v)
{
	const struct tree *t = &v->tree;
	bool is_swapped = v->recipe.swap_sides;
	bool is_gate = o->export_.fail_above >= 0, is_chart = v->recipe.chart && v->profile->log[1].n > 0;
	if (is_chart)
		err_printf("a flame chart shows one profile: the baseline is left out%s",
		           is_gate ? ", and --fail-above judges the flame graph of the same samples" : "");
	if (t->base || (is_chart && is_gate))
		say_whole_baseline(o, v);
	if (!t->base)
		return;
	say_other_bases(v);
	if (!is_gate) /* which refuses them */
		say_uneven_sides(v);
	if ((is_swapped ? tree_total(t, NODE_ALL) : tree_base_total(t, NODE_ALL)) == 0)
		err_printf("warning: nothing of the baseline is left to compare with");
	if ((is_swapped ? tree_base_total(t, NODE_ALL) : tree_total(t, NODE_ALL)) == 0)
		err_printf("warning: nothing of the new profile is left to compare");
	say_taken(v);
	say_counted(o, v);
}

/* Says how much of a call graph's paths is certain, of the event that is shown. */
static void say_estimate(const struct view *v)
{
	struct buf text;
	buf_init(&text);
	for (unsigned side = 0; side < 1u + view_is_diff(v); side++) {
		text.len = 0;
		if (estimate_add_words(v->profile, selection_series(v->profile, &v->recipe, side), side, &text))
			err_print(buf_str(&text));
	}
	buf_deinit(&text);
}

void notes_say_view(const struct options *o, const struct view *v)
{
	say_other_events(o, v);
	say_mixed_units(v);
	say_overlap(v);
	say_shortened(v);
	say_empty_filters(v);
	say_unknown_labels(v);
	say_whole_spans(v);
	say_estimate(v);
	say_comparison(o, v);
}

void notes_say_profile(const struct options *o, const struct profile *p)
{
	if (!o->quiet)
		report_print(&p->report, o->verbose ? NOTE_INFO : NOTE_WARN);
}

/* A drawing made in a moment may keep a browser busy for minutes. */
void notes_say_many(const char *path, uint32_t frames)
{
	if (frames >= SVG_MANY_FRAMES)
		err_printf("%s: browsers are slow with %" PRIu32 " frames (a greater --minwidth, such as 0.1, draws fewer)",
		           path, frames);
}

static void add_way(struct buf *ways, const char *option, bool is_one)
{
	if (is_one)
		buf_addf(ways, "%s--%s", ways->len ? ", " : "", option);
}

/* Lists the options that took weight out of the view or of the export. */
static void add_ways(struct buf *ways, const struct view *v)
{
	const struct recipe *r = &v->recipe;
	bool is_done[N_FILTER_KINDS] = {false};
	add_way(ways, "thread", r->comm || r->pid || r->tid);
	add_way(ways, "time", r->from || r->to);
	add_way(ways, "window", r->last > 0);
	add_way(ways, "decay", r->half_life > 0);
	add_way(ways, "flamechart", r->timed && v->tree.untimed && !recipe_chooses_times(r));
	for (size_t i = 0; i < r->n_filters; i++) {
		const struct filter *f = &r->filters[i];
		add_way(ways, filter_names[f->kind].option, f->has_taken && !is_done[f->kind]);
		is_done[f->kind] |= f->has_taken;
	}
	bool is_sandwich = v->shown.view == SHOWN_SANDWICH; /* of all times and all frames */
	add_way(ways, "zoom-time", v->tree.until && v->span.to && !is_sandwich);
	add_way(ways, "zoom", v->zoom != NODE_ALL && !is_sandwich);
	add_way(ways, "view=sandwich", is_sandwich);
}

/* The weight that folded stacks of the view have, [1] in the baseline. */
static void add_up_kept(const struct view *v, const uint64_t *part, uint64_t kept[2])
{
	if (v->shown.view == SHOWN_SANDWICH) {
		struct name_sum sum = halves_sum(&v->tree, v->shown.function, v->profile->symtab.n, NULL);
		kept[0] = sum.total;
		kept[1] = sum.base_total;
	} else {
		kept[0] = part ? *part : tree_total(&v->tree, v->zoom);
		kept[1] = tree_base_total(&v->tree, v->zoom);
	}
}

static void add_share(struct buf *out, const uint64_t part[2], const uint64_t all[2], unsigned side)
{
	number_add_percent(out, part[side], all[side], 1);
	buf_addc(out, '%');
}

/* "12 samples lost", which are in no share of the profile. */
static void say_lost(const struct view *v)
{
	static const char between[] = "; ";
	struct buf text;
	buf_init(&text);
	words_add_lost(&text, v, between);
	if (text.len)
		err_print(buf_str(&text) + strlen(between));
	buf_deinit(&text);
}

/* Folded stacks have no header for this note. */
void notes_say_left_out(const struct view *v, const uint64_t *part)
{
	const struct tree *t = &v->tree;
	uint64_t all[2] = {tree_total(t, NODE_ALL), tree_base_total(t, NODE_ALL)}, kept[2], rest[2];
	bool is_diff = view_is_diff(v);
	struct buf text, ways;
	say_lost(v);
	add_up_kept(v, part, kept);
	for (unsigned side = 0; side < 2; side++) {
		weight_add(&all[side], t->excluded[side]);
		rest[side] = all[side] - kept[side];
	}
	if (!rest[0] && !(is_diff && rest[1]))
		return;
	buf_init(&text);
	buf_init(&ways);
	add_share(&text, rest, all, 0);
	buf_addf(&text, " of %s", *view_event(v) ? view_event(v) : view_unit(v));
	if (is_diff) {
		buf_addf(&text, " %s and ", v->recipe.swap_sides ? "before" : "after");
		add_share(&text, rest, all, 1);
		buf_adds(&text, v->recipe.swap_sides ? " after" : " before");
	}
	buf_adds(&text, " is left out");
	add_ways(&ways, v);
	if (ways.len)
		buf_addf(&text, " by %s", buf_str(&ways));
	err_print(buf_str(&text));
	buf_deinit(&text);
	buf_deinit(&ways);
}
