/*
 * jit_files.h - maps and dumps of JIT compilers, each read once for all its paths and processes.
 */
#ifndef SYMBOLS_JIT_FILES_H
#define SYMBOLS_JIT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/map.h"
#include "symbols/jit_map.h"
#include "symbols/jitdump.h"

/* What is known of a file; its contents change when it is read again. Zeroed memory has neither map nor dump. */
struct jit_file {
	dev_t device;
	ino_t inode;
	bool is_dump;
	off_t size; /* when it was read */
	time_t changed;
	size_t users;
	uint64_t memory;      /* bytes that the map or dump takes */
	struct jit_map *map;  /* NULL: none was read */
	struct jitdump *dump; /* likewise */
	char why_not[80];     /* none was read, or it was refused: the reason */
};

/* Bytes of memory that all maps and dumps may take. */
#define JIT_FILES_ALL ((uint64_t)1 << 30)

struct jit_files {
	struct jit_file **items; /* they stay, also those without users */
	size_t n, cap;
	struct map map; /* by device, inode and kind */
	uint64_t memory, most;
};

void jit_files_init(struct jit_files *, uint64_t most);
void jit_files_deinit(struct jit_files *);

/*
 * Gets the file that is open as fd, and reads it unless it has been read as it is now. `bytes` is scratch. The
 * caller is one user of it more, and ends with jit_file_leave(). NULL with err: it cannot be read.
 */
struct jit_file *jit_files_get(struct jit_files *, int fd, bool is_dump, struct buf *bytes, struct err *);
/* NULL is fine. The last user frees what was read. */
void jit_file_leave(struct jit_files *, struct jit_file *);

#endif
