/*
 * svg.h - shared by the parts of the SVG export, private to them.
 *
 *	svg.c           chooses and orders the frames, and writes each
 *	svg_frame.c     one frame: tooltip, rectangle, label, colour
 *	svg_lanes.c     the frames of a chart with a time axis, its titles and its ruler
 *	svg_sandwich.c  a function with its callers and callees: two halves
 *	svg_document.c  everything around the frames: header, style, script, headings
 *	svg_text.c      numbers and text as XML
 *	svg_attr.c      --nameattr: attributes for functions
 *	svg_map.c       --cp: the palette file
 *	svg_lines.c     --hot-lines: the hottest lines of a function
 */
#ifndef EXPORT_SVG_H
#define EXPORT_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/output.h"
#include "export.h"
#include "model/diff.h"
#include "model/halves.h"
#include "model/palette.h"
#include "model/symtab.h"
#include "model/view.h"

#define SVG_XPAD 10u /* pixels left and right of the frames */

/* One frame to draw. */
struct svg_frame {
	uint32_t node;
	uint32_t depth; /* row: 0 is "all", or the function in the middle of a sandwich */
	enum sandwich_half half;
};

/* Where a frame is drawn: x and width in the units of svg.total, y in pixels. */
struct svg_place {
	uint64_t x, width;
	double y;
	const char *state; /* a class, or "" */
};

/* A lane of a chart with a time axis: its title's row from the root's edge, and its frames in svg.frames. */
struct svg_lane {
	uint32_t row, depth; /* depth: of the frames drawn, 0: none */
	size_t first;        /* up to the next lane's first */
	bool is_folded;
};

/* Cached facts about a symbol; zeroed: none yet. */
struct svg_name {
	const char *escaped; /* cleaned, without annotation, as XML; NULL: not made */
	uint32_t escaped_len;
	uint32_t attrs;    /* 1 + index of its attributes, 0: none */
	const char *lines; /* --hot-lines: its hottest lines as XML; NULL: not made */
	struct rgb fill;
	bool has_fill;
};

/* --nameattr: one attribute of a function. */
struct svg_attr {
	uint32_t key; /* symbol in svg_attrs.keys */
	char *value;  /* owned, as in the file */
};

struct svg_attr_set {
	struct svg_attr *list;
	size_t n, cap;
	char *title; /* owned; NULL: the usual title */
	bool is_link;
};

struct svg_attrs {
	struct symtab functions; /* symbol i has sets[i] */
	struct symtab keys;
	struct svg_attr_set *sets;
	size_t n_sets, cap_sets;
};

/* --cp: colours kept between drawings. */
struct svg_map {
	struct symtab names; /* symbol i has colors[i] if is_set[i] */
	struct rgb *colors;
	bool *is_set;
	size_t cap_colors, cap_set, n;
	struct buf kept; /* lines of the file that are not colours */
};

/* State of one export. */
struct svg {
	const struct view *view;
	const struct tree *tree; /* the view's, or a half of a sandwich */
	const struct export_options *options;
	struct output *out;
	struct buf buf;      /* text to be written */
	struct report notes; /* bad lines in the files of --nameattr and --cp */
	bool is_ascii;       /* --encoding other than UTF-8: non-ASCII characters become references */
	/* geometry, in pixels */
	double font, font_width, row, width, height, top, bottom;

	struct svg_frame *frames; /* in drawing order */
	size_t n_frames, cap_frames;
	uint32_t drawn;          /* number of frames at or below the zoom */
	uint32_t depth;          /* of the deepest frame drawn */
	struct tree_light light; /* too narrow to draw */
	double min_percent;      /* share of `whole`, with lanes of the time, below which a frame is too narrow */

	bool has_lanes;
	struct svg_lane *lanes; /* n_lanes of the tree, and one more that ends them */
	struct span span;       /* with lanes: the visible time */
	bool is_sandwich;
	struct halves halves;   /* of a sandwich */
	struct name_sum middle; /* of its function */
	uint32_t rows_above;    /* the callers' */

	uint32_t zoom;
	uint64_t start; /* position of the zoomed frame */
	uint64_t total; /* across the full width: weight, with lanes ns */
	uint64_t whole; /* weight that is 100 % */
	uint64_t all;   /* weight of the profile, without --total */
	double factor;
	unsigned decimals;   /* weights are value * 10^decimals */
	unsigned x_decimals; /* the same for positions: none with lanes */
	bool is_inverted;    /* icicle: root at the top */
	bool is_diff;
	bool is_classic; /* compares two columns as other programs do: weights, without naming that */
	bool is_time;    /* weights are displayed as times, "13 ms", not in their unit */
	struct diff_basis basis;
	double most; /* the greatest change: the scale of colours */
	struct color_rng rng;

	struct display display;
	struct buf unit;        /* escaped */
	struct svg_name *names; /* by symbol */
	struct arena texts;
	struct buf scratch;
	struct svg_attrs attrs;
	struct svg_map map;
	struct line_reader *lines; /* NULL: without --hot-lines */
	bool has_hot_lines;        /* those of a function were known */
	const char *why_no_lines;  /* of the first one without; NULL: no reason is known */
};

/* ---- svg.c ---- */
/* Collects the frames of svg->tree to draw: those with at least this weight. */
void svg_collect_frames(struct svg *, enum sandwich_half, uint64_t least);
uint64_t svg_seed(bool is_random); /* of the generator of colours */

/* ---- svg_sandwich.c ---- */
bool svg_sandwich_begin(struct svg *); /* false: cancelled */ /* makes the halves, and sets the weights */
void svg_sandwich_collect(struct svg *, uint64_t least);
double svg_sandwich_middle(const struct svg *); /* y of the function's row */
/* Appends "Matched: callers 40.0%, callees 12.5%". */
void svg_sandwich_add_matched(const struct svg *, struct buf *);
/* Appends "; self 15, 20.49%" for the tooltip of the function. */
void svg_sandwich_add_self(struct svg *);
/* "Callers and callees of malloc"; the name may be cut. */
void svg_sandwich_add_title(struct svg *, struct buf *);

/* ---- svg_gone.c ---- */
/* Adds the variable `gone` of the script, if a comparison has frames without a width. */
void svg_add_gone(struct svg *);

/* ---- svg_text.c ---- */
/* Foreign text, cleaned and escaped: safe as content, in attributes and (except "--") in comments. */
void svg_add_text(struct buf *, const char *s, size_t n);
/* Clean text, escaped. */
void svg_add_escaped(struct buf *, const char *s, size_t n);
/* For a comment: as svg_add_text(), and without two hyphens in a row. */
void svg_add_comment(struct buf *, const char *s);
/* A string literal of the script with its quotes: ASCII, unable to end the string, the line or the section. */
void svg_add_js_string(struct buf *, const char *s);
/*
 * Fast writers for the numbers of each frame: they write at p, which has SVG_NUMBER free bytes for each, and return
 * the end. Integers, "%.*f" with 0, 2, 4 or 6 places, and colours as "rgb(1,2,3)".
 */
#define SVG_NUMBER 64u
char *svg_put_uint(char *p, uint64_t v);
char *svg_put_fixed(char *p, double v, unsigned places);
char *svg_put_rgb(char *p, struct rgb);
/* The same, appended to a buffer. */
void svg_add_fixed(struct buf *, double v, unsigned places);
/* The same without trailing zeros. */
void svg_add_decimal(struct buf *, double v, unsigned places);
/* For pixels: at most two places, without trailing zeros. */
void svg_add_pixels(struct buf *, double v);
void svg_add_rgb(struct buf *, struct rgb);
/* "#rrggbb"; false for anything else. */
bool svg_parse_color(const char *s, struct rgb *color);
/* Replaces non-ASCII characters by character references. */
void svg_add_as_ascii(struct buf *out, const char *s, size_t n);

/* ---- svg_attr.c ---- */
bool svg_attrs_read(struct svg_attrs *, const char *path, struct report *, struct err *);
void svg_attrs_deinit(struct svg_attrs *);

/* ---- svg_map.c ---- */
/* A missing file is an empty palette; a file with lines but no colours is an error. */
bool svg_map_read(struct svg_map *, const char *path, struct report *, struct err *);
bool svg_map_write(struct svg_map *, const char *path, struct report *, struct err *);
bool svg_map_get(const struct svg_map *, const char *name, size_t len, struct rgb *color);
void svg_map_set(struct svg_map *, const char *name, size_t len, struct rgb color);
void svg_map_deinit(struct svg_map *);

/* ---- svg_lines.c ---- */
bool svg_lines_begin(struct svg *, struct err *);
/* Adds a note if the lines of no function were known. */
void svg_lines_say(struct svg *);
void svg_lines_end(struct svg *);
/* Appends the hottest lines of a function to its tooltip; nothing without --hot-lines. */
void svg_lines_add(struct svg *, uint32_t sym);

/* ---- svg_frame.c ---- */
void svg_add_frame(struct svg *, uint32_t node, const struct svg_place *);
/* The share of a weight as titles say it, in percent of what is 100 %: never above that. */
double svg_percent(const struct svg *, uint64_t weight);
/* Has the name no colour of the palette? Then it has this gray. */
bool svg_is_gray(const char *name, size_t len, struct rgb *gray);

/* ---- svg_lanes.c ---- */
/* Chooses the frames to draw: those that last this long, in ns. */
void svg_lanes_collect(struct svg *, uint64_t least);
void svg_lanes_draw(struct svg *);
void svg_lanes_add_titles(struct svg *);
void svg_lanes_add_script(struct svg *);
/* Of the visible time: what matches the search (nested matches count once), and all of it. ns of all lanes. */
void svg_lanes_match(const struct svg *, uint64_t *part, uint64_t *all);
void svg_lanes_add_time(struct svg *, uint32_t node);

/* ---- svg_document.c ---- */
bool svg_add_head(struct svg *, struct err *); /* up to the first frame */
void svg_add_tail(struct svg *);
void svg_add_empty(struct svg *);                /* the whole document for a view without samples */
void svg_new_line(struct svg *, unsigned level); /* --pretty-xml: break and indent */
void svg_flush(struct svg *);                    /* hands buf to the output */

#endif
