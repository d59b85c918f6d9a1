/*
 * cargo_words.h - cargo's argument vectors.
 */
#ifndef RECORD_CARGO_WORDS_H
#define RECORD_CARGO_WORDS_H

#include <stdbool.h>

#include "options.h"
#include "record/words.h"

/* What a target is; a set of them is a sum. */
enum cargo_kind { CARGO_LIB = 1, CARGO_BIN = 2, CARGO_EXAMPLE = 4, CARGO_TEST = 8, CARGO_BENCH = 16 };

/* The program to build. */
struct cargo_choice {
	unsigned kinds;
	const char *name, *package; /* package NULL: cargo looks for the name */
	bool has_harness;           /* tests or benchmarks inside a library or binary */
};

/* `cargo metadata ...`, which lists packages and their targets. */
void cargo_metadata_words(struct words *, const struct options *);
/* `cargo build ...`, or test or bench, for a choice of one kind. */
void cargo_build_words(struct words *, const struct options *, const struct cargo_choice *);
/* The profile of that build, as Cargo.toml calls it. */
const char *cargo_profile(const struct cargo_options *);

#endif
