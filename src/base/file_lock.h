/*
 * file_lock.h - locks of files and directories (flock()) for programs that all take them.
 *
 * Some file systems have no locks: there every lock is granted.
 */
#ifndef BASE_FILE_LOCK_H
#define BASE_FILE_LOCK_H

#include <stdbool.h>

/* false: another program has locked it. */
bool file_lock(int fd);
/* Unlocks it for all programs that have the descriptor, too, which close() does not. */
void file_unlock(int fd);
/* Has another program locked the regular file of this name? */
bool file_is_locked(const char *path);
/*
 * Opens and locks the directory of the path. Waits at most ten seconds, and not once ends() is true. Returns a
 * descriptor for file_unlock() and close(), with the lock if it could be had; -1: the directory cannot be opened.
 */
int file_lock_directory_of(const char *path, bool (*ends)(void));

#endif
