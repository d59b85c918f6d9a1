/*
 * export.c - the kinds of files that a view can become, and writing one.
 *
 * A new kind is one file with a `const struct export_kind` at its end, one declaration in export.h and one row
 * here.
 */
#include "export.h"

#include <string.h>

const struct export_kind *const export_kinds[] = {
	&export_svg, &export_folded, &export_text, &export_top, &export_markdown, NULL,
};

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
		const char *suffix = export_kinds[i]->suffix;
		size_t n = suffix ? strlen(suffix) : 0;
		if (n && len > n && strcmp(path + len - n, suffix) == 0)
			return export_kinds[i];
	}
	return NULL;
}

bool export_to(const char *path, const struct export_kind *kind, const struct view *view,
               const struct export_options *options, struct err *err)
{
	struct output *out;

	if (!view_has_room(view, options->factor)) /* cut, they would not add up */
		return fail(err, "--factor=%g: times that, counts pass 2^64 - 1", options->factor);
	out = output_open(path, err);
	if (!out)
		return false;
	if (!kind->write(view, options, out, err)) {
		output_abandon(out);
		return false;
	}
	return output_commit(out, err);
}
