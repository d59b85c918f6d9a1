/*
 * pprof_labels.h - the labels of pprof's samples, kept as numbers of strings until the table of strings is read.
 *
 *	message Label {key, str, num, num_unit}     str is 0: a number; num and num_unit are 0, too: nothing
 */
#ifndef COLLAPSE_FORMATS_PPROF_LABELS_H
#define COLLAPSE_FORMATS_PPROF_LABELS_H

#include "base/idmap.h"
#include "collapse/formats/pprof_wire.h"
#include "model/tags.h"

struct pprof_label {
	uint64_t key, text, number, unit; /* strings, but for `number` */
};

struct pprof_labels {
	struct symtab sets;      /* the name of a set is an array of struct pprof_label; set 0 is empty */
	struct pprof_label *now; /* of the sample being read */
	size_t n, cap;
	bool drops_all;        /* labels are checked, but not kept */
	size_t most;           /* different sets that are kept; 0: all */
	uint64_t n_more;       /* samples of further sets, which are without labels */
	uint64_t n_lost;       /* labels that name a string beyond the table */
	struct idmap long_ids; /* by number of a long name: in longs[] */
	struct symbol *longs;  /* of the tags */
	size_t n_longs, cap_longs;
	uint32_t *as; /* after pprof_labels_resolve(): the profile's number of each set */
};

void pprof_labels_init(struct pprof_labels *, const struct collapse_options *);
void pprof_labels_deinit(struct pprof_labels *);

/* Takes a label of the sample being read; false: it is damaged. */
bool pprof_labels_take(struct pprof_labels *, struct slice message);
/* The number of the sample's set of labels; the next label is one of the next sample. */
uint32_t pprof_labels_end(struct pprof_labels *);

/* The table of strings: strings[i] is a symbol of `names`. */
struct pprof_strings {
	const struct symtab *names;
	const uint32_t *strings;
	size_t n;
};
/*
 * Adds all sets to *tags, which is made if there are any; counts labels that name no string, and leaves them out.
 */
void pprof_labels_resolve(struct pprof_labels *, const struct pprof_strings *, struct tags **tags);
/* Says what is left out. */
void pprof_labels_report(const struct pprof_labels *, struct report *);
static inline uint32_t pprof_labels_number(const struct pprof_labels *l, uint32_t set)
{
	return l->as ? l->as[set] : NO_TAGS;
}

#endif
