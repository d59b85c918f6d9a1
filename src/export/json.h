/*
 * json.h - the parts of the JSON export; private to it.
 *
 *	json.c            the document, and what a budget leaves of it
 *	json_functions.c  functions, with their callers, callees, changes and lines
 *	json_paths.c      the heaviest stacks
 *	json_text.c       syntax
 */
#ifndef EXPORT_JSON_H
#define EXPORT_JSON_H

#include "base/utf8.h"
#include "export.h"
#include "model/diff.h"
#include "model/lines.h"
#include "top.h"

/* Elements of an array, the heaviest first; a budget takes them off the end. */
struct json_items {
	struct buf text;
	struct json_item {
		size_t end;      /* in the text */
		uint64_t weight; /* self of a function, or of a path */
	} * v;
	size_t n, cap;
	size_t all;      /* how many the view has */
	uint64_t weight; /* of all of them */
};

struct json {
	const struct view *view;
	const struct export_options *options;
	enum utf8_clean_mode clean;
	bool is_diff;
	struct diff_table changes;  /* with is_diff */
	uint64_t whole;             /* what shares are of */
	struct line_reader *reader; /* NULL: lines are not wanted */
	bool is_brief;              /* to fit a budget: short stacks, no callers and callees */
	bool is_filtered;           /* the functions are those of a table with a filter */
	struct top_passed passed;   /* functions that the filter lets pass; all without one */
	uint32_t *modules, *files;  /* while functions are written: their origins (name_origins.h) */
	struct json_items functions, paths;
};

/* Ends the element that was appended to items->text. */
void json_end_item(struct json_items *, uint64_t weight);

/* A weight in the profile's unit, times --factor. */
void json_add_weight(const struct json *, struct buf *out, const char *key, uint64_t weight);
/* The weight, and its share of the whole as "KEY_pct". */
void json_add_shared(const struct json *, struct buf *out, const char *key, uint64_t weight);
/* Are names that differ only in the line one function, as in the other outputs of lines? */
bool json_joins_names(const struct json *);
/* The displayed name of a function, as an element; without its line if names are joined. */
void json_add_name(const struct json *, struct buf *out, uint32_t sym);

/* The path of a file or module, of which it takes the first kilobyte. */
void json_add_path(const struct json *, struct buf *out, const char *key, const char *path);

/* Both: false: cancelled. */
bool json_make_functions(struct json *);
bool json_make_paths(struct json *);

#endif
