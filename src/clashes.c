/*
 * clashes.c - one file for two purposes.
 *
 * Of two outputs in one file the first would be lost without a word, and so would an input that an output replaces
 * before it is read. Files are compared, not names.
 */
#include "clashes.h"

#include <string.h>
#include <unistd.h>

#include "base/same_file.h"

enum { MOST_FILES = 16 };

struct named {
	const char *option, *path;
	bool may_replace; /* a profile, which has been read before */
};

struct named_files {
	struct named v[MOST_FILES];
	size_t n;
};

static void add(struct named_files *f, const char *option, const char *path, bool may_replace)
{
	if (path)
		f->v[f->n++] = (struct named){option, path, may_replace};
}

static void add_outputs(struct named_files *f, const struct options *o)
{
	if (o->output)
		add(f, "--output", o->output, true);
	else if (options_ask_for_file(o) || o->is_script)
		add(f, "standard output", "-", true);
	add(f, "--save", o->source.save, false);
	add(f, "--cp", o->export_.palette_map, false);
	add(f, "--keep-data", o->record.keep_data && !o->record.perfdata ? "perf.data" : NULL, false);
}

/* Files that say how to read or draw a profile: no output may replace them. */
static void add_helpers(struct named_files *f, const struct options *o)
{
	add(f, "--nameattr", o->export_.name_attr, false);
	add(f, "--kallsyms", o->collapse.kallsyms, false);
	add(f, "--cert", o->source.cert, false);
	add(f, "--key", o->source.key, false);
	add(f, "--cacert", o->source.cacert, false);
}

static bool are_apart(const struct named *a, const struct named *b)
{
	return !same_file(a->path, STDOUT_FILENO, b->path, STDOUT_FILENO);
}

static bool check_outputs(const struct named_files *out, struct err *err)
{
	for (size_t i = 0; i < out->n; i++)
		for (size_t k = 0; k < i; k++)
			if (!are_apart(&out->v[i], &out->v[k]))
				return fail(err, "%s and %s write the same file: '%s'", out->v[k].option, out->v[i].option,
				            out->v[i].path);
	return true;
}

static bool check_helpers(const struct named_files *out, const struct named_files *in, struct err *err)
{
	for (size_t i = 0; i < in->n; i++)
		for (size_t k = 0; k < out->n; k++)
			if (!are_apart(&in->v[i], &out->v[k]))
				return fail(err, "%s would replace the file of %s: '%s'", out->v[k].option, in->v[i].option,
				            in->v[i].path);
	return true;
}

static bool check_profile(const struct named_files *out, const char *path, struct err *err)
{
	for (size_t k = 0; path && k < out->n; k++)
		if (!out->v[k].may_replace && same_file(path, STDIN_FILENO, out->v[k].path, STDOUT_FILENO))
			return fail(err, "%s would replace the profile '%s'", out->v[k].option, path);
	return true;
}

bool clashes_check(const struct options *o, struct err *err)
{
	struct named_files out = {.n = 0}, in = {.n = 0};
	add_outputs(&out, o);
	add_helpers(&in, o);
	bool is_good =
		check_outputs(&out, err) && check_helpers(&out, &in, err) && check_profile(&out, o->record.perfdata, err);
	for (size_t i = 0; is_good && i < o->n_files; i++)
		is_good = check_profile(&out, o->files[i], err);
	for (size_t i = 0; is_good && i < o->n_diffs; i++)
		is_good = check_profile(&out, o->diffs[i], err);
	return is_good;
}
