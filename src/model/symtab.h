/*
 * symtab.h - interned names.
 *
 * A symbol is a number; equal bytes have equal numbers (but see origin.h). Bytes stay as the profiler wrote them
 * (the folded format, colours and exact comparisons use these); people see the text of display_name(), cleaned and
 * demangled once.
 *
 * Strings never move and live until symtab_deinit(). Symbol 0 is the empty name.
 */
#ifndef MODEL_SYMTAB_H
#define MODEL_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/fetch.h"
#include "base/idmap.h"
#include "base/map.h"
#include "base/utf8.h"

#define NO_SYMBOL UINT32_MAX

enum frame_kind {
	KIND_UNKNOWN,
	KIND_USER,
	KIND_KERNEL,
	KIND_JIT,
	KIND_INLINED,
	KIND_PROCESS,
	KIND_LANGUAGE, /* a function that an interpreter runs */
	KIND_LOOP,     /* an interpreter's native function for which the functions of the language stand that it runs */
	KIND_REPLACED, /* another native function for which functions of a language stand, since its place is unknown */
	N_FRAME_KINDS
};

/* The last frame of a thread that is off the CPU: why it is. They have colours of their own. */
#define FRAME_BLOCKED "[blocked]"
#define FRAME_RUNNABLE "[runnable]"
bool frame_is_state(const char *name, size_t len);

struct symbol {
	const char *name;       /* NUL-terminated, may hold any other byte */
	uint64_t hash;          /* hash_bytes(name, len) */
	uint32_t len;           /* bytes, without the NUL */
	uint32_t module;        /* symbol of the module's name, 0 = unknown; see symtab_learn(), origin.h */
	uint32_t source;        /* symbol of the source file, 0 = unknown; see origin_place() */
	uint32_t kind : 4;      /* enum frame_kind from the collapser */
	uint32_t is_frame : 1;  /* stacks have it; else it names only a module, a file, an event */
	uint32_t is_named : 1;  /* an input names a function so, perhaps one without samples (sink_frame()) */
	uint32_t is_mended : 1; /* a ':' of it was a ';' (sink_frame()) */
	uint32_t
		line : 25; /* where the function begins, or its first known line; 0: unknown, or in the source's name */
};
#define LINE_MOST ((UINT32_C(1) << 25) - 1) /* a line beyond is unknown */

/*
 * Very many functions may share a long name of a module or a file. To hash, search or compare one takes long, so
 * that is done once.
 */
#define SYMBOL_LONG 256u

struct symtab {
	struct symbol *symbols; /* [0, n) */
	size_t n, cap;
	struct arena names;
	struct map ids;     /* by hash */
	size_t n_made;      /* the last n_made symbols come from folds, not from the input */
	bool has_languages; /* functions of an interpreter's language, KIND_LANGUAGE */
	struct symtab_long {
		struct idmap symbols; /* by the address of the name, which never moves */
		struct idmap places;  /* private to origin.c: in parts[] */
		struct symtab_part *parts;
		size_t n_parts, cap_parts;
	} longs; /* what was looked for in names of SYMBOL_LONG bytes or more; copies begin anew */
	/* Private to origin.c, but for symtab_plain(): */
	uint32_t *plain; /* [0, n_plain): the symbol that has the name; NULL: no name has variants */
	size_t n_plain, cap_plain;
	struct map variants; /* by hash */
	size_t n_variants;
};

/* The symbol that has the name of this one: the same unless it is a variant (origin.h). */
static inline uint32_t symtab_plain(const struct symtab *t, uint32_t sym)
{
	return sym < t->n_plain ? t->plain[sym] : sym;
}

static inline bool symtab_is_variant(const struct symtab *t, uint32_t sym)
{
	return symtab_plain(t, sym) != sym;
}

/* Does it stand for processes and threads of that name, rather than for functions? */
static inline bool symtab_is_task(const struct symtab *t, uint32_t sym)
{
	return symtab_is_variant(t, sym) && t->symbols[sym].kind == KIND_PROCESS;
}
/* Is its name shown with a mark, since a module may have the same one? */
#define TASK_MARK " (process)"
bool symtab_is_marked(const struct symtab *, uint32_t sym);
bool symtab_has_marked(const struct symtab *);

void symtab_init(struct symtab *);
void symtab_deinit(struct symtab *);

/*
 * A copy that may get names of its own. It shares the bytes of the others, so the original must outlive it, or take
 * it over: then the original gets the new names, too, under the same numbers. With both, a fold can create names
 * while other threads read.
 */
void symtab_copy(struct symtab *copy, const struct symtab *of);
void symtab_take(struct symtab *, struct symtab *copy);

/* A copy that shares nothing with the original. */
void symtab_clone(struct symtab *clone, const struct symtab *of);
/*
 * A copy in which names have their marks, each as a name of its own, under the same numbers. The original must
 * outlive it. symtab_find() finds only names without a mark.
 */
void symtab_copy_marked(struct symtab *copy, const struct symtab *of);

/*
 * The number of the name, added if it is new. Names of 2^32 bytes and more are cut. A long name that is itself that
 * of a symbol (the same bytes, not equal ones) is found at once.
 */
uint32_t symtab_intern(struct symtab *, const char *name, size_t len);
/* The same with the caller's hash_bytes(name, len). */
uint32_t symtab_intern_hashed(struct symtab *, const char *name, size_t len, uint64_t hash);
/*
 * Three steps that prefetch the memory of a look-up: slot, symbol, name. Names are scattered over more memory than
 * a cache holds, so running each step for several names waits once instead of once per name.
 */
static inline void symtab_fetch_slot(const struct symtab *t, uint64_t hash)
{
	map_fetch(&t->ids, hash);
}

static inline void symtab_fetch_symbol(const struct symtab *t, uint64_t hash)
{
	uint32_t id = map_peek(&t->ids, hash);
	if (id != MAP_NONE)
		fetch_line(&t->symbols[id]);
}

static inline void symtab_fetch_name(const struct symtab *t, uint64_t hash)
{
	uint32_t id = map_peek(&t->ids, hash);
	if (id != MAP_NONE)
		fetch_line(t->symbols[id].name);
}

/* NO_SYMBOL: none. */
uint32_t symtab_find(const struct symtab *, const char *name, size_t len);
/* The same among the names of frames in recorded stacks. */
uint32_t symtab_find_frame(const struct symtab *, const char *name, size_t len);

/* The kind of a frame: from the collapser, else from its annotation (_[k] _[j] _[i]) or a well-known form. */
enum frame_kind symtab_kind(const struct symtab *, uint32_t sym);

/* Length of the name without a trailing annotation "_[k]", "_[w]", "_[i]", "_[j]". */
size_t symbol_bare_length(const char *name, size_t len);

/* Which name is before the other, by bytes: as of strcmp(). */
int symbol_order(const struct symbol *, const struct symbol *);

/* Length of the path in a source, "path:line" or "path:line:column". */
size_t symbol_path_length(const char *source, size_t len);

/*
 * rank[sym] is the position of the name in bytewise order, ends[sym] that of name + ';'. Both share the numbers [0,
 * 2n), so comparing them places "a" and "a;b" correctly around "a-b". The caller owns both arrays of n entries.
 */
void symtab_rank(const struct symtab *, uint32_t *rank, uint32_t *ends);
struct progress;
/* The same; false: cancelled, the arrays are unusable. */
bool symtab_rank_until(const struct symtab *, uint32_t *rank, uint32_t *ends, struct progress *);
/* The same for two names: does x + ';' sort before y, given that x sorts before y? */
bool symbol_ends_before(const struct symbol *x, const struct symbol *y);

/*
 * Names for display: demangled (if asked), without annotation (but see tells_kinds), cleaned. Each is made on first
 * use. For one thread at a time. Texts live until display_deinit().
 */
struct display_name {
	const char *text; /* clean, NUL-terminated */
	uint32_t len;     /* bytes */
	uint32_t columns; /* terminal columns */
};

struct display {
	const struct symtab *symtab;
	enum utf8_clean_mode mode;
	bool demangle;
	bool tells_kinds;            /* annotations stay where names would be equal without them */
	size_t longest;              /* longest name displayed, in bytes; further bytes are only counted; 0: no limit */
	struct display_name **names; /* NULL: not made yet; those made do not move */
	size_t cap;
	struct arena texts;
};

void display_init(struct display *, const struct symtab *, enum utf8_clean_mode, bool demangle);
void display_deinit(struct display *);
/* Forgets the symbols from `first` on, which were replaced; earlier texts stay valid. */
void display_forget(struct display *, uint32_t first);
const struct display_name *display_name(struct display *, uint32_t sym);

#endif
