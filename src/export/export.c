/*
 * export.c - the kinds of output files, and writing one.
 *
 * A new kind is one file that ends with a `const struct export_kind`, and one row in kinds.h.
 */
#include "export.h"

#include <string.h>

#include "plain_axis.h"

#define ADDRESS(name, BIT, suffix, shows) &export_##name,
#define SUFFIX(name, BIT, suffix, shows) suffix,

const struct export_kind *const export_kinds[] = {EXPORT_KINDS(ADDRESS, ) NULL};
static const char *const suffixes[] = {EXPORT_KINDS(SUFFIX, )};

const struct export_kind *export_find(const char *name)
{
	for (size_t i = 0; export_kinds[i]; i++)
		if (strcmp(export_kinds[i]->name, name) == 0)
			return export_kinds[i];
	return NULL;
}

const struct export_kind *export_by_suffix(const char *path)
{
	size_t len = strlen(path);
	for (size_t i = 0; export_kinds[i]; i++) {
		size_t n = strlen(suffixes[i]);
		if (len > n && strcmp(path + len - n, suffixes[i]) == 0)
			return export_kinds[i];
	}
	return NULL;
}

const char *export_suffix(const struct export_kind *kind)
{
	size_t i = 0;
	while (export_kinds[i] != kind)
		i++;
	return suffixes[i];
}

static bool write_to(const char *path, const struct export_kind *kind, const struct view *view,
                     const struct export_options *options, struct err *err)
{
	struct output *out = output_open(path, err);
	if (!out)
		return false;
	if (!kind->write(view, options, out, err)) {
		output_abandon(out);
		return false;
	}
	return output_commit(out, err);
}

/* Lanes are only in the flame chart; but folded stacks are in its order in every view. */
static bool needs_plain_axis(const struct view *v, const struct export_kind *kind)
{
	return v->tree.until && !kind->has_lanes && (v->shown.view == SHOWN_FLAME || kind == &export_folded);
}

bool export_to(const char *path, const struct export_kind *kind, const struct view *view,
               const struct export_options *options, struct err *err)
{
	struct view plain;
	if (!view_has_room(view, options->factor)) /* clamped counts would not add up */
		return fail(err, "--factor=%g: times that, counts pass 2^64 - 1", options->factor);
	if (!needs_plain_axis(view, kind))
		return write_to(path, kind, view, options, err);
	if (!plain_axis_make(&plain, view, err))
		return false;
	bool is_good = write_to(path, kind, &plain, options, err);
	plain_axis_free(&plain, view);
	return is_good;
}
