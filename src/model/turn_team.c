/*
 * turn_team.c - parts stacks on several threads.
 *
 * The parts that wait (turn_part.h) are in the order of the nodes that will be made of them. A thread without work
 * gets the later half from another one: the nodes from there on are a stretch of their own, which can be cut again.
 * So a few stretches follow each other in the end, most of them long.
 *
 * A stretch does not know the number of its first node, so it numbers its nodes from 0. Those at its beginning
 * stand in for the frames below, which another stretch has made:
 *
 *	all     |-----------------------------|     first stretch     all a b d e
 *	a, f    |----------------------|------|     second stretch    (all a) c f
 *	b, c    |--------------|-------|
 *	d, e    |------|-------|
 *
 * In the end all threads put the columns of the stretches behind those of the first, with the numbers that nodes
 * have in the tree: piece by piece, so that little memory is taken twice.
 */
#include "turn_team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tree_build.h"

/* Tests have smaller sizes, and stretches that are cut even if no thread is idle. */
#ifndef STACKS_TO_CUT
#define STACKS_TO_CUT 10000u /* that wait; fewer are not given away */
#define FIRST_NODES 65536u   /* room in a new stretch */
#define PIECE 262144u        /* nodes of a column that are moved before their old memory is given back */
#define IDLE_ANYWAY 0u       /* threads */
#endif

/* A stretch among others. */
struct member {
	struct stretch stretch; /* the first member of the struct: one leads to the other */
	struct tree tree;       /* but for the first stretch, whose nodes are those of the whole tree */
	struct team *team;
	struct member *next, *next_waiting; /* in the order of the nodes; of those that no thread has begun */
	struct member *of;                  /* the stretch that it was cut from; NULL: it is the first */
	uint32_t n_stand_ins;
	uint32_t *stand_in; /* what they stand for: nodes of `of`; once all have ended, of the whole tree */
	uint32_t *end;      /* of those, if nothing follows this stretch */
	uint32_t counted;   /* nodes that the team knows of */
	uint32_t first;     /* the node of the whole tree that is the first one after the stand-ins */
	uint64_t before[2]; /* weight of the nodes before it */
};

struct team {
	const struct turn_input *in;
	struct tree *to;
	pthread_mutex_t lock; /* for all from here on that is not atomic */
	pthread_cond_t changed;
	struct member *all, *waiting;
	unsigned n_all, n_waiting, n_running, n_idle; /* idle: threads without a stretch */
	atomic_bool is_idle;                          /* more threads are than stretches wait */
	atomic_uint_fast64_t n;                       /* nodes so far, without stand-ins */
	atomic_uint next_column;                      /* the one to be moved next */
};

/* ---- stretches ----------------------------------------------------------------------------------------------- */

static void publish(struct team *team)
{
	atomic_store_explicit(&team->is_idle, team->n_idle > team->n_waiting, memory_order_relaxed);
}

/* Where the later half of the stacks that wait ends among the parts; first_open: it should not be given away. */
static size_t find_half(const struct stretch *s)
{
	uint64_t all = 0, later = 0;
	size_t end = s->first_open;
	for (size_t i = s->first_open; i < s->n_open; i++)
		all += s->open[i].end - s->open[i].begin;
	while (all >= STACKS_TO_CUT && end + 1 < s->n_open && later < all / 2) {
		later += s->open[end].end - s->open[end].begin;
		end++;
	}
	return end;
}

/* Moves the parts before `end`, which come last. Returns the depth of the deepest node at which they are. */
static uint32_t move_parts(struct stretch *to, struct stretch *from, size_t end)
{
	uint32_t depth = 0;
	for (; from->first_open < end; from->first_open++) {
		struct part p = from->open[from->first_open];
		while (from->way[depth] != p.at)
			depth++;
		p.at = depth;
		mem_push(to->open, to->n_open, to->cap_open, p);
	}
	return depth;
}

/* The nodes on the way to the first part. */
static void make_stand_ins(struct member *m, const struct stretch *of)
{
	struct stretch *s = &m->stretch;
	uint32_t n = m->n_stand_ins;
	m->counted = n;
	m->stand_in = mem_copy(of->way, n, sizeof *of->way);
	s->way = mem_grow(NULL, &s->cap_way, n + 64, sizeof *s->way);
	s->cap = n + FIRST_NODES;
	tree_build(&m->tree, (uint32_t)s->cap, of->to->base);
	m->tree.n = n;
	m->tree.depth = s->depth;
	for (uint32_t i = 0; i < n; i++) {
		s->way[i] = i;
		m->tree.sym[i] = m->tree.end[i] = 0;
		m->tree.parent[i] = i ? i - 1 : 0;
		m->tree.pos[i] = 0;
		if (m->tree.base)
			m->tree.base[i] = 0;
	}
}

static struct member *cut_off(struct member *of, size_t end)
{
	struct member *m = mem_zalloc(1, sizeof *m);
	struct stretch *s = &m->stretch;
	m->team = of->team;
	m->of = of;
	s->in = of->stretch.in;
	s->goes_on = of->stretch.goes_on;
	s->to = &m->tree;
	s->depth = move_parts(s, &of->stretch, end);
	m->n_stand_ins = s->depth + 1;
	make_stand_ins(m, &of->stretch);
	return m;
}

static void give_away(struct member *of)
{
	struct team *team = of->team;
	size_t end = find_half(&of->stretch);
	if (end == of->stretch.first_open)
		return;
	struct member *m = cut_off(of, end);
	pthread_mutex_lock(&team->lock);
	m->next = of->next;
	of->next = m;
	m->next_waiting = team->waiting;
	team->waiting = m;
	team->n_all++;
	team->n_waiting++;
	publish(team);
	pthread_cond_signal(&team->changed);
	pthread_mutex_unlock(&team->lock);
}

/* false: the tree has too many. */
static bool count_nodes(struct member *m)
{
	uint32_t more = m->stretch.to->n - m->counted;
	m->counted += more;
	return atomic_fetch_add(&m->team->n, more) + more <= m->team->in->most;
}

static bool count_and_share(struct stretch *s)
{
	struct member *m = (struct member *)s;
	if (!count_nodes(m))
		return false;
	if (atomic_load_explicit(&m->team->is_idle, memory_order_relaxed))
		give_away(m);
	return true;
}

/* Waits for a stretch. NULL: there will be none. */
static struct member *take(struct team *team)
{
	pthread_mutex_lock(&team->lock);
	team->n_idle++;
	publish(team);
	while (!team->waiting && team->n_running)
		pthread_cond_wait(&team->changed, &team->lock);
	struct member *m = team->waiting;
	team->n_idle--;
	if (m) {
		team->waiting = m->next_waiting;
		team->n_waiting--;
		team->n_running++;
	}
	publish(team);
	pthread_mutex_unlock(&team->lock);
	return m;
}

static void end_running(struct team *team)
{
	pthread_mutex_lock(&team->lock);
	if (!--team->n_running)
		pthread_cond_broadcast(&team->changed);
	pthread_mutex_unlock(&team->lock);
}

static void *make_nodes(void *arg)
{
	struct team *team = arg;
	struct turn_room room;
	struct member *m;
	turn_room_init(&room, team->in);
	while ((m = take(team))) {
		m->stretch.room = &room;
		stretch_run(&m->stretch);
		count_nodes(m);
		end_running(team);
	}
	turn_room_deinit(&room);
	return NULL;
}

static void *wait_and_make_nodes(void *arg)
{
	const struct team *team = arg;
	if (team->in->wait)
		team->in->wait(team->in->wait_arg);
	return make_nodes(arg);
}

/* ---- joining ------------------------------------------------------------------------------------------------- */

/* The node of the whole tree. */
static inline uint32_t number_of(const struct member *m, uint32_t node)
{
	return node < m->n_stand_ins ? m->stand_in[node] : node - m->n_stand_ins + m->first;
}

/* The ends of what they stand for: a later stretch knows better. */
static void keep_ends(struct member *m)
{
	m->end = mem_alloc((m->n_stand_ins + 1) * sizeof *m->end);
	for (uint32_t i = 0; i < m->n_stand_ins; i++) {
		m->end[i] = number_of(m, m->tree.end[i]);
		m->stand_in[i] = number_of(m->of, m->stand_in[i]);
	}
}

/* Where the nodes of each stretch will be, and what comes before them. */
static void number_all(struct team *team)
{
	struct stretch *whole = &team->all->stretch;
	uint32_t n = whole->to->n;
	stretch_close(whole);
	for (struct member *m = team->all->next; m; m = m->next) {
		struct stretch *s = &m->stretch;
		stretch_close(s);
		m->first = n;
		n += m->tree.n - m->n_stand_ins;
		keep_ends(m);
		for (unsigned side = 0; side < 2; side++) {
			m->before[side] = whole->sum[side];
			whole->sum[side] += s->sum[side];
		}
		for (size_t k = 0; k < s->n_zeros; k++)
			mem_push(whole->zeros, whole->n_zeros, whole->cap_zeros, number_of(m, s->zeros[k]));
		if (m->tree.depth > whole->to->depth)
			whole->to->depth = m->tree.depth;
	}
	whole->to->n = n;
}

static void make_room_for_all(struct stretch *s)
{
	struct tree *to = s->to;
	s->cap = to->n;
	to->sym = mem_realloc(to->sym, to->n, sizeof *to->sym);
	to->parent = mem_realloc(to->parent, to->n, sizeof *to->parent);
	to->end = mem_realloc(to->end, to->n, sizeof *to->end);
	to->pos = mem_realloc(to->pos, (size_t)to->n + 1, sizeof *to->pos);
	if (to->base)
		to->base = mem_realloc(to->base, (size_t)to->n + 1, sizeof *to->base);
}

/* The nodes of the column that are moved next end here; begins with the last ones. Returns where they begin. */
static uint32_t piece_before(const struct member *m, uint32_t end)
{
	return end - m->n_stand_ins > PIECE ? end - PIECE : m->n_stand_ins;
}

static void move_symbols(struct member *m, uint32_t *to)
{
	uint32_t end = m->tree.n, begin;
	for (; end > m->n_stand_ins && !trie_is_stopped(m->team->in->from); end = begin) {
		begin = piece_before(m, end);
		memcpy(to + number_of(m, begin), m->tree.sym + begin, (end - begin) * sizeof *to);
		m->tree.sym = mem_realloc(m->tree.sym, begin, sizeof *to);
	}
}

static void move_numbers(struct member *m, uint32_t **from, uint32_t *to)
{
	uint32_t end = m->tree.n, begin;
	for (; end > m->n_stand_ins && !trie_is_stopped(m->team->in->from); end = begin) {
		begin = piece_before(m, end);
		for (uint32_t i = begin; i < end; i++)
			to[i - m->n_stand_ins + m->first] = number_of(m, (*from)[i]);
		*from = mem_realloc(*from, begin, sizeof *to);
	}
}

static void move_positions(struct member *m, uint64_t **from, uint64_t *to, uint64_t before)
{
	uint32_t end = m->tree.n, begin;
	for (; end > m->n_stand_ins && !trie_is_stopped(m->team->in->from); end = begin) {
		begin = piece_before(m, end);
		for (uint32_t i = begin; i < end; i++)
			to[i - m->n_stand_ins + m->first] = (*from)[i] + before;
		*from = mem_realloc(*from, begin, sizeof *to);
	}
}

enum column { COLUMN_POS, COLUMN_BASE, COLUMN_SYM, COLUMN_PARENT, COLUMN_END, N_COLUMNS };

static void move_column(struct member *m, enum column column)
{
	struct tree *to = m->team->to;
	if (column == COLUMN_POS)
		move_positions(m, &m->tree.pos, to->pos, m->before[0]);
	else if (column == COLUMN_BASE && to->base)
		move_positions(m, &m->tree.base, to->base, m->before[1]);
	else if (column == COLUMN_SYM)
		move_symbols(m, to->sym);
	else if (column == COLUMN_PARENT)
		move_numbers(m, &m->tree.parent, to->parent);
	else if (column == COLUMN_END)
		move_numbers(m, &m->tree.end, to->end);
}

/* Each thread takes the next column that no other has taken. */
static void *move_columns(void *arg)
{
	struct team *team = arg;
	struct member *m = team->all->next;
	unsigned at = 0, next;
	while (m && (next = atomic_fetch_add(&team->next_column, 1)) < (team->n_all - 1) * N_COLUMNS) {
		for (; at < next / N_COLUMNS; at++)
			m = m->next;
		move_column(m, (enum column)(next % N_COLUMNS));
	}
	return NULL;
}

static void set_ends(struct team *team)
{
	for (struct member *m = team->all->next; m; m = m->next)
		for (uint32_t i = 0; i < m->n_stand_ins; i++)
			team->to->end[m->stand_in[i]] = m->end[i];
}

static void free_members(struct team *team)
{
	for (struct member *m = team->all->next, *next; m; m = next) {
		next = m->next;
		tree_deinit(&m->tree);
		stretch_deinit(&m->stretch);
		free(m->stand_in);
		free(m->end);
		free(m);
	}
}

/* ---- all ----------------------------------------------------------------------------------------------------- */

/*
 * Calls fn(team) on this thread and on others, `first` on the first of these, and waits for them. Those that do not
 * start are not missed.
 */
static void run_on(struct team *team, unsigned n_threads, void *(*fn)(void *), void *(*first)(void *))
{
	pthread_t *threads = mem_alloc(n_threads * sizeof *threads);
	unsigned n = 0;
	while (n + 1 < n_threads && pthread_create(&threads[n], NULL, n == 0 ? first : fn, team) == 0)
		n++;
	fn(team);
	while (n > 0)
		pthread_join(threads[--n], NULL);
	free(threads);
}

static void join(struct team *team, unsigned n_threads)
{
	number_all(team);
	make_room_for_all(&team->all->stretch);
	run_on(team, n_threads, move_columns, move_columns);
	set_ends(team);
}

bool turn_on_threads(struct stretch *whole, unsigned n_threads)
{
	struct member all = {.stretch = *whole};
	struct team team = {.in = whole->in, .to = whole->to, .all = &all, .waiting = &all};
	team.n_all = team.n_waiting = 1;
	team.n_idle = IDLE_ANYWAY;
	all.team = &team;
	all.stretch.goes_on = count_and_share;
	pthread_mutex_init(&team.lock, NULL);
	pthread_cond_init(&team.changed, NULL);
	run_on(&team, n_threads, make_nodes, wait_and_make_nodes);
	bool is_done = atomic_load(&team.n) <= team.in->most && !trie_is_stopped(team.in->from);
	if (is_done && team.n_all > 1)
		join(&team, n_threads);
	free_members(&team);
	pthread_cond_destroy(&team.changed);
	pthread_mutex_destroy(&team.lock);
	*whole = all.stretch;
	return is_done;
}
