/*
 * interpreters.c - keeps the runtimes of processes.
 *
 * Two kinds of locks protect them: one for the list, held for a look-up, and one for each process, held while a
 * stack is read. Readers have priority over all others; so who holds a lock that one of them wants gets it, too.
 * A process that was forgotten stays in memory until the end, because a reader may still have it.
 */
#include "record/sampler/interpreters.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "base/mem.h"
#include "languages/items.h"
#include "languages/languages.h"
#include "languages/process.h"

struct interpreter {
	struct language_process *process; /* NULL: none */
	pthread_mutex_t lock;
};

struct interpreters {
	pthread_mutex_t lock;
	struct idmap known; /* processes -> place in all; 0: has none */
	struct interpreter **all;
	size_t n, cap;
	struct idmap others;    /* files that hold no runtime */
	uint32_t last_function; /* number of it; changed by readers */
	struct err trouble;     /* told last */
	struct language_stack_room {
		struct language_stack stack;
		struct language_stack_room *next;
	} * rooms; /* for stacks, which are large */
};

static void lock_init(pthread_mutex_t *lock)
{
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(lock, &a);
	pthread_mutexattr_destroy(&a);
}

struct interpreters *interpreters_new(void)
{
	struct interpreters *s = mem_zalloc(1, sizeof *s);
	lock_init(&s->lock);
	mem_push(s->all, s->n, s->cap, NULL);
	return s;
}

void interpreters_free(struct interpreters *s)
{
	if (!s)
		return;
	for (size_t i = 1; i < s->n; i++) {
		language_process_free(s->all[i]->process);
		pthread_mutex_destroy(&s->all[i]->lock);
		free(s->all[i]);
	}
	while (s->rooms) {
		struct language_stack_room *next = s->rooms->next;
		free(s->rooms);
		s->rooms = next;
	}
	free(s->all);
	idmap_deinit(&s->known);
	idmap_deinit(&s->others);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

/* ---- processes ----------------------------------------------------------------------------------------------- */

/* -1: unknown. */
static int64_t place_of(struct interpreters *s, pid_t pid)
{
	uint32_t at = 0;
	pthread_mutex_lock(&s->lock);
	bool is_known = idmap_find(&s->known, (uint64_t)pid, &at);
	pthread_mutex_unlock(&s->lock);
	return is_known && at != UINT32_MAX ? (int64_t)at : -1;
}

static void set_place(struct interpreters *s, pid_t pid, uint32_t at)
{
	pthread_mutex_lock(&s->lock);
	if (!idmap_add(&s->known, (uint64_t)pid, at))
		idmap_slot(&s->known, (uint64_t)pid)->value = at;
	pthread_mutex_unlock(&s->lock);
}

static uint32_t add(struct interpreters *s, struct language_process *process)
{
	struct interpreter *one = mem_zalloc(1, sizeof *one);
	one->process = process;
	lock_init(&one->lock);
	pthread_mutex_lock(&s->lock);
	mem_push(s->all, s->n, s->cap, one);
	uint32_t at = (uint32_t)s->n - 1;
	pthread_mutex_unlock(&s->lock);
	return at;
}

void interpreters_look(struct interpreters *s, pid_t pid, struct buf *trouble)
{
	struct err err;
	if (pid <= 0 || place_of(s, pid) >= 0)
		return;
	struct language_process *process = language_process_new(pid, &s->others, &err);
	set_place(s, pid, process ? add(s, process) : 0);
	if (!err.text[0] || strcmp(err.text, s->trouble.text) == 0)
		return;
	s->trouble = err;
	item_add_trouble(trouble, err.text);
}

void interpreters_forget(struct interpreters *s, pid_t pid)
{
	if (place_of(s, pid) >= 0)
		set_place(s, pid, UINT32_MAX);
}

void interpreters_mapped(struct interpreters *s, pid_t pid, const char *path)
{
	if (place_of(s, pid) == 0 && language_process_concerns(path))
		set_place(s, pid, UINT32_MAX);
}

void interpreters_check(struct interpreters *s, pid_t pid)
{
	int64_t at = place_of(s, pid);
	if (at >= 0 && !(at && language_process_lasts(s->all[at]->process)))
		set_place(s, pid, UINT32_MAX);
}

static struct interpreter *find(struct interpreters *s, pid_t pid)
{
	uint32_t at = 0;
	struct interpreter *found = NULL;
	pthread_mutex_lock(&s->lock);
	if (idmap_find(&s->known, (uint64_t)pid, &at) && at != UINT32_MAX)
		found = s->all[at];
	pthread_mutex_unlock(&s->lock);
	return found;
}

bool interpreters_has(struct interpreters *s, pid_t pid)
{
	return find(s, pid);
}

/* ---- stacks -------------------------------------------------------------------------------------------------- */

struct walking {
	struct interpreters *all;
	const struct language *language; /* the one whose stack is read */
	struct buf *scratch;
	interpreters_put *put;
	void *arg;
};

static uint32_t define(void *arg, const struct language_function *f)
{
	struct walking *w = arg;
	if (!w->put(w->arg, NULL))
		return NO_FUNCTION;
	uint32_t number = __atomic_add_fetch(&w->all->last_function, 1, __ATOMIC_RELAXED);
	w->scratch->len = 0;
	item_add_function(w->scratch, number, language_number(w->language), f);
	return w->put(w->arg, w->scratch) ? number : NO_FUNCTION;
}

/* Rooms are few: one for each thread that reads at the same time. */
static struct language_stack_room *take_room(struct interpreters *s)
{
	pthread_mutex_lock(&s->lock);
	struct language_stack_room *room = s->rooms;
	s->rooms = room ? room->next : NULL;
	pthread_mutex_unlock(&s->lock);
	return room ? room : mem_zalloc(1, sizeof *room);
}

static void give_room(struct interpreters *s, struct language_stack_room *room)
{
	pthread_mutex_lock(&s->lock);
	room->next = s->rooms;
	s->rooms = room;
	pthread_mutex_unlock(&s->lock);
}

void interpreters_walk(struct interpreters *s, pid_t pid, pid_t tid, struct buf *scratch, interpreters_put *put,
                       void *arg)
{
	struct interpreter *one = find(s, pid);
	struct walking w = {.all = s, .scratch = scratch, .put = put, .arg = arg};
	const struct language_names names = {define, &w};
	scratch->len = 0;
	if (!one)
		return;
	struct language_stack_room *room = take_room(s);
	pthread_mutex_lock(&one->lock);
	enum language_walk how = language_process_walk(one->process, tid, &names, &room->stack, &w.language);
	pthread_mutex_unlock(&one->lock);
	scratch->len = 0;
	if (how == WALK_DONE)
		item_add_stack(scratch, &room->stack);
	else if (how == WALK_FAILED)
		item_add_lack(scratch, LACK_FAILED);
	give_room(s, room);
	if (scratch->len)
		put(arg, scratch);
}
