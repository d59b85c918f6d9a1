/*
 * dump.h - the copy of the stack in a sample, shortened to what was filled.
 */
#ifndef RECORD_SAMPLER_DUMP_H
#define RECORD_SAMPLER_DUMP_H

#include <stdbool.h>

#include "record/sampler/abi.h"

/*
 * Shortens a sample of an event with these attributes in place. The kernel always takes the whole size that was
 * asked for, but the stack often ends before. Leaves a sample alone that it does not understand.
 */
void dump_shorten(struct abi_record *, const struct abi_attr *);

/* Cuts off what follows the fields of a sample. false: it ends before they do. */
bool dump_cut(struct abi_record *, const struct abi_attr *);

#endif
