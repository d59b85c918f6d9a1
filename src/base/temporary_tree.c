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
#include "find.h"
#include "hash.h"
#include "map.h"
#include "mem.h"
#include "temporary.h"

#define NAMES_TRIED 100
#define FIRST_DIRECTORIES 16

struct node {
	struct node *next;
	bool is_directory;
	char path[];
};

struct temporary_tree {
	_Atomic(struct node *) newest;
	char *path;
	size_t n_directories;
	const char **made; /* paths of those that could be made */
	size_t n_made, cap_made;
	struct map known; /* the same, by hash */
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
	map_init(&t->known, FIRST_DIRECTORIES);
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
	map_deinit(&t->known);
	free(t->made);
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

static bool is_known(const struct temporary_tree *t, const char *path, size_t len)
{
	MAP_EACH(&t->known, hash_bytes(path, len), i)
	if (strncmp(t->made[i], path, len) == 0 && !t->made[i][len])
		return true;
	return false;
}

static bool make_directory(struct temporary_tree *t, const char *path, size_t len)
{
	char *directory = mem_strndup(path, len);
	bool is_there = access(directory, F_OK) == 0, is_made = false;
	if (!is_there) {
		const char *added = add_node(t, directory, len, true);
		t->n_directories++;
		is_made = mkdir(added, S_IRWXU) == 0;
		if (is_made) {
			map_add(&t->known, hash_bytes(added, len), (uint32_t)t->n_made);
			mem_push(t->made, t->n_made, t->cap_made, added);
		}
	}
	free(directory);
	return is_there || is_made;
}

/*
 * Those on the way to the path, which begins with that of the tree, from the deepest one that was made before: very
 * many files may be in one that lies deep.
 */
static bool make_directories(struct temporary_tree *t, const char *path)
{
	size_t root = strlen(t->path), end = (size_t)(strrchr(path, '/') - path), there = end;
	while (there > root && !is_known(t, path, there))
		there = (size_t)((const char *)find_last(path, '/', there) - path);
	while (there < end) {
		there += 1 + strcspn(path + there + 1, "/");
		if (!make_directory(t, path, there))
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
