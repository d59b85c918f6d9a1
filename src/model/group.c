/*
 * group.c - the labels of functions: module, file, package.
 *
 * The profile says module and file (origin.h). Where it does not, names may: "libc.so.6`read" of DTrace, "f
 * (a.py:12)" of Python's profilers, "org.acme.Pool.get" of Java. Packages come from names alone:
 *
 *	org.acme.Pool.get, org/acme/Pool.get, Lorg/acme/Pool;::get    org.acme    the part before the class
 *	github.com/acme/pool.(*Pool).Get, runtime.mallocgc            github.com/acme/pool, runtime
 *	tokio::runtime::park, <tokio::Handle as Drop>::drop           tokio       the outermost namespace
 */
#include "group.h"

#include <string.h>

#include "base/demangle.h"
#include "base/find.h"
#include "name_place.h"
#include "origin.h"

#define MOST_LOOKS 50000u /* names that a key may look at: some 5 ms */

static const char *const names[N_GROUPS] = {"function", "module", "file", "package"};
static const char *const plurals[N_GROUPS] = {"functions", "modules", "files", "packages"};

const char *group_name(enum group_by by)
{
	return names[by];
}

const char *group_plural(enum group_by by)
{
	return plurals[by];
}

const char *group_noun(enum group_by by, size_t n)
{
	return n == 1 ? names[by] : plurals[by];
}

struct text {
	const char *s;
	size_t n;
};

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A letter, a digit, _, $, - or a byte outside ASCII. */
static bool is_word(char c)
{
	return is_upper(c) || is_digit(c) || (c >= 'a' && c <= 'z') || c == '_' || c == '$' || c == '-' || c & 0x80;
}

/* ---- package ------------------------------------------------------------------------------------------------- */

/* "tokio::runtime::park" -> "tokio"; also after "<", "&" and the like. Empty: no namespace. */
static struct text namespace_of(struct text name)
{
	size_t from = 0, n = 0;
	while (from < name.n && memchr("<&*([ ", name.s[from], 6))
		from++;
	while (from + n < name.n && is_word(name.s[from + n]))
		n++;
	if (!n || from + n + 2 >= name.n || memcmp(name.s + from + n, "::", 2) != 0)
		n = 0;
	return (struct text){name.s + from, n};
}

/* The end of the qualified name: arguments, receivers and type parameters follow. */
static size_t qualified_end(struct text name)
{
	size_t n = 0;
	while (n < name.n && (is_word(name.s[n]) || memchr("./;:~@%", name.s[n], 7)))
		n++;
	return n;
}

/* Does the part between two dots name something? gcc's foo.part.0 and foo.cold have no package. */
static bool is_suffix(struct text part)
{
	static const char *const suffixes[] = {"part", "isra", "constprop", "cold", "lto_priv", "llvm", "clone"};
	if (part.n && is_digit(*part.s))
		return true;
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
		if (part.n == strlen(suffixes[i]) && memcmp(part.s, suffixes[i], part.n) == 0)
			return true;
	return false;
}

/*
 * Length of the package in names with dots: up to the class, which begins with a capital, else up to the last dot
 * (Go). 0: none.
 */
static size_t dotted_package(struct text name, size_t from, bool *has_class)
{
	size_t last = 0, n = qualified_end(name);
	*has_class = false;
	for (size_t i = from, start = from; i <= n; i++) {
		if (i < n && name.s[i] != '.')
			continue;
		if (start > from && is_suffix((struct text){name.s + start, i - start}))
			return 0;
		if (start < i && is_upper(name.s[start]) && i < n) {
			*has_class = true;
			return start > from ? start - 1 : 0;
		}
		if (i < n && i > start)
			last = i;
		start = i + 1;
	}
	return last;
}

/* "Lorg/acme/Pool;::get" and "org/acme/Pool.get": the part before the last slash, if a class follows. */
static struct text slashed_package(struct text name)
{
	size_t end = qualified_end(name);
	const char *slash = end ? find_last(name.s, '/', end) : NULL;
	bool has_mark = name.n > 1 && *name.s == 'L' && find_bytes(name.s, name.n, ";::", 3);
	size_t n = slash ? (size_t)(slash - name.s) : 0;
	if (!slash || n + 1 >= name.n || *name.s == '/')
		return (struct text){name.s, 0};
	if (has_mark || is_upper(slash[1]))
		return (struct text){name.s + has_mark, n - has_mark};
	/* Go: github.com/acme/pool.Get */
	struct text rest = {slash + 1, end - n - 1};
	const char *dot = memchr(rest.s, '.', rest.n);
	return (struct text){name.s, dot ? (size_t)(dot - name.s) : 0};
}

static bool is_java(struct text name)
{
	struct text slashed = slashed_package(name);
	bool has_class;
	if (slashed.n)
		return name.s[slashed.n + (slashed.s > name.s)] == '/';
	return !memchr(name.s, '/', name.n) && dotted_package(name, 0, &has_class) > 0 && has_class;
}

/*
 * A C++ template's name begins with what it returns: "void foo::bar<int>(int)" -> "foo::bar<int>(int)". Operators
 * have blanks in their names; those keep them.
 */
static struct text without_return_type(struct text name)
{
	size_t from = 0, depth = 0;
	for (size_t i = 0; i < name.n && (depth > 0 || name.s[i] != '('); i++) {
		depth += name.s[i] == '<';
		depth -= name.s[i] == '>' && depth > 0;
		if (name.s[i] == ' ' && depth == 0 && i + 1 < name.n && name.s[i + 1] != '(')
			from = i + 1;
	}
	struct text rest = {name.s + from, name.n - from};
	bool is_type = from > 0 && !find_bytes(name.s, name.n, "operator", 8) && namespace_of(rest).n > 0;
	return is_type ? rest : name;
}

static struct text package_of(struct text name)
{
	name = without_return_type(name);
	struct text found = namespace_of(name);
	bool has_class;
	if (found.n)
		return found;
	found = slashed_package(name);
	if (found.n || memchr(name.s, '/', qualified_end(name)) || find_bytes(name.s, name.n, ".py:", 4))
		return found;
	return (struct text){name.s, dotted_package(name, 0, &has_class)};
}

/* Java writes packages with dots and with slashes. */
static void add_package(struct buf *out, struct text name, struct text package)
{
	size_t from = out->len;
	bool has_slashes = is_java(name);
	buf_add(out, package.s, package.n);
	for (size_t i = from; has_slashes && i < out->len; i++)
		if (out->data[i] == '/')
			out->data[i] = '.';
}

static bool add_package_label(const struct symbol *s, struct buf *out)
{
	struct text name = {s->name, symbol_bare_length(s->name, s->len)};
	struct buf plain;
	buf_init(&plain);
	if (name.n > 2 && *name.s == '_' && demangle(name.s, name.n, &plain))
		name = (struct text){plain.data, plain.len};
	struct text package = name.n && *name.s != '[' ? package_of(name) : (struct text){name.s, 0};
	add_package(out, name, package);
	buf_deinit(&plain);
	return package.n > 0;
}

/* ---- module and file ----------------------------------------------------------------------------------------- */

/* "compute (src/model.py:12)" */
static struct text file_of_name(const struct symbol *s)
{
	struct name_place place;
	return name_place(s->name, s->len, &place) ? (struct text){place.file, place.file_len}
	                                           : (struct text){s->name, 0};
}

/* A script is a module: "src/model.py", "node:fs", "https://host/app.js". */
static bool add_script(struct text file, struct buf *out)
{
	static const char *const suffixes[] = {"js", "mjs", "cjs", "ts", "tsx", "jsx",
	                                       "py", "rb",  "php", "pl", "lua", "R"};
	size_t n;
	const char *base = origin_base(file.s, file.n, &n), *dot = n ? find_last(base, '.', n) : NULL;
	bool is_script = file.n > 5 && memcmp(file.s, "node:", 5) == 0;
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes && dot && !is_script; i++)
		is_script = strlen(suffixes[i]) == n - (size_t)(dot + 1 - base) &&
		            memcmp(dot + 1, suffixes[i], strlen(suffixes[i])) == 0;
	if (is_script)
		buf_add(out, base, n);
	return is_script;
}

/* "libc.so.6`read", "[libc.so.6]", a function of the kernel, "org.acme.Pool.get". */
static bool add_module_of_name(const struct symtab *t, uint32_t sym, struct buf *out)
{
	const struct symbol *s = &t->symbols[sym];
	struct text name = {s->name, s->len};
	const char *tick = name.n ? memchr(name.s, '`', name.n) : NULL;
	if (tick && tick > name.s && *name.s != '[') {
		buf_add(out, name.s, (size_t)(tick - name.s));
		return true;
	}
	if (name.n > 2 && *name.s == '[' && name.s[name.n - 1] == ']' && find_bytes(name.s, name.n, ".so", 3)) {
		buf_add(out, name.s + 1, name.n - 2);
		return true;
	}
	if (symtab_kind(t, sym) == KIND_KERNEL) {
		buf_adds(out, "[kernel]");
		return true;
	}
	return name.n && *name.s != '[' && is_java(name) && add_package_label(s, out);
}

static struct text file_of(const struct symtab *t, uint32_t sym, uint32_t source)
{
	uint64_t line;
	struct text file = {t->symbols[source].name, source ? origin_place(t, sym, &line) : 0};
	return file.n ? file : file_of_name(&t->symbols[sym]);
}

static void add_module(const struct symtab *t, uint32_t sym, uint32_t module, uint32_t source, struct buf *out)
{
	const struct symbol *m = &t->symbols[module];
	size_t n;
	const char *base = origin_base(m->name, m->len, &n);
	if (n)
		buf_add(out, base, n);
	else if (!add_script(file_of(t, sym, source), out) && !add_module_of_name(t, sym, out))
		buf_adds(out, "[unknown module]");
}

static void add_file(const struct symtab *t, uint32_t sym, uint32_t source, struct buf *out)
{
	struct text file = file_of(t, sym, source);
	if (file.n)
		buf_add(out, file.s, file.n);
	else
		buf_adds(out, "[unknown file]");
}

/* ---- labels -------------------------------------------------------------------------------------------------- */

uint32_t group_key(const struct symtab *t, uint32_t sym, enum group_by by, enum group_of of)
{
	const struct symbol *s = &t->symbols[sym];
	if (of == OF_ORIGIN && !symtab_is_variant(t, sym))
		return 0;
	return by == BY_FILE ? s->source : s->module;
}

bool group_add_label(const struct symtab *t, uint32_t sym, enum group_by by, enum group_of of, struct buf *out)
{
	const struct symbol *s = &t->symbols[sym];
	bool is_known = of == OF_NAME || symtab_is_variant(t, sym);
	uint32_t module = is_known ? s->module : 0, source = is_known ? s->source : 0;
	if (frame_is_state(s->name, s->len))
		return false;
	if (s->kind == KIND_PROCESS && (of == OF_NAME || symtab_is_variant(t, sym)))
		return false;
	switch (by) {
	case BY_MODULE:
		add_module(t, sym, module, source, out);
		return true;
	case BY_FILE:
		add_file(t, sym, source, out);
		return true;
	case BY_PACKAGE:
		if (!add_package_label(s, out))
			add_module(t, sym, module, source, out);
		return true;
	case BY_FUNCTION:
	case N_GROUPS:
		break;
	}
	buf_add(out, s->name, s->len);
	return true;
}

bool group_is_known(const struct symtab *t, enum group_by by)
{
	struct buf label;
	uint32_t step = 1 + (uint32_t)(t->n / MOST_LOOKS);
	bool is_known = by == BY_FUNCTION;
	buf_init(&label);
	for (uint32_t i = 1; i < t->n && !is_known; i += step) {
		label.len = 0;
		if (by == BY_PACKAGE)
			is_known = t->symbols[i].kind != KIND_PROCESS && add_package_label(&t->symbols[i], &label);
		else
			is_known = group_add_label(t, i, by, OF_NAME, &label) && strncmp(buf_str(&label), "[unknown ", 9) != 0;
	}
	buf_deinit(&label);
	return is_known;
}
