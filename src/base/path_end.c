/*
 * path_end.c - follows the links at the end of a path, one by one, as far as open(2) would.
 */
#include "base/path_end.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/name_look.h"

#define LINKS_MAX 40

/* The directory part of a path with its slash, "" if there is none. */
static size_t directory_length(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? (size_t)(slash - path) + 1 : 0;
}

char *path_beside(const char *path, const char *name)
{
	struct buf b;
	buf_init(&b);
	if (name[0] != '/')
		buf_add(&b, path, directory_length(path));
	buf_adds(&b, name);
	return buf_take(&b);
}

/*
 * Did another user put this into a sticky, shared directory? Then it may lead us to a file that only we can write,
 * or hand our data to a file that its owner reads. The kernel makes the same check before it follows a link
 * (fs.protected_symlinks) or writes to a file (protected_regular, protected_fifos), but the check may be off.
 */
static bool is_planted(const struct stat *directory, const struct stat *st)
{
	mode_t open_to = S_ISLNK(st->st_mode) ? S_IWOTH : S_IWOTH | S_IWGRP;
	if (!(directory->st_mode & S_ISVTX) || !(directory->st_mode & open_to))
		return false;
	if (!S_ISLNK(st->st_mode) && !S_ISREG(st->st_mode) && !S_ISFIFO(st->st_mode))
		return false;
	return st->st_uid != geteuid() && st->st_uid != directory->st_uid;
}

/* Replaces the path by the target of its last name, a link. */
static void step_through(struct path_end *place, const char *target)
{
	char *next = path_beside(place->path, target);
	free(place->path);
	place->path = next;
}

/* 1: the end of the path, 0: another link to follow, -1: failed, errno set. */
static int take_name(struct path_end *place, const struct name_look *name, const struct stat *directory)
{
	place->st = name->st;
	if (is_planted(directory, &place->st)) {
		errno = EACCES;
		return -1;
	}
	if (!S_ISLNK(place->st.st_mode)) {
		place->kind = S_ISREG(place->st.st_mode) ? PATH_END_FILE : PATH_END_OTHER;
		return 1;
	}
	if (name->is_of_proc) {
		place->kind = PATH_END_DESCRIPTOR;
		return 1;
	}
	step_through(place, name->target);
	return 0;
}

static int follow_once(struct path_end *place, int directory)
{
	struct stat st;
	struct name_look name;
	if (fstat(directory, &st) != 0)
		return -1;
	if (name_look(directory, place->path + directory_length(place->path), &name))
		return take_name(place, &name, &st);
	place->kind = PATH_END_FREE;
	return errno == ENOENT ? 1 : -1;
}

bool path_end_find(struct path_end *place, const char *path)
{
	struct stat st;
	*place = (struct path_end){.path = mem_strdup(path)};
	/* The kernel may refuse for reasons of its own. */
	if (stat(path, &st) != 0 && errno != ENOENT)
		return false;
	for (int i = 0; i < LINKS_MAX; i++) {
		if (place->path[directory_length(place->path)] == '\0') {
			errno = place->path[0] == '\0' ? ENOENT : EISDIR;
			return false;
		}
		char *name = path_beside(place->path, ".");
		int directory = name_look_open(name);
		free(name);
		if (directory < 0)
			return false;
		int done = follow_once(place, directory), error = errno;
		close(directory);
		errno = error;
		if (done != 0)
			return done > 0;
	}
	errno = ELOOP;
	return false;
}
