/*
 * jits.c - functions of JIT compilers by process, from the files that the compilers write.
 *
 *	/tmp/perf-PID.map       text (symbols/jit_map.h); .NET writes it into the TMPDIR of its process
 *	.../jit-PID.dump        mapped by the process, so the recording names it (symbols/jitdump.h)
 *
 * Any user can write to /tmp: trust.h says whose files are read. A process in a container writes into the
 * container's /tmp, under its pid in the container; while it lives, /proc/PID gives both. Files grow while the
 * program runs, so an address without a name triggers another look at them.
 */
#include "symbols/jits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/below_root.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/regular.h"
#include "symbols/jit_files.h"

#define DUMPS_MAX 64 /* of a process */
#define ANCESTORS_MAX 8

/* A process, and when it was sampled. */
struct asked {
	int32_t pid;
	uint64_t time, born;
};

/* A file that may grow. */
struct watched {
	char *path;
	struct stat st;        /* at the last read; st_nlink 0: none yet */
	bool is_refused;       /* then: it may be trusted at a later time */
	bool is_elsewhere;     /* see trust.h */
	struct jit_file *read; /* NULL: nothing was */
};

struct dump {
	struct watched file;
	const char *module, *path; /* as recorded, and here; from texts */
};

struct jit {
	int32_t pid, parent; /* parent 0: none is known */
	uint64_t born;       /* see trust.h */
	bool is_tried;
	time_t tried; /* second */
	const char *module;
	struct watched map_file;
	struct dump *dumps;
	size_t n, cap;
};

void jits_init(struct jits *j, const char *root, bool is_monotonic, struct report *report, struct texts *texts)
{
	*j = (struct jits){.root = mem_strdup(root ? root : ""), .report = report, .texts = texts};
	j->is_monotonic = is_monotonic;
	j->period = (struct trust_period){1, 0};
	map_init(&j->map, 32);
	j->files = mem_zalloc(1, sizeof *j->files);
	jit_files_init(j->files, JIT_FILES_ALL);
}

void jits_set_period(struct jits *j, struct trust_period period)
{
	j->period = period;
}

static void forget(struct jits *j, struct watched *file)
{
	jit_file_leave(j->files, file->read);
	file->read = NULL;
}

static void drop_dumps(struct jits *j, struct jit *p)
{
	for (size_t i = 0; i < p->n; i++) {
		free(p->dumps[i].file.path);
		forget(j, &p->dumps[i].file);
	}
	p->n = 0;
}

static void jit_free(struct jits *j, struct jit *p)
{
	drop_dumps(j, p);
	free(p->dumps);
	free(p->map_file.path);
	forget(j, &p->map_file);
	free(p);
}

void jits_deinit(struct jits *j)
{
	for (size_t i = 0; i < j->n; i++)
		jit_free(j, j->items[i]);
	free(j->items);
	jit_files_deinit(j->files);
	free(j->files);
	map_deinit(&j->map);
	free(j->root);
}

/* Returns the pid of a process as its own program sees it; if it is gone, the pid. */
static int32_t inner_pid(int32_t pid)
{
	int32_t inner = pid > 0 ? proc_inner_id(pid, pid) : 0;
	return inner > 0 ? inner : pid;
}

/* Appends the path of a file of the process. Only a trusted link at its end is followed. */
static void add_path(const struct jits *j, const char *root, const char *name, struct buf *path)
{
	struct stat st;
	const char *slash = strrchr(name, '/');
	if (!*j->root || !slash) {
		buf_addf(path, "%s%s", root, name);
		return;
	}
	char *directory = mem_strndup(name, (size_t)(slash - name));
	below_root_add(root, directory, path);
	buf_adds(path, slash);
	free(directory);
	if (regular_stat(buf_str(path), false, &st) && S_ISLNK(st.st_mode) && trust_is_ours(st.st_uid)) {
		path->len = 0;
		below_root_add(root, name, path);
	}
}

/* Sets the prefix that leads to the process's /tmp: "" or "/proc/PID/root". true: the latter. */
static bool root_of(const struct jits *j, int32_t pid, char root[4096])
{
	struct stat own, other;
	char path[64];
	snprintf(root, 4096, "%s", j->root);
	snprintf(path, sizeof path, "/proc/%" PRId32 "/ns/mnt", pid);
	if (!*root && pid > 0 && stat("/proc/self/ns/mnt", &own) == 0 && stat(path, &other) == 0 &&
	    (own.st_ino != other.st_ino || own.st_dev != other.st_dev)) {
		snprintf(root, 4096, "/proc/%" PRId32 "/root", pid);
		return true;
	}
	return false;
}

/* Builds the name of the map, only when needed, since most processes have none. */
static void prepare(struct jits *j, struct jit *p)
{
	struct buf path;
	char root[4096], name[40];
	int32_t inner = *j->root ? p->pid : inner_pid(p->pid);
	buf_init(&path);
	p->map_file.is_elsewhere = root_of(j, p->pid, root);
	snprintf(name, sizeof name, "/tmp/perf-%" PRId32 ".map", inner);
	p->module = texts_add(j->texts, name, strlen(name));
	add_path(j, root, name, &path);
	p->map_file.path = buf_take(&path);
}

static struct jit *jit_of(struct jits *j, int32_t pid)
{
	uint64_t hash = hash_key((uint32_t)pid);
	MAP_EACH(&j->map, hash, i)
	if (j->items[i]->pid == pid)
		return j->items[i];
	struct jit *p = mem_zalloc(1, sizeof *p);
	p->pid = pid;
	mem_push(j->items, j->n, j->cap, p);
	map_add(&j->map, hash, (uint32_t)(j->n - 1));
	return p;
}

void jits_add_fork(struct jits *j, int32_t pid, int32_t parent, uint64_t time)
{
	if (pid == parent || parent <= 0)
		return;
	struct jit *p = jit_of(j, pid);
	p->parent = parent;
	p->born = time;
}

void jits_add_exec(struct jits *j, int32_t pid, uint64_t time)
{
	struct jit *p = jit_of(j, pid);
	p->born = time;
	p->parent = 0;
	drop_dumps(j, p);
	forget(j, &p->map_file);
	p->map_file.st = (struct stat){0};
	p->map_file.is_refused = false;
	p->is_tried = false;
}

static void note(const struct jits *j, const char *why, const char *detail)
{
	if (j->report)
		report_add(j->report, NOTE_WARN, why, NULL, 0, detail, strlen(detail));
}

static void note_failed(const struct jits *j, const char *path, const char *why)
{
	struct buf detail;
	buf_init(&detail);
	buf_addf(&detail, "%s: %s", path, why);
	note(j, "functions of a JIT compiler have no names", buf_str(&detail));
	buf_deinit(&detail);
}

static bool is_dump_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t n = strlen(name);
	return path[0] == '/' && n > 9 && strncmp(name, "jit-", 4) == 0 && strcmp(name + n - 5, ".dump") == 0;
}

void jits_add_dump(struct jits *j, int32_t pid, const char *path)
{
	char root[4096];
	struct buf full;
	if (!is_dump_name(path))
		return;
	struct jit *p = jit_of(j, pid);
	const char *module = texts_add(j->texts, path, strlen(path));
	for (size_t i = 0; i < p->n; i++)
		if (p->dumps[i].module == module)
			return;
	if (p->n == DUMPS_MAX) {
		note_failed(j, path, "one dump too many of a process");
		return;
	}
	struct dump dump = {.file = {.is_elsewhere = root_of(j, pid, root)}, .module = module};
	buf_init(&full);
	add_path(j, root, path, &full);
	dump.path = texts_add(j->texts, full.data, full.len);
	dump.file.path = buf_take(&full);
	mem_push(p->dumps, p->n, p->cap, dump);
	p->is_tried = false;
}

/* Has the file changed since the last read? A refused one is asked for again. */
static bool is_new(const struct watched *file, struct stat *st)
{
	const struct stat *old = &file->st;
	return regular_stat(file->path, true, st) &&
	       (old->st_nlink == 0 || file->is_refused || st->st_size != old->st_size || st->st_ino != old->st_ino);
}

/* Reads a file if it is new or has changed, and leaves it open; -1: nothing new. */
static int reread(struct jits *j, struct watched *file, const struct asked *a, bool is_dump, struct buf *bytes)
{
	struct stat st;
	struct err err = {0};
	bool was_refused = file->is_refused;
	if (!is_new(file, &st))
		return -1;
	int fd = trust_open(file->path, &(struct trust_in){j->period, a->pid, a->time, a->born, file->is_elsewhere},
	                    &st, &err);
	file->st = st;
	file->st.st_nlink = 1;
	file->is_refused = fd < 0;
	struct jit_file *f = fd >= 0 ? jit_files_get(j->files, fd, is_dump, bytes, &err) : NULL;
	if (fd < 0 && err.text[0] && !was_refused)
		note(j, "functions of a JIT compiler have no names", err.text);
	if (fd >= 0 && !f) {
		note_failed(j, file->path, err.text);
		close(fd);
	}
	if (!f)
		return -1;
	forget(j, file);
	file->read = f;
	return fd;
}

static void read_dump(struct jits *j, struct dump *d, const struct asked *a, struct buf *bytes)
{
	int fd = reread(j, &d->file, a, true, bytes);
	if (fd < 0)
		return;
	if (!d->file.read->dump)
		note_failed(j, d->file.path, d->file.read->why_not);
	else if (j->found)
		found_files_add_open(j->found, FOUND_DUMP, d->module, fd);
	close(fd);
}

static const struct jit_map *map_of(const struct jit *p)
{
	return p->map_file.read ? p->map_file.read->map : NULL;
}

static const struct jitdump *dump_of(const struct dump *d)
{
	return d->file.read ? d->file.read->dump : NULL;
}

/* A process that has no map in /tmp may have one in its TMPDIR, while it lives. */
static void look_in_tmpdir(const struct jits *j, struct jit *p)
{
	char root[4096], directory[4096];
	struct stat st;
	struct buf path;
	if (*j->root || p->pid <= 0 || p->map_file.read || regular_stat(p->map_file.path, true, &st) ||
	    !proc_variable(p->pid, "TMPDIR", directory, sizeof directory) || directory[0] != '/')
		return;
	root_of(j, p->pid, root);
	buf_init(&path);
	buf_addf(&path, "%s%s/perf-%" PRId32 ".map", root, directory, inner_pid(p->pid));
	if (regular_stat(buf_str(&path), true, &st)) {
		free(p->map_file.path);
		p->map_file.path = buf_take(&path);
	}
	buf_deinit(&path);
}

static void read_map(struct jits *j, struct jit *p, const struct asked *a, struct buf *bytes)
{
	char place[40];
	look_in_tmpdir(j, p);
	int fd = reread(j, &p->map_file, a, false, bytes);
	if (fd < 0)
		return;
	snprintf(place, sizeof place, "/tmp/perf-%" PRId32 ".map", p->pid); /* where it is looked for below a root */
	if (!map_of(p))
		note_failed(j, p->map_file.path, p->map_file.read->why_not);
	else if (j->found && jit_map_has_any(map_of(p)))
		found_files_add_open(j->found, FOUND_MAP, place, fd);
	close(fd);
}

/* Reads new data in the process's files, at most once a second. */
static bool refresh(struct jits *j, struct jit *p, uint64_t time)
{
	struct timespec now;
	struct buf bytes;
	struct asked a = {p->pid, time, p->born};
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (p->is_tried && now.tv_sec == p->tried)
		return false;
	p->is_tried = true;
	p->tried = now.tv_sec;
	buf_init(&bytes);
	read_map(j, p, &a, &bytes);
	for (size_t i = 0; i < p->n; i++)
		read_dump(j, &p->dumps[i], &a, &bytes);
	buf_deinit(&bytes);
	return true;
}

static bool find_in_dumps(const struct jits *j, const struct jit *p, uint64_t address, uint64_t time,
                          struct jit_symbol *out)
{
	struct jitdump_function f;
	time = j->is_monotonic && time > 0 ? time : JITDUMP_ANY_TIME;
	for (size_t i = 0; i < p->n; i++)
		if (dump_of(&p->dumps[i]) && jitdump_find(dump_of(&p->dumps[i]), address, time, &f)) {
			const char *dump = f.offset ? p->dumps[i].path : NULL;
			*out = (struct jit_symbol){p->dumps[i].module, f.name, f.start, dump, f.offset};
			return true;
		}
	return false;
}

static bool find(const struct jits *j, const struct jit *p, uint64_t address, uint64_t time, struct jit_symbol *out)
{
	struct jit_function f;
	if (find_in_dumps(j, p, address, time, out))
		return true;
	*out = (struct jit_symbol){.module = p->module};
	if (!map_of(p) || !jit_map_find(map_of(p), address, &f))
		return false;
	out->name = f.name;
	out->start = f.start;
	return true;
}

static const char *kept(struct jits *j, const char *text)
{
	return text ? texts_add_name(j->texts, text, j->report) : NULL;
}

static bool find_in_process(struct jits *j, struct jit *p, uint64_t address, uint64_t time, struct jit_symbol *out)
{
	if (!p->module)
		prepare(j, p);
	if (!p->is_tried)
		refresh(j, p, time);
	return find(j, p, address, time, out) || (refresh(j, p, time) && find(j, p, address, time, out));
}

/* Searches the process, then its ancestors, nearest first. */
bool jits_find(struct jits *j, int32_t pid, uint64_t address, uint64_t time, struct jit_symbol *out)
{
	struct jit *p = jit_of(j, pid);
	bool is_found = find_in_process(j, p, address, time, out);
	const char *module = out->module;
	for (int depth = 0; !is_found && p->parent > 0 && depth < ANCESTORS_MAX; depth++) {
		p = jit_of(j, p->parent);
		is_found = find_in_process(j, p, address, time, out);
	}
	out->module = is_found ? out->module : module;
	out->name = kept(j, out->name);
	return is_found;
}

bool jits_has_any(struct jits *j, int32_t pid)
{
	for (int depth = 0; pid > 0 && depth <= ANCESTORS_MAX; depth++) {
		const struct jit *p = jit_of(j, pid);
		bool has_any = map_of(p) && jit_map_has_any(map_of(p));
		for (size_t i = 0; i < p->n; i++)
			has_any |= dump_of(&p->dumps[i]) != NULL;
		if (has_any)
			return true;
		pid = p->parent;
	}
	return false;
}
