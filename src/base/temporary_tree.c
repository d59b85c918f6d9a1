/*
 * temporary_tree.c - a private directory of files, which goes away with the process.
 *
 * A list has the path of everything in it, the newest first, so that what is in a directory goes before the
 * directory. Each path is in the list before the file exists. The handler of a signal only reads the list, from
 * which nothing is taken: what does not exist after all cannot be removed either.
 */
#include "temporary_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "buf.h"
#include "hash.h"
#include "mem.h"
#include "temporary.h"

#define NAMES_TRIED 100

struct node {
	struct node *next;
	bool is_directory;
	char path[];
};

struct temporary_tree {
	_Atomic(struct node *) newest;
	char *path;
	size_t n_directories;
	int slot;
	struct temporary_tree *next; /* kept before */
};

/* Those that stay, the newest first, for the handlers. They share a slot, as there may be many of them. */
static _Atomic(struct temporary_tree *) kept;

/* A signal handler may call it. */
static void remove_files(void *arg)
{
	const struct temporary_tree *t = arg;
	for (const struct node *n = atomic_load(&t->newest); n; n = n->next)
		(void)(n->is_directory ? rmdir(n->path) : unlink(n->path));
}

static const char *add_node(struct temporary_tree *t, const char *path, size_t len, bool is_directory)
{
	struct node *n = mem_alloc(sizeof *n + len + 1);
	n->is_directory = is_directory;
	memcpy(n->path, path, len);
	n->path[len] = '\0';
	n->next = atomic_load(&t->newest);
	atomic_store(&t->newest, n);
	return n->path;
}

static bool try_directory(struct temporary_tree *t, const char *parent)
{
	struct buf path;
	struct timespec now;
	bool is_made = false;
	buf_init(&path);
	for (uint64_t i = 0; i < NAMES_TRIED && !is_made; i++) {
		clock_gettime(CLOCK_REALTIME, &now);
		path.len = 0;
		buf_addf(&path, "%s/flametop-%016llx", parent,
		         (unsigned long long)hash_mix((uint64_t)now.tv_nsec ^ hash_seed[0] ^ i,
		                                      (uint64_t)now.tv_sec << 32 ^ (uint64_t)getpid() ^ hash_seed[1]));
		is_made = mkdir(add_node(t, buf_str(&path), path.len, true), S_IRWXU) == 0;
		if (!is_made && errno != EEXIST)
			break;
	}
	t->path = is_made ? mem_strdup(buf_str(&path)) : NULL;
	buf_deinit(&path);
	return is_made;
}

struct temporary_tree *temporary_tree_new(struct err *err)
{
	struct temporary_tree *t = mem_zalloc(1, sizeof *t);
	const char *dir = getenv("TMPDIR");
	bool is_named = dir && *dir;
	temporary_hold();
	t->slot = temporary_register_call(remove_files, t);
	bool is_made = is_named ? try_directory(t, dir) : try_directory(t, "/var/tmp") || try_directory(t, "/tmp");
	temporary_release();
	if (is_made)
		return t;
	fail_errno(err, "temporary directory in %s%s", is_named ? dir : "/tmp", is_named ? ", which TMPDIR names" : "");
	temporary_tree_remove(t);
	return NULL;
}

void temporary_tree_remove(struct temporary_tree *t)
{
	if (!t)
		return;
	remove_files(t);
	temporary_forget(t->slot);
	for (struct node *n = atomic_load(&t->newest), *next; n; n = next) {
		next = n->next;
		free(n);
	}
	free(t->path);
	free(t);
}

static void remove_kept(void *arg)
{
	(void)arg;
	for (struct temporary_tree *t = atomic_load(&kept); t; t = t->next)
		remove_files(t);
}

void temporary_tree_keep(struct temporary_tree *t)
{
	t->next = atomic_load(&kept);
	while (!atomic_compare_exchange_weak(&kept, &t->next, t))
		;
	if (!t->next)
		temporary_register_call(remove_kept, NULL);
	temporary_forget(t->slot);
}

const char *temporary_tree_path(const struct temporary_tree *t)
{
	return t->path;
}

size_t temporary_tree_directories(const struct temporary_tree *t)
{
	return t->n_directories;
}

static bool make_directory(struct temporary_tree *t, const char *path)
{
	if (access(path, F_OK) == 0)
		return true;
	t->n_directories++;
	return mkdir(add_node(t, path, strlen(path), true), S_IRWXU) == 0;
}

/* Those on the way to the path, which begins with that of the tree. */
static bool make_directories(struct temporary_tree *t, const char *path)
{
	for (const char *slash = strchr(path + strlen(t->path) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		char *parent = mem_strndup(path, (size_t)(slash - path));
		bool is_there = make_directory(t, parent);
		free(parent);
		if (!is_there)
			return false;
	}
	return true;
}

static int create(const char *path)
{
	return open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
}

int temporary_tree_create(struct temporary_tree *t, const char *name, struct err *err)
{
	struct buf path;
	buf_init(&path);
	buf_addf(&path, "%s/%s", t->path, name);
	int fd = -1;
	temporary_hold();
	if (access(buf_str(&path), F_OK) == 0)
		errno = EEXIST;
	else if (make_directories(t, buf_str(&path)))
		fd = create(add_node(t, buf_str(&path), path.len, false));
	temporary_release();
	if (fd < 0)
		fail_errno(err, "%s", name);
	buf_deinit(&path);
	return fd;
}
