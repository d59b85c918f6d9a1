/*
 * symbols.c - from an address of a recorded process to the name of its function.
 *
 * The mapping at the address determines the source of the answer:
 *
 *	a file                  its symbols (symbols/binaries.h)
 *	[vdso]                  those of the kernel's code in each process
 *	//anon, [heap] ...      the map or the dump of a JIT compiler, by process (symbols/jits.h)
 *	a kernel's address      code generated during the recording (symbols/ksymbols.h), else the kernel's functions
 *	                        and those of its modules (symbols/kernel.h)
 *
 * A hash table keeps the number of each function by its place: its file and its start there, which are the same in
 * every process. It has the functions that occur, far fewer than addresses, so that it stays in the processor's
 * cache. Code that comes and goes, of JIT compilers and BPF programs, is looked up each time.
 */
#include "symbols/symbols.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/regular.h"
#include "symbols/binaries.h"
#include "symbols/jits.h"
#include "symbols/kernel.h"
#include "symbols/kernel_module.h"
#include "symbols/ksymbols.h"
#include "symbols/numbers.h"
#include "symbols/texts.h"

#define SLOTS ((size_t)1 << 12)
/* When there are more places, all are dropped: a bound for recordings of garbage. */
#define PLACES_MAX ((size_t)4 << 20)

/* The start of code without a function. */
#define NO_START UINT64_MAX

#define NO_SOURCE UINT32_MAX
#define KERNEL_SOURCE (UINT32_MAX - 1)

/*
 * Names may share bytes of a file's tables, but those of a compiler are seldom the end of another: the different
 * ones that are taken may have some bytes, and this many times those of the tables.
 */
#define NAMES_RATIO 2u
#define MORE_NAMES ((uint64_t)4 << 10)

/* The report names this many files without names, and counts the others. */
#define NOTES_MAX 20

/* A function, by its place. */
struct place {
	uint64_t start;  /* in the file; of the kernel: as recorded */
	uint32_t source; /* number of the file, or KERNEL_SOURCE; NO_SOURCE: free */
	uint32_t number;
	enum symbol_kind kind;
};

/* Names of functions that were taken from a file. */
struct taken {
	uint64_t bytes;
	bool is_told; /* that there are too many */
};

struct file {
	const char *name; /* from texts, as all texts here */
	uint8_t build_id[BUILD_ID_MAX];
	size_t n_build_id;
	uint32_t major, minor;
	uint64_t inode;
	int32_t pid;
	bool is_pseudo; /* the name is not the path of an existing file */
	bool is_tried;
	const struct binary *binary; /* NULL: not there */
	struct taken taken;
};

struct symbols {
	struct report *report;
	struct found_files *found; /* NULL: not needed */
	int n_notes;
	struct texts texts;
	struct numbers numbers;
	struct debug_paths paths;
	struct kernel kernel;
	struct taken kernel_taken; /* from vmlinux */
	struct ksymbols ksymbols;
	struct jits jits;
	const char *unknown; /* "[unknown]", from texts */
	struct binaries binaries;
	struct file *files;
	size_t n_files, cap_files;
	struct map file_map;
	struct place *places;
	size_t n_places, n_place_slots;
};

static void places_clear(struct symbols *s, size_t slots)
{
	free(s->places);
	s->n_places = 0;
	s->n_place_slots = slots;
	s->places = mem_alloc(slots * sizeof *s->places);
	for (size_t i = 0; i < slots; i++)
		s->places[i].source = NO_SOURCE;
}

static void ask_servers(struct symbols *s, const struct symbols_options *options)
{
	struct err why = {""};
	if (!options->uses_servers)
		return;
	s->paths.wants_lines = options->wants_lines;
	s->paths.remote = debuginfod_open(options->stop, s->report, &why);
	if (!s->paths.remote && s->report)
		report_add(s->report, NOTE_WARN, "no debuginfod server is asked", NULL, 0, why.text, strlen(why.text));
}

struct symbols *symbols_new(const struct symbols_options *options, struct report *report)
{
	struct symbols *s = mem_zalloc(1, sizeof *s);
	s->report = report;
	s->found = options->found;
	texts_init(&s->texts);
	numbers_init(&s->numbers);
	debug_paths_init(&s->paths, options->places.root, options->debug_directories, options->cache);
	s->paths.report = report;
	ask_servers(s, options);
	binaries_init(&s->binaries, &options->places, &s->paths);
	s->kernel.kallsyms_path = mem_strdup(options->kallsyms);
	s->kernel.is_other = options->places.root && *options->places.root;
	ksymbols_init(&s->ksymbols);
	jits_init(&s->jits, options->places.root, options->is_monotonic, report, &s->texts);
	jits_set_period(&s->jits, options->period);
	s->jits.found = s->found;
	s->unknown = texts_add(&s->texts, "[unknown]", strlen("[unknown]"));
	map_init(&s->file_map, SLOTS);
	places_clear(s, SLOTS);
	return s;
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	jits_deinit(&s->jits);
	ksymbols_deinit(&s->ksymbols);
	kernel_deinit(&s->kernel);
	binaries_deinit(&s->binaries);
	debuginfod_close(s->paths.remote);
	debug_paths_deinit(&s->paths);
	numbers_deinit(&s->numbers);
	texts_deinit(&s->texts);
	free(s->files);
	map_deinit(&s->file_map);
	free(s->places);
	free(s);
}

static bool file_is(const struct file *f, const struct file *g)
{
	return f->name == g->name && f->n_build_id == g->n_build_id && f->major == g->major && f->minor == g->minor &&
	       f->inode == g->inode && memcmp(f->build_id, g->build_id, sizeof f->build_id) == 0;
}

static uint64_t file_hash(const struct file *f)
{
	uint64_t a = hash_bytes(f->build_id, f->n_build_id) ^ f->inode, b = (uint64_t)f->major << 32 | f->minor;
	return hash_keys((uintptr_t)f->name ^ b, a);
}

/* Is it the name of a pseudo file or of a deleted one? */
static bool is_pseudo(const char *name)
{
	static const char deleted[] = " (deleted)";
	size_t n = strlen(name), end = sizeof deleted - 1;
	return name[0] != '/' || name[1] == '/' || strncmp(name, "/dev/", 5) == 0 || strncmp(name, "/memfd:", 7) == 0 ||
	       strncmp(name, "/SYSV", 5) == 0 || strncmp(name, "/anon_hugepage", 14) == 0 ||
	       (n > end && strcmp(name + n - end, deleted) == 0);
}

/*
 * Memory of a process; perf looks for its code in the map of a JIT compiler, and names its module after that map.
 */
static bool is_memory(const char *name)
{
	static const char *const starts[] = {"/dev/zero", "/anon_hugepage", "[stack", "/SYSV"};
	bool is_it = strcmp(name, "//anon") == 0 || strcmp(name, "[heap]") == 0;
	for (size_t i = 0; i < sizeof starts / sizeof *starts && !is_it; i++)
		is_it = strncmp(name, starts[i], strlen(starts[i])) == 0;
	return is_it;
}

uint32_t symbols_file(struct symbols *s, const struct symbols_file *as, int32_t pid)
{
	struct file f = {.major = as->major, .minor = as->minor, .inode = as->inode, .pid = pid};
	f.name = texts_add(&s->texts, as->name, strlen(as->name));
	f.n_build_id = as->n_build_id < BUILD_ID_MAX ? as->n_build_id : BUILD_ID_MAX;
	if (f.n_build_id > 0)
		memcpy(f.build_id, as->build_id, f.n_build_id);
	f.is_pseudo = is_pseudo(f.name) && strcmp(f.name, "[vdso]") != 0;
	uint64_t hash = file_hash(&f);
	MAP_EACH(&s->file_map, hash, i)
	if (file_is(&s->files[i], &f))
		return (uint32_t)i;
	mem_push(s->files, s->n_files, s->cap_files, f);
	map_add(&s->file_map, hash, (uint32_t)(s->n_files - 1));
	return (uint32_t)s->n_files - 1;
}

/* Beyond a limit, files are only counted. */
static void note(struct symbols *s, const char *kind, const char *file, const char *text)
{
	if (!s->report)
		return;
	if (s->n_notes++ < NOTES_MAX)
		report_add(s->report, NOTE_WARN, kind, file, 0, text, strlen(text));
	else
		report_add(s->report, NOTE_WARN, "functions of other files have no names, too", NULL, 0, NULL, 0);
}

static void note_missing(struct symbols *s, const char *file, const struct err *why)
{
	size_t n = strlen(file);
	bool is_named = strncmp(why->text, file, n) == 0 && strncmp(why->text + n, ": ", 2) == 0;
	const char *text = is_named ? why->text + n + 2 : why->text;
	note(s, "functions have no names", file, text);
}

/* Is there a file of this name, or was there one? */
static bool is_of_file(const struct file *f)
{
	return !f->is_pseudo || (f->name[0] == '/' && strstr(f->name, " (deleted)") && !is_memory(f->name) &&
	                         strncmp(f->name, "/memfd:", 7) != 0 && strncmp(f->name, "/dev/", 5) != 0);
}

static void list(struct symbols *s, const struct file *f, const struct binary_wanted *wanted, const struct err *why)
{
	if (f->binary)
		binary_list(f->binary, wanted, s->found);
	else if (is_of_file(f))
		found_files_miss(s->found, f->name, why->text[0] ? why->text : "there is no copy of it");
}

/* Without a build id, only its time tells that a file of this machine is not the one that was recorded. */
static bool is_newer(const struct symbols *s, const struct file *f)
{
	const struct trust_period *recorded = &s->jits.period;
	const char *root = s->binaries.places.root;
	struct stat st;
	if (!f->binary || f->is_pseudo || f->n_build_id > 0 || !f->binary->path || (root && *root) ||
	    recorded->to <= 0 || recorded->to < recorded->from)
		return false;
	return regular_stat(f->binary->path, true, &st) && st.st_mtime > recorded->to;
}

static void open_binary(struct symbols *s, struct file *f)
{
	struct err err = {0};
	struct binary_wanted wanted = {f->name, f->build_id, f->n_build_id, f->pid};
	f->is_tried = true;
	if (strcmp(f->name, "[vdso]") == 0)
		f->binary = binaries_open_vdso(&s->binaries, &wanted, &err);
	else if (f->is_pseudo)
		f->binary = binaries_open_copy(&s->binaries, &wanted, is_of_file(f) ? &err : NULL);
	else
		f->binary = binaries_open(&s->binaries, &wanted, &err);
	if (err.text[0] != '\0' && (!f->binary || f->binary->is_cut))
		note_missing(s, f->name, &err);
	if (f->binary && f->binary->left_out)
		note(s, "some functions have no names", f->name, f->binary->left_out);
	if (is_newer(s, f))
		note(s, "functions may have wrong names", f->name, "the file is newer than the recording");
	if (s->found)
		list(s, f, &wanted, &err);
}

static const struct binary *binary_of(struct symbols *s, struct file *f)
{
	if (!f->is_tried)
		open_binary(s, f);
	return f->binary;
}

const char *symbols_path(struct symbols *s, uint32_t file)
{
	const struct binary *binary = file < s->n_files ? binary_of(s, &s->files[file]) : NULL;
	if (!binary)
		return NULL;
	return binary->path ? binary->path : s->files[file].name;
}

/* Takes the name of a function of a file; NULL: the file has given too many. */
static const char *take_name(struct symbols *s, const char *file, const struct binary *binary, struct taken *taken,
                             const char *name)
{
	if (taken->bytes <= NAMES_RATIO * (uint64_t)elf_symbols_names_size(binary->symbols) + MORE_NAMES) {
		uint64_t before = s->texts.bytes;
		const char *text = texts_add_name(&s->texts, name, s->report);
		taken->bytes += s->texts.bytes - before;
		return text;
	}
	if (!taken->is_told)
		note(s, "some functions have no names", file, "they are longer together than its tables of names explain");
	taken->is_told = true;
	return NULL;
}

static struct place *place_slot(const struct symbols *s, uint32_t source, uint64_t start)
{
	for (size_t i = (size_t)hash_keys(start, source);; i++) {
		struct place *p = &s->places[i & (s->n_place_slots - 1)];
		if (p->source == NO_SOURCE || (p->start == start && p->source == source))
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
			*place_slot(s, old[i].source, old[i].start) = old[i];
	free(old);
}

static const struct place *places_add(struct symbols *s, const struct place *p)
{
	if (s->n_places >= PLACES_MAX)
		places_clear(s, SLOTS);
	else if (s->n_places * 2 >= s->n_place_slots)
		places_grow(s);
	struct place *slot = place_slot(s, p->source, p->start);
	*slot = *p;
	s->n_places++;
	return slot;
}

static void tell_binary(const struct binary *binary, uint64_t vaddr, struct symbol *out)
{
	out->vaddr = vaddr;
	if (!binary)
		return;
	out->path = binary->path;
	out->debug_path = binary->debug_path;
	out->alt_path = binary->alt.path;
	out->has_debug = binary->has_debug;
}

static void answer(const struct symbols *s, const struct place *p, struct symbol *out)
{
	const struct number *pair = &s->numbers.items[p->number];
	*out = (struct symbol){.number = p->number, .kind = p->kind, .name = pair->name, .module = pair->module};
}

static bool find_nothing(struct symbols *s, const char *module, struct symbol *out)
{
	*out = (struct symbol){.number = numbers_add(&s->numbers, module, NULL), .module = module};
	return false;
}

static bool find_in_file(struct symbols *s, const struct symbols_query *q, struct symbol *out)
{
	struct file *f = &s->files[q->file];
	const struct binary *binary = binary_of(s, f);
	struct elf_symbol found = {0};
	uint64_t vaddr = 0;
	bool has_name = binary && elf_symbols_address(binary->symbols, q->address - q->map_start + q->pgoff, &vaddr) &&
	                elf_symbols_at(binary->symbols, vaddr, &found);
	const struct place *known = has_name ? place_slot(s, q->file, found.start) : NULL;
	struct place p = {found.start, q->file, 0, found.is_plt ? SYMBOL_PLT : SYMBOL_FUNCTION};
	if (known && known->source == NO_SOURCE) {
		const char *name = take_name(s, f->name, binary, &f->taken, found.name);
		p.number = numbers_add(&s->numbers, f->name, name);
		known = name ? places_add(s, &p) : NULL;
	}
	if (known)
		answer(s, known, out);
	else
		find_nothing(s, f->name, out);
	out->offset = known ? vaddr - found.start : 0;
	tell_binary(binary, vaddr, out);
	return known;
}

static bool find_jit(struct symbols *s, const struct symbols_query *q, struct symbol *out)
{
	const char *file = s->files[q->file].name;
	struct jit_symbol found;
	if (!jits_find(&s->jits, q->pid, q->address, q->time, &found)) {
		if (s->found && strcmp(file, "//anon") == 0)
			found_files_miss(s->found, found.module, "no JIT compiler has written it");
		return find_nothing(s, is_memory(file) ? found.module : file, out);
	}
	*out = (struct symbol){.kind = SYMBOL_JIT, .name = found.name, .module = found.module};
	out->number = numbers_add(&s->numbers, found.module, found.name);
	out->offset = q->address - found.start;
	out->path = found.dump;
	out->vaddr = found.offset;
	return true;
}

/*
 * Returns perf's name for a kernel's map: "[nf_tables]" for /lib/modules/.../nf-tables.ko.xz, "[kernel.kallsyms]"
 * for "[kernel.kallsyms]_text".
 */
static const char *kernel_module(struct symbols *s, const struct symbols_query *q)
{
	const char *file = q->file < s->n_files ? s->files[q->file].name : s->unknown;
	const char *bracket = strchr(file, ']'), *slash = strrchr(file, '/');
	char text[256];
	if (file[0] == '[' && bracket)
		return texts_add(&s->texts, file, (size_t)(bracket - file) + 1);
	const char *name = slash ? slash + 1 : file;
	int len = snprintf(text, sizeof text, "[%.*s]", (int)strcspn(name, ".") % 200, name);
	for (char *p = text; *p; p++)
		*p = *p == '-' ? '_' : *p;
	return texts_add(&s->texts, text, (size_t)len);
}

static const char *module_of(struct symbols *s, const struct kallsym *found)
{
	char text[256];
	int len = snprintf(text, sizeof text, "[%.200s]", found->module ? found->module : "kernel.kallsyms");
	return texts_add(&s->texts, text, (size_t)len);
}

/* Each line of kallsyms has a name of its own. */
static const char *kernel_name(struct symbols *s, const struct kallsym *found)
{
	const struct kernel *k = &s->kernel;
	if (k->kallsyms || !k->vmlinux)
		return texts_add_name(&s->texts, found->name, s->report);
	return take_name(s, "[kernel.kallsyms]", k->vmlinux, &s->kernel_taken, found->name);
}

static void list_kernel(struct symbols *s, const struct symbols_query *q, const struct err *why)
{
	struct file *f = q->file < s->n_files ? &s->files[q->file] : NULL;
	if (f && !f->is_tried && kernel_module_is_name(f->name)) {
		found_files_add_module(s->found, &s->binaries.places, f->name, f->build_id, f->n_build_id);
		f->is_tried = true;
	}
	kernel_list(&s->kernel, s->found);
	if (!s->kernel.kallsyms && !s->kernel.vmlinux)
		found_files_miss(s->found, "[kernel.kallsyms]", why->text);
}

static bool find_in_kernel(struct symbols *s, const struct symbols_query *q, struct symbol *out)
{
	struct err err = {0};
	struct kallsym found = {0};
	bool has_name = kernel_find(&s->kernel, &s->binaries, q->address, &found, &err);
	if (err.text[0] != '\0')
		note_missing(s, "[kernel.kallsyms]", &err);
	if (s->found)
		list_kernel(s, q, &err);
	const struct place *known = has_name ? place_slot(s, KERNEL_SOURCE, found.start) : NULL;
	struct place p = {found.start, KERNEL_SOURCE, 0, SYMBOL_KERNEL};
	if (known && known->source == NO_SOURCE) {
		const char *name = kernel_name(s, &found);
		p.number = numbers_add(&s->numbers, module_of(s, &found), name);
		known = name ? places_add(s, &p) : NULL;
	}
	if (known)
		answer(s, known, out);
	else
		find_nothing(s, kernel_module(s, q), out);
	out->offset = known ? q->address - found.start : 0;
	tell_binary(s->kernel.vmlinux, q->address - s->kernel.vmlinux_moved, out);
	return known;
}

static bool find_ksymbol(struct symbols *s, const struct ksymbol *found, uint64_t address, struct symbol *out)
{
	*out = (struct symbol){.kind = SYMBOL_KERNEL, .name = found->name, .module = found->name};
	out->number = numbers_add(&s->numbers, found->name, found->name);
	out->offset = address - found->start;
	return true;
}

bool symbols_find(struct symbols *s, const struct symbols_query *q, struct symbol *out)
{
	bool is_kernel = q->space == SYMBOLS_KERNEL;
	const struct ksymbol *made = is_kernel ? ksymbols_find(&s->ksymbols, q->address) : NULL;
	if (made)
		return find_ksymbol(s, made, q->address, out);
	if (is_kernel)
		return find_in_kernel(s, q, out);
	if (q->space != SYMBOLS_USER || q->file >= s->n_files)
		return find_nothing(s, s->unknown, out);
	if (s->files[q->file].is_pseudo && !binary_of(s, &s->files[q->file]))
		return find_jit(s, q, out);
	return find_in_file(s, q, out);
}

bool symbols_shown(struct symbols *s, uint32_t file, const char *name, uint64_t mask, uint64_t bits,
                   struct symbol *out)
{
	struct file *f = &s->files[file];
	const struct binary *binary = f->is_pseudo ? NULL : binary_of(s, f);
	uint64_t vaddr;
	*out = (struct symbol){.kind = SYMBOL_FUNCTION};
	if (!binary || !elf_symbols_shown(binary->symbols, name, mask, bits, &vaddr))
		return false;
	tell_binary(binary, vaddr, out);
	return true;
}

void symbols_set_kernel(struct symbols *s, const struct symbols_kernel *as)
{
	struct kernel *k = &s->kernel;
	char *path = k->kallsyms_path;
	bool is_other = k->is_other;
	k->kallsyms_path = NULL;
	kernel_deinit(k);
	*k = (struct kernel){.kallsyms_path = path, .is_other = is_other};
	k->release = mem_strdup(as->release);
	k->reference = mem_strdup(as->reference);
	k->reference_address = as->reference_address;
	k->n_build_id = as->n_build_id < BUILD_ID_MAX ? as->n_build_id : BUILD_ID_MAX;
	if (k->n_build_id > 0)
		memcpy(k->build_id, as->build_id, k->n_build_id);
}

void symbols_add_ksymbol(struct symbols *s, uint64_t start, uint64_t size, const char *name)
{
	uint64_t end = u64_sum(start, size);
	ksymbols_add(&s->ksymbols, &(struct ksymbol){start, end, texts_add_name(&s->texts, name, s->report)});
}

void symbols_remove_ksymbol(struct symbols *s, uint64_t start)
{
	const struct ksymbol *there = ksymbols_find(&s->ksymbols, start);
	if (there)
		ksymbols_add(&s->ksymbols, &(struct ksymbol){there->start, there->end, NULL});
}

void symbols_add_jitdump(struct symbols *s, int32_t pid, const char *path)
{
	jits_add_dump(&s->jits, pid, path);
}

void symbols_add_fork(struct symbols *s, int32_t pid, int32_t parent, uint64_t time)
{
	jits_add_fork(&s->jits, pid, parent, time);
}

void symbols_add_exec(struct symbols *s, int32_t pid, uint64_t time)
{
	jits_add_exec(&s->jits, pid, time);
}

bool symbols_has_jit(struct symbols *s, int32_t pid)
{
	return jits_has_any(&s->jits, pid);
}
