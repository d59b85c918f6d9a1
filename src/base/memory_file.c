/*
 * memory_file.c - memfd_create(), or a scratch file.
 */
#include "base/memory_file.h"

#include <stddef.h>
#include <sys/mman.h>

#include "base/platform.h"
#include "base/scratch.h"

int memory_file_open(const char *name)
{
#if ON_LINUX
	return memfd_create(name, MFD_CLOEXEC);
#else
	(void)name;
	return scratch_open(NULL);
#endif
}
