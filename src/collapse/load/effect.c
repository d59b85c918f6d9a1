/*
 * effect.c - which collapse options have an effect on which format.
 *
 * Each format lists the options that it supports in collapse_format.effects. Without this check, any other option
 * would be ignored silently.
 */
#include "collapse/load/effect.h"

#include <stddef.h>
#include <string.h>

#include "collapse/formats.h"

enum kind { FLAG, NUMBER, HIDDEN, POINTER };

static const struct option {
	enum collapse_effects bit;
	enum kind kind;
	size_t offset; /* in struct collapse_options */
	const char *note;
} table[] = {
#define ROW(bit, kind, member, name)                                                               \
	{                                                                                              \
		bit, kind, offsetof(struct collapse_options, member), name " has no effect on this format" \
	}
	ROW(EFFECT_EVENT_FILTER, POINTER, event_filter, "--event-filter"),
	ROW(EFFECT_VALUE, POINTER, value, "--value"),
	ROW(EFFECT_PID, FLAG, pid, "--pid"),
	ROW(EFFECT_TID, FLAG, tid, "--tid"),
	ROW(EFFECT_KERNEL, FLAG, kernel, "--kernel"),
	ROW(EFFECT_JIT, FLAG, jit, "--jit"),
	ROW(EFFECT_ADDRS, FLAG, addrs, "--addrs"),
	ROW(EFFECT_INLINE, FLAG, inline_, "--inline"),
	ROW(EFFECT_CONTEXT, FLAG, context, "--context"),
	ROW(EFFECT_SRCLINE, FLAG, srcline, "--srcline"),
	ROW(EFFECT_OFFSET, FLAG, include_offset, "--includeoffset"),
	ROW(EFFECT_NO_MODULES, FLAG, no_modules, "--no-modules"),
	ROW(EFFECT_SKIP_AFTER, POINTER, skip_after, "--skip-after"),
	ROW(EFFECT_IDLE, NUMBER, idle, "--idle"),
	ROW(EFFECT_WAKE_STACK, FLAG, wake_stack, "--wake-stack"),
	ROW(EFFECT_FILES, POINTER, symfs, "--symfs"),
	ROW(EFFECT_FILES, POINTER, path_maps, "--path-map"),
	ROW(EFFECT_DEBUGINFOD, FLAG, debuginfod, "--debuginfod"),
	ROW(EFFECT_KALLSYMS, POINTER, kallsyms, "--kallsyms"),
	ROW(EFFECT_RECORDING, HIDDEN, inlines, "--no-inline"),
	ROW(EFFECT_RECORDING, NUMBER, symbolizer, "--symbolizer"),
	ROW(EFFECT_OFF_CPU, FLAG, off_cpu, "--off-cpu"),
	ROW(EFFECT_IO, NUMBER, io, "--io"),
	ROW(EFFECT_SHORTEN, FLAG, shorten_pkgs, "--shorten-pkgs"),
#undef ROW
};

#define N_OPTIONS (sizeof table / sizeof *table)

static bool is_given(const struct option *option, const struct collapse_options *o)
{
	const char *member = (const char *)o + option->offset;
	const void *pointer;
	if (option->kind == FLAG)
		return *(const bool *)member && (option->bit != EFFECT_PID || !o->tid); /* --tid sets both */
	if (option->kind == NUMBER)
		return *(const unsigned *)member != 0;
	if (option->kind == HIDDEN)
		return *(const enum collapse_inlines *)member == INLINES_HIDDEN;
	memcpy(&pointer, member, sizeof pointer);
	return pointer;
}

void effect_note_missing(struct report *report, const struct collapse_format *format,
                         const struct collapse_options *o)
{
	for (const struct option *option = table; option < table + N_OPTIONS; option++)
		if (!(format->effects & option->bit) && is_given(option, o))
			report_add(report, NOTE_WARN, option->note, NULL, 0, format->name, strlen(format->name));
	/* Text has its names already; only inlined functions are looked up. */
	if (format == &format_perf && (o->symfs || o->path_maps) && !o->inline_)
		report_add(report, NOTE_WARN, "--symfs and --path-map have no effect on text without --inline", NULL, 0,
		           NULL, 0);
	if (format->effects & EFFECT_CONTEXT && o->context && !o->inline_)
		report_add(report, NOTE_WARN, "--context has no effect without --inline", NULL, 0, NULL, 0);
}

void effect_clear(struct collapse_options *o)
{
	static const size_t sizes[] = {sizeof(bool), sizeof(unsigned), sizeof(enum collapse_inlines), sizeof(void *)};
	for (const struct option *option = table; option < table + N_OPTIONS; option++)
		memset((char *)o + option->offset, 0, sizes[option->kind]);
}
