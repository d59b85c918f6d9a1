/*
 * languages.c - a process whose memory holds any bytes: the images of tests/unit/python_image.h, perl_image.h,
 * php_image.h, ruby_image.h, lua_image.h and luajit_image.h with changes.
 *
 * The highest bits of the first byte choose the language. Each 4 bytes of the input are one change: where (2 bytes),
 * and what: a byte, or where a pointer leads to. A budget bounds the reads; a stack must be bounded, too, and its
 * functions defined.
 */
#include <stdio.h>
#include <stdlib.h>

#include "languages/items.h"
#include "tests/unit/lua_image.h"
#include "tests/unit/luajit_image.h"
#include "tests/unit/perl_image.h"
#include "tests/unit/php_image.h"
#include "tests/unit/python_image.h"
#include "tests/unit/ruby_image.h"

#define BUDGET 20000u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct language_stack *stack, uint32_t n_defined)
{
	if (!stack->n || stack->n > LANGUAGE_FRAMES)
		abort();
	for (uint32_t i = 0; i < stack->n; i++) {
		const struct language_frame *f = &stack->frames[i];
		if (f->function > n_defined || (f->function == NO_FUNCTION && !f->is_entry))
			abort();
	}
}

/* Attaches to the process, and reads two stacks, as recordings do. */
static void read_stacks(const struct language *l, const struct program *p, memory_read_fn *read, void *image,
                        pid_t tid, const struct memory_registers *registers, const struct language_names *names,
                        const uint32_t *n_defined)
{
	static struct language_stack stack;
	struct err err = {""};
	struct memory memory = {.read = read, .arg = image, .budget = BUDGET, .registers = registers};
	void *state = l->attach(p, &memory, &err);
	for (int i = 0; state && i < 2; i++) {
		memory.budget = BUDGET;
		if (l->walk(state, &memory, tid, names, &stack) == WALK_DONE)
			check(&stack, *n_defined);
	}
	if (state)
		l->detach(state);
}

static void read_python(const uint8_t *data, size_t size)
{
	static struct image m;
	const struct program p = python_program(size && data[0] & 1 ? "python3.9" : "python3.11");
	const struct language_names names = {image_define, &m};
	python_make(&m);
	for (size_t i = 0; i + 4 <= size; i += 4) {
		const uint8_t *c = data + i;
		size_t at = (size_t)(c[0] | c[1] << 8) % (PYTHON_SIZE - 8);
		if (c[2] & 1)
			image_point(&m, at, (size_t)c[3] << 7 | (c[2] & 0x78));
		else
			m.bytes[at] = c[3];
	}
	read_stacks(&language_python, &p, image_read, &m, PYTHON_TID, NULL, &names, &m.n_defined);
}

static void read_perl(const uint8_t *data, size_t size)
{
	static struct image m;
	const struct program c_library = perl_c_library();
	const struct language_names names = {image_define, &m};
	perl_make(&m);
	struct program p = data[0] & 2 ? perl_program_alone(&m) : perl_program(&c_library);
	for (size_t i = 1; i + 4 <= size; i += 4) {
		const uint8_t *c = data + i;
		size_t at = (size_t)(c[0] | c[1] << 8) % (PERL_SIZE - 8);
		if (c[2] & 1)
			image_point(&m, at, (size_t)c[3] << 7 | (c[2] & 0x78));
		else
			m.bytes[at] = c[3];
	}
	read_stacks(&language_perl, &p, image_read, &m, data[0] & 2 ? 1 : PERL_TID, NULL, &names, &m.n_defined);
}

static void read_php(const uint8_t *data, size_t size)
{
	static struct image m;
	const struct program p = php_program(PHP_CONSTANTS);
	const struct language_names names = {image_define, &m};
	if (data[0] & 1)
		php_make_generators(&m, false);
	else
		php_make(&m);
	for (size_t i = 1; i + 4 <= size; i += 4) {
		const uint8_t *c = data + i;
		size_t at = (size_t)(c[0] | c[1] << 8) % (PHP_SIZE - 8);
		if (c[2] & 1)
			image_point(&m, at, (size_t)c[3] << 7 | (c[2] & 0x78));
		else
			m.bytes[at] = c[3];
	}
	read_stacks(&language_php, &p, image_read, &m, 1, NULL, &names, &m.n_defined);
}

static void read_ruby(const uint8_t *data, size_t size)
{
	static const unsigned versions[] = {207, 301, 303, 304};
	static struct ruby_image m;
	const struct language_names names = {image_define, &m.in};
	ruby_make(&m, versions[data[0] & 3]);
	struct program p = ruby_program(&m);
	for (size_t i = 1; i + 4 <= size; i += 4) {
		const uint8_t *c = data + i;
		size_t at = (size_t)(c[0] | c[1] << 8) % (RUBY_SIZE - 8);
		if (c[2] & 1)
			image_point(&m.in, at, (size_t)c[3] << 7 | (c[2] & 0x78));
		else
			m.in.bytes[at] = c[3];
	}
	read_stacks(&language_ruby, &p, image_read, &m.in, RUBY_TID, NULL, &names, &m.in.n_defined);
}

static void read_lua(const uint8_t *data, size_t size)
{
	static const char *const idents[] = {LUA_IDENT_5_1, LUA_IDENT_5_2, LUA_IDENT_5_3, LUA_IDENT_5_4};
	static struct lua_image m;
	const struct program p = lua_program();
	const struct language_names names = {image_define, &m.in};
	lua_make(&m, idents[data[0] & 3]);
	for (size_t i = 1; i + 4 <= size; i += 4) {
		const uint8_t *c = data + i;
		size_t at = (size_t)(c[0] | c[1] << 8) % (LUA_SIZE - 8);
		if (c[2] & 1)
			image_point(&m.in, at, (size_t)c[3] << 8 | (c[2] & 0xf8));
		else
			m.in.bytes[at] = c[3];
	}
	read_stacks(&language_lua, &p, lua_image_read, &m, LUA_MAIN_TID, NULL, &names, &m.in.n_defined);
}

/* In the interpreter, in compiled code, and in C, with or without a base in a register. */
static void read_luajit(const uint8_t *data, size_t size)
{
	static struct luajit_image m;
	const struct program p = jit_program();
	const struct language_names names = {image_define, &m.in};
	struct memory_registers registers = jit_registers();
	jit_make(&m);
	if (data[0] & 1)
		image_put(&m.in, JIT_AT_GLOBAL + LUAJIT_GLOBAL_VM_STATE, data[0] & 2 ? 5 : (uint32_t)-2, 4);
	if (data[0] & 4)
		registers.values[JIT_SP] -= 0x100;
	for (size_t i = 1; i + 4 <= size; i += 4) {
		const uint8_t *c = data + i;
		size_t at = (size_t)(c[0] | c[1] << 8) % (JIT_SIZE - 8);
		if (c[2] & 1)
			image_point(&m.in, at, (size_t)c[3] << 8 | (c[2] & 0xf8));
		else
			m.in.bytes[at] = c[3];
		if (c[2] & 2)
			registers.values[c[3] % 5] = IMAGE_BASE + at;
	}
	read_stacks(&language_lua, &p, jit_read, &m, JIT_MAIN_TID, &registers, &names, &m.in.n_defined);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct item it;
	if (size && (data[0] & 0xf8) == 0xf8)
		read_luajit(data, size);
	else if (size && (data[0] & 0xf0) == 0xf0)
		read_lua(data, size);
	else if (size && (data[0] & 0xe0) == 0xe0)
		read_ruby(data, size);
	else if (size && (data[0] & 0xc0) == 0xc0)
		read_php(data, size);
	else if (size && data[0] & 0x80)
		read_perl(data, size);
	else
		read_python(data, size);
	if (item_parse(&it, data, size) && it.kind == ITEM_STACK)
		for (uint32_t i = 0; i < it.n; i++)
			item_frame(&it, i);
	return 0;
}
