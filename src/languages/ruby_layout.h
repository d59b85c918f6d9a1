/*
 * ruby_layout.h - where CRuby keeps what is needed of its structures, by version.
 */
#ifndef LANGUAGES_RUBY_LAYOUT_H
#define LANGUAGES_RUBY_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "languages/memory.h"
#include "languages/program.h"

#define RUBY_NOWHERE UINT16_MAX /* this version has no such field */

/* Offsets in bytes within 64-bit structures. */
struct ruby_layout {
	uint16_t version; /* 304: 3.4 */
	uint16_t ractors; /* in the VM: the list of ractors. RUBY_NOWHERE: threads and lock are in the VM itself */
	uint16_t ractor_node;
	uint16_t threads, lock; /* of a ractor: the list of its threads, and who has its lock */
	uint16_t thread_ractor, thread_vm, thread_context;
	uint16_t thread_native; /* pointer to its native thread; RUBY_NOWHERE: both of these are in the thread */
	uint16_t native_handle, native_number; /* pthread_t; as gettid() numbers it */
	uint16_t context_thread;
	uint16_t frame_size;
	uint16_t lines, line_size; /* in the body of code: {entries, .., u32 how many, index}; bytes of an entry */
	uint16_t local;            /* in the body of code: code of the method around it; before it, code around it */
	uint16_t first_name;       /* ID of "max", the first name that is no operator */
};

/* The same in all versions. */
#define RUBY_THREAD_SIZE 96u
#define RUBY_NATIVE_SIZE 32u
#define RUBY_CONTEXT_SIZE 64u /* stack, words of it, frame at work */
#define RUBY_CONTEXT_LENGTH 8u
#define RUBY_CONTEXT_FRAME 16u
#define RUBY_FRAME_CODE 16u
#define RUBY_FRAME_VALUES 32u
#define RUBY_BODY_SIZE 192u
#define RUBY_BODY_INSTRUCTIONS 8u
#define RUBY_BODY_PATH 64u
#define RUBY_BODY_LABEL 80u
#define RUBY_BODY_FIRST 88u
#define RUBY_METHOD_DEFINITION 16u
#define RUBY_METHOD_OWNER 32u
#define RUBY_DEFINITION_NAME 32u

/* Finds the layout by what the program says of itself. false with err: it is not known. */
bool ruby_layout_find(struct ruby_layout *, const struct program *, struct memory *, struct err *);

#endif
