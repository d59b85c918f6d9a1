/*
 * words.c - words for headers and changes.
 *
 * A table pasted into a ticket must say what was left out of it, and whether its changes are shares or weights. So
 * the words are made here, and every output for people has them.
 */
#include "words.h"

#include <math.h>
#include <string.h>

#include "base/escape.h"
#include "base/number.h"
#include "selection.h"
#include "sides.h"

static void add_clean(struct buf *out, const char *s, enum utf8_clean_mode mode)
{
	utf8_clean(out, s, strlen(s), mode);
}

/* "1,000", "19.5", "less than 1" of what has faded or is a part of them, "0" of nothing. */
static void add_samples(struct buf *out, double samples, unsigned decimals)
{
	double units = samples * pow(10, decimals);
	if (units > 0 && units < 0.5)
		buf_adds(out, "less than 1");
	else
		number_add_commas(out, weight_from(units + 0.5), decimals);
}

static bool is_one(const struct diff_basis *b)
{
	return b->decimals ? b->samples_before == 1 : b->samples_before > 0 && b->samples_before < 1.5;
}

void words_add_samples(struct buf *out, const struct diff_basis *b)
{
	add_samples(out, b->samples_before, b->decimals);
	buf_adds(out, is_one(b) ? " sample before, " : " samples before, ");
	add_samples(out, b->samples_after, b->decimals);
	buf_adds(out, " after");
}

void words_add_quantity(struct buf *out, enum diff_quantity quantity)
{
	buf_adds(out, quantity == DIFF_OF_SHARES ? "diff of shares" : "diff of weights");
}

void words_add_comparison(struct buf *out, const struct diff_basis *b)
{
	words_add_quantity(out, b->quantity);
	if (b->is_swapped)
		buf_adds(out, ", widths from before");
	if (b->sides.use == SIDES_FRAMES)
		buf_adds(out, ", ");
	if (b->sides.use == SIDES_FRAMES)
		sides_add_knowing(out, &b->sides);
}

/* ---- exclusions ---------------------------------------------------------------------------------------------- */

void words_add_task(struct buf *out, const struct view *v, const char *before, enum utf8_clean_mode mode)
{
	const struct recipe *r = &v->recipe;
	if (r->comm) {
		buf_adds(out, before);
		add_clean(out, v->profile->symtab.symbols[r->comm].name, mode);
	}
	if (r->pid)
		buf_addf(out, "%spid %lld", before, (long long)r->pid);
	if (r->tid)
		buf_addf(out, "%stid %lld", before, (long long)r->tid);
}

void words_add_light(struct buf *out, const struct view *v, const struct tree_light *light, double percent)
{
	if (light->narrow) {
		number_add_commas(out, light->narrow, 0);
		buf_addf(out,
		         light->narrow == 1 ? " frame narrower than %g%% is left out"
		                            : " frames narrower than %g%% are left out",
		         percent);
	}
	if (light->gone) {
		buf_adds(out, light->narrow ? "; " : "");
		number_add_commas(out, light->gone, 0);
		buf_addf(out, light->gone == 1 ? " %s frame has no width" : " %s frames have no width",
		         v->recipe.swap_sides ? "new" : "vanished");
	}
}

static void add_hits(struct buf *out, const char *what, uint64_t part, uint64_t all)
{
	buf_adds(out, what);
	number_add_percent(out, part, all, part == all ? 0 : 1);
	buf_addc(out, '%');
}

void words_add_hits(struct buf *out, const struct view *v, const struct halves *h, uint64_t all)
{
	add_hits(out, "callers ", h->matched[HALF_CALLERS], all);
	add_hits(out, ", callees ", h->matched[HALF_CALLEES], all);
	buf_adds(out, words_of_whole(v));
}

void words_add_range(struct buf *out, uint64_t from, uint64_t to)
{
	number_add_moment(out, from, to > from ? to - from : 1);
	buf_adds(out, " to ");
	if (to)
		number_add_moment(out, to, to > from ? to - from : 1);
	else
		buf_adds(out, "the end");
}

/* side: "after: " in a comparison. */
static void add_lost(struct buf *out, const struct profile_lacks *l, const char *before, const char *side)
{
	if (l->lost) {
		buf_addf(out, "%s%s", before, side);
		number_add_commas(out, l->lost, 0);
		buf_adds(out, l->lost == 1 ? " sample lost" : " samples lost");
	}
	if (l->paused) {
		buf_addf(out, "%s%ssampling paused for ", before, side);
		number_add_time(out, l->paused, 9);
	}
}

static void add_lacks(struct buf *out, const struct profile_lacks *l, const char *before, const char *side)
{
	add_lost(out, l, before, side);
	if (l->callers)
		buf_addf(out, "%s%scallers dropped by --skip-after", before, side);
}

void words_add_lost(struct buf *out, const struct view *v, const char *before)
{
	bool is_diff = view_is_diff(v);
	add_lost(out, &v->profile->lacks[0], before, is_diff ? "after: " : "");
	if (is_diff)
		add_lost(out, &v->profile->lacks[1], before, "before: ");
}

void words_add_missing(struct buf *out, const struct view *v, const char *before)
{
	bool is_diff = view_is_diff(v);
	add_lacks(out, &v->profile->lacks[0], before, is_diff ? "after: " : "");
	if (is_diff)
		add_lacks(out, &v->profile->lacks[1], before, "before: ");
	if (view_has_overlap(v))
		buf_addf(out, "%sevents that count the same are added up", before);
}

bool words_add_taken(struct buf *out, const struct view *v, unsigned side)
{
	const struct recipe *r = &v->recipe;
	bool is_of_weights = view_is_diff(v) && r->quantity == DIFF_OF_WEIGHTS && !v->has_other_units;
	if (!is_of_weights || !diff_is_bare(v->profile, r, side))
		return false;
	buf_addf(out, "the %s names no unit: its numbers are taken as %s", side ? "baseline" : "new profile",
	         view_unit(v));
	return true;
}

static void add_taken(struct buf *out, const struct view *v, const char *before)
{
	for (unsigned side = 0; side < 2; side++) {
		size_t len = out->len;
		buf_adds(out, before);
		if (!words_add_taken(out, v, side))
			out->len = len;
	}
}

static bool has_other_base_event(const struct view *v)
{
	return view_is_diff(v) && selection_series(v->profile, &v->recipe, 1) != v->recipe.series;
}

/* Does the name of an event say its unit, as "time (us)"? */
static bool says_unit(const char *event, const char *unit)
{
	size_t n = strlen(event), k = strlen(unit);
	return strcmp(event, unit) == 0 ||
	       (n > k + 2 && event[n - 1] == ')' && event[n - k - 2] == '(' && memcmp(event + n - k - 1, unit, k) == 0);
}

/* "cpu", with its unit "cpu in ns"; "ns" without a name. */
static void add_counted(struct buf *out, const struct view *v, bool is_baseline, bool with_unit,
                        enum utf8_clean_mode mode)
{
	const char *event = view_event_on(v, is_baseline), *unit = view_unit_on(v, is_baseline);
	int32_t series = selection_series(v->profile, &v->recipe, is_baseline);
	if (!*event && !with_unit && series >= 0)
		event = profile_event_name(v->profile, (size_t)series);
	add_clean(out, *event ? event : unit, mode);
	if (!with_unit || !*event || says_unit(event, unit))
		return;
	buf_adds(out, " in ");
	add_clean(out, unit, mode);
}

bool words_add_counted(struct buf *out, const struct view *v, enum utf8_clean_mode mode)
{
	if (!view_is_diff(v) || !v->has_other_units)
		return false;
	bool has_two = view_has_two_units(v);
	buf_adds(out, "the two profiles count different events or units");
	if (!has_two && !has_other_base_event(v))
		return true;
	buf_adds(out, ", ");
	add_counted(out, v, false, has_two, mode);
	buf_adds(out, " and before ");
	add_counted(out, v, true, has_two, mode);
	return true;
}

/* Of the side that the widths and the unit in the heading are not of. */
void words_add_base_event(struct buf *out, const struct view *v, const char *before, enum utf8_clean_mode mode)
{
	bool has_two = view_has_two_units(v);
	if (has_two || has_other_base_event(v)) {
		buf_addf(out, "%s%s: ", before, view_is_swapped(v) ? "after" : "before");
		add_counted(out, v, !view_is_swapped(v), has_two, mode);
	}
	add_taken(out, v, before);
}

void words_add_times(struct buf *out, const struct view *v, const char *before)
{
	const struct recipe *r = &v->recipe;
	uint64_t from = r->from > r->cut_from ? r->from : r->cut_from;
	uint64_t to = !r->cut_to || (r->to && r->to < r->cut_to) ? r->to : r->cut_to;
	if (from || to) {
		buf_adds(out, before);
		words_add_range(out, from, to);
	}
	if (r->last)
		buf_addf(out, "%slast %g s", before, (double)r->last / 1e9);
	if (r->half_life)
		buf_addf(out, "%shalved every %g s", before, (double)r->half_life / 1e9);
	if (v->tree.untimed)
		buf_adds(out, before);
	words_add_untimed(out, v->tree.untimed);
	if (v->tree.untimed && !recipe_chooses_times(r))
		buf_adds(out, " (--axis=samples shows them)");
}

void words_add_untimed(struct buf *out, uint64_t n)
{
	if (!n)
		return;
	number_add_commas(out, n, 0);
	buf_adds(out, n == 1 ? " sample without a time is left out" : " samples without a time are left out");
}

static void add_part(struct buf *out, uint64_t part, uint64_t rest)
{
	weight_add(&rest, part);
	number_add_percent(out, part, rest, 1);
	buf_addc(out, '%');
}

/*
 * "12.3% excluded"; a comparison gives both sides, which seldom lose the same share. [0] is the side of the tree's
 * widths, [1] the other; rests is the remaining weight of that side.
 */
static void add_parts(struct buf *out, const struct view *v, const char *before, const uint64_t parts[2],
                      const uint64_t rests[2], const char *what)
{
	bool is_diff = view_is_diff(v);
	if (parts[0] == 0 && (!is_diff || parts[1] == 0))
		return;
	buf_adds(out, before);
	add_part(out, parts[0], rests[0]);
	if (is_diff) {
		buf_addf(out, " of %s and ", v->recipe.swap_sides ? "before" : "after");
		add_part(out, parts[1], rests[1]);
		buf_addf(out, " of %s", v->recipe.swap_sides ? "after" : "before");
	}
	buf_adds(out, what);
}

void words_add_shortened(struct buf *out, const struct view *v)
{
	buf_adds(out, "stacks after the first ");
	number_add_commas(out, profile_bound_of_views(v->profile), 0);
	buf_adds(out, " frames are without theirs");
}

static void add_excluded(struct buf *out, const struct view *v, const char *before)
{
	const struct tree *t = &v->tree;
	uint64_t rests[] = {tree_total(t, NODE_ALL), tree_base_total(t, NODE_ALL)};
	add_parts(out, v, before, t->excluded, rests, " excluded");
}

static void add_shortened(struct buf *out, const struct view *v, const char *before)
{
	if (!v->tree.is_shortened)
		return;
	buf_adds(out, before);
	words_add_shortened(out, v);
}

/* "90.0% is in no function": weight of stacks without a frame, which no row of a table shows. A zoom has none. */
static void add_bare(struct buf *out, const struct view *v, const char *before)
{
	const struct tree *t = &v->tree;
	uint64_t bare[] = {tree_bare(t, NODE_ALL), tree_base_self(t, NODE_ALL)};
	if (v->zoom != NODE_ALL)
		return;
	if (t->n == 1 && t->cut) /* the functions are in left-out rows */
		return;
	uint64_t rests[] = {tree_total(t, NODE_ALL) - bare[0], tree_base_total(t, NODE_ALL) - bare[1]};
	add_parts(out, v, before, bare, rests, " is in no function");
}

void words_add_given_up(struct buf *out, uint64_t names)
{
	if (names)
		buf_addf(out, " (%llu name%s beyond the limit)", (unsigned long long)names, names > 1 ? "s" : "");
}

const char *words_filtered(enum filter_kind kind)
{
	return filter_is_of_tags(kind) ? "label" : "function";
}

void words_add_labels(struct buf *out, const struct profile *p)
{
	if (!p->tags || tags_count(p->tags) == 0) {
		buf_adds(out, " (no sample has labels)");
		return;
	}
	buf_adds(out, " (labels: ");
	tags_add_keys(p->tags, out);
	buf_addc(out, ')');
}

bool words_add_unknown_label(struct buf *out, const struct profile *p, const struct split *split)
{
	struct buf key;
	buf_init(&key);
	if (split->key == SPLIT_LABEL)
		tags_read_key(&key, split->label, strlen(split->label));
	bool is_known = split->key != SPLIT_LABEL || tags_have_key(p->tags, key.data, key.len);
	buf_deinit(&key);
	if (is_known)
		return false;
	buf_addf(out, "--split=label:%s: no sample has this label", split->label);
	words_add_labels(out, p);
	return true;
}

/* "user=alice" of "user=(*NAME)alice" */
static void add_tag_pattern(struct buf *out, const char *pattern, enum utf8_clean_mode mode)
{
	const char *equals = strchr(pattern, '=');
	struct buf text;
	buf_init(&text);
	if (equals && strncmp(equals + 1, MATCH_NAME, strlen(MATCH_NAME)) == 0) {
		buf_add(&text, pattern, (size_t)(equals + 1 - pattern));
		pattern = equals + 1 + strlen(MATCH_NAME);
	}
	buf_adds(&text, pattern);
	add_clean(out, buf_str(&text), mode);
	buf_deinit(&text);
}

/* The text after MATCH_NAME, as the name itself is shown. */
static void add_name(struct buf *out, const char *escaped, enum utf8_clean_mode mode)
{
	struct buf name;
	buf_init(&name);
	escape_undo(&name, escaped, strlen(escaped));
	utf8_clean(out, name.data, name.len, mode);
	buf_deinit(&name);
}

void words_add_pattern(struct buf *out, const struct filter *f, enum utf8_clean_mode mode)
{
	const char *rest = f->pattern;
	if (filter_is_of_tags(f->kind)) {
		add_tag_pattern(out, f->pattern, mode);
		return;
	}
	enum group_by by = match_subject_of(f->pattern, f->mode, &rest);
	/* A label that a key chose: "module:libc.so.6". */
	bool is_name = f->mode == MATCH_REGEX && strncmp(rest, MATCH_NAME, strlen(MATCH_NAME)) == 0;
	if (is_name && by != BY_FUNCTION)
		buf_addf(out, "%s:", group_name(by));
	if (is_name)
		add_name(out, rest + strlen(MATCH_NAME), mode);
	else
		add_clean(out, f->pattern, mode);
}

static void add_filter(struct buf *out, const struct filter *f, const char *before, enum utf8_clean_mode mode)
{
	buf_addf(out, "%s%s%s", before, filter_names[f->kind].brief, f->pattern ? " " : ""); /* RECURSION has none */
	if (f->pattern)
		words_add_pattern(out, f, mode);
	words_add_given_up(out, f->given_up);
}

#define LEAST_FILTERS 3u /* always named, even without room */

void words_add_filters(struct buf *out, const struct view *v, const char *before, enum utf8_clean_mode mode,
                       size_t room)
{
	const struct recipe *r = &v->recipe;
	add_excluded(out, v, before);
	add_shortened(out, v, before);
	add_bare(out, v, before);
	for (size_t i = 0; i < r->n_filters; i++) {
		size_t len = out->len, left = r->n_filters - i;
		add_filter(out, &r->filters[i], before, mode);
		if (i < LEAST_FILTERS || out->len <= room)
			continue;
		out->len = len;
		buf_addf(out, "%s+%zu filter%s", before, left, left > 1 ? "s" : "");
		return;
	}
}

void words_add_baseless(struct buf *out, const struct view *v, const char *before)
{
	if (v->recipe.chart && v->profile->log[1].n > 0)
		buf_addf(out, "%swithout the baseline", before);
}

static bool has_other_events(const struct view *v)
{
	struct buf names;
	buf_init(&names);
	size_t n =
		v->recipe.series < 0 ? 0 : profile_add_other_series(v->profile, (uint32_t)v->recipe.series, 0, &names);
	buf_deinit(&names);
	return n > 0;
}

static void add_left_out(struct buf *out, const struct view *v, enum utf8_clean_mode mode, bool with_event)
{
	static const char between[] = "; ";
	struct buf parts;
	buf_init(&parts);
	if (with_event && profile_has_events(v->profile) && *view_event(v)) {
		buf_addf(&parts, "%sevent ", between);
		add_clean(&parts, view_event(v), mode);
	} else if (with_event && (has_other_events(v) || has_other_base_event(v))) {
		buf_addf(&parts, "%s%s", between, profile_event_name(v->profile, (size_t)v->recipe.series));
	}
	words_add_base_event(&parts, v, between, mode);
	if (view_has_mixed_units(v))
		buf_addf(&parts, "%smixed units: %s", between,
		         v->shown.view == SHOWN_LINES ? "choose one event" : "compare frames of one event only");
	words_add_missing(&parts, v, between);
	words_add_baseless(&parts, v, between);
	words_add_task(&parts, v, between, mode);
	words_add_times(&parts, v, between);
	words_add_filters(&parts, v, between, mode, SIZE_MAX);
	if (parts.len)
		buf_adds(out, buf_str(&parts) + strlen(between));
	buf_deinit(&parts);
}

void words_add_left_out(struct buf *out, const struct view *v, enum utf8_clean_mode mode)
{
	add_left_out(out, v, mode, true);
}

void words_add_left_out_of_event(struct buf *out, const struct view *v, enum utf8_clean_mode mode)
{
	add_left_out(out, v, mode, false);
}

/* In units of `scale` bytes: two digits or more, and what is more than nothing is never shown as that. */
static void add_amount(struct buf *out, uint64_t bytes, uint64_t scale)
{
	double v = (double)bytes / (double)scale;
	buf_addf(out, "%.*f", scale == 1 || v >= 10 ? 0 : v >= 0.1 || bytes == 0 ? 1 : v >= 0.01 ? 2 : 4, v);
}

bool words_are_cut_off(const struct view *v)
{
	return v->profile->lacks[0].is_cut_off || (view_is_diff(v) && v->profile->lacks[1].is_cut_off);
}

void words_add_so_far(struct buf *out, const struct view *v)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
	const struct profile_so_far *s = &v->profile->so_far;
	bool has_all = s->all > 0 && s->all >= s->bytes;
	uint64_t scale = 1, largest = has_all ? s->all : s->bytes;
	size_t unit = 0;
	if (!s->is_part) {
		buf_adds(out, words_are_cut_off(v) ? FOLDED_CUT_OFF : "");
		return;
	}
	for (; largest / scale >= 1000 && unit + 1 < sizeof units / sizeof *units; unit++)
		scale *= 1000;
	add_amount(out, s->bytes, scale);
	if (has_all) {
		buf_adds(out, " of ");
		add_amount(out, s->all, scale);
	}
	buf_addf(out, " %s " FOLDED_SO_FAR, units[unit]);
}

#define MOST_OTHERS 12u /* names of other events */

void words_add_events(struct buf *out, const struct view *v)
{
	const struct profile *p = v->profile;
	int32_t shown = v->recipe.series;
	struct buf names;
	if (shown < 0)
		return;
	buf_init(&names);
	size_t others = profile_add_other_series(p, (uint32_t)shown, MOST_OTHERS, &names);
	bool has_name = others && p->series[shown].name;
	const char *quote = has_name ? "'" : "";
	if (others)
		buf_addf(out, "%s%s%s %s shown; %zu other event%s: %s", quote, profile_event_name(p, (size_t)shown), quote,
		         has_name ? "is" : "are", others, others == 1 ? "" : "s", buf_str(&names));
	buf_deinit(&names);
}

const char *words_of_zoom(const struct view *v)
{
	return v->zoom != NODE_ALL ? " of zoom" : v->recipe.cut_to ? " of visible time" : "";
}

const char *words_of_colors(bool is_negated)
{
	return is_negated ? "blue grew, red shrank" : "red grew, blue shrank";
}

const char *words_of_whole(const struct view *v)
{
	return v->tree.excluded[0] ? " of shown" : WORDS_OF_ALL;
}

void words_add_zoom(struct buf *out, const struct view *v, uint64_t all, enum utf8_clean_mode mode)
{
	struct buf path;
	if (v->zoom == NODE_ALL)
		return;
	buf_init(&path);
	view_add_path(v, v->zoom, &path);
	buf_adds(out, "zoom: ");
	add_clean(out, buf_str(&path), mode);
	buf_adds(out, "  ");
	number_add_percent(out, tree_total(&v->tree, v->zoom), all, 1);
	buf_addf(out, "%%%s", words_of_whole(v));
	buf_deinit(&path);
}

void words_add_span(struct buf *out, const struct view *v, bool names_whole)
{
	if (!v->tree.until || !v->span.to)
		return;
	struct span s = view_span(v), whole = view_whole_span(v);
	words_add_range(out, s.from, s.to);
	if (!names_whole)
		return;
	buf_adds(out, " of ");
	number_add_time(out, whole.to - whole.from, 9);
}

void words_add_lane(struct buf *out, const struct view *v, uint32_t lane, enum utf8_clean_mode mode)
{
	const struct tree *t = &v->tree;
	const struct task *task = &v->profile->tasks[t->lanes[lane].task];
	size_t before = out->len;
	if (t->lanes[lane].task == 0)
		buf_adds(out, t->n_lanes > 1 ? "no thread" : "all samples");
	else
		add_clean(out, v->profile->symtab.symbols[task->comm].name, mode);
	const char *blanks = out->len > before ? "  " : "";
	if (task->tid >= 0)
		buf_addf(out, "%sthread %lld", blanks, (long long)task->tid);
	else if (task->pid >= 0)
		buf_addf(out, "%sprocess %lld", blanks, (long long)task->pid);
}

/* ---- changes ------------------------------------------------------------------------------------------------- */

static void add_weight(struct buf *out, const struct view *v, uint64_t weight, double factor)
{
	view_add_weight(v, out, weight_times(weight, factor));
}

bool words_has_gain(const struct diff_change *c, int places)
{
	return c->quantity == DIFF_OF_SHARES ? fabs(c->delta) >= 0.5 * pow(10, -places) : diff_weight(c) > 0;
}

void words_add_gain(struct buf *out, const struct view *v, const struct diff_change *c, double factor, int places)
{
	if (c->quantity == DIFF_OF_SHARES) {
		buf_addf(out, "%+.*f", places, number_percent(c->delta, (unsigned)places));
		return;
	}
	buf_addc(out, c->weight_after < c->weight_before ? '-' : '+');
	add_weight(out, v, diff_weight(c), factor);
}

void words_add_side(struct buf *out, const struct view *v, const struct diff_change *c, bool is_after,
                    double factor, int places)
{
	if (c->quantity == DIFF_OF_SHARES)
		buf_addf(out, "%.*f%%", places, number_percent(is_after ? c->after : c->before, (unsigned)places));
	else
		add_weight(out, v, is_after ? c->weight_after : c->weight_before, factor);
}

void words_add_error(struct buf *out, const struct view *v, const struct diff_change *c, double sigmas,
                     double factor, int places)
{
	if (c->quantity == DIFF_OF_SHARES)
		buf_addf(out, "%.*f", places, sigmas * c->error);
	else
		add_weight(out, v, weight_from(round(sigmas * c->error)), factor);
}

bool words_add_uneven(struct buf *out, const struct view *v)
{
	struct sides sides = sides_of(v->profile, &v->recipe);
	return sides_add_words(out, &sides);
}

/* ---- sums ---------------------------------------------------------------------------------------------------- */

static void add_sum(struct buf *out, const struct view *v, uint64_t weight, double factor)
{
	view_add_full_weight(v, out, weight_times(weight, factor));
	buf_addc(out, ' ');
	number_add_percent(out, weight, view_total(v), 1);
	buf_addc(out, '%');
}

void words_add_sums(struct buf *out, const struct view *v, const struct name_sum *s, double factor)
{
	buf_adds(out, "self ");
	add_sum(out, v, s->self, factor);
	buf_adds(out, ", total ");
	add_sum(out, v, s->total, factor);
}
