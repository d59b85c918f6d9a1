/*
 * leaving.h - the result of loading an input as text: samples with their data, totals, notes, and the error.
 */
#ifndef TESTS_UNIT_LEAVING_H
#define TESTS_UNIT_LEAVING_H

#include <inttypes.h>

#include "collapsing.h"

#define LEAVING_FN __attribute__((unused)) static

/* Appends a sample's data besides its stack and weight. */
LEAVING_FN void add_columns(struct buf *out, const struct profile *p)
{
	const struct sample_log *log = &p->log[0];
	for (size_t i = 0; i < log->n; i++) {
		const struct task *task = &p->tasks[log_task(log, i)];
		const struct series *series = &p->series[log_series(log, i)];
		buf_addf(out, "%s %s/%" PRId64 "/%" PRId64 " cpu %u at %" PRIu64 "\n", p->symtab.symbols[series->name].name,
		         log_task(log, i) ? p->symtab.symbols[task->comm].name : "-", log_task(log, i) ? task->pid : -1,
		         log_task(log, i) ? task->tid : -1, log_cpu(log, i), log_time(log, i));
	}
	for (size_t i = 0; i < p->n_series; i++)
		buf_addf(out, "%s: %" PRIu64 " in %" PRIu64 "\n", p->symtab.symbols[p->series[i].name].name,
		         p->series[i].total[0], p->series[i].samples);
	buf_addf(out, "total %" PRIu64 ", %u decimals, %" PRIu64 " lost\n", log->total, p->decimals, p->lacks[0].lost);
}

/* Everything visible of a profile, and the error; the caller frees it. Takes over fd. */
LEAVING_FN char *all_of(int fd, const struct collapse_options *o)
{
	struct load_input input = {.path = "fuzz", .fd = fd};
	struct profile p;
	struct err err = {""};
	struct buf out;
	profile_init(&p);
	bool is_good = load_all(&p, &input, 1, o, &err);
	char *samples = samples_of(&p);
	buf_init(&out);
	buf_addf(&out, "%s: %s%s\n", p.format ? p.format : "no format", samples, is_good ? "" : err.text);
	if (is_good)
		add_columns(&out, &p);
	free(samples);
	profile_deinit(&p);
	return buf_take(&out);
}

LEAVING_FN int memory_file(const void *bytes, size_t len)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len || lseek(fd, 0, SEEK_SET) != 0)
		abort();
	return fd;
}

#endif
