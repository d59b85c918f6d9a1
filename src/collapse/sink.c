/*
 * sink.c - from a collapser's hands into the profile.
 */
#include "base/buf.h"
#include "base/scan.h"
#include "collapse/collapse.h"

#include <string.h>

uint32_t sink_sym(struct sink *sink, const char *name, size_t len)
{
	return symtab_intern(&sink->profile->symtab, name, len);
}

static uint32_t frame_without_semicolons(struct sink *sink, const char *name, size_t len)
{
	struct buf clean;
	buf_init(&clean);
	buf_add(&clean, name, len);
	for (size_t i = 0; i < len; i++) {
		if (clean.data[i] == ';')
			clean.data[i] = ':';
	}
	uint32_t sym = sink_sym(sink, clean.data, len);
	buf_deinit(&clean);
	return sym;
}

uint32_t sink_frame(struct sink *sink, const char *name, size_t len)
{
	if (len && memchr(name, ';', len))
		return frame_without_semicolons(sink, name, len);
	return sink_sym(sink, name, len);
}

void sink_stack(struct sink *sink, const uint32_t *frames, size_t n, uint64_t weight)
{
	const struct sample plain = {.weight = weight, .time = NO_TIME, .cpu = NO_CPU};
	sink_stack_full(sink, frames, n, &plain);
}

void sink_stack_full(struct sink *sink, const uint32_t *frames, size_t n, const struct sample *sample)
{
	profile_add(sink->profile, sink->options->side, profile_path(sink->profile, frames, n), sample);
}

void sink_skip(struct sink *sink, const char *kind, uint64_t line, const char *text, size_t len)
{
	sink_warn(sink, kind, line, text, len);
}

void sink_warn(struct sink *sink, const char *kind, uint64_t line, const char *text, size_t len)
{
	report_add(&sink->profile->report, NOTE_WARN, kind, NULL, line, text, len);
}

void sink_info(struct sink *sink, const char *kind, uint64_t line, const char *text, size_t len)
{
	report_add(&sink->profile->report, NOTE_INFO, kind, NULL, line, text, len);
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
