/*
 * valgrind.c - reads frames as Valgrind's tools print them.
 */
#include "collapse/text/valgrind.h"

#include "base/buf.h"
#include "model/origin.h"

/* Cuts " (...)" off the end: the name may have brackets of its own. Empty: there is none. */
static struct slice cut_place(struct slice *text)
{
	size_t at = slice_last_group(*text);
	if (at == SIZE_MAX)
		return (struct slice){"", 0};
	struct slice place = slice_from(*text, at + 2);
	*text = slice_head(*text, at);
	return slice_head(place, place.n - 1);
}

/* "[libx.so]" */
static uint32_t unnamed(struct sink *sink, struct slice module, struct slice address)
{
	struct buf text;
	size_t n;
	if (!module.n)
		return address.n ? sink_frame(sink, address.s, address.n) : sink_unknown(sink);
	const char *base = origin_base(module.s, module.n, &n);
	buf_init(&text);
	buf_addf(&text, "[%.*s]", (int)(n < 4096 ? n : 4096), base);
	uint32_t sym = sink_frame(sink, text.data, text.len);
	buf_deinit(&text);
	return sym;
}

void valgrind_push(struct frames *f, struct sink *sink, struct slice text)
{
	size_t colon = slice_find(text, ": ");
	struct slice address = text, name = text;
	if (colon != SIZE_MAX && slice_is_address(slice_head(text, colon))) {
		address = slice_head(text, colon);
		name = slice_from(text, colon + 2);
	}
	struct slice place = cut_place(&name), module = place;
	if (!slice_take(&module, "in "))
		module.n = 0;
	if (!name.n || slice_is(name, "???"))
		frames_push(f, unnamed(sink, module, address));
	else if (!module.n)
		frames_push_at(f, sink, name, place);
	else
		frames_push_text(f, sink, name);
	if (module.n)
		f->syms[f->n - 1] = sink_module(sink, f->syms[f->n - 1], module.s, module.n);
}
