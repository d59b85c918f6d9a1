/*
 * pushing.c - sends what was recorded to a store of profiles.
 */
#include "pushing.h"

#include <string.h>
#include <unistd.h>

#include "base/scratch.h"
#include "base/status.h"
#include "export/export.h"
#include "fetching.h"
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

static uint64_t duration_of(const struct view *v)
{
	uint64_t first, last;
	return profile_time_range(v->profile, &first, &last) ? last - first : 0;
}

/* Returns a file with the view as a pprof; -1: err. */
static int write_pprof(const struct options *o, const struct view *v, struct err *err)
{
	struct export_options eo = o->export_;
	uint32_t frames;
	struct export_loss loss = {0};
	char path[32];
	int fd = scratch_open(err);
	if (fd < 0)
		return -1;
	snprintf(path, sizeof path, "/dev/fd/%d", fd);
	eo.is_file = true;
	eo.frames = &frames;
	eo.loss = &loss;
	if (options_export(o, path, &export_pprof, v, &eo, err))
		return fd;
	close(fd);
	return -1;
}

bool pushing_send(struct options *o, const struct view *v, struct err *err)
{
	struct source *to = source_find(&o->sources, o->push);
	struct buf said;
	struct pushed p = {write_pprof(o, v, err), service_of_recording(o), duration_of(v)};
	if (p.fd < 0)
		return false;
	fetching_forbid_core();
	buf_init(&said);
	if (!o->quiet)
		status_begin();
	bool is_sent = source_push(to, &p, &said, err);
	status_end();
	if (is_sent && !o->quiet)
		err_printf("sent to %s: %s", source_name(to), buf_str(&said));
	buf_deinit(&said);
	close(p.fd);
	return is_sent;
}
