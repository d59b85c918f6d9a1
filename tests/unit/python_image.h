/*
 * python_image.h - the memory of a made-up Python process, with the structures that src/languages/python.c reads.
 *
 *	<module> (app.py:7) -> work (app.py:12) -> é (app.py:21), the innermost; each an entry, or not
 *
 * The image is a run of bytes from IMAGE_BASE on; a test can damage it, or let reads fail.
 */
#ifndef TESTS_UNIT_PYTHON_IMAGE_H
#define TESTS_UNIT_PYTHON_IMAGE_H

#include <string.h>

#include "image.h"

#define PYTHON_SIZE 0x8000u
#define PYTHON_TID 4711

/* Places in it. */
enum {
	AT_RUNTIME = 0x0,
	AT_VERSION = 0x400,
	AT_TYPE = 0x500,
	AT_INTERPRETER = 0x600,
	AT_THREAD = 0x800,
	AT_CFRAME = 0xa00,
	AT_FRAMES = 0x1000, /* a piece of the stack of frames, three frames of 0x80 bytes in it */
	AT_CODES = 0x2000,  /* three, of 0x200 bytes */
	AT_TEXTS = 0x3000,  /* five, of 0x100 bytes */
	AT_LINES = 0x4000,
	AT_LONG = 0x6000, /* for a long text */
	FRAME_STEP = 0x80,
	CODE_STEP = 0x200,
	TEXT_STEP = 0x100
};

static void python_text(struct image *m, unsigned i, const char *text)
{
	size_t at = AT_TEXTS + i * TEXT_STEP, n = strlen(text);
	bool is_ascii = (unsigned char)text[0] < 128;
	image_put(m, at + 16, n, 8);
	image_put(m, at + 32, (uint64_t)1 << 2 | 1 << 5 | (is_ascii ? 1 << 6 : 0), 4);
	memcpy(m->bytes + at + (is_ascii ? 48 : 72), text, n);
}

static void python_code(struct image *m, unsigned i, unsigned name, uint32_t first)
{
	size_t at = AT_CODES + i * CODE_STEP;
	image_point(m, at + 8, AT_TYPE);
	image_point(m, at + 112, AT_TEXTS); /* file */
	image_point(m, at + 128, AT_TEXTS + name * TEXT_STEP);
	image_point(m, at + 136, AT_LINES);
	image_put(m, at + 72, first, 4);
}

/* Frame 0 is the outermost. */
static void python_frame(struct image *m, unsigned i, bool is_entry)
{
	size_t at = AT_FRAMES + 24 + i * FRAME_STEP;
	if (i)
		image_point(m, at + 48, at - FRAME_STEP);
	image_point(m, at + 32, AT_CODES + i * CODE_STEP);
	image_point(m, at + 56, AT_CODES + i * CODE_STEP + 184 + 2); /* the second instruction */
	m->bytes[at + 68] = is_entry;
}

/* Python 3.11. */
__attribute__((unused)) static void python_make(struct image *m)
{
	static const unsigned char lines[] = {0x80 | 0 << 3, 0, 0x80 | 12 << 3 | 1, 0,
	                                      0}; /* +0 for 2 bytes, +2 for 4 */
	image_begin(m, PYTHON_SIZE);
	image_put(m, AT_VERSION, 0x030b02f0, 4);
	image_point(m, AT_RUNTIME + 40, AT_INTERPRETER);
	image_point(m, AT_INTERPRETER + 16, AT_THREAD);
	image_point(m, AT_THREAD + 16, AT_INTERPRETER);
	image_point(m, AT_THREAD + 56, AT_CFRAME);
	image_put(m, AT_THREAD + 160, PYTHON_TID, 8);
	image_point(m, AT_THREAD + 296, AT_FRAMES);
	image_point(m, AT_CFRAME + 8, AT_FRAMES + 24 + 2 * FRAME_STEP);
	image_point(m, AT_RUNTIME + 576, AT_THREAD);
	python_text(m, 0, "/srv/app.py");
	python_text(m, 1, "<module>");
	python_text(m, 2, "work");
	python_text(m, 3, "\xe9t\xe9"); /* Latin-1 */
	for (unsigned i = 0; i < 3; i++) {
		python_code(m, i, i + 1, 5 + 10 * i);
		python_frame(m, i, i != 1);
	}
	image_put(m, AT_LINES + 16, sizeof lines, 8);
	memcpy(m->bytes + AT_LINES + 32, lines, sizeof lines);
}

static const char *const python_names[] = {"_PyRuntime", "Py_Version", "PyCode_Type", NULL};

__attribute__((unused)) static struct program python_program(const char *path)
{
	return (struct program){.path = path,
	                        .names = python_names,
	                        .addresses = {IMAGE_BASE + AT_RUNTIME, IMAGE_BASE + AT_VERSION, IMAGE_BASE + AT_TYPE}};
}

#endif
