/*
 * symbols.h - from an address of a recorded process to the name of its function.
 *
 *	struct symbols *s = symbols_new(&options, &report);
 *	uint32_t file = symbols_file(s, &(struct symbols_file){.name = "/usr/bin/x"}, pid);    once for each mapping
 *	symbols_find(s, &query, &symbol);                                                     for each address
 *
 * Names come from the files on this machine: ELF files and their debug files, /proc/kallsyms, the maps and dumps of
 * JIT compilers. Each file is read at the first address that falls into it, and rejected if its build id differs
 * from the recorded one. Only regular files are opened. If the machine or a file leaves addresses without names,
 * the report says so, once for each file.
 *
 * Not thread-safe. All returned texts live as long as the struct symbols.
 */
#ifndef SYMBOLS_SYMBOLS_H
#define SYMBOLS_SYMBOLS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/file_places.h"
#include "symbols/found_files.h"
#include "symbols/trust.h"

struct symbols;

/* All texts are copied. {0}: this machine, with the defaults. */
struct symbols_options {
	struct file_places places;            /* of the recorded files; {0}: under their names */
	const char *const *debug_directories; /* NULL: /usr/lib/debug; a NULL ends the list */
	const char *cache;                    /* perf's own copies by build id; NULL: $HOME/.debug; "": none */
	const char *kallsyms;                 /* the kernel's functions; NULL: choose a source */
	bool uses_servers;                    /* ask debuginfod servers for what is missing here */
	bool wants_lines;                     /* debug information is of use even where there are symbols */
	const atomic_bool *stop;              /* ends a transfer; may be NULL; must outlive the struct */
	bool is_monotonic;                    /* query times are CLOCK_MONOTONIC, as in jitdump files */
	struct found_files *found;            /* gets the files that are read; NULL: not needed; outlives the struct */
	struct trust_period period;           /* for the owners of maps of JIT compilers; {0}: unknown */
};

/* Notes go to the report (may be NULL), which must outlive the struct. Never NULL. */
struct symbols *symbols_new(const struct symbols_options *, struct report *);
void symbols_free(struct symbols *); /* NULL is fine */

/*
 * The recorded facts about the kernel. A later call replaces an earlier one; make the call before the first look-up
 * of a kernel address.
 */
struct symbols_kernel {
	const char *release;     /* uname -r; NULL: unknown, assumed to be this machine's */
	const uint8_t *build_id; /* of n_build_id bytes; 0: unknown */
	size_t n_build_id;
	const char *reference;      /* "_text" or "_stext", the symbol at the next address; NULL: unknown */
	uint64_t reference_address; /* in the recorded kernel */
};
void symbols_set_kernel(struct symbols *, const struct symbols_kernel *);

/*
 * Adds a function that the kernel generated during the recording (a BPF program, a trampoline), at
 * [start, start + size). It replaces any function there. Its module is the name, too, as in perf.
 */
void symbols_add_ksymbol(struct symbols *, uint64_t start, uint64_t size, const char *name);
/* Removes the function that starts there. */
void symbols_remove_ksymbol(struct symbols *, uint64_t start);

/* A process has mapped PATH, the dump of a JIT compiler ("/tmp/jit-123.dump"); other names are ignored. */
void symbols_add_jitdump(struct symbols *, int32_t pid, const char *path);

/* A process was forked (time as below): JIT code that its own map lacks is looked up in its parent's. */
void symbols_add_fork(struct symbols *, int32_t pid, int32_t parent, uint64_t time);

/* Another program runs in the process from then on. */
void symbols_add_exec(struct symbols *, int32_t pid, uint64_t time);

/* Has a map or dump of a JIT compiler, of the process or its ancestors, functions, as far as they were read? */
bool symbols_has_jit(struct symbols *, int32_t pid);

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
 * Returns the number of a file, for queries; opens nothing yet. pid is a process that has mapped the file: while
 * the process lives and is in another mount namespace, the file is looked up there.
 */
uint32_t symbols_file(struct symbols *, const struct symbols_file *, int32_t pid);

/*
 * Returns the file that is read for it, as symbol.path below: a path, or "[vdso]" for this machine's vDSO. NULL:
 * the file is missing or has another build id, or the mapping has no file.
 */
const char *symbols_path(struct symbols *, uint32_t file);

enum symbols_space { SYMBOLS_USER, SYMBOLS_KERNEL, SYMBOLS_HYPERVISOR, SYMBOLS_GUEST_KERNEL, SYMBOLS_GUEST_USER };

struct symbols_query {
	enum symbols_space space;
	int32_t pid;
	/* Number of the file mapped at the address; SYMBOLS_NO_FILE: unknown; optional for the kernel. */
	uint32_t file;
	uint64_t map_start, pgoff; /* of that mapping; unused for the kernel and without file */
	uint64_t address;          /* of a caller: its return address minus 1 */
	uint64_t time;             /* ns; for functions that come and go; 0: unknown */
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
	 * Number of (module, name), from 0 on without gaps, the same for each address of a function; all unknown
	 * functions of a module share one number, too.
	 */
	uint32_t number;
	enum symbol_kind kind;
	const char *name;   /* as in the file, mangled; NULL: unknown */
	const char *module; /* as perf prints it: "/usr/bin/x", "[kernel.kallsyms]", "[nf_tables]", "/tmp/perf-1.map",
	                       "[unknown]" */
	uint64_t offset;    /* of the address in the function; 0 without a name */
	/*
	 * Where to look for lines and inlined functions: path is the file that was read, and vaddr the address in it.
	 * Of JIT code, it is the compiler's dump, and the offset in it (symbols/jit_code.h).
	 * NULL: there is none. debug_path is a separate file with the debug information of path, alt_path a file with
	 * what several files share (dwz); NULL: none is known.
	 */
	const char *path, *debug_path, *alt_path;
	uint64_t vaddr;
	bool has_debug; /* path or debug_path has DWARF */
};

/* Fills all of *out; true: it has a name. A repeated query costs one hash look-up. */
bool symbols_find(struct symbols *, const struct symbols_query *, struct symbol *out);

/*
 * Finds a function of a file by its name as other programs show it, and by the lowest bits of its address, those in
 * `mask`. Sets the paths, has_debug and vaddr of *out. false: the file is missing, or has no such function.
 */
bool symbols_shown(struct symbols *, uint32_t file, const char *name, uint64_t mask, uint64_t bits,
                   struct symbol *out);

#endif
