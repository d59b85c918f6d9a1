/*
 * file_look.h - finds the file at a path and examines it before it is opened.
 *
 * A path below /proc/PID/root, or /proc/PID/task/TID/root, is resolved as that process would: links and ".." stay
 * within its root.
 */
#ifndef BASE_FILE_LOOK_H
#define BASE_FILE_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct file_look {
	const char *path; /* the caller's, which must stay */
	struct stat st;
	int fd; /* leads to the file, without being open; -1: this system has no such descriptors */
};

/*
 * The length of "/proc/PID/root" at the path's beginning, however it is written ("//proc/./self/root"); 0: it is no
 * path below such a root.
 */
size_t file_look_root(const char *path);
/* follows: a link at the end counts as the file that it leads to. false: failed, errno set. */
bool file_look(struct file_look *, const char *path, bool follows);
/*
 * Is it a file of /proc, /sys or the like, by whichever path? These count as regular, but some block, and some have
 * effects when they are merely opened and closed.
 */
bool file_look_is_of_kernel(const struct file_look *);
/* Opens this very file for reading, without blocking. The caller closes it; -1: failed, errno set. */
int file_look_open(const struct file_look *);
void file_look_end(struct file_look *);

#endif
