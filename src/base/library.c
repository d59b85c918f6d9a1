/*
 * library.c - loads libraries at run time.
 */
#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

#ifdef FLAMETOP_STATIC
/* A program that everything is linked into could load it only with the very same C library. */
void *library_open(const char *const *names, const char *package, struct err *err)
{
	(void)package;
	fail(err, "this flametop is linked statically and cannot load %s; one that is not can", names[0]);
	return NULL;
}
#else
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
#endif

/* ISO C has no conversion from an object's pointer to a function's; POSIX gives both one representation. */
bool library_take(void *library, const char *name, void *function)
{
	void *found = dlsym(library, name);
	memcpy(function, &found, sizeof found);
	return found;
}
