/*
 * image.h - the memory of a made-up process whose interpreter is read: a run of bytes from IMAGE_BASE on, in which a
 * test can put anything, and of which reads can fail. One header for each language (perl_image.h, ...) fills it.
 */
#ifndef TESTS_UNIT_IMAGE_H
#define TESTS_UNIT_IMAGE_H

#include <stdio.h>
#include <string.h>

#include "languages/languages.h"

#define IMAGE_BASE UINT64_C(0x100000)
#define IMAGE_MOST 0x10000u

struct image {
	unsigned char bytes[IMAGE_MOST];
	size_t size;                  /* of these, the process has */
	unsigned n_reads, fail_after; /* fail_after: reads that succeed; 0: all */
	char defined[64][80];         /* "name:file:first line" by number */
	char ending[6];               /* of the name defined last */
	uint32_t n_defined;
	bool is_full; /* no function gets a number */
};

__attribute__((unused)) static void image_begin(struct image *m, size_t size)
{
	memset(m->bytes, 0, size);
	m->size = size;
	m->n_reads = m->fail_after = 0;
	m->n_defined = 0;
	m->is_full = false;
}

__attribute__((unused)) static bool image_read(void *arg, uint64_t address, void *into, size_t n)
{
	struct image *m = arg;
	m->n_reads++;
	if (m->fail_after && m->n_reads > m->fail_after)
		return false;
	if (address < IMAGE_BASE || address - IMAGE_BASE > m->size || n > m->size - (address - IMAGE_BASE))
		return false;
	memcpy(into, m->bytes + (address - IMAGE_BASE), n);
	return true;
}

/* As struct language_names wants it: what is the same has one number. */
__attribute__((unused)) static uint32_t image_define(void *arg, const struct language_function *f)
{
	struct image *m = arg;
	char text[sizeof m->defined[0]];
	if (m->is_full)
		return NO_FUNCTION;
	size_t n = strlen(f->name);
	snprintf(m->ending, sizeof m->ending, "%s", f->name + (n > 5 ? n - 5 : 0));
	snprintf(text, sizeof text, "%.30s:%.30s:%u", f->name, f->file, f->first_line);
	for (uint32_t i = 1; i <= m->n_defined; i++)
		if (strcmp(m->defined[i], text) == 0)
			return i;
	uint32_t at = m->n_defined < 63 ? ++m->n_defined : 63;
	strcpy(m->defined[at], text);
	return at;
}

__attribute__((unused)) static void image_put(struct image *m, size_t at, uint64_t v, size_t n)
{
	memcpy(m->bytes + at, &v, n);
}

/* Puts the address of another place. */
__attribute__((unused)) static void image_point(struct image *m, size_t at, size_t to)
{
	image_put(m, at, IMAGE_BASE + to, 8);
}

/* "work:12 <main>:7*", the innermost first; "[loop]*" has no function, ".." callers are missing. */
__attribute__((unused)) static const char *image_show(const struct image *m, const struct language_stack *s,
                                                      const char *between)
{
	static char text[1000];
	size_t n = 0;
	text[0] = '\0';
	for (uint32_t i = 0; i < s->n && i < 12; i++) {
		const struct language_frame *f = &s->frames[i];
		const char *name = f->function ? m->defined[f->function] : "[loop]", *end = strstr(name, ":/srv");
		end = end ? end : strstr(name, "::0");
		int length = (int)(end ? (size_t)(end - name) : strlen(name));
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%.*s:%u%s", i ? between : "", length, name, f->line,
		                      f->is_entry ? "*" : "");
	}
	snprintf(text + n, sizeof text - n, "%s", s->is_cut ? " .." : "");
	return text;
}

/* Damages n bytes from `first` to `end`, by bytes and pointers; in the same way for the same *seed, which changes. */
__attribute__((unused)) static void image_damage(struct image *m, size_t first, size_t end, unsigned n,
                                                 uint64_t *seed)
{
	for (unsigned i = 0; i < n; i++) {
		*seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
		size_t at = first + (size_t)(*seed >> 16) % (end - first);
		m->bytes[at] = (unsigned char)*seed;
		if (*seed & 0x100)
			image_point(m, at & ~(size_t)7, (size_t)(*seed >> 40) % m->size & ~(size_t)7);
	}
}

#endif
