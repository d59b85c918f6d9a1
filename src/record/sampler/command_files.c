/*
 * command_files.c - finds the files whose code a command will run.
 *
 *	#!/usr/bin/env -S python3 -u                     /usr/bin/env and python3
 *	/lib64/ld-linux-x86-64.so.2 --list /usr/bin/x    libjemalloc.so.2 => /opt/x/lib/libjemalloc.so.2 (0x00007f...)
 *
 * Which libraries a program gets depends on its RUNPATH, LD_PRELOAD, LD_LIBRARY_PATH and a cache: the loader that
 * the program names tells, glibc's and musl's alike, and runs none of the program's code for that.
 */
#include "record/sampler/command_files.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/child.h"
#include "base/child_output.h"
#include "record/words.h"
#include "symbols/elf_file.h"

#define SCRIPTS_MOST 4    /* interpreters of interpreters, as the kernel has them */
#define HEAD_MOST 256     /* bytes of a script's first line that the kernel reads */
#define PATIENCE 5        /* seconds for the loader's answer */
#define ANSWER_MOST 65536 /* bytes */

struct search {
	void (*take)(void *arg, const char *path);
	void *arg;
};

/* ---- libraries ----------------------------------------------------------------------------------------------- */

/* The loader that the program names. false: it is static, or no program. */
static bool loader_of(const char *path, char *loader, size_t size)
{
	struct elf_file elf;
	if (!elf_file_open(&elf, path, NULL))
		return false;
	const struct elf_segment *s = elf_segment_of_type(&elf, ELF_SEGMENT_LOADER);
	bool is_found = s && s->file_size > 1 && s->file_size < size &&
	                elf_file_read(&elf, s->offset, loader, (size_t)s->file_size);
	if (is_found)
		loader[s->file_size - 1] = '\0';
	elf_file_close(&elf);
	return is_found && loader[0] == '/';
}

/* "	libc.so.6 => /lib/libc.so.6 (0x00007f...)", or the path alone. NULL: the line has none. */
static char *path_in(char *line)
{
	char *arrow = strstr(line, " => "), *end = strstr(line, " (0x");
	char *path = arrow ? arrow + 4 : line + strspn(line, "\t ");
	if (!end || end < path || *path != '/')
		return NULL;
	*end = '\0';
	return path;
}

static void take_libraries(const struct search *s, const char *path)
{
	char loader[PATH_MAX], *rest = NULL;
	struct buf answer;
	if (!loader_of(path, loader, sizeof loader))
		return;
	const char *argv[] = {loader, "--list", path, NULL};
	const struct child_call call = {.argv = argv, .in = STREAM_NONE, .seconds = PATIENCE, .most = ANSWER_MOST};
	buf_init(&answer);
	child_output(&call, &answer, NULL);
	buf_add(&answer, "", 1);
	for (char *line = strtok_r(answer.data, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		const char *library = path_in(line);
		if (library)
			s->take(s->arg, library);
	}
	buf_deinit(&answer);
}

/* ---- scripts ------------------------------------------------------------------------------------------------- */

/* The line after "#!" of a script. false: it is none. */
static bool first_line(const char *path, char line[HEAD_MOST])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd >= 0 ? read(fd, line, HEAD_MOST - 1) : -1;
	if (fd >= 0)
		close(fd);
	if (n < 3 || memcmp(line, "#!", 2) != 0)
		return false;
	line[n] = '\0';
	line[strcspn(line, "\n")] = '\0';
	memmove(line, line + 2, strlen(line + 2) + 1);
	return true;
}

/* Of "/usr/bin/env -S NAME=1 python3 -u", the word "python3". NULL: the line does not begin with env. */
static char *word_for_env(const char *program, char **rest)
{
	const char *slash = strrchr(program, '/');
	char *word = NULL;
	if (strcmp(slash ? slash + 1 : program, "env") != 0)
		return NULL;
	do
		word = strtok_r(NULL, " \t", rest);
	while (word && (*word == '-' || strchr(word, '=')));
	return word;
}

static void take_program(const struct search *s, const char *name, int depth);

static void take_interpreters(const struct search *s, char *line, int depth)
{
	char *rest = NULL, *program = strtok_r(line, " \t", &rest);
	if (!program)
		return;
	char *started = word_for_env(program, &rest);
	take_program(s, program, depth);
	if (started)
		take_program(s, started, depth);
}

static void take_program(const struct search *s, const char *name, int depth)
{
	char path[PATH_MAX], line[HEAD_MOST];
	if (!words_find_program(name, path))
		return;
	s->take(s->arg, path);
	if (depth < SCRIPTS_MOST && first_line(path, line))
		take_interpreters(s, line, depth + 1);
	else
		take_libraries(s, path);
}

void command_files(const char *name, void (*take)(void *, const char *), void *arg)
{
	take_program(&(struct search){take, arg}, name, 0);
}
