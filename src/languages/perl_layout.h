/*
 * perl_layout.h - where Perl keeps what is needed of its structures, by version.
 */
#ifndef LANGUAGES_PERL_LAYOUT_H
#define LANGUAGES_PERL_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "languages/memory.h"
#include "languages/program.h"

/* Offsets in bytes within 64-bit structures. What all versions have at the same place is below. */
struct perl_layout {
	uint32_t minor;             /* of 5.MINOR */
	bool is_threaded;           /* built with ithreads: its variables are in an interpreter each */
	bool has_aux_behind_array;  /* the name of a package is after its array of buckets */
	uint32_t interpreter_cop;   /* of Icurcop, with threads */
	uint32_t interpreter_stack; /* of Icurstackinfo, with threads */
	uint32_t stack_type;        /* of si_type in PERL_SI */
	uint32_t context_size;      /* of a PERL_CONTEXT */
	uint32_t context_code;      /* of blku_sub.cv in it */
	uint32_t context_name;      /* of blku_eval.old_namesv in it */
};

/* struct interpreter */
#define PERL_INTERPRETER_OP 0x8u
#define PERL_INTERPRETER_SIZE 0x1000u /* none is larger */
/* PERL_SI: a stack of contexts */
#define PERL_STACK_CONTEXTS 0x8u
#define PERL_STACK_PREVIOUS 0x10u
#define PERL_STACK_TOP 0x20u
#define PERL_STACK_SIZE 0x30u
#define PERL_STACK_MAIN 1
#define PERL_STACK_SORT 3
/* PERL_CONTEXT */
#define PERL_CONTEXT_STATEMENT 0x10u /* blku_oldcop: that of the caller */
#define PERL_CONTEXT_RETURN 0x30u    /* retop: the operation that follows; 0: C called */
#define PERL_CONTEXT_MOST 0x68u
/* OP, and COP, a statement */
#define PERL_OP_NEXT 0x0u
#define PERL_OP_SIBLING 0x8u
#define PERL_OP_TARGET 0x18u
#define PERL_OP_TYPE 0x20u
#define PERL_OP_FLAGS 0x22u
#define PERL_OP_FIRST 0x28u /* of one with kids */
#define PERL_STATEMENT_LINE 0x24u
#define PERL_STATEMENT_FILE 0x30u   /* char *, or GV * without threads */
#define PERL_STATEMENT_NUMBER 0x3cu /* cop_seq: each that is compiled has another one */
#define PERL_STATEMENT_SIZE 0x40u
/* SV: head, and the bodies of code and symbols */
#define PERL_SV_BODY 0x0u
#define PERL_SV_FLAGS 0xcu
#define PERL_SV_VALUE 0x10u
#define PERL_SV_SIZE 0x18u
#define PERL_CODE_PACKAGE 0x20u
#define PERL_CODE_START 0x28u
#define PERL_CODE_NAME 0x38u /* GV *, or HEK * with the flag */
#define PERL_CODE_FILE 0x40u /* char * */
#define PERL_CODE_FLAGS 0x5cu
#define PERL_CODE_SIZE 0x60u
#define PERL_SYMBOL_NAME 0x20u
#define PERL_SYMBOL_PACKAGE 0x28u
#define PERL_GLOB_EFFECTIVE 0x38u /* gp_egv */
#define PERL_HASH_MOST 0x18u      /* xhv_max */
#define PERL_HASH_AUX 0x20u       /* after the body, if the version has it there */
#define PERL_AUX_NAME 0x0u
#define PERL_AUX_NAMES 0x1cu /* how many; not 0: the name is a list */
#define PERL_KEY_LENGTH 0x4u
#define PERL_KEY_TEXT 0x8u

/* Finds the layout of the program. false with err: it is not known. */
bool perl_layout_find(struct perl_layout *, const struct program *, struct memory *, struct err *err);

#endif
