/*
 * inside.h - what the program needs of libflametop besides flametop.h. It is not installed.
 *
 * The program reads its options itself (options.h), reads more kinds of inputs (a recording's pipe, an address),
 * also in the background, and writes to a file that it names. All else is that of the library: main, its helpers
 * and src/record include flametop.h, this header, and no other of the model, of collapse or of export. src/tui,
 * which draws, has cells.h (scripts/floors checks both).
 *
 * What the headers below declare is part of this interface: inputs and how they are read (load.h), which recordings
 * perf has to read (perf_need.h), kinds of files and their options (export.h), and the recipe and the place that
 * options fill in before there is a view. What these headers include in turn is not.
 */
#ifndef LIB_INSIDE_H
#define LIB_INSIDE_H

#include <flametop.h>
#include <stdbool.h>
#include <stdint.h>

#include "collapse/load/load.h"
#include "collapse/perf/perf_data.h"
#include "collapse/perf/perf_need.h"
#include "export/export.h"
#include "model/profile.h"
#include "model/recipe.h"
#include "model/shown.h"
#include "model/view.h"
#include "options.h"

/*
 * A profile with the options and inputs of the program, which outlive it. is_interactive: other views than the one
 * of the options may follow from its file. What views of lines need is in the options already, if it is wanted.
 */
struct flametop_profile *inside_profile(struct options *, struct load_input *, size_t n, bool is_interactive);
/* What was read, also after a failure. Lives as long as the profile. */
struct profile *inside_read(struct flametop_profile *);
/*
 * Samples of the new profile outside the kernel, and those of them whose stacks are no more than a process and one
 * function.
 */
void inside_count_shallow(const struct profile *, uint64_t *all, uint64_t *shallow);

/* What is shown. Lives as long as the view. */
struct view *inside_view(struct flametop_view *);
/*
 * The event that is shown, and its unit, as in the profile, for as long as the view is there. Of several events the
 * names, or "" if frames name them, and the unit that they have in common. false: there is none.
 */
bool inside_event(const struct flametop_view *, const char **name, const char **unit);
/* Does --fail-above have two sides to judge? false: a note says why not. */
bool inside_can_judge(const struct flametop_view *);
/* Do people read such a file on a terminal? */
bool inside_is_for_people(const struct export_kind *);
/* Writes the view to a file, "-": standard output. Returns an enum flametop_status. */
int inside_export(struct flametop_view *, const struct export_kind *, const char *path);

#endif
