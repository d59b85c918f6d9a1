/*
 * cargo_notes.h - what a program that cargo built lacks for a good profile.
 */
#ifndef RECORD_CARGO_NOTES_H
#define RECORD_CARGO_NOTES_H

#include "options.h"
#include "record/cargo_messages.h"

/* Prints advice for the program, if it needs any. */
void cargo_say_advice(const struct options *, const struct cargo_artifact *);

#endif
