/*
 * symbols.h - from an address of a recorded process to the name of its function.
 *
 *	struct symbols *s = symbols_new(&options, &report);
 *	uint32_t file = symbols_file(s, &(struct symbols_file){.name = "/usr/bin/x"}, pid);    once for each mapping
 *	symbols_find(s, &query, &symbol);                                                     for each address
 *
 * Names come from the files on this machine: ELF files and their debug files, /proc/kallsyms, the maps and dumps of
 * JIT compilers. A file is read at the first address that falls into it; a file whose build id differs from the
 * recorded one is not believed. Nothing but regular files is opened. What stays without a name because of the
 * machine or of a file goes into the report, once for each file.
 *
 * For one thread. Every text that comes out lives as long as the struct symbols.
 */
#ifndef SYMBOLS_SYMBOLS_H
#define SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct symbols;

/* All texts are copied. {0} is the machine as it is. */
struct symbols_options {
	const char *root;                     /* recorded paths are below this directory (--symfs); NULL: "/" */
	const char *const *debug_directories; /* NULL: /usr/lib/debug; a NULL ends the list */
	const char *cache;                    /* perf's own copies by build id; NULL: $HOME/.debug; "": none */
	const char *kallsyms;                 /* the kernel's functions; NULL: found out */
	bool is_monotonic;                    /* times of queries are CLOCK_MONOTONIC, as those in jitdump files */
};

/* Notes go to the report (may be NULL), which must outlive the struct. Never NULL. */
struct symbols *symbols_new(const struct symbols_options *, struct report *);
void symbols_free(struct symbols *); /* NULL is fine */

/*
 * What the recording says about its kernel. A later call replaces what an earlier one said; to be called before the
 * first address of the kernel is looked up.
 */
struct symbols_kernel {
	const char *release;     /* uname -r; NULL: unknown, taken for that of this machine */
	const uint8_t *build_id; /* of n_build_id bytes; 0: unknown */
	size_t n_build_id;
	const char *reference;      /* "_text" or "_stext": whose address follows; NULL: unknown */
	uint64_t reference_address; /* in the recorded kernel */
};
void symbols_set_kernel(struct symbols *, const struct symbols_kernel *);

/*
 * A function that the kernel made while it was recorded (a BPF program, a trampoline): [start, start + size). What
 * was there before is overwritten. The module is the name, too, as perf has it.
 */
void symbols_add_ksymbol(struct symbols *, uint64_t start, uint64_t size, const char *name);
/* What starts there is gone. */
void symbols_remove_ksymbol(struct symbols *, uint64_t start);

/* A process has mapped PATH, the dump of a JIT compiler ("/tmp/jit-123.dump"); other names are ignored. */
void symbols_add_jitdump(struct symbols *, int32_t pid, const char *path);

/* A process was forked: code of a JIT compiler that it has no map for is looked for in that of its parent. */
void symbols_add_fork(struct symbols *, int32_t pid, int32_t parent);

/* A file as it was mapped. Two with equal members are one. */
struct symbols_file {
	const char *name;        /* as recorded: "/usr/bin/x", "//anon", "[vdso]", "/x (deleted)" */
	const uint8_t *build_id; /* of n_build_id bytes; 0: unknown */
	size_t n_build_id;       /* at most 20 */
	uint32_t major, minor;   /* device and inode tell files of one name in containers apart; 0: unknown */
	uint64_t inode;
};

#define SYMBOLS_NO_FILE UINT32_MAX

/*
 * The number of a file, for queries; nothing is opened yet. pid is a process that has mapped it: while it lives and
 * is in another mount namespace, the file is looked for there.
 */
uint32_t symbols_file(struct symbols *, const struct symbols_file *, int32_t pid);

/*
 * The file that is read for it, as symbol.path below: a path, "[vdso]" for that of this machine's kernel. NULL: it
 * is not there or is another one, or there is no file.
 */
const char *symbols_path(struct symbols *, uint32_t file);

enum symbols_space { SYMBOLS_USER, SYMBOLS_KERNEL, SYMBOLS_HYPERVISOR, SYMBOLS_GUEST_KERNEL, SYMBOLS_GUEST_USER };

struct symbols_query {
	enum symbols_space space;
	int32_t pid;
	/* Number of what is mapped at the address, SYMBOLS_NO_FILE: nothing known; optional for the kernel. */
	uint32_t file;
	uint64_t map_start, pgoff; /* of that mapping; unused for the kernel and without file */
	uint64_t address;          /* of a caller: its return address minus 1 */
	uint64_t time;             /* ns; used for functions that come and go; 0: unknown */
};

enum symbol_kind {
	SYMBOL_UNKNOWN, /* no name */
	SYMBOL_FUNCTION,
	SYMBOL_PLT, /* "puts@plt" */
	SYMBOL_KERNEL,
	SYMBOL_JIT,
};

struct symbol {
	/*
	 * Number of (module, name), from 0 on without gaps, the same for each address of a function; what is unknown in
	 * a module has one number, too.
	 */
	uint32_t number;
	enum symbol_kind kind;
	const char *name;   /* as in the file, mangled; NULL: unknown */
	const char *module; /* as perf prints it: "/usr/bin/x", "[kernel.kallsyms]", "[nf_tables]", "/tmp/perf-1.map",
	                       "[unknown]" */
	uint64_t offset;    /* of the address in the function; 0 without a name */
	/*
	 * Where to look for lines and inlined functions: path is the file that was read, and vaddr the address in it.
	 * NULL: there is none. debug_path is a file of its own with the debug information of path, NULL: none is known.
	 */
	const char *path, *debug_path;
	uint64_t vaddr;
	/* For code of a JIT compiler that wrote them down; NULL and 0: unknown. */
	const char *source;
	uint32_t line;
};

/* Fills all of *out; true: it has a name. A repeated question costs one look into a hash table. */
bool symbols_find(struct symbols *, const struct symbols_query *, struct symbol *out);

#endif
