/*
 * jfr_names.c - makes frames and threads of the rows of a Flight Recorder chunk.
 *
 *	stack {truncated, frames[] {method, lineNumber, type}}   the leaf first
 *	method {type: class, name: symbol}    class {name: symbol}    symbol {string}
 *
 * Classes are named as in class files: "java/util/List", "[B", "[Ljava/lang/Object;". async-profiler puts native
 * functions into the same tables; they have no class. Names of hidden classes end in an address, which differs from
 * run to run, so it is removed: "Work$$Lambda$88+0x00007f887c007a08/1790421142" is Work$$Lambda$88.
 *
 * A recording names no source files. By convention, a class and those inside it are in the file of the outermost
 * one: com/acme/Pool$Entry in com/acme/Pool.java.
 */
#include "collapse/formats/jfr_names.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/text/tidy.h"

#define NAMELESS "[unknown]"
#define MOST_NAME 65535u /* bytes of the name of a class or method, as in class files */

/* Marks at the end of a frame, made[] of a method. */
enum mark { UNMARKED, MARK_JIT, MARK_INLINED, MARK_KERNEL };

void jfr_names_init(struct jfr_names *n, struct sink *sink, struct jfr_chunk *chunk)
{
	*n = (struct jfr_names){.sink = sink, .chunk = chunk};
	buf_init(&n->class);
	buf_init(&n->text);
	buf_init(&n->file);
}

void jfr_names_deinit(struct jfr_names *n)
{
	frames_deinit(&n->frames);
	free(n->sites);
	buf_deinit(&n->class);
	buf_deinit(&n->text);
	buf_deinit(&n->file);
}

/* A small file can refer to a long row very often: that counts as frames do. */
static struct jfr_row *get(struct jfr_names *n, enum jfr_table table, uint64_t id, uint64_t v[N_SLOTS])
{
	size_t size;
	if (n->sink->profile->bound.is_reached) {
		memset(v, 0, N_SLOTS * sizeof *v);
		return NULL;
	}
	struct jfr_row *row = jfr_get(n->chunk, table, id, v, &size);
	profile_walk_table(n->sink->profile, size, 0);
	return row;
}

/* --- names --- */

static struct slice slice_of_buf(const struct buf *b)
{
	return (struct slice){b->len ? b->data : "", b->len};
}

static struct slice symbol(struct jfr_names *n, uint64_t id)
{
	uint64_t v[N_SLOTS];
	if (!get(n, SYMBOLS, id, v))
		return (struct slice){"", 0};
	struct slice s = jfr_string(n->chunk, n->chunk->tables[SYMBOLS].type, SLOT_STRING, v);
	return slice_head(s, s.n < MOST_NAME ? s.n : MOST_NAME);
}

/* Without "/1790421142" and "+0x00007f887c007a08" at the end. */
static struct slice without_address(struct slice class)
{
	for (size_t i = class.n; i-- > 0;) {
		if (class.s[i] != '/' && class.s[i] != '.')
			continue;
		if (i + 1 < class.n && is_digit_byte(class.s[i + 1]))
			class.n = i;
		break;
	}
	size_t plus = slice_find_last(class, '+');
	return plus != SIZE_MAX && slice_is_address(slice_from(class, plus + 1)) ? slice_head(class, plus) : class;
}

/* The class's name as in its file, without an address; empty: there is none. Good until the next one. */
static struct slice class_name(struct jfr_names *n, uint64_t id)
{
	uint64_t v[N_SLOTS];
	n->class.len = 0;
	if (get(n, CLASSES, id, v)) {
		struct slice name = without_address(symbol(n, v[SLOT_NAME]));
		buf_add(&n->class, name.s, name.n);
	}
	return slice_of_buf(&n->class);
}

static void add_dotted(struct buf *out, struct slice name)
{
	size_t from = out->len;
	buf_add(out, name.s, name.n);
	for (size_t i = from; i < out->len; i++)
		out->data[i] = out->data[i] == '/' ? '.' : out->data[i];
}

/* "[[B" -> "byte[][]" */
static void add_class(struct buf *out, struct slice class)
{
	static const char *const basic[] = {"Bbyte", "Cchar", "Ddouble", "Ffloat",
	                                    "Iint",  "Jlong", "Sshort",  "Zboolean"};
	size_t dimensions = 0;
	while (dimensions < class.n && class.s[dimensions] == '[')
		dimensions++;
	class = slice_from(class, dimensions);
	if (dimensions && class.n > 2 && *class.s == 'L' && slice_ends(class, ";"))
		class = (struct slice){class.s + 1, class.n - 2};
	for (size_t i = 0; dimensions && class.n == 1 && i < sizeof basic / sizeof *basic; i++)
		if (*class.s == *basic[i])
			class = slice_of(basic[i] + 1);
	add_dotted(out, class);
	while (dimensions--)
		buf_adds(out, "[]");
}

/* Sets n->text to the name of a method, and n->file to its source file. */
static void name_method(struct jfr_names *n, uint64_t id)
{
	uint64_t v[N_SLOTS];
	n->text.len = n->file.len = 0;
	if (!get(n, METHODS, id, v))
		return;
	struct slice class = class_name(n, v[SLOT_TYPE]), method = symbol(n, v[SLOT_NAME]);
	add_class(&n->file, class);
	sink_add_shared(n->sink, &n->text, buf_str(&n->file), n->file.len);
	n->file.len = 0;
	buf_adds(&n->text, class.n && method.n ? "." : "");
	buf_add(&n->text, method.s, method.n);
	if (!class.n || *class.s == '[')
		return;
	size_t slash = slice_find_last(class, '/'), begin = slash == SIZE_MAX ? 0 : slash + 1;
	size_t dollar = begin + 1 < class.n ? slice_find_byte(slice_from(class, begin + 1), '$') : SIZE_MAX;
	buf_add(&n->file, class.s, dollar == SIZE_MAX ? class.n : begin + 1 + dollar);
	buf_adds(&n->file, ".java");
}

/* --- frames --- */

static enum mark mark_of(struct jfr_names *n, uint64_t type, enum frame_kind *kind)
{
	static const struct {
		const char *name;
		enum mark mark;
		enum frame_kind kind;
	} types[] = {
		{"JIT compiled", MARK_JIT, KIND_JIT},    {"C1 compiled", MARK_JIT, KIND_JIT},
		{"Inlined", MARK_INLINED, KIND_INLINED}, {"Kernel", MARK_KERNEL, KIND_KERNEL},
		{"Native", UNMARKED, KIND_USER},         {"C++", UNMARKED, KIND_USER},
	};
	struct jfr_row *row = jfr_find(n->chunk, FRAME_TYPES, type);
	uint64_t v[N_SLOTS];
	*kind = KIND_UNKNOWN;
	if (row && !row->made[0]) {
		get(n, FRAME_TYPES, type, v);
		struct slice name = jfr_string(n->chunk, n->chunk->tables[FRAME_TYPES].type, SLOT_DESCRIPTION, v);
		row->made[0] = 1;
		for (uint32_t i = 0; i < sizeof types / sizeof *types; i++)
			if (slice_is(name, types[i].name))
				row->made[0] = i + 2;
	}
	if (!row)
		return UNMARKED;
	if (row->made[0] == 1)
		return UNMARKED;
	*kind = types[row->made[0] - 2].kind;
	return types[row->made[0] - 2].mark;
}

static bool is_marked(const struct jfr_names *n, enum mark mark)
{
	return mark == MARK_KERNEL ? n->sink->options->kernel : mark != UNMARKED && n->sink->options->jit;
}

/* The text in n->text as a frame. */
static uint32_t make_frame(struct jfr_names *n, const char *mark)
{
	if (n->sink->options->shorten_pkgs && n->file.len) {
		n->class.len = 0;
		tidy_java_package(&n->class, n->text.data, n->text.len);
		n->text.len = 0;
		buf_add(&n->text, n->class.data, n->class.len);
	}
	if (!n->text.len) {
		buf_adds(&n->text, NAMELESS);
		n->n_nameless++;
	}
	buf_adds(&n->text, mark);
	return sink_frame(n->sink, n->text.data, n->text.len);
}

static uint32_t method_frame(struct jfr_names *n, uint64_t id, enum mark mark, enum frame_kind kind)
{
	static const char *const marks[] = {"", "_[j]", "_[i]", "_[k]"};
	struct jfr_row *row = jfr_find(n->chunk, METHODS, id);
	if (row && row->made[mark])
		return row->made[mark];
	name_method(n, id);
	uint32_t sym = make_frame(n, is_marked(n, mark) ? marks[mark] : "");
	symtab_learn(&n->sink->profile->symtab, sym, (struct origin){.kind = kind});
	if (row)
		row->made[mark] = sym;
	return sym;
}

/* The source file of a method, a symbol; 0: unknown. It is kept with the class. */
static uint32_t method_file(struct jfr_names *n, uint64_t id)
{
	uint64_t v[N_SLOTS];
	if (!get(n, METHODS, id, v))
		return 0;
	struct jfr_row *class = jfr_find(n->chunk, CLASSES, v[SLOT_TYPE]);
	if (!class)
		return 0;
	if (!class->made[1]) {
		name_method(n, id);
		class->made[1] = n->file.len ? sink_file(n->sink, n->file.data, n->file.len) + 1 : 1;
	}
	return class->made[1] - 1;
}

static void push_frame(struct jfr_names *n, const uint64_t v[N_SLOTS])
{
	enum frame_kind kind;
	enum mark mark = mark_of(n, v[SLOT_TYPE], &kind);
	uint32_t sym = method_frame(n, v[SLOT_METHOD], mark, kind);
	frames_push(&n->frames, sym);
	if (!n->sink->options->wants_sites)
		return;
	struct site site = {.sym = sym};
	if (v[SLOT_LINE] && v[SLOT_LINE] <= INT32_MAX)
		site.file = method_file(n, v[SLOT_METHOD]);
	site.line = site.file ? (uint32_t)v[SLOT_LINE] : 0;
	mem_push(n->sites, n->n_sites, n->cap_sites, site);
}

/* Pushes the frames of a stack, leaf first. Returns whether it is cut. */
static bool push_frames(struct jfr_names *n, uint64_t id)
{
	struct jfr_chunk *c = n->chunk;
	uint64_t v[N_SLOTS], frame[N_SLOTS] = {0};
	n->frames.n = n->n_sites = 0;
	if (!get(n, STACKS, id, v) || !c->tables[STACKS].type->has_items)
		return false;
	const struct jfr_type *type = jfr_type(&c->types, c->tables[STACKS].type->items);
	struct jfr_bytes b = {c->text + v[SLOT_FRAMES], c->text + c->len, false};
	if (!type || !type->n_steps)
		return false;
	for (uint64_t left = jfr_number(&b); left-- && !b.is_bad;) {
		jfr_read(&c->types, type, &b, c->text, frame);
		if (!b.is_bad)
			push_frame(n, frame);
	}
	return v[SLOT_TRUNCATED];
}

static struct jfr_stack no_stack(struct jfr_names *n)
{
	uint32_t empty = sink_sym(n->sink, EMPTY_STACK, sizeof EMPTY_STACK - 1);
	return (struct jfr_stack){profile_child(n->sink->profile, PATH_ROOT, empty), NO_SITE};
}

/* made[] of a stack: its path, its site, and whether it is cut. */
static void make_stack(struct jfr_names *n, uint64_t id, struct jfr_row *row)
{
	bool is_cut = push_frames(n, id);
	if (!n->frames.n) {
		row->made[0] = no_stack(n).path;
		return;
	}
	row->made[2] = is_cut;
	if (is_cut && n->frames.n > n->deepest_cut)
		n->deepest_cut = n->frames.n;
	frames_reverse(&n->frames);
	row->made[0] = profile_path(n->sink->profile, n->frames.syms, n->frames.n);
	if (n->n_sites) {
		sites_reverse(n->sites, n->n_sites);
		row->made[1] = profile_sites(n->sink->profile, n->sites, n->n_sites);
	}
}

struct jfr_stack jfr_stack(struct jfr_names *n, uint64_t id)
{
	struct jfr_row *row = jfr_find(n->chunk, STACKS, id);
	if (!row) {
		n->n_lost += id != 0;
		return no_stack(n);
	}
	if (!row->made[0])
		make_stack(n, id, row);
	n->n_cut += row->made[2];
	return (struct jfr_stack){row->made[0], row->made[1]};
}

uint32_t jfr_class(struct jfr_names *n, uint64_t id)
{
	struct jfr_row *row = jfr_find(n->chunk, CLASSES, id);
	if (row && row->made[0])
		return row->made[0];
	struct slice class = class_name(n, id);
	if (!row || !class.n) {
		n->n_nameless += id != 0;
		return 0;
	}
	n->text.len = 0;
	add_class(&n->text, class);
	row->made[0] = sink_frame(n->sink, n->text.data, n->text.len);
	return row->made[0];
}

uint32_t jfr_old_object(struct jfr_names *n, uint64_t id)
{
	uint64_t v[N_SLOTS];
	if (get(n, OLD_OBJECTS, id, v))
		return jfr_class(n, v[SLOT_TYPE]);
	n->n_nameless += id != 0;
	return 0;
}

/* --- threads --- */

static void make_thread(struct jfr_names *n, uint64_t id, struct jfr_row *row)
{
	uint64_t v[N_SLOTS];
	get(n, THREADS, id, v);
	const struct jfr_type *type = n->chunk->tables[THREADS].type;
	int64_t tid = v[SLOT_OS_ID] && v[SLOT_OS_ID] <= INT64_MAX ? (int64_t)v[SLOT_OS_ID] : -1;
	struct slice name = jfr_string(n->chunk, type, SLOT_JAVA_NAME, v);
	if (!name.n)
		name = jfr_string(n->chunk, type, SLOT_OS_NAME, v);
	if (!name.n)
		name = slice_of(v[SLOT_VIRTUAL] ? "virtual thread" : NAMELESS);
	uint32_t comm = sink_frame(n->sink, name.s, name.n);
	row->made[0] = profile_task(n->sink->profile, comm, -1, v[SLOT_VIRTUAL] ? -1 : tid);
}

uint32_t jfr_thread(struct jfr_names *n, uint64_t id)
{
	struct jfr_row *row = jfr_find(n->chunk, THREADS, id);
	if (row && !row->made[0])
		make_thread(n, id, row);
	return row ? row->made[0] : 0;
}

struct slice jfr_state(struct jfr_names *n, uint64_t id)
{
	uint64_t v[N_SLOTS];
	if (!get(n, STATES, id, v))
		return (struct slice){"", 0};
	struct slice name = jfr_string(n->chunk, n->chunk->tables[STATES].type, SLOT_NAME, v);
	slice_take(&name, "STATE_");
	return name;
}
