/*
 * perl_code.h - the functions and statements of a Perl process, read once each.
 */
#ifndef LANGUAGES_PERL_CODE_H
#define LANGUAGES_PERL_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "languages/language.h"
#include "languages/perl_layout.h"
#include "languages/perl_lines.h"

struct perl_codes;

/* The layout must outlive it. */
struct perl_codes *perl_codes_new(const struct perl_layout *);
void perl_codes_free(struct perl_codes *); /* NULL is fine */

/* A stack is about to be read: what was seen before may be gone. */
void perl_codes_begin(struct perl_codes *);

/* A statement (COP): where it is in the source. */
struct perl_statement {
	uint64_t address;
	uint32_t type;    /* of the operation; 0: of what is being compiled */
	bool is_compiled; /* it is no part of a program that runs yet */
	uint32_t line;    /* 0: unknown */
	uint64_t text;    /* hash of the file's name */
	const char *file;
	uint64_t owner; /* the function that it is a part of: its start; 0: not known */
};
/* false: it cannot be read, or makes no sense. The file's name is valid until the next stack. */
bool perl_codes_statement(struct perl_codes *, struct memory *, uint64_t address, struct perl_statement *);
/* Remembers of which function it is a part. */
void perl_codes_own(struct perl_codes *, const struct perl_statement *, uint64_t owner);
/* What an operation is, as far as it is known from the statements that were read so far. */
struct perl_operation_head {
	uint64_t next;
	bool is_statement, is_call; /* of a sub */
};
bool perl_codes_operation(const struct perl_codes *, struct memory *, uint64_t address,
                          struct perl_operation_head *);
/* The line of what is at work in the statement. *is_in_it: it is a part of the statement. */
uint32_t perl_codes_line(struct perl_codes *, struct memory *, const struct perl_statement *,
                         const struct perl_operation *, bool *is_in_it);

/* A function (CV). */
struct perl_function {
	uint32_t number, first_line;
	uint64_t text;  /* hash of its file's name */
	uint64_t start; /* its first operation, which all closures of it share */
	bool is_native; /* it is written in C */
};
bool perl_codes_function(struct perl_codes *, struct memory *, uint64_t address, const struct language_names *,
                         struct perl_function *);

#endif
