/*
 * program.h - a program or library that a process has mapped, and where its symbols are in the process's memory.
 */
#ifndef LANGUAGES_PROGRAM_H
#define LANGUAGES_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define PROGRAM_SYMBOLS 8u /* that are asked for at once */

struct program {
	const char *path; /* as the process knows it */
	const char *const *names;
	uint64_t addresses[PROGRAM_SYMBOLS]; /* of the symbols in the process, by place in names; 0: it has none */
};

/* The address of a symbol; 0: the program has none of that name. */
uint64_t program_symbol(const struct program *, const char *name);

/*
 * Hands on each program and library of a process once, the main program first. `take` returns false to end it.
 * false: the process is gone, or may not be looked at.
 */
struct program_file {
	const char *path;
	uint64_t start, offset; /* of its first mapping, and of that in the file */
	bool is_main;
};
typedef bool program_take(void *arg, pid_t pid, const struct program_file *);
bool program_each(pid_t pid, program_take *take, void *arg);

/* Looks up the symbols in the file as it is in the process. false: it cannot be read, or is no such file. */
bool program_find(struct program *, pid_t pid, const struct program_file *, const char *const *names);

/* The number of a thread in the innermost namespace it is in, which its own program sees; 0: it is gone. */
pid_t program_inner_tid(pid_t pid, pid_t tid);

#endif
