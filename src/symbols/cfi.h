/*
 * cfi.h - call frame information of a file: where a caller's registers are at an address.
 *
 * Of .eh_frame and .debug_frame an index of all functions is made at once; the row of an address is worked out
 * when it is asked for the first time, and kept. A struct cfi belongs to a file, not to a process: a thousand
 * short processes that run the same compiler share it. Not for several threads.
 */
#ifndef SYMBOLS_CFI_H
#define SYMBOLS_CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/cfi_image.h"
#include "symbols/cfi_row.h"

struct cfi;

/* Takes the image over. */
struct cfi *cfi_new(struct cfi_image *);
void cfi_free(struct cfi *);
const struct cfi_image *cfi_image(const struct cfi *);

/* NULL: nothing covers the address, or what does makes no sense. Stays valid until cfi_free(). */
const struct cfi_row *cfi_at(struct cfi *, uint64_t vaddr);

#endif
