/*
 * binaries.h - ELF files that recorded processes had mapped, found on this machine and read once each.
 */
#ifndef SYMBOLS_BINARIES_H
#define SYMBOLS_BINARIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/file_places.h"
#include "base/map.h"
#include "symbols/debug_file.h"
#include "symbols/elf_symbols.h"
#include "symbols/found_files.h"

struct debug_read; /* a debug file that was read */

/* Lives as long as the struct binaries. */
struct binary {
	dev_t device; /* of the file that was read */
	ino_t inode;
	uint8_t build_id[BUILD_ID_MAX];
	size_t n_build_id;
	struct elf_symbols *symbols;
	const char *left_out; /* functions that were not read, and why; NULL: none */
	char *path;           /* of the file that was read */
	char *debug_path;     /* of a file with its debug information; NULL: none is known */
	struct debug_alt alt;
	bool has_debug;          /* one of them has DWARF */
	bool is_cut;             /* the file at path ends within what was loaded of it */
	bool debug_has_build_id; /* the file at debug_path has one */
};

/* Bytes that debug files may take which are read again, since several programs have one. */
#define BINARIES_AGAIN_ALL ((uint64_t)1 << 30)

struct binaries {
	struct file_places places; /* texts are copies */
	const struct debug_paths *paths;
	struct binary *vdso; /* of this process */
	bool has_tried_vdso;
	struct binary **items; /* by device and inode */
	size_t n, cap;
	struct map map;    /* by device and inode */
	uint64_t unpacked; /* bytes to which .gnu_debugdata may still unpack */
	struct debug_read *debugs;
	size_t n_debugs, cap_debugs;
	struct map debug_map; /* by device and inode */
	uint64_t again;       /* bytes that debug files which are read again may still take */
};

/* paths must outlive the struct. */
void binaries_init(struct binaries *, const struct file_places *, const struct debug_paths *paths);
void binaries_deinit(struct binaries *);

/* The file to look for. */
struct binary_wanted {
	const char *name;        /* path in the recorded process */
	const uint8_t *build_id; /* of n_build_id bytes; 0: unknown */
	size_t n_build_id;
	int32_t pid; /* a process that has it mapped */
};

/*
 * Opens the file under its name, perf's copy with the same build id, or that of a debuginfod server. NULL with err:
 * the file is missing, has another build id, or is not an ELF file.
 */
const struct binary *binaries_open(struct binaries *, const struct binary_wanted *, struct err *);
/* Adds what was read for a file of that name, as it was recorded. */
void binary_list(const struct binary *, const struct binary_wanted *, struct found_files *);
/* Opens the file at that path on this machine. */
const struct binary *binaries_open_path(struct binaries *, const char *path, const struct binary_wanted *,
                                        struct err *);
/* Opens perf's copy only; the name does not matter. */
const struct binary *binaries_open_copy(struct binaries *, const struct binary_wanted *, struct err *);
/*
 * The kernel's code in each process: the file [vdso] below a root, perf's copy, or this process's if the build id
 * agrees or is unknown.
 */
const struct binary *binaries_open_vdso(struct binaries *, const struct binary_wanted *, struct err *);

#endif
