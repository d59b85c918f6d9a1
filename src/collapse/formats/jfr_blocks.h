/*
 * jfr_blocks.h - memory that a recording says was allocated, and never freed.
 */
#ifndef COLLAPSE_FORMATS_JFR_BLOCKS_H
#define COLLAPSE_FORMATS_JFR_BLOCKS_H

#include "base/idmap.h"
#include "model/samples.h"

struct jfr_block {
	uint64_t address;
	uint32_t path; /* of the call that allocated it */
	bool is_freed;
	struct sample sample; /* its weight is the size */
	size_t order;         /* private */
};

/* Zeroed is empty. */
struct jfr_blocks {
	bool has_frees;
	/* private */
	struct idmap addresses; /* index in v */
	struct jfr_block *v;    /* the last block at each address */
	size_t n, cap;
	struct jfr_block *calls; /* of the chunk being read; is_freed: a call that frees */
	size_t n_calls, cap_calls;
};

void jfr_blocks_deinit(struct jfr_blocks *);
/* Takes a call that allocates or frees. Within a chunk, calls come in any order. */
void jfr_blocks_add(struct jfr_blocks *, const struct jfr_block *);
/* The calls so far came before all that follow. */
void jfr_blocks_settle(struct jfr_blocks *);
/* The next block that was not freed; NULL: there is none. *at starts with 0. */
const struct jfr_block *jfr_blocks_next(const struct jfr_blocks *, size_t *at);

#endif
