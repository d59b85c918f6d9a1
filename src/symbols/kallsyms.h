/*
 * kallsyms.h - the functions of a kernel and its modules, from text in the format of /proc/kallsyms.
 */
#ifndef SYMBOLS_KALLSYMS_H
#define SYMBOLS_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct kallsyms;

/* NULL with err: it cannot be read, has no function, or all addresses are 0 (hidden from unprivileged users). */
struct kallsyms *kallsyms_open(const char *path, struct err *err);
/* The same from text in memory, which it only reads. */
struct kallsyms *kallsyms_parse(const char *text, size_t n, struct err *err);
void kallsyms_free(struct kallsyms *); /* NULL is fine */

/* The address of a symbol of the kernel itself; false: it is not there. */
bool kallsyms_address(const struct kallsyms *, const char *name, uint64_t *address);
/*
 * For a recording of the same kernel at another place: adds `by` to the addresses of the kernel itself. Drops the
 * modules, whose places are then unknown.
 */
void kallsyms_move(struct kallsyms *, uint64_t by);

struct kallsym {
	const char *name, *module; /* module "nf_tables"; NULL: the kernel itself. Live as long as the kallsyms */
	uint64_t start;
};

/* false: no function holds the address. */
bool kallsyms_find(const struct kallsyms *, uint64_t address, struct kallsym *);

#endif
