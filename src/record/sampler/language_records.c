/*
 * language_records.c - stacks of languages on their way into the recording.
 *
 * They are samples of an event of their own, each before the sample that it belongs to. Functions and facts about
 * the recording have no time, so that they are read at once.
 */
#include "record/sampler/language_records.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "languages/items.h"
#include "languages/process.h"
#include "perfdata/records.h"
#include "record/sampler/errand.h"
#include "record/sampler/interpreters.h"
#include "record/sampler/readers.h"
#include "record/sampler/records.h"

#define NAME_OF_MAP (sizeof(struct abi_record) + 64) /* in an MMAP2 */

/* For threads that ptrace stops. Left to the thread that reads if that is held up: it may come back. */
struct stopped_reader {
	struct interpreters *interpreters;
	struct interpreters_reader own;
};

struct language_records {
	struct interpreters *interpreters;
	struct readers *readers; /* NULL: threads are stopped instead */
	struct err trouble;      /* of the readers; empty: none */
	struct buf fact;
	struct stopped_reader *stopped; /* NULL: no thread is stopped */
	bool is_quiet;
};

bool language_records_expected(char *const *command, const char *const *pids)
{
	struct interpreters *all = interpreters_new();
	struct buf unused;
	bool is_one = command && language_process_concerns(command[0]);
	buf_init(&unused);
	for (size_t i = 0; !is_one && pids && pids[i]; i++) {
		uint64_t pid = 0;
		number_u64(pids[i], strlen(pids[i]), &pid);
		interpreters_look(all, (pid_t)pid, &unused);
		is_one = interpreters_has(all, (pid_t)pid);
	}
	buf_deinit(&unused);
	interpreters_free(all);
	return is_one;
}

struct language_records *language_records_new(bool is_quiet)
{
	struct language_records *l = mem_zalloc(1, sizeof *l);
	l->interpreters = interpreters_new();
	l->is_quiet = is_quiet;
	buf_init(&l->fact);
	return l;
}

void language_records_free(struct language_records *l)
{
	if (!l)
		return;
	readers_free(l->readers);
	interpreters_free(l->interpreters);
	buf_deinit(&l->fact);
	if (l->stopped)
		buf_deinit(&l->stopped->own.item);
	free(l->stopped);
	free(l);
}

/* Adds the item as one about the whole recording. */
static void add_fact(struct language_records *l, struct buf *out)
{
	const struct records_language fact = {
		.id = COUNTERS_LANGUAGE_ID, .pid = -1, .tid = -1, .item = l->fact.data, .n = l->fact.len};
	if (l->fact.len)
		records_add_language(out, &fact);
	l->fact.len = 0;
}

/* A process holds back its memory (0: none does); the fact says so in the recording. */
static void say_held(struct language_records *l, pid_t pid, struct buf *out)
{
	add_fact(l, out);
	if (pid && !l->is_quiet)
		errand_say_held(pid, "functions of interpreters");
}

/* ---- threads that ptrace stops ------------------------------------------------------------------------------- */

struct stopped {
	const struct records_sample *sample;
	struct buf *out;
};

static bool put_stopped(void *arg, const struct buf *item)
{
	struct stopped *to = arg;
	if (!item)
		return true;
	const struct records_language l = {.id = COUNTERS_LANGUAGE_ID,
	                                   .time = item_is_function(item->data, item->len) ? 0 : to->sample->time,
	                                   .pid = to->sample->pid,
	                                   .tid = to->sample->tid,
	                                   .item = item->data,
	                                   .n = item->len};
	records_add_language(to->out, &l);
	return true;
}

/* Looking takes long, so no thread is stopped meanwhile. */
static void look_before_stops(void *arg, pid_t pid, struct buf *out)
{
	struct language_records *l = arg;
	interpreters_check(l->interpreters, pid);
	language_records_look(l, pid, out);
}

static struct stopped_reader *reader_new(struct interpreters *interpreters)
{
	struct stopped_reader *r = mem_zalloc(1, sizeof *r);
	r->interpreters = interpreters;
	buf_init(&r->own.item);
	return r;
}

static void *reader_of(void *arg)
{
	struct language_records *l = arg;
	return l->stopped;
}

static void read_stopped(void *reader, const struct records_sample *sample, struct buf *out)
{
	struct stopped_reader *stopped = reader;
	struct stopped to = {sample, out};
	struct interpreters_reader *r = &stopped->own;
	r->registers.mask = sample->n_regs ? RECORDS_REGISTERS : 0;
	memcpy(r->registers.values, sample->regs, sample->n_regs * sizeof *sample->regs);
	r->put = put_stopped;
	r->arg = &to;
	interpreters_walk(stopped->interpreters, sample->pid, sample->tid, r);
	r->item.len = 0;
}

/* The interpreters stay, too (interpreters_free()). */
static void leave_stopped(void *arg, pid_t pid, struct buf *out)
{
	struct language_records *l = arg;
	l->stopped = reader_new(l->interpreters);
	interpreters_hold(l->interpreters, pid, &l->fact);
	add_fact(l, out);
}

/* ---- from outside -------------------------------------------------------------------------------------------- */

bool language_records_start(struct language_records *l, struct counters *c, struct peek *peek, bool is_pipe,
                            struct err *err)
{
	size_t n = c->events[0].n_ids;
	if (peek) {
		l->stopped = reader_new(l->interpreters);
		peek_hook(peek, &(struct peek_hooks){look_before_stops, reader_of, read_stopped, leave_stopped, l});
		return true;
	}
	if (is_pipe && n > RECORDS_PIPE_IDS)
		return fail(
			err, "a recording through a pipe tells %u counters apart, and there are %zu (threads times processors)",
			RECORDS_PIPE_IDS, n);
	l->readers = readers_start(c, l->interpreters, &l->trouble);
	if (!l->readers)
		*err = l->trouble;
	return l->readers;
}

void language_records_stop(struct language_records *l, struct buf *out)
{
	if (l && l->readers)
		say_held(l, readers_stop(l->readers, &l->fact), out);
}

void language_records_watch(struct language_records *l, struct buf *out)
{
	if (l && l->readers)
		say_held(l, readers_held(l->readers, &l->fact), out);
}

void language_records_begin(struct language_records *l, struct buf *out)
{
	if (!l)
		return;
	item_add_how(&l->fact, l->readers ? readers_how(l->readers) : HOW_STOPPED);
	add_fact(l, out);
	if (l->trouble.text[0])
		item_add_trouble(&l->fact, l->trouble.text);
	add_fact(l, out);
}

void language_records_look(struct language_records *l, pid_t pid, struct buf *out)
{
	if (!l)
		return;
	say_held(l, interpreters_look(l->interpreters, pid, &l->fact) ? 0 : pid, out);
}

void language_records_held(struct language_records *l, pid_t pid, struct buf *out)
{
	if (!l)
		return;
	item_add_held(&l->fact, pid, false);
	add_fact(l, out);
}

void language_records_program(struct language_records *l, const struct abi_record *r, struct buf *out)
{
	pid_t pid = records_number(r, RECORDS_PID);
	const char *name = (const char *)r + NAME_OF_MAP;
	if (!l)
		return;
	if (r->type == RECORD_FORK &&
	    pid != records_number(r, RECORDS_PARENT)) /* an earlier process may have had the number */
		interpreters_forget(l->interpreters, pid);
	if (r->type == RECORD_COMM && r->misc & ABI_MISC_EXEC)
		interpreters_forget(l->interpreters, pid);
	else if (r->type == RECORD_MMAP2 && r->size > NAME_OF_MAP && memchr(name, '\0', r->size - NAME_OF_MAP))
		interpreters_mapped(l->interpreters, pid, name);
	else
		return;
	language_records_look(l, pid, out);
}

void language_records_call(struct language_records *l, size_t place)
{
	if (l && l->readers)
		readers_call(l->readers, place);
}

void language_records_sample(struct language_records *l, size_t place, const struct abi_record *r, struct buf *out)
{
	language_records_look(l, records_number(r, RECORDS_PID_OF_SAMPLE), out);
	if (l && l->readers)
		readers_take(l->readers, place, r, COUNTERS_LANGUAGE_ID, out);
}
