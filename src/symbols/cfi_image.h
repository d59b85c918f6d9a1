/*
 * cfi_image.h - the parts of an ELF file that unwinding needs: segments, call frame information, build id, constant
 * data.
 *
 * Files may come from anywhere: pread() reads them with every offset checked, they are never mapped, and only
 * regular files are opened. 64-bit little-endian files only.
 */
#ifndef SYMBOLS_CFI_IMAGE_H
#define SYMBOLS_CFI_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "symbols/debug_cost.h"

struct cfi_segment {
	uint64_t vaddr, offset, size; /* of the part that is in the file */
	bool is_executable;
};

struct cfi_section {
	unsigned char *bytes; /* NULL: there is none */
	size_t n;
	uint64_t vaddr;
};

struct cfi_image {
	char *path;
	const unsigned char *memory; /* of the vDSO, which has no file */
	uint64_t size;
	uint16_t machine; /* ELF_MACHINE_X86_64, ... */
	struct cfi_segment *segments;
	size_t n_segments;
	struct cfi_section eh_frame, debug_frame;
	uint8_t build_id[20];
	size_t n_build_id; /* 0: there is none */
	struct debug_cost cost;
};

/*
 * false: the image is as after cfi_image_deinit(). Call frame information of a file with which that of all open
 * files would be too much (symbols/debug_cost.h) is an error, too.
 */
bool cfi_image_open(struct cfi_image *, const char *path, struct err *err);
/* Opens the running kernel's vDSO, for recordings of this machine. */
bool cfi_image_open_vdso(struct cfi_image *, struct err *err);
void cfi_image_deinit(struct cfi_image *);

/*
 * Finds the address that the file assigns to one of its bytes; if two segments share a page, the executable one
 * wins.
 */
bool cfi_image_address(const struct cfi_image *, uint64_t offset, uint64_t *vaddr);
/* Reads eight bytes of data at an address of the file. */
bool cfi_image_word(const struct cfi_image *, uint64_t vaddr, uint64_t *word);

#endif
