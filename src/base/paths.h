/*
 * paths.h - files whose paths fit a pattern. The program does not use glob(3): linked statically, that brings the
 * C library's search for users and groups with it.
 */
#ifndef BASE_PATHS_H
#define BASE_PATHS_H

typedef void paths_take(void *arg, const char *path);

/*
 * Hands on the paths of all that exists and fits the pattern, in the order of their bytes. "*" stands for any
 * characters of one name, "#" for a digit; a name that begins with a dot fits only itself.
 */
void paths_fitting(const char *pattern, paths_take *take, void *arg);

#endif
