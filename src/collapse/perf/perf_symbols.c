/*
 * perf_symbols.c - finds the functions at the addresses of a recording.
 *
 * A return address follows its call, which may be the last instruction of its function. Callers are therefore
 * looked up one byte earlier, unlike in perf. In the kernel a caller may also be an instruction that an interrupt
 * stopped, and padding follows each function: kernel addresses are looked up unchanged.
 */
#include "collapse/perf/perf_symbols.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/buf.h"
#include "base/mem.h"
#include "symbols/symbols.h"

struct perf_symbols {
	struct perfdata *recording;
	struct report *report;
	struct perf_symbols_source source;
	struct symbols *symbols; /* NULL: not needed yet */
	uint32_t *files;         /* file numbers in `symbols`, by those of the recording; SYMBOLS_NO_FILE: none yet */
	size_t n_files, cap_files;
	const char *reference;   /* "_text": a kernel symbol of known address; NULL: none */
	uint32_t reference_file; /* number of the mapped file that names it */
	uint64_t reference_address;
	uint32_t kernel_changes; /* number of functions that came or went */
	struct buf name;
	struct trust_period period;
};

/* When the samples were taken: before the last write to their file, or, in a pipe, from now on. in NULL: a pipe. */
static struct trust_period period_of(const struct input *in, bool is_own)
{
	struct stat st;
	if (!in)
		return (struct trust_period){time(NULL), INT64_MAX};
	if (fstat(input_descriptor(in), &st) != 0 || (st.st_nlink == 0 && !is_own)) /* unpacked by us */
		return (struct trust_period){1, 0};
	return (struct trust_period){0, st.st_mtime};
}

static bool is_of_this_machine(const struct perfdata_facts *facts)
{
	struct utsname here;
	return !facts->hostname || (uname(&here) == 0 && strcmp(here.nodename, facts->hostname) == 0);
}

struct perf_symbols *perf_symbols_new(struct perfdata *recording, struct report *report,
                                      const struct perf_symbols_source *source)
{
	struct perf_symbols *p = mem_zalloc(1, sizeof *p);
	p->period = period_of(source->in, source->is_own);
	p->source = *source;
	p->recording = recording;
	p->report = report;
	buf_init(&p->name);
	return p;
}

void perf_symbols_free(struct perf_symbols *p)
{
	if (!p)
		return;
	symbols_free(p->symbols);
	free(p->files);
	buf_deinit(&p->name);
	free(p);
}

static void describe_kernel(struct perf_symbols *p)
{
	const struct perfdata_facts *facts = perfdata_facts(p->recording);
	const struct perfdata_file *kernel = perfdata_file_named(p->recording, "[kernel.kallsyms]");
	if (!kernel->build_id.n && p->reference) /* perf record --buildid-mmap: only the mapping has it */
		kernel = perfdata_file(p->recording, p->reference_file);
	symbols_set_kernel(p->symbols, &(struct symbols_kernel){
									   .release = facts->osrelease,
									   .build_id = kernel->build_id.bytes,
									   .n_build_id = kernel->build_id.n,
									   .reference = p->reference,
									   .reference_address = p->reference_address,
								   });
}

static void open_symbols(struct perf_symbols *p)
{
	struct symbols_options options = {0};
	options.places = p->source.places;
	options.kallsyms = p->source.kallsyms;
	options.uses_servers = p->source.uses_servers;
	options.wants_lines = p->source.wants_lines;
	options.stop = p->source.stop;
	options.found = p->source.found;
	options.is_monotonic = perfdata_is_monotonic(p->recording);
	options.period = is_of_this_machine(perfdata_facts(p->recording)) ? p->period : (struct trust_period){1, 0};
	p->symbols = symbols_new(&options, p->source.found ? NULL : p->report); /* the list says what is missing */
	describe_kernel(p);
}

static struct symbols *symbols_of(struct perf_symbols *p)
{
	if (!p->symbols)
		open_symbols(p);
	return p->symbols;
}

static uint32_t file_of(struct perf_symbols *p, const struct perfdata_process *process,
                        const struct perfdata_map *map)
{
	if (!map)
		return SYMBOLS_NO_FILE;
	while (p->n_files <= map->file)
		mem_push(p->files, p->n_files, p->cap_files, SYMBOLS_NO_FILE);
	if (p->files[map->file] != SYMBOLS_NO_FILE)
		return p->files[map->file];
	struct symbols *symbols = symbols_of(p); /* first, since it may add a file, which moves the others */
	const struct perfdata_file *file = perfdata_file(p->recording, map->file);
	struct symbols_file as = {.name = file->name,
	                          .build_id = file->build_id.bytes,
	                          .n_build_id = file->build_id.n,
	                          .major = file->major,
	                          .minor = file->minor,
	                          .inode = file->inode};
	p->files[map->file] = symbols_file(symbols, &as, process->pid);
	return p->files[map->file];
}

void perf_symbols_map(struct perf_symbols *p, const struct perfdata_process *process,
                      const struct perfdata_map *map)
{
	static const char kernel[] = "[kernel.kallsyms]";
	const char *name = perfdata_file(p->recording, map->file)->name;
	if (process->pid != KERNEL_PID) {
		size_t len = strlen(name);
		if (len > 5 && strcmp(name + len - 5, ".dump") == 0)
			symbols_add_jitdump(symbols_of(p), process->pid, name);
	} else if (strncmp(name, kernel, sizeof kernel - 1) == 0 && name[sizeof kernel - 1]) {
		p->reference = name + sizeof kernel - 1;
		p->reference_address = map->pgoff;
		p->reference_file = map->file;
		if (p->symbols)
			describe_kernel(p);
	}
}

void perf_symbols_fork(struct perf_symbols *p, int32_t pid, int32_t parent, uint64_t time)
{
	symbols_add_fork(symbols_of(p), pid, parent, time);
}

void perf_symbols_exec(struct perf_symbols *p, int32_t pid, uint64_t time)
{
	symbols_add_exec(symbols_of(p), pid, time);
}

void perf_symbols_ksymbol(struct perf_symbols *p, const struct perfdata_ksymbol *k)
{
	p->kernel_changes++;
	if (k->is_gone) {
		symbols_remove_ksymbol(symbols_of(p), k->address);
		return;
	}
	p->name.len = 0;
	buf_add(&p->name, k->name, k->name_len);
	symbols_add_ksymbol(symbols_of(p), k->address, k->length, buf_str(&p->name));
}

uint32_t perf_symbols_generation(const struct perf_symbols *p, const struct perf_place *place)
{
	return place->process->generation + (place->mode == MODE_KERNEL ? p->kernel_changes : 0);
}

const char *perf_symbols_path(struct perf_symbols *p, const struct perfdata_process *process,
                              const struct perfdata_map *map)
{
	return symbols_path(symbols_of(p), file_of(p, process, map));
}

bool perf_symbols_has_jit(struct perf_symbols *p, int32_t pid)
{
	return p->symbols && symbols_has_jit(p->symbols, pid);
}

static enum symbols_space space_of(unsigned mode)
{
	switch (mode) {
	case MODE_KERNEL:
		return SYMBOLS_KERNEL;
	case MODE_HYPERVISOR:
		return SYMBOLS_HYPERVISOR;
	case MODE_GUEST_KERNEL:
		return SYMBOLS_GUEST_KERNEL;
	case MODE_GUEST_USER:
		return SYMBOLS_GUEST_USER;
	default:
		return SYMBOLS_USER;
	}
}

/* Is it memory without a file? perf prints its addresses unchanged. */
static bool is_memory(const char *name)
{
	static const char *const starts[] = {"//anon", "/dev/zero", "/anon_hugepage", "/SYSV", "[heap]", "[stack"};
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
		if (strncmp(name, starts[i], strlen(starts[i])) == 0)
			return true;
	}
	return false;
}

/* The address to look up: a return address belongs to the map that holds its call. */
static uint64_t looked_up(const struct perf_place *place)
{
	bool is_behind = place->is_caller && place->mode != MODE_KERNEL;
	return place->address - (is_behind && place->address);
}

uint64_t perf_symbols_printed(const struct perf_symbols *p, const struct perf_place *place)
{
	const struct perfdata_map *map = perfdata_map_at(place->process, looked_up(place));
	if (!map || place->mode == MODE_KERNEL || is_memory(perfdata_file(p->recording, map->file)->name))
		return place->address;
	return place->address - map->start + map->pgoff;
}

struct perf_symbol perf_symbols_find(struct perf_symbols *p, const struct perf_place *place)
{
	const struct perfdata_process *owner = place->process;
	uint64_t address = looked_up(place);
	const struct perfdata_map *map = perfdata_map_at(owner, address);
	struct symbols_query query = {.space = space_of(place->mode), .pid = owner->pid, .address = address};
	struct symbol found;
	query.file = file_of(p, owner, map);
	query.map_start = map ? map->start : 0;
	query.pgoff = map ? map->pgoff : 0;
	query.time = place->time == UINT64_MAX ? 0 : place->time;
	symbols_find(symbols_of(p), &query, &found);
	return (struct perf_symbol){
		.number = found.number,
		.name = found.name,
		.module = found.module,
		.path = found.path,
		.debug_path = found.debug_path,
		.alt_path = found.alt_path,
		.has_debug = found.has_debug,
		.vaddr = found.vaddr,
		.is_passing = found.kind == SYMBOL_JIT,
	};
}
