/*
 * firefox_threads.c - keeps the threads of a profile of Firefox in little memory.
 *
 * A thread may have 30 columns, of which most are empty. While it is read, or its samples are added, its data have
 * a place for each of them. In between it keeps a list of those that have something, each no larger than it needs
 * to be: then a file with a million threads takes a few bytes for each of its bytes.
 */
#include "collapse/formats/firefox_profile.h"

/* A column that is not empty. */
struct firefox_kept {
	void *v;
	uint64_t n : 56;
	uint64_t number : 8; /* of array_of() */
};

/* The columns of the tables come first. Then: */
enum { TEXT = N_FIREFOX_COLUMNS, ENDS, FIRST_OF_LOGS };
enum { STACKS, SITES, TIMES, WEIGHTS, CPU_TIMES, N_OF_LOG };
#define N_ARRAYS (FIRST_OF_LOGS + N_FIREFOX_LOGS * N_OF_LOG)

struct array {
	void *at; /* the pointer to its elements */
	size_t *n, *cap, size;
};

static struct array array_of_log(struct firefox_log *log, size_t number)
{
	switch (number) {
	case STACKS:
		return (struct array){&log->stack.v, &log->stack.n, &log->stack.cap, sizeof *log->stack.v};
	case SITES:
		return (struct array){&log->site, &log->n_sites, &log->cap_sites, sizeof *log->site};
	case TIMES:
		return (struct array){&log->time, &log->n_times, &log->cap_times, sizeof *log->time};
	case WEIGHTS:
		return (struct array){&log->weight, &log->n_weights, &log->cap_weights, sizeof *log->weight};
	default:
		return (struct array){&log->cpu, &log->n_cpu, &log->cap_cpu, sizeof *log->cpu};
	}
}

static struct array array_of(struct firefox_data *d, size_t number)
{
	struct firefox_strings *strings = &d->tables.strings;
	if (number >= FIRST_OF_LOGS)
		return array_of_log(&d->logs[(number - FIRST_OF_LOGS) / N_OF_LOG], (number - FIRST_OF_LOGS) % N_OF_LOG);
	if (number == TEXT)
		return (struct array){&strings->text.data, &strings->text.len, &strings->text.cap, 1};
	if (number == ENDS)
		return (struct array){&strings->ends, &strings->n, &strings->cap, sizeof *strings->ends};
	struct firefox_numbers *c = &d->tables.columns[number];
	return (struct array){&c->v, &c->n, &c->cap, sizeof *c->v};
}

void firefox_tables_deinit(struct firefox_tables *t)
{
	for (size_t i = 0; i < N_FIREFOX_COLUMNS; i++)
		free(t->columns[i].v);
	buf_deinit(&t->strings.text);
	free(t->strings.ends);
	free(t->numbers);
	free(t->sites);
	free(t->syms);
	*t = (struct firefox_tables){0};
}

void firefox_data_deinit(struct firefox_data *d)
{
	firefox_tables_deinit(&d->tables);
	for (size_t i = 0; i < N_FIREFOX_LOGS; i++) {
		struct firefox_log *log = &d->logs[i];
		free(log->stack.v);
		free(log->site);
		free(log->time);
		free(log->weight);
		free(log->cpu);
		*log = (struct firefox_log){0};
	}
}

bool firefox_has_cpu(const struct firefox_log *log)
{
	for (size_t i = 0; i < log->n_cpu; i++)
		if (firefox_is_weight(&log->cpu[i]))
			return true;
	return false;
}

static bool is_open(const struct firefox_profile *p, const struct firefox_thread *t)
{
	return p->is_open && t == &p->threads[p->n_threads - 1];
}

void firefox_take(struct firefox_profile *p, struct firefox_thread *t)
{
	if (is_open(p, t))
		return;
	for (size_t i = 0; i < t->n_kept; i++) {
		struct array a = array_of(&p->data, t->kept[i].number);
		memcpy(a.at, &t->kept[i].v, sizeof t->kept[i].v);
		*a.n = *a.cap = t->kept[i].n;
	}
	for (size_t i = 0; i < N_FIREFOX_LOGS; i++) {
		p->data.logs[i].unit = (enum firefox_unit)t->units[i];
		p->data.logs[i].has_deltas = t->has_deltas[i];
	}
	free(t->kept);
	t->kept = NULL;
	t->n_kept = 0;
}

/*
 * Makes the array as small as it can be; its elements. NULL: it has none. A small one is copied: what realloc()
 * cuts off would be of use only to smaller ones.
 */
static void *trimmed(const struct array *a)
{
	enum { SMALL = 1024 }; /* bytes */
	void *v, *old;
	memcpy(&old, a->at, sizeof old);
	if (!*a->n)
		return NULL;
	if (*a->cap == *a->n)
		return old;
	if (*a->n >= SMALL / a->size) {
		v = mem_realloc(old, *a->n, a->size);
	} else {
		v = mem_copy(old, *a->n, a->size);
		free(old);
	}
	memcpy(a->at, &v, sizeof v);
	return v;
}

/* The arrays that are left in the data are empty ones, which go. */
static void forget(const struct array *a)
{
	void *none = NULL;
	memcpy(a->at, &none, sizeof none);
}

static size_t keep(struct firefox_data *d, struct firefox_kept *list)
{
	size_t n = 0;
	for (size_t i = 0; i < N_ARRAYS; i++) {
		struct array a = array_of(d, i);
		void *v = trimmed(&a);
		if (!v)
			continue;
		list[n++] = (struct firefox_kept){v, *a.n & (UINT64_MAX >> 8), (unsigned char)i};
		forget(&a);
	}
	return n;
}

void firefox_put(struct firefox_profile *p, struct firefox_thread *t)
{
	struct firefox_kept list[N_ARRAYS];
	if (is_open(p, t))
		return;
	for (size_t i = 0; i < N_FIREFOX_LOGS; i++) {
		t->units[i] = (unsigned char)p->data.logs[i].unit;
		t->has_deltas[i] = p->data.logs[i].has_deltas;
	}
	t->n_kept = (unsigned char)keep(&p->data, list);
	t->kept = t->n_kept ? mem_copy(list, t->n_kept, sizeof *list) : NULL;
	firefox_data_deinit(&p->data);
}

void firefox_add_thread(struct firefox_profile *p)
{
	firefox_end_thread(p);
	mem_push(p->threads, p->n_threads, p->cap_threads,
	         ((struct firefox_thread){.pid = -1, .tid = -1, .start = UNKNOWN_TIME}));
	p->data.logs[LOG_JS].unit = p->data.logs[LOG_NATIVE].unit = UNIT_BYTES;
	p->is_open = true;
}

void firefox_end_thread(struct firefox_profile *p)
{
	struct firefox_thread *t = p->is_open ? firefox_last(p) : NULL;
	if (!t)
		return;
	for (size_t i = 0; i < N_FIREFOX_LOGS; i++)
		if (!firefox_has_cpu(&p->data.logs[i]))
			p->data.logs[i].n_cpu = 0;
	p->is_open = false;
	firefox_put(p, t);
	if (!t->n_kept && !t->name && !t->process && t->pid < 0 && t->tid < 0)
		p->n_threads--;
}
