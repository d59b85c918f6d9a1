/*
 * pattern.c - patterns of PCRE2 with limits (pattern.h).
 *
 * Patterns are compiled to machine code if the system allows it; if the compiled code runs out of stack on a name,
 * the interpreter retries it. Code that calls back is slower, and only made for the first long name.
 */
#include "model/pattern.h"

#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/buf.h"
#include "base/mem.h"

#define STEP_LIMIT 100000u
#define DEPTH_LIMIT 1000u
#define HEAP_LIMIT_KIB 20000u
#define JIT_STACK_FIRST (32u << 10)
#define JIT_STACK_MOST (1u << 20)

#define SHORT_NAME 512u    /* bytes: what the step limit bounds takes some ten milliseconds */
#define SHORT_PATTERN 256u /* bytes; with a longer one names are never short: a class of many characters is slow */
/* Work: a call, or so many bytes looked at. A tenth of a second or less. */
#define BYTES_OF_ONE 16u
#define MOST_WORK ((uint64_t)10 << 20)
#define WORK_OF_BYTE 2u /* more for each byte of a name */
#define SCRIPT_RUN 4u   /* for each byte that one looks at */
#define SLOW 32u        /* bytes of a pattern that slow a byte of a name down by one more */
#define CALLS_BETWEEN_STEPS 256u

/* Machine code or the interpreter's, and what a match of it needs. */
struct compiled {
	pcre2_code *code;
	pcre2_match_context *context;
};

struct pattern {
	char *text;
	uint32_t options;
	struct compiled plain, counting; /* counting.code NULL: not made yet, or it cannot be */
	bool has_counting;
	pcre2_match_data *data;
	pcre2_jit_stack *jit_stack;
	bool counts_short, is_slow;
	uint64_t of_all; /* work that is left for all names */
	/* of the present match */
	struct progress *progress;
	size_t at;
	uint64_t calls, work, most, each, slowness;
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

static pcre2_code *compile(const struct pattern *p, uint32_t more, int *code, size_t *offset)
{
	pcre2_code *made = pcre2_compile((PCRE2_SPTR)p->text, strlen(p->text), p->options | more, code, offset, NULL);
	if (!made && *code == PCRE2_ERROR_HEAP_FAILED)
		mem_exhausted();
	return made;
}

static bool fail_pattern(const char *text, int code, size_t offset, struct err *err)
{
	PCRE2_UCHAR reason[160];
	if (pcre2_get_error_message(code, reason, sizeof reason) < 0)
		return fail(err, "bad pattern '%s' at offset %zu: error %d", text, offset, code);
	return fail(err, "bad pattern '%s' at offset %zu: %s", text, offset, (const char *)reason);
}

static void prepare(struct pattern *p, struct compiled *c)
{
	c->context = pcre2_match_context_create(NULL);
	if (!c->context)
		mem_exhausted();
	pcre2_set_match_limit(c->context, STEP_LIMIT);
	pcre2_set_depth_limit(c->context, DEPTH_LIMIT);
	pcre2_set_heap_limit(c->context, HEAP_LIMIT_KIB);
	/* Systems that forbid writable code refuse this; then the interpreter runs, only slower. */
	if (pcre2_jit_compile(c->code, PCRE2_JIT_COMPLETE) != 0)
		return;
	if (!p->jit_stack)
		p->jit_stack = pcre2_jit_stack_create(JIT_STACK_FIRST, JIT_STACK_MOST, NULL);
	if (p->jit_stack)
		pcre2_jit_stack_assign(c->context, NULL, p->jit_stack);
}

/* (*sr:...), (*atomic_script_run:...) */
static bool has_script_run(const char *text)
{
	return strstr(text, "sr:") || strstr(text, "script_run:");
}

struct pattern *pattern_new(const char *text, bool is_text, struct err *err)
{
	struct pattern *p = mem_zalloc(1, sizeof *p);
	int code = 0;
	size_t offset = 0;
	p->text = mem_strdup(text);
	p->options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF;
	p->options |= is_text ? PCRE2_LITERAL : PCRE2_NEVER_BACKSLASH_C;
	p->options |= has_upper(text, !is_text) ? 0 : PCRE2_CASELESS;
	p->of_all = UINT64_MAX;
	p->is_slow = strlen(text) > SHORT_PATTERN || has_script_run(text);
	p->plain.code = compile(p, 0, &code, &offset);
	if (!p->plain.code) {
		fail_pattern(text, code, offset, err);
		pattern_free(p);
		return NULL;
	}
	p->data = pcre2_match_data_create(1, NULL);
	if (!p->data)
		mem_exhausted();
	prepare(p, &p->plain);
	return p;
}

void pattern_free(struct pattern *p)
{
	if (!p)
		return;
	pcre2_jit_stack_free(p->jit_stack);
	pcre2_match_context_free(p->plain.context);
	pcre2_match_context_free(p->counting.context);
	pcre2_match_data_free(p->data);
	pcre2_code_free(p->plain.code);
	pcre2_code_free(p->counting.code);
	free(p->text);
	free(p);
}

void pattern_limit_all(struct pattern *p, uint64_t most, bool counts_short)
{
	p->counts_short = counts_short;
	p->of_all = most;
}

/* ---- long names ---------------------------------------------------------------------------------------------- */

static int count_work(pcre2_callout_block *b, void *arg)
{
	struct pattern *p = arg;
	size_t at = b->current_position, moved = at > p->at ? at - p->at : p->at - at;
	p->at = at;
	p->work += 1 + moved * p->slowness / BYTES_OF_ONE + p->each;
	if (++p->calls % CALLS_BETWEEN_STEPS == 0 && !progress_step(p->progress, 0))
		return PCRE2_ERROR_CALLOUT;
	return p->work > p->most ? PCRE2_ERROR_MATCHLIMIT : 0;
}

static void make_counting(struct pattern *p)
{
	int code;
	size_t offset;
	p->has_counting = true;
	p->counting.code = compile(p, PCRE2_AUTO_CALLOUT, &code, &offset);
	if (!p->counting.code)
		return;
	prepare(p, &p->counting);
	pcre2_set_callout(p->counting.context, count_work, p);
}

/* A reference to a group compares bytes without a call, and a script run looks at all of its characters. */
static uint64_t work_of_call(const struct pattern *p, size_t len)
{
	uint32_t references = 0;
	pcre2_pattern_info(p->counting.code, PCRE2_INFO_BACKREFMAX, &references);
	return (has_script_run(p->text) ? (uint64_t)len * SCRIPT_RUN : 0) + (references ? len / BYTES_OF_ONE : 0);
}

static void begin_count(struct pattern *p, size_t len, struct progress *progress)
{
	uint64_t most = MOST_WORK + (uint64_t)len * WORK_OF_BYTE;
	p->progress = progress;
	p->calls = p->work = p->at = 0;
	p->most = most < p->of_all ? most : p->of_all;
	p->each = work_of_call(p, len);
	p->slowness = 1 + strlen(p->text) / SLOW;
}

/* ---- matching ------------------------------------------------------------------------------------------------ */

static int run(const struct pattern *p, const struct compiled *c, const char *name, size_t len)
{
	int rc = pcre2_match(c->code, (PCRE2_SPTR)name, len, 0, 0, p->data, c->context);
	if (rc == PCRE2_ERROR_JIT_STACKLIMIT)
		rc = pcre2_match(c->code, (PCRE2_SPTR)name, len, 0, PCRE2_NO_JIT, p->data, c->context);
	if (rc == PCRE2_ERROR_NOMEMORY)
		mem_exhausted();
	return rc;
}

static int run_counting(struct pattern *p, const char *name, size_t len, struct progress *progress)
{
	if (!p->has_counting)
		make_counting(p);
	if (!p->counting.code || !p->of_all)
		return PCRE2_ERROR_MATCHLIMIT;
	begin_count(p, len, progress);
	int rc = run(p, &p->counting, name, len);
	if (p->of_all != UINT64_MAX)
		p->of_all -= p->work < p->of_all ? p->work : p->of_all;
	return rc;
}

enum pattern_result pattern_match(struct pattern *p, const char *name, size_t len, struct progress *progress)
{
	bool is_text = p->options & PCRE2_LITERAL;
	bool counts = !is_text && (len > SHORT_NAME || p->counts_short || p->is_slow);
	int rc = counts ? run_counting(p, name, len, progress) : run(p, &p->plain, name, len);
	return rc >= 0                     ? PATTERN_MATCHES
	       : rc == PCRE2_ERROR_NOMATCH ? PATTERN_DIFFERS
	       : rc == PCRE2_ERROR_CALLOUT ? PATTERN_STOPPED
	                                   : PATTERN_EXCEEDED;
}
