/*
 * python_layout.h - where CPython keeps what is needed of its structures, by version.
 */
#ifndef LANGUAGES_PYTHON_LAYOUT_H
#define LANGUAGES_PYTHON_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "languages/memory.h"

#define NOWHERE UINT32_MAX /* this version has no such field */

/* Offsets in bytes within 64-bit structures. */
struct python_layout {
	uint32_t minor; /* of 3.MINOR */
	uint32_t runtime_interpreters;
	uint32_t interpreter_next, interpreter_threads;
	uint32_t thread_next, thread_interpreter;
	uint32_t thread_frame; /* to the frame at work, or to the cframe that points to it */
	uint32_t cframe_frame; /* NOWHERE: there is no cframe */
	uint32_t cframe_previous;
	uint32_t thread_handle; /* pthread_t */
	uint32_t thread_native; /* as gettid() numbers it */
	uint32_t thread_chunk;  /* the piece of the stack of frames in use */
	uint32_t frame_back, frame_code;
	uint32_t frame_at; /* index of the instruction (up to 3.10), or its address */
	uint32_t frame_owner, frame_entry;
	uint32_t code_file, code_name, code_first, code_lines, code_start;
	uint32_t text_ascii, text_other; /* where the characters of a str begin */
	/*
	 * Who holds the lock: in _PyRuntime the thread that has it; or in the interpreter a pointer to {.., holder,
	 * locked}.
	 */
	uint32_t runtime_holder, interpreter_lock, lock_holder, lock_locked;
};

/*
 * Finds the layout of 3.minor; from 3.13 on the target itself tells it, at the start of its _PyRuntime. false with
 * err: it is not known.
 */
bool python_layout_find(struct python_layout *, unsigned minor, uint64_t runtime, struct memory *, struct err *);

/* Bytes of a thread, a frame and a code object that have all of these fields. */
uint32_t python_layout_thread_size(const struct python_layout *);
uint32_t python_layout_frame_size(const struct python_layout *);
uint32_t python_layout_code_size(const struct python_layout *);
#define PYTHON_STRUCTURE_MOST 1024u /* none of them is larger */

#endif
