/*
 * running.c - reads from /proc what was there before the recording.
 *
 *	/proc/PID/maps           55d0c2a00000-55d0c2a4f000 r-xp 0001c000 08:01 1234   /usr/bin/x
 *	/proc/PID/task/TID/comm  a thread's name
 *	/proc/modules            nf_tables 344064 1 - Live 0xffffffffc0a12000
 *
 * Build ids of files say later whether they are still the same. A file is read where the process sees it, below
 * /proc/PID/root, and once, however many processes have it mapped.
 */
#include "record/sampler/running.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/hash.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "base/proc.h"
#include "record/sampler/allocators.h"
#include "record/sampler/errand.h"
#include "record/sampler/records.h"
#include "record/sampler/targets.h"
#include "symbols/elf_file.h"

/* Addresses of modules begin here on x86_64; the kernel itself is below. */
#define MODULES_OF_X86 0xffffffffc0000000u

struct id {
	uint8_t bytes[BUILD_ID_MAX];
	size_t n;
	uint64_t device;
};

static uint64_t device_number(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

struct running {
	struct idmap known;   /* processes */
	struct idmap updated; /* processes -> their place in hashes */
	uint64_t *hashes;     /* of their maps */
	size_t n_hashes, cap_hashes;
	struct idmap files; /* inode -> its place in ids */
	struct id *ids;
	size_t n_ids, cap_ids;
	bool has_data;
	struct errands errands;          /* files */
	struct idmap held;               /* devices whose files are held back */
	const struct allocators *probed; /* NULL: allocators do not matter */
	struct words unprobed;           /* paths of files */
};

struct running *running_new(bool has_data)
{
	struct running *r = mem_zalloc(1, sizeof *r);
	r->has_data = has_data;
	return r;
}

void running_free(struct running *r)
{
	if (!r)
		return;
	idmap_deinit(&r->known);
	idmap_deinit(&r->files);
	idmap_deinit(&r->updated);
	idmap_deinit(&r->held);
	errands_deinit(&r->errands);
	words_deinit(&r->unprobed);
	free(r->hashes);
	free(r->ids);
	free(r);
}

void running_probes(struct running *r, const struct allocators *probed)
{
	r->probed = probed;
}

const struct words *running_unprobed(const struct running *r)
{
	return &r->unprobed;
}

void running_knows(struct running *r, pid_t pid)
{
	idmap_add(&r->known, (uint64_t)pid, 0);
}

/* ---- files --------------------------------------------------------------------------------------------------- */

/* All that is needed to read a file: a file system of the target's own can hold it back. */
struct reading {
	struct buf path;
	size_t root_len; /* of the path's beginning, "/proc/PID/root" */
	uint64_t inode;
	struct id id;
	bool has_allocators;          /* they matter */
	struct allocators allocators; /* of the file */
};

/* A process that has ended has no root: a file with that path of ours may be the one that it had. */
static bool open_file(struct reading *r, struct elf_file *elf)
{
	const char *path = buf_str(&r->path);
	struct stat st;
	if (elf_file_open(elf, path, NULL))
		return true;
	if (stat(path + r->root_len, &st) != 0 || st.st_ino != r->inode ||
	    device_number(major(st.st_dev), minor(st.st_dev)) != r->id.device)
		return false;
	return elf_file_open(elf, path + r->root_len, NULL);
}

static void read_file(void *arg)
{
	struct reading *r = arg;
	struct elf_file elf;
	if (!open_file(r, &elf))
		return;
	r->id.n = elf_build_id(&elf, r->id.bytes);
	if (r->has_allocators)
		allocators_add_elf(&r->allocators, &elf);
	elf_file_close(&elf);
}

static void reading_free(void *arg)
{
	struct reading *r = arg;
	buf_deinit(&r->path);
	allocators_deinit(&r->allocators);
	free(r);
}

/* Files of a device that has once held one back have no build ids. */
static void ask_id(struct running *all, struct id *id, const struct records_map *m)
{
	uint32_t unused;
	if (all->errands.n_lost > ERRANDS_LOST_MOST || idmap_find(&all->held, id->device, &unused))
		return;
	struct reading *r = mem_zalloc(1, sizeof *r);
	buf_init(&r->path);
	buf_addf(&r->path, "/proc/%ld/root", (long)m->pid);
	r->root_len = r->path.len;
	buf_adds(&r->path, m->name);
	r->inode = m->inode;
	r->id = *id;
	r->has_allocators = all->probed != NULL;
	if (!errand_run(&all->errands, read_file, reading_free, r)) {
		idmap_add(&all->held, id->device, 0);
		return;
	}
	*id = r->id;
	if (all->probed && !allocators_have(all->probed, &r->allocators))
		words_add(&all->unprobed, m->name);
	reading_free(r);
}

/* Of two file systems with one inode number, the one seen first is remembered. */
static struct id id_of(struct running *r, const struct records_map *m)
{
	struct id id = {.device = device_number(m->major, m->minor)};
	uint32_t at = 0;
	bool is_known = idmap_find(&r->files, m->inode, &at);
	if (is_known && r->ids[at].device == id.device)
		return r->ids[at];
	size_t n = strlen(m->name);
	if (m->name[0] == '/' && (n < 10 || strcmp(m->name + n - 10, " (deleted)") != 0))
		ask_id(r, &id, m);
	if (!is_known) {
		mem_push(r->ids, r->n_ids, r->cap_ids, id);
		idmap_add(&r->files, m->inode, (uint32_t)(r->n_ids - 1));
	}
	return id;
}

/* Of an MMAP2 record, without its header. */
struct map_body {
	uint32_t pid, tid;
	uint64_t start, length, offset;
	union {
		struct {
			uint32_t major, minor;
			uint64_t inode, generation;
		};
		struct {
			uint8_t n, unused[3], id[BUILD_ID_MAX];
		};
	};
	uint32_t prot, flags;
	char name[];
};

/* The mark of a build id can be that of another counter (abi.h): the kernel gave none. */
void running_identify(struct running *r, struct abi_record *record)
{
	struct map_body *body = (struct map_body *)(void *)(record + 1);
	size_t n = record->size - sizeof *record;
	record->misc &= (uint16_t)~ABI_MISC_BUILD_ID;
	if (n <= sizeof *body || !memchr(body->name, '\0', n - sizeof *body) || !body->inode || body->name[0] != '/')
		return;
	struct records_map m = {.pid = (pid_t)body->pid,
	                        .major = body->major,
	                        .minor = body->minor,
	                        .inode = body->inode,
	                        .name = body->name};
	struct id id = id_of(r, &m);
	if (!id.n)
		return;
	record->misc |= ABI_MISC_BUILD_ID;
	memset(&body->n, 0, 4 + BUILD_ID_MAX);
	body->n = (uint8_t)id.n;
	memcpy(body->id, id.bytes, id.n);
}

/* ---- processes ----------------------------------------------------------------------------------------------- */

/* The kernel writes a newline in a name as \012. */
static void decode(char *name)
{
	char *to = name;
	for (const char *p = name; *p; p++) {
		bool is_newline = strncmp(p, "\\012", 4) == 0;
		*to++ = is_newline ? '\n' : *p;
		p += is_newline ? 3 : 0;
	}
	*to = '\0';
}

/* Takes a line of /proc/PID/maps. false: it is not wanted. */
static bool take_line(char *line, bool has_data, struct records_map *m)
{
	char rights[8];
	int end = 0;
	uint64_t last;
	line[strcspn(line, "\n")] = '\0';
	/* NOLINTNEXTLINE(cert-err34-c): the kernel wrote it */
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %" SCNx32 ":%" SCNx32 " %" SCNu64 " %n", &m->start,
	           &last, rights, &m->offset, &m->major, &m->minor, &m->inode, &end) < 7 ||
	    (!strchr(rights, 'x') && !has_data))
		return false;
	m->length = last - m->start;
	m->prot = (uint32_t)((rights[0] == 'r' ? PROT_READ : 0) | (rights[1] == 'w' ? PROT_WRITE : 0) |
	                     (rights[2] == 'x' ? PROT_EXEC : 0));
	decode(line + end);
	m->name = line[end] ? line + end : "//anon";
	return true;
}

/* NULL: it has no maps. */
static FILE *open_maps_of(pid_t pid, pid_t tid)
{
	char path[96];
	snprintf(path, sizeof path, "/proc/%ld/task/%ld/maps", (long)pid, (long)tid);
	FILE *f = fopen(path, "re");
	int c = f ? getc(f) : EOF;
	if (c != EOF) {
		ungetc(c, f);
		return f;
	}
	if (f)
		fclose(f);
	return NULL;
}

/* Those of any thread: if the main thread has ended, it has none. */
static FILE *open_maps(pid_t pid)
{
	struct number_list threads = {0};
	FILE *f = open_maps_of(pid, pid);
	if (!f)
		targets_threads(pid, &threads);
	for (size_t i = 0; !f && i < threads.n; i++)
		f = open_maps_of(pid, threads.v[i]);
	number_list_deinit(&threads);
	return f;
}

static void add_maps(struct running *r, pid_t pid, struct buf *out)
{
	char *line = NULL;
	size_t cap = 0;
	FILE *f = open_maps(pid);
	while (f && getline(&line, &cap, f) > 0) {
		struct records_map m = {.pid = pid};
		if (!take_line(line, r->has_data, &m) || strlen(m.name) > 4096)
			continue;
		struct id id = m.inode ? id_of(r, &m) : (struct id){.n = 0};
		m.build_id = id.bytes;
		m.n_build_id = id.n;
		records_add_map(out, &m);
	}
	if (f)
		fclose(f);
	free(line);
}

void running_add_name(pid_t pid, pid_t tid, uint64_t *known, struct buf *out)
{
	char path[96], name[64];
	snprintf(path, sizeof path, "/proc/%ld/task/%ld/comm", (long)pid, (long)tid);
	size_t n = proc_read(path, name, sizeof name); /* a name may hold newlines, too */
	uint64_t hash = n > 0 ? hash_bytes(name, n) : *known;
	if (hash == *known)
		return;
	*known = hash;
	name[n - 1] = '\0';
	records_add_comm(out, pid, tid, name);
}

void running_add(struct running *r, pid_t pid, struct buf *out)
{
	struct number_list threads = {0};
	uint32_t unused;
	if (pid <= 0 || idmap_find(&r->known, (uint64_t)pid, &unused))
		return;
	running_knows(r, pid);
	targets_threads(pid, &threads);
	for (size_t i = 0; i < threads.n; i++) {
		uint64_t name = 0;
		running_add_name(pid, threads.v[i], &name, out);
	}
	add_maps(r, pid, out);
	number_list_deinit(&threads);
}

/* A hash of what was mapped; 0: nothing, or the process is gone. */
static uint64_t maps_of(pid_t pid)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;
	uint64_t hash = 0;
	FILE *f = open_maps(pid);
	while (f && (n = getline(&line, &cap, f)) > 0) {
		const char *rights = strchr(line, ' ');
		if (rights && n > rights - line + 3 && rights[3] == 'x') /* "55d0c2a00000-55d0c2a4f000 r-xp ..." */
			hash = hash_mix(hash ^ hash_bytes(line, (size_t)n), hash_seed[0]);
	}
	if (f)
		fclose(f);
	free(line);
	return hash;
}

bool running_update(struct running *r, pid_t pid, struct buf *out)
{
	uint64_t hash = maps_of(pid);
	uint32_t at;
	if (!hash)
		return false;
	if (!idmap_find(&r->updated, (uint64_t)pid, &at)) {
		at = (uint32_t)r->n_hashes;
		mem_push(r->hashes, r->n_hashes, r->cap_hashes, 0);
		idmap_add(&r->updated, (uint64_t)pid, at);
	}
	bool has_changed = r->hashes[at] != hash;
	if (has_changed)
		add_maps(r, pid, out);
	r->hashes[at] = hash;
	return has_changed;
}

/* ---- the kernel ---------------------------------------------------------------------------------------------- */

/* Finds the address of _text, or of _stext, which are at the beginning of the list. false: the kernel hides it. */
static bool find_text(const char **name, uint64_t *address)
{
	char line[512], found[256];
	FILE *f = fopen("/proc/kallsyms", "re");
	*name = NULL;
	while (f && !*name && fgets(line, sizeof line, f)) {
		/* NOLINTNEXTLINE(cert-err34-c): the kernel wrote it */
		if (sscanf(line, "%" SCNx64 " %*c %255s", address, found) == 2)
			*name = strcmp(found, "_text") == 0    ? "[kernel.kallsyms]_text"
			        : strcmp(found, "_stext") == 0 ? "[kernel.kallsyms]_stext"
			                                       : NULL;
	}
	if (f)
		fclose(f);
	return *name && *address;
}

void running_add_kernel(struct buf *out)
{
	const char *name = NULL;
	uint64_t start = 0, size;
	char line[512], module[64], text[80];
	if (find_text(&name, &start))
		records_add_kernel_map(out, start, (start < MODULES_OF_X86 ? MODULES_OF_X86 : UINT64_MAX) - start, name);
	FILE *f = fopen("/proc/modules", "re");
	while (f && fgets(line, sizeof line, f)) {
		/* NOLINTNEXTLINE(cert-err34-c): likewise */
		if (sscanf(line, "%63s %" SCNu64 " %*s %*s %*s %" SCNx64, module, &size, &start) != 3 || !start)
			continue;
		snprintf(text, sizeof text, "[%s]", module);
		records_add_kernel_map(out, start, size, text);
	}
	if (f)
		fclose(f);
}
