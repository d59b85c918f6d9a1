/*
 * inside.h - what the program needs of libflametop besides flametop.h. It is not installed.
 *
 * The program reads its options itself, reads more kinds of inputs (a recording's pipe, an address), and writes to
 * a file that it names. All else is that of the library.
 */
#ifndef LIB_INSIDE_H
#define LIB_INSIDE_H

#include <flametop.h>
#include <stdbool.h>

#include "collapse/load/load.h"
#include "export/export.h"
#include "model/view.h"
#include "options.h"

/*
 * A profile with the options and inputs of the program, which outlive it. is_interactive: other views than the one
 * of the options may follow from its file. What views of lines need is in the options already, if it is wanted.
 */
struct flametop_profile *inside_profile(struct options *, struct load_input *, size_t n, bool is_interactive);
/* What was read, also after a failure. */
struct profile *inside_read(struct flametop_profile *);
/* What is shown. */
struct view *inside_view(struct flametop_view *);
/* Does --fail-above have two sides to judge? false: a note says why not. */
bool inside_can_judge(const struct flametop_view *);
/* Do people read such a file on a terminal? */
bool inside_is_for_people(const struct export_kind *);
/* Writes the view to a file, "-": standard output. Returns an enum flametop_status. */
int inside_export(struct flametop_view *, const struct export_kind *, const char *path);

#endif
