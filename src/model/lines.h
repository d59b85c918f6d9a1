/*
 * lines.h - the weight of the lines of a function, and of its instructions.
 *
 * Samples are those of the recipe, wherever the function is: filters, threads and times apply, a zoom does not.
 * The self weight of a line is that of the samples whose last frame was there. Its total counts the samples that
 * were there or in a call from there, each once, also in a recursion. So self weights add up to that of the
 * function in the tree, and totals do not.
 */
#ifndef MODEL_LINES_H
#define MODEL_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/line_finder.h"
#include "base/progress.h"
#include "profile.h"
#include "recipe.h"

/*
 * Weights of the profile and, with [1], of its baseline; the other way round with recipe.swap_sides, as in a tree.
 */
struct line_row {
	const char *file; /* NULL: unknown. Equal names are equal pointers; they live as long as the reader */
	uint32_t line;    /* 0: samples of which the line is unknown */
	uint32_t code;    /* the code file (sites.h) that has most of its samples; NO_CODE: none */
	uint64_t address; /* of instructions */
	uint64_t self[2], total[2];
	uint64_t samples; /* of the total, in the profile */
};

/* A function called at a line, or one that calls the function. Weights count each sample once, for each side. */
struct line_call {
	uint32_t row; /* number of the line; of callers: UINT32_MAX */
	uint32_t sym; /* plain; the callee, or the caller */
	bool is_inlined;
	const char *file; /* of callers: where they call from; as in struct line_row */
	uint32_t line;
	uint64_t weight[2];
};

struct line_sums {
	struct line_row *rows; /* by file, line and address */
	size_t n;
	struct line_call *calls; /* by row, then the heaviest first */
	size_t n_calls;
	struct line_call *callers; /* the heaviest first */
	size_t n_callers;
	uint64_t self[2], total[2]; /* of the function */
	uint64_t samples;           /* of the total, in the profile */
	uint32_t code;              /* where its heaviest address is; NO_CODE: no addresses are known */
	uint64_t address;
};

/* The texts live as long as the profile. */
struct code_name code_name_of(const struct profile *, uint32_t code);

/* What the functions of one recipe have in common. */
struct line_reader;

/* NULL: cancelled, or err is set. The profile and the finder (NULL: none) must outlive the reader. */
struct line_reader *line_reader_new(struct profile *, const struct recipe *, const struct line_finder *,
                                    struct progress *, struct err *);
void line_reader_free(struct line_reader *); /* NULL: nothing */
/*
 * From now on, functions whose names differ only in the line ("compute (model.py:12)") are one. Without this they
 * are as in the tree.
 */
void line_reader_join_names(struct line_reader *);
/* The symbol that stands for such functions; others stand for themselves. */
uint32_t line_reader_function(const struct line_reader *, uint32_t sym);
/* From now on this one cancels; NULL: nothing does. */
void line_reader_follow(struct line_reader *, struct progress *);

/* Has the profile lines or addresses at all? And if not, why? */
bool lines_are_known(const struct profile *);
const char *lines_why_none(const struct profile *);
/* Appends the name of a function of which all lines are shown: without a line of its own. */
void lines_add_name(struct buf *out, const struct profile *, const char *name, size_t len);
/* A symbol that has this name there and another one elsewhere; NO_SYMBOL: none. */
uint32_t lines_find_name(const struct profile *, const char *name, size_t len);

/*
 * The lines of a function, or of a module if the recipe groups by that. false: cancelled. The caller ends it by
 * line_sums_deinit().
 */
bool line_reader_read(struct line_reader *, uint32_t sym, struct line_sums *);
/*
 * The instructions of a code file from address `from` to before `to`, whichever function they are of. Self weights
 * are those of the samples that were there. Otherwise as line_reader_read().
 */
bool line_reader_addresses(struct line_reader *, uint32_t code, uint64_t from, uint64_t to, struct line_sums *);
void line_sums_deinit(struct line_sums *);
/* What debug information tells of the source file of some code, all facts; NO_CODE: nothing. */
void line_reader_describe(const struct line_reader *, uint32_t code, const char *file, struct source_facts *);
/*
 * Gets a copy of it from a server, if the user wants that. Returns its path, which the caller frees; NULL: there is
 * none, or err says why it is not taken.
 */
char *line_reader_fetch(const struct line_reader *, uint32_t code, const char *file, struct err *err);
/* Why lines of a function's heaviest code are unknown; NULL: no reason is known. Lives as long as the finder. */
const char *line_reader_why(const struct line_reader *, const struct line_sums *);

/* Orders rows of one array: the greatest self weight first, then the greatest total. */
int line_row_compare_heat(const struct line_row *, const struct line_row *);
/* The hottest known lines, at most so many; returns how many. */
size_t line_sums_hottest(const struct line_sums *, const struct line_row **hottest, size_t most);

#endif
