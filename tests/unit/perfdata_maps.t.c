/* Maps of a process, compared with a plain model; many maps; shared maps. */
#include "perfdata/maps.h"

#include "perfdata/processes.h"
#include "tests/tap.h"

enum { PLACES = 64 };

/* The file at each address, 0: none, and the offset in it. */
struct model {
	uint32_t file[PLACES];
	uint64_t pgoff[PLACES];
};

static uint64_t noise = 5;

static uint64_t any(uint64_t below)
{
	noise = noise * 6364136223846793005u + 1442695040888963407u;
	return (noise >> 33) % below;
}

static struct perfdata_maps *add_both(struct perfdata_maps *maps, struct model *m, uint32_t file)
{
	uint64_t start = any(PLACES), end = start + any(PLACES - start + 1), pgoff = any(1000);
	struct perfdata_map map = {.start = start, .end = end, .pgoff = pgoff, .file = file};
	for (uint64_t i = start; i < end; i++) {
		m->file[i] = file;
		m->pgoff[i] = pgoff + i - start;
	}
	return perfdata_maps_insert(maps, &map);
}

static bool is_model(const struct perfdata_maps *maps, const struct model *m)
{
	for (uint64_t i = 0; i < PLACES; i++) {
		const struct perfdata_map *map = perfdata_maps_at(maps, i);
		if (!map != !m->file[i])
			return false;
		if (map && (map->file != m->file[i] || i - map->start + map->pgoff != m->pgoff[i]))
			return false;
	}
	return !perfdata_maps_at(maps, PLACES);
}

static void test_model(void)
{
	bool good = true, is_kept = true;
	for (int round = 0; round < 300; round++) {
		struct model m = {{0}, {0}}, before;
		struct perfdata_maps *maps = NULL, *old;
		for (uint32_t i = 1; i < 20; i++)
			maps = add_both(maps, &m, i);
		old = perfdata_maps_share(maps);
		before = m;
		for (uint32_t i = 20; i < 40; i++)
			maps = add_both(maps, &m, i);
		good = good && is_model(maps, &m);
		is_kept = is_kept && is_model(old, &before);
		perfdata_maps_free(maps);
		is_kept = is_kept && is_model(old, &before);
		perfdata_maps_free(old);
	}
	ok(good, "a new map takes the place of what it overlaps, and heads and tails stay");
	ok(is_kept, "a set that is shared does not change with the other one");
}

static void test_many(void)
{
	enum { MANY = 100000 };
	struct perfdata_processes p;
	perfdata_processes_init(&p);
	double began = tap_seconds();
	for (uint32_t i = 0; i < MANY; i++) {
		uint64_t start = (uint64_t)(i * 7919u % MANY) * 4096;
		perfdata_process_map(perfdata_process(&p, 1),
		                     &(struct perfdata_map){.start = start, .end = start + 4096, .file = i});
	}
	for (int32_t i = 2; i < MANY; i++) {
		perfdata_fork(&p, &(struct perfdata_fork){i, 1, i, 1, true});
		perfdata_process_map(perfdata_process(&p, i), &(struct perfdata_map){.start = (uint64_t)i * 4096 + 8,
		                                                                     .end = (uint64_t)i * 4096 + 16});
	}
	ok(tap_seconds() - began < 4, "100,000 maps and as many forks of them take no time");
	is_int(perfdata_map_at(perfdata_process(&p, 77), 77 * 4096 + 20)->start, 77 * 4096 + 16,
	       "each has its own change");
	is_int(perfdata_map_at(perfdata_process(&p, 1), 77 * 4096 + 20)->start, 77 * 4096,
	       "the parent has none of them");
	perfdata_processes_deinit(&p);
}

static void test_edges(void)
{
	struct perfdata_maps *maps = NULL;
	maps = perfdata_maps_insert(maps, &(struct perfdata_map){.start = 5, .end = 5});
	ok(!maps, "an empty map is none");
	maps = perfdata_maps_insert(maps, &(struct perfdata_map){.start = 0, .end = UINT64_MAX, .file = 1});
	maps = perfdata_maps_insert(maps, &(struct perfdata_map){.start = 10, .end = UINT64_MAX, .file = 2});
	is_int(perfdata_maps_at(maps, 9)->file, 1, "the end of the address space is an address as any");
	is_int(perfdata_maps_at(maps, UINT64_MAX - 1)->file, 2, "to its last but one");
	perfdata_maps_free(maps);
}

static void test_threads(void)
{
	struct perfdata_processes p;
	perfdata_processes_init(&p);
	is_str(perfdata_comm(&p, 0), "swapper", "thread 0 is the idle task");
	is_str(perfdata_comm(&p, 9), NULL, "a thread that was never named has no name");
	perfdata_set_comm(&p, 9, "sh\0junk", 7);
	perfdata_fork(&p, &(struct perfdata_fork){10, 9, 10, 9, true});
	is_str(perfdata_comm(&p, 10), "sh", "a new process has the name of its parent");
	perfdata_set_comm(&p, 10, "cc1", 3);
	is_str(perfdata_comm(&p, 9), "sh", "until it takes one of its own");
	is_str(perfdata_comm(&p, 10), "cc1", "which is its own");
	perfdata_process(&p, 10)->namespaces[NAMESPACE_MOUNT] = 55;
	perfdata_fork(&p, &(struct perfdata_fork){11, 10, 11, 10, false});
	is_int(perfdata_process(&p, 11)->namespaces[NAMESPACE_MOUNT], 55, "namespaces are those of the parent");
	perfdata_process_map(perfdata_process(&p, 10), &(struct perfdata_map){.start = 1, .end = 2});
	perfdata_fork(&p, &(struct perfdata_fork){11, 10, 11, 10, true});
	ok(perfdata_map_at(perfdata_process(&p, 11), 1), "maps are, too, of a real fork");
	perfdata_fork(&p, &(struct perfdata_fork){11, 10, 11, 10, false});
	ok(!perfdata_map_at(perfdata_process(&p, 11), 1), "but not where perf made the fork up, since its maps follow");
	perfdata_processes_deinit(&p);
}

int main(void)
{
	test_model();
	test_many();
	test_edges();
	test_threads();
	return done_testing();
}
