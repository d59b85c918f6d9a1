/*
 * python_code.h - the code objects of a Python process: names, files and lines of its functions, read once each.
 */
#ifndef LANGUAGES_PYTHON_CODE_H
#define LANGUAGES_PYTHON_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "languages/language.h"
#include "languages/python_layout.h"

struct python_codes;

/* type: the address of PyCode_Type, by which code objects are recognised. The layout must outlive it. */
struct python_codes *python_codes_new(const struct python_layout *, uint64_t type);
void python_codes_free(struct python_codes *); /* NULL is fine */

/* A stack is about to be read: what was seen before may be gone. */
void python_codes_begin(struct python_codes *);

/* What is at work in a code object. */
enum python_code_result {
	CODE_FOUND,
	CODE_FOREIGN, /* it is an object, but no code object */
	CODE_HELPER,  /* it is no function of the program: 3.12 and later run one around __init__ */
	CODE_FAILED,  /* it cannot be read, or makes no sense */
};
/*
 * The function of the code object, and the line of an instruction at an offset in bytes from its first one.
 * Code objects come and go: one that is known is only compared.
 */
enum python_code_result python_codes_find(struct python_codes *, struct memory *, uint64_t address, int64_t offset,
                                          const struct language_names *, struct language_frame *);

#endif
