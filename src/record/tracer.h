/*
 * tracer.h - command lines of dtrace and xctrace, which take the samples on systems without perf events.
 */
#ifndef RECORD_TRACER_H
#define RECORD_TRACER_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "options.h"
#include "record/words.h"

/* Does the tracer, WITH_DTRACE or WITH_XCTRACE, have what the options ask for? false: err says what it lacks. */
bool tracer_check_options(const struct record_options *, enum record_with, struct err *err);
/* Is it there? false: err says so. `notes` gets what it may lack, one line without newline. */
bool tracer_check_program(const struct record_options *, enum record_with, struct buf *notes, struct err *err);

/* Records into path: a file of dtrace, a directory of xctrace whose name ends in .trace. */
void tracer_record_words(struct words *, const struct record_options *, enum record_with, const char *path);
/* Prints the samples that xctrace has recorded there. */
void tracer_export_words(struct words *, const char *path);

#endif
