/*
 * match.c - three match modes, for names and for what holds functions. Each search tests a symbol once, raw and
 * demangled, because people type what they see.
 */
#include "match.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/demangle.h"
#include "base/escape.h"
#include "base/fetch.h"
#include "base/mem.h"
#include "model/origin.h"
#include "model/pattern.h"

/* Few, as some patterns take ten milliseconds per name. */
#define NAMES_BETWEEN_STEPS 4u
#define NAMES_AT_ONCE 32u

/* In units of pattern.h. */
#define WORK_OF_FILE ((uint64_t)100 << 20)
#define WORK_OF_KEY ((uint64_t)5 << 20)

#define KEYS 256u /* a power of two */

struct match {
	enum group_by subject;
	/* For labels, by the lowest bits of group_key(): the last key plus one, and whether its label matched. */
	struct {
		uint32_t key;
		bool is_match;
	} known[KEYS];
	struct buf label;
	char *literal; /* MATCH_LITERAL, MATCH_NAME: the name. NULL: there is a pattern */
	size_t literal_len;
	struct pattern *pattern;
	struct progress *progress; /* of the search that runs; NULL: none waits */
	bool is_stopped;           /* it was cancelled within a name, which is not tested */
	uint64_t exceeded;
};

void match_add_name(struct buf *out, const char *name, size_t len)
{
	buf_adds(out, MATCH_NAME);
	escape_add(out, name, len, false);
}

enum match_mode match_add_exact(struct buf *out, const char *name, size_t len)
{
	if (memchr(name, '\0', len)) {
		match_add_name(out, name, len);
		return MATCH_REGEX;
	}
	buf_add(out, name, len);
	return MATCH_LITERAL;
}

static bool is_name(const char *pattern, enum match_mode mode)
{
	return mode == MATCH_LITERAL || (mode == MATCH_REGEX && strncmp(pattern, MATCH_NAME, strlen(MATCH_NAME)) == 0);
}

static void take_name(struct match *m, const char *pattern, enum match_mode mode)
{
	struct buf name;
	buf_init(&name);
	if (mode == MATCH_LITERAL)
		buf_adds(&name, pattern);
	else
		escape_undo(&name, pattern + strlen(MATCH_NAME), strlen(pattern) - strlen(MATCH_NAME));
	m->literal_len = name.len;
	m->literal = buf_take(&name);
}

enum group_by match_subject_of(const char *pattern, enum match_mode mode, const char **rest)
{
	for (enum group_by by = BY_MODULE; by < N_GROUPS && mode == MATCH_REGEX; by++) {
		size_t n = strlen(group_name(by));
		if (strncmp(pattern, group_name(by), n) != 0 || pattern[n] != ':')
			continue;
		if (rest)
			*rest = pattern + n + 1;
		return by;
	}
	return BY_FUNCTION;
}

enum group_by match_subject(const struct match *m)
{
	return m->subject;
}

static struct match *make_pattern(struct match *m, const char *pattern, enum match_mode mode, struct err *err)
{
	m->pattern = pattern_new(pattern, mode == MATCH_TEXT, err);
	if (m->pattern)
		return m;
	match_free(m);
	return NULL;
}

struct match *match_new(const char *pattern, enum match_mode mode, struct err *err)
{
	struct match *m = mem_zalloc(1, sizeof *m);
	buf_init(&m->label);
	m->subject = match_subject_of(pattern, mode, &pattern);
	if (is_name(pattern, mode)) {
		take_name(m, pattern, mode);
		return m;
	}
	return make_pattern(m, pattern, mode, err);
}

struct match *match_new_for_texts(const char *pattern, struct err *err)
{
	struct match *m = mem_zalloc(1, sizeof *m);
	buf_init(&m->label);
	return make_pattern(m, pattern, MATCH_REGEX, err);
}

void match_limit_all(struct match *m, enum match_limit limit)
{
	bool is_key = limit == MATCH_LIMIT_KEY;
	if (m->pattern)
		pattern_limit_all(m->pattern, is_key ? WORK_OF_KEY : WORK_OF_FILE, !is_key);
}

void match_forget(struct match *m)
{
	memset(m->known, 0, sizeof m->known);
}

void match_free(struct match *m)
{
	if (!m)
		return;
	free(m->literal);
	buf_deinit(&m->label);
	pattern_free(m->pattern);
	free(m);
}

bool match_name(struct match *m, const char *name, size_t len)
{
	if (m->literal)
		return len == m->literal_len && memcmp(name, m->literal, len) == 0;
	enum pattern_result result = pattern_match(m->pattern, name, len, m->progress);
	m->exceeded += result == PATTERN_EXCEEDED;
	m->is_stopped |= result == PATTERN_STOPPED;
	return result == PATTERN_MATCHES;
}

uint64_t match_exceeded(const struct match *m)
{
	return m->exceeded;
}

void symset_deinit(struct symset *set)
{
	free(set->bits);
	*set = (struct symset){.n = 0};
}

void symset_cut(struct symset *set, size_t n)
{
	if (n >= set->n)
		return;
	if (n & 63)
		set->bits[n >> 6] &= (UINT64_C(1) << (n & 63)) - 1;
	for (size_t i = (n + 63) / 64; i < (set->n + 63) / 64; i++)
		set->bits[i] = 0;
	set->n = n;
}

void symset_copy(struct symset *dst, const struct symset *src)
{
	size_t words = (src->n + 63) / 64;
	*dst = (struct symset){.bits = mem_alloc((words ? words : 1) * sizeof *dst->bits), .n = src->n};
	if (words)
		memcpy(dst->bits, src->bits, words * sizeof *dst->bits);
}

/* Grows the set to all symbols; new bits are 0. */
static void symset_grow(struct symset *set, size_t n)
{
	size_t old = (set->n + 63) / 64, words = (n + 63) / 64;
	if (words <= old)
		return;
	set->bits = mem_realloc(set->bits, words, sizeof *set->bits);
	memset(set->bits + old, 0, (words - old) * sizeof *set->bits);
}

static bool match_names(struct match *m, const struct symbol *s)
{
	if (match_name(m, s->name, s->len))
		return true;
	if (m->literal || s->len < 3 || s->name[0] != '_')
		return false;
	m->label.len = 0;
	if (!demangle(s->name, symbol_bare_length(s->name, s->len), &m->label))
		return false;
	return match_name(m, m->label.data, m->label.len);
}

/* "file:^parser" means the file, wherever it is. */
static bool match_base(struct match *m, const char *path, size_t len)
{
	size_t n;
	const char *base = m->subject == BY_FILE ? origin_base(path, len, &n) : NULL;
	return base && n < len && match_name(m, base, n);
}

static bool match_label(struct match *m, const struct match_in *in, uint32_t sym)
{
	m->label.len = 0;
	if (!group_add_label(in->symtab, sym, m->subject, in->of, &m->label))
		return false;
	return match_name(m, buf_str(&m->label), m->label.len) || match_base(m, buf_str(&m->label), m->label.len);
}

/* Functions of one module have the same label; only packages depend on names. */
static bool match_known_label(struct match *m, const struct match_in *in, uint32_t sym)
{
	uint32_t key = group_key(in->symtab, sym, m->subject, in->of), at = key & (KEYS - 1);
	if (!key || m->subject == BY_PACKAGE || in->symtab->symbols[sym].kind == KIND_PROCESS)
		return match_label(m, in, sym);
	if (m->known[at].key == key + 1)
		return m->known[at].is_match;
	m->known[at].is_match = match_label(m, in, sym);
	m->known[at].key = m->is_stopped ? 0 : key + 1;
	return m->known[at].is_match;
}

static bool match_symbol(struct match *m, const struct match_in *in, uint32_t sym)
{
	const struct symtab *t = in->symtab;
	if (m->subject == BY_FUNCTION)
		return match_names(m, &t->symbols[sym]);
	if (in->named_by == BY_FUNCTION)
		return match_known_label(m, in, sym);
	if (m->subject != in->named_by || symtab_is_task(t, sym))
		return false;
	const struct symbol *s = &t->symbols[sym];
	return match_names(m, s) || match_base(m, s->name, s->len);
}

static void symset_add(struct symset *set, uint32_t sym)
{
	set->bits[sym >> 6] |= UINT64_C(1) << (sym & 63);
}

/* Looks up the whole name: only that symbol and its variants have it. */
static void add_literal(const struct match *m, const struct symtab *t, struct symset *set)
{
	uint32_t sym = symtab_find(t, m->literal, m->literal_len);
	if (sym < t->n && sym >= set->n)
		symset_add(set, sym);
	for (size_t i = set->n; i < t->n_plain && sym != NO_SYMBOL; i++)
		if (t->plain[i] == sym)
			symset_add(set, (uint32_t)i);
	set->n = t->n;
}

/* A variant has the name of a symbol before it. */
static bool is_hit(struct match *m, const struct match_in *in, const struct symset *set, uint32_t sym)
{
	if (m->subject == BY_FUNCTION && symtab_is_variant(in->symtab, sym))
		return symset_has(set, symtab_plain(in->symtab, sym));
	return match_symbol(m, in, sym);
}

/* The next symbol from `sym` on that may match; to: none. */
static size_t next_possible(const struct symset *within, size_t sym, size_t to)
{
	while (within && sym < within->n) {
		uint64_t word = within->bits[sym >> 6] >> (sym & 63);
		if (word) {
			sym += (unsigned)__builtin_ctzll(word);
			break;
		}
		sym = (sym | 63) + 1;
	}
	return sym < to ? sym : to;
}

/*
 * The next symbols to test from `sym` on, at most NAMES_AT_ONCE, with their names fetched into the cache together.
 * Returns their number.
 */
static unsigned fetch_names(const struct symtab *t, const struct symset *within, size_t sym, uint32_t *syms)
{
	unsigned n = 0;
	for (; n < NAMES_AT_ONCE && (sym = next_possible(within, sym, t->n)) < t->n; sym++) {
		fetch_line(&t->symbols[sym]);
		syms[n++] = (uint32_t)sym;
	}
	for (unsigned k = 0; k < n; k++)
		fetch_line(t->symbols[syms[k]].name);
	return n;
}

/* Tests symbols up to the end, or to where it is cancelled: false. */
static bool test_symbols(struct match *m, const struct match_in *in, struct symset *set,
                         const struct symset *within)
{
	const struct symtab *t = in->symtab;
	size_t counted = set->n;
	uint32_t syms[NAMES_AT_ONCE];
	unsigned n;
	while ((n = fetch_names(t, within, set->n, syms)) > 0) {
		for (unsigned k = 0; k < n; k++) {
			set->n = syms[k];
			bool is_one = is_hit(m, in, set, syms[k]);
			if (m->is_stopped)
				return false;
			if (is_one)
				symset_add(set, syms[k]);
			set->n = syms[k] + 1;
			if (k % NAMES_BETWEEN_STEPS != NAMES_BETWEEN_STEPS - 1)
				continue;
			if (!progress_step(m->progress, set->n - counted))
				return false;
			counted = set->n;
		}
	}
	set->n = t->n;
	return progress_step(m->progress, set->n - counted);
}

bool match_symbols(struct match *m, const struct match_in *in, struct symset *set, const struct symset *within,
                   struct progress *progress)
{
	symset_grow(set, in->symtab->n);
	if (m->literal && m->subject == BY_FUNCTION)
		add_literal(m, in->symtab, set);
	m->progress = progress;
	m->is_stopped = false;
	bool is_whole = test_symbols(m, in, set, within);
	m->progress = NULL;
	return is_whole;
}

static bool is_plain(const char *pattern, enum match_mode mode)
{
	return mode == MATCH_TEXT || (mode == MATCH_REGEX && !strpbrk(pattern, "\\^$.|?*+()[]{}"));
}

/*
 * A name that contains the longer text contains the shorter one. Case is no problem: if the shorter text is
 * case-sensitive, it has a capital, so the longer one has it, too.
 */
bool match_narrows(const char *pattern, enum match_mode mode, const char *before, enum match_mode before_mode)
{
	return match_subject_of(pattern, mode, &pattern) == match_subject_of(before, before_mode, &before) &&
	       is_plain(pattern, mode) && is_plain(before, before_mode) && strstr(pattern, before);
}
