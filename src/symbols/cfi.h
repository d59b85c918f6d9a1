/*
 * cfi.h - the call frame information of a file: where a caller's registers are at an address.
 *
 * It indexes all functions in .eh_frame and .debug_frame at once; it computes the row of an address at the first
 * request and keeps it. A struct cfi belongs to a file, not to a process: a thousand short processes that run the
 * same compiler share it. Not thread-safe.
 */
#ifndef SYMBOLS_CFI_H
#define SYMBOLS_CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/cfi_image.h"
#include "symbols/cfi_row.h"

struct cfi;

/* Takes ownership of the image. */
struct cfi *cfi_new(struct cfi_image *);
void cfi_free(struct cfi *);
const struct cfi_image *cfi_image(const struct cfi *);

/*
 * NULL: no entry covers the address, the entry makes no sense, or the rows of the file have cost too much already.
 * The row stays valid until cfi_free().
 */
const struct cfi_row *cfi_at(struct cfi *, uint64_t vaddr);
/*
 * Bytes of the programs that cfi_at() runs, at the first request, for that address. UINT64_MAX: it does not run
 * them, as the rows of the file have cost too much already.
 */
uint64_t cfi_cost(const struct cfi *, uint64_t vaddr);

#endif
