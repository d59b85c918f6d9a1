/*
 * python_layout.c - the layouts of CPython's structures.
 *
 * Within 3.N they stay the same from the final release on (3.7: from 3.7.4). They are equal on all 64-bit machines.
 * From 3.13 on, _PyRuntime begins with a description of itself, _Py_DebugOffsets:
 *
 *	"xdebugpy"  u64 version (PY_VERSION_HEX)  u64 is it free-threaded  u64 size and offsets of each structure ...
 *
 * Its own members have other places in each 3.N, so that a new version needs a table here, too. What has no table
 * is refused: a wrong offset would show wrong functions.
 */
#include "languages/python_layout.h"

#include <string.h>

#define NO NOWHERE

#define OLD(minor, runtime, handle, at, file, first, lines, holder)                                           \
	{                                                                                                         \
		minor, runtime, 0, 8, 8, 16, 24, NO, NO, handle, NO, NO, 24, 32, at, NO, NO, file, (file) + 8, first, \
			lines, NO, 48, 72, holder, NO, NO, NO                                                             \
	}

/* clang-format off */
static const struct python_layout layouts[] = {
	/* minor, runtime, pthread_t, instruction, name of the file, first line, lines, who has the lock */
	OLD(6, 0, 152, 120, 96, 36, 112, NO),
	OLD(7, 24, 176, 104, 96, 36, 112, 1480),
	OLD(8, 32, 176, 104, 104, 40, 120, 1368),
	OLD(9, 32, 176, 104, 104, 40, 120, 568),
	OLD(10, 32, 176, 96, 104, 40, 120, 568),
	/* in the order of struct python_layout */
	{11, 40, 0, 16, 8, 16, 56, 8, 16, 152, 160, 296, 48, 32, 56, 69, 68, 112, 128, 72, 136, 184, 48, 72, 576,
	 NO, NO, NO},
	{12, 40, 0, 72, 8, 16, 56, 0, 8, 136, 144, 232, 8, 0, 56, 70, NO, 112, 128, 68, 136, 192, 40, 56, NO,
	 384, 8, 16},
};
/* clang-format on */

/* Places in _Py_DebugOffsets, in words of 8 bytes. */
struct description {
	uint16_t minor, size;
	uint16_t interpreters, next, threads, lock, lock_state, lock_locked, lock_holder;
	uint16_t thread_next, thread_interpreter, thread_frame, thread_handle, thread_native, thread_chunk;
	uint16_t back, code, at, owner;
	uint16_t file, qualname, lines, first, start;
	uint16_t ascii; /* size of the header of a str */
};

static const struct description descriptions[] = {
	{13, 71, 5, 8, 9, 14, 15, 17, 18, 21, 22, 23, 24, 25, 26, 29, 30, 31, 33, 35, 37, 38, 39, 43, 70},
	{14, 81, 5, 8, 9, 15, 16, 18, 19, 24, 25, 26, 27, 28, 29, 32, 33, 34, 36, 40, 42, 43, 44, 48, 80},
};
#define WORDS_MOST 81u
#define OFFSET_MOST (1u << 20)
#define TEXT_REST 16u /* of a str that is not ASCII: its size and its form in UTF-8 */

static bool is_small(const uint64_t *words, const uint16_t *places, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (words[places[i]] > OFFSET_MOST)
			return false;
	return true;
}

/* Makes a layout of the target's description. false: an offset is impossible. */
static bool describe(struct python_layout *l, const struct description *d, const uint64_t *w)
{
	if (!is_small(w, &d->interpreters, (sizeof *d - offsetof(struct description, interpreters)) / sizeof d->next) ||
	    w[d->lock_state] > w[d->lock_holder] || w[d->lock_state] > w[d->lock_locked])
		return false;
#define AT(place) (uint32_t) w[d->place]
	*l = (struct python_layout){
		.minor = d->minor,
		.runtime_interpreters = AT(interpreters),
		.interpreter_next = AT(next),
		.interpreter_threads = AT(threads),
		.thread_next = AT(thread_next),
		.thread_interpreter = AT(thread_interpreter),
		.thread_frame = AT(thread_frame),
		.cframe_frame = NO,
		.cframe_previous = NO,
		.thread_handle = AT(thread_handle),
		.thread_native = AT(thread_native),
		.thread_chunk = AT(thread_chunk),
		.frame_back = AT(back),
		.frame_code = AT(code),
		.frame_at = AT(at),
		.frame_owner = AT(owner),
		.frame_entry = NO,
		.code_file = AT(file),
		.code_name = AT(qualname),
		.code_first = AT(first),
		.code_lines = AT(lines),
		.code_start = AT(start),
		.text_ascii = AT(ascii),
		.text_other = AT(ascii) + TEXT_REST,
		.runtime_holder = NO,
		.interpreter_lock = AT(lock),
		.lock_holder = (uint32_t)(w[d->lock_holder] - w[d->lock_state]),
		.lock_locked = (uint32_t)(w[d->lock_locked] - w[d->lock_state]),
	};
#undef AT
	return python_layout_thread_size(l) <= PYTHON_STRUCTURE_MOST &&
	       python_layout_frame_size(l) <= PYTHON_STRUCTURE_MOST &&
	       python_layout_code_size(l) <= PYTHON_STRUCTURE_MOST;
}

static bool read_description(struct python_layout *l, const struct description *d, uint64_t runtime,
                             struct memory *m, struct err *err)
{
	uint64_t words[WORDS_MOST];
	if (!memory_read(m, runtime, words, d->size * sizeof *words))
		return fail(err, "Python 3.%u: its memory cannot be read", d->minor);
	if (memcmp(words, "xdebugpy", 8) != 0 || words[1] >> 16 != (0x300u | d->minor))
		return fail(err, "Python 3.%u: it does not describe itself as that version", d->minor);
	if (words[2])
		return fail(err, "Python 3.%u without GIL: its layout is not known", d->minor);
	return describe(l, d, words) || fail(err, "Python 3.%u: its _Py_DebugOffsets make no sense", d->minor);
}

bool python_layout_find(struct python_layout *l, unsigned minor, uint64_t runtime, struct memory *m,
                        struct err *err)
{
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
		if (layouts[i].minor != minor)
			continue;
		*l = layouts[i];
		return true;
	}
	for (size_t i = 0; i < sizeof descriptions / sizeof *descriptions; i++)
		if (descriptions[i].minor == minor)
			return read_description(l, &descriptions[i], runtime, m, err);
	return fail(err, "Python 3.%u: its layout is not known", minor);
}

static uint32_t end_of(uint32_t most, uint32_t offset, uint32_t size)
{
	return offset == NOWHERE || offset + size <= most ? most : offset + size;
}

uint32_t python_layout_thread_size(const struct python_layout *l)
{
	uint32_t n = end_of(end_of(0, l->thread_next, 8), l->thread_interpreter, 8);
	n = end_of(end_of(n, l->thread_frame, 8), l->thread_handle, 8);
	return end_of(end_of(n, l->thread_native, 8), l->thread_chunk, 8);
}

uint32_t python_layout_frame_size(const struct python_layout *l)
{
	uint32_t n = end_of(end_of(0, l->frame_back, 8), l->frame_code, 8);
	return end_of(end_of(end_of(n, l->frame_at, 8), l->frame_owner, 1), l->frame_entry, 1);
}

uint32_t python_layout_code_size(const struct python_layout *l)
{
	uint32_t n = end_of(end_of(16, l->code_file, 8), l->code_name, 8);
	return end_of(end_of(n, l->code_first, 4), l->code_lines, 8);
}
