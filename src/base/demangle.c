/*
 * demangle.c - C++ and Rust symbols as their authors wrote them.
 *
 *	_ZNSt6vectorIiSaIiEE9push_backERKi        std::vector<int, std::allocator<int> >::push_back(int const&)
 *	_RNvCs1234_7mycrate3foo                   mycrate::foo
 *	_ZN4core3fmt5write17h0123456789abcdefE    core::fmt::write
 *	_ZNSolsEi@plt                             std::ostream::operator<<(int)@plt
 *
 * libiberty knows the grammars but sets no limit: a mangled name may refer back to its own parts, so that 260 bytes
 * expand to a gigabyte. Its callback interface hands the text over piece by piece and keeps everything on the
 * stack; once the text exceeds the length of any sane name, we jump out of the callback.
 */
#include "base/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <string.h>

/* Longer names stay mangled. The library refuses C++ names of more than 1024 bytes. */
#define MANGLED_MAX 4096
#define PLAIN_MAX 4096
/*
 * Many short names, each of which expands to the longest, would make gigabytes of a small file. So the plain form
 * may have so many bytes for each mangled one. Of 74,000 names in LLVM and libstdc++ one exceeds this; the mean is
 * 1.5.
 */
#define PLAIN_PER_BYTE 20u
#define PLAIN_FREE 512u

struct sink {
	size_t n, pieces; /* pieces may be empty: they cost time but add no text */
	size_t most;      /* of both */
	bool is_too_long;
	jmp_buf too_long;
	char text[PLAIN_MAX];
};

static void append(const char *piece, size_t n, void *arg)
{
	struct sink *sink = arg;
	if (n > sink->most - sink->n || sink->pieces++ == sink->most)
		longjmp(sink->too_long, 1);
	if (n == 0)
		return;
	memcpy(sink->text + sink->n, piece, n);
	sink->n += n;
}

/* LLVM adds ".llvm.1A2B" to what it makes global. libiberty of binutils 2.35 does not know this of Rust. */
static bool expand_rust(char *name, int style, struct sink *sink)
{
	char *suffix = strstr(name, ".llvm.");
	bool is_cut = suffix && !suffix[6 + strspn(suffix + 6, "0123456789ABCDEF")];
	if (is_cut)
		*suffix = '\0';
	bool ok = rust_demangle_callback(name, style & DMGL_PARAMS, append, sink) != 0;
	if (is_cut)
		*suffix = '.';
	return ok;
}

/* Rust first: a legacy Rust name is also a valid C++ name, with the hash as its last part. */
static bool expand(char *name, int style, struct sink *sink)
{
	if (setjmp(sink->too_long) != 0) {
		sink->is_too_long = true;
		return false;
	}
	sink->n = sink->pieces = 0;
	if (expand_rust(name, style, sink))
		return true;
	sink->n = 0;
	return name[1] == 'Z' && cplus_demangle_v3_callback(name, style, append, sink) != 0;
}

/* Skips to "_Z" or "_R": some systems put one or two underscores before every symbol. NULL: not a mangled name. */
static const char *skip_underscores(const char *name, const char *end)
{
	const char *first = name;
	while (name < end && *name == '_')
		name++;
	if (end - name < 2 || name == first)
		return NULL;
	if (*name == 'Z' && name - first <= 3)
		return name - 1;
	return *name == 'R' && name - first <= 2 ? name - 1 : NULL;
}

static size_t most_bytes(size_t mangled)
{
	size_t most = mangled * PLAIN_PER_BYTE > PLAIN_FREE ? mangled * PLAIN_PER_BYTE : PLAIN_FREE;
	return most < PLAIN_MAX ? most : PLAIN_MAX;
}

/* *is_too_long: the plain form has more bytes than it may have, or the mangled one is too long for an attempt. */
static bool demangle_as(const char *mangled, size_t len, int style, struct buf *out, bool *is_too_long)
{
	const char *end = mangled + len;
	const char *name = skip_underscores(mangled, end);
	char text[MANGLED_MAX];
	struct sink sink;
	*is_too_long = false;
	if (!name)
		return false;
	/* The linker adds "@plt" and "@@GLIBCXX_3.4"; they are not part of the grammar. */
	const char *at = memchr(name, '@', (size_t)(end - name));
	size_t n = (size_t)((at ? at : end) - name);
	*is_too_long = n >= sizeof text;
	if (*is_too_long || memchr(name, '\0', n) != NULL)
		return false;
	memcpy(text, name, n);
	text[n] = '\0';
	sink.most = most_bytes(n);
	sink.is_too_long = false;
	bool is_plain = expand(text, style, &sink) && sink.n > 0;
	*is_too_long = sink.is_too_long;
	if (!is_plain)
		return false;
	buf_add(out, sink.text, sink.n);
	if (at)
		buf_add(out, at, (size_t)(end - at));
	return true;
}

bool demangle(const char *mangled, size_t len, struct buf *out)
{
	bool is_too_long;
	return demangle_as(mangled, len, DMGL_PARAMS | DMGL_ANSI, out, &is_too_long);
}

bool demangle_name(const char *mangled, size_t len, struct buf *out, bool *is_too_long)
{
	return demangle_as(mangled, len, DMGL_NO_OPTS, out, is_too_long);
}
