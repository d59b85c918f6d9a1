/*
 * Trees printed from the root: each path exists once, wherever it comes again.
 */
#include "collapse/text/branch.h"
#include "tests/tap.h"

#define PUTS 20000

static uint32_t chance(uint64_t *state, uint32_t below)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33) % below;
}

/* Walks at random through two profiles, one by branch_put(), one by looking up every path. */
static void walk(uint32_t n_symbols, size_t deepest, bool is_second_file, const char *name)
{
	struct profile quick, slow;
	struct branch branch = {0};
	uint32_t *paths = malloc((deepest + 1) * sizeof *paths);
	uint64_t state = n_symbols;
	size_t differences = 0;
	char text[16];
	profile_init(&quick);
	profile_init(&slow);
	for (uint32_t i = 0; i < n_symbols; i++) {
		int len = snprintf(text, sizeof text, "f%u", i);
		symtab_intern(&quick.symtab, text, (size_t)len);
		symtab_intern(&slow.symtab, text, (size_t)len);
	}
	if (is_second_file) {
		profile_child(&quick, profile_child(&quick, PATH_ROOT, 1), 2);
		profile_child(&slow, profile_child(&slow, PATH_ROOT, 1), 2);
	}
	for (int i = 0; i < PUTS; i++) {
		size_t most = branch.height < deepest ? branch.height : deepest - 1;
		size_t depth = most - chance(&state, most < 3 ? (uint32_t)most + 1 : 3);
		uint32_t sym = 1 + chance(&state, n_symbols);
		paths[depth] = profile_child(&slow, depth ? paths[depth - 1] : PATH_ROOT, sym);
		differences += branch_put(&branch, &quick, depth, sym) != paths[depth];
	}
	is_int(differences, 0, "%s: every node has the path that a look-up finds", name);
	is_int(quick.n_paths, slow.n_paths, "%s: no path is there twice", name);
	is_int(branch.height > 0, 1, "%s: the branch ends with the last node", name);
	branch_deinit(&branch);
	profile_deinit(&quick);
	profile_deinit(&slow);
	free(paths);
}

/* Two wide nodes in turn, each with one child more every time. */
static void alternate(uint32_t rounds, bool *is_indexed)
{
	struct profile p;
	struct branch branch = {0};
	char text[16];
	uint32_t path[2] = {0}, moved = 0;
	profile_init(&p);
	for (uint32_t i = 0; i < rounds; i++) {
		int len = snprintf(text, sizeof text, "f%u", i);
		uint32_t sym = symtab_intern(&p.symtab, text, (size_t)len);
		for (uint32_t side = 0; side < 2; side++) {
			uint32_t node = branch_put(&branch, &p, 0, side);
			moved += i && node != path[side];
			path[side] = node;
			moved += branch_put(&branch, &p, 1, sym) != p.n_paths - 1;
		}
	}
	is_int(moved, 0, "%u children each: both nodes keep their paths, every child gets a new one", rounds);
	*is_indexed = profile_has_index(&p);
	branch_deinit(&branch);
	profile_deinit(&p);
}

static void test_links(void)
{
	bool is_indexed;
	alternate(4, &is_indexed);
	is_int(is_indexed, 0, "nodes that are met again find their children without looking paths up");
	alternate(3000, &is_indexed);
	is_int(is_indexed, 1, "unless they have so many that following links would take longer");
}

int main(void)
{
	test_links();
	walk(3, 6, false, "few symbols");
	walk(500, 40, false, "many symbols");
	walk(5000, 3, false, "wide nodes");
	walk(30, 2000, false, "a deep tree");
	walk(30, 12, true, "a second file");
	walk(1, 100, false, "recursion");
	return done_testing();
}
