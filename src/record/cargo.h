/*
 * cargo.h - builds the program that `cargo flametop` records.
 */
#ifndef RECORD_CARGO_H
#define RECORD_CARGO_H

#include "options.h"

/*
 * Lets cargo build the program that the options ask for, and puts it into record.command, with its arguments.
 * Returns 0, or the status to exit with: cargo's own if the build failed. The reason has been printed.
 */
int cargo_build(struct options *);

#endif
