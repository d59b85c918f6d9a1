/*
 * jitdump.c - functions of a JIT compiler, from the dump that it writes for perf.
 *
 *	header    u32 magic "JiTD", version, size, machine, pad, pid; u64 time, flags
 *	record    u32 id, size; u64 time; then by id:
 *	0 load    u32 pid, tid; u64 vma, address, size, index; name, NUL; code
 *	1 move    u32 pid, tid; u64 vma, old address, new address, size, index
 *	2 lines   u64 address, n; n times {u64 address; u32 line, column; file, NUL}, of the load that follows
 *	3 close
 *
 * V8 counts the addresses of lines from an ELF header before the code, which perf inject will put there. Node 20
 * writes random bytes for the name of the file, NULs among them; the names of its functions tell the file, too:
 * "JS:*run /src/a.js:12:5". So a name ends at the NUL that an address in the code follows.
 *
 * Code comes and goes: an address belongs to one function now and to another later. The table keeps all code ever
 * loaded, sorted by start, with the highest end up to each entry, so that a search to the left knows where to stop;
 * it looks at no more than a few hundred overlapping entries.
 */
#include "symbols/jitdump.h"

#include <string.h>

#include "base/find.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/slice.h"
#include "base/sort.h"
#include "base/utf8.h"
#include "symbols/texts.h"

#define MAGIC 0x4A695444u
#define HEADER 40
#define RECORD 16
#define OVERLAPS_MAX 512
#define ELF_HEADER 0x40                 /* see above */
#define NULS_MOST 256u                  /* in the name of a file */
#define NULS_ALL ((uint64_t)1 << 20)    /* in all of them */
#define LEAST_LINE 17u                  /* bytes */
#define FIRST_INDEX 8448u               /* bytes of the index of a few functions */
#define TEXT 64u                        /* bytes that a name takes besides its own */
#define LINES_SPAN ((uint64_t)64 << 20) /* from the start of the code to the addresses of its lines */

enum { RECORD_LOAD, RECORD_MOVE, RECORD_LINES, RECORD_CLOSE };

struct line {
	uint64_t address;
	const char *file;
	uint32_t number;
};

struct code {
	uint64_t start, end, from, until; /* addresses; times */
	const char *name;
	uint64_t moved;  /* distance from where it was loaded */
	uint64_t offset; /* of its bytes in the dump; 0: they are not there */
	uint64_t header; /* that its lines count in */
	size_t first_line, n_lines;
};

struct jitdump {
	bool is_swapped;
	uint32_t machine;
	const unsigned char *bytes; /* of the whole dump, while it is read */
	struct texts texts;
	struct code *codes;
	size_t n, cap;
	uint64_t *ends;  /* highest end of codes[0..i] */
	uint32_t *loads; /* those that have bytes, in the order of their offsets */
	size_t n_loads;
	struct line *lines;
	size_t n_lines, cap_lines;
	size_t first_line;  /* of those waiting for their load */
	uint32_t *by_index; /* number of the code + 1, for each index below n_indices */
	size_t n_indices;
	uint64_t nuls; /* that were taken for ends of files' names, and were none */
};

static uint32_t u32(const struct jitdump *d, const unsigned char *p)
{
	uint32_t v;
	memcpy(&v, p, sizeof v);
	return d->is_swapped ? __builtin_bswap32(v) : v;
}

static uint64_t u64(const struct jitdump *d, const unsigned char *p)
{
	uint64_t v;
	memcpy(&v, p, sizeof v);
	return d->is_swapped ? __builtin_bswap64(v) : v;
}

/* The dump's own index of code. An implausibly large one is not kept, and code that has it cannot move. */
static void set_index(struct jitdump *d, uint64_t index, size_t code)
{
	if (index >= 4 * (uint64_t)d->n + 1024)
		return;
	if (index >= d->n_indices) {
		size_t n = (size_t)index * 2 + 64;
		d->by_index = mem_realloc(d->by_index, n, sizeof *d->by_index);
		memset(d->by_index + d->n_indices, 0, (n - d->n_indices) * sizeof *d->by_index);
		d->n_indices = n;
	}
	d->by_index[index] = (uint32_t)code + 1;
}

/* The length of the file in "JS:*run /src/a.js:12:5"; 0: there is none. */
static size_t file_in(const char *name, const char **file)
{
	const char *space = strchr(name, ' '), *end = name + strlen(name);
	for (int numbers = 0; numbers < 2 && space; numbers++) {
		const char *colon = find_last(space, ':', (size_t)(end - space));
		if (!colon || colon + 1 == end || colon + 1 + strspn(colon + 1, "0123456789") != end)
			return 0;
		end = colon;
	}
	*file = space ? space + 1 : name;
	return space ? (size_t)(end - *file) : 0;
}

static void name_files(struct jitdump *d, const struct code *c)
{
	const char *file;
	size_t n = c->n_lines ? file_in(c->name, &file) : 0;
	const char *kept = n ? texts_add(&d->texts, file, n) : "";
	for (size_t i = 0; i < c->n_lines; i++)
		if (!d->lines[c->first_line + i].file[0])
			d->lines[c->first_line + i].file = kept;
}

static void add_load(struct jitdump *d, const unsigned char *p, size_t n, uint64_t time)
{
	static const char v8[] = "JS:";
	const unsigned char *nul = n > 40 ? memchr(p + 40, '\0', n - 40) : NULL;
	if (!nul || d->n >= UINT32_MAX - 1)
		return;
	struct code c = {.start = u64(d, p + 16), .from = time, .until = UINT64_MAX};
	c.end = u64_sum(c.start, u64(d, p + 24));
	c.name = texts_add(&d->texts, (const char *)p + 40, (size_t)(nul - p) - 40);
	c.offset = c.end - c.start <= (size_t)(p + n - nul) - 1 ? (uint64_t)(nul + 1 - d->bytes) : 0;
	c.first_line = d->first_line;
	c.n_lines = d->n_lines - d->first_line;
	if (strncmp(c.name, v8, sizeof v8 - 1) == 0) {
		c.header = ELF_HEADER;
		name_files(d, &c);
	}
	d->first_line = d->n_lines;
	mem_push(d->codes, d->n, d->cap, c);
	set_index(d, u64(d, p + 32), d->n - 1);
}

static void add_move(struct jitdump *d, const unsigned char *p, size_t n, uint64_t time)
{
	uint64_t index = n >= 48 ? u64(d, p + 40) : UINT64_MAX;
	uint32_t old = index < d->n_indices ? d->by_index[index] : 0;
	if (old == 0 || d->n >= UINT32_MAX - 1)
		return;
	struct code c = d->codes[old - 1];
	d->codes[old - 1].until = time;
	c.start = u64(d, p + 24);
	c.end = u64_sum(c.start, u64(d, p + 32));
	c.moved += c.start - d->codes[old - 1].start;
	c.from = time;
	c.until = UINT64_MAX;
	mem_push(d->codes, d->n, d->cap, c);
	d->by_index[index] = (uint32_t)d->n;
}

static bool is_name(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_control_byte(s[i]))
			return false;
	return n > 0 && utf8_is_valid(s, n);
}

/* The NUL at the end of a file's name: the first that ends the record, or that an address in the code follows. */
static const unsigned char *end_of_name(struct jitdump *d, const unsigned char *name, const unsigned char *end,
                                        uint64_t start)
{
	const unsigned char *first = memchr(name, '\0', (size_t)(end - name)), *p = first;
	for (unsigned i = 0; p && i < NULS_MOST && d->nuls < NULS_ALL; i++) {
		if (end - p <= RECORD || u64(d, p + 1) - start < LINES_SPAN)
			return p;
		p = memchr(p + 1, '\0', (size_t)(end - p) - 1);
		d->nuls++;
	}
	return first;
}

static void add_lines(struct jitdump *d, const unsigned char *p, size_t n)
{
	uint64_t count = n >= 16 ? u64(d, p + 8) : 0, start = n >= 16 ? u64(d, p) : 0;
	size_t at = 16;
	const char *file = NULL;
	d->n_lines = d->first_line; /* lines without a load: dropped */
	for (; count > 0 && n - at > 16; count--) {
		const unsigned char *nul = end_of_name(d, p + at + 16, p + n, start);
		size_t len = nul ? (size_t)(nul - p) - at - 16 : 0;
		if (!nul)
			return;
		const char *name = (const char *)p + at + 16;
		if (!file || !(len == 1 && name[0] == '\xFF')) /* \xFF: the same as before */
			file = is_name(name, len) ? texts_add(&d->texts, name, len) : "";
		struct line l = {u64(d, p + at), file, u32(d, p + at + 8)};
		mem_push(d->lines, d->n_lines, d->cap_lines, l);
		at = (size_t)(nul - p) + 1;
	}
}

static void read_records(struct jitdump *d, const unsigned char *p, size_t n)
{
	while (n >= RECORD) {
		uint32_t id = u32(d, p), size = u32(d, p + 4);
		uint64_t time = u64(d, p + 8);
		if (size < RECORD || size > n || id == RECORD_CLOSE)
			return;
		if (id == RECORD_LOAD)
			add_load(d, p + RECORD, size - RECORD, time);
		else if (id == RECORD_MOVE)
			add_move(d, p + RECORD, size - RECORD, time);
		else if (id == RECORD_LINES)
			add_lines(d, p + RECORD, size - RECORD);
		p += size;
		n -= size;
	}
}

/* Lists the code that has bytes in the order of the dump, order[i].value being the place of sorted[i] there. */
static void list_loads(struct jitdump *d, const struct sort_item *order, const struct code *sorted)
{
	uint32_t *places = mem_alloc(d->n * sizeof *places);
	for (size_t i = 0; i < d->n; i++)
		places[order[i].value] = (uint32_t)i;
	d->loads = mem_alloc(d->n * sizeof *d->loads);
	for (size_t i = 0; i < d->n; i++)
		if (sorted[places[i]].offset && !sorted[places[i]].moved)
			d->loads[d->n_loads++] = places[i];
	free(places);
}

static void sort_codes(struct jitdump *d)
{
	struct sort_item *order = mem_alloc(d->n * sizeof *order), *scratch = mem_alloc(d->n * sizeof *scratch);
	struct code *sorted = mem_alloc(d->n * sizeof *sorted);
	d->ends = mem_alloc(d->n * sizeof *d->ends);
	for (size_t i = 0; i < d->n; i++)
		order[i] = (struct sort_item){d->codes[i].from, 0, (uint32_t)i};
	sort_items(order, d->n, scratch);
	for (size_t i = 0; i < d->n; i++)
		order[i].key = d->codes[order[i].value].start;
	sort_items(order, d->n, scratch); /* it is stable */
	for (size_t i = 0; i < d->n; i++) {
		sorted[i] = d->codes[order[i].value];
		d->ends[i] = i > 0 && d->ends[i - 1] > sorted[i].end ? d->ends[i - 1] : sorted[i].end;
	}
	list_loads(d, order, sorted);
	free(order);
	free(scratch);
	free(d->codes);
	d->codes = sorted;
}

/* Sets the size of the header. false: it is not a dump. */
static bool read_head(struct jitdump *d, const unsigned char *bytes, size_t n, uint32_t *header)
{
	uint32_t magic = n >= HEADER ? u32(d, bytes) : 0;
	d->is_swapped = magic == __builtin_bswap32(MAGIC);
	*header = n >= HEADER ? u32(d, bytes + 8) : 0;
	return (magic == MAGIC || d->is_swapped) && *header >= HEADER && *header <= n;
}

/*
 * Of the part of a record after its head. A load may have an entry in the index of eight times its size; a line has
 * a text at its end, of one byte at least, and the array of lines may be half empty.
 */
static uint64_t record_memory(uint32_t id, const unsigned char *p, size_t n)
{
	const uint64_t code = sizeof(struct code) + sizeof(uint64_t) + 9 * sizeof(uint32_t);
	const unsigned char *nul = id == RECORD_LOAD && n > 40 ? memchr(p + 40, '\0', n - 40) : NULL;
	if (id == RECORD_LINES)
		return (uint64_t)n / LEAST_LINE * (2 * sizeof(struct line)) + n;
	if (id == RECORD_MOVE)
		return code;
	return nul ? code + TEXT + (uint64_t)(nul - p - 40) : 0;
}

struct jitdump *jitdump_parse(const unsigned char *bytes, size_t n, struct err *err)
{
	struct jitdump *d = mem_zalloc(1, sizeof *d);
	uint32_t header;
	texts_init(&d->texts);
	if (!read_head(d, bytes, n, &header)) {
		fail(err, "not a dump of a JIT compiler");
		jitdump_free(d);
		return NULL;
	}
	d->machine = u32(d, bytes + 12);
	d->bytes = bytes;
	read_records(d, bytes + header, n - header);
	sort_codes(d);
	return d;
}

uint64_t jitdump_memory(const unsigned char *bytes, size_t n)
{
	struct jitdump d = {0};
	uint64_t sum = sizeof d + FIRST_INDEX;
	uint32_t header;
	if (!read_head(&d, bytes, n, &header))
		return sum;
	bytes += header;
	n -= header;
	while (n >= RECORD) {
		uint32_t id = u32(&d, bytes), size = u32(&d, bytes + 4);
		if (size < RECORD || size > n || id == RECORD_CLOSE)
			break;
		sum += record_memory(id, bytes + RECORD, size - RECORD);
		bytes += size;
		n -= size;
	}
	return sum;
}

void jitdump_free(struct jitdump *d)
{
	if (!d)
		return;
	texts_deinit(&d->texts);
	free(d->codes);
	free(d->ends);
	free(d->loads);
	free(d->lines);
	free(d->by_index);
	free(d);
}

/* The end of the codes that start at or before the address and, of those at the address, begin by that time. */
static size_t end_at(const struct jitdump *d, uint64_t address, uint64_t time)
{
	size_t low = 0, high = d->n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct code *c = &d->codes[middle];
		if (c->start < address || (c->start == address && c->from <= time))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Finds the latest code at an address and a time. Code that was loaded over and over at one place has one look-up:
 * its loads are in the order of time, and the first that fits is the latest.
 */
static const struct code *code_at(const struct jitdump *d, uint64_t address, uint64_t time)
{
	const struct code *best = NULL;
	size_t i = end_at(d, address, UINT64_MAX);
	for (size_t seen = 0; i > 0 && d->ends[i - 1] > address && seen < OVERLAPS_MAX; seen++) {
		uint64_t start = d->codes[i - 1].start;
		size_t first = start > 0 ? end_at(d, start - 1, UINT64_MAX) : 0;
		bool is_found = false;
		for (i = end_at(d, start, time); i > first && !is_found && seen < OVERLAPS_MAX; i--, seen++) {
			const struct code *c = &d->codes[i - 1];
			bool is_then = time == JITDUMP_ANY_TIME ? c->until == UINT64_MAX : time < c->until;
			is_found = address < c->end && is_then;
			if (is_found && (!best || c->from > best->from))
				best = c;
		}
		i = first;
	}
	return best;
}

bool jitdump_find(const struct jitdump *d, uint64_t address, uint64_t time, struct jitdump_function *out)
{
	const struct code *c = code_at(d, address, time);
	if (!c)
		return false;
	*out = (struct jitdump_function){.name = c->name, .start = c->start};
	out->offset = c->offset ? c->offset + (address - c->start) : 0;
	return true;
}

static const struct code *load_at(const struct jitdump *d, uint64_t offset)
{
	size_t low = 0, high = d->n_loads;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (d->codes[d->loads[middle]].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	const struct code *c = low > 0 ? &d->codes[d->loads[low - 1]] : NULL;
	return c && offset - c->offset < c->end - c->start ? c : NULL;
}

bool jitdump_code(const struct jitdump *d, uint64_t offset, struct jitdump_code *out)
{
	const struct code *c = load_at(d, offset);
	if (c)
		*out = (struct jitdump_code){c->name, c->start, c->offset, c->end - c->start};
	return c != NULL;
}

/* Finds the last line that begins before the address; compilers write them in rising order. NULL: there is none. */
static const struct line *line_at(const struct jitdump *d, const struct code *c, uint64_t address)
{
	const struct line *lines = d->lines + c->first_line;
	size_t low = 0, high = c->n_lines;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (lines[middle].address - c->header <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? &lines[low - 1] : NULL;
}

const char *jitdump_line(const struct jitdump *d, uint64_t offset, uint32_t *line)
{
	const struct code *c = load_at(d, offset);
	const struct line *l = c ? line_at(d, c, c->start + (offset - c->offset)) : NULL;
	*line = l ? l->number : 0;
	return l && l->file[0] ? l->file : NULL;
}

uint32_t jitdump_machine(const struct jitdump *d)
{
	return d->machine;
}
