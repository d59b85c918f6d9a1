/*
 * options_export.c - writes a view to a file that may name its origin: the command that shows the view again.
 */
#include "options.h"

static bool export_with_command(const struct options *o, const char *path, struct output *out,
                                const struct export_kind *kind, const struct view *v,
                                const struct export_options *export_, struct err *err)
{
	struct export_options with_command = *export_;
	struct buf command;
	buf_init(&command);
	if (kind->bit & (EXPORT_SVG | EXPORT_HTML) && !o->lacks_names)
		options_add_command(&command, o, v, NULL, true);
	with_command.command = buf_str(&command);
	with_command.is_one_event = options_chose_event(o, v->profile);
	bool is_written =
		out ? export_into(out, kind, v, &with_command, err) : export_to(path, kind, v, &with_command, err);
	buf_deinit(&command);
	return is_written;
}

bool options_export(const struct options *o, const char *path, const struct export_kind *kind, const struct view *v,
                    const struct export_options *export_, struct err *err)
{
	return export_with_command(o, path, NULL, kind, v, export_, err);
}

bool options_export_into(const struct options *o, struct output *out, const struct export_kind *kind,
                         const struct view *v, const struct export_options *export_, struct err *err)
{
	return export_with_command(o, NULL, out, kind, v, export_, err);
}
