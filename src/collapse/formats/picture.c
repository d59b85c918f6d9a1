/*
 * picture.c - turns the rectangles of a flame graph back into stacks.
 *
 *	      | c |            sorted by x, then from the root up: all, a, b, c, d
 *	| a | b   |   d |      open frames while c is read: all, b, c
 *	| all             |
 *
 * If x and width are weights, the result is exact: gaps between the frames on a frame are its own weight, in their
 * order. Pixels are rounded, but all borders at the same place are rounded alike, so that a rectangle of any width
 * still lies on one frame only; only those that were rounded to nothing may lie on the border of two. These are
 * left out, like those which the writer found too narrow to draw: their weight is that of their callers. Percents
 * are rounded twice, x and width each, so that narrow ones are left out, too.
 */
#include "collapse/formats/picture.h"

#include "base/sort.h"

#define NOT_DRAWN "[not drawn]"
#define MOST_DECIMALS 6u
#define PERCENT_DECIMALS 4u
#define LEAST_PERCENT 5u /* units of the last decimal: rounding moves borders by less than half of it */
/* Reversed stacks share no callers: together they may be much longer than the file. */
#define MOST_REVERSED ((uint64_t)1 << 28)

void picture_deinit(struct picture *p)
{
	free(p->frames);
	free(p->rows);
	idmap_deinit(&p->row_of);
}

/* ---- collecting ---------------------------------------------------------------------------------------------- */

static uint64_t power_of_ten(unsigned n)
{
	uint64_t power = 1;
	while (n--)
		power *= 10;
	return power;
}

static unsigned decimals_of(uint32_t millionths)
{
	unsigned n = MOST_DECIMALS;
	for (; n && millionths % 10 == 0; millionths /= 10)
		n--;
	return n;
}

static uint64_t scaled(struct picture *p, struct amount a, unsigned decimals)
{
	uint64_t v;
	if (__builtin_mul_overflow(a.whole, power_of_ten(decimals), &v) ||
	    __builtin_add_overflow(v, a.millionths / power_of_ten(MOST_DECIMALS - decimals), &v))
		p->is_too_large = true;
	return v;
}

static void multiply(struct picture *p, uint64_t *v, uint64_t factor)
{
	if (__builtin_mul_overflow(*v, factor, v))
		p->is_too_large = true;
}

static void raise_places(struct picture *p, unsigned decimals)
{
	if (decimals <= p->decimals)
		return;
	for (size_t i = 0; i < p->n; i++) {
		multiply(p, &p->frames[i].x, power_of_ten(decimals - p->decimals));
		multiply(p, &p->frames[i].width, power_of_ten(decimals - p->decimals));
	}
	p->decimals = decimals;
}

static void raise_counts(struct picture *p, unsigned decimals)
{
	if (decimals <= p->count_decimals)
		return;
	for (size_t i = 0; i < p->n; i++)
		multiply(p, &p->frames[i].count, power_of_ten(decimals - p->count_decimals));
	p->count_decimals = decimals;
}

static uint32_t row_of(struct picture *p, struct amount y)
{
	uint64_t key = y.whole * 1000000 + y.millionths; /* may wrap: then some other row, and nothing fits */
	uint32_t row;
	if (idmap_find(&p->row_of, key, &row))
		return row;
	idmap_add(&p->row_of, key, (uint32_t)p->n_rows);
	mem_push(p->rows, p->n_rows, p->cap_rows, ((struct picture_row){.y = key, .first = (uint32_t)p->n}));
	return (uint32_t)p->n_rows - 1;
}

void picture_add(struct picture *p, struct picture_frame frame, struct amount x, struct amount y,
                 struct amount width, struct amount count)
{
	if (p->n >= UINT32_MAX - 1) {
		p->is_too_large = true;
		return;
	}
	raise_places(p, decimals_of(x.millionths));
	raise_places(p, decimals_of(width.millionths));
	raise_places(p, p->has_percent ? PERCENT_DECIMALS : 0);
	raise_counts(p, decimals_of(count.millionths));
	frame.x = scaled(p, x, p->decimals);
	frame.width = scaled(p, width, p->decimals);
	frame.count = scaled(p, count, p->count_decimals);
	frame.row = row_of(p, y);
	p->rows[frame.row].frames++;
	mem_push(p->frames, p->n, p->cap, frame);
}

/* ---- rows ---------------------------------------------------------------------------------------------------- */

static const struct picture_frame *only_frame(const struct picture *p, uint32_t row)
{
	return p->rows[row].frames == 1 ? &p->frames[p->rows[row].first] : NULL;
}

/* The root is at one of the edges, alone in its row; of two such rows it is in that of all samples, or below. */
static bool is_root_above(const struct picture *p, uint32_t above, uint32_t below)
{
	const struct picture_frame *top = only_frame(p, above), *bottom = only_frame(p, below);
	if (p->root != ROOT_UNKNOWN)
		return p->root == ROOT_ABOVE;
	if (!top || !bottom)
		return top != NULL;
	return top->is_everything && !bottom->is_everything;
}

/* The least distance between two of the rows, which are sorted. */
static uint64_t row_height(const struct sort_item *rows, size_t n)
{
	uint64_t least = UINT64_MAX;
	for (size_t i = 1; i < n; i++)
		least = rows[i].key - rows[i - 1].key < least ? rows[i].key - rows[i - 1].key : least;
	return least;
}

/* Counts the rows from the root on; in a file that was cut off, some have no frames. */
static void set_depths(struct picture *p)
{
	struct sort_item *items = mem_zalloc(p->n_rows * 2, sizeof *items);
	for (size_t i = 0; i < p->n_rows; i++)
		items[i] = (struct sort_item){.key = p->rows[i].y, .value = (uint32_t)i};
	sort_items(items, p->n_rows, items + p->n_rows);
	const struct sort_item *above = &items[0], *below = &items[p->n_rows - 1];
	bool is_above = is_root_above(p, above->value, below->value);
	uint64_t height = row_height(items, p->n_rows);
	for (size_t i = 0; i < p->n_rows; i++) {
		uint64_t distance = is_above ? items[i].key - above->key : below->key - items[i].key;
		uint64_t depth = distance / height + (distance % height > height / 2);
		p->rows[items[i].value].depth = depth < UINT32_MAX ? (uint32_t)depth : UINT32_MAX - 1;
	}
	free(items);
}

static uint32_t depth_of(const struct picture *p, const struct picture_frame *f)
{
	return p->rows[f->row].depth;
}

/* ---- stacks -------------------------------------------------------------------------------------------------- */

struct open_frame {
	uint64_t end;
	uint64_t next;       /* where the frames on it end so far */
	uint64_t count, sum; /* its own, and that of the frames on it so far */
	uint32_t frames;     /* how many these are */
	uint32_t depth, path, sym;
};

struct walk {
	struct picture *picture;
	struct open_frame *open;
	size_t n, cap;
	bool hides_root; /* it stands for all samples, not for a function */
	uint32_t series;
	struct frames stack;
	uint64_t reversed; /* frames of all reversed stacks so far */
	struct err *err;
};

static uint32_t reversed_path(struct walk *w)
{
	w->stack.n = 0;
	for (size_t i = w->n; i-- > w->hides_root;)
		frames_push(&w->stack, w->open[i].sym);
	w->reversed += w->stack.n;
	return profile_path(w->picture->sink->profile, w->stack.syms, w->stack.n);
}

/* Adds own weight of the innermost open frame. */
static void emit(struct walk *w, uint64_t weight)
{
	const struct picture *p = w->picture;
	struct profile *profile = p->sink->profile;
	unsigned decimals = p->has_weights ? p->decimals : p->count_decimals;
	uint64_t unit = power_of_ten(decimals);
	struct sample s = {
		.weight = weight / unit,
		.millionths = (uint32_t)(weight % unit * power_of_ten(MOST_DECIMALS - decimals)),
		.time = NO_TIME,
		.cpu = NO_CPU,
		.series = w->series,
	};
	uint32_t path = w->open[w->n - 1].path;
	if (!weight)
		return;
	if (path == PATH_ROOT && !p->is_whole)
		path = profile_child(profile, path, sink_sym(p->sink, NOT_DRAWN, sizeof NOT_DRAWN - 1));
	else if (path != PATH_ROOT && p->is_reversed)
		path = reversed_path(w);
	profile_add(profile, p->sink->options->side, path, &s);
}

static void close_frame(struct walk *w)
{
	const struct open_frame *o = &w->open[w->n - 1];
	uint64_t own = o->count > o->sum ? o->count - o->sum : 0;
	emit(w, w->picture->has_weights ? o->end - o->next : own);
	w->n--;
}

static bool no_stacks(struct walk *w, const struct picture_frame *f)
{
	const struct symbol *s = &w->picture->sink->profile->symtab.symbols[f->sym];
	return fail(w->err, "the frames do not lie on each other: '%.*s' is too wide for what is below it, or overlaps",
	            (int)(s->len < 200 ? s->len : 200), s->name);
}

/* Takes the frame off the own weight of the one it lies on. Counts may have been rounded, by one each. */
static bool put_on(struct walk *w, const struct picture_frame *f)
{
	struct open_frame *below = &w->open[w->n - 1];
	if (w->picture->has_weights) {
		if (f->x < below->next || f->x + f->width > below->end)
			return no_stacks(w, f);
		emit(w, f->x - below->next);
		below->next = f->x + f->width;
		return true;
	}
	below->frames++;
	weight_add(&below->sum, f->count);
	return below->sum <= below->count || below->sum - below->count <= below->frames || no_stacks(w, f);
}

static uint32_t path_of(struct walk *w, const struct picture_frame *f)
{
	struct profile *profile = w->picture->sink->profile;
	uint32_t caller = w->n ? w->open[w->n - 1].path : PATH_ROOT;
	if (!w->n && w->hides_root)
		return PATH_ROOT;
	return w->picture->is_reversed ? NO_PATH : profile_child(profile, caller, f->sym);
}

static bool walk_frame(struct walk *w, const struct picture_frame *f)
{
	uint32_t depth = depth_of(w->picture, f);
	uint64_t at = w->picture->has_weights ? f->x : f->x + f->width / 2;
	while (w->n && (w->open[w->n - 1].depth >= depth || at >= w->open[w->n - 1].end))
		close_frame(w);
	if (depth && (!w->n || w->open[w->n - 1].depth + 1 != depth)) {
		const struct symbol *s = &w->picture->sink->profile->symtab.symbols[f->sym];
		sink_skip(w->picture->sink, "frame without the frame below it (it counts for its other callers)", 0,
		          s->name, s->len);
		return true;
	}
	if (depth && !put_on(w, f))
		return false;
	struct open_frame o = {
		.end = f->x + f->width,
		.next = f->x,
		.count = f->count,
		.depth = depth,
		.sym = f->sym,
		.path = path_of(w, f),
	};
	mem_push(w->open, w->n, w->cap, o);
	return w->reversed < MOST_REVERSED ||
	       fail(w->err, "its reversed stacks are too many and too deep to turn them around");
}

/* The frames that are wide enough, in the order of the walk; NULL: one reaches beyond 64 bits. */
static struct sort_item *sorted(const struct picture *p, size_t *n)
{
	struct sort_item *items = mem_zalloc(p->n * 2, sizeof *items);
	uint64_t least = p->has_weights || !p->has_percent ? 1 : LEAST_PERCENT, end;
	*n = 0;
	for (size_t i = 0; i < p->n; i++) {
		const struct picture_frame *f = &p->frames[i];
		if (__builtin_add_overflow(f->x, f->width, &end)) {
			free(items);
			return NULL;
		}
		if (f->width >= least)
			items[(*n)++] = (struct sort_item){.key = f->x, .tie = depth_of(p, f), .value = (uint32_t)i};
	}
	sort_items(items, *n, items + p->n);
	return items;
}

static bool has_root(const struct picture *p)
{
	for (size_t i = 0; i < p->n_rows; i++)
		if (p->rows[i].depth == 0)
			return p->rows[i].frames == 1 && p->frames[p->rows[i].first].is_all;
	return false;
}

bool picture_emit(struct picture *p, uint32_t series, struct err *err)
{
	struct walk w = {.picture = p, .series = series, .err = err};
	bool ok = true;
	size_t n = 0;
	if (!p->n)
		return true;
	set_depths(p);
	w.hides_root = has_root(p);
	struct sort_item *items = p->is_too_large ? NULL : sorted(p, &n);
	if (!items)
		return fail(err, "a frame reaches beyond 2^64");
	if (n < p->n && !p->has_weights)
		report_add_times(&p->sink->profile->report, NOTE_WARN,
		                 "frames without visible width (they count for their callers)", NULL, 0, p->n - n);
	for (size_t i = 0; i < n && ok; i++)
		ok = walk_frame(&w, &p->frames[items[i].value]);
	while (w.n && ok)
		close_frame(&w);
	free(items);
	free(w.open);
	frames_deinit(&w.stack);
	return ok;
}
