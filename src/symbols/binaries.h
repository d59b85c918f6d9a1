/*
 * binaries.h - ELF files that recorded processes had mapped, found on this machine and read once each.
 */
#ifndef SYMBOLS_BINARIES_H
#define SYMBOLS_BINARIES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "symbols/elf_symbols.h"

/* Lives as long as the struct binaries. */
struct binary {
	dev_t device; /* of the file that was read */
	ino_t inode;
	uint8_t build_id[BUILD_ID_MAX];
	size_t n_build_id;
	struct elf_symbols *symbols;
	char *path;       /* of the file that was read */
	char *debug_path; /* of a file with its debug information; NULL: none is known */
};

struct binaries {
	char *root;
	struct binary **items; /* by device and inode */
	size_t n, cap;
	uint32_t *slots;
	size_t n_slots;
};

void binaries_init(struct binaries *, const char *root);
void binaries_deinit(struct binaries *);

/* What is looked for. */
struct binary_wanted {
	const char *name;        /* path in the recorded process */
	const uint8_t *build_id; /* of n_build_id bytes; 0: unknown */
	size_t n_build_id;
	int32_t pid; /* that has it mapped */
};

/* NULL with err: it is not there, another one is, or it is no ELF file. */
const struct binary *binaries_open(struct binaries *, const struct binary_wanted *, struct err *);

#endif
