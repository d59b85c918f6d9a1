/*
 * match.c - three match modes on top of PCRE2.
 *
 * Names come from anywhere, so no pattern may run for ever on one (steps, depth and heap have limits) nor fail on
 * bytes that are not UTF-8 (these match nothing, but the rest of the name can). Patterns are compiled to machine
 * code if the system allows it; if the compiled code runs out of stack on a name, the interpreter retries it. Each
 * search tests a symbol once, raw and demangled, because people type what they see.
 */
#include "match.h"

#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/buf.h"
#include "base/demangle.h"
#include "base/escape.h"
#include "base/fetch.h"
#include "base/mem.h"
#include "model/origin.h"

#define STEP_LIMIT 100000u
#define DEPTH_LIMIT 1000u
#define HEAP_LIMIT_KIB 20000u
#define JIT_STACK_FIRST (32u << 10)
#define JIT_STACK_MOST (1u << 20)
/* Few, as some patterns take a millisecond per name. */
#define NAMES_BETWEEN_STEPS 8u
#define NAMES_AT_ONCE 32u

#define KEYS 256u /* a power of two */

struct match {
	enum group_by subject;
	/* For labels, by the lowest bits of group_key(): the last key plus one, and whether its label matched. */
	struct {
		uint32_t key;
		bool is_match;
	} known[KEYS];
	struct buf label;
	char *literal; /* MATCH_LITERAL, MATCH_NAME: the name. NULL: the fields below hold the pattern */
	size_t literal_len;
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
	pcre2_jit_stack *jit_stack;
	uint64_t exceeded;
};

/*
 * Does s contain an upper-case letter outside ASCII? Asks PCRE2, which knows Unicode; the C library would depend on
 * the locale.
 */
static bool has_wide_upper(const struct buf *s)
{
	int code;
	PCRE2_SIZE offset;
	pcre2_code *upper = pcre2_compile((PCRE2_SPTR) "\\p{Lu}", PCRE2_ZERO_TERMINATED,
	                                  PCRE2_UTF | PCRE2_MATCH_INVALID_UTF, &code, &offset, NULL);
	pcre2_match_data *data = upper ? pcre2_match_data_create_from_pattern(upper, NULL) : NULL;
	if (!data)
		mem_exhausted();
	bool found = pcre2_match(upper, (PCRE2_SPTR)s->data, s->len, 0, 0, data, NULL) > 0;
	pcre2_match_data_free(data);
	pcre2_code_free(upper);
	return found;
}

/* Skips the part of an escape after its letter: \p{Lu}, \x{1F600}, \k<Name>. */
static const char *skip_escape(const char *s)
{
	if (!*s)
		return s;
	char letter = *s++, close = 0;
	if (*s == '{')
		close = '}';
	else if (letter == 'k' && (*s == '<' || *s == '\''))
		close = *s == '<' ? '>' : '\'';
	else if ((letter == 'p' || letter == 'P') && *s)
		return s + 1;
	else if (letter == 'x')
		return s + strspn(s, "0123456789abcdefABCDEF");
	const char *end = close ? strchr(s + 1, close) : NULL;
	return end ? end + 1 : s;
}

static bool has_upper(const char *pattern, bool has_escapes)
{
	struct buf wide;
	bool found = false;
	buf_init(&wide);
	for (const char *s = pattern; *s && !found;) {
		if (has_escapes && *s == '\\') {
			s = skip_escape(s + 1);
			continue;
		}
		found = *s >= 'A' && *s <= 'Z';
		if (*s & 0x80)
			buf_addc(&wide, *s);
		s++;
	}
	if (!found && wide.len)
		found = has_wide_upper(&wide);
	buf_deinit(&wide);
	return found;
}

static bool compile(struct match *m, const char *pattern, enum match_mode mode, struct err *err)
{
	uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF;
	int code;
	PCRE2_SIZE offset = 0;
	PCRE2_UCHAR reason[160];

	if (mode == MATCH_TEXT)
		options |= PCRE2_LITERAL;
	else
		options |= PCRE2_NEVER_BACKSLASH_C;
	if (!has_upper(pattern, mode == MATCH_REGEX))
		options |= PCRE2_CASELESS;
	m->code = pcre2_compile((PCRE2_SPTR)pattern, strlen(pattern), options, &code, &offset, NULL);
	if (m->code)
		return true;
	if (code == PCRE2_ERROR_HEAP_FAILED)
		mem_exhausted();
	if (pcre2_get_error_message(code, reason, sizeof reason) < 0)
		return fail(err, "bad pattern '%s' at offset %zu: error %d", pattern, (size_t)offset, code);
	return fail(err, "bad pattern '%s' at offset %zu: %s", pattern, (size_t)offset, (const char *)reason);
}

static void prepare(struct match *m)
{
	m->data = pcre2_match_data_create(1, NULL);
	m->context = pcre2_match_context_create(NULL);
	if (!m->data || !m->context)
		mem_exhausted();
	pcre2_set_match_limit(m->context, STEP_LIMIT);
	pcre2_set_depth_limit(m->context, DEPTH_LIMIT);
	pcre2_set_heap_limit(m->context, HEAP_LIMIT_KIB);
	/* Systems that forbid writable code refuse this; then the interpreter runs, only slower. */
	if (pcre2_jit_compile(m->code, PCRE2_JIT_COMPLETE) != 0)
		return;
	m->jit_stack = pcre2_jit_stack_create(JIT_STACK_FIRST, JIT_STACK_MOST, NULL);
	if (m->jit_stack)
		pcre2_jit_stack_assign(m->context, NULL, m->jit_stack);
}

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
	if (!compile(m, pattern, mode, err)) {
		match_free(m);
		return NULL;
	}
	prepare(m);
	return m;
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
	pcre2_jit_stack_free(m->jit_stack);
	pcre2_match_context_free(m->context);
	pcre2_match_data_free(m->data);
	pcre2_code_free(m->code);
	free(m);
}

bool match_name(struct match *m, const char *name, size_t len)
{
	if (m->literal)
		return len == m->literal_len && memcmp(name, m->literal, len) == 0;
	int rc = pcre2_match(m->code, (PCRE2_SPTR)name, len, 0, 0, m->data, m->context);
	if (rc == PCRE2_ERROR_JIT_STACKLIMIT)
		rc = pcre2_match(m->code, (PCRE2_SPTR)name, len, 0, PCRE2_NO_JIT, m->data, m->context);
	if (rc == PCRE2_ERROR_NOMEMORY)
		mem_exhausted();
	if (rc < 0 && rc != PCRE2_ERROR_NOMATCH)
		m->exceeded++;
	return rc >= 0;
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
	if (m->known[at].key != key + 1) {
		m->known[at].is_match = match_label(m, in, sym);
		m->known[at].key = key + 1;
	}
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

bool match_symbols(struct match *m, const struct match_in *in, struct symset *set, const struct symset *within,
                   struct progress *progress)
{
	const struct symtab *t = in->symtab;
	size_t counted;
	uint32_t syms[NAMES_AT_ONCE];
	unsigned n;
	symset_grow(set, t->n);
	if (m->literal && m->subject == BY_FUNCTION)
		add_literal(m, t, set);
	counted = set->n;
	while ((n = fetch_names(t, within, set->n, syms)) > 0) {
		for (unsigned k = 0; k < n; k++) {
			set->n = syms[k];
			if (is_hit(m, in, set, syms[k]))
				symset_add(set, syms[k]);
			set->n = syms[k] + 1;
			if (k % NAMES_BETWEEN_STEPS != NAMES_BETWEEN_STEPS - 1)
				continue;
			if (!progress_step(progress, set->n - counted))
				return false;
			counted = set->n;
		}
	}
	set->n = t->n;
	return progress_step(progress, set->n - counted);
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
