/*
 * symbols.c - from an address of a recorded process to the name of its function.
 *
 * Where the answer comes from depends on what is mapped at the address:
 *
 *	a file                  its symbols (symbols/binaries.h)
 *
 * Recordings ask for the same addresses again and again. So the answer is kept in a hash table under the place: for a
 * file its number and the offset in it, which is the same in every process.
 */
#include "symbols/symbols.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "symbols/binaries.h"
#include "symbols/numbers.h"
#include "symbols/texts.h"

#define SLOTS ((size_t)1 << 12)
/* More places than that are forgotten all at once: a bound for recordings of garbage. */
#define PLACES_MAX ((size_t)4 << 20)

#define NO_SOURCE UINT32_MAX

/* An answer, by its place. */
struct place {
	uint64_t position;
	uint32_t source; /* number of the file; NO_SOURCE: free */
	uint32_t number;
	uint64_t start, vaddr; /* in the file */
	enum symbol_kind kind;
};

struct file {
	const char *name; /* from texts, as all texts here */
	uint8_t build_id[BUILD_ID_MAX];
	size_t n_build_id;
	uint32_t major, minor;
	uint64_t inode;
	int32_t pid;
	bool is_tried;
	const struct binary *binary; /* NULL: not there */
};

struct symbols {
	struct report *report;
	struct texts texts;
	struct numbers numbers;
	struct binaries binaries;
	struct file *files;
	size_t n_files, cap_files;
	uint32_t *file_slots; /* number + 1; 0: free */
	size_t n_file_slots;
	struct place *places;
	size_t n_places, n_place_slots;
};

static const char unknown[] = "[unknown]";

static void places_clear(struct symbols *s, size_t slots)
{
	free(s->places);
	s->n_places = 0;
	s->n_place_slots = slots;
	s->places = mem_alloc(slots * sizeof *s->places);
	for (size_t i = 0; i < slots; i++)
		s->places[i].source = NO_SOURCE;
}

struct symbols *symbols_new(const struct symbols_options *options, struct report *report)
{
	struct symbols *s = mem_zalloc(1, sizeof *s);
	s->report = report;
	texts_init(&s->texts);
	numbers_init(&s->numbers);
	binaries_init(&s->binaries, options->root);
	s->n_file_slots = SLOTS;
	s->file_slots = mem_zalloc(SLOTS, sizeof *s->file_slots);
	places_clear(s, SLOTS);
	return s;
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	texts_deinit(&s->texts);
	numbers_deinit(&s->numbers);
	binaries_deinit(&s->binaries);
	free(s->files);
	free(s->file_slots);
	free(s->places);
	free(s);
}

static bool file_is(const struct file *f, const struct file *g)
{
	return f->name == g->name && f->n_build_id == g->n_build_id && f->major == g->major && f->minor == g->minor &&
	       f->inode == g->inode && memcmp(f->build_id, g->build_id, sizeof f->build_id) == 0;
}

static uint32_t *file_slot(const struct symbols *s, const struct file *f)
{
	uint64_t hash = hash_mix((uintptr_t)f->name ^ hash_seed[0], f->inode ^ hash_seed[1]);
	hash ^= hash_bytes(f->build_id, f->n_build_id) ^ ((uint64_t)f->major << 32 | f->minor);
	for (size_t i = (size_t)hash;; i++) {
		uint32_t *slot = &s->file_slots[i & (s->n_file_slots - 1)];
		if (*slot == 0 || file_is(&s->files[*slot - 1], f))
			return slot;
	}
}

static void file_slots_grow(struct symbols *s)
{
	free(s->file_slots);
	s->n_file_slots *= 2;
	s->file_slots = mem_zalloc(s->n_file_slots, sizeof *s->file_slots);
	for (size_t i = 0; i < s->n_files; i++)
		*file_slot(s, &s->files[i]) = (uint32_t)(i + 1);
}

uint32_t symbols_file(struct symbols *s, const struct symbols_file *as, int32_t pid)
{
	struct file f = {.major = as->major, .minor = as->minor, .inode = as->inode, .pid = pid};
	f.name = texts_add(&s->texts, as->name, strlen(as->name));
	f.n_build_id = as->n_build_id < BUILD_ID_MAX ? as->n_build_id : BUILD_ID_MAX;
	if (f.n_build_id > 0)
		memcpy(f.build_id, as->build_id, f.n_build_id);
	uint32_t *slot = file_slot(s, &f);
	if (*slot != 0)
		return *slot - 1;
	mem_push(s->files, s->n_files, s->cap_files, f);
	*slot = (uint32_t)s->n_files;
	if (s->n_files * 2 > s->n_file_slots)
		file_slots_grow(s);
	return (uint32_t)s->n_files - 1;
}

/* What is no path of a file, or of one that went away. */
static bool is_pseudo(const char *name)
{
	static const char deleted[] = " (deleted)";
	size_t n = strlen(name), end = sizeof deleted - 1;
	return name[0] != '/' || name[1] == '/' || strncmp(name, "/dev/", 5) == 0 || strncmp(name, "/memfd:", 7) == 0 ||
	       strncmp(name, "/SYSV", 5) == 0 || strncmp(name, "/anon_hugepage", 14) == 0 ||
	       (n > end && strcmp(name + n - end, deleted) == 0);
}

static const struct binary *binary_of(struct symbols *s, struct file *f)
{
	struct err err = {0};
	if (f->is_tried)
		return f->binary;
	f->is_tried = true;
	if (is_pseudo(f->name))
		return NULL;
	struct binary_wanted wanted = {f->name, f->build_id, f->n_build_id, f->pid};
	f->binary = binaries_open(&s->binaries, &wanted, &err);
	if (!f->binary && s->report)
		report_add(s->report, NOTE_WARN, "functions have no names", NULL, 0, err.text, strlen(err.text));
	return f->binary;
}

static uint32_t number_of(struct symbols *s, const char *module, const char *name)
{
	return numbers_add(&s->numbers, module, name ? texts_add(&s->texts, name, strlen(name)) : NULL);
}

static void find_in_file(struct symbols *s, struct place *p)
{
	struct file *f = &s->files[p->source];
	const struct binary *binary = binary_of(s, f);
	struct elf_symbol found = {0};
	bool has_name = binary && elf_symbols_address(binary->symbols, p->position, &p->vaddr) &&
	                elf_symbols_at(binary->symbols, p->vaddr, &found);
	p->kind = !has_name ? SYMBOL_UNKNOWN : found.is_plt ? SYMBOL_PLT : SYMBOL_FUNCTION;
	p->start = found.start;
	p->number = number_of(s, f->name, found.name);
}

static struct place *place_slot(const struct symbols *s, uint32_t source, uint64_t position)
{
	for (size_t i = (size_t)hash_mix(position ^ hash_seed[0], source ^ hash_seed[1]);; i++) {
		struct place *p = &s->places[i & (s->n_place_slots - 1)];
		if (p->source == NO_SOURCE || (p->position == position && p->source == source))
			return p;
	}
}

static void places_grow(struct symbols *s)
{
	struct place *old = s->places;
	size_t n = s->n_place_slots, kept = s->n_places;
	s->places = NULL;
	places_clear(s, 2 * n);
	s->n_places = kept;
	for (size_t i = 0; i < n; i++)
		if (old[i].source != NO_SOURCE)
			*place_slot(s, old[i].source, old[i].position) = old[i];
	free(old);
}

static void places_add(struct symbols *s, const struct place *p)
{
	if (s->n_places >= PLACES_MAX)
		places_clear(s, SLOTS);
	else if (s->n_places * 2 >= s->n_place_slots)
		places_grow(s);
	*place_slot(s, p->source, p->position) = *p;
	s->n_places++;
}

static bool answer(const struct symbols *s, const struct place *p, struct symbol *out)
{
	const struct number *pair = &s->numbers.items[p->number];
	const struct binary *binary = s->files[p->source].binary;
	*out = (struct symbol){.number = p->number, .kind = p->kind, .name = pair->name, .module = pair->module};
	out->offset = pair->name ? p->vaddr - p->start : 0;
	out->vaddr = p->vaddr;
	if (binary) {
		out->path = binary->path;
		out->debug_path = binary->debug_path;
	}
	return pair->name;
}

static bool find_nothing(struct symbols *s, const char *module, struct symbol *out)
{
	module = texts_add(&s->texts, module, strlen(module));
	*out = (struct symbol){.number = number_of(s, module, NULL), .module = module};
	return false;
}

bool symbols_find(struct symbols *s, const struct symbols_query *q, struct symbol *out)
{
	if (q->space != SYMBOLS_USER || q->file >= s->n_files)
		return find_nothing(s, unknown, out);
	struct place p = {.source = q->file, .position = q->address - q->map_start + q->pgoff};
	const struct place *known = place_slot(s, p.source, p.position);
	if (known->source != NO_SOURCE)
		return answer(s, known, out);
	find_in_file(s, &p);
	places_add(s, &p);
	return answer(s, &p, out);
}

uint32_t symbols_count(const struct symbols *s)
{
	return (uint32_t)s->numbers.n;
}

/* Not yet used by look-ups. */
void symbols_set_kernel(struct symbols *s, const struct symbols_kernel *kernel)
{
	(void)s, (void)kernel;
}

void symbols_add_ksymbol(struct symbols *s, uint64_t start, uint64_t size, const char *name)
{
	(void)s, (void)start, (void)size, (void)name;
}

void symbols_remove_ksymbol(struct symbols *s, uint64_t start)
{
	(void)s, (void)start;
}

void symbols_add_jitdump(struct symbols *s, int32_t pid, const char *path)
{
	(void)s, (void)pid, (void)path;
}
