/*
 * program.h - a program or library that a process has mapped, and where its symbols are in the process's memory.
 */
#ifndef LANGUAGES_PROGRAM_H
#define LANGUAGES_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

#define PROGRAM_SYMBOLS 48u /* that are asked for at once */

struct program {
	const char *path; /* as the process knows it */
	const char *const *names;
	uint64_t addresses[PROGRAM_SYMBOLS]; /* of the symbols in the process, by place in names; 0: it has none */
	struct elf_file *elf;                /* owned; NULL: not open */
	uint64_t bias;                       /* an address in the process, less that in the file */
	pid_t pid, main;                     /* main: of the main thread, as the process's own namespace numbers it */
	uint64_t stack;                      /* where that of the main thread begins; 0: unknown */
	const struct program *c_library;     /* with the symbols of languages/threads.h; NULL: to be looked up */
	const char *constants;               /* of a made-up program: a text that stands for its constant data */
};

/* The address of a symbol; 0: the program has none of that name. */
uint64_t program_symbol(const struct program *, const char *name);

/*
 * Hands on each program and library of a process once, the main program first. `take` returns false to end it.
 * false: errno says why; the process is gone, or may not be looked at.
 */
struct program_file {
	const char *path;            /* as the maps name it */
	uint64_t start, end, offset; /* of its first mapping, and of that in the file */
	uint64_t device, inode;      /* by which it is known again */
	bool is_main;
};
typedef bool program_take(void *arg, pid_t pid, const struct program_file *);
bool program_each(pid_t pid, program_take *take, void *arg);

/*
 * Opens the file as it is in the process, also if it was replaced or deleted since, and looks up the symbols that
 * it exports. Call program_close() only after true. false: it is no program; or, with err, it cannot be opened.
 */
bool program_open(struct program *, pid_t pid, const struct program_file *, const char *const *names,
                  struct err *err);
/* Looks up the others, of which a stripped program has none. Takes longer. */
void program_find_others(struct program *);
/* The text after a mark in its constant data, up to a space or the like. false: it has no such mark. */
bool program_text(const struct program *, const char *mark, char *text, size_t size);
void program_close(struct program *);

#endif
