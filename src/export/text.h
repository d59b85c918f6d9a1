/*
 * text.h - shared by the parts of the export of characters, private to them.
 *
 *	text.c           headers, legends, and the flame graph
 *	text_box.c       the boxes of a picture: what they say and how they look
 *	text_sandwich.c  the sandwich of a function
 *	text_calls.c     the call tree
 *	text_lines.c     the lines of a function
 */
#ifndef EXPORT_TEXT_H
#define EXPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/output.h"
#include "base/utf8.h"
#include "export.h"
#include "model/diff.h"
#include "model/layout.h"
#include "model/tree_sums.h"
#include "model/view.h"

/* State of one export. */
struct text {
	const struct view *view;
	const struct tree *tree; /* drawn: the view's, or a half of a sandwich */
	const struct export_options *options;
	struct output *out;
	unsigned width; /* columns */
	struct layout layout;
	size_t rows;            /* printed rows of the layout */
	bool is_sandwich;       /* then the tree is one of its halves */
	struct name_sum middle; /* of the function in its middle, node 0 of the tree */
	const bool *is_lit;     /* of that half */
	struct buf line;
	struct buf label, scratch;
	bool is_diff;
	struct diff_basis basis;
	struct diff_colors colors;

	/* for the legend */
	bool has_aggregates;     /* of the printed rows */
	struct tree_light light; /* narrower than the view's smallest share */
	size_t rows_beyond;      /* number of rows that are not printed */
	bool is_long;            /* because they are too many */
	bool is_cut;             /* a half of the sandwich lacks frames, as they were too many */
};

static inline enum utf8_clean_mode text_clean_mode(const struct text *x)
{
	return x->options->ascii ? UTF8_CLEAN_ASCII : UTF8_CLEAN_UTF8;
}

/* ---- text.c ---- */
void text_flush(struct text *); /* hands the line to the output */
/* The profile's heading, and notes on what it lacks. */
void text_add_header(struct text *);
/* Lays x->tree out, below the zoom if it is the view's, and chooses the rows that are worth printing. */
void text_lay_out(struct text *);
/* Explains what does not fit, and the signs. */
void text_add_legend(struct text *);

/* ---- text_box.c ---- */
#define TEXT_LEAST_NAME 8u /* columns for a name below which its share is dropped */
void text_write_row(struct text *, size_t row);
/* Appends " +2.1", or " +0.1~" for possible noise; nothing for a change that rounds to zero. */
void text_add_gain(const struct text *, struct diff_change, struct buf *out);
/* A function's name in this export's characters, valid until the next call. */
struct display_name text_name(struct text *, uint32_t sym);

/* ---- the views ---- */
void text_write_sandwich(struct text *);
void text_write_calls(struct text *);
bool text_write_lines(struct text *, struct err *);

#endif
