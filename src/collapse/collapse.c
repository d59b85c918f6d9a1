/*
 * collapse.c - moves a collapser's stacks and notes into the profile, and cuts the lines for sniffers.
 */
#include "collapse/collapse.h"

#include <string.h>

#include "base/buf.h"
#include "base/demangle.h"
#include "base/find.h"
#include "base/number.h"
#include "base/scan.h"
#include "base/shorten.h"
#include "base/utf8.h"

struct file_places collapse_places(const struct collapse_options *o)
{
	return (struct file_places){.root = o->symfs, .maps = o->path_maps, .is_bundle = o->is_bundle};
}

uint32_t sink_sym(struct sink *sink, const char *name, size_t len)
{
	return symtab_intern(&sink->profile->symtab, name, len);
}

uint32_t sink_unknown(struct sink *sink)
{
	return sink_sym(sink, "[unknown]", 9);
}

static void say_joined(struct sink *sink)
{
	report_add_state(&sink->profile->report, NOTE_WARN,
	                 "names that differ only in ';' and ':' are one: folded stacks have a ':' for both");
}

/* The name as it was becomes a symbol, too: a second one that would get the same ':' is found by that. */
static uint32_t frame_without_semicolons(struct sink *sink, const char *name, size_t len)
{
	struct symtab *t = &sink->profile->symtab;
	size_t n_before = t->n;
	sink_sym(sink, name, len);
	bool is_new = t->n > n_before;
	struct buf clean;
	buf_init(&clean);
	buf_add(&clean, name, len);
	for (size_t i = 0; i < len; i++) {
		if (clean.data[i] == ';')
			clean.data[i] = ':';
	}
	uint32_t sym = sink_sym(sink, clean.data, len);
	buf_deinit(&clean);
	const struct symbol *s = &t->symbols[sym];
	if (sym < n_before && (s->is_mended ? is_new : s->is_named || s->is_frame))
		say_joined(sink);
	t->symbols[sym].is_mended = true;
	return sym;
}

uint32_t sink_frame(struct sink *sink, const char *name, size_t len)
{
	if (len && memchr(name, ';', len))
		return frame_without_semicolons(sink, name, len);
	uint32_t sym = sink_sym(sink, name, len);
	struct symbol *s = &sink->profile->symtab.symbols[sym];
	s->is_named = true;
	if (s->is_mended)
		say_joined(sink);
	return sym;
}

bool sink_demangle(struct sink *sink, const char *name, struct buf *out)
{
	bool is_too_long = false;
	if (*name == '_' && demangle_name(name, strlen(name), out, &is_too_long))
		return true;
	if (is_too_long)
		report_add_state(&sink->profile->report, NOTE_WARN,
		                 "a name stays mangled: its plain form would be too long");
	return false;
}

/* "[unknown]", "[Unknown]" */
static bool is_unknown(const char *module, size_t len)
{
	return len == 9 && (memcmp(module, "[unknown]", 9) == 0 || memcmp(module, "[Unknown]", 9) == 0);
}

void sink_add_shared(struct sink *sink, struct buf *out, const char *part, size_t len)
{
	size_t n = len;
	if (len > SHARED_MOST) {
		n = utf8_cut(part, len, SHARED_MOST);
		sink_warn(sink, "a very long name was cut in the names made of it", 0, part, len);
	}
	buf_add(out, part, n);
	if (n < len)
		buf_adds(out, "...");
}

uint32_t sink_file(struct sink *sink, const char *path, size_t len)
{
	struct buf text;
	if (len <= PATH_MOST)
		return sink_sym(sink, path, len);
	sink_warn(sink, "the middle of a very long path was cut out", 0, path, len);
	buf_init(&text);
	shorten_middle(&text, path, len, PATH_MOST, "...");
	uint32_t sym = sink_sym(sink, text.data, text.len);
	buf_deinit(&text);
	return sym;
}

/* The length of the file in "file:line", and the line; the whole length of any other text. */
static size_t split_line(const char *text, size_t len, uint64_t *line)
{
	size_t n = symbol_path_length(text, len);
	bool is_split =
		n < len && text[n + 1] != '0' && number_u64(text + n + 1, len - n - 1, line) && *line <= LINE_MOST;
	if (!is_split)
		*line = 0;
	return is_split ? n : len;
}

struct origin sink_place(struct sink *sink, const char *file, size_t len, uint64_t line)
{
	struct origin o = {.kind = KIND_UNKNOWN};
	if (!line)
		len = split_line(file, len, &line);
	if (len) {
		o.source = sink_file(sink, file, len);
		o.line = line <= LINE_MOST ? (uint32_t)line : 0;
	}
	return o;
}

uint32_t sink_module_sym(struct sink *sink, const char *module, size_t len)
{
	return len && !is_unknown(module, len) ? sink_file(sink, module, len) : 0;
}

uint32_t sink_origin(struct sink *sink, uint32_t frame, const char *module, size_t module_len, const char *file,
                     size_t file_len, uint64_t line)
{
	struct origin o = sink_place(sink, file, file_len, line);
	o.module = sink_module_sym(sink, module, module_len);
	return o.module || o.source ? symtab_frame(&sink->profile->symtab, frame, o) : frame;
}

uint32_t sink_module(struct sink *sink, uint32_t frame, const char *module, size_t len)
{
	return sink_origin(sink, frame, module, len, "", 0, 0);
}

uint32_t sink_source(struct sink *sink, uint32_t frame, const char *file, size_t len, uint64_t line)
{
	return sink_origin(sink, frame, "", 0, file, len, line);
}

void sink_stack(struct sink *sink, const uint32_t *frames, size_t n, const struct sample *sample)
{
	profile_add(sink->profile, sink->options->side, profile_path(sink->profile, frames, n), sample);
}

void sink_skip(struct sink *sink, const char *kind, uint64_t line, const char *text, size_t len)
{
	report_add(&sink->profile->report, NOTE_SKIP, kind, NULL, line, text, len);
}

void sink_warn(struct sink *sink, const char *kind, uint64_t line, const char *text, size_t len)
{
	report_add(&sink->profile->report, NOTE_WARN, kind, NULL, line, text, len);
}

void sink_info(struct sink *sink, const char *kind, uint64_t line, const char *text, size_t len)
{
	report_add(&sink->profile->report, NOTE_INFO, kind, NULL, line, text, len);
}

void collapse_note_open_end(struct sink *sink, uint64_t line)
{
	sink_warn(sink, "the last line does not end (is the input cut off?)", line, NULL, 0);
}

bool collapse_feed(const struct collapse_format *format, void *state, struct sink *sink, const char *text,
                   size_t len, struct err *err)
{
	uint64_t before = sink->line;
	bool ok = format->feed(state, text, len, err);
	if (sink->line == before)
		sink->line += scan_count(text, len, '\n');
	return ok;
}

bool head_line(const char **p, const char *end, const char **line, size_t *len)
{
	if (*p >= end)
		return false;
	const char *eol = memchr(*p, '\n', (size_t)(end - *p));
	*line = *p;
	*p = eol ? eol + 1 : end;
	*len = (size_t)((eol ? eol : end) - *line);
	if (*len && (*line)[*len - 1] == '\r')
		--*len;
	return true;
}

struct head head_lines(const struct head *head)
{
	struct head lines = *head;
	const char *eol = head->len && !head->is_all ? find_last(head->text, '\n', head->len) : NULL;
	if (!head->is_all)
		lines.len = eol ? (size_t)(eol - head->text) + 1 : 0;
	return lines;
}
