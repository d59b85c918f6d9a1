/*
 * options_set_record.c - setters for the options of `flametop record`, which become words for perf; what perf,
 * dtrace or xctrace would refuse after the start of a recording is refused here.
 */
#include "options_set.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "record/choice.h"
#include "record/perf.h"
#include "record/tracer.h"
#include "record/words.h"

/* Splits numbers separated by commas into entries of their own. */
static bool has_number(const char **list, uint64_t v)
{
	uint64_t other;
	for (; list && *list; list++)
		if (number_u64(*list, strlen(*list), &other) && other == v)
			return true;
	return false;
}

/* A number that is given twice counts once, or its samples would, too. */
static bool list_add_numbers(struct options *o, const char ***list, const char *value, struct err *err)
{
	for (const char *p = value;; p++) {
		size_t n = strcspn(p, ",");
		uint64_t v;
		if (!number_u64(p, n, &v) || v == 0 || v > INT32_MAX)
			return value_is_bad(err, value, "a number, or several with commas between them");
		if (!has_number(*list, v))
			*list = value_add_to_list(*list, arena_bytes(&o->arena, p, n));
		p += n;
		if (*p != ',')
			return true;
	}
}

bool option_set_pid(struct options *o, const char *value, struct err *err)
{
	return list_add_numbers(o, &o->record.pids, value, err);
}

bool option_set_thread_id(struct options *o, const char *value, struct err *err)
{
	return list_add_numbers(o, &o->record.tids, value, err);
}

bool option_set_frequency(struct options *o, const char *value, struct err *err)
{
	uint64_t v;
	if (strcmp(value, "max") != 0 && (!number_u64(value, strlen(value), &v) || v == 0 || v > 1000000))
		return value_is_bad(err, value, "a frequency in Hz (from 1 to 1000000, or 'max')");
	o->record.frequency = value;
	return true;
}

/* perf takes its events in one word with commas, so several -e are joined. */
bool option_set_record_event(struct options *o, const char *value, struct err *err)
{
	if (!*value)
		return value_is_bad(err, value, "an event (`perf list` shows them)");
	struct buf text;
	buf_init(&text);
	if (o->record.event)
		buf_addf(&text, "%s,", o->record.event);
	buf_adds(&text, value);
	o->record.event = value_keep(o, &text);
	return true;
}

bool option_set_call_graph(struct options *o, const char *value, struct err *err)
{
	static const char size_of[] = "dwarf,";
	uint64_t bytes;
	bool is_sized = strncmp(value, size_of, strlen(size_of)) == 0;
	const char *size = value + strlen(size_of);
	bool is_good = strcmp(value, "fp") == 0 || strcmp(value, "dwarf") == 0 || strcmp(value, "lbr") == 0;
	if (is_sized)
		is_good = number_u64(size, strlen(size), &bytes) && bytes >= 8 && bytes <= 65528;
	if (!is_good)
		return value_is_bad(err, value, "fp, dwarf, dwarf,BYTES (at most 65528) or lbr");
	o->record.call_graph = value;
	return true;
}

bool option_set_duration(struct options *o, const char *value, struct err *err)
{
	double v;
	if (!number_double(value, strlen(value), &v) || v <= 0 || v > 1e7)
		return value_is_bad(err, value, "a number of seconds");
	o->record.duration = value;
	return true;
}

bool option_set_compression(struct options *o, const char *value, struct err *err)
{
	uint64_t v;
	if (value && *value == '=') /* -z=9, as users of flamegraph write it */
		value++;
	if (value && (!number_u64(value, strlen(value), &v) || v > 22))
		return value_is_bad(err, value, "a level of compression (from 1 to 22)");
	o->record.compression = value ? value : "1";
	return true;
}

/* Checks the quoting before the recording, which could not be made or written otherwise. */
bool option_set_cmd(struct options *o, const char *value, struct err *err)
{
	struct words w;
	char *file;
	words_init(&w);
	bool is_good = perf_record_words(&w, &(struct record_options){.record_args = value}, "", false, &file, err);
	words_deinit(&w);
	free(file);
	o->record.record_args = value;
	return is_good;
}

bool option_set_post_process(struct options *o, const char *value, struct err *err)
{
	struct words w;
	words_init(&w);
	bool is_good = words_split(&w, value, err) && (w.n > 0 || fail(err, "there is no command"));
	words_deinit(&w);
	o->record.post_process = value;
	return is_good;
}

bool option_set_root(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->record.root = true;
	o->record.sudo_flags = value;
	return true;
}

bool options_suit_tracer(const struct record_options *r, struct err *err)
{
	enum record_with tracer = choice_of_tracer(r);
	return tracer == WITH_AUTO || tracer_check_options(r, tracer, err);
}
