/*
 * label.c - shortens names, dropping the least informative parts first.
 *
 *	bool std::map<int, std::string>::insert(std::pair<int const, std::string>&&)
 *	std::map<int, std::string>::insert      drops parameters and the return type
 *	std::map<..>::insert                    drops template arguments
 *	..map<..>::insert                       drops leading namespaces, as few as possible
 *	..insert
 *	ins..                                   last, drops the end
 *
 * Each step runs only if the one before is not enough. Rust's <T as Trait>::method keeps the type and first loses
 * the trait; Java packages and directories count as namespaces. The text is clean (display_name), so columns can be
 * counted; brackets inside operator names do not count as brackets.
 */
#include "label.h"

#include <string.h>

#include "base/find.h"
#include "base/utf8.h"

struct label_text {
	const char *s;
	size_t len;
};

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
	       (c & 0x80);
}

/* Length of "operator<<" and the like at i, 0 if there is none. */
static size_t operator_at(struct label_text t, size_t i)
{
	static const char word[] = "operator";
	size_t n = sizeof word - 1;
	if (t.len - i < n + 1 || memcmp(t.s + i, word, n) != 0 || (i && is_word(t.s[i - 1])) || is_word(t.s[i + n]))
		return 0;
	if (t.len - i > n + 1 && (memcmp(t.s + i + n, "()", 2) == 0 || memcmp(t.s + i + n, "[]", 2) == 0))
		return n + 2;
	size_t signs = strspn(t.s + i + n, "<>=-+*/%^&|~!,");
	return n + (signs > t.len - i - n ? t.len - i - n : signs);
}

static bool is_arrow(struct label_text t, size_t i)
{
	return t.s[i] == '>' && i && (t.s[i - 1] == '-' || t.s[i - 1] == '=');
}

/* Offset past the bracket that closes the one at i; the end of the text if none does. */
static size_t past_group(struct label_text t, size_t i)
{
	size_t depth = 0;
	while (i < t.len) {
		size_t op = operator_at(t, i);
		if (op) {
			i += op;
			continue;
		}
		if (strchr("<([{", t.s[i]))
			depth++;
		else if (strchr(">)]}", t.s[i]) && !is_arrow(t, i) && --depth == 0)
			return i + 1;
		i++;
	}
	return t.len;
}

/*
 * Offset of a parameter list at the end: "f(int) const" gives 1; the length if there is none. Parentheses before
 * the last "::" belong to a qualifier such as (anonymous namespace).
 */
static size_t parameters_at(struct label_text t)
{
	size_t found = t.len;
	for (size_t i = 0; i < t.len;) {
		size_t op = operator_at(t, i);
		if (op) {
			i += op;
		} else if (t.s[i] == '(' || t.s[i] == '<' || t.s[i] == '[' || t.s[i] == '{') {
			size_t past = past_group(t, i);
			if (t.s[i] == '(' && i && found == t.len)
				found = i;
			i = past;
		} else {
			if (t.s[i] == ':' || t.s[i] == '.' || t.s[i] == '/')
				found = t.len;
			i++;
		}
	}
	return found;
}

/*
 * Offset of the name after a return type: "void java.util.List.add" gives 5. Leading words are a type only if there
 * were parameters or the rest is qualified; "GC Thread" is a name of two words.
 */
static size_t after_type(struct label_text t, bool had_parameters)
{
	static const char word[] = "operator";
	size_t n = sizeof word - 1, found = 0;
	for (size_t i = 0; i < t.len;) {
		size_t op = operator_at(t, i);
		if (op) {
			i += op;
		} else if (strchr("<([{", t.s[i])) {
			i = past_group(t, i);
		} else {
			bool is_conversion = i >= n && memcmp(t.s + i - n, word, n) == 0;
			if (t.s[i] == ' ' && !is_conversion && i + 1 < t.len && (is_word(t.s[i + 1]) || t.s[i + 1] == '('))
				found = i + 1;
			else if (t.s[i] == ' ')
				had_parameters = false; /* "operator bool", "f const": any words in front are not a return type */
			i++;
		}
	}
	if (!found)
		return 0;
	struct label_text rest = {t.s + found, t.len - found};
	return had_parameters || find_bytes(rest.s, rest.len, "::", 2) || memchr(rest.s, '.', rest.len) ? found : 0;
}

static void add_mark(struct buf *out, bool ascii)
{
	buf_adds(out, ascii ? ".." : "\xE2\x80\xA6");
}

/* "<T as Trait>" keeps "<T>": the offset of " as " at the group's own level, or 0. */
static size_t trait_at(struct label_text t, size_t from, size_t to)
{
	for (size_t i = from + 1; i + 4 < to;) {
		if (strchr("<([{", t.s[i])) {
			i = past_group(t, i);
			continue;
		}
		if (memcmp(t.s + i, " as ", 4) == 0)
			return i;
		i++;
	}
	return 0;
}

/* Copies t, replacing text in angle brackets with a mark. */
static void drop_arguments(struct buf *out, struct label_text t, bool ascii)
{
	for (size_t i = 0; i < t.len;) {
		size_t op = operator_at(t, i);
		if (op) {
			buf_add(out, t.s + i, op);
			i += op;
			continue;
		}
		if (t.s[i] != '<') {
			buf_addc(out, t.s[i++]);
			continue;
		}
		size_t past = past_group(t, i), as = i == 0 ? trait_at(t, i, past) : 0;
		bool is_closed = t.s[past - 1] == '>';
		if (as || past - i < 5) { /* "<T as Trait>"; "<T>" is short enough */
			buf_add(out, t.s + i, (as ? as : past) - i);
			if (as && is_closed)
				buf_addc(out, '>');
		} else {
			buf_addc(out, '<');
			add_mark(out, ascii);
			if (is_closed)
				buf_addc(out, '>');
		}
		i = past;
	}
}

/* Dots separate packages in Java and Go, but also suffixes of compilers (f.isra.0, f.cold) and library versions. */
static bool has_packages(struct label_text t)
{
	static const char *const marks[] = {".isra",     ".part", ".constprop", ".cold",
	                                    ".lto_priv", ".llvm", ".so",        ".clone"};
	unsigned dots = 0;
	for (size_t i = 0; i < t.len; i++) {
		if (t.s[i] == ' ' || t.s[i] == ':')
			return false;
		if (t.s[i] != '.')
			continue;
		dots++;
		if (i + 1 == t.len || !is_word(t.s[i + 1]) || (t.s[i + 1] >= '0' && t.s[i + 1] <= '9'))
			return false;
		for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
			size_t n = strlen(marks[k]);
			if (t.len - i >= n && memcmp(t.s + i, marks[k], n) == 0 && (t.len - i == n || !is_word(t.s[i + n])))
				return false;
		}
	}
	return dots >= 2;
}

/* Start of the next component after i, outside brackets; the length if there is none. */
static size_t next_component(struct label_text t, size_t i, bool has_dots)
{
	while (i < t.len) {
		size_t op = operator_at(t, i);
		if (op)
			i += op;
		else if (strchr("<([{", t.s[i]))
			i = past_group(t, i);
		else if (t.s[i] == ':' && i + 2 < t.len && t.s[i + 1] == ':')
			return i + 2;
		else if ((t.s[i] == '`' || t.s[i] == '/' || (has_dots && t.s[i] == '.')) && i + 1 < t.len)
			return i + 1;
		else
			i++;
	}
	return t.len;
}

static bool fits(struct label_text t, size_t columns)
{
	return utf8_columns(t.s, t.len) <= columns;
}

/* Drops as few leading components as possible. false: even the last one is too long. */
static bool drop_components(struct buf *out, struct label_text t, size_t columns, bool ascii)
{
	size_t mark = ascii ? 2 : 1, last = 0, left = utf8_columns(t.s, t.len);
	bool has_dots = has_packages(t);
	for (size_t at; (at = next_component(t, last, has_dots)) < t.len; last = at) {
		left -= utf8_columns(t.s + last, at - last);
		if (columns <= mark || left > columns - mark)
			continue;
		add_mark(out, ascii);
		buf_add(out, t.s + at, t.len - at);
		return true;
	}
	if (!last || left > columns)
		return false;
	buf_add(out, t.s + last, t.len - last);
	return true;
}

/* Appends the start of the last component and a mark. */
static void cut_end(struct buf *out, struct label_text t, size_t columns, bool ascii)
{
	size_t mark = ascii ? 2 : 1, at = 0;
	bool has_dots = has_packages(t);
	for (size_t next = 0; (next = next_component(t, next, has_dots)) < t.len;)
		at = next;
	buf_add(out, t.s + at, utf8_fit(t.s + at, t.len - at, columns - mark));
	add_mark(out, ascii);
}

static void shorten(struct buf *out, struct label_text t, size_t columns, bool ascii)
{
	struct buf plain;
	size_t whole = t.len;
	t.len = parameters_at(t);
	while (t.len && t.s[t.len - 1] == ' ')
		t.len--;
	size_t type = after_type(t, t.len < whole);
	t = (struct label_text){t.s + type, t.len - type};
	if (fits(t, columns)) {
		buf_add(out, t.s, t.len);
		return;
	}
	buf_init(&plain);
	drop_arguments(&plain, t, ascii);
	t = (struct label_text){buf_str(&plain), plain.len};
	if (fits(t, columns))
		buf_add(out, t.s, t.len);
	else if (!drop_components(out, t, columns, ascii))
		cut_end(out, t, columns, ascii);
	buf_deinit(&plain);
}

void label_fit(struct buf *out, const struct display_name *name, size_t columns, bool ascii)
{
	size_t len = name->len;
	while (len && name->text[len - 1] == ' ') /* left over where profilers drop parameters */
		len--;
	if (name->columns - (name->len - len) <= columns)
		buf_add(out, name->text, len);
	else if (columns >= 3)
		shorten(out, (struct label_text){name->text, name->len}, columns, ascii);
}
