/*
 * svg.c - reads flame graphs back from the SVG that flamegraph.pl, inferno and flametop make, also within a page.
 *
 *	<svg ... id="frames" fg:unit="ns"><g><title>all (5 samples, 100%)</title>
 *	  <rect x="0.0000%" y="69" width="100.0000%" height="15" fg:x="0" fg:w="5"/></g>
 *	<g><title>main (5 samples, 100.00%)</title><rect x="0.0000%" y="53" ... fg:x="0" fg:w="5"/></g>
 *	<g><title>a (3 samples, 60.00%)</title><rect x="40.0000%" y="37" ... fg:x="2" fg:w="3"/></g></svg>
 *
 *	main 2
 *	main;a 3
 *
 * A frame is a rectangle in a group with a tooltip. inferno and flametop write weights as fg:x and fg:w,
 * flamegraph.pl only pixels; picture.c makes stacks of either. Names come from the tooltips: labels are cut to fit.
 *
 * The script tells what kind of picture flametop drew: `middle` is there in a sandwich, `lanes` in a chart with
 * a time axis, which are no stacks; `reversed` means that callers lie on their callees, `narrow` that narrow
 * frames are missing, `cut` that deeper rows are. flametop also writes fg:unit and fg:event, since tooltips show
 * times as people read them ("1.2 ms"), and fg:kind="j" for the annotation of a name, "read_[j]".
 */
#include "collapse/formats.h"
#include "collapse/formats/picture.h"
#include "collapse/text/markup.h"
#include "collapse/text/part.h"

#define EXPECTED "(expected a flame graph of flamegraph.pl, inferno or flametop)"
#define SCRIPT_HEAD 65536u /* bytes of a script in which its variables stand */
#define MOST_PARENS 16u    /* in the unit after a count */

struct svg {
	struct sink *sink;
	struct markup markup;
	struct picture picture;
	unsigned groups, depth; /* open g and a elements; open svg elements */
	bool has_title;         /* of the group */
	bool is_done;           /* the picture with the frames ended */
	bool is_details;        /* the line of details is open */
	bool has_root;          /* the frame of all stacks */
	bool is_ours; /* flametop wrote it: what it left out is known, and `unit` and `event` are the right ones */
	bool is_narrow, is_cut, is_padded, has_changes;
	uint64_t pixels; /* frames without fg:x */
	uint64_t others; /* frames of further pictures */
	struct buf title, name, unit, event;
	struct amount widest, count; /* of the widest frame with a count: its width, its count and the unit of that */
	struct buf shown_unit;
};

/* The geometry of a rectangle. */
struct rectangle {
	struct slice x, y, width, weight_x, weight, name, kind;
};

/* "12 samples, 3.45%" after a name. */
struct figures {
	struct amount count;
	struct slice unit;
	bool is_everything; /* 100% without decimals */
	bool has_change;
};

/* ---- tooltips ------------------------------------------------------------------------------------------------ */

/* "1,234.5" */
static bool read_amount(struct slice text, struct amount *a)
{
	char plain[64];
	size_t n = 0;
	for (size_t i = 0; i < text.n; i++) {
		if (text.s[i] == ',')
			continue;
		if (n == sizeof plain)
			return false;
		plain[n++] = text.s[i];
	}
	return number_count(plain, n, &a->whole, &a->millionths);
}

/* "60.00%", "60.00%; +1.20%", or "60.00%; before 58.80%, after 60.00%, +1.20 points" */
static bool read_share(struct slice text, struct figures *f)
{
	size_t n = 0;
	while (n < text.n && (is_digit_byte(text.s[n]) || text.s[n] == '.'))
		n++;
	if (!n || n == text.n || text.s[n] != '%' || (n + 1 < text.n && text.s[n + 1] != ';'))
		return false;
	f->is_everything = slice_is(slice_head(text, n), "100");
	f->has_change = n + 1 < text.n;
	return true;
}

/* The last comma and blank before a share: the unit may have some, and so may a comparison after the share. */
static size_t find_share(struct slice text, struct figures *f)
{
	struct slice head = text;
	for (size_t comma; (comma = slice_rfind(head, ", ")) != SIZE_MAX; head = slice_head(text, comma))
		if (read_share(slice_from(text, comma + 2), f))
			return comma;
	return SIZE_MAX;
}

/* "1,234 samples, 60.00%" */
static bool read_figures(struct slice text, struct figures *f)
{
	size_t blank = slice_find_byte(text, ' ');
	*f = (struct figures){.unit = {"", 0}};
	if (blank == SIZE_MAX)
		return false;
	bool is_tiny = slice_starts(text, "<1 ns"); /* of flametop, which writes weights as well */
	if (!is_tiny && !read_amount(slice_head(text, blank), &f->count))
		return false;
	text = slice_from(text, blank + 1);
	size_t comma = find_share(text, f);
	if (comma == SIZE_MAX)
		return false;
	f->unit = slice_head(text, comma);
	return true;
}

static bool split_title(struct slice title, struct slice *name, struct figures *f)
{
	size_t eol = slice_find_byte(title, '\n'); /* hottest lines follow */
	title = eol != SIZE_MAX && eol && title.s[eol - 1] == ')' ? slice_head(title, eol) : title;
	*name = title;
	if (!slice_ends(title, ")"))
		return false;
	struct slice rest = slice_head(title, title.n - 1), head = rest;
	for (unsigned i = 0; i < MOST_PARENS; i++) {
		size_t paren = slice_find_last(head, '(');
		if (paren == SIZE_MAX)
			return false;
		head = slice_head(head, paren);
		if (!slice_ends(head, " ") || !read_figures(slice_from(rest, paren + 1), f))
			continue;
		*name = slice_head(head, head.n - 1);
		return true;
	}
	return false;
}

static struct slice slice_of_buf(const struct buf *b)
{
	return (struct slice){b->len ? b->data : "", b->len};
}

/* ---- frames -------------------------------------------------------------------------------------------------- */

static struct rectangle rectangle_of(struct slice attributes)
{
	struct rectangle r = {.x.n = 0};
	struct slice name, value;
	while (markup_attribute(&attributes, &name, &value)) {
		if (slice_is(name, "x"))
			r.x = r.x.n ? r.x : value;
		else if (slice_is(name, "width"))
			r.width = r.width.n ? r.width : value;
		else if (slice_is(name, "y"))
			r.y = value;
		else if (slice_is(name, "fg:x"))
			r.weight_x = value;
		else if (slice_is(name, "fg:w"))
			r.weight = value;
		else if (slice_is(name, "fg:name"))
			r.name = value;
		else if (slice_is(name, "fg:kind"))
			r.kind = value;
	}
	return r;
}

/* "12.5", "12.5%" */
static bool read_place(struct svg *s, struct slice text, struct amount *a)
{
	bool is_percent = slice_ends(text, "%");
	s->picture.has_percent |= is_percent;
	return read_amount(slice_head(text, text.n - is_percent), a);
}

/* What the frame is called, and its figures; false: there are none. */
static bool name_frame(struct svg *s, const struct rectangle *r, struct slice *name, struct figures *f)
{
	struct slice title = slice_of_buf(&s->title);
	bool has_figures = split_title(title, name, f);
	if (r->name.n) {
		s->name.len = 0;
		markup_add_text(&s->name, r->name);
		*name = slice_of_buf(&s->name);
	} else if (!has_figures && r->weight.n) {
		sink_warn(s->sink, "tooltip without a count (all of it is taken as the name)", 0, title.s, title.n);
	}
	return has_figures;
}

static bool is_wider(struct amount a, struct amount b)
{
	return a.whole != b.whole ? a.whole > b.whole : a.millionths > b.millionths;
}

static void note_unit(struct svg *s, const struct figures *f, struct amount width)
{
	if (!is_wider(width, s->widest))
		return;
	s->widest = width;
	s->count = f->count;
	s->shown_unit.len = 0;
	buf_add(&s->shown_unit, f->unit.s, f->unit.n);
}

/* The name with its annotation. */
static uint32_t symbol_of(struct svg *s, const struct rectangle *r, struct slice name)
{
	struct buf whole;
	uint32_t sym;
	if (!r->kind.n)
		return sink_frame(s->sink, name.s, name.n);
	buf_init(&whole);
	buf_add(&whole, name.s, name.n);
	buf_addf(&whole, "_[%c]", *r->kind.s);
	sym = sink_frame(s->sink, whole.data, whole.len);
	buf_deinit(&whole);
	return sym;
}

static void take_frame(struct svg *s, const struct rectangle *r)
{
	struct slice name;
	struct figures f = {.unit = {"", 0}};
	struct amount x, y, width;
	bool has_weight = r->weight_x.n && r->weight.n;
	bool has_figures = name_frame(s, r, &name, &f);
	bool is_placed =
		read_amount(r->y, &y) && (has_weight ? read_amount(r->weight_x, &x) && read_amount(r->weight, &width)
	                                         : read_place(s, r->x, &x) && read_place(s, r->width, &width));
	if (!is_placed || (!has_weight && !has_figures)) {
		sink_skip(s->sink, is_placed ? "tooltip without a count" : "frame without a place", 0, name.s, name.n);
		return;
	}
	s->pixels += !has_weight;
	s->has_changes |= f.has_change;
	s->has_root |= f.is_everything && slice_is(name, "all");
	if (has_figures)
		note_unit(s, &f, width);
	struct picture_frame frame = {
		.sym = symbol_of(s, r, name),
		.is_everything = f.is_everything,
		.is_all = slice_is(name, "all"),
	};
	picture_add(&s->picture, frame, x, y, width, f.count);
}

static void take_rectangle(struct svg *s)
{
	if (!s->has_title || !s->groups)
		return;
	s->has_title = false;
	if (s->is_done) {
		s->others++;
		return;
	}
	struct rectangle r = rectangle_of(s->markup.attributes);
	take_frame(s, &r);
}

/* ---- the picture --------------------------------------------------------------------------------------------- */

/* The value of a variable at the beginning of a line: "var inverted = true;" */
static bool is_set_to(struct slice script, const char *variable, const char *value)
{
	size_t at = slice_find(script, variable);
	return at != SIZE_MAX && slice_starts(slice_from(script, at + strlen(variable)), value);
}

static bool take_script(struct svg *s, struct err *err)
{
	struct slice script = s->markup.text;
	script = slice_head(script, script.n < SCRIPT_HEAD ? script.n : SCRIPT_HEAD);
	if (s->picture.n || s->is_done)
		return true;
	if (is_set_to(script, "\nvar middle = ", ""))
		return fail(err, "a picture of one function's callers and callees, not of whole stacks " EXPECTED);
	if (is_set_to(script, "\nvar lanes = ", "{"))
		return fail(err,
		            "a chart with a time axis, whose widths are times and not weights (expected a flame graph)");
	s->picture.is_reversed |= is_set_to(script, "\nvar reversed = ", "true");
	s->is_narrow |= is_set_to(script, "\nvar narrow = ", "true");
	s->is_cut |= is_set_to(script, "\nvar cut = ", "true");
	s->is_padded |= is_set_to(script, "\nvar padded = ", "true");
	if (is_set_to(script, "var inverted = ", "true") || is_set_to(script, "var inverted = ", "1"))
		s->picture.root = ROOT_ABOVE;
	else if (is_set_to(script, "var inverted = ", "false") || is_set_to(script, "var inverted = ", "0"))
		s->picture.root = ROOT_BELOW;
	return true;
}

/* The unit and the event, of flametop. */
static void begin_svg(struct svg *s)
{
	struct slice attributes = s->markup.attributes, name, value;
	s->depth += !s->markup.is_empty;
	while (!s->is_done && markup_attribute(&attributes, &name, &value)) {
		struct buf *to = slice_is(name, "fg:unit") ? &s->unit : slice_is(name, "fg:event") ? &s->event : NULL;
		if (!to)
			continue;
		s->is_ours = true;
		to->len = 0;
		markup_add_text(to, value);
	}
}

static void end_svg(struct svg *s)
{
	s->depth -= s->depth > 0;
	s->is_done |= s->picture.n && !s->depth;
}

/* The line of details says what the picture lacks. */
static void take_text(struct svg *s)
{
	struct slice attributes = s->markup.attributes, name, value;
	if (s->markup.is_end && s->is_details && !s->is_done) {
		struct buf details;
		buf_init(&details);
		markup_add_text(&details, s->markup.text);
		part_note(s->sink, (struct slice){buf_str(&details), details.len});
		buf_deinit(&details);
	}
	s->is_details = false;
	while (!s->markup.is_end && markup_attribute(&attributes, &name, &value))
		s->is_details |= slice_is(name, "id") && slice_is(value, "details");
}

static bool take_tag(struct svg *s, struct err *err)
{
	struct markup *m = &s->markup;
	if (slice_is(m->name, "g") || slice_is(m->name, "a")) {
		s->has_title &= *m->name.s == 'a'; /* a link may be within the group, or be the group */
		s->groups += !m->is_end && !m->is_empty;
		s->groups -= m->is_end && s->groups;
	} else if (slice_is(m->name, "title") && m->is_end) {
		s->has_title = s->groups > 0;
		s->title.len = 0;
		markup_add_text(&s->title, m->text);
	} else if (slice_is(m->name, "rect") && !m->is_end) {
		take_rectangle(s);
	} else if (slice_is(m->name, "text")) {
		take_text(s);
	} else if (slice_is(m->name, "svg")) {
		m->is_end ? end_svg(s) : begin_svg(s);
	} else if (slice_is(m->name, "script") && m->is_end) {
		return take_script(s, err);
	}
	return true;
}

static bool svg_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct svg *s = state;
	if (!markup_feed(&s->markup, text, len))
		return fail(err, "a tag, or the text before it, of more than %u MiB " EXPECTED, MARKUP_TOKEN_MAX >> 20);
	while (markup_next(&s->markup))
		if (!take_tag(s, err))
			return false;
	return true;
}

static void *svg_start(struct sink *sink, struct err *err)
{
	struct svg *s = mem_zalloc(1, sizeof *s);
	(void)err;
	s->sink = s->picture.sink = sink;
	return s;
}

/* ---- the end ------------------------------------------------------------------------------------------------- */

/*
 * Tooltips name the unit of the weights, unless these are shown as people read times, or multiplied by --factor.
 * Then weight and count of a frame differ.
 */
static struct slice unit_of(const struct svg *s)
{
	struct slice unit = slice_of_buf(s->is_ours ? &s->unit : &s->shown_unit);
	bool is_shown = !s->picture.has_weights || (!is_wider(s->widest, s->count) && !is_wider(s->count, s->widest));
	if (slice_is(unit, "samples") || (!s->is_ours && !is_shown))
		unit.n = 0;
	return unit;
}

static uint32_t series_of(const struct svg *s)
{
	struct slice unit = unit_of(s), event = slice_of_buf(&s->event);
	return profile_series(s->sink->profile, event.n ? sink_sym(s->sink, event.s, event.n) : 0,
	                      unit.n ? sink_sym(s->sink, unit.s, unit.n) : 0);
}

static void say_what_is_missing(const struct svg *s)
{
	if (s->is_ours && !s->is_narrow)
		sink_info(s->sink, "read from a picture: it has no threads, times and files", 0, NULL, 0);
	else
		sink_warn(s->sink,
		          "read from a picture: frames too narrow to be drawn are missing, and count for their callers", 0,
		          NULL, 0);
	if (s->is_cut)
		sink_warn(s->sink, "read from a picture of a caller tree: deeper rows are missing", 0, NULL, 0);
	if (s->has_changes)
		sink_warn(s->sink, "read from a picture of a comparison: the baseline is not in it", 0, NULL, 0);
	if (s->others)
		report_add_times(&s->sink->profile->report, NOTE_WARN, "frames of further pictures (the first one is read)",
		                 NULL, 0, s->others);
	if (s->is_done)
		return;
	sink_lacks(s->sink)->is_cut_off = true;
	sink_warn(s->sink, "the file ends within the picture", 0, NULL, 0);
}

static bool emit(struct svg *s, struct err *err)
{
	if (!s->picture.n)
		return fail(err, "no frames with tooltips in it " EXPECTED);
	if (!s->is_done && !s->has_root)
		return fail(err, "it ends before the frame of all stacks, without which they are unknown " EXPECTED);
	if (s->pixels && s->pixels < s->picture.n)
		return fail(err, "some frames have weights (fg:w), others only pixels " EXPECTED);
	s->picture.has_weights = !s->pixels;
	s->picture.is_whole = s->is_ours && !s->is_narrow && !s->is_padded;
	say_what_is_missing(s);
	return picture_emit(&s->picture, series_of(s), err);
}

static bool svg_finish(void *state, bool ok, struct err *err)
{
	struct svg *s = state;
	ok = ok && emit(s, err);
	markup_deinit(&s->markup);
	picture_deinit(&s->picture);
	buf_deinit(&s->title);
	buf_deinit(&s->name);
	buf_deinit(&s->unit);
	buf_deinit(&s->event);
	buf_deinit(&s->shown_unit);
	free(s);
	return ok;
}

/* Comments, ids and tooltips of frames; other pictures have none of them. */
static enum sniff svg_sniff(const struct head *head, const char **why)
{
	static const char *const marks[] = {"<!--Flame graph stack visualization.",
	                                    "<!-- Flame graph stack visualization.", " id=\"frames\"",
	                                    " class=\"func_g\"", "%)</title>"};
	struct slice text = slice_ltrim((struct slice){head->text, head->len});
	*why = "not an SVG of a flame graph";
	if (!slice_starts(text, "<"))
		return SNIFF_NO;
	size_t svg = slice_find(text, "<svg");
	if (svg == SIZE_MAX)
		return SNIFF_NO;
	text = slice_from(text, svg);
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (slice_has(text, marks[i]))
			return SNIFF_YES;
	return SNIFF_NO;
}

const struct collapse_format format_svg = {
	.name = "svg",
	.help = "flame graphs as SVG, of flamegraph.pl, inferno and flametop itself",
	.sniff = svg_sniff,
	.start = svg_start,
	.feed = svg_feed,
	.finish = svg_finish,
	.is_text_stream = true,
};
