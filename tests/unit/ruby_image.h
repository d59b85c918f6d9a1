/*
 * ruby_image.h - the memory of a made-up process with Ruby, with the structures that src/languages/ruby.c reads.
 *
 *	<main> (app.rb:7) -> work (app.rb:12) -> each, in C -> block in work (app.rb:14), the innermost
 *
 * The image is a run of bytes from IMAGE_BASE on; a test can damage it, or let reads fail. Offsets are those of the
 * layout: that they are right is shown by tests with a real ruby.
 */
#ifndef TESTS_UNIT_RUBY_IMAGE_H
#define TESTS_UNIT_RUBY_IMAGE_H

#include "languages/ruby_layout.h"
#include "symbols/elf_file.h"

#include "image.h"

#define RUBY_SIZE 0x8000u
#define RUBY_TID 4711

/* Places in it. */
enum {
	RUBY_AT_VERSION = 0x0,
	RUBY_AT_DATA = 0x40, /* the variables: pointer to the VM at 8, last name, table and names from 0x20 on */
	RUBY_DATA_SIZE = 0x80,
	RUBY_AT_VM = 0x200,
	RUBY_AT_RACTOR = 0x400,
	RUBY_AT_THREAD = 0x700,
	RUBY_AT_NATIVE = 0x780,
	RUBY_AT_CONTEXT = 0x7c0,
	RUBY_AT_STACK = 0x800, /* values of frame i at i * 0x20 */
	RUBY_AT_STACK_END = 0x1000,
	RUBY_AT_CODES = 0x1000, /* object, body at 0x40, entries at 0x100, index at 0x140 */
	RUBY_AT_TEXTS = 0x2000,
	RUBY_AT_PATH = 0x2800,
	RUBY_AT_METHODS = 0x3000, /* method, definition at 0x40, class at 0x80 */
	RUBY_AT_NAMES = 0x4000,   /* array of arrays; the first one's values at 0x100 */
	RUBY_CODE_STEP = 0x200,
	RUBY_TEXT_STEP = 0x40,
	RUBY_METHOD_STEP = 0x200
};

enum { RUBY_METHOD = 0x11110001, RUBY_BLOCK = 0x22220001, RUBY_IN_C = 0x55550001, RUBY_BASE_FRAME = 0x79990001 };
enum { RUBY_LOCAL = 2, RUBY_FINISH = 0x20 };

struct ruby_image {
	struct image in;
	struct ruby_layout layout;
	unsigned n_frames;
	size_t data, n_data; /* other variables; n_data 0: those at RUBY_AT_DATA */
	struct elf_segment segment;
	struct elf_file elf;
};

/* A string, whose bytes are in it. */
static size_t ruby_text(struct ruby_image *m, unsigned i, const char *text)
{
	size_t at = RUBY_AT_TEXTS + (size_t)i * RUBY_TEXT_STEP, n = strlen(text);
	bool is_old = m->layout.version < 302;
	image_put(&m->in, at, 5 | (is_old ? n << 14 : 0), 8);
	image_put(&m->in, at + 16, n, 8);
	memcpy(m->in.bytes + at + (is_old ? 16 : 24), text, n);
	return at;
}

static size_t ruby_code_at(unsigned i)
{
	return RUBY_AT_CODES + (size_t)i * RUBY_CODE_STEP;
}

/* Entries begin at these instructions. */
static const unsigned ruby_entries[] = {0, 3, 6};

/* Code with a label, and three lines from the first one on, 3 words each. */
static void ruby_code(struct ruby_image *m, unsigned i, unsigned type, const char *label, uint32_t first,
                      unsigned around)
{
	const struct ruby_layout *l = &m->layout;
	size_t at = ruby_code_at(i), body = at + 0x40;
	image_put(&m->in, at, 0x701a, 8);
	image_point(&m->in, at + 16, body);
	image_put(&m->in, body, type, 4);
	image_put(&m->in, body + 4, 9, 4);
	image_point(&m->in, body + 8, at + 0x180);
	image_point(&m->in, body + RUBY_BODY_PATH, RUBY_AT_PATH);
	image_point(&m->in, body + RUBY_BODY_LABEL, ruby_text(m, i, label));
	image_put(&m->in, body + RUBY_BODY_FIRST, l->version < 302 ? first * 2 + 1 : first, 4);
	image_point(&m->in, body + l->lines, at + 0x100);
	image_put(&m->in, body + l->lines + 16, 3, 4);
	image_point(&m->in, body + l->lines + 24, at + 0x140);
	image_point(&m->in, body + l->local - 8, ruby_code_at(around));
	image_point(&m->in, body + l->local, ruby_code_at(around));
	for (unsigned k = 0; k < 3; k++)
		image_put(&m->in, at + 0x100 + (size_t)k * l->line_size, first + k, 4);
	for (unsigned word = 0; word < 2; word++) {
		uint64_t ranks = 0;
		for (unsigned k = 0; k < 9; k++)
			for (unsigned e = 0; e < 3; e++)
				ranks += (uint64_t)(ruby_entries[e] <= word * 9 + k) << 7 * k;
		image_put(&m->in, at + 0x140 + 8 * (size_t)word, ranks, 8);
	}
}

/* A method with this ID, in a class that has a name. */
static size_t ruby_method(struct ruby_image *m, unsigned i, unsigned id, const char *class)
{
	size_t at = RUBY_AT_METHODS + (size_t)i * RUBY_METHOD_STEP;
	image_put(&m->in, at, 0x601a, 8);
	image_point(&m->in, at + RUBY_METHOD_DEFINITION, at + 0x40);
	image_point(&m->in, at + RUBY_METHOD_OWNER, at + 0x80);
	image_put(&m->in, at + 0x40 + RUBY_DEFINITION_NAME, id, 8);
	image_put(&m->in, at + 0x80, 2, 8);
	m->in.bytes[at + 0x80 + 149] = 1;
	image_point(&m->in, at + 0x80 + 152, ruby_text(m, 16 + i, class));
	return at;
}

static size_t ruby_frame_at(const struct ruby_image *m, unsigned i)
{
	return RUBY_AT_STACK_END - (size_t)(i + 1) * m->layout.frame_size;
}

static size_t ruby_values_at(unsigned i)
{
	return RUBY_AT_STACK + (size_t)i * 0x20;
}

/* The next frame inwards. at: the instruction that comes next; code and method: 0 is none. */
static void ruby_frame(struct ruby_image *m, size_t code, unsigned at, size_t method, uint64_t flags)
{
	unsigned i = m->n_frames++;
	size_t frame = ruby_frame_at(m, i), values = ruby_values_at(i);
	memset(m->in.bytes + frame, 0, m->layout.frame_size);
	if (code) {
		image_point(&m->in, frame, code + 0x180 + 8 * (size_t)at);
		image_point(&m->in, frame + RUBY_FRAME_CODE, code);
	}
	image_point(&m->in, frame + RUBY_FRAME_VALUES, values + 16);
	image_put(&m->in, values, method ? IMAGE_BASE + method : 0, 8);
	if (i && !(flags & RUBY_LOCAL))
		image_point(&m->in, values + 8, ruby_values_at(2) + 16);
	image_put(&m->in, values + 16, flags, 8);
	image_point(&m->in, RUBY_AT_CONTEXT + RUBY_CONTEXT_FRAME, frame);
}

/* A name of a method, by number. */
static void ruby_name(struct ruby_image *m, unsigned number, size_t text)
{
	image_point(&m->in, RUBY_AT_NAMES + 0x100 + 16 * (size_t)number, text);
}

static void ruby_list(struct ruby_image *m, size_t head, size_t node)
{
	image_point(&m->in, head, node);
	image_point(&m->in, head + 8, node);
	image_point(&m->in, node, head);
	image_point(&m->in, node + 8, head);
}

static void ruby_thread(struct ruby_image *m)
{
	const struct ruby_layout *l = &m->layout;
	bool has_ractors = l->ractors != RUBY_NOWHERE, has_native = l->thread_native != RUBY_NOWHERE;
	size_t ractor = has_ractors ? RUBY_AT_RACTOR : RUBY_AT_VM;
	size_t native = has_native ? RUBY_AT_NATIVE : RUBY_AT_THREAD;
	if (has_ractors) {
		ruby_list(m, RUBY_AT_VM + l->ractors, ractor + l->ractor_node);
		image_point(&m->in, RUBY_AT_THREAD + l->thread_ractor, ractor);
	}
	ruby_list(m, ractor + l->threads, RUBY_AT_THREAD);
	image_point(&m->in, ractor + l->lock, RUBY_AT_THREAD);
	image_point(&m->in, RUBY_AT_THREAD + l->thread_vm, RUBY_AT_VM);
	image_point(&m->in, RUBY_AT_THREAD + l->thread_context, RUBY_AT_CONTEXT);
	if (has_native)
		image_point(&m->in, RUBY_AT_THREAD + l->thread_native, native);
	image_point(&m->in, native + l->native_handle, 0x7000); /* a pthread_t */
	if (l->native_number != RUBY_NOWHERE)
		image_put(&m->in, native + l->native_number, RUBY_TID, 4);
	else
		image_put(&m->in, 0x7000 + 720, RUBY_TID, 4);
	image_point(&m->in, RUBY_AT_CONTEXT + l->context_thread, RUBY_AT_THREAD);
	image_point(&m->in, RUBY_AT_CONTEXT, RUBY_AT_STACK);
	image_put(&m->in, RUBY_AT_CONTEXT + RUBY_CONTEXT_LENGTH, (RUBY_AT_STACK_END - RUBY_AT_STACK) / 8, 8);
}

static const char *const ruby_symbols[] = {"ruby_api_version", "rb_cObject", "ruby_current_vm_ptr", NULL};

/* Where the VM is, is a symbol up to 3.1; later it has to be found. */
__attribute__((unused)) static struct program ruby_program(struct ruby_image *m)
{
	struct program p = {.path = "/usr/lib/libruby.so", .names = ruby_symbols, .elf = &m->elf};
	m->segment = (struct elf_segment){
		.type = ELF_SEGMENT_LOAD, .flags = 2, .vaddr = IMAGE_BASE + RUBY_AT_DATA, .memory_size = RUBY_DATA_SIZE};
	if (m->n_data) {
		m->segment.vaddr = IMAGE_BASE + m->data;
		m->segment.memory_size = m->n_data;
	}
	m->elf = (struct elf_file){.machine = 62, .segments = &m->segment, .n_segments = 1};
	p.addresses[0] = IMAGE_BASE + RUBY_AT_VERSION;
	p.addresses[1] = IMAGE_BASE + RUBY_AT_VERSION;
	p.addresses[2] = m->layout.version < 302 ? IMAGE_BASE + RUBY_AT_DATA + 8 : 0;
	return p;
}

/* version: 301 is 3.1. */
__attribute__((unused)) static void ruby_make(struct ruby_image *m, unsigned version)
{
	struct memory memory = {.read = image_read, .arg = m, .budget = 10};
	struct err err;
	memset(m, 0, sizeof *m);
	image_begin(&m->in, RUBY_SIZE);
	image_put(&m->in, RUBY_AT_VERSION, version / 100, 4);
	image_put(&m->in, RUBY_AT_VERSION + 4, version % 100, 4);
	const struct program p = ruby_program(m);
	if (!ruby_layout_find(&m->layout, &p, &memory, &err))
		return;
	m->in.n_reads = 0;
	image_point(&m->in, RUBY_AT_DATA + 8, RUBY_AT_VM);
	image_put(&m->in, RUBY_AT_DATA + 0x20, 300, 8);
	image_point(&m->in, RUBY_AT_DATA + 0x28, RUBY_AT_DATA);
	image_point(&m->in, RUBY_AT_DATA + 0x30, RUBY_AT_NAMES);
	image_put(&m->in, RUBY_AT_NAMES, 7 | 0x2000 | 1 << 15, 8);
	image_point(&m->in, RUBY_AT_NAMES + 16, RUBY_AT_NAMES + 0x40);
	image_put(&m->in, RUBY_AT_NAMES + 0x40, 7, 8);
	image_put(&m->in, RUBY_AT_NAMES + 0x50, 1024, 8);
	image_point(&m->in, RUBY_AT_NAMES + 0x60, RUBY_AT_NAMES + 0x100);
	ruby_name(m, m->layout.first_name, ruby_text(m, 24, "max"));
	ruby_name(m, m->layout.first_name + 1u, ruby_text(m, 25, "min"));
	ruby_name(m, 200, ruby_text(m, 26, "each"));
	ruby_name(m, '+', ruby_text(m, 27, "+"));
	ruby_thread(m);
	image_put(&m->in, RUBY_AT_PATH, 7 | 0x2000 | 2 << 15, 8);
	image_point(&m->in, RUBY_AT_PATH + 16, ruby_text(m, 30, "/srv/app.rb"));
	ruby_code(m, 0, 7, "<main>", 6, 0);
	ruby_code(m, 1, 1, "work", 10, 1);
	ruby_code(m, 2, 2, "block in work", 13, 1);
	size_t work = ruby_method(m, 0, 201 << 4, "Box"), each = ruby_method(m, 1, 200 << 4, "Array");
	ruby_frame(m, 0, 0, 0, RUBY_BASE_FRAME | RUBY_FINISH | RUBY_LOCAL);
	ruby_frame(m, ruby_code_at(0), 5, 0, 0x77770001 | RUBY_FINISH | RUBY_LOCAL);
	ruby_frame(m, ruby_code_at(1), 9, work, RUBY_METHOD | RUBY_LOCAL);
	ruby_frame(m, 0, 0, each, RUBY_IN_C | RUBY_LOCAL);
	ruby_frame(m, ruby_code_at(2), 4, 0, RUBY_BLOCK | RUBY_FINISH);
}

#endif
