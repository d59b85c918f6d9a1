/*
 * perl_text.h - the texts of Perl: keys of hashes, names of packages and symbols, and strings of C.
 *
 * Each function reads a text as UTF-8, cut to what fits, with a NUL after it. false: it cannot be read, or is no
 * such thing.
 */
#ifndef LANGUAGES_PERL_TEXT_H
#define LANGUAGES_PERL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "languages/memory.h"
#include "languages/perl_layout.h"

/* A HEK: the key of a hash. */
bool perl_text_key(struct memory *, uint64_t key, char *text, size_t size);
/* The name of a package; "__ANON__" if it has none. */
bool perl_text_package(const struct perl_layout *, struct memory *, uint64_t package, char *text, size_t size);
/* The name of a symbol, "Package::name". */
bool perl_text_symbol(const struct perl_layout *, struct memory *, uint64_t symbol, char *text, size_t size);
/* The name of a symbol that stands for a file, which begins with "_<"; without that. */
bool perl_text_file(struct memory *, uint64_t symbol, char *text, size_t size);

/* Takes the number out of the name of a file that stands for a string of code: "(eval 12)" becomes "(eval)". */
void perl_text_merge_evals(char *file);

#endif
