/*
 * ruby.c - the stacks of CRuby 2.7, 3.1, 3.3 and 3.4.
 *
 *	VM -> ractors -> threads -> context at work -> its stack: values upwards, frames downwards
 *	                 native thread                 frame: next instruction, .., code, .., values
 *	                                               values: .., method, .., flags of the frame
 *
 * A fiber has a context, and a stack, of its own: what is outside of it is not at work.
 *
 * Which thread of Ruby a native one runs is told by the number or the pthread_t of the former. It can change: many
 * threads share few native ones if they are of other ractors than the main one.
 *
 * A frame with the flag FINISH ends a call of the interpreter's loop, vm_exec(): it is an entry. Methods in C
 * have frames, too, but no loop: they are in the loop that calls them, and their native functions follow.
 *
 * From 3.3 on, libruby does not export where its VM is, and no version where the names of methods are. A
 * stripped one has no other symbols, so both are searched among its variables; what is found has to lead back to
 * where it was found.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "languages/languages.h"
#include "languages/ruby_code.h"
#include "languages/ruby_layout.h"
#include "languages/ruby_text.h"
#include "languages/slots.h"
#include "languages/threads.h"
#include "symbols/elf_file.h"

#define RACTORS_MOST 10000u
#define SEARCH_AGAIN 16u /* samples of a thread that Ruby does not know after which it is searched again */
#define DATA_MOST (UINT64_C(4) << 20)
#define PAUSE_MOST 256u /* stacks between two searches of the variables */
#define TRIES_MOST 64u
#define READS_OF_STACK 100u            /* of a search, while a thread waits for its stack */
#define READS_OF_WORD 24u              /* more than a word of the variables needs */
#define STACK_MOST (UINT64_C(1) << 28) /* words */
#define PIECE_MOST ((size_t)16 << 10)
#define LEVELS_MOST 64u /* of blocks within each other */
#define SEGMENT_WRITABLE 2u

/* The three values to the last of which a frame points: of its method, of the values around it, and its flags. */
#define VALUES_SIZE 24u
#define VALUES_AROUND 8u
#define VALUES_FLAGS 16u
#define FLAG_LOCAL 2u
#define FLAG_FINISH 0x20u
#define TYPE_MASK 0x7fff0001u
enum { FRAME_METHOD_IN_C = 0x55550001, FRAME_BLOCK_IN_C = 0x66660001, FRAME_DUMMY = 0x79990001 };

/* A copy of a part of the stack. */
struct piece {
	uint64_t at;
	size_t n;
	unsigned char bytes[PIECE_MOST];
};

/* Of a thread. */
struct known {
	uint64_t address; /* 0: none */
	uint32_t pause;   /* samples until it is searched again */
};

struct ruby {
	struct ruby_layout layout;
	uint64_t vm, names;    /* addresses of the pointers to them; 0: not found yet */
	uint64_t data, n_data; /* the variables */
	uint64_t n_searched;   /* bytes of them, in the present search */
	uint32_t pause, n_waited, n_tries;
	struct ruby_codes *codes;
	struct slots known; /* of struct known */
	struct piece frames, values;
};

/* ---- recognising --------------------------------------------------------------------------------------------- */

static const char *const symbols[] = {"ruby_api_version", "rb_cObject", "ruby_current_vm_ptr",
                                      "ruby_global_symbols", NULL};

static bool may_be(const char *file)
{
	if (strncmp(file, "libruby", 7) == 0)
		return strstr(file, ".so") != NULL;
	return strncmp(file, "ruby", 4) == 0 && (file[4] == '\0' || (file[4] >= '1' && file[4] <= '9'));
}

/* Finds where the variables are. */
static void find_data(struct ruby *r, const struct program *p)
{
	for (size_t i = 0; p->elf && i < p->elf->n_segments; i++) {
		const struct elf_segment *s = &p->elf->segments[i];
		if (s->type != ELF_SEGMENT_LOAD || !(s->flags & SEGMENT_WRITABLE))
			continue;
		r->data = (s->vaddr + p->bias + 7) & ~UINT64_C(7);
		r->n_data = s->memory_size < DATA_MOST ? s->memory_size & ~UINT64_C(7) : DATA_MOST;
	}
}

/* ---- lists --------------------------------------------------------------------------------------------------- */

/* A thread of Ruby. */
struct thread {
	uint64_t address, ractor; /* of the VM, if there are no ractors */
	unsigned char bytes[RUBY_THREAD_SIZE];
};

static bool read_thread(const struct ruby *r, struct memory *m, uint64_t vm, uint64_t address, struct thread *t)
{
	const struct ruby_layout *l = &r->layout;
	if (!memory_is_place(address) || !memory_read(m, address, t->bytes, sizeof t->bytes) ||
	    memory_u64(t->bytes, l->thread_vm) != vm)
		return false;
	t->address = address;
	t->ractor = l->ractors == RUBY_NOWHERE ? vm : memory_u64(t->bytes, l->thread_ractor);
	return true;
}

/* The context that the thread has at work. */
static bool read_context(const struct ruby *r, struct memory *m, const struct thread *t, uint64_t *address,
                         unsigned char *bytes)
{
	*address = memory_u64(t->bytes, r->layout.thread_context);
	return memory_is_place(*address) && memory_read(m, *address, bytes, RUBY_CONTEXT_SIZE) &&
	       memory_u64(bytes, r->layout.context_thread) == t->address;
}

/* Does the native thread of this number run it? After a fork some versions keep the parent's number. */
static bool is_of(const struct ruby *r, struct memory *m, const struct thread *t, pid_t tid)
{
	const struct ruby_layout *l = &r->layout;
	unsigned char native[RUBY_NATIVE_SIZE];
	const unsigned char *bytes = t->bytes;
	if (l->thread_native != RUBY_NOWHERE) {
		uint64_t at = memory_u64(t->bytes, l->thread_native);
		if (!memory_is_place(at) || !memory_read(m, at, native, sizeof native))
			return false;
		bytes = native;
	}
	if (l->native_number != RUBY_NOWHERE && memory_u32(bytes, l->native_number) == (uint32_t)tid)
		return true;
	return threads_has_handle(m, memory_u64(bytes, l->native_handle), tid);
}

/* ---- variables ----------------------------------------------------------------------------------------------- */

/* The first ractor, which leads back to the list; the VM itself if it has none. 0: it is no VM. */
static uint64_t first_ractor(const struct ruby *r, struct memory *m, uint64_t vm)
{
	const struct ruby_layout *l = &r->layout;
	uint64_t node, back;
	if (l->ractors == RUBY_NOWHERE)
		return vm;
	if (!memory_pointer(m, vm + l->ractors, &node) || !memory_is_place(node) ||
	    !memory_pointer(m, node + 8, &back) || back != vm + l->ractors)
		return 0;
	return node - l->ractor_node;
}

static bool is_vm(const struct ruby *r, struct memory *m, uint64_t vm)
{
	unsigned char context[RUBY_CONTEXT_SIZE];
	struct thread t;
	uint64_t ractor, first;
	if (!memory_is_place(vm))
		return false;
	ractor = first_ractor(r, m, vm);
	return ractor && memory_pointer(m, ractor + r->layout.threads, &first) && read_thread(r, m, vm, first, &t) &&
	       t.ractor == ractor && read_context(r, m, &t, &first, context);
}

/* {last number, table, names}: they have the first two names at their places. */
static bool is_names(const struct ruby *r, struct memory *m, const unsigned char *bytes)
{
	const struct ruby_layout *l = &r->layout;
	uint64_t last = memory_u64(bytes, 0), names = memory_u64(bytes, 16), first = l->first_name;
	char text[2][8];
	return last > first && last <= UINT32_MAX && memory_is_place(memory_u64(bytes, 8)) && memory_is_place(names) &&
	       ruby_text_name(l, m, names, first << 4, text[0], sizeof *text) && strcmp(text[0], "max") == 0 &&
	       ruby_text_name(l, m, names, (first + 1) << 4, text[1], sizeof *text) && strcmp(text[1], "min") == 0;
}

static bool is_complete(const struct ruby *r)
{
	return r->vm && r->names;
}

/* Searches a piece of the variables from this place on. Returns how far it came. */
static size_t search_piece(struct ruby *r, struct memory *m, uint64_t at, size_t n)
{
	const unsigned char *bytes = r->values.bytes;
	size_t i = 0;
	if (!memory_read(m, at, r->values.bytes, n))
		return m->budget ? n - 16 : 0;
	for (; i + 24 <= n && m->budget >= READS_OF_WORD && !is_complete(r); i += 8) {
		if (!r->vm && is_vm(r, m, memory_u64(bytes, i)))
			r->vm = at + i;
		if (!r->names && is_names(r, m, bytes + i))
			r->names = at + i + 16;
	}
	return i;
}

/* Goes on to search what has no symbol, by so many reads. Ruby may have just begun: then it is searched again. */
static void search_data(struct ruby *r, struct memory *m, uint32_t reads)
{
	if (is_complete(r) || r->n_tries >= TRIES_MOST || (!r->n_searched && r->n_waited++ < r->pause))
		return;
	if (r->n_searched + 24 <= r->n_data) {
		struct memory few = memory_part(m, reads);
		uint64_t left = r->n_data - r->n_searched;
		r->n_searched +=
			search_piece(r, &few, r->data + r->n_searched, left < PIECE_MOST ? (size_t)left : PIECE_MOST);
		memory_part_end(m, &few, &reads);
	}
	if (r->n_searched + 24 <= r->n_data)
		return;
	r->n_searched = r->n_waited = 0;
	r->n_tries++;
	r->pause = r->pause < PAUSE_MOST ? r->pause * 2 + 1 : PAUSE_MOST;
}

/* The first search, while no thread waits. */
static void search_first(struct ruby *r, struct memory *m)
{
	while (!is_complete(r) && !r->n_tries && m->budget > 2 * READS_OF_WORD)
		search_data(r, m, m->budget);
}

/* ---- threads ------------------------------------------------------------------------------------------------- */

static bool search_threads(const struct ruby *r, struct memory *m, uint64_t vm, uint64_t ractor, pid_t tid,
                           struct thread *t)
{
	uint64_t head = ractor + r->layout.threads, at;
	if (!memory_pointer(m, head, &at))
		return false;
	for (unsigned i = 0; at != head && i < THREADS_MOST; i++) {
		if (!read_thread(r, m, vm, at, t))
			return false;
		if (is_of(r, m, t, tid))
			return true;
		at = memory_u64(t->bytes, 0);
	}
	return false;
}

static bool search(const struct ruby *r, struct memory *m, uint64_t vm, pid_t tid, struct thread *t)
{
	const struct ruby_layout *l = &r->layout;
	uint64_t ractor = first_ractor(r, m, vm), node;
	for (unsigned i = 0; ractor && i < RACTORS_MOST; i++) {
		if (search_threads(r, m, vm, ractor, tid, t))
			return true;
		if (l->ractors == RUBY_NOWHERE || !memory_pointer(m, ractor + l->ractor_node, &node) ||
		    node == vm + l->ractors)
			return false;
		ractor = node - l->ractor_node;
	}
	return false;
}

static bool find_thread(struct ruby *r, struct memory *m, pid_t tid, struct thread *t)
{
	struct known *k = slots_of(&r->known, (uint64_t)tid);
	uint64_t vm;
	if (!r->vm || !memory_pointer(m, r->vm, &vm) || !memory_is_place(vm))
		return false;
	if (k->address && read_thread(r, m, vm, k->address, t) && is_of(r, m, t, tid))
		return true;
	if (!k->address && k->pause) {
		k->pause--;
		return false;
	}
	bool is_found = search(r, m, vm, tid, t);
	*k = (struct known){.address = is_found ? t->address : 0, .pause = is_found ? 0 : SEARCH_AGAIN - 1};
	return is_found;
}

/* ---- frames -------------------------------------------------------------------------------------------------- */

struct walk {
	struct ruby *ruby;
	struct memory *memory;
	const struct language_names *names;
	struct language_stack *stack;
	uint64_t all_names;
	uint64_t begin, end; /* of the stack of the context */
	bool is_part;        /* what was put last is a part of the function of the next frame */
	struct language_frame part;
};

enum step { STEP_ON, STEP_CUT };

/* Reads from the piece, which is filled so that `first` to `last` are in it. NULL: they cannot be read. */
static const unsigned char *read_piece(struct memory *m, struct piece *p, uint64_t at, size_t n, uint64_t first,
                                       uint64_t last)
{
	if (p->n >= n && at >= p->at && at - p->at <= p->n - n)
		return p->bytes + (at - p->at);
	p->n = 0;
	if (!memory_read(m, first, p->bytes, (size_t)(last - first)))
		return NULL;
	p->at = first;
	p->n = (size_t)(last - first);
	return p->bytes + (at - first);
}

/* Frames come upwards. */
static const unsigned char *read_frame(struct walk *w, uint64_t at)
{
	uint64_t last = w->end - at > PIECE_MOST ? at + PIECE_MOST : w->end;
	return read_piece(w->memory, &w->ruby->frames, at, w->ruby->layout.frame_size, at, last);
}

/* Values come downwards; those that outlive their frame have moved elsewhere. */
static bool read_values(struct walk *w, uint64_t at, unsigned char *values)
{
	uint64_t from = at - (VALUES_SIZE - 8), last = at + 8;
	if (!memory_is_place(at))
		return false;
	if (from < w->begin || last > w->end)
		return memory_read(w->memory, from, values, VALUES_SIZE);
	uint64_t first = last - w->begin > PIECE_MOST ? last - PIECE_MOST : w->begin;
	const unsigned char *bytes = read_piece(w->memory, &w->ruby->values, from, VALUES_SIZE, first, last);
	if (bytes)
		memcpy(values, bytes, VALUES_SIZE);
	return bytes;
}

/* The method by which a frame runs; 0: unknown. It is with the values of the outermost block at the latest. */
static uint64_t method_of(struct walk *w, const unsigned char *values)
{
	unsigned char bytes[VALUES_SIZE];
	memcpy(bytes, values, sizeof bytes);
	for (unsigned i = 0; i < LEVELS_MOST; i++) {
		bool is_local = memory_u64(bytes, VALUES_FLAGS) & FLAG_LOCAL;
		uint64_t method = memory_u64(bytes, 0), head[2] = {0, 0};
		if (memory_is_place(method) && !memory_read(w->memory, method, head, sizeof head))
			return 0;
		if (is_local && ruby_is_internal(head[0], RUBY_INTERNAL_VARIABLES)) {
			method = head[1];
			if (!memory_is_place(method) || !memory_read(w->memory, method, head, sizeof head))
				return 0;
		}
		if (ruby_is_internal(head[0], RUBY_INTERNAL_METHOD))
			return method;
		if (is_local || !read_values(w, memory_u64(bytes, VALUES_AROUND) & ~UINT64_C(3), bytes))
			return 0;
	}
	return 0;
}

static enum step put(struct walk *w, const struct language_frame *f)
{
	return language_stack_add(w->stack, f->function, f->line, f->is_entry) ? STEP_ON : STEP_CUT;
}

/* A method in C whose name cannot be told is left out: its native functions are there. */
static enum step take_method(struct walk *w, const unsigned char *values)
{
	struct language_frame f = {0};
	uint64_t method = method_of(w, values);
	if (method && w->all_names)
		f.function = ruby_codes_method(w->ruby->codes, w->memory, method, w->all_names, w->names);
	return f.function == NO_FUNCTION ? STEP_ON : put(w, &f);
}

/* What catches errors is a part of the function that follows, and is where it is at work. */
static enum step take_code(struct walk *w, const unsigned char *frame, const unsigned char *values)
{
	struct language_frame f = {.is_entry = (memory_u64(values, VALUES_FLAGS) & FLAG_FINISH) != 0};
	bool is_part, names_classes = w->ruby->layout.version >= 304;
	if (!ruby_codes_find(w->ruby->codes, w->memory, memory_u64(frame, RUBY_FRAME_CODE), memory_u64(frame, 0),
	                     names_classes ? method_of(w, values) : 0, w->names, &f, &is_part))
		return STEP_CUT;
	if (w->is_part) {
		f.line = w->part.line;
		f.is_entry |= w->part.is_entry;
	}
	w->is_part = is_part;
	w->part = f;
	return is_part ? STEP_ON : put(w, &f);
}

static enum step take_frame(struct walk *w, uint64_t at)
{
	const unsigned char *frame = read_frame(w, at);
	unsigned char values[VALUES_SIZE];
	if (!frame || !read_values(w, memory_u64(frame, RUBY_FRAME_VALUES), values))
		return STEP_CUT;
	uint64_t flags = memory_u64(values, VALUES_FLAGS);
	if (!(flags & 1))
		return STEP_CUT;
	switch (flags & TYPE_MASK) {
	case FRAME_METHOD_IN_C:
		return take_method(w, values);
	case FRAME_BLOCK_IN_C:
	case FRAME_DUMMY:
		return STEP_ON;
	}
	return memory_u64(frame, RUBY_FRAME_CODE) ? take_code(w, frame, values) : STEP_ON;
}

/*
 * Goes from frame to frame. The innermost one may make no sense: 2.7, and code of a JIT compiler, use it a few
 * instructions before it is filled.
 */
static enum language_walk walk_frames(struct walk *w, uint64_t at)
{
	uint32_t size = w->ruby->layout.frame_size;
	enum step how = STEP_ON;
	if (at < w->end)
		take_frame(w, at);
	for (at += size; how == STEP_ON && at < w->end; at += size)
		how = take_frame(w, at);
	w->stack->is_cut = how != STEP_ON;
	return w->stack->n ? WALK_DONE : how == STEP_ON ? WALK_NO_THREAD : WALK_FAILED;
}

/* Where a thread is: its context, frame and instruction. */
struct moment {
	uint64_t context, frame, at;
};

static bool read_moment(const struct ruby *r, struct memory *m, const struct thread *t, unsigned char *context,
                        struct moment *now)
{
	if (!read_context(r, m, t, &now->context, context))
		return false;
	now->frame = memory_u64(context, RUBY_CONTEXT_FRAME);
	if (!memory_is_place(now->frame) || !memory_pointer(m, now->frame, &now->at))
		now->at = 0;
	return true;
}

static bool has_moved(const struct ruby *r, struct memory *m, const struct thread *t, const struct moment *before)
{
	unsigned char context[RUBY_CONTEXT_SIZE];
	struct thread now;
	struct moment after;
	return !read_thread(r, m, memory_u64(t->bytes, r->layout.thread_vm), t->address, &now) ||
	       !read_moment(r, m, &now, context, &after) || memcmp(before, &after, sizeof after) != 0;
}

/* Does the thread have the lock of its ractor? */
static enum language_lock lock_of(const struct ruby *r, struct memory *m, const struct thread *t)
{
	uint64_t holder;
	if (!memory_pointer(m, t->ractor + r->layout.lock, &holder))
		return LOCK_UNKNOWN;
	return holder == t->address ? LOCK_HELD : LOCK_NOT_HELD;
}

static enum language_walk walk(void *arg, struct memory *m, pid_t tid, const struct language_names *names,
                               struct language_stack *s)
{
	struct ruby *r = arg;
	struct walk w = {.ruby = r, .memory = m, .names = names, .stack = s};
	unsigned char context[RUBY_CONTEXT_SIZE];
	struct thread t;
	struct moment first;
	language_stack_begin(s);
	search_data(r, m, READS_OF_STACK);
	if (!find_thread(r, m, tid, &t))
		return WALK_NO_THREAD;
	if (!read_moment(r, m, &t, context, &first))
		return WALK_FAILED;
	uint64_t words = memory_u64(context, RUBY_CONTEXT_LENGTH);
	w.begin = memory_u64(context, 0);
	w.end = w.begin + words * 8;
	if (!w.begin)
		return WALK_NO_THREAD;
	if (words > STACK_MOST || first.frame < w.begin || first.frame > w.end ||
	    (w.end - first.frame) % r->layout.frame_size)
		return WALK_FAILED;
	if (!r->names || !memory_pointer(m, r->names, &w.all_names))
		w.all_names = 0;
	r->frames.n = r->values.n = 0;
	ruby_codes_begin(r->codes);
	enum language_walk result = walk_frames(&w, first.frame);
	s->lock = lock_of(r, m, &t);
	memory_renew(m);
	s->has_moved = result == WALK_DONE && has_moved(r, m, &t, &first);
	return result;
}

static void *attach(const struct program *p, struct memory *m, struct err *err)
{
	struct ruby_layout layout;
	uint64_t names = program_symbol(p, "ruby_global_symbols");
	if (!program_symbol(p, "ruby_api_version") || !program_symbol(p, "rb_cObject") ||
	    !ruby_layout_find(&layout, p, m, err))
		return NULL;
	struct ruby *r = mem_zalloc(1, sizeof *r);
	r->known = (struct slots){.size = sizeof(struct known), .most = THREADS_MOST};
	r->layout = layout;
	r->vm = program_symbol(p, "ruby_current_vm_ptr");
	r->names = names ? names + 16 : 0;
	r->codes = ruby_codes_new(&r->layout);
	find_data(r, p);
	search_first(r, m);
	return r;
}

static void detach(void *state)
{
	struct ruby *r = state;
	ruby_codes_free(r->codes);
	slots_deinit(&r->known);
	free(r);
}

static bool is_eval(const char *symbol)
{
	return language_is_symbol(symbol, "vm_exec") || language_is_symbol(symbol, "rb_vm_exec");
}

const struct language language_ruby = {
	.name = "Ruby",
	.may_be = may_be,
	.symbols = symbols,
	.attach = attach,
	.detach = detach,
	.walk = walk,
	.is_eval = is_eval,
	.compiles = true,
};
