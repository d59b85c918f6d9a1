/*
 * jit_map.c - functions of a JIT compiler, from the text file that it writes for perf.
 *
 *	3f8d0c00 2a4 LazyCompile:~main /srv/app.js:12
 *	0x3f8d0ea4 0x40 Stub:StringAdd
 *
 * START SIZE NAME in hex, with or without 0x; names may contain blanks. The program appends lines while it runs;
 * where functions overlap, the later line counts.
 */
#include "symbols/jit_map.h"

#include <string.h>

#include "base/hex.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/scan.h"
#include "symbols/ranges.h"

#define TEXT_MAX ((size_t)UINT32_MAX - 1)

struct jit_map {
	char *text; /* lines end with NUL */
	size_t len;
	bool has_any;
	struct ranges ranges; /* the values are offsets of lines, which are read again when they are asked for */
};

/* Takes a number in hex from the start of [*p, end); false: there is none. */
static bool take_hex(const char **p, const char *end, uint64_t *v)
{
	const char *q = *p;
	while (q < end && *q == ' ')
		q++;
	if (end - q > 2 && q[0] == '0' && (q[1] == 'x' || q[1] == 'X'))
		q += 2;
	bool is_whole = hex_take(&q, end, v) && q < end && *q == ' ';
	*p = q;
	return is_whole;
}

/* Takes the fields of a line; false: it is no function. */
static bool take_line(const char *p, const char *end, uint64_t *start, uint64_t *size, const char **name)
{
	if (!take_hex(&p, end, start) || !take_hex(&p, end, size) || end - p < 2)
		return false;
	*name = p + 1;
	return true;
}

static void add_line(struct jit_map *m, char *line, char *end)
{
	const char *name;
	uint64_t start, size;
	if (end > line && end[-1] == '\r')
		end--;
	if (!take_line(line, end, &start, &size, &name))
		return;
	*end = '\0';
	uint32_t offset = (uint32_t)(line - m->text);
	ranges_add(&m->ranges, &(struct range){start, u64_sum(start, size), offset, offset});
	m->has_any = true;
}

uint64_t jit_map_memory(const char *text, size_t n)
{
	n = n < TEXT_MAX ? n : TEXT_MAX;
	return sizeof(struct jit_map) + n + RANGES_EACH * (scan_count(text, n, '\n') + 1);
}

struct jit_map *jit_map_new(char *text, size_t n)
{
	struct jit_map *m = mem_zalloc(1, sizeof *m);
	m->text = text;
	m->len = n = n < TEXT_MAX ? n : TEXT_MAX;
	ranges_init(&m->ranges);
	ranges_reserve(&m->ranges, scan_count(text, n, '\n') + 1);
	char *p = m->text, *end = p + n;
	for (char *newline; p < end && (newline = memchr(p, '\n', (size_t)(end - p))); p = newline + 1)
		add_line(m, p, newline);
	if (p < end)
		add_line(m, p, end);
	ranges_settle(&m->ranges);
	return m;
}

void jit_map_free(struct jit_map *m)
{
	if (!m)
		return;
	free(m->text);
	ranges_deinit(&m->ranges);
	free(m);
}

bool jit_map_has_any(const struct jit_map *m)
{
	return m->has_any;
}

bool jit_map_find(const struct jit_map *m, uint64_t address, struct jit_function *out)
{
	uint32_t line = ranges_find(&m->ranges, address);
	uint64_t size;
	return line != RANGES_NONE && take_line(m->text + line, m->text + m->len, &out->start, &size, &out->name);
}
