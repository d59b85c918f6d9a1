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
#include "base/progress.h"
#include "profile.h"
#include "recipe.h"

/*
 * Weights of the profile and, with [1], of its baseline; the other way round with recipe.swap_sides, as in a tree.
 */
struct line_row {
	const char *file; /* NULL: unknown. Equal names are equal pointers; they live as long as the reader */
	uint32_t line;    /* 0: samples of which the line is unknown */
	uint32_t code;    /* of instructions: the code file (sites.h) */
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

/*
 * Finds the line of an address in a code file, whose paths are as in struct code_file, in this order; NULL: none.
 * Returns the name of the source file with its directory, NULL: unknown, and the line, 0: unknown. level: as
 * site.line.
 */
struct line_finder {
	const char *(*find)(void *arg, const char *const paths[3], uint64_t address, uint32_t level, uint32_t *line);
	void *arg;
};

/* What the functions of one recipe have in common. */
struct line_reader;

/* NULL: cancelled, or err is set. The profile and the finder (NULL: none) must outlive the reader. */
struct line_reader *line_reader_new(struct profile *, const struct recipe *, const struct line_finder *,
                                    struct progress *, struct err *);
void line_reader_free(struct line_reader *); /* NULL: nothing */

/* Has the profile lines or addresses at all? And if not, why? */
bool lines_are_known(const struct profile *);
const char *lines_why_none(const struct profile *);

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

#endif
