/*
 * text_box.c - the boxes of a picture made of characters: what they say and how they look.
 *
 *	├main 93.1%──────┤├exit┤      lines between the ends of a frame, or with colours a bar
 */
#include "text.h"

#include "base/number.h"
#include "base/utf8.h"
#include "model/halves.h"
#include "model/label.h"
#include "model/palette.h"
#include "model/words.h"

struct display_name text_name(struct text *x, uint32_t sym)
{
	struct display_name d = *display_name((struct display *)&x->view->display, sym); /* changes only a cache */
	if (!x->options->ascii || x->view->display.mode == UTF8_CLEAN_ASCII)
		return d;
	x->scratch.len = 0;
	utf8_clean(&x->scratch, d.text, d.len, UTF8_CLEAN_ASCII);
	return (struct display_name){
		.text = buf_str(&x->scratch),
		.len = (uint32_t)x->scratch.len,
		.columns = (uint32_t)x->scratch.len,
	};
}

static struct display_name name_of(struct text *x, uint32_t node)
{
	if (node == NODE_ALL && !x->is_sandwich)
		return *view_name(x->view, node);
	return text_name(x, x->tree->sym[node]);
}

/* The change that the box of a frame shows: in the middle of a sandwich that of the function's own weight. */
static struct diff_change change_of(const struct text *x, uint32_t node)
{
	if (x->is_sandwich && node == 0)
		return diff_of(&x->basis, x->middle.self, x->middle.base_self);
	return diff_of_frame(&x->basis, x->tree, node);
}

static bool is_hit(const struct text *x, const struct box *b)
{
	const struct search *s = &x->view->search;
	if (!box_is_aggregate(b))
		return s->pattern && search_is_hit(s, x->tree, b->node);
	if (x->tree == &x->view->tree)
		return view_has_hit_within(x->view, b->first, b->final);
	return halves_have_hit(s, x->tree, x->is_lit, b->first, x->tree->end[b->final]);
}

void text_add_gain(const struct text *x, struct diff_change c, struct buf *out)
{
	if (!words_has_gain(&c, 1))
		return;
	buf_addc(out, ' ');
	words_add_gain(out, x->view, &c, x->options->factor, 1);
	buf_adds(out, c.is_noise ? "~" : "");
}

/* " 18.4%"; with a baseline " 18.4% +2.1", or "+0.1~" for possible noise: the change that the colour shows. */
static void add_share(const struct text *x, const struct box *b, struct buf *out)
{
	uint64_t value = b->x1 - b->x0, all = view_total(x->view);
	buf_addc(out, ' ');
	number_add_percent(out, value, all, value < all);
	buf_addc(out, '%');
	if (x->is_sandwich && b->node == 0) {
		buf_adds(out, " self ");
		number_add_percent(out, x->middle.self, all, 1);
		buf_addc(out, '%');
	}
	if (x->is_diff && !box_is_aggregate(b))
		text_add_gain(x, change_of(x, b->node), out);
}

/* Number of frames in an aggregate, and the widest of them. */
static uint32_t count_siblings(const struct tree *t, const struct box *b, uint32_t *widest)
{
	uint32_t n = 0, i = b->node;
	*widest = i;
	for (;; i = t->end[i]) {
		n += !tree_is_gap(t, i);
		if (!tree_is_gap(t, i) && tree_total(t, i) > tree_total(t, *widest))
			*widest = i;
		if (i == b->last)
			return n;
	}
}

/* "14 frames 2.1%: parse 0.9%", cut to the room available. */
static void label_aggregate(struct text *x, const struct box *b, const struct buf *share, size_t columns)
{
	struct buf *out = &x->label, count;
	const struct tree *t = x->tree;
	uint32_t widest;
	buf_init(&count);
	buf_addf(&count, "%u frames", count_siblings(t, b, &widest));
	struct display_name text = {buf_str(&count), (uint32_t)count.len, (uint32_t)count.len};
	bool has_share = count.len + share->len <= columns;
	label_fit(out, &text, columns, x->options->ascii);
	if (has_share)
		buf_add(out, share->data, share->len);
	size_t used = count.len + share->len;
	count.len = 0;
	buf_addc(&count, ' ');
	number_add_percent(&count, tree_total(t, widest), view_total(x->view), 1);
	buf_addc(&count, '%');
	if (has_share && used + 2 + TEXT_LEAST_NAME + count.len <= columns) {
		struct display_name name = name_of(x, widest);
		buf_adds(out, ": ");
		label_fit(out, &name, columns - used - 2 - count.len, x->options->ascii);
		buf_add(out, count.data, count.len);
	}
	buf_deinit(&count);
}

/* Name and share, else the name, else nothing. */
static void label_frame(struct text *x, const struct box *b, const struct buf *share, size_t columns)
{
	struct display_name name = name_of(x, b->node);
	size_t least = name.columns < TEXT_LEAST_NAME ? name.columns : TEXT_LEAST_NAME;
	bool has_share = least + share->len <= columns;
	label_fit(&x->label, &name, has_share ? columns - share->len : columns, x->options->ascii);
	if (has_share)
		buf_add(&x->label, share->data, share->len);
}

/* Makes the label of a box, at most `columns` wide. */
static void make_label(struct text *x, const struct box *b, size_t columns)
{
	struct buf share;
	x->label.len = 0;
	if (!columns)
		return;
	buf_init(&share);
	add_share(x, b, &share);
	if (is_hit(x, b) && x->options->depth == DEPTH_MONO) {
		buf_addc(&x->label, '*');
		columns--;
	}
	if (box_is_aggregate(b))
		label_aggregate(x, b, &share, columns);
	else
		label_frame(x, b, &share, columns);
	buf_deinit(&share);
}

static void add_times(struct buf *out, const char *s, size_t n)
{
	while (n--)
		buf_adds(out, s);
}

struct text_pen {
	const char *left, *right, *fill, *single;
};

static const struct text_pen *pen_for(bool ascii, bool is_aggregate)
{
	static const struct text_pen pens[2][2] = {
		{{"\xE2\x94\x9C", "\xE2\x94\xA4", "\xE2\x94\x80", "\xE2\x94\x82"},
	     {"\xE2\x94\x8A", "\xE2\x94\x8A", "\xE2\x94\x84", "\xE2\x94\x8A"}},
		{{"[", "]", "-", "|"}, {":", ":", ".", ":"}},
	};
	return &pens[ascii][is_aggregate];
}

static void draw_lines(struct text *x, const struct box *b)
{
	const struct text_pen *pen = pen_for(x->options->ascii, box_is_aggregate(b));
	const struct text_pen *thin = pen_for(x->options->ascii, true);
	size_t width = b->end - b->col;
	if (width < 3) {
		const char *mark = is_hit(x, b) ? "*" : width == 1 ? pen->single : NULL;
		buf_adds(&x->line, mark ? mark : pen->left);
		if (width == 2)
			buf_adds(&x->line, mark ? mark : pen->right);
		return;
	}
	make_label(x, b, width - 2);
	buf_adds(&x->line, box_hides_left(b) ? thin->single : pen->left);
	buf_add(&x->line, x->label.data, x->label.len);
	add_times(&x->line, pen->fill, width - 2 - utf8_columns(x->label.data, x->label.len));
	buf_adds(&x->line, box_hides_right(b) ? thin->single : pen->right);
}

static struct rgb color_of(const struct text *x, const struct box *b)
{
	if (is_hit(x, b))
		return (struct rgb){230, 0, 230};
	if (box_is_aggregate(b))
		return (struct rgb){178, 178, 178};
	if (x->is_diff) {
		struct diff_change c = change_of(x, b->node);
		return diff_color(&x->colors, &c);
	}
	double share = (double)(b->x1 - b->x0) / (double)view_total(x->view);
	return palette_node(x->options->palette, &x->view->profile->symtab, x->tree, b->node, share);
}

static void set_colors(struct text *x, struct rgb c)
{
	bool is_dark = 299 * c.r + 587 * c.g + 114 * c.b < 110000;
	unsigned n;
	switch (x->options->depth) {
	case DEPTH_TRUE:
		buf_addf(&x->line, "\033[38;5;%u;48;2;%u;%u;%um", is_dark ? 231 : 16, c.r, c.g, c.b);
		break;
	case DEPTH_256:
		buf_addf(&x->line, "\033[38;5;%u;48;5;%um", is_dark ? 231 : 16, palette_256(c));
		break;
	default:
		n = palette_16(c);
		buf_addf(&x->line, "\033[%u;%um", is_dark ? 97 : 30, n < 8 ? 40 + n : 100 + n - 8);
	}
}

/* Draws a bar; its first column has a thin edge, because neighbours may have the same colour. */
static void draw_bar(struct text *x, const struct box *b)
{
	size_t width = b->end - b->col;
	set_colors(x, color_of(x, b));
	if (box_is_aggregate(b) || box_hides_left(b))
		buf_adds(&x->line, pen_for(x->options->ascii, true)->single);
	else
		buf_adds(&x->line, x->options->ascii ? "|" : "\xE2\x96\x8F");
	make_label(x, b, width - 1);
	buf_add(&x->line, x->label.data, x->label.len);
	buf_pad(&x->line, ' ', width - 1 - utf8_columns(x->label.data, x->label.len));
}

void text_write_row(struct text *x, size_t row)
{
	const struct layout *l = &x->layout;
	bool is_plain = x->options->depth == DEPTH_MONO, is_colored = false;
	uint32_t col = 0;
	for (size_t i = l->row_start[row]; i < l->row_start[row + 1]; i++) {
		const struct box *b = &l->boxes[i];
		if (is_colored && b->col > col)
			buf_adds(&x->line, "\033[0m");
		buf_pad(&x->line, ' ', b->col - col);
		if (is_plain)
			draw_lines(x, b);
		else
			draw_bar(x, b);
		is_colored = !is_plain;
		col = b->end;
	}
	buf_adds(&x->line, is_colored ? "\033[0m\n" : "\n");
	text_flush(x);
}
