/*
 * compiling.h - small programs that tests compile, and what is in them.
 */
#ifndef TESTS_UNIT_COMPILING_H
#define TESTS_UNIT_COMPILING_H

#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "tests/tap.h"

/* A directory of its own and the program in it; free() it, or remove_compiled(). NULL: it was not compiled. */
TAP_FN char *compile(const char *language, const char *source, const char *flags)
{
	const char *tmp = getenv("TMPDIR");
	char dir[512], path[600], command[2048];
	snprintf(dir, sizeof dir, "%s/flametop-compile.XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(dir))
		return NULL;
	snprintf(path, sizeof path, "%s/source.%s", dir, language);
	FILE *f = fopen(path, "w");
	if (!f)
		return NULL;
	fputs(source, f);
	fclose(f);
	snprintf(command, sizeof command, "cd '%s' && %s -x %s %s -o program source.%s -lm >/dev/null 2>&1", dir,
	         strcmp(language, "c") == 0 ? "cc" : "c++", language, flags, language);
	if (system(command) == 0) {
		snprintf(path, sizeof path, "%s/program", dir);
		return strdup(path);
	}
	snprintf(command, sizeof command, "rm -rf '%s'", dir);
	if (system(command) != 0)
		diag("%s is left", dir);
	return NULL;
}

/* Its directory, too. */
TAP_FN void remove_compiled(char *program)
{
	char command[600];
	*strrchr(program, '/') = '\0';
	snprintf(command, sizeof command, "rm -rf '%s'", program);
	if (system(command) != 0)
		diag("%s is left", program);
	free(program);
}

/* A path in the same directory; free() it. */
TAP_FN char *compiled_beside(const char *program, const char *name)
{
	struct buf path;
	buf_init(&path);
	buf_add(&path, program, (size_t)(strrchr(program, '/') + 1 - program));
	buf_adds(&path, name);
	return buf_take(&path);
}

TAP_FN bool compiled_read(const char *path, struct buf *bytes)
{
	FILE *f = fopen(path, "rb");
	buf_init(bytes);
	for (size_t n = 1; f && n;) {
		n = fread(buf_reserve(bytes, 65536), 1, 65536, f);
		bytes->len += n;
	}
	if (f)
		fclose(f);
	return bytes->len > 0;
}

TAP_FN void compiled_write(const char *path, const struct buf *bytes)
{
	FILE *f = fopen(path, "wb");
	if (!f || (bytes->len && fwrite(bytes->data, bytes->len, 1, f) != 1) || fclose(f) != 0)
		bail_out("cannot write %s", path);
}

/* By nm. */
TAP_FN bool find_function(const char *program, const char *name, uint64_t *start, uint64_t *size)
{
	char command[700], line[1024], symbol[512], type;
	bool is_found = false;
	snprintf(command, sizeof command, "nm -S '%s' 2>/dev/null", program);
	FILE *f = popen(command, "r");
	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "%" SCNx64 " %" SCNx64 " %c %511s", start, size, &type, symbol) == 4 &&
		    strcmp(symbol, name) == 0) {
			is_found = true;
			break;
		}
	if (f)
		pclose(f);
	return is_found;
}

#endif
