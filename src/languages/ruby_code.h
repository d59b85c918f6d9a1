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
 * The function of code that a method runs, and the line before an instruction, at which it is. method: 0 is
 * unknown. *is_part: it catches errors of the function whose frame comes next, in 3.4.
 */
bool ruby_codes_find(struct ruby_codes *, struct memory *, uint64_t code, uint64_t instruction, uint64_t method,
                     const struct language_names *, struct language_frame *, bool *is_part);
/* The function of a method in C; NO_FUNCTION: it cannot be read. names: see ruby_text_name(). */
uint32_t ruby_codes_method(struct ruby_codes *, struct memory *, uint64_t method, uint64_t all_names,
                           const struct language_names *);

#endif
