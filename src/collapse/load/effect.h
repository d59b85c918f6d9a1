/*
 * effect.h - which collapse options have an effect on which format.
 */
#ifndef COLLAPSE_LOAD_EFFECT_H
#define COLLAPSE_LOAD_EFFECT_H

#include "collapse/collapse.h"

/* Notes, as a warning, each option that was given and has no effect on inputs of this format. */
void effect_note_missing(struct report *, const struct collapse_format *, const struct collapse_options *);
/* Resets all options that only some formats support: the input has already been read with them. */
void effect_clear(struct collapse_options *);

#endif
