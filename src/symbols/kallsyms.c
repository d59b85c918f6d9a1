/*
 * kallsyms.c - the functions of a kernel and its modules.
 *
 *	ffffffff81000000 T _text
 *	ffffffff81000000 T _stext
 *	ffffffffc0a31000 t nft_do_chain	[nf_tables]
 *
 * The text gives no sizes: a function ends where the next symbol begins; the last one of the kernel or of a module
 * ends with its page at the latest. Data symbols are read, too, since functions end there. Of several names at one
 * address a global one stays, then the one with fewer underscores, then the shorter.
 */
#include "symbols/kallsyms.h"

#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hex.h"
#include "base/mem.h"
#include "base/regular.h"
#include "base/sort.h"
#include "symbols/better_name.h"

#define TEXT_MAX ((size_t)256 << 20)
#define NAME_MOST 4096 /* bytes of a name or a module; kernels have at most 512 */
#define PAGE ((uint64_t)4096)

struct entry {
	uint64_t address;
	uint32_t name, module; /* offsets in the text; module 0: the kernel itself */
	bool is_function, is_global;
};

struct kallsyms {
	struct buf text; /* names end with NUL */
	struct entry *entries;
	size_t n, cap;
	uint64_t *starts; /* of entries, for the search */
};

/* Cuts "[module]" out of the text after the name; NULL: it is damaged. */
static char *module_of(char *p, char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	char *close = p < end && *p == '[' ? memchr(p, ']', (size_t)(end - p)) : NULL;
	if (!close)
		return NULL;
	*close = '\0';
	return p + 1;
}

/* Adds one line [p, end); the byte at end must be writable. */
static void add_line(struct kallsyms *k, char *p, char *end)
{
	struct entry e = {0};
	const char *after = p;
	bool has_address = hex_take(&after, end, &e.address);
	p += after - p;
	if (!has_address || end - p < 4 || p[0] != ' ' || p[2] != ' ' || !memchr("tTwWdDbBrRvVA", p[1], 13))
		return;
	e.is_function = memchr("tTwW", p[1], 4) != NULL;
	e.is_global = p[1] == 'T';
	char *name = p + 3, *q = name;
	while (q < end && *q != ' ' && *q != '\t')
		q++;
	char *module = q < end ? module_of(q, end) : NULL;
	*q = '\0';
	if (q == name || q - name > NAME_MOST || (module && strnlen(module, NAME_MOST + 1) > NAME_MOST) || *name == '$')
		return;
	e.name = (uint32_t)(name - k->text.data);
	e.module = module ? (uint32_t)(module - k->text.data) : 0;
	mem_push(k->entries, k->n, k->cap, e);
}

static const char *text_at(const struct kallsyms *k, uint32_t at)
{
	return k->text.data + at;
}

static bool is_better(const struct kallsyms *k, const struct entry *a, const struct entry *b)
{
	if (a->is_function != b->is_function)
		return a->is_function;
	if (a->is_global != b->is_global)
		return a->is_global;
	return is_better_name(text_at(k, a->name), text_at(k, b->name));
}

static void sort_entries(struct kallsyms *k)
{
	struct sort_item *order = mem_alloc(k->n * sizeof *order), *scratch = mem_alloc(k->n * sizeof *scratch);
	struct entry *sorted = mem_alloc(k->n * sizeof *sorted);
	size_t n = 0;
	for (size_t i = 0; i < k->n; i++)
		order[i] = (struct sort_item){k->entries[i].address, 0, (uint32_t)i};
	sort_items(order, k->n, scratch);
	for (size_t i = 0; i < k->n; i++) {
		const struct entry *e = &k->entries[order[i].value];
		if (n == 0 || sorted[n - 1].address != e->address)
			sorted[n++] = *e;
		else if (is_better(k, e, &sorted[n - 1]))
			sorted[n - 1] = *e;
	}
	free(order);
	free(scratch);
	free(k->entries);
	k->entries = sorted;
	k->n = k->cap = n;
}

static void index_entries(struct kallsyms *k)
{
	free(k->starts);
	k->starts = mem_alloc(k->n * sizeof *k->starts);
	for (size_t i = 0; i < k->n; i++)
		k->starts[i] = k->entries[i].address;
}

/* Parses the text in k; false with err. */
static bool parse(struct kallsyms *k, struct err *err)
{
	bool is_hidden = true;
	buf_addc(&k->text, '\n');
	char *p = k->text.data, *end = p + k->text.len;
	while (p < end) {
		char *newline = memchr(p, '\n', (size_t)(end - p));
		add_line(k, p, newline);
		p = newline + 1;
	}
	for (size_t i = 0; i < k->n && is_hidden; i++)
		is_hidden = k->entries[i].address == 0;
	if (k->n == 0)
		return fail(err, "no function in it");
	if (is_hidden)
		return fail(err, "addresses are hidden (kernel.kptr_restrict)");
	sort_entries(k);
	index_entries(k);
	return true;
}

struct kallsyms *kallsyms_parse(const char *text, size_t n, struct err *err)
{
	struct kallsyms *k = mem_zalloc(1, sizeof *k);
	buf_init(&k->text);
	buf_add(&k->text, text, n);
	if (parse(k, err))
		return k;
	kallsyms_free(k);
	return NULL;
}

struct kallsyms *kallsyms_open(const char *path, struct err *err)
{
	struct err why = {0};
	int fd = regular_open_of_kernel(path, err);
	if (fd < 0)
		return NULL;
	struct kallsyms *k = mem_zalloc(1, sizeof *k);
	buf_init(&k->text);
	bool is_good = regular_read_all(fd, TEXT_MAX, &k->text, &why) && parse(k, &why);
	close(fd);
	if (is_good)
		return k;
	fail(err, "%s: %s", path, why.text);
	kallsyms_free(k);
	return NULL;
}

void kallsyms_free(struct kallsyms *k)
{
	if (!k)
		return;
	buf_deinit(&k->text);
	free(k->entries);
	free(k->starts);
	free(k);
}

bool kallsyms_address(const struct kallsyms *k, const char *name, uint64_t *address)
{
	/* Searches the text, since only one of the names at an address has an entry. */
	size_t n = strlen(name);
	const char *p = k->text.data, *end = p + k->text.len;
	while (p < end) {
		bool is_line = hex_take(&p, end, address) && end - p > 3 + (ptrdiff_t)n && p[2] == ' ';
		if (is_line && memcmp(p + 3, name, n) == 0 && p[3 + n] == '\0')
			return true;
		while (p < end && *p != '\n' && *p != '\0')
			p++;
		p++;
	}
	return false;
}

void kallsyms_move(struct kallsyms *k, uint64_t by)
{
	size_t n = 0;
	for (size_t i = 0; i < k->n; i++)
		if (k->entries[i].module == 0) {
			k->entries[n] = k->entries[i];
			k->entries[n++].address += by;
		}
	k->n = n;
	index_entries(k);
}

static bool is_one_module(const struct kallsyms *k, const struct entry *a, const struct entry *b)
{
	return a->module == b->module ||
	       (a->module != 0 && b->module != 0 && strcmp(text_at(k, a->module), text_at(k, b->module)) == 0);
}

/* Where entry number i ends. */
static uint64_t end_of(const struct kallsyms *k, size_t i)
{
	const struct entry *e = &k->entries[i];
	uint64_t page = (e->address | (PAGE - 1)) + 1;
	if (page <= e->address)
		page = UINT64_MAX;
	if (i + 1 == k->n)
		return page;
	uint64_t next = k->entries[i + 1].address;
	return is_one_module(k, e, &k->entries[i + 1]) || next < page ? next : page;
}

bool kallsyms_find(const struct kallsyms *k, uint64_t address, struct kallsym *out)
{
	size_t low = 0, high = k->n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (k->starts[middle] <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || !k->entries[low - 1].is_function || address >= end_of(k, low - 1))
		return false;
	const struct entry *e = &k->entries[low - 1];
	*out = (struct kallsym){text_at(k, e->name), e->module ? text_at(k, e->module) : NULL, e->address};
	return true;
}
