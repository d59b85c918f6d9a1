/*
 * php_layout.h - where PHP keeps what is needed of its structures, by version.
 */
#ifndef LANGUAGES_PHP_LAYOUT_H
#define LANGUAGES_PHP_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "languages/memory.h"
#include "languages/program.h"

/* Offsets in bytes within 64-bit structures. What all versions have at the same place is below. */
struct php_layout {
	uint32_t version;          /* 802 is 8.2 */
	uint32_t api;              /* ZEND_MODULE_API_NO */
	uint32_t at_work;          /* of current_execute_data in executor_globals */
	uint32_t code_last;        /* of last in zend_op_array: how many instructions there are */
	uint32_t code_first;       /* of opcodes in it */
	uint32_t code_file;        /* of filename in it; the first line follows */
	uint32_t generator_frame;  /* of execute_data in zend_generator */
	uint32_t generator_parent; /* of node.parent in it: the generator that it takes values from */
};

/* zend_execute_data: a frame */
#define PHP_FRAME_INSTRUCTION 0u
#define PHP_FRAME_FUNCTION 24u
#define PHP_FRAME_OBJECT 32u /* the value of This */
#define PHP_FRAME_INFO 40u   /* the type of This, and flags of the call */
#define PHP_FRAME_CALLER 48u
#define PHP_FRAME_SIZE 56u
/* zend_function, of which zend_op_array is the form with code of PHP */
#define PHP_FUNCTION_NAME 8u
#define PHP_FUNCTION_CLASS 16u
#define PHP_FUNCTION_SIZE 24u
#define PHP_CODE_MOST 192u
/* zend_op: an instruction */
#define PHP_INSTRUCTION_OPERANDS 8u /* two, of 4 bytes: a place in the frame, say */
#define PHP_INSTRUCTION_VALUE 20u   /* of a frameless call: which function it calls */
#define PHP_INSTRUCTION_LINE 24u
#define PHP_INSTRUCTION_KIND 28u
#define PHP_INSTRUCTION_TYPES 29u      /* of the operands, a byte each */
#define PHP_INSTRUCTION_FRAMELESS 204u /* and the three after it, by number of arguments; from 8.4 on */
#define PHP_INSTRUCTION_SIZE 32u
/* zval */
#define PHP_VALUE_TYPE 8u
/* zend_class_entry */
#define PHP_CLASS_NAME 8u
/* zend_string */
#define PHP_TEXT_TYPE 4u
#define PHP_TEXT_HASH 8u
#define PHP_TEXT_LENGTH 16u
#define PHP_TEXT_BYTES 24u

/* Finds the layout of the program. false with err: it is not known. */
bool php_layout_find(struct php_layout *, const struct program *, struct err *err);

/* What the modules in the process say of its build. */
enum php_build {
	BUILD_UNKNOWN, /* nothing yet: it has just begun */
	BUILD_KNOWN,   /* it has the layout */
	BUILD_OTHER,   /* with err */
};
/* registry: address of module_registry. */
enum php_build php_layout_check(const struct php_layout *, struct memory *, uint64_t registry, struct err *err);

#endif
