/*
 * merge.h - puts the functions of a language between the native functions of the same stack.
 *
 *	native     _start main eval list_sort eval PyObject_RichCompare
 *	language             <module> sorter    key
 *	merged     _start main <module> sorter list_sort key PyObject_RichCompare
 *
 * Each call of the interpreter's loop, a native function, stands for the functions of the language that it runs:
 * one that native code began to run (an entry), and those that it calls directly. An outermost function that is no
 * entry has no loop: it is being compiled, say. It comes right before the first one.
 */
#ifndef LANGUAGES_MERGE_H
#define LANGUAGES_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum merge_mark { MARK_NATIVE, MARK_EVAL, MARK_KERNEL };

/* Both stacks have the innermost frame first. */
struct merge_input {
	const uint8_t *marks; /* enum merge_mark of each native frame */
	size_t n_native;
	const uint8_t *entries; /* of each frame of the language: is it an entry? */
	size_t n_language;
	bool has_bottom; /* the native stack reaches the beginning of the thread */
	bool has_root;   /* the one of the language does */
};

struct merged {
	uint32_t index; /* in its stack */
	bool is_language;
	bool is_replaced; /* a native frame for which functions of the language stand */
};

/*
 * Fills at most n_native + n_language frames, the innermost first, and returns how many. All frames are in it.
 * *is_exact: there are as many loops as entries; functions without any entry may have no loop.
 */
size_t merge_stacks(const struct merge_input *, struct merged *out, bool *is_exact);

#endif
