/*
 * sites.h - the lines and addresses at which samples were, kept beside the stacks of functions.
 *
 *	paths   main > parse            one path: the tree of frames has no lines
 *	sites   main:12 > parse:80      two stacks of lines on that path
 *	        main:12 > parse:83
 *
 * A frame for each line would cut functions into pieces, and the tree would grow several times. So lines have a
 * trie of their own. A sample has the number of a node (samples.h): its innermost site, whose parents are those of
 * the callers. Frames of which nothing is known may lack a site. Only inputs that tell executed lines or addresses
 * have sites, and only if they are wanted.
 */
#ifndef MODEL_SITES_H
#define MODEL_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

#define NO_SITE 0u /* the root of the trie: nothing is known of a sample's lines */
#define NO_CODE 0u

/*
 * A place in a function. With a code file, it is an address in that file, where `line` is the level of inlining:
 * 0 is the function that has the code, 1 a function inlined into that one, and so on. A caller's address is within
 * its call; it is not the return address.
 */
struct site {
	uint32_t sym;  /* the function, as in the path */
	uint32_t file; /* symbol of the source file; 0: unknown, or see code */
	uint32_t line; /* from 1; 0: unknown; with code: level of inlining */
	uint32_t code; /* number of a code file from 1 on; NO_CODE: file and line are known */
	uint64_t address;
};

/*
 * A program or library. Paths on this machine; symbols of the profile, 0: none. The text of perf script tells only
 * how far into a function an address is: there each function is a code file, and addresses count from its start.
 */
struct code_file {
	uint32_t path;     /* with the code; with a function, as it was recorded */
	uint32_t debug;    /* with its debug information */
	uint32_t alt;      /* with what several debug files share */
	uint32_t function; /* its name in the text */
	uint32_t page;     /* with a function: CODE_PAGE of its start, which tells those of one name apart */
};

struct sites {
	struct site *v; /* each once */
	size_t n, cap;
	struct map ids;
	struct code_file *codes; /* number i is codes[i - 1] */
	size_t n_codes, cap_codes;
	struct map code_ids;
	/* The trie. Node 0 is the root, parent[i] < i. */
	uint32_t n_nodes;
	size_t cap_nodes;
	uint32_t *parent, *site;
	struct map nodes;
	bool are_of_names; /* some lines come from names of functions (name_sites.h) */
};

struct sites *sites_new(void);
void sites_free(struct sites *);                /* NULL: nothing */
struct sites *sites_copy(const struct sites *); /* NULL: NULL */

/* Turns a stack of sites around: many inputs have the leaf first. */
void sites_reverse(struct site *, size_t n);

/* The number of a site, added if it is new. */
uint32_t sites_add(struct sites *, const struct site *);
/* The number of a code file, added if it is new. */
uint32_t sites_code(struct sites *, struct code_file);
/* The node of this site above `parent`, added if it is new. */
uint32_t sites_child(struct sites *, uint32_t parent, uint32_t site);

#endif
