/*
 * pushing.c - sends what was recorded to a store of profiles.
 *
 * Stores order profiles by their type, NAME:TYPE:UNIT:PERIOD TYPE:PERIOD UNIT, and by time. Time on the processor
 * gets the type that it has everywhere, process_cpu:cpu:nanoseconds:cpu:nanoseconds, whatever the event is called
 * that measured it, so that it is found next to what agents send.
 */
#include "pushing.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/core_file.h"
#include "base/mem.h"
#include "base/slice.h"
#include "base/status.h"
#include "export/whole.h"
#include "lib/inside.h"
#include "sources/source.h"

bool pushing_is_all(const struct options *o)
{
	return o->push && !o->output && !o->to && o->export_.fail_above < 0;
}

/* The program's name, which most call their service. */
static const char *service_of_recording(const struct options *o)
{
	const char *program = o->record.command ? o->record.command[0] : NULL;
	const char *slash = program ? strrchr(program, '/') : NULL;
	return slash && slash[1] ? slash + 1 : program && *program ? program : "flametop";
}

/* ---- the profile --------------------------------------------------------------------------------------------- */

static bool is_cpu_time(const struct view *v)
{
	const char *type = whole_type(v, false);
	bool is_joined = strstr(type, " + "); /* "cpu-clock + off-cpu" */
	return strcmp(whole_unit(v, false), "nanoseconds") == 0 && !is_joined &&
	       (strcmp(type, "cpu") == 0 || strstr(type, "cpu-clock") || strstr(type, "task-clock"));
}

/* What stores call such profiles: a name that labels can have as their value, such as "cache_misses". */
static char *name_of(const struct view *v)
{
	char *name = mem_strdup(is_cpu_time(v) ? "process_cpu" : whole_type(v, false)), *end = name;
	for (const char *c = name; *c; c++)
		if (is_word_byte(*c))
			*end++ = *c;
		else if (end == name || end[-1] != '_')
			*end++ = '_';
	*end = '\0';
	return name;
}

/* A profile ends when it is sent. */
static struct export_stamp stamp_of(const struct view *v)
{
	uint64_t first, last, duration = profile_time_range(v->profile, &first, &last) ? last - first : 0;
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	uint64_t now = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
	return (struct export_stamp){is_cpu_time(v) ? "cpu" : whole_type(v, false),
	                             duration < now ? now - duration : now, duration};
}

/* An output_sink. */
static int keep(void *arg, const void *bytes, size_t n)
{
	buf_add(arg, bytes, n);
	return 0;
}

static bool make_pprof(const struct options *o, const struct view *v, struct buf *pprof, struct err *err)
{
	struct export_options eo = o->export_;
	struct export_stamp stamp = stamp_of(v);
	uint32_t frames;
	struct export_loss loss = {0};
	eo.frames = &frames;
	eo.loss = &loss;
	eo.stamp = &stamp;
	return options_export_into(o, output_open_sink("the profile", keep, pprof), &export_pprof, v, &eo, err);
}

/* ---- sending ------------------------------------------------------------------------------------------------- */

static bool send_pprof(struct options *o, const struct pushed *p, struct err *err)
{
	struct source *to = source_find(&o->sources, o->push);
	struct buf said;
	core_file_forbid();
	buf_init(&said);
	if (!o->quiet)
		status_begin();
	bool is_sent = source_push(to, p, &said, err);
	status_end();
	if (is_sent && !o->quiet)
		err_printf("sent to %s: %s", source_name(to), buf_str(&said));
	buf_deinit(&said);
	return is_sent;
}

bool pushing_send(struct options *o, struct flametop_view *of, struct err *err)
{
	const struct view *v = inside_view(of);
	struct buf pprof;
	char *name = name_of(v);
	struct pushed p = {&pprof, name, service_of_recording(o)};
	buf_init(&pprof);
	bool is_sent = make_pprof(o, v, &pprof, err) && send_pprof(o, &p, err);
	buf_deinit(&pprof);
	free(name);
	return is_sent;
}
