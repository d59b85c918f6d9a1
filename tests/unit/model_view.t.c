/* model_view - a search in a tree, and the place in it when the tree is rebuilt. */
#include "tests/tap.h"

#include "stacks.h"

static const char stacks[] = "main;parse;read 3\n"
							 "main;parse;lex;read 2\n"
							 "main;write 4\n"
							 "idle 1\n";

static void is_path(const struct view *v, uint32_t node, const char *path, const char *name)
{
	char *got = path_at(v, node);

	is_str(got, path, "%s", name);
	free(got);
}

static void refold(struct view *v)
{
	struct err err;

	if (!view_update(v, DIRTY_TREE, NULL, &err))
		bail_out("fold: %s", err.text);
}

static void test_zoom(void)
{
	struct profile p;
	struct view v;

	view_of(&v, &p, stacks, NULL);
	uint32_t parse = node_at(&v, "main;parse"), main_ = node_at(&v, "main");
	ok(view_zoom(&v, parse) & DIRTY_LAYOUT, "zooming changes what is visible");
	is_int(v.cursor, parse, "the cursor moves inside");
	is_int(view_zoom(&v, parse), 0, "zooming to where one is changes nothing");
	view_select(&v, node_at(&v, "main;parse;lex"));
	view_zoom(&v, main_);
	is_path(&v, v.cursor, "main;parse;lex", "a cursor that is inside stays");
	view_unzoom(&v);
	is_int(v.zoom, parse, "back leads to the zoom before");
	view_unzoom(&v);
	is_int(v.zoom, NODE_ALL, "and to the one before that");
	is_int(view_unzoom(&v), 0, "at the root there is nothing to go back to");
	v.zoom = v.cursor = parse;
	view_unzoom(&v);
	is_int(v.zoom, main_, "without a history back leads to the parent");
	view_select(&v, node_at(&v, "idle"));
	is_int(v.zoom, NODE_ALL, "selecting a frame outside zooms out as far as needed");
	is_path(&v, v.cursor, "idle", "and selects it");
	v.recipe.reverse = true;
	v.recipe.sort = SORT_INPUT;
	recipe_add_filter(&v.recipe, FILTER_HIDE, MATCH_REGEX, "lex");
	ok(view_reset(&v) & DIRTY_TREE, "reset means a new tree if the recipe was not plain");
	ok(!v.recipe.reverse && !v.recipe.n_filters && v.recipe.sort == SORT_WEIGHT, "filters and order are gone");
	is_int(view_reset(&v), 0, "resetting twice changes nothing");
	v.recipe.last = 5;
	ok(view_reset(&v) & DIRTY_TREE && v.recipe.last == 0, "a window is taken back");
	v.recipe.half_life = 5;
	ok(view_reset(&v) & DIRTY_TREE && v.recipe.half_life == 0, "and so is fading");
	view_deinit(&v);
	profile_deinit(&p);
}

/* A path printed for a frame leads back to that frame, whatever names are on the way. */
static void test_odd_paths(void)
{
	static const char *const names[] = {
		"",  "a;b",         "\\x41",        "\\x",          "A", "all", "a", "b", "\\x3b",
		";", "\x1b[201~\n", "\xc2\x9b\xff", "\xe2\x80\xaex"};
	const uint32_t n = sizeof names / sizeof *names;
	struct profile p;
	struct view v;
	bool is_good = true;

	profile_init(&p);
	profile_series(&p, 0, 0);
	for (uint32_t i = 0; i < n * n; i++) {
		uint32_t path = PATH_ROOT;
		for (uint32_t k = 0, of = i; k < 2; k++, of /= n)
			path = profile_child(&p, path, symtab_intern(&p.symtab, names[of % n], strlen(names[of % n])));
		profile_add(&p, 0, path, &(struct sample){.weight = 1, .time = NO_TIME, .cpu = NO_CPU});
	}
	view_init(&v, &p, UTF8_CLEAN_UTF8, true);
	view_update(&v, DIRTY_TREE, NULL, NULL);
	for (uint32_t node = 1; node < v.tree.n && is_good; node++) {
		char *path = path_at(&v, node);
		view_zoom(&v, NODE_ALL);
		is_good = view_zoom_path(&v, path) && v.zoom == node &&
		          strspn(path, " ;[]~0123456789ABCDEFXabcdefghijklmnopqrstuvwxyz\\") == strlen(path);
		if (!is_good)
			diag("'%s' leads to %u, not to %u", path, v.zoom, node);
		free(path);
	}
	ok(is_good, "a path leads back to its frame, with any names on the way");
	view_deinit(&v);
	profile_deinit(&p);
}

static void test_zoom_path(void)
{
	struct profile p;
	struct view v;

	view_of(&v, &p, "main;_ZN3foo3barEv;x_[k] 2\nall;b 1\n", NULL);
	ok(view_zoom_path(&v, "main;_ZN3foo3barEv"), "a path of raw names is found");
	is_path(&v, v.zoom, "main;_ZN3foo3barEv", "and zoomed to");
	ok(view_zoom_path(&v, "main;foo::bar();x"), "names as shown are found, too");
	is_path(&v, v.cursor, "main;_ZN3foo3barEv;x_[k]", "and selected");
	ok(!view_zoom_path(&v, "main;nowhere;x"), "a path that ends early says so");
	is_path(&v, v.zoom, "main", "and leads as deep as it goes");
	ok(view_zoom_path(&v, "all;main"), "the root may be named");
	is_path(&v, v.zoom, "main", "and is passed over");
	ok(view_zoom_path(&v, "all;b"), "unless a frame has that name");
	is_path(&v, v.zoom, "all;b", "which comes first");
	ok(view_zoom_path(&v, ""), "no path is the root");
	is_int(v.zoom, NODE_ALL, "exactly");
	view_deinit(&v);
	profile_deinit(&p);
}

static void test_place(void)
{
	struct profile p;
	struct view v;

	view_of(&v, &p, stacks, NULL);
	view_zoom(&v, node_at(&v, "main"));
	view_zoom(&v, node_at(&v, "main;parse"));
	view_select(&v, node_at(&v, "main;parse;lex;read"));
	v.recipe.sort = SORT_WEIGHT;
	refold(&v);
	is_path(&v, v.zoom, "main;parse", "another order keeps the zoom");
	is_path(&v, v.cursor, "main;parse;lex;read", "and the cursor");
	is_path(&v, v.back[1], "main", "and the zooms before");
	recipe_add_filter(&v.recipe, FILTER_HIDE, MATCH_REGEX, "^lex$");
	refold(&v);
	is_path(&v, v.cursor, "main;parse;read", "hiding a frame moves to the frame above it");
	view_select(&v, node_at(&v, "main;parse;read"));
	recipe_drop_filter(&v.recipe, 0);
	refold(&v);
	is_path(&v, v.cursor, "main;parse;read", "showing it again keeps the frame");
	recipe_add_filter(&v.recipe, FILTER_HIDE, MATCH_REGEX, "parse");
	refold(&v);
	is_path(&v, v.zoom, "main", "a zoom that is hidden goes to the frame below it");
	recipe_drop_filter(&v.recipe, 0);
	refold(&v);
	is_path(&v, v.cursor, "main;parse;read", "a frame comes back by its name when its parents do");
	recipe_add_filter(&v.recipe, FILTER_FOCUS, MATCH_REGEX, "write");
	refold(&v);
	is_path(&v, v.cursor, "main", "a filter that takes stacks leads to the deepest frame that is left");
	recipe_drop_filter(&v.recipe, 0);
	v.zoom = v.cursor = NODE_ALL;
	refold(&v);
	view_select(&v, node_at(&v, "main;parse"));
	view_zoom(&v, node_at(&v, "main;parse"));
	view_select(&v, node_at(&v, "main;parse;read"));
	v.recipe.reverse = true;
	refold(&v);
	is_path(&v, v.zoom, "", "turned around, a zoom to a function that is never on top is given up");
	is_path(&v, v.cursor, "read", "the cursor is on the same function, at the root's side");
	view_zoom(&v, v.cursor);
	v.recipe.reverse = false;
	refold(&v);
	is_path(&v, v.zoom, "main;parse;read", "turned back, the zoom is on the widest frame of the function");
	v.recipe.reverse = true;
	refold(&v);
	is_path(&v, v.zoom, "read", "and on the function itself when turned around again");
	v.recipe.reverse = false;
	refold(&v);
	is_path(&v, v.cursor, "main;parse;read", "turned back the cursor is on the widest frame of the function");
	v.recipe.chart = true;
	refold(&v);
	is_path(&v, v.cursor, "main;parse;read", "a flame chart keeps the path");
	view_deinit(&v);
	profile_deinit(&p);
}

static void test_bad_pattern(void)
{
	struct profile p;
	struct view v;
	struct err err;
	char why[100];

	view_of(&v, &p, stacks, NULL);
	recipe_add_filter(&v.recipe, FILTER_HIDE, MATCH_REGEX, "(");
	ok(!view_update(&v, DIRTY_TREE, NULL, &err), "a filter with a bad pattern fails");
	ok(v.tree.n == 8 && tree_check(&v.tree, why, sizeof why), "and the old tree stays");
	view_search(&v, "read", MATCH_REGEX, &err);
	err.text[0] = '\0';
	is_int(view_search(&v, "(", MATCH_REGEX, &err), 0, "a search with a bad pattern changes nothing");
	ok(err.text[0], "and says why: %s", err.text);
	is_str(v.search.pattern, "read", "the search before stays");
	view_deinit(&v);
	profile_deinit(&p);
}

static void test_search(void)
{
	struct profile p;
	struct view v;
	struct err err;

	view_of(&v, &p, stacks, NULL);
	is_int(view_search(&v, "read|lex", MATCH_REGEX, &err), DIRTY_SCREEN, "a search changes the screen");
	is_int(v.search.frames, 3, "frames that match are counted");
	is_int(v.search.matched, 5, "a match inside of a match counts once");
	uint32_t lex = node_at(&v, "main;parse;lex");
	ok(view_is_hit(&v, lex) && !view_is_hit(&v, node_at(&v, "idle")), "frames know whether they match");
	v.cursor = NODE_ALL;
	uint32_t first = view_next_hit(&v, false);
	is_path(&v, first, "main;parse;read", "the first match is the heaviest");
	is_int(view_first_hit(&v), first, "wherever the cursor is");
	is_int(view_hit_number(&v, first), 1, "it is number one");
	v.cursor = first;
	is_int(view_next_hit(&v, false), lex, "the next one is lighter");
	is_int(view_hit_number(&v, lex), 2, "and number two");
	v.cursor = view_next_hit(&v, true);
	is_path(&v, v.cursor, "main;parse;lex;read", "before the first comes the last");
	is_int(view_hit_number(&v, v.cursor), 3, "with the last number");
	is_int(view_next_hit(&v, false), first, "after the last comes the first");
	is_int(view_hit_number(&v, node_at(&v, "idle")), 0, "a frame that does not match has no number");
	ok(view_has_hit_within(&v, node_at(&v, "main"), node_at(&v, "main")), "a match below is known");
	ok(!view_has_hit_within(&v, node_at(&v, "idle"), node_at(&v, "idle")), "and none");
	view_zoom(&v, lex);
	is_int(v.search.frames_zoom, 2, "zoomed, only frames inside count, including the zoomed one");
	is_int(v.search.matched, 2, "and its weight");
	view_zoom(&v, node_at(&v, "idle"));
	ok(view_next_hit(&v, false) == NO_NODE, "where nothing matches there is no next");
	v.zoom = NODE_ALL;
	v.recipe.reverse = true;
	refold(&v);
	is_int(v.search.matched, 5, "a search goes with the tree");
	stacks_add(&p, 0, "spread;reader 5\n");
	refold(&v);
	is_int(v.search.matched, 10, "and finds names that came later");
	view_search(&v, ".*", MATCH_REGEX, &err);
	is_int(v.search.frames, v.tree.n - 1, "the root is no frame and never matches");
	is_int(view_search(&v, "", MATCH_REGEX, &err), DIRTY_SCREEN, "an empty pattern ends the search");
	ok(!v.search.pattern && view_next_hit(&v, false) == NO_NODE, "and nothing matches any more");
	is_int(view_search(&v, NULL, MATCH_REGEX, &err), 0, "ending it twice changes nothing");
	view_deinit(&v);
	profile_deinit(&p);
}

/* A view around a random tree, in which some symbols match. */
static void view_by_chance(struct view *v, struct profile *p, uint64_t seed, uint32_t n, uint32_t names)
{
	struct tree t;
	char name[20];

	profile_init(p);
	for (uint32_t i = 0; i < names; i++) {
		snprintf(name, sizeof name, "f%u", i);
		symtab_intern(&p->symtab, name, strlen(name));
	}
	view_init(v, p, UTF8_CLEAN_UTF8, false);
	tree_by_chance(&t, seed, n, 60, 100, false);
	for (uint32_t i = 1; i < n; i++)
		t.sym[i] = 1 + chance(&seed, names);
	view_adopt_tree(v, &t);
	tree_deinit(&t);
}

/* Inlined functions that a second pass finds lie between frames: cursor and zoom stay on theirs. */
static void test_frames_between(void)
{
	struct profile p, second;
	struct view v;
	struct err err;
	uint32_t node;

	profile_init(&p);
	stacks_add(&p, 0, "main;run;parse;read 7\nmain;other 9\n");
	view_init(&v, &p, UTF8_CLEAN_UTF8, false);
	ok(view_update(&v, DIRTY_TREE, NULL, &err), "a view of functions");
	ok(view_find_path(&v, "main;run;parse", &node), "with a frame");
	view_zoom_path(&v, "main;run");
	v.cursor = node;
	profile_init(&second);
	symtab_deinit(&second.symtab);
	symtab_clone(&second.symtab, &p.symtab);
	stacks_add(&second, 0, "main;step;run;go;parse;skip;read 7\nmain;other 9\n");
	view_use_profile(&v, &second);
	view_expect_frames(&v);
	ok(view_update(&v, DIRTY_TREE, NULL, &err), "the same with inlined functions");
	ok(view_find_path(&v, "main;step;run", &node) && v.zoom == node, "the zoom stays in its frame");
	ok(view_find_path(&v, "main;step;run;go;parse", &node) && v.cursor == node, "the cursor, too");
	view_deinit(&v);
	profile_deinit(&second);
	profile_deinit(&p);
}

static uint64_t naive_matched(const struct view *v)
{
	uint64_t sum = 0;

	for (uint32_t i = v->zoom; i < v->tree.end[v->zoom]; i++) {
		bool is_outermost = i != NODE_ALL && view_is_hit(v, i);
		for (uint32_t up = i; is_outermost && up != v->zoom;) {
			up = v->tree.parent[up];
			is_outermost = up == NODE_ALL || !view_is_hit(v, up);
		}
		sum += is_outermost ? tree_total(&v->tree, i) : 0;
	}
	return sum;
}

/* Heavier matches come first, and equal ones as they stand. */
static bool comes_before(const struct view *v, uint32_t a, uint32_t b)
{
	uint64_t x = tree_total(&v->tree, a), y = tree_total(&v->tree, b);
	return x != y ? x > y : a < b;
}

/* Of the matches below the zoom the one behind `node` in that order, or the first one of all. */
static uint32_t naive_lighter(const struct view *v, uint32_t node, bool is_any, bool backwards)
{
	uint32_t best = NO_NODE;
	for (uint32_t i = v->zoom; i < v->tree.end[v->zoom]; i++) {
		if (i == NODE_ALL || !view_is_hit(v, i))
			continue;
		if (!is_any && (i == node || comes_before(v, i, node) != backwards))
			continue;
		if (best == NO_NODE || comes_before(v, i, best) != backwards)
			best = i;
	}
	return best;
}

static uint32_t naive_next(const struct view *v, bool backwards)
{
	uint32_t from = v->zoom, n = v->tree.end[v->zoom] - from, hit = NO_NODE;
	if (view_is_hit(v, v->cursor) && v->cursor != NODE_ALL)
		hit = naive_lighter(v, v->cursor, false, backwards);
	else if (backwards)
		for (uint32_t k = 1; k <= n && hit == NO_NODE; k++) {
			uint32_t i = from + (v->cursor - from + n - k) % n;
			hit = i != NODE_ALL && view_is_hit(v, i) ? i : NO_NODE;
		}
	return hit != NO_NODE ? hit : naive_lighter(v, 0, true, backwards);
}

static void test_by_chance(void)
{
	bool sums = true, next = true, within = true, numbers = true;

	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct profile p;
		struct view v;
		uint64_t dice = seed;
		uint32_t n = 1 + chance(&dice, 3000);
		view_by_chance(&v, &p, seed, n, 200);
		view_search(&v, seed % 4 ? "7$" : "^f1", MATCH_REGEX, NULL);
		for (int k = 0; k < 30; k++) {
			view_zoom(&v, chance(&dice, n));
			v.cursor = v.zoom + chance(&dice, v.tree.end[v.zoom] - v.zoom);
			sums = sums && v.search.matched == naive_matched(&v);
			next = next && view_next_hit(&v, false) == naive_next(&v, false);
			next = next && view_next_hit(&v, true) == naive_next(&v, true);
			uint64_t before = 0, inside = 0;
			bool is_number = v.cursor != NODE_ALL && view_is_hit(&v, v.cursor);
			for (uint32_t i = v.zoom; i < v.tree.end[v.zoom]; i++) {
				bool is_hit = i != NODE_ALL && view_is_hit(&v, i);
				before += is_hit && is_number && !comes_before(&v, v.cursor, i);
				inside += is_hit && i >= v.cursor && i < v.tree.end[v.cursor];
			}
			numbers = numbers && view_hit_number(&v, v.cursor) == before;
			within = within && view_has_hit_within(&v, v.cursor, v.cursor) == (inside > 0);
		}
		view_deinit(&v);
		profile_deinit(&p);
	}
	ok(sums, "the matched weight is that of the outermost matches");
	ok(next, "next and previous are those that a walk finds");
	ok(numbers, "so are the numbers of matches");
	ok(within, "and whether there is one inside of a frame");
}

static bool is_same_search(const struct search *a, const struct search *b, uint32_t n_nodes)
{
	return a->hits.n == b->hits.n && memcmp(a->hits.bits, b->hits.bits, (a->hits.n + 63) / 64 * 8) == 0 &&
	       memcmp(a->node_bits, b->node_bits, (n_nodes / 64 + 1) * sizeof *a->node_bits) == 0 &&
	       a->frames == b->frames && a->frames_zoom == b->frames_zoom && a->matched == b->matched;
}

/* Typing a search letter by letter, with or without cancelling, gives the same result as searching at once. */
static void test_in_steps(void)
{
	static const char *const typed[] = {"f", "f1", "f1", "f17", "7$", "F", "f1"};
	struct profile p;
	struct view v, other;
	struct search s;
	struct progress progress = {0}, cancelled = {.cancel = true};
	bool same = true, stopped = true;

	view_by_chance(&v, &p, 3, 100000, 30000);
	view_init(&other, &p, UTF8_CLEAN_UTF8, false);
	tree_deinit(&other.tree);
	other.tree = v.tree; /* lent */
	view_zoom(&v, 17);
	other.zoom = 17;
	for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
		ok(search_begin(&s, typed[i], MATCH_REGEX, NULL, NULL), "a search for %s begins", typed[i]);
		stopped = stopped && !search_run(&s, &p.symtab, &v.tree, v.zoom, &cancelled);
		search_clear(&s);
		search_begin(&s, typed[i], MATCH_REGEX, &v.search, NULL);
		search_run(&s, &p.symtab, &v.tree, 0, &progress);
		view_take_search(&v, &s);
		view_search(&other, NULL, MATCH_REGEX, NULL);
		view_search(&other, typed[i], MATCH_REGEX, NULL);
		same = same && is_same_search(&v.search, &other.search, v.tree.n);
	}
	ok(stopped, "it can be stopped");
	ok(same, "in the background and after another search it finds the same");
	ok(progress_share(&progress) > 0.9, "and says how far it is");
	ok(!search_begin(&s, "(", MATCH_REGEX, NULL, NULL), "a bad pattern does not begin");
	v.most_counted = 10;
	view_zoom(&v, NODE_ALL);
	ok(v.search.is_counted, "outside of matches a zoom counts without looking at them");
	tree_init(&other.tree);
	view_deinit(&other);
	view_deinit(&v);
	profile_deinit(&p);
}

/* Below a match, all nodes must be scanned. */
static void test_most_counted(void)
{
	struct profile p;
	struct view v;
	struct buf text;

	buf_init(&text);
	for (int i = 0; i < 50; i++)
		buf_addf(&text, "xmain;run;x%d 1\n", i);
	view_of(&v, &p, buf_str(&text), NULL);
	view_search(&v, "x", MATCH_REGEX, NULL);
	v.most_counted = 20;
	view_zoom(&v, node_at(&v, "xmain;run"));
	ok(!v.search.is_counted && v.search.frames_zoom == 50, "more matches than may be looked at are not added up");
	v.most_counted = 60;
	view_zoom(&v, node_at(&v, "xmain"));
	view_zoom(&v, node_at(&v, "xmain;run"));
	ok(v.search.is_counted && v.search.matched == 50, "fewer are");
	view_deinit(&v);
	profile_deinit(&p);
	buf_deinit(&text);
}

static void test_speed(void)
{
	struct profile p;
	struct view v;

	view_by_chance(&v, &p, 5, 4000000, 50000);
	view_search(&v, "77", MATCH_REGEX, NULL);
	double start = tap_seconds();
	view_update(&v, DIRTY_HITS, NULL, NULL);
	double each = tap_seconds() - start;
	diag("marking 4 million nodes, %llu of which match: %.1f ms", (unsigned long long)v.search.frames, each * 1e3);
	ok(each < 0.5, "millions of frames are searched at once");
	view_deinit(&v);
	profile_deinit(&p);
}

static void test_texts(void)
{
	struct profile p;
	struct view v;

	view_of(&v, &p, "a_[k] 5\n", NULL);
	is_str(view_unit(&v), "samples", "without a unit, weights are samples");
	is_str(view_event(&v), "cycles", "the event has a name");
	is_int(view_total(&v), 5, "the total is that of all");
	is_str(view_name(&v, NODE_ALL)->text, "all", "the root is called all");
	is_str(view_name(&v, 1)->text, "a", "annotations are not shown");
	v.recipe.series = -1;
	is_str(view_event(&v), "", "several events have no name");
	view_deinit(&v);
	profile_deinit(&p);
}

/* The nth frame of this path in a chart, from 1. */
static uint32_t nth_of(const struct view *v, const char *parent, const char *name, int n)
{
	uint32_t sym = symtab_find(&v->profile->symtab, name, strlen(name));
	uint32_t i = tree_first_child(&v->tree, node_at(v, parent));

	for (; i != NO_NODE; i = tree_next_sibling(&v->tree, i))
		if (v->tree.sym[i] == sym && --n == 0)
			return i;
	return NO_NODE;
}

/* In a chart, frames with the same path are distinguished by their positions. */
static void test_place_in_chart(void)
{
	struct profile p;
	struct view v;

	view_of(&v, &p, "main;a;x 5\nmain;b;y 5\nmain;a;z 50\nmain;b;y 5\nmain;a;x 5\n", NULL);
	v.recipe.chart = true;
	refold(&v);
	view_zoom(&v, nth_of(&v, "main", "a", 1));
	view_zoom(&v, nth_of(&v, "main", "a", 3));
	recipe_add_filter(&v.recipe, FILTER_HIDE, MATCH_REGEX, "y");
	refold(&v);
	is_int(v.zoom, nth_of(&v, "main", "a", 3), "in a chart a zoom stays at its occurrence");
	is_int(v.cursor, v.zoom, "and so does the cursor");
	is_int(v.back[1], nth_of(&v, "main", "a", 1), "and the zooms before");
	recipe_drop_filter(&v.recipe, 0);
	refold(&v);
	is_int(v.zoom, nth_of(&v, "main", "a", 3), "and when the hidden frames come back");
	recipe_add_filter(&v.recipe, FILTER_FOCUS, MATCH_REGEX, "x");
	refold(&v);
	is_path(&v, v.zoom, "main;a", "where stacks are taken out, it is the nearest");
	recipe_drop_filter(&v.recipe, 0);
	v.recipe.chart = false;
	refold(&v);
	is_path(&v, v.zoom, "main;a", "outside a chart there is one frame of the path");
	v.recipe.chart = true;
	refold(&v);
	is_int(v.zoom, nth_of(&v, "main", "a", 2), "coming from there the widest is meant");
	view_deinit(&v);
	profile_deinit(&p);
}

static void add_timed(struct profile *p, const char *const *names, size_t n, uint64_t time)
{
	uint32_t series = profile_series(p, symtab_intern(&p->symtab, "cycles", 6), 0), path = PATH_ROOT;

	for (size_t i = 0; i < n; i++)
		path = profile_child(p, path, symtab_intern(&p->symtab, names[i], strlen(names[i])));
	profile_add(p, 0, path, &(struct sample){.weight = 1, .series = series, .time = time, .cpu = NO_CPU});
}

/* When stacks before a frame are gone, it has another position, but the same time. */
static void test_place_in_time(void)
{
	static const char *const a[] = {"main", "a"}, *const b[] = {"main", "b"};
	struct profile p;
	struct view v;

	profile_init(&p);
	for (unsigned i = 0; i < 40; i++)
		add_timed(&p, i % 8 == 7 ? a : b, 2, 1000 + i);
	view_init(&v, &p, UTF8_CLEAN_UTF8, true);
	v.recipe.chart = true;
	v.recipe.axis = AXIS_SAMPLES;
	refold(&v);
	view_zoom(&v, nth_of(&v, "main", "a", 4));
	is_int(v.tree.time[v.zoom], 31, "a frame of a chart with times");
	v.recipe.from = 20;
	refold(&v);
	is_int(v.tree.time[v.zoom], 31, "stays the one of that time when the beginning is left out");
	v.recipe.from = 0;
	refold(&v);
	is_int(v.tree.time[v.zoom], 31, "and when it comes back");
	view_deinit(&v);
	profile_deinit(&p);
}

static void is_span(const struct view *v, uint64_t from, uint64_t to, const char *what)
{
	struct span s = view_span(v);
	ok(s.from == from && s.to == to, "%s: %d to %d", what, (int)s.from, (int)s.to);
}

/* With a time axis, a zoom is a stretch of time. */
static void test_spans(void)
{
	static const char *const a[] = {"main", "a"}, *const b[] = {"main", "b"};
	struct profile p;
	struct view v;

	profile_init(&p);
	for (unsigned i = 0; i < 40; i++)
		add_timed(&p, i % 8 == 7 ? a : b, 2, 1000 + i);
	view_init(&v, &p, UTF8_CLEAN_UTF8, true);
	v.recipe.chart = true;
	refold(&v);
	is_span(&v, 0, 40, "all is visible");
	view_select(&v, nth_of(&v, "main", "a", 4));
	view_zoom(&v, v.cursor);
	is_span(&v, 31, 32, "a zoom shows the time of a frame");
	is_int(v.zoom, NODE_ALL, "and hides no frame of that time");
	view_zoom_span(&v, (struct span){30, 34});
	is_int(view_move_span(&v, 38) & DIRTY_LAYOUT, DIRTY_LAYOUT, "it can be moved");
	is_span(&v, 36, 40, "up to the end");
	view_move_span(&v, 20);
	v.recipe.from = 22;
	refold(&v);
	is_span(&v, 22, 24, "what is not there any more is not visible");
	is_int(v.tree.time[v.cursor], 31, "the cursor stays on its frame");
	v.recipe.axis = AXIS_SAMPLES;
	refold(&v);
	ok(!view_is_zoomed(&v) && v.tree.time[v.cursor] == 31, "without the axis the zoom ends, the cursor stays");
	view_zoom(&v, v.cursor);
	v.recipe.axis = AXIS_TIME;
	refold(&v);
	is_span(&v, 31, 32, "a zoom becomes the time of its frame");
	view_unzoom(&v);
	is_span(&v, 22, 40, "there is a way back");
	view_deinit(&v);
	profile_deinit(&p);
}

int main(void)
{
	test_zoom();
	test_zoom_path();
	test_odd_paths();
	test_place();
	test_frames_between();
	test_place_in_chart();
	test_place_in_time();
	test_spans();
	test_bad_pattern();
	test_search();
	test_by_chance();
	test_in_steps();
	test_most_counted();
	test_speed();
	test_texts();
	return done_testing();
}
