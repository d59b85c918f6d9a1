/*
 * pprof_drop.c - matches drop_frames and keep_frames against function names as `go tool pprof` does.
 *
 * A pattern must match the whole name, case-sensitively, without a leading dot (of functions on PowerPC) and
 * without parameters: "ns::f(int)" is "ns::f". Names that match `keep` are not dropped.
 *
 * The patterns come from the file, and are of RE2, which knows no look-around, references, possessive repeats or
 * verbs. PCRE2 does, and takes long for some of them, so a pattern that has one is no valid one.
 */
#include "collapse/formats/pprof_drop.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "model/match.h"

struct pprof_drop {
	struct match *drop, *keep; /* keep: NULL if there is none */
};

/* The name up to its parameters. The parentheses of "(anonymous namespace)" and "operator()" are part of a name. */
static struct slice without_parameters(struct slice name)
{
	static const char anonymous[] = "(anonymous namespace)";
	for (size_t at = 0; at < name.n; at++) {
		if (name.s[at] != '(')
			continue;
		if (slice_ends(slice_head(name, at), "operator") && slice_starts(slice_from(name, at), "()"))
			at++;
		else if (slice_starts(slice_from(name, at), anonymous))
			at += sizeof anonymous - 2;
		else
			return slice_head(name, at);
	}
	return name;
}

#define PATTERN_MOST 65536u /* bytes; those of runtimes have some hundreds */

/* Skips a class of characters, "[^]a-z[:alpha:]\]]", whose bracket has been taken. */
static void skip_class(struct slice *rest)
{
	slice_take(rest, "^");
	slice_take(rest, "]");
	while (rest->n && *rest->s != ']') {
		size_t n = *rest->s == '\\' ? 2 : 1;
		if (slice_starts(*rest, "[:") && slice_has(*rest, ":]"))
			n = slice_find(*rest, ":]") + 2;
		*rest = slice_from(*rest, n < rest->n ? n : rest->n);
	}
	slice_take(rest, "]");
}

/* "?:", "?i)", "?i-s:", "?P<name>", "?<name>", behind an opening parenthesis */
static bool is_group_of_re2(struct slice rest)
{
	if (!rest.n || *rest.s != '?')
		return !rest.n || *rest.s != '*';
	rest = slice_from(rest, 1);
	while (rest.n && memchr("imsU-", *rest.s, 5))
		rest = slice_from(rest, 1);
	if (slice_take(&rest, ":") || slice_take(&rest, ")") || slice_take(&rest, "P<"))
		return true;
	return slice_take(&rest, "<") && rest.n && *rest.s != '=' && *rest.s != '!';
}

static bool is_escape_of_re2(char letter)
{
	return !(letter >= '1' && letter <= '9') && !memchr("CGHKNRVXghk", letter, 11);
}

static bool is_of_re2(struct slice rest)
{
	while (rest.n) {
		char c = *rest.s;
		rest = slice_from(rest, 1);
		if (c == '[')
			skip_class(&rest);
		else if (c == '\\' && rest.n && !is_escape_of_re2(*rest.s))
			return false;
		else if (c == '\\' && rest.n)
			rest = slice_from(rest, 1);
		else if (c == '(' && !is_group_of_re2(rest))
			return false;
		else if ((c == '*' || c == '+' || c == '?' || c == '}') && slice_starts(rest, "+"))
			return false;
	}
	return true;
}

static struct match *whole_name(struct slice pattern, struct err *err)
{
	struct buf text;
	if (pattern.n > PATTERN_MOST) {
		fail(err, "it is longer than %u KiB", PATTERN_MOST / 1024);
		return NULL;
	}
	if (!is_of_re2(pattern)) {
		fail(err, "it is no pattern of RE2, which go tool pprof has");
		return NULL;
	}
	buf_init(&text);
	buf_addf(&text, "(?-i)^(%.*s)\\z", (int)pattern.n, pattern.s);
	struct match *m = match_new(buf_str(&text), MATCH_REGEX, err);
	if (m)
		match_limit_all(m, MATCH_LIMIT_FILE);
	buf_deinit(&text);
	return m;
}

struct pprof_drop *pprof_drop_new(struct slice drop, struct slice keep, struct err *err)
{
	struct pprof_drop *d = mem_zalloc(1, sizeof *d);
	d->drop = whole_name(drop, err);
	d->keep = d->drop && keep.n ? whole_name(keep, err) : NULL;
	if (d->drop && (d->keep || !keep.n))
		return d;
	pprof_drop_free(d);
	return NULL;
}

void pprof_drop_free(struct pprof_drop *d)
{
	if (!d)
		return;
	match_free(d->drop);
	match_free(d->keep);
	free(d);
}

bool pprof_drops(struct pprof_drop *d, struct slice name)
{
	if (!name.n)
		return false;
	slice_take(&name, ".");
	name = without_parameters(name);
	return match_name(d->drop, name.s, name.n) && !(d->keep && match_name(d->keep, name.s, name.n));
}

uint64_t pprof_drop_exceeded(const struct pprof_drop *d)
{
	return match_exceeded(d->drop) + (d->keep ? match_exceeded(d->keep) : 0);
}
