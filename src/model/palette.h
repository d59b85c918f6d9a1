/*
 * palette.h - the colour of a frame: a name has the same one everywhere and in every run.
 *
 * Palettes and arithmetic of flamegraph.pl and inferno (hot, java, js, ...), plus `safe` (readable with any colour
 * vision), `module`, `share`, `kind` and `mono` for the terminal.
 */
#ifndef MODEL_PALETTE_H
#define MODEL_PALETTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "palettes.h"
#include "symtab.h"
#include "tree.h"

struct rgb {
	uint8_t r, g, b;
};

#define PALETTE_ROW(KIND, name, help, whose, page, turn) PALETTE_##KIND,
enum palette { PALETTES(PALETTE_ROW) N_PALETTES };
#undef PALETTE_ROW

/* -1: no such palette. */
int palette_by_name(const char *name);
const char *palette_name(enum palette);
const char *palette_help(enum palette); /* one line */
bool palette_has_kinds(enum palette);   /* its help names the colour of each kind of frame */
bool palette_is_for_svg(enum palette);  /* one of flamegraph.pl's / inferno's */
const char *palette_page(enum palette); /* the background of an SVG, as --bgcolors has it */
/* The one after it, for who looks at them one by one; after the last comes the first. */
enum palette palette_next(enum palette);

/* Source of v1, v2, v3. */
enum color_source {
	COLOR_RANDOM,        /* inferno's default: a generator with a fixed seed, in drawing order */
	COLOR_HASH,          /* --hash */
	COLOR_DETERMINISTIC, /* --deterministic */
};

struct color_rng {
	uint64_t state; /* 1234 at the start */
};
double color_rng_next(struct color_rng *);

/* The colour of a raw name (annotation included). rng only for COLOR_RANDOM. */
struct rgb palette_color(enum palette, enum color_source, const char *name, size_t len, struct color_rng *rng);

/* The colour of a difference: |v| <= max, max >= 1; red if positive, blue if negative, 250,250,250 at 0. */
struct rgb palette_diff(int64_t v, uint64_t max);
/*
 * The same for a terminal, where the least change must differ from none. part: share of the greatest change, in
 * [-1, 1]. Possible noise is pale. is_few: the purest of sixteen colours.
 */
struct rgb palette_change(double part, bool is_noise, bool is_few);
/* Colour diffusion: share in [0, 1]. */
struct rgb palette_diffusion(double share);

/*
 * The terminal's colour of a frame: palette_color() with COLOR_HASH for SVG palettes, the special colours for
 * others.
 */
struct rgb palette_terminal(enum palette, const struct symtab *, uint32_t sym, double share);
/* The same in a tree of these names. */
struct rgb palette_of_name(enum palette, const struct symtab *, enum group_by, uint32_t sym, double share);
/* The same for a node, whose origin the tree may know. */
struct rgb palette_node(enum palette, const struct symtab *, const struct tree *, uint32_t node, double share);

/* The nearest colour of a terminal with 256 colours (16-255, which users do not redefine) or 16. */
unsigned palette_256(struct rgb);
unsigned palette_16(struct rgb);

#endif
