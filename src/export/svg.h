/*
 * svg.h - what the parts of the SVG export share. Nobody else needs it.
 *
 *	svg.c           which frames are drawn, in which order, and what each says
 *	svg_document.c  everything around the frames: header, style, script, headings
 *	svg_text.c      numbers and text as XML
 *	svg_attr.c      --nameattr: attributes for functions
 *	svg_map.c       --cp: the palette file
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
#include "model/palette.h"
#include "model/symtab.h"
#include "model/view.h"

#define SVG_XPAD 10u /* pixels left and right of the frames */

/* One frame to draw. */
struct svg_frame {
	uint32_t node;
	uint32_t depth; /* row: 0 is "all" */
};

/* What has been worked out about a symbol; zeroed is "nothing yet". */
struct svg_name {
	const char *escaped; /* cleaned, without annotation, as XML; NULL: not made */
	uint32_t escaped_len;
	uint32_t attrs; /* 1 + index of its attributes, 0: none */
	struct rgb fill;
	bool has_fill;
};

/* --nameattr: the attributes of one function. */
struct svg_attr {
	uint32_t key; /* symbol in svg_attrs.keys */
	char *value;  /* owned, as in the file */
};

struct svg_attr_set {
	struct svg_attr *list;
	size_t n, cap;
	char *title; /* owned; NULL: the usual one */
	bool is_link;
};

struct svg_attrs {
	struct symtab functions; /* symbol i has sets[i] */
	struct symtab keys;
	struct svg_attr_set *sets;
	size_t n_sets, cap_sets;
};

/* --cp: colours that stay. */
struct svg_map {
	struct symtab names; /* symbol i has colors[i] if is_set[i] */
	struct rgb *colors;
	bool *is_set;
	size_t cap_colors, cap_set, n;
	struct buf kept; /* lines of the file that are no colours */
};

/* All of one export. */
struct svg {
	const struct view *view;
	const struct tree *tree;
	const struct export_options *options;
	struct output *out;
	struct buf buf;      /* what is not written yet */
	struct report notes; /* odd lines in the files of --nameattr and --cp */
	bool is_ascii;       /* --encoding other than UTF-8: characters go out as references */
	/* geometry, in pixels */
	double font, font_width, row, width, height, top, bottom;

	struct svg_frame *frames; /* in drawing order */
	size_t n_frames, cap_frames;
	uint32_t depth;     /* of the deepest frame drawn */
	uint64_t left_out;  /* frames too narrow to be drawn */
	double min_percent; /* share of `total` below which they are */

	uint32_t zoom;
	uint64_t start; /* position of the zoomed frame */
	uint64_t total; /* weight across the full width */
	uint64_t whole; /* weight that is 100 % */
	double factor;
	unsigned decimals; /* weights are value * 10^decimals */
	bool is_diff;
	bool is_classic; /* of two columns: drawn as by other programs, which compare weights and call that nothing */
	bool is_time;    /* weights are shown as times: "13 ms", and not with the unit that they are in */
	struct diff_basis basis;
	double most; /* greatest change: the scale of colours */
	struct color_rng rng;

	struct display display;
	struct buf unit;        /* escaped */
	struct svg_name *names; /* by symbol */
	struct arena texts;
	struct buf scratch;
	struct svg_attrs attrs;
	struct svg_map map;
};

/* ---- svg_text.c ---- */
/* Text from elsewhere, cleaned and escaped: safe as content, in attributes and (but for "--") in comments. */
void svg_add_text(struct buf *, const char *s, size_t n);
/* Text that is clean already. */
void svg_add_escaped(struct buf *, const char *s, size_t n);
/* Inside a comment: as svg_add_text(), and no two hyphens meet. */
void svg_add_comment(struct buf *, const char *s);
/* A string literal of the script, quotes included: ASCII only, cannot end the string, the line or the section. */
void svg_add_js_string(struct buf *, const char *s);
/*
 * For what every frame has: written at p, where SVG_NUMBER bytes are free for each; returns the end. Integers,
 * numbers as printf's "%.*f" writes them (0, 2, 4 or 6 places), and colours as "rgb(1,2,3)".
 */
#define SVG_NUMBER 64u
char *svg_put_uint(char *p, uint64_t v);
char *svg_put_fixed(char *p, double v, unsigned places);
char *svg_put_rgb(char *p, struct rgb);
/* The same at the end of a buffer. */
void svg_add_fixed(struct buf *, double v, unsigned places);
/* The same without zeros at the end. */
void svg_add_decimal(struct buf *, double v, unsigned places);
/* At most two places, no zeros at the end: for pixels. */
void svg_add_pixels(struct buf *, double v);
void svg_add_rgb(struct buf *, struct rgb);
/* "#rrggbb"; false for anything else. */
bool svg_parse_color(const char *s, struct rgb *color);
/* Replaces what is not ASCII by character references. */
void svg_add_as_ascii(struct buf *out, const char *s, size_t n);

/* ---- svg_attr.c ---- */
bool svg_attrs_read(struct svg_attrs *, const char *path, struct report *, struct err *);
void svg_attrs_deinit(struct svg_attrs *);

/* ---- svg_map.c ---- */
/* A file that does not exist is an empty palette; one with lines of which none is a colour is an error. */
bool svg_map_read(struct svg_map *, const char *path, struct report *, struct err *);
bool svg_map_write(struct svg_map *, const char *path, struct report *, struct err *);
bool svg_map_get(const struct svg_map *, const char *name, size_t len, struct rgb *color);
void svg_map_set(struct svg_map *, const char *name, size_t len, struct rgb color);
void svg_map_deinit(struct svg_map *);

/* ---- svg_document.c ---- */
bool svg_add_head(struct svg *, struct err *); /* up to the first frame */
void svg_add_tail(struct svg *);
void svg_add_empty(struct svg *);                /* the whole document of a view without samples */
void svg_new_line(struct svg *, unsigned level); /* --pretty-xml: break and indent */
void svg_flush(struct svg *);                    /* hands what is in buf to the output */

#endif
