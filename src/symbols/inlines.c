/*
 * inlines.c - maps an address to the calls that the compiler inlined there.
 *
 * dwarf_getscopes() per address is slow, and omits the callers of an inlined function (it continues in the scopes
 * where that function was written). So a function's inlined calls are listed once, each with the ranges of the
 * calls directly within it. An address costs a search for each call that encloses it.
 */
#include "symbols/inlines.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/idmap.h"
#include "base/map.h"
#include "base/mem.h"
#include "symbols/debug_units.h"
#include "symbols/ranges.h"

#define MOST_PIECES ((uint32_t)1 << 18) /* of a function */
#define MOST_FRAMES 256u                /* at one address */
#define MOST_NAME ((size_t)64 << 10)    /* bytes */
#define NONE UINT32_MAX
#define PIECE_BYTES (2 * sizeof(struct range) + RANGES_EACH) /* while they are settled */
#define LIST_BYTES (sizeof(struct ranges) + 192)             /* and four small allocations */

/* Names may be the ends of one another: all have some bytes, and this many times those of the file. */
#define MORE_NAMES ((uint64_t)4 << 10)
#define NAMES_RATIO 2u

/* An inlined call. */
struct call {
	Dwarf_Die die;
	struct ranges *within; /* numbers of the calls directly within it; NULL: there are none */
	const char *name;      /* set with file and line at the first request */
	const char *file;      /* of the call, as the line is */
	uint32_t line;
	bool is_known;
};

struct debug_inlines {
	struct call *calls;
	size_t n_calls, cap_calls;
	uint32_t n_pieces;     /* of code of all calls */
	struct ranges *within; /* as of a call, of the function itself */
	const char *name;      /* of the function */
};

struct place {
	uint64_t vaddr;
	const struct inlined_at *frames;
	size_t n;
};

/* The name of a source file as in the line table of a unit, and with the unit's directory. */
struct file_name {
	const char *name, *whole;
	const void *unit;
};

struct inlines {
	struct debug_handle own;
	struct debug_handle alt; /* what it shares with other files */
	char *path;
	struct debug_program program;
	struct debug_units *units;
	struct arena frames;
	struct place *places;
	size_t n, cap;
	struct map map; /* of places by vaddr */
	struct file_name *names;
	size_t n_names, cap_names;
	struct map name_map;
	struct idmap tables; /* of lines, by their offset + 1: may the table be read? */
	struct err refused;  /* why a table was not; "": none was refused */
	struct idmap known;  /* hashes of names */
	uint64_t taken;      /* bytes of those from the file itself, or from what it shares */
	bool lacks_names, is_cut;
};

/* ---- opening ------------------------------------------------------------------------------------ */

/* Without it, the functions that it names have none. */
static void open_alt(struct inlines *in, const char *alt_path, struct err *err)
{
	const char *name;
	const void *id;
	if (alt_path && debug_handle_open(&in->alt, alt_path, false, err))
		debug_handle_set_alt(&in->own, &in->alt);
	else if (!alt_path && dwelf_dwarf_gnu_debugaltlink(in->own.dwarf, &name, &id) > 0)
		fail(err, "%s: it refers to %s, which is not here or has another build id", in->path, name);
}

bool inlines_is_built(void)
{
	return true;
}

struct inlines *inlines_open(const struct inlines_files *files, struct err *err)
{
	struct inlines *in = mem_zalloc(1, sizeof *in);
	arena_init(&in->frames);
	in->path = mem_strdup(files->debug_path ? files->debug_path : files->path);
	if (!debug_handle_open(&in->own, in->path, true, err)) {
		int error = errno;
		inlines_free(in);
		errno = error;
		return NULL;
	}
	open_alt(in, files->alt_path, err);
	in->program = (struct debug_program){&in->own, in->path, files->places};
	in->units = debug_units_new(&in->program);
	map_init(&in->map, 512);
	map_init(&in->name_map, 16);
	return in;
}

static void free_ranges(struct ranges *r)
{
	if (r)
		ranges_deinit(r);
	free(r);
}

static void free_calls(struct debug_inlines *d)
{
	for (size_t i = 0; i < d->n_calls; i++)
		free_ranges(d->calls[i].within);
	free_ranges(d->within);
	free(d->calls);
	free(d);
}

void inlines_free(struct inlines *in)
{
	if (!in)
		return;
	if (in->units)
		debug_units_free(in->units, free_calls);
	debug_handle_close(&in->own);
	debug_handle_close(&in->alt);
	arena_deinit(&in->frames);
	free(in->path);
	free(in->places);
	map_deinit(&in->map);
	free(in->names);
	map_deinit(&in->name_map);
	idmap_deinit(&in->tables);
	idmap_deinit(&in->known);
	free(in);
}

const char *inlines_cut(const struct inlines *in)
{
	return in->is_cut || debug_units_is_cut(in->units) ? in->path : NULL;
}

const char *inlines_refused(const struct inlines *in)
{
	return debug_units_refused(in->units);
}

const char *inlines_lines_refused(const struct inlines *in)
{
	return in->refused.text[0] ? in->refused.text : NULL;
}

bool inlines_lacks_names(const struct inlines *in)
{
	return in->lacks_names;
}

/* ---- the inlined calls of a function ------------------------------------------------------------ */

/* parent: the enclosing call; NONE: the function itself. Where calls overlap, the one that comes first counts. */
static void add_piece(struct inlines *in, struct debug_inlines *d, uint32_t parent, const uint64_t piece[2])
{
	struct ranges **within = parent == NONE ? &d->within : &d->calls[parent].within;
	if (!debug_units_take(in->units, PIECE_BYTES + (*within ? 0 : LIST_BYTES)))
		return;
	if (!*within)
		*within = mem_zalloc(1, sizeof **within);
	ranges_add(*within, &(struct range){piece[0], piece[1], (uint32_t)d->n_calls, UINT32_MAX - d->n_pieces++});
}

static uint32_t add_call(struct inlines *in, struct debug_inlines *d, struct debug_ranges ranges, uint32_t parent)
{
	uint64_t piece[2];
	uint32_t number = (uint32_t)d->n_calls;
	in->is_cut |= d->n_pieces >= MOST_PIECES;
	if (number == NONE || d->n_pieces >= MOST_PIECES || !debug_units_take(in->units, sizeof *d->calls))
		return parent;
	while (d->n_pieces < MOST_PIECES && debug_units_step(in->units) &&
	       debug_ranges_next(&ranges, &piece[0], &piece[1]))
		if (piece[0] < piece[1])
			add_piece(in, d, parent, piece);
	mem_push(d->calls, d->n_calls, d->cap_calls, ((struct call){.die = *ranges.die}));
	return number;
}

static void settle(struct debug_inlines *d)
{
	if (d->within)
		ranges_settle(d->within);
	for (size_t i = 0; i < d->n_calls; i++)
		if (d->calls[i].within)
			ranges_settle(d->calls[i].within);
}

static void walk_calls(struct inlines *in, struct debug_inlines *d, const struct debug_unit *unit, Dwarf_Die *die)
{
	Dwarf_Die path[DEBUG_DEPTH];
	uint32_t parents[DEBUG_DEPTH];
	size_t depth = 1;
	parents[1] = NONE;
	if (dwarf_child(die, &path[1]) != 0)
		return;
	while (depth && debug_units_step(in->units)) {
		int tag = dwarf_tag(&path[depth]);
		uint32_t parent = parents[depth];
		if (tag == DW_TAG_inlined_subroutine)
			parent = add_call(in, d, debug_ranges_of(&path[depth], unit->split), parent);
		if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) && depth + 1 < DEBUG_DEPTH &&
		    dwarf_child(&path[depth], &path[depth + 1]) == 0) {
			parents[++depth] = parent;
			continue;
		}
		while (depth && !debug_units_sibling(in->units, &path[depth], &path[depth]))
			depth--;
	}
}

static struct debug_inlines *list_calls(struct inlines *in, const struct debug_unit *unit,
                                        const struct debug_function *f)
{
	struct debug_inlines *d = mem_zalloc(1, sizeof *d);
	Dwarf_Die die = f->die;
	d->name = debug_units_name(in->units, &die);
	walk_calls(in, d, unit, &die);
	settle(d);
	return d;
}

/* ---- addresses ---------------------------------------------------------------------------------- */

static uint32_t number_of(Dwarf_Die *die, unsigned name)
{
	uint64_t value = debug_number(die, name);
	return value > UINT32_MAX ? 0 : (uint32_t)value;
}

/* The absolute name of a source file; compilers may give it relative to where they ran. */
static const char *whole_name(struct inlines *in, Dwarf_Die *unit, const char *name)
{
	if (!name || *name == '/')
		return name;
	uint64_t hash = hash_mix((uintptr_t)name ^ hash_seed[0], (uintptr_t)unit->cu ^ hash_seed[1]);
	MAP_EACH(&in->name_map, hash, i)
	if (in->names[i].name == name && in->names[i].unit == unit->cu)
		return in->names[i].whole;
	const char *directory = debug_text(unit, DW_AT_comp_dir);
	struct buf whole;
	buf_init(&whole);
	if (directory)
		buf_addf(&whole, "%s/", directory);
	buf_adds(&whole, name);
	if (!debug_units_take(in->units, whole.len + sizeof *in->names)) {
		buf_deinit(&whole);
		return NULL;
	}
	mem_push(in->names, in->n_names, in->cap_names,
	         ((struct file_name){name, arena_bytes(&in->frames, whole.data, whole.len), unit->cu}));
	map_add(&in->name_map, hash, (uint32_t)(in->n_names - 1));
	buf_deinit(&whole);
	return in->names[in->n_names - 1].whole;
}

static unsigned address_size(Dwarf_Die *unit)
{
	uint8_t size;
	return dwarf_cu_info(unit->cu, NULL, NULL, NULL, NULL, NULL, &size, NULL) == 0 ? size : 0;
}

/* Is the unit's table of lines, and of files, small enough? */
static bool may_read_table(struct inlines *in, struct debug_unit *unit)
{
	struct debug_table table = {debug_number(&unit->die, DW_AT_stmt_list), address_size(&unit->die)};
	uint32_t may;
	if (idmap_find(&in->tables, table.offset + 1, &may))
		return may;
	may = debug_cost_lines(&in->own.cost, in->own.elf, table, in->path, &in->refused);
	idmap_add(&in->tables, table.offset + 1, may);
	return may;
}

/* The same for that of the file of split DWARF, which is at its beginning. */
static bool may_read_split(struct inlines *in, struct debug_split *split)
{
	struct debug_handle *h = &split->file;
	if (split->table == SPLIT_TABLE_UNKNOWN)
		split->table =
			debug_cost_lines(&h->cost, h->elf, (struct debug_table){0, split->address_size}, in->path, &in->refused)
				? SPLIT_TABLE_FINE
				: SPLIT_TABLE_REFUSED;
	return split->table == SPLIT_TABLE_FINE;
}

/* The file of split DWARF may have a list of its own. */
static const char *file_of(struct inlines *in, struct debug_unit *unit, uint32_t number)
{
	Dwarf_Files *files;
	size_t n;
	if (!may_read_table(in, unit) || (unit->split && !may_read_split(in, unit->split)))
		return NULL;
	bool is_own = unit->split && dwarf_getsrcfiles(&unit->split->die, &files, &n) == 0;
	if ((!is_own && dwarf_getsrcfiles(&unit->die, &files, &n) != 0) || number >= n)
		return NULL;
	return whole_name(in, &unit->die, dwarf_filesrc(files, number, NULL, NULL));
}

static uint64_t size_of(const struct debug_handle *h)
{
	return h->cost.size + h->cost.bytes;
}

/* Returns the name, or NULL if its file has given too many. A name counts once. */
static const char *take_name(struct inlines *in, struct debug_split *split, const char *name)
{
	uint64_t *taken = split ? &split->taken : &in->taken;
	uint64_t size = split ? size_of(&split->file) : size_of(&in->own) + size_of(&in->alt);
	uint32_t unused;
	size_t n = name ? strnlen(name, MOST_NAME + 1) : 0;
	uint64_t hash = n <= MOST_NAME ? hash_bytes(name, n) : 0;
	if (n == 0 || (n <= MOST_NAME && idmap_find(&in->known, hash, &unused)))
		return name;
	if (n > MOST_NAME || *taken + n > NAMES_RATIO * size + MORE_NAMES) {
		in->lacks_names = true;
		return NULL;
	}
	*taken += n;
	idmap_add(&in->known, hash, 0);
	return name;
}

static void know_call(struct inlines *in, struct debug_unit *unit, struct call *c)
{
	if (c->is_known)
		return;
	c->is_known = true;
	c->name = take_name(in, unit->split, debug_units_name(in->units, &c->die));
	c->line = number_of(&c->die, DW_AT_call_line);
	if (dwarf_hasattr(&c->die, DW_AT_call_file))
		c->file = file_of(in, unit, number_of(&c->die, DW_AT_call_file));
}

/* Finds the calls at the address, outermost first; each encloses the next. Returns how many. */
static size_t calls_at(const struct debug_inlines *d, uint64_t vaddr, uint32_t calls[MOST_FRAMES])
{
	const struct ranges *within = d->within;
	size_t n = 0;
	for (; within && n < MOST_FRAMES - 1; within = d->calls[calls[n++]].within)
		if ((calls[n] = ranges_find(within, vaddr)) == RANGES_NONE)
			break;
	return n;
}

/* Takes the line table's entry for the address itself. */
static void set_line(struct inlines *in, struct debug_unit *unit, uint64_t vaddr, struct inlined_at *frame)
{
	int number;
	Dwarf_Line *line = may_read_table(in, unit) ? dwarf_getsrc_die(&unit->die, vaddr) : NULL;
	if (!line)
		return;
	frame->file = whole_name(in, &unit->die, dwarf_linesrc(line, NULL, NULL));
	if (dwarf_lineno(line, &number) == 0 && number > 0)
		frame->line = (uint32_t)number;
}

static size_t frames_of(struct inlines *in, uint64_t vaddr, struct inlined_at frames[MOST_FRAMES])
{
	uint32_t calls[MOST_FRAMES];
	size_t n = 0;
	struct debug_unit *unit = debug_units_at(in->units, vaddr);
	if (!unit)
		return 0;
	struct debug_function *f = debug_units_function(in->units, unit, vaddr);
	frames[0] = (struct inlined_at){0};
	set_line(in, unit, vaddr, &frames[0]);
	if (!f)
		return 1;
	if (!f->inlines)
		f->inlines = list_calls(in, unit, f);
	for (size_t i = calls_at(f->inlines, vaddr, calls); i; i--) {
		struct call *c = &f->inlines->calls[calls[i - 1]];
		know_call(in, unit, c);
		frames[n].name = c->name ? c->name : "{unnamed}";
		frames[n++].is_inlined = true;
		frames[n] = (struct inlined_at){.file = c->file, .line = c->line};
	}
	frames[n++].name = f->inlines->name;
	return n;
}

static struct place look_up(struct inlines *in, uint64_t vaddr)
{
	struct inlined_at found[MOST_FRAMES];
	size_t n = frames_of(in, vaddr, found);
	struct inlined_at *kept = arena_alloc(&in->frames, n * sizeof *kept);
	memcpy(kept, found, n * sizeof *kept);
	return (struct place){.vaddr = vaddr, .frames = kept, .n = n};
}

/* Number of the place in in->places. */
static size_t place_at(struct inlines *in, uint64_t vaddr)
{
	uint64_t hash = hash_mix(vaddr ^ hash_seed[0], hash_seed[1] | 1);
	MAP_EACH(&in->map, hash, i)
	if (in->places[i].vaddr == vaddr)
		return i;
	mem_push(in->places, in->n, in->cap, look_up(in, vaddr));
	map_add(&in->map, hash, (uint32_t)(in->n - 1));
	return in->n - 1;
}

size_t inlines_at(struct inlines *in, uint64_t vaddr, const struct inlined_at **frames)
{
	size_t i = place_at(in, vaddr);
	const struct place *place = &in->places[i];
	*frames = place->frames;
	return place->n;
}

#else

bool inlines_is_built(void)
{
	return false;
}

struct inlines *inlines_open(const struct inlines_files *files, struct err *err)
{
	fail(err, "%s: this flametop was built without libdw (elfutils), which reads inlined functions", files->path);
	return NULL;
}

void inlines_free(struct inlines *in)
{
	(void)in;
}

size_t inlines_at(struct inlines *in, uint64_t vaddr, const struct inlined_at **frames)
{
	(void)in;
	(void)vaddr;
	*frames = NULL;
	return 0;
}

const char *inlines_cut(const struct inlines *in)
{
	(void)in;
	return NULL;
}

const char *inlines_refused(const struct inlines *in)
{
	(void)in;
	return NULL;
}

const char *inlines_lines_refused(const struct inlines *in)
{
	(void)in;
	return NULL;
}

bool inlines_lacks_names(const struct inlines *in)
{
	(void)in;
	return false;
}

#endif
