/*
 * found_files.h - lists the files that the names of a recording come from, for another machine.
 *
 * Symbols fill the list while they look up addresses, so it has exactly the files that they read. Each file has a
 * place: the path at which a later look-up with --symfs finds it, in a copy of the recorded machine's files.
 */
#ifndef SYMBOLS_FOUND_FILES_H
#define SYMBOLS_FOUND_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file_places.h"
#include "base/map.h"
#include "symbols/elf_file.h"

enum found_kind {
	FOUND_ELF,
	FOUND_MODULE,   /* of the kernel: an ELF file, maybe compressed */
	FOUND_VDSO,     /* a copy of it, or, without a path, that of this process */
	FOUND_KALLSYMS, /* names of the kernel's functions */
	FOUND_KERNEL,   /* what the running kernel says of itself: /sys/kernel/notes, /proc/modules */
	FOUND_MAP,      /* /tmp/perf-PID.map of a JIT compiler */
	FOUND_DUMP,     /* its jit-PID.dump */
	FOUND_NOT,      /* not here */
};

/* All texts belong to the list. */
struct found_file {
	enum found_kind kind;
	char *place;                    /* "/usr/bin/x" */
	char *path;                     /* on this machine; NULL: none */
	int fd;                         /* FOUND_MAP, FOUND_DUMP: the file that was read; else -1 */
	uint8_t build_id[BUILD_ID_MAX]; /* that the file must have */
	size_t n_build_id;              /* 0: any */
	char *why;                      /* FOUND_NOT: the reason */
};

struct found_files {
	struct found_file *items; /* in the order of the look-ups */
	size_t n, cap;
	struct map map; /* by place */
};

/* Why an ELF file is of no use that is another kind: a core dump holds the memory of a process. */
#define NO_PROGRAM "no program, library or object file"
/* Why none of them is listed. */
#define SEVERAL_OF_NAME "several files have its name, and not all have a build id"

void found_files_init(struct found_files *);
void found_files_deinit(struct found_files *);

/*
 * Adds a file. A second file of another build id under a name goes to the place of perf's copies, by build id.
 * Without one, that name gives no file any more: a look-up could not know which is meant. Without a build id, a
 * file whose name is not plain is not packed.
 */
void found_files_add(struct found_files *, enum found_kind, const char *place, const char *path,
                     const uint8_t *build_id, size_t n_build_id);
/*
 * Adds a FOUND_MAP or FOUND_DUMP as it was read, of which it keeps a descriptor of its own. Two files of one place,
 * as of two containers, are both left out.
 */
void found_files_add_open(struct found_files *, enum found_kind, const char *place, int fd);
/* The place is named by the build id: "/usr/lib/debug/.build-id/ab/cdef.debug". */
void found_files_add_debug(struct found_files *, const char *path, const uint8_t *build_id, size_t n_build_id);
/* Adds the file of a kernel module, from its place, or that it is missing or another one. */
void found_files_add_module(struct found_files *, const struct file_places *, const char *name,
                            const uint8_t *build_id, size_t n_build_id);
/* Adds that a file is missing, unless something has its place already. */
void found_files_miss(struct found_files *, const char *place, const char *why);

/*
 * Opens what was found, and checks once more that it is what its kind says, and of the build id. Sets a descriptor
 * of the file, which the caller closes, or -1 with its bytes in *bytes. false with err: it is not that.
 */
bool found_file_open(const struct found_file *, int *fd, struct buf *bytes, struct err *err);

#endif
