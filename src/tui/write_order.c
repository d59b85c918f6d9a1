/*
 * write_order.c - a view that is to be written to a file, on any thread.
 */
#include "tui/write_order.h"

#include <stdlib.h>

#include "base/mem.h"

static void set_names(struct write_order *w, const struct display *of)
{
	struct display *d = &w->view.display;
	display_init(d, &w->view.profile->symtab, of->mode, of->demangle);
	d->tells_kinds = of->tells_kinds;
	d->longest = of->longest;
}

struct write_order *write_order_new(const struct options *options, const struct view *v,
                                    const struct export_kind *kind, const char *path)
{
	struct write_order *w = mem_zalloc(1, sizeof *w);
	w->options = options;
	w->kind = kind;
	w->path = mem_strdup(path);
	w->export_ = options->export_;
	w->export_.frames = &w->frames;
	w->view = *v;
	w->has_symtab = fold_makes_names(&v->recipe);
	if (w->has_symtab) {
		w->profile = *v->profile;
		symtab_copy(&w->profile.symtab, &v->profile->symtab);
		w->view.profile = &w->profile;
	}
	set_names(w, &v->display);
	return w;
}

void write_order_free(struct write_order *w)
{
	display_deinit(&w->view.display);
	if (w->has_symtab)
		symtab_deinit(&w->profile.symtab);
	free(w->path);
	free(w);
}

bool write_order_run(struct write_order *w, struct progress *progress, struct err *err)
{
	w->export_.progress = progress;
	return options_export(w->options, w->path, w->kind, &w->view, &w->export_, err);
}
