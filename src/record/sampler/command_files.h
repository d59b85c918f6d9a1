/*
 * command_files.h - the files whose code a command will run: its own, and the libraries that it is linked with.
 */
#ifndef RECORD_SAMPLER_COMMAND_FILES_H
#define RECORD_SAMPLER_COMMAND_FILES_H

/*
 * Calls take() with the path of each, the command's own first. A script's interpreter is such a file, too, but
 * nothing is that the command loads or starts while it runs. name: a path, or searched for in PATH.
 */
void command_files(const char *name, void (*take)(void *arg, const char *path), void *arg);

#endif
