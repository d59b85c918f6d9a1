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
#include "symbols/ranges.h"

#define TEXT_MAX ((size_t)UINT32_MAX - 1)

struct function {
	uint64_t start;
	uint32_t name; /* offset in the text */
};

struct jit_map {
	char *text; /* names end with NUL */
	struct function *functions;
	size_t n, cap;
	struct ranges ranges;
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

static void add_line(struct jit_map *m, char *line, char *end)
{
	const char *p = line;
	uint64_t start, size;
	if (end > line && end[-1] == '\r')
		end--;
	if (!take_hex(&p, end, &start) || !take_hex(&p, end, &size) || end - p < 2 || m->n >= RANGES_NONE)
		return;
	*end = '\0';
	struct function f = {start, (uint32_t)(p + 1 - m->text)};
	uint64_t stop = u64_sum(start, size);
	ranges_add(&m->ranges, &(struct range){start, stop, (uint32_t)m->n, (uint32_t)m->n});
	mem_push(m->functions, m->n, m->cap, f);
}

struct jit_map *jit_map_new(const char *text, size_t n)
{
	struct jit_map *m = mem_zalloc(1, sizeof *m);
	n = n < TEXT_MAX ? n : TEXT_MAX;
	m->text = mem_strndup(text ? text : "", n);
	ranges_init(&m->ranges);
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
	free(m->functions);
	ranges_deinit(&m->ranges);
	free(m);
}

bool jit_map_has_any(const struct jit_map *m)
{
	return m->n > 0;
}

bool jit_map_find(const struct jit_map *m, uint64_t address, struct jit_function *out)
{
	uint32_t i = ranges_find(&m->ranges, address);
	if (i == RANGES_NONE)
		return false;
	*out = (struct jit_function){m->text + m->functions[i].name, m->functions[i].start};
	return true;
}
