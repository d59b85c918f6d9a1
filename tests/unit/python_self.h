/*
 * python_self.h - makes the test program itself look like Python 3.11, so that a process to read is there.
 *
 * The structures are those of python_image.h, at the addresses that they name; what a symbol stands for is a variable
 * of the test. One thread has a state, the one that called self_make().
 */
#ifndef TESTS_UNIT_PYTHON_SELF_H
#define TESTS_UNIT_PYTHON_SELF_H

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "python_image.h"

/* NOLINTBEGIN(bugprone-reserved-identifier): the names are Python's */
uint64_t _PyRuntime[128] = {1}, PyCode_Type[16] = {1};
uint32_t Py_Version = 0x030b02f0;
/* NOLINTEND(bugprone-reserved-identifier) */

/* false: the place is taken. */
__attribute__((unused)) static bool self_make(void)
{
	static struct image image;
	void *place = mmap((void *)(uintptr_t)IMAGE_BASE, PYTHON_SIZE, PROT_READ | PROT_WRITE,
	                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (place != (void *)(uintptr_t)IMAGE_BASE)
		return false;
	python_make(&image);
	image_put(&image, AT_THREAD + 160, (uint64_t)syscall(SYS_gettid), 8);
	for (unsigned i = 0; i < 3; i++)
		image_put(&image, AT_CODES + i * CODE_STEP + 8, (uintptr_t)PyCode_Type, 8);
	memcpy(place, image.bytes, image.size);
	memcpy(_PyRuntime, image.bytes + AT_RUNTIME, sizeof _PyRuntime);
	return true;
}

#endif
