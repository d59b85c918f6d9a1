/*
 * python_text.h - the texts of CPython: objects of the type str.
 */
#ifndef LANGUAGES_PYTHON_TEXT_H
#define LANGUAGES_PYTHON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "languages/memory.h"
#include "languages/python_layout.h"

/* Reads a str as UTF-8, cut to what fits, with a NUL after it. false: it cannot be read, or is no such object. */
bool python_text(const struct python_layout *, struct memory *, uint64_t address, char *text, size_t size);

#endif
