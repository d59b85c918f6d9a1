/*
 * profile_bound.c - how many frames an input may make: so many, and more for each byte of it.
 *
 * Paths are compared with one number, most_paths, which these functions keep.
 */
#include "profile.h"

#include "base/mem.h"

static void set_most_paths(struct profile *p)
{
	struct profile_bound *b = &p->bound;
	uint64_t most = b->before + (b->most > b->taken ? b->most - b->taken : 0);
	most = most < b->room[ROOM_PATHS] ? most : b->room[ROOM_PATHS];
	b->most_paths = most < PATHS_MOST ? (uint32_t)most : PATHS_MOST;
	b->is_reached |= b->taken > b->most || p->symtab.n > b->room[ROOM_SYMBOLS];
}

void profile_bound_begin(struct profile *p)
{
	struct profile_bound *b = &p->bound;
	b->lost = NO_PATH;
	b->is_reached = false;
	b->before = p->n_paths;
	b->walked = b->tables = b->taken = b->bytes = b->values = 0;
	b->most = FRAMES_FREE;
	b->of_all += FRAMES_FREE;
	set_most_paths(p);
}

void profile_bound_grow(struct profile *p, uint64_t bytes)
{
	p->bound.bytes += bytes;
	p->bound.most += bytes * FRAMES_PER_BYTE;
	p->bound.of_all += bytes * FRAMES_PER_BYTE;
	set_most_paths(p);
}

void profile_bound_end(struct profile *p)
{
	p->bound.most = UINT64_MAX;
	p->bound.most_paths = PATHS_MOST;
}

uint64_t profile_bound_of_views(const struct profile *p)
{
	return p->bound.of_all ? p->bound.of_all : UINT64_MAX;
}

bool profile_bound_is_of_tables(const struct profile *p)
{
	const struct profile_bound *b = &p->bound;
	return b->walked / WALKED_PER_FRAME > b->most && b->tables > b->walked / 2;
}

bool profile_take(struct profile *p, uint64_t n)
{
	p->bound.taken += n;
	set_most_paths(p);
	return !p->bound.is_reached;
}

uint32_t profile_lost(struct profile *p)
{
	static const char name[] = "[too many frames]"; /* never shown: it has no samples */
	struct profile_bound *b = &p->bound;
	if (p->n_paths >= PATHS_MOST)
		mem_exhausted();
	b->is_reached = true;
	if (b->lost != NO_PATH)
		return b->lost;
	struct profile_bound own = *b;
	b->most_paths = PATHS_MOST;
	b->room[ROOM_SYMBOLS] = UINT32_MAX;
	own.lost = profile_append_unindexed(p, PATH_ROOT, symtab_intern(&p->symtab, name, sizeof name - 1));
	*b = own;
	return b->lost;
}
