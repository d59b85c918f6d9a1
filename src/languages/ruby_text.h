/*
 * ruby_text.h - texts of a Ruby process: strings, names of methods, and names of classes.
 */
#ifndef LANGUAGES_RUBY_TEXT_H
#define LANGUAGES_RUBY_TEXT_H

#include "languages/ruby_layout.h"

/* Kinds of objects, in the lowest bits of their flags. */
#define RUBY_TYPE_MASK 0x1fu
enum { RUBY_CLASS = 2, RUBY_MODULE = 3, RUBY_STRING = 5, RUBY_ARRAY = 7, RUBY_INTERNAL = 0x1a };
/* Of internal ones, four more bits. */
enum { RUBY_INTERNAL_VARIABLES = 2, RUBY_INTERNAL_METHOD = 6, RUBY_INTERNAL_CODE = 7 };

bool ruby_is_internal(uint64_t flags, unsigned kind);

/* Reads a string, without end: only what has room. */
bool ruby_text_string(const struct ruby_layout *, struct memory *, uint64_t string, char *text, size_t size);
/* Reads a place of an array. */
bool ruby_text_element(const struct ruby_layout *, struct memory *, uint64_t array, uint64_t i, uint64_t *value);
/* Reads a name by its number. names: the array of them all. */
bool ruby_text_name(const struct ruby_layout *, struct memory *, uint64_t names, uint64_t id, char *text,
                    size_t size);
/*
 * The name of the class or module that has a method, a string; 0: it has none that lasts. *mark: '#' if the
 * method is one of its instances, '.' if its own. From 3.4 on.
 */
uint64_t ruby_text_class(struct memory *, uint64_t owner, char *mark);

#endif
