/*
 * debug_units.c - lists units, finds functions in their namespaces and classes, and names them.
 *
 * .debug_aranges would be quicker than reading all units, but half of the compilers leave it out for some. Entries
 * refer to each other by offsets, which may overlap in a damaged file, so a tree can have more paths than bytes:
 * all steps are counted, by the attributes that an entry may have. Any number of entries may name one list of
 * ranges, so what is kept of them counts, too.
 */
#include "symbols/debug_units.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "base/sort.h"

/*
 * Entries and ranges looked at in one file: some, and a few for each of its bytes, so that many small files do not
 * take long; at most several seconds. What links a browser has fewer functions.
 */
#define MOST_STEPS ((uint64_t)1 << 26)
#define FREE_STEPS ((uint64_t)1 << 19)
#define STEPS_RATIO 4u
#define SPLIT_STEPS 1024u    /* for a file of split DWARF, and the units in it */
#define SPLIT_BYTES 64u      /* of it, and of what is unpacked, for a step more */
#define USUAL_ATTRIBUTES 64u /* of an entry: compilers write some thirty at most */
#define USUAL_NS 20000u      /* for the next entry */
#define STEP_NS 20u
#define NO_SCOPE UINT32_MAX
#define MOST_NAME 4096u
/* Of all qualified names: some bytes, and a few times those of the program. Others stay without namespaces. */
#define MOST_NAMES ((uint64_t)64 << 20)
#define MOST_NAMES_RATIO 8u
#define TAKEN_AT_ONCE 4096u             /* bytes; less is seldom counted */
#define SORTED(type) (2 * sizeof(type)) /* with the copy that a sort makes */

struct unit_range {
	uint64_t start, end;
	size_t unit;
};

struct scope {
	const char *name;
	uint32_t parent;
};

struct debug_scoped {
	Dwarf_Off offset;
	uint32_t scope;
};

struct debug_units {
	const struct debug_program *program;
	struct err refused; /* "": no file was */
	struct debug_unit *units;
	size_t n_units, cap_units;
	struct idmap numbers;      /* of units, by libdw's address of those in the file and in files of split DWARF */
	struct unit_range *ranges; /* by start */
	size_t n_ranges, cap_ranges;
	struct scope *scopes;
	size_t n_scopes, cap_scopes;
	struct arena names;
	uint64_t n_names; /* their bytes */
	uint64_t steps, most_steps;
	uint64_t step;          /* what an entry counts: libdw goes through its attributes */
	struct debug_cost cost; /* of what is kept */
	uint64_t room;          /* bytes that are counted but not taken yet */
	bool is_full;           /* no more may be kept */
};

bool debug_units_step(struct debug_units *u)
{
	if (debug_units_is_cut(u))
		return false;
	u->steps += u->step;
	return true;
}

bool debug_units_take(struct debug_units *u, uint64_t bytes)
{
	uint64_t more = bytes > TAKEN_AT_ONCE ? bytes : TAKEN_AT_ONCE;
	if (!u->is_full && u->room < bytes) {
		u->is_full = !debug_cost_bytes(&u->cost, more, 0, u->program->path, "what it describes", NULL);
		u->room += u->is_full ? 0 : more;
	}
	u->room -= u->is_full ? 0 : bytes;
	return !u->is_full;
}

bool debug_units_is_cut(const struct debug_units *u)
{
	return u->is_full || u->steps >= u->most_steps;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct unit_range *x = a, *y = b;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->unit < y->unit ? -1 : x->unit > y->unit;
}

/* Skips address 0: the linker leaves the debug information of dropped code there. */
static void add_unit(struct debug_units *u, Dwarf_Die *die, bool is_skeleton)
{
	uint64_t start, end;
	struct debug_ranges ranges = debug_ranges_of(die, NULL);
	struct debug_unit unit = {.die = *die, .is_skeleton = is_skeleton};
	while (debug_units_step(u) && debug_ranges_next(&ranges, &start, &end))
		if (start && start < end && debug_units_take(u, SORTED(struct unit_range)))
			mem_push(u->ranges, u->n_ranges, u->cap_ranges, ((struct unit_range){start, end, u->n_units}));
	idmap_add(&u->numbers, (uintptr_t)die->cu, (uint32_t)u->n_units);
	mem_push(u->units, u->n_units, u->cap_units, unit);
}

static uint64_t step_of(const struct debug_cost *file)
{
	return 1 + file->attributes / USUAL_ATTRIBUTES;
}

static uint64_t most_steps(const struct debug_cost *file)
{
	uint64_t n = FREE_STEPS + STEPS_RATIO * (file->size + file->bytes);
	return n < MOST_STEPS ? n : MOST_STEPS;
}

struct debug_units *debug_units_new(const struct debug_program *program)
{
	struct debug_units *u = mem_zalloc(1, sizeof *u);
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t type;
	u->program = program;
	u->most_steps = most_steps(&program->handle->cost);
	u->step = step_of(&program->handle->cost);
	arena_init(&u->names);
	for (;;) {
		mem_ensure(DEBUG_UNIT_ROOM);
		if (!debug_units_step(u) || dwarf_get_units(program->handle->dwarf, cu, &cu, NULL, &type, &die, NULL) != 0)
			break;
		if (type != DW_UT_type && type != DW_UT_split_type)
			add_unit(u, &die, type == DW_UT_skeleton);
	}
	if (u->n_ranges)
		sort_array(u->ranges, u->n_ranges, sizeof *u->ranges, compare_ranges);
	return u;
}

static void free_functions(struct debug_functions *f, void (*free_inlines)(struct debug_inlines *))
{
	for (size_t i = 0; i < f->n; i++)
		if (f->list[i].inlines)
			free_inlines(f->list[i].inlines);
	free(f->list);
}

void debug_units_free(struct debug_units *u, void (*free_inlines)(struct debug_inlines *))
{
	for (size_t i = 0; i < u->n_units; i++) {
		free_functions(&u->units[i].functions, free_inlines);
		free_functions(&u->units[i].nested, free_inlines);
		free(u->units[i].scoped);
		debug_split_free(u->units[i].split);
	}
	idmap_deinit(&u->numbers);
	free(u->units);
	free(u->ranges);
	free(u->scopes);
	arena_deinit(&u->names);
	debug_cost_end(&u->cost);
	free(u);
}

/* How many ranges back a search goes for one that holds an address, past others that begin in between. */
#define OVERLAPS 8u

struct debug_unit *debug_units_at(struct debug_units *u, uint64_t vaddr)
{
	size_t low = 0, high = u->n_ranges;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (u->ranges[middle].start <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t i = low; i && low - i < OVERLAPS; i--)
		if (vaddr < u->ranges[i - 1].end)
			return &u->units[u->ranges[i - 1].unit];
	return NULL;
}

/* ---- entries that stand for others -------------------------------------------------------------- */

#define MOST_ORIGINS 16

/* Moves to the entry that declares what `die` is an instance of; false: it is none. */
static bool to_origin(Dwarf_Die *die)
{
	Dwarf_Attribute a;
	Dwarf_Die next;
	if (!dwarf_attr(die, DW_AT_abstract_origin, &a) && !dwarf_attr(die, DW_AT_specification, &a))
		return false;
	if (!dwarf_formref_die(&a, &next))
		return false;
	*die = next;
	return true;
}

static Dwarf_Die declaration_of(const Dwarf_Die *die)
{
	Dwarf_Die found = *die;
	for (int i = 0; i < MOST_ORIGINS && to_origin(&found); i++)
		;
	return found;
}

/* The text of an entry, or of what it is an instance of. */
static const char *text_of(const Dwarf_Die *die, unsigned name)
{
	Dwarf_Die at = *die;
	for (int i = 0; i <= MOST_ORIGINS; i++) {
		const char *text = debug_text(&at, name);
		if (text || !to_origin(&at))
			return text;
	}
	return NULL;
}

/* ---- functions ---------------------------------------------------------------------------------- */

/* A walk down from a unit, with one entry for each depth. */
struct walk {
	struct debug_units *units;
	struct debug_unit *unit;
	struct debug_functions *to;
	Dwarf_Die path[DEBUG_DEPTH];
	uint32_t scopes[DEBUG_DEPTH]; /* the entries' scopes */
	size_t depth;
	bool is_deep;
};

static void add_function(struct walk *w, Dwarf_Die *die)
{
	uint64_t start, end;
	struct debug_ranges ranges = debug_ranges_of(die, w->unit->split);
	struct debug_functions *f = w->to;
	while (debug_units_step(w->units) && debug_ranges_next(&ranges, &start, &end))
		if (start && start < end && debug_units_take(w->units, SORTED(struct debug_function)))
			mem_push(f->list, f->n, f->cap, ((struct debug_function){.start = start, .end = end, .die = *die}));
}

static uint32_t add_scope(struct walk *w, Dwarf_Die *die, uint32_t parent)
{
	struct debug_units *u = w->units;
	const char *name = text_of(die, DW_AT_name);
	if (u->n_scopes >= NO_SCOPE - 1 || !debug_units_take(u, sizeof *u->scopes))
		return parent;
	if (!name)
		name = dwarf_tag(die) == DW_TAG_namespace ? "(anonymous namespace)" : "{unnamed}";
	mem_push(u->scopes, u->n_scopes, u->cap_scopes, ((struct scope){name, parent}));
	return (uint32_t)u->n_scopes - 1;
}

/* Takes an entry's data; true: it may contain functions, and *scope is their scope. */
static bool visit(struct walk *w, Dwarf_Die *die, uint32_t *scope)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
		add_function(w, die);
		if (*scope != NO_SCOPE && !w->is_deep && debug_units_take(w->units, SORTED(struct debug_scoped)))
			mem_push(w->unit->scoped, w->unit->n_scoped, w->unit->cap_scoped,
			         ((struct debug_scoped){dwarf_dieoffset(die), *scope}));
		return w->is_deep;
	case DW_TAG_lexical_block:
	case DW_TAG_inlined_subroutine:
		return w->is_deep;
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
		if (!w->is_deep)
			*scope = add_scope(w, die, *scope);
		return true;
	default:
		return false;
	}
}

static uint64_t time_used(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/*
 * If the entry does not tell where the next one is, libdw goes through all that is below it, which may be the rest
 * of the unit, and does not say how much it was: then the time counts.
 */
bool debug_units_sibling(struct debug_units *u, Dwarf_Die *die, Dwarf_Die *next)
{
	if (dwarf_haschildren(die) != 1)
		return dwarf_siblingof(die, next) == 0;
	uint64_t begun = time_used();
	bool is_there = dwarf_siblingof(die, next) == 0;
	uint64_t ns = time_used() - begun;
	u->steps += ns > USUAL_NS ? ns / STEP_NS : 0;
	return is_there;
}

/* Moves to the next entry at the same depth or further up; false: there is none. */
static bool walk_on(struct walk *w)
{
	Dwarf_Die next;
	for (; w->depth; w->depth--) {
		if (debug_units_sibling(w->units, &w->path[w->depth], &next)) {
			w->path[w->depth] = next;
			return true;
		}
	}
	return false;
}

static void walk_unit(struct walk *w)
{
	if (dwarf_child(&w->path[0], &w->path[1]) != 0)
		return;
	w->scopes[1] = NO_SCOPE;
	for (w->depth = 1; debug_units_step(w->units);) {
		uint32_t scope = w->scopes[w->depth];
		if (visit(w, &w->path[w->depth], &scope) && w->depth + 1 < DEBUG_DEPTH &&
		    dwarf_child(&w->path[w->depth], &w->path[w->depth + 1]) == 0)
			w->scopes[++w->depth] = scope;
		else if (!walk_on(w))
			return;
	}
}

static int compare_functions(const void *a, const void *b)
{
	const struct debug_function *x = a, *y = b;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (uintptr_t)x->die.addr < (uintptr_t)y->die.addr ? -1 : (uintptr_t)x->die.addr > (uintptr_t)y->die.addr;
}

static int compare_scoped(const void *a, const void *b)
{
	const struct debug_scoped *x = a, *y = b;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void open_split(struct debug_units *u, struct debug_unit *unit)
{
	struct err err = {""};
	unit->is_skeleton = false;
	u->steps += SPLIT_STEPS;
	if (debug_units_is_cut(u))
		return;
	struct debug_cost cost = {0};
	unit->split = debug_split_open(u->program, &unit->die, &cost, &err);
	u->steps += (cost.size + cost.bytes) / SPLIT_BYTES;
	u->step = step_of(&cost) > u->step ? step_of(&cost) : u->step;
	if (unit->split)
		idmap_add(&u->numbers, (uintptr_t)unit->split->die.cu, (uint32_t)(unit - u->units));
	else if (errno != ENOENT && !u->refused.text[0])
		u->refused = err;
}

/* With split DWARF the functions are in a separate file. */
static Dwarf_Die whole_unit(struct debug_units *u, struct debug_unit *unit)
{
	if (unit->is_skeleton)
		open_split(u, unit);
	return unit->split ? unit->split->die : unit->die;
}

const char *debug_units_refused(const struct debug_units *u)
{
	return u->refused.text[0] ? u->refused.text : NULL;
}

static void read_unit(struct debug_units *u, struct debug_unit *unit, struct debug_functions *to)
{
	struct walk *w = mem_zalloc(1, sizeof *w);
	w->units = u;
	w->unit = unit;
	w->to = to;
	w->is_deep = to == &unit->nested;
	w->path[0] = whole_unit(u, unit);
	walk_unit(w);
	free(w);
	to->is_read = true;
	if (to->n)
		sort_array(to->list, to->n, sizeof *to->list, compare_functions);
	if (unit->n_scoped)
		sort_array(unit->scoped, unit->n_scoped, sizeof *unit->scoped, compare_scoped);
}

static struct debug_function *find_function(const struct debug_functions *f, uint64_t vaddr)
{
	size_t low = 0, high = f->n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (f->list[middle].start <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t i = low; i && low - i < OVERLAPS; i--)
		if (vaddr < f->list[i - 1].end)
			return &f->list[i - 1];
	return NULL;
}

/*
 * Functions within functions (lambdas, nested functions) are sought only when no other function holds the address:
 * the search reads every entry.
 */
struct debug_function *debug_units_function(struct debug_units *u, struct debug_unit *unit, uint64_t vaddr)
{
	if (!unit->functions.is_read)
		read_unit(u, unit, &unit->functions);
	struct debug_function *found = find_function(&unit->functions, vaddr);
	if (found)
		return found;
	if (!unit->nested.is_read)
		read_unit(u, unit, &unit->nested);
	return find_function(&unit->nested, vaddr);
}

/* ---- names -------------------------------------------------------------------------------------- */

/* Returns the namespace or class of an entry. A unit of a supplementary file (dwz) is not one of ours. */
static uint32_t scope_of(struct debug_units *u, Dwarf_Die *die)
{
	uint32_t number;
	if (!idmap_find(&u->numbers, (uintptr_t)die->cu, &number))
		return NO_SCOPE;
	struct debug_unit *unit = &u->units[number];
	if (!unit->functions.is_read)
		read_unit(u, unit, &unit->functions);
	struct debug_scoped key = {.offset = dwarf_dieoffset(die)}, *found = NULL;
	if (unit->n_scoped)
		found = bsearch(&key, unit->scoped, unit->n_scoped, sizeof key, compare_scoped);
	return found ? found->scope : NO_SCOPE;
}

static const char *qualified(struct debug_units *u, uint32_t scope, const char *name)
{
	uint32_t scopes[DEBUG_DEPTH];
	size_t n = 0;
	struct buf text;
	for (; scope != NO_SCOPE && n < DEBUG_DEPTH; scope = u->scopes[scope].parent)
		scopes[n++] = scope;
	buf_init(&text);
	while (n && text.len < MOST_NAME) {
		buf_adds(&text, u->scopes[scopes[--n]].name);
		buf_adds(&text, "::");
	}
	buf_adds(&text, name);
	const struct debug_cost *c = &u->program->handle->cost;
	bool is_fine = u->n_names + text.len <= MOST_NAMES + MOST_NAMES_RATIO * (c->size + c->bytes) &&
	               debug_units_take(u, text.len);
	const char *kept = is_fine ? arena_bytes(&u->names, text.data, text.len) : name;
	u->n_names += is_fine ? text.len : 0;
	buf_deinit(&text);
	return kept;
}

const char *debug_units_name(struct debug_units *u, Dwarf_Die *die)
{
	const char *name = text_of(die, DW_AT_linkage_name);
	if (!name)
		name = text_of(die, DW_AT_MIPS_linkage_name);
	if (name)
		return name;
	name = text_of(die, DW_AT_name);
	if (!name)
		return NULL;
	Dwarf_Die declared = declaration_of(die);
	uint32_t scope = scope_of(u, &declared);
	return scope == NO_SCOPE ? name : qualified(u, scope, name);
}

#endif
