/*
 * export.c - `export KIND [NAME=VALUE...] FILE [BASE]`: writes a view through libflametop to standard output, and
 * notes to standard error, as the program does. MEMORY=1: the files are given as bytes.
 */
#include <flametop.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int put(void *arg, const void *bytes, size_t n)
{
	(void)arg;
	return fwrite(bytes, 1, n, stdout) == n ? 0 : -1;
}

static void say(void *arg, const char *text)
{
	(void)arg;
	fprintf(stderr, "flametop: %s\n", text);
}

static int failed(const struct flametop_profile *p, int status)
{
	say(NULL, flametop_profile_error(p));
	return status;
}

static enum flametop_stage stage_of(const char *name)
{
	struct flametop_option o = {.size = sizeof o};
	for (size_t i = 0; flametop_option(i, &o) == FLAMETOP_OK; i++)
		if (strcmp(o.name, name) == 0)
			return o.stage;
	return FLAMETOP_VIEWING;
}

static int set(struct flametop_profile *p, struct flametop_view *v, char *word)
{
	char *value = strchr(word, '=');
	*value = '\0';
	bool is_of_view = stage_of(word) == FLAMETOP_VIEWING;
	int status = is_of_view != (v != NULL) ? FLAMETOP_OK
	             : v                       ? flametop_view_set(v, word, value + 1)
	                                       : flametop_profile_set(p, word, value + 1);
	*value = '=';
	return status;
}

static int add(struct flametop_profile *p, const char *path, enum flametop_side side)
{
	static char bytes[1 << 20];
	FILE *f = getenv("MEMORY") ? fopen(path, "rb") : NULL;
	if (!f)
		return flametop_profile_add_file(p, path, side);
	size_t n = fread(bytes, 1, sizeof bytes, f);
	fclose(f);
	return flametop_profile_add_memory(p, path, bytes, n, side);
}

int main(int argc, char **argv)
{
	struct flametop_profile *p = flametop_profile_new();
	struct flametop_view *v = NULL;
	int status = FLAMETOP_OK, first = 2;
	flametop_profile_on_note(p, say, NULL);
	for (; !status && first < argc && strchr(argv[first], '='); first++)
		status = set(p, NULL, argv[first]);
	for (int i = first; !status && i < argc; i++)
		status = add(p, argv[i], i == first ? FLAMETOP_NEW : FLAMETOP_BASELINE);
	if (!status)
		status = flametop_profile_load(p);
	if (!status)
		v = flametop_view_new(p);
	for (int i = 2; !status && i < first; i++)
		status = set(p, v, argv[i]);
	if (!status)
		status = flametop_view_export(v, argv[1], put, NULL);
	if (status)
		status = failed(p, status);
	flametop_view_free(v);
	flametop_profile_free(p);
	return status;
}
