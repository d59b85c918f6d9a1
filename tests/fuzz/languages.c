/*
 * languages.c - a process whose memory holds any bytes: the image of tests/unit/python_image.h with changes.
 *
 * Each 4 bytes of the input are one change: where (2 bytes), and what: a byte, or where a pointer leads to. A budget
 * bounds the reads; a stack must be bounded, too, and its functions defined.
 */
#include <stdio.h>
#include <stdlib.h>

#include "languages/items.h"
#include "tests/unit/python_image.h"

#define BUDGET 20000u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void change(struct image *m, const uint8_t *c)
{
	size_t at = (size_t)(c[0] | c[1] << 8) % (IMAGE_SIZE - 8), to = (size_t)c[3] << 7;
	if (c[2] & 1)
		image_point(m, at, to | (c[2] & 0x78));
	else
		m->bytes[at] = c[3];
}

static void walk(struct image *m, void *python)
{
	static struct language_stack stack;
	struct memory memory = {image_read, m, BUDGET};
	const struct language_names names = {image_define, m};
	if (language_python.walk(python, &memory, IMAGE_TID, &names, &stack) != WALK_DONE)
		return;
	if (!stack.n || stack.n > LANGUAGE_FRAMES)
		abort();
	for (uint32_t i = 0; i < stack.n; i++)
		if (!stack.frames[i].function || stack.frames[i].function > m->n_defined)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct image m;
	struct item it;
	struct err err = {""};
	struct memory memory = {image_read, &m, BUDGET};
	const struct program p = image_program(size && data[0] & 1 ? "python3.9" : "python3.11");
	image_make(&m);
	for (size_t i = 0; i + 4 <= size; i += 4)
		change(&m, data + i);
	void *python = language_python.attach(&p, &memory, &err);
	for (int i = 0; python && i < 2; i++)
		walk(&m, python);
	if (python)
		language_python.detach(python);
	if (item_parse(&it, data, size) && it.kind == ITEM_STACK)
		for (uint32_t i = 0; i < it.n; i++)
			item_frame(&it, i);
	return 0;
}
