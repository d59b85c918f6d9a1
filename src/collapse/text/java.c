/*
 * java.c - parses frames as Java virtual machines print them.
 */
#include "collapse/text/java.h"

#include "base/buf.h"
#include "collapse/text/tidy.h"

/* The frame's symbol. */
static uint32_t java_frame(struct sink *sink, struct slice name)
{
	if (!sink->options->shorten_pkgs)
		return sink_frame(sink, name.s, name.n);
	struct buf shortened;
	buf_init(&shortened);
	tidy_java_package(&shortened, name.s, name.n);
	uint32_t sym = sink_frame(sink, buf_str(&shortened), shortened.len);
	buf_deinit(&shortened);
	return sym;
}

/* The directory of a class: "java.base@17/com.acme.Pool.borrow" -> "com/acme/". */
static void add_directory(struct buf *out, struct slice name)
{
	size_t slash = slice_find_last(name, '/');
	name = slash == SIZE_MAX ? name : slice_from(name, slash + 1);
	for (int i = 0; i < 2; i++) { /* method and class */
		size_t dot = slice_find_last(name, '.');
		name = slice_head(name, dot == SIZE_MAX ? 0 : dot);
	}
	size_t from = out->len;
	buf_add(out, name.s, name.n);
	for (size_t i = from; i < out->len; i++)
		out->data[i] = out->data[i] == '.' ? '/' : out->data[i];
	if (name.n)
		buf_addc(out, '/');
}

void java_push(struct frames *f, struct sink *sink, struct slice line, struct slice name)
{
	frames_push(f, java_frame(sink, name));
	struct slice place = slice_from(line, (size_t)(name.s + name.n - line.s));
	size_t open = slice_find_byte(place, '(');
	if (!sink->options->wants_sites || open == SIZE_MAX)
		return;
	struct buf path;
	buf_init(&path);
	add_directory(&path, name);
	place = slice_before(slice_from(place, open + 1), ')');
	buf_add(&path, place.s, place.n);
	frames_set_place(f, sink, (struct slice){buf_str(&path), path.len});
	buf_deinit(&path);
}
