/* Call frame information that has no end: a stack takes steps and frames by the size of its copy. */
#include <stdio.h>
#include <unistd.h>

#include "symbols/unwind.h"
#include "tests/unit/elf_writer.h"

#define MOST 8192
#define SPAN UINT64_C(0x40000000) /* of the file */
#define START UINT64_C(0x1000)    /* of the function, which goes on to the end */

static char path[] = "/tmp/flametop-test-XXXXXX";

static bool map_at(void *arg, const void *process, uint64_t address, struct unwind_map *map)
{
	(void)arg, (void)process;
	*map = (struct unwind_map){.end = SPAN, .path = path};
	return address < SPAN;
}

/* Opcode, register if it is 0x16, length, and an expression: register + 16, then nothing for some steps. */
static void put_rule(struct buf *b, int reg, char base, size_t nothing)
{
	buf_addc(b, reg < 0 ? 0x0f : 0x16);
	if (reg >= 0)
		buf_addc(b, (char)reg);
	buf_addc(b, (char)(2 + nothing));
	buf_addc(b, base);
	buf_addc(b, 16);
	buf_pad(b, '\x96', nothing);
}

static void put_entry(const struct elf_writer *w, struct buf *section, struct buf *body)
{
	writer_int(w, section, body->len, 4);
	buf_add(section, body->data, body->len);
	buf_deinit(body);
	buf_init(body);
}

/* One function, whose caller is always the code 16 bytes further on, with its stack 16 bytes further up. */
static void write_program(int registers, size_t nothing)
{
	struct elf_writer w;
	struct buf body;
	writer_init(&w, true, false);
	writer_segment(&w, ELF_SEGMENT_EXECUTABLE, 0, 0, SPAN);
	struct elf_section as = {.type = 1, .flags = ELF_SECTION_ALLOCATED};
	struct buf *frames = &w.bodies[writer_section(&w, ".eh_frame", as)];
	buf_init(&body);
	buf_add(&body, "\0\0\0\0\1zR\0\1\x78\x10\1\0", 13); /* return address: 16; absolute addresses */
	put_entry(&w, frames, &body);
	writer_int(&w, &body, frames->len + 4, 4);
	writer_int(&w, &body, START, 8);
	writer_int(&w, &body, SPAN - START, 8);
	buf_addc(&body, 0);
	put_rule(&body, -1, 0x77, nothing);
	put_rule(&body, 16, '\x80', nothing);
	for (int i = 0; i < registers; i++)
		put_rule(&body, i < 7 ? i : i + 1, (char)(0x70 + (i < 7 ? i : i + 1)), nothing);
	put_entry(&w, frames, &body);
	writer_int(&w, frames, 0, 4);
	struct buf file = writer_finish(&w);
	FILE *f = fopen(path, "w");
	if (!f || fwrite(file.data, 1, file.len, f) != file.len || fclose(f) != 0)
		bail_out("%s", path);
	buf_deinit(&file);
}

static size_t frames_with(size_t n_stack, bool *has_given_up)
{
	static unsigned char stack[4096];
	static uint64_t frames[MOST], regs[20];
	bool is_cut;
	struct unwind_input in = {.pid = 1, .abi = 2, .mask = 0xff0fff, .regs = regs, .stack = stack};
	in.machine = unwind_machine("x86_64");
	in.n_stack = n_stack;
	regs[7] = UINT64_C(0x7ff000000000);
	regs[8] = START;
	struct unwinder *u = unwinder_new(map_at, NULL);
	size_t n = unwind_stack(u, &in, frames, MOST, &is_cut);
	ok(frames[0] == START && frames[n - 1] == START + 16 * (n - 1) - (n > 1), "%zu frames", n);
	*has_given_up = unwind_has_given_up(u);
	unwinder_free(u);
	return n;
}

int main(void)
{
	bool has_given_up;
	close(mkstemp(path));
	write_program(0, 0);
	is_int(frames_with(8, &has_given_up), 17, "a stack of a word has few frames");
	ok(has_given_up, "and is said to have been given up");
	is_int(frames_with(4096, &has_given_up), 512 + 16, "a larger one has as many as it has words, and few more");
	write_program(15, 90);
	size_t n = frames_with(8, &has_given_up);
	ok(n > 5 && n < 12, "frames that take many steps are fewer: %zu", n);
	ok(has_given_up, "which is said, too");
	ok(frames_with(512, &has_given_up) < 25, "also with a larger stack");
	unlink(path);
	return done_testing();
}
