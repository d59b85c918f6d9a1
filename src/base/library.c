/*
 * library.c - loads libraries at run time.
 */
#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

void *library_open(const char *const *names, const char *package, struct err *err)
{
	for (const char *const *name = names; *name; name++) {
		void *library = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
		if (library)
			return library;
	}
	fail(err, "there is no %s (install %s)", names[0], package);
	return NULL;
}

/* ISO C has no conversion from an object's pointer to a function's; POSIX gives both one representation. */
bool library_take(void *library, const char *name, void *function)
{
	void *found = dlsym(library, name);
	memcpy(function, &found, sizeof found);
	return found;
}
