/*
 * ruby_code.h - the functions of a Ruby process: names, files and lines of its code (iseq), and names of its
 * methods in C, read once each.
 */
#ifndef LANGUAGES_RUBY_CODE_H
#define LANGUAGES_RUBY_CODE_H

#include "languages/language.h"
#include "languages/ruby_layout.h"

struct ruby_codes;

struct ruby_codes *ruby_codes_new(const struct ruby_layout *); /* which must outlive it */
void ruby_codes_free(struct ruby_codes *);                     /* NULL is fine */

/* A stack is about to be read: what was seen before may be gone. */
void ruby_codes_begin(struct ruby_codes *);

/*
 * Fills in the function and the line of a frame. code: what it runs; instruction: the one that comes next; method:
 * by which it was called, 0: unknown. *is_part: from 3.4 on, the code only catches errors of the function whose
 * frame comes next. false: the code cannot be read, or makes no sense.
 */
bool ruby_codes_find(struct ruby_codes *, struct memory *, uint64_t code, uint64_t instruction, uint64_t method,
                     const struct language_names *, struct language_frame *, bool *is_part);
/* The function of a method in C; NO_FUNCTION: it cannot be read. names: see ruby_text_name(). */
uint32_t ruby_codes_method(struct ruby_codes *, struct memory *, uint64_t method, uint64_t all_names,
                           const struct language_names *);

#endif
