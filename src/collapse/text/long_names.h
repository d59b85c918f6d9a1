/*
 * long_names.h - symbols of the long texts in an input's table, each made once.
 *
 * Frames, modules and files are texts of a table, and very many functions may share one of many megabytes. To hash
 * and to compare it for each of them would take minutes, so the symbols of a long text are kept by its number in
 * the table. Those of a short one are found as usual.
 */
#ifndef COLLAPSE_TEXT_LONG_NAMES_H
#define COLLAPSE_TEXT_LONG_NAMES_H

#include "base/idmap.h"
#include "base/slice.h"
#include "collapse/collapse.h"

/* Text of a table. The table must keep it as it is until long_names_deinit(). */
struct numbered {
	uint64_t number; /* below 2^62 */
	struct slice text;
};

/* Zeroed is empty. */
struct long_names {
	struct idmap ids;
	struct long_name *names;
	size_t n, cap;
};

void long_names_deinit(struct long_names *); /* leaves it empty */

/* How a text is in the name of a frame: "main", "main_[i]", "[main]". */
enum long_form { FORM_PLAIN, FORM_INLINED, FORM_BRACKETS, N_LONG_FORMS };
/* sink_frame() */
uint32_t long_names_frame(struct long_names *, struct sink *, const struct numbered *, enum long_form);
/* sink_file() */
uint32_t long_names_file(struct long_names *, struct sink *, const struct numbered *);
/* The text behind its last slash. */
struct slice long_names_base(struct long_names *, const struct numbered *);
/* sink_origin(). module: with the number of the text that it is the last part of. */
uint32_t long_names_origin(struct long_names *, struct sink *, uint32_t frame, const struct numbered *module,
                           const struct numbered *file, uint64_t line);

#endif
