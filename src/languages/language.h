/*
 * language.h - defines a language whose functions are read from a running interpreter.
 *
 * An interpreter keeps the functions that it runs in structures of its own. Each runtime is one file, which ends
 * with a `const struct language` and has one row in languages.h: how it is recognised, how the stack of a thread is
 * read, and which native functions run those of the language.
 *
 * Nothing is executed in the target, written to it, or stopped. Who reads must see to it that the thread does not
 * run meanwhile; else a stack can mix two moments.
 */
#ifndef LANGUAGES_LANGUAGE_H
#define LANGUAGES_LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "languages/memory.h"
#include "languages/program.h"

#define LANGUAGE_FRAMES 2048u /* of a stack; deeper ones are cut at the root */
#define LANGUAGE_TEXT 4096u   /* bytes of a name */
#define NO_FUNCTION 0u

/* A function of the language. Texts are not cleaned, and end with NUL. */
struct language_function {
	const char *name, *file;
	uint32_t first_line; /* 0: unknown */
};

/*
 * Gives a function a number, which stays with it: the same for all that have the same name, file and first line.
 * NO_FUNCTION: there is no room now.
 */
struct language_names {
	uint32_t (*define)(void *arg, const struct language_function *);
	void *arg;
};

struct language_frame {
	uint32_t function;  /* NO_FUNCTION: a call of the loop that runs a part of the function around it; an entry */
	uint32_t line : 31; /* at work or calling; 0: unknown */
	uint32_t is_entry : 1; /* a native function began to run it, in a loop of its own; the others have none */
};

/* What is known of the lock that only one thread of an interpreter can hold. */
enum language_lock { LOCK_UNKNOWN, LOCK_HELD, LOCK_NOT_HELD };

struct language_stack {
	struct language_frame frames[LANGUAGE_FRAMES]; /* innermost first */
	uint32_t n;
	enum language_lock lock;
	uint32_t interpreter; /* number from 1 on; 0: there is only one */
	bool is_cut;          /* callers are missing: too many, or they could not be read */
	bool has_moved;       /* the thread ran while it was read: the stack may mix two moments */
};

/* Empties the stack, of which nothing is known yet. */
static inline void language_stack_begin(struct language_stack *s)
{
	s->n = 0;
	s->lock = LOCK_UNKNOWN;
	s->interpreter = 0;
	s->is_cut = s->has_moved = false;
}

/* Puts a caller of all that are in it. false: it is full. */
static inline bool language_stack_add(struct language_stack *s, uint32_t function, uint32_t line, bool is_entry)
{
	if (s->n == LANGUAGE_FRAMES)
		return false;
	s->frames[s->n++] =
		(struct language_frame){.function = function, .line = line & INT32_MAX, .is_entry = is_entry};
	return true;
}

enum language_walk {
	WALK_DONE,
	WALK_NO_THREAD, /* the language does not know this thread, or it runs none of its functions */
	WALK_FAILED,    /* memory could not be read, or makes no sense */
};

struct language {
	const char *name; /* "Python" */

	/* Might a program or library of this file name be the runtime? Cheap: names only. */
	bool (*may_be)(const char *file);
	/* The symbols that attach() needs; ends with NULL. Those of all languages are PROGRAM_SYMBOLS at most. */
	const char *const *symbols;
	/*
	 * Makes ready to read. NULL with err: this version or layout is not known, "Python 3.15: unknown version". NULL
	 * with an empty err: by its symbols it is not the runtime. The program has the exported symbols first; if that
	 * is no runtime, it is called again with all. One runtime of a language is read in a process.
	 */
	void *(*attach)(const struct program *, struct memory *, struct err *);
	void (*detach)(void *);
	/*
	 * tid: as the target's own namespace numbers it. Memory is as it was when the stack was begun, until
	 * memory_renew(): that comes before the look at whether the thread has moved.
	 */
	enum language_walk (*walk)(void *, struct memory *, pid_t tid, const struct language_names *,
	                           struct language_stack *);

	/* Is it a native function that runs functions of the language, one entry each time it is called? */
	bool (*is_eval)(const char *symbol);
	bool compiles; /* its runtime may compile functions: code that it has made without a name is theirs */
};

#endif
