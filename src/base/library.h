/*
 * library.h - loads libraries at run time that only some users need, so that the program starts without them.
 */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#include <stdbool.h>

#include "base/err.h"

/*
 * Loads the first of the libraries that is there; NULL ends the list. It stays loaded until the end of the process:
 * what it links to may have threads and handlers of its own. NULL: err names the first one, and the package that
 * has it.
 */
void *library_open(const char *const *names, const char *package, struct err *err);
/* Stores the function's address in *function, a pointer to a function pointer. false: the library lacks it. */
bool library_take(void *library, const char *name, void *function);

#endif
