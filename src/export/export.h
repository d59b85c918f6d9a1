/*
 * export.h - a view on its way into a file.
 *
 * One kind, one file, one `const struct export_kind` at its end, one row in export.c. Exports take the view as it
 * is: its tree, zoom, filters, order, search and colours.
 */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/output.h"
#include "export/kinds.h"
#include "model/palette.h"
#include "model/view.h"

enum color_depth { DEPTH_MONO, DEPTH_16, DEPTH_256, DEPTH_TRUE };

/* What scaling the baseline of folded stacks took from it; zeroed where none was scaled. */
struct export_loss {
	uint64_t wanted, written; /* what its counts were to add up to, and do */
	uint64_t stacks;          /* that became 0 */
};

/* The output options of the command line. Strings belong to the caller; NULL is the default. */
struct export_options {
	unsigned width;         /* 0: default (text: terminal or 80 columns; svg: fluid, drawn at 1200) */
	unsigned height;        /* svg: of a frame, pixels; 0: 16 */
	unsigned top;           /* rows of the table; 0: default */
	double factor;          /* shown counts are multiplied; 0: 1 */
	enum color_depth depth; /* text: ANSI colours */
	bool is_terminal;       /* the output goes to one: no byte of a name may mean anything there */
	bool ascii;
	enum palette palette;
	bool has_palette; /* given by the user */
	/*
	 * folded: would text with this beginning be read as folded stacks? Else it says so in a first line. NULL:
	 * nobody knows. (It is asked of the formats, of which exports know nothing.)
	 */
	bool (*reads_as_folded)(const char *text, size_t len, bool is_all);
	/* svg */
	const char *title, *subtitle, *notes, *count_name, *name_type, *font_type, *encoding;
	const char *bg_colors, *ui_color, *search_color, *stroke_color; /* checked by the option parser */
	const char *name_attr;                                          /* file */
	const char *palette_map;                                        /* file; NULL: no consistent palette */
	double font_size, font_width;                                   /* 0: 12, 0.59 */
	double min_width;                                               /* percent, negative: default 0.01; */
	double min_width_px;                                            /* --minwidth=Npx; 0: not given */
	enum color_source source;
	bool is_random; /* --random: unseeded */
	bool color_diffusion, negate;
	bool truncate_text_right, pretty_xml, no_javascript, no_sort;
	uint64_t total;           /* --total; 0: none */
	uint32_t *frames;         /* how many were drawn goes here; NULL: nobody asks */
	struct export_loss *loss; /* the same, of folded stacks */
	double fail_above;        /* percent points; negative: no gate */
};

enum { EXPORT_IS_DRAWN, EXPORT_IS_TABLE, EXPORT_IS_STACKS };

#define EXPORT_INDEX(name, BIT, suffix, shows) EXPORT_INDEX_##BIT,
#define EXPORT_BIT(name, BIT, suffix, shows) EXPORT_##BIT = 1 << EXPORT_INDEX_##BIT,
#define EXPORT_BIT_IF(name, BIT, what, shows) | (EXPORT_IS_##shows == EXPORT_IS_##what ? EXPORT_##BIT : 0)
#define EXPORT_BIT_IF_DRAWN(name, BIT, suffix, shows) EXPORT_BIT_IF(name, BIT, DRAWN, shows)
#define EXPORT_BIT_IF_TABLE(name, BIT, suffix, shows) EXPORT_BIT_IF(name, BIT, TABLE, shows)
#define EXPORT_SUFFIX(name, BIT, suffix, shows) suffix
#define EXPORT_DECLARATION(name, BIT, suffix, shows) export_##name

/* ".svg, .folded" and so on, for messages. */
#define EXPORT_SUFFIXES EXPORT_KINDS(EXPORT_SUFFIX, ", ")

enum { EXPORT_KINDS(EXPORT_INDEX, ) N_EXPORT_KINDS };

/* A kind of file in a set of them. */
enum export_bit {
	EXPORT_NONE = 0,
	EXPORT_KINDS(EXPORT_BIT, ) EXPORT_ALL = (1 << N_EXPORT_KINDS) - 1,
	EXPORT_DRAWN = 0 EXPORT_KINDS(EXPORT_BIT_IF_DRAWN, ),
	EXPORT_TABLES = 0 EXPORT_KINDS(EXPORT_BIT_IF_TABLE, ),
};
/* Says on standard error what was lost, if anything was: "they add up to 76, not to 80". */
void export_say_loss(const struct export_loss *, unsigned decimals);

struct export_kind {
	const char *name; /* --to=NAME */
	enum export_bit bit;
	const char *help;
	bool (*write)(const struct view *, const struct export_options *, struct output *, struct err *);
};

/* From so many frames on a browser needs some ten seconds for the SVG. */
#define SVG_MANY_FRAMES 50000u

/* Is it an encoding that --encoding may declare: one that extends ASCII, by a name that browsers know? */
bool svg_knows_encoding(const char *name);

#define COMMA ,
extern const struct export_kind EXPORT_KINDS(EXPORT_DECLARATION, COMMA);
#undef COMMA
extern const struct export_kind *const export_kinds[]; /* ends with NULL */
const struct export_kind *export_find(const char *name);
const struct export_kind *export_by_suffix(const char *path); /* NULL: no known suffix */
const char *export_suffix(const struct export_kind *);        /* ".svg" */

/* Opens path, writes, commits. On failure nothing is left behind. */
bool export_to(const char *path, const struct export_kind *, const struct view *, const struct export_options *,
               struct err *);

#endif
