/*
 * export.h - writes a view to a file.
 *
 * Each kind of file has one source file, which ends with a `const struct export_kind`, and one row in kinds.h.
 * Exports take the view as it is: its tree, zoom, filters, order, search and colours.
 */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/output.h"
#include "base/progress.h"
#include "base/source_text.h"
#include "export/kinds.h"
#include "model/lines.h"
#include "model/palette.h"
#include "model/view.h"

enum color_depth { DEPTH_MONO, DEPTH_16, DEPTH_256, DEPTH_TRUE };

/*
 * The rounding loss of scaling a baseline in folded output, or of whole numbers, or of times in place of weights,
 * or the events that a page lacks, or rows of the table that are unknown; zeroed if there is none.
 */
struct export_loss {
	uint64_t wanted, written; /* intended and actual sum of the counts */
	uint64_t stacks;          /* number of stacks that became 0, or last no time */
	bool is_of_whole;         /* the format has whole numbers only, and `written` is one */
	unsigned decimals;        /* then: those of `wanted` */
	bool is_of_ns;            /* and both are nanoseconds */
	uint64_t n, rounded;      /* and counts above 0, and those of them that are rounded */
	bool is_cut;              /* and a value was larger than it has */
	uint64_t given_up;        /* tables: names on which the table's filter exceeded its limit */
	bool is_of_times;         /* of a time axis: `written` is in ns, and `wanted` in the unit of the view */
	size_t events, all;       /* html: so many of all are not in the page */
};

/* What a file for a store of profiles says of them all. */
struct export_stamp {
	const char *type;        /* what the values count, in place of the event's name */
	uint64_t time, duration; /* ns: when the first sample was, since 1970, and the time to the last; 0: unknown */
};

/* Output options of the command line. The caller owns the strings; NULL means the default. */
struct export_options {
	unsigned width;         /* 0: default (text: terminal or 80 columns; svg: fluid, drawn at 1200) */
	unsigned height;        /* svg: of a frame, pixels; 0: 16 */
	unsigned top;           /* rows of the table; 0: default */
	uint64_t budget;        /* json: most bytes; 0: any number */
	double factor;          /* multiplies displayed counts; 0: 1 */
	enum color_depth depth; /* text: ANSI colours */
	bool is_terminal;       /* names must not contain control sequences; export_to() sets it for a terminal */
	bool is_file;           /* it has a name, and will be found again */
	bool ascii;
	enum palette palette;
	bool has_palette; /* the user chose a palette */
	/*
	 * folded: does text with this beginning read as folded stacks? If not, a first line names the format. NULL:
	 * unknown. options.c sets it, since exports do not know the input formats.
	 */
	bool (*reads_as_folded)(const char *text, size_t len, bool is_all);
	/* svg */
	const char *title, *subtitle, *notes, *count_name, *name_type, *font_type, *encoding;
	const char *bg_colors, *ui_color, *search_color, *stroke_color; /* checked by the option parser */
	const char *name_attr;                                          /* file */
	const char *palette_map;                                        /* file; NULL: no consistent palette */
	double font_size, font_width;                                   /* 0: 12, 0.61 */
	double min_width;                                               /* percent, negative: default 0.01; */
	double min_width_px;                                            /* --minwidth=Npx; 0: not given */
	enum color_source source;
	bool is_random; /* --random: unseeded */
	bool color_diffusion, negate;
	bool truncate_text_right, truncate_text_left, pretty_xml, no_javascript, no_sort;
	const char *command;      /* shows the view again; NULL or empty: unknown */
	bool is_one_event;        /* html: the user chose the event, so the page has no others */
	uint64_t total;           /* --total; 0: none */
	uint32_t *frames;         /* gets the number of frames drawn; may be NULL */
	uint64_t *part;           /* gets the weight of the visible time, if only a part is visible; may be NULL */
	struct export_loss *loss; /* may be NULL */
	/* lines; not owned, NULL: none */
	const struct line_finder *finder;
	const struct source_places *sources;
	bool with_source, has_hot_lines;
	double fail_above;                /* percent points; negative: no gate */
	const struct export_stamp *stamp; /* pprof: for a store of profiles; not owned, NULL: none */
	struct progress *progress;        /* not owned; cancels the export, NULL: nothing does */
};

/* false: the export was cancelled, and should end soon; what it writes is dropped. */
static inline bool export_goes_on(const struct export_options *o)
{
	return progress_step(o->progress, 0);
}

enum { EXPORT_IS_DRAWN, EXPORT_IS_TABLE, EXPORT_IS_LINES, EXPORT_IS_STACKS };

#define EXPORT_INDEX(name, BIT, suffix, shows) EXPORT_INDEX_##BIT,
#define EXPORT_BIT(name, BIT, suffix, shows) EXPORT_##BIT = 1 << EXPORT_INDEX_##BIT,
#define EXPORT_BIT_IF(name, BIT, what, shows) | (EXPORT_IS_##shows == EXPORT_IS_##what ? EXPORT_##BIT : 0)
#define EXPORT_BIT_IF_DRAWN(name, BIT, suffix, shows) EXPORT_BIT_IF(name, BIT, DRAWN, shows)
#define EXPORT_BIT_IF_TABLE(name, BIT, suffix, shows) EXPORT_BIT_IF(name, BIT, TABLE, shows)
#define EXPORT_BIT_IF_STACKS(name, BIT, suffix, shows) EXPORT_BIT_IF(name, BIT, STACKS, shows)
#define EXPORT_SUFFIX(name, BIT, suffix, shows) suffix
#define EXPORT_DECLARATION(name, BIT, suffix, shows) export_##name

/* ".svg, .folded" and so on, for messages. */
#define EXPORT_SUFFIXES EXPORT_KINDS(EXPORT_SUFFIX, ", ")

enum { EXPORT_KINDS(EXPORT_INDEX, ) N_EXPORT_KINDS };

/* Bits for sets of kinds. */
enum export_bit {
	EXPORT_NONE = 0,
	EXPORT_KINDS(EXPORT_BIT, ) EXPORT_ALL = (1 << N_EXPORT_KINDS) - 1,
	EXPORT_DRAWN = 0 EXPORT_KINDS(EXPORT_BIT_IF_DRAWN, ),
	EXPORT_TABLES = 0 EXPORT_KINDS(EXPORT_BIT_IF_TABLE, ),
	EXPORT_STACKS = 0 EXPORT_KINDS(EXPORT_BIT_IF_STACKS, ),
	EXPORT_PROFILES = EXPORT_STACKS & ~EXPORT_FOLDED, /* profiles in the formats of other programs */
};
/* Reports a loss on standard error, if any: "they add up to 76, not to 80". */
void export_say_loss(const struct export_loss *, const struct view *);

struct export_kind {
	const char *name; /* --to=NAME */
	enum export_bit bit;
	const char *help;
	unsigned holds; /* 1 << enum shown_view: the views that such a file can show */
	bool has_lanes; /* shows a chart with a time axis; the others show the samples one after the other */
	bool has_times; /* shows when samples were, also of a view without a time axis */
	bool is_binary; /* nothing for a terminal */
	bool (*write)(const struct view *, const struct export_options *, struct output *, struct err *);
};
/* What a file shows of graph and table side by side: the graph, but tables show the one with the keys. */
enum shown_view export_one_of_two(const struct export_kind *, enum shown_view with_keys);

#define EXPORT_HOLDS(view) (1u << SHOWN_##view)

/* Beyond this number of frames a browser needs some ten seconds to open the SVG. */
#define SVG_MANY_FRAMES 50000u

/* May --encoding declare this encoding? It must extend ASCII, under a name that browsers know. */
bool svg_knows_encoding(const char *name);

#define COMMA ,
extern const struct export_kind EXPORT_KINDS(EXPORT_DECLARATION, COMMA);
#undef COMMA
extern const struct export_kind *const export_kinds[]; /* ends with NULL */
/* name: as in --to, or the suffix of its files without the dot; NULL: unknown. */
const struct export_kind *export_find(const char *name);
const struct export_kind *export_by_suffix(const char *path); /* NULL: no known suffix */
const char *export_suffix(const struct export_kind *);        /* ".svg" */

/* Is this view the table of functions in such a file? Text and pages have it only in the view of that name. */
bool export_shows_table(const struct export_kind *, enum shown_view);
/* Does such a file show the samples of all threads of a chart one after the other, or nothing of the chart? */
bool export_joins_lanes(const struct export_kind *, enum shown_view);
/*
 * Can such a file show this view? false: err says which kinds can. Nothing has been written then, and export_to()
 * refuses it, too.
 */
bool export_holds(const struct export_kind *, const struct shown *, struct err *err);
/* false with err: the path is a terminal, which cannot show such a file. export_to() refuses it, too. */
bool export_suits(const struct export_kind *, const char *path, struct err *err);
/* Appends the suffixes of the kinds that can: ".txt, .top, .md". */
void export_add_suffixes(struct buf *out, enum shown_view);
/* Sets err: why a picture of this view, which has no weight, would be empty. Returns false. */
bool export_fail_empty(const struct view *, struct err *err);

/*
 * Opens path, writes, commits. A failure leaves no file, and an old one as it was. false without a message in err:
 * cancelled (options->progress).
 */
bool export_to(const char *path, const struct export_kind *, const struct view *, const struct export_options *,
               struct err *);
/* The same into an output that is open, which is committed or abandoned. */
bool export_into(struct output *, const struct export_kind *, const struct view *, const struct export_options *,
                 struct err *);

#endif
