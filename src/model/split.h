/*
 * split.h - the step of a fold that puts frames below all others: a file, event, process, thread or processor
 * (--split).
 */
#ifndef MODEL_SPLIT_H
#define MODEL_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "folding.h"

/* Reads one log of the profile. Begins with `folding` and `side`, all else zero. */
struct splitter {
	struct folding *folding;
	unsigned side;
	size_t n_copies; /* of paths, so far */
	/* Private: */
	struct split_copy {
		uint64_t key;  /* root << 32 | path of the profile; 0: free */
		uint32_t path; /* of the trie */
	} * copies;
	size_t n_slots;
	uint32_t *chain;
	size_t cap_chain;
	struct {
		uint64_t number;
		uint32_t sym;
		bool is_known;
	} last[6]; /* by place in the recipe: the frame of the sample before */
};

/* Adds the names of all frames that there will be to the profile's symbols. false: cancelled. */
bool split_make_names(struct folding *);
/* The path of entry i in the folding's trie, made if it is not there. */
uint32_t split_path(struct splitter *, size_t i);
void split_deinit(struct splitter *);

#endif
