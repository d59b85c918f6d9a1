/*
 * mutate.c - makes small mistakes in a C source, one at a time, to see whether a test notices.
 *
 *	mutate FILE       how many there are
 *	mutate FILE N     number N (from 0) on standard output, and on standard error the line, what was changed, and
 *	                    which of several that are the same in the line
 *
 * Comparisons shift or turn round, && and || change places, a sum becomes a difference, a constant grows by one, a
 * truth value is inverted, a negation or a whole statement is left out. It is no parser: tokens and their
 * neighbours are enough, since the caller discards a mistake that does not compile. Preprocessor lines, comments,
 * strings and assertions stay.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

struct token {
	const char *s;
	size_t n;
	unsigned line;
};

struct source {
	struct buf text;
	struct token *tokens;
	size_t n, cap;
};

/* ---- tokens ---- */

static bool is_word_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool is(const struct token *t, const char *word)
{
	return t->n == strlen(word) && memcmp(t->s, word, t->n) == 0;
}

static bool is_one_of(const struct token *t, const char *const *words)
{
	for (; *words != NULL; words++)
		if (is(t, *words))
			return true;
	return false;
}

static bool is_name(const struct token *t)
{
	return isalpha((unsigned char)*t->s) || *t->s == '_';
}

/* Length of text between tokens: blanks, comments and preprocessor lines. */
static size_t passed_over(const char *p, bool at_line_start)
{
	if (isspace((unsigned char)*p))
		return 1;
	if (p[0] == '/' && p[1] == '*') {
		const char *end = strstr(p + 2, "*/");
		return end != NULL ? (size_t)(end - p) + 2 : strlen(p);
	}
	if ((p[0] == '/' && p[1] == '/') || (*p == '#' && at_line_start)) {
		size_t n = 0;
		while (p[n] != '\0' && (p[n] != '\n' || (n > 0 && p[n - 1] == '\\')))
			n++;
		return n;
	}
	return 0;
}

static size_t token_length(const char *p)
{
	static const char *const operators[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
	                                        "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
	                                        "*=",  "/=",  "%=",  "&=", "|=", "^=", NULL};
	size_t n = 1;
	if (*p == '"' || *p == '\'') {
		while (p[n] != '\0' && p[n] != *p)
			n += p[n] == '\\' && p[n + 1] != '\0' ? 2 : 1;
		return p[n] != '\0' ? n + 1 : n;
	}
	if (is_word_byte(*p)) {
		while (is_word_byte(p[n]) || (isdigit((unsigned char)*p) && p[n] == '.'))
			n++;
		return n;
	}
	for (size_t i = 0; operators[i] != NULL; i++)
		if (strncmp(p, operators[i], strlen(operators[i])) == 0)
			return strlen(operators[i]);
	return 1;
}

static void read_source(struct source *src, FILE *f)
{
	unsigned line = 1;
	bool at_line_start = true;
	buf_init(&src->text);
	for (size_t n = 1; n > 0;) {
		n = fread(buf_reserve(&src->text, 4096), 1, 4096, f);
		src->text.len += n;
	}
	for (const char *p = buf_str(&src->text); *p != '\0';) {
		size_t n = passed_over(p, at_line_start), length = n > 0 ? n : token_length(p);
		if (n == 0)
			mem_push(src->tokens, src->n, src->cap, ((struct token){p, length, line}));
		at_line_start = (at_line_start && n > 0) || *p == '\n';
		for (size_t i = 0; i < length; i++)
			line += p[i] == '\n';
		p += length;
	}
}

/* ---- mistakes ---- */

struct mistake {
	size_t first, n;  /* tokens replaced */
	char becomes[64]; /* the replacement's text */
};

static const struct {
	const char *was, *becomes[3];
} swaps[] = {
	{"<", {"<=", ">="}}, {"<=", {"<", ">"}},  {">", {">=", "<="}},     {">=", {">", "<"}}, {"==", {"!="}},
	{"!=", {"=="}},      {"&&", {"||"}},      {"||", {"&&"}},          {"+=", {"-="}},     {"-=", {"+="}},
	{"true", {"false"}}, {"false", {"true"}}, {"<<", {">>"}},          {">>", {"<<"}},     {"&=", {"|="}},
	{"|=", {"&="}},      {"*=", {"/="}},      {"break", {"continue"}}, {"++", {"--"}},     {"--", {"++"}},
};

/* Does the token end an operand, so that a + or - behind it is binary? */
static bool ends_operand(const struct token *t)
{
	static const char *const words[] = {"return", "case", "sizeof", NULL};
	return (is_name(t) && !is_one_of(t, words)) || isdigit((unsigned char)*t->s) || is(t, ")") || is(t, "]");
}

/* Adds one to a decimal constant. */
static bool raise_constant(const struct token *t, struct mistake *m)
{
	size_t digits = 0;
	while (digits < t->n && isdigit((unsigned char)t->s[digits]))
		digits++;
	if (digits == 0 || digits > 9 || (digits > 1 && *t->s == '0') ||
	    (digits < t->n && strchr("uUlL", t->s[digits]) == NULL))
		return false;
	snprintf(m->becomes, sizeof m->becomes, "%ld%.*s", strtol(t->s, NULL, 10) + 1, (int)(t->n - digits),
	         t->s + digits);
	return true;
}

/*
 * The length in tokens of a statement at i that can be left out: a call, an assignment, a jump. Declarations begin
 * with two names, or a name and a star.
 */
static size_t statement_length(const struct source *src, size_t i)
{
	static const char *const kept[] = {"return",  "goto",   "case",   "default", "else",   "do",
	                                   "if",      "for",    "while",  "switch",  "struct", "const",
	                                   "typedef", "static", "assert", "sizeof",  NULL};
	static const char *const before[] = {";", "{", "}", ")", "else", ":", NULL};
	static const char *const after[] = {"(", "=", "->", ".", "[", "++", "--", "+=", "-=", "|=", "&=", ";", NULL};
	const struct token *t = &src->tokens[i];
	size_t end = i;
	int depth = 0;
	if (i == 0 || i + 1 >= src->n || !is_name(t) || is_one_of(t, kept) || !is_one_of(&t[-1], before) ||
	    !is_one_of(&t[1], after))
		return 0;
	for (; end < src->n && (depth > 0 || !is(&src->tokens[end], ";")); end++) {
		const struct token *at = &src->tokens[end];
		depth += is(at, "(") || is(at, "[");
		depth -= is(at, ")") || is(at, "]");
		if (is(at, "{") || is(at, "}") || depth < 0)
			return 0;
	}
	return end < src->n ? end - i : 0;
}

/* Makes mistake number k at token i; false: there are fewer. */
static bool mistake_at(const struct source *src, size_t i, size_t k, struct mistake *m)
{
	const struct token *t = &src->tokens[i];
	*m = (struct mistake){.first = i, .n = 1};
	for (size_t s = 0; s < sizeof swaps / sizeof *swaps; s++) {
		if (!is(t, swaps[s].was))
			continue;
		if (k >= 3 || swaps[s].becomes[k] == NULL)
			return false;
		snprintf(m->becomes, sizeof m->becomes, "%s", swaps[s].becomes[k]);
		return true;
	}
	if (k > 0)
		return false;
	if ((is(t, "+") || is(t, "-")) && i > 0 && ends_operand(&t[-1])) {
		snprintf(m->becomes, sizeof m->becomes, "%s", is(t, "+") ? "-" : "+");
		return true;
	}
	if (is(t, "!"))
		return true; /* becomes nothing */
	if (raise_constant(t, m))
		return true;
	m->n = statement_length(src, i);
	return m->n > 0;
}

/* Finds the next mistake, from token *i and its alternative *k on, and moves both behind it. */
static bool next_mistake(const struct source *src, size_t *i, size_t *k, struct mistake *m)
{
	for (; *i < src->n; (*i)++, *k = 0)
		if (mistake_at(src, *i, *k, m)) {
			(*k)++;
			return true;
		}
	return false;
}

/* Position of a token among the equal ones in its line. */
static unsigned place_in_line(const struct source *src, size_t i)
{
	const struct token *t = &src->tokens[i];
	unsigned place = 1;
	for (; i-- > 0 && src->tokens[i].line == t->line;)
		place += src->tokens[i].n == t->n && memcmp(src->tokens[i].s, t->s, t->n) == 0;
	return place;
}

static void write_with(const struct source *src, const struct mistake *m)
{
	const struct token *first = &src->tokens[m->first], *last = first + m->n - 1;
	const char *text = src->text.data, *rest = last->s + last->n;
	unsigned place = place_in_line(src, m->first);
	fwrite(text, 1, (size_t)(first->s - text), stdout);
	fputs(m->becomes, stdout);
	fwrite(rest, 1, src->text.len - (size_t)(rest - text), stdout);
	fprintf(stderr, "%u: '", first->line);
	for (const char *p = first->s; p < rest; p++)
		if (*p != '\n' && *p != '\t')
			fputc(*p, stderr);
	fprintf(stderr, "' becomes '%s'", m->becomes);
	fprintf(stderr, place > 1 ? " (number %u)\n" : "\n", place);
}

int main(int argc, char **argv)
{
	struct source src = {.n = 0};
	struct mistake m;
	size_t count = 0, wanted = argc > 2 ? strtoul(argv[2], NULL, 10) : SIZE_MAX;
	FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;
	if (f == NULL) {
		fprintf(stderr, "usage: mutate FILE [N]\n");
		return 2;
	}
	read_source(&src, f);
	fclose(f);
	for (size_t i = 0, k = 0; next_mistake(&src, &i, &k, &m); count++)
		if (count == wanted)
			write_with(&src, &m);
	if (argc == 2)
		printf("%zu\n", count);
	free(src.tokens);
	buf_deinit(&src.text);
	return wanted == SIZE_MAX || wanted < count ? 0 : 1;
}
