/*
 * symtab.h - every name once.
 *
 * A symbol is a number; equal bytes are equal numbers. Bytes are kept as the profiler wrote them (that is what the
 * folded format, colours and exact comparisons use); what people see is symtab_display(), cleaned and demangled
 * once.
 *
 * Strings never move and live until symtab_deinit(). Symbol 0 is the empty name.
 */
#ifndef MODEL_SYMTAB_H
#define MODEL_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/utf8.h"

#define NO_SYMBOL UINT32_MAX

enum frame_kind { KIND_UNKNOWN, KIND_USER, KIND_KERNEL, KIND_JIT, KIND_INLINED, KIND_PROCESS };

struct symbol {
	const char *name; /* NUL-terminated, may hold any other byte */
	uint64_t hash;    /* hash_bytes(name, len) */
	uint32_t len;     /* bytes, without the NUL */
	uint32_t module;  /* symbol of the module's name, 0 = unknown; see symtab_learn() */
	uint32_t source;  /* symbol of "file:line", 0 = unknown */
	uint32_t kind;    /* enum frame_kind as the collapser knew it */
};

struct symtab {
	struct symbol *symbols; /* [0, n) */
	size_t n, cap;
	struct arena names;
	uint64_t *slots; /* open addressing: high half hash, low half id + 1 */
	size_t n_slots;
	size_t n_made; /* of the last ones: no names of the input, but made of them by a fold */
};

void symtab_init(struct symtab *);
void symtab_deinit(struct symtab *);

/*
 * A copy that may get names of its own; the bytes of the others are shared, so the original must outlive it, or
 * take it over: then it has the new names, too, under the same numbers. Both for names that are made beside whoever
 * reads them.
 */
void symtab_copy(struct symtab *copy, const struct symtab *of);
void symtab_take(struct symtab *, struct symtab *copy);

/* The number of the name; it is added when new. Names of 2^32 bytes and more are cut. */
uint32_t symtab_intern(struct symtab *, const char *name, size_t len);
/* With the caller's own hash_bytes(name, len). */
uint32_t symtab_intern_hashed(struct symtab *, const char *name, size_t len, uint64_t hash);
/*
 * Three steps that start fetching what looking this hash up will read: its slot, then the symbol, then the name.
 * Names are scattered over more memory than a cache holds, so taking each step for several at once waits once and
 * not for every one.
 */
static inline void symtab_fetch_slot(const struct symtab *t, uint64_t hash)
{
	__builtin_prefetch(&t->slots[hash & (t->n_slots - 1)]);
}

static inline void symtab_fetch_symbol(const struct symtab *t, uint64_t hash)
{
	uint64_t slot = t->slots[hash & (t->n_slots - 1)];
	if (slot)
		__builtin_prefetch(&t->symbols[(uint32_t)slot - 1]);
}

static inline void symtab_fetch_name(const struct symtab *t, uint64_t hash)
{
	uint64_t slot = t->slots[hash & (t->n_slots - 1)];
	if (slot)
		__builtin_prefetch(t->symbols[(uint32_t)slot - 1].name);
}

/* NO_SYMBOL: not there. */
uint32_t symtab_find(const struct symtab *, const char *name, size_t len);

/*
 * Adds what is known about a symbol; KIND_UNKNOWN and 0 are nothing. Where samples differ, the kind that comes
 * first and the name that comes first by its bytes are kept, so that the order in which they are met does not
 * matter.
 */
void symtab_learn(struct symtab *, uint32_t sym, enum frame_kind kind, uint32_t module, uint32_t source);

/*
 * The kind of a frame: what the collapser said, else what its annotation (_[k] _[j] _[i]) or well-known form says.
 */
enum frame_kind symtab_kind(const struct symtab *, uint32_t sym);

/* Length of the name without a trailing annotation "_[k]", "_[w]", "_[i]", "_[j]". */
size_t symbol_bare_length(const char *name, size_t len);

/*
 * rank[sym] is the position of the name in bytewise order, ends[sym] that of name + ';': comparing the two kinds
 * tells where "a" and "a;b" go among "a-b". Both arrays have n entries out of one numbering [0, 2n) and belong to
 * the caller.
 */
void symtab_rank(const struct symtab *, uint32_t *rank, uint32_t *ends);
struct progress;
/* The same; false: cancelled, the numbers are worth nothing. */
bool symtab_rank_until(const struct symtab *, uint32_t *rank, uint32_t *ends, struct progress *);
/* The same for two names alone: does x + ';' come before y, given that x comes before y? */
bool symbol_ends_before(const struct symbol *x, const struct symbol *y);

/*
 * Names as they are shown: demangled (if asked), without annotation (but see tells_kinds), cleaned. Filled on first
 * use, symbol by symbol. Not for several threads at once. Texts live until display_deinit().
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
	bool tells_kinds;            /* annotations stay where names would be equal without */
	size_t longest;              /* bytes of a name that are made fit to be shown, the others are counted; 0: all */
	struct display_name **names; /* NULL: not made yet; those made stay where they are */
	size_t cap;
	struct arena texts;
};

void display_init(struct display *, const struct symtab *, enum utf8_clean_mode, bool demangle);
void display_deinit(struct display *);
/* The symbols from `first` on are others now; texts handed out stay. */
void display_forget(struct display *, uint32_t first);
const struct display_name *display_name(struct display *, uint32_t sym);

#endif
