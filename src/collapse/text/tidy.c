/*
 * tidy.c - turns names as profilers print them into names that people want to read.
 *
 * Symbol printers have three habits:
 *
 *	_$LT$std..fs..File$u20$as$u20$std..io..Read$GT$::read::h5d84059cf335c8e6   Rust before v0 mangling, demangled
 *	                                                                          as if it were C++: the hash and the
 *	                                                                          escapes are left over
 *	std::vector<int, A<int> >::push_back(int const&)                          C++ with its parameter list
 *	com.acme.db.Pool.borrow                                                   Java with its package
 *
 * All functions look at each byte once and allocate nothing.
 */
#include "collapse/text/tidy.h"

#include <string.h>

#include "collapse/text/lines.h"

#define RUST_HASH_LEN 17 /* 'h' and 16 hex digits */

static bool ends_in_rust_hash(const char *name, size_t len)
{
	if (len < RUST_HASH_LEN || name[len - RUST_HASH_LEN] != 'h')
		return false;
	for (size_t i = len - RUST_HASH_LEN + 1; i < len; i++) {
		if (!is_hex_byte(name[i]))
			return false;
	}
	return true;
}

static const struct rust_escape {
	const char *code;
	char meaning;
} rust_escapes[] = {
	{"$SP$", '@'},  {"$BP$", '*'},  {"$RF$", '&'},  {"$LT$", '<'},   {"$GT$", '>'},  {"$LP$", '('},  {"$RP$", ')'},
	{"$C$", ','},   {"$u7e$", '~'}, {"$u20$", ' '}, {"$u27$", '\''}, {"$u3d$", '='}, {"$u5b$", '['}, {"$u5d$", ']'},
	{"$u7b$", '{'}, {"$u7d$", '}'}, {"$u3b$", ';'}, {"$u2b$", '+'},  {"$u21$", '!'}, {"$u22$", '"'},
};

/* The length of the escape at s, 0 if there is none. */
static size_t rust_escape(const char *s, size_t n, char *meaning)
{
	for (size_t i = 0; i < sizeof rust_escapes / sizeof *rust_escapes; i++) {
		size_t len = strlen(rust_escapes[i].code);
		if (len <= n && !memcmp(s, rust_escapes[i].code, len)) {
			*meaning = rust_escapes[i].meaning;
			return len;
		}
	}
	return 0;
}

bool tidy_rust(struct buf *out, const char *name, size_t len)
{
	if (!ends_in_rust_hash(name, len))
		return false;
	len -= RUST_HASH_LEN;
	if (len >= 2 && name[len - 1] == ':' && name[len - 2] == ':')
		len -= 2;
	buf_reserve(out, len + 1); /* a name that is only a hash becomes empty, not NULL */
	/* printers put an underscore before a name that begins with an escape */
	size_t i = len >= 2 && name[0] == '_' && name[1] == '$';
	while (i < len) {
		char c = name[i];
		if (c == '.' && i + 1 < len && name[i + 1] == '.') {
			buf_add(out, "::", 2);
			i += 2;
			continue;
		}
		if (c != '$') {
			buf_addc(out, c);
			i++;
			continue;
		}
		size_t n = rust_escape(name + i, len - i, &c);
		if (!n) {
			/* an unknown encoding: the rest may mean anything */
			buf_add(out, name + i, len - i);
			break;
		}
		buf_addc(out, c);
		i += n;
	}
	return true;
}

static bool has_at(const char *s, size_t n, const char *what, size_t what_len)
{
	return what_len <= n && !memcmp(s, what, what_len);
}

size_t tidy_operator(const char *name, size_t len, size_t at)
{
	/* longest first; operators without brackets need no care */
	static const char signs[][4] = {"<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "()", "[]", "<", ">"};
	static const char word[] = "operator";
	size_t word_len = sizeof word - 1;

	if (!has_at(name + at, len - at, word, word_len) || (at && is_word_byte(name[at - 1])))
		return 0;
	const char *rest = name + at + word_len;
	size_t left = len - at - word_len;
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
		size_t n = strlen(signs[i]);
		if (has_at(rest, left, signs[i], n))
			return word_len + n;
	}
	return 0;
}

size_t tidy_find_outside(const char *text, size_t len, const char *what)
{
	size_t n = strlen(what);
	long depth = 0;
	for (size_t i = 0; i < len; i++) {
		size_t sign = text[i] == 'o' ? tidy_operator(text, len, i) : 0;
		if (sign)
			i += sign - 1;
		else if (strchr("<{[(", text[i]))
			depth++;
		else if (strchr(">}])", text[i]))
			depth--;
		else if (depth <= 0 && len - i >= n && memcmp(text + i, what, n) == 0)
			return i;
	}
	return len;
}

/* Offset behind the brackets at `open`. */
static size_t behind_brackets(const char *name, size_t len, size_t open)
{
	long depth = 0;
	for (size_t i = open; i < len; i++) {
		depth += (name[i] == '(') - (name[i] == ')');
		if (!depth)
			return i + 1;
	}
	return len;
}

/* Offset behind the next " in " outside brackets; 0: there is none. */
static size_t behind_in(const char *name, size_t len, size_t from)
{
	for (size_t i = from; i < len; i++) {
		if (name[i] == '(')
			i = behind_brackets(name, len, i) - 1;
		else if (has_at(name + i, len - i, " in ", 4))
			return i + 4;
	}
	return 0;
}

/*
 * Where the name goes on behind the brackets at `open`; 0: they are its parameters. They are not in
 *
 *	f(int) const::{lambda()#2}::operator()() const
 *	(extension in Foundation):Swift.String.f() -> Int
 *	closure #1 (Int) -> () in App.f(x:)
 *	decltype(auto) f<int>(int)
 */
static size_t goes_on(const char *name, size_t len, size_t open)
{
	static const char *const qualifiers[] = {" const", " volatile", " &&", " &"};
	size_t end = behind_brackets(name, len, open), at = end;
	for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; i++) {
		if (has_at(name + at, len - at, qualifiers[i], strlen(qualifiers[i])))
			at += strlen(qualifiers[i]);
	}
	struct slice before = {name, open};
	if (!open || slice_ends(before, "decltype") || slice_ends(before, "decltype ") ||
	    has_at(name + end, len - end, ":", 1) || has_at(name + at, len - at, "::", 2))
		return end;
	return behind_in(name, len, end);
}

static size_t parameters_start(const char *name, size_t len, bool is_whole)
{
	static const char anonymous[] = "(anonymous namespace)";
	/* most names have no parameters, and memchr is much faster than the walk */
	const char *first = memchr(name, '(', len);
	if (!first)
		return len;

	long depth = 0;
	for (size_t i = 0; i < len; i++) {
		switch (name[i]) {
		case '<':
		case '{':
		case '[':
			depth++;
			break;
		case '>':
		case '}':
		case ']':
		case ')':
			depth--;
			break;
		case '(':
			if (depth == 0 && !(i && name[i - 1] == '.') &&
			    !has_at(name + i, len - i, anonymous, sizeof anonymous - 1)) {
				size_t next = is_whole ? goes_on(name, len, i) : 0;
				if (!next)
					return i;
				i = next - 1;
				break;
			}
			depth++;
			break;
		case 'o': {
			size_t n = tidy_operator(name, len, i);
			if (n && (is_whole || name[i + n - 1] != ')'))
				i += n - 1;
			break;
		}
		default:
			break;
		}
	}
	return len;
}

/* Cuts "operator()" as any other name: the reference tools call it "operator". */
size_t tidy_parameters(const char *name, size_t len)
{
	return parameters_start(name, len, false);
}

size_t tidy_signature(const char *name, size_t len)
{
	return parameters_start(name, len, true);
}

/* Start of the last two components ("Pool.borrow"); 0 if there are no more than two. */
static size_t class_start(const char *name, size_t len)
{
	size_t i = len;
	for (int parts = 0; i > 0; i--) {
		if ((name[i - 1] == '.' || name[i - 1] == '/') && ++parts == 2)
			break;
	}
	return i;
}

void tidy_java_package(struct buf *out, const char *name, size_t len)
{
	size_t start = class_start(name, len);
	for (size_t i = 0; i < start; i++) {
		if (!is_word_byte(name[i]) || i == 0 || !is_word_byte(name[i - 1]))
			buf_addc(out, name[i]);
	}
	buf_add(out, name + start, len - start);
}

/* "alpha<fn() -> u64>": Rust and Swift write types of results between blanks, chains have none. */
static bool is_result(struct slice text, size_t at)
{
	return at && is_blank_byte(text.s[at - 1]) && at + 2 < text.n && is_blank_byte(text.s[at + 2]);
}

size_t tidy_chain_end(struct slice text)
{
	for (size_t from = 0;;) {
		size_t at = slice_find(slice_from(text, from), "->");
		if (at == SIZE_MAX)
			return text.n;
		at += from;
		if (!slice_ends(slice_head(text, at), "operator") && !is_result(text, at))
			return at;
		from = at + 2;
	}
}
