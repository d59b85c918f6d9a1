/*
 * split.h - the fold step that puts frames below all others: for file, event, process, thread, processor, module or
 * label (--split).
 */
#ifndef MODEL_SPLIT_H
#define MODEL_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "folding.h"

#define SPLIT_RECENT 256u

/* Reads one log of the profile. Set `folding` and `side`, zero the rest. */
struct splitter {
	struct folding *folding;
	unsigned side;
	/* Private: */
	struct split_copy {
		uint64_t key;  /* root << 32 | path of the profile */
		uint32_t path; /* of the trie */
	} * copies;
	size_t n_copies, cap_copies;
	uint64_t most;  /* paths of the trie */
	struct map map; /* of copies by key */
	uint32_t *chain;
	size_t cap_chain;
	struct split_recent {
		uint64_t number;
		uint32_t sym;
		bool is_known;
	} * recent; /* the frames of recent samples: SPLIT_RECENT by their numbers, for each split of the recipe */
};

/* Creates the names of all split frames in the profile's symbols. false: cancelled. */
bool split_make_names(struct folding *);
/* The path of entry i in the folding's trie, added if it is new. */
uint32_t split_path(struct splitter *, size_t i);
void split_init(struct splitter *, struct folding *, unsigned side);
void split_deinit(struct splitter *);

#endif
