/*
 * cargo_messages.h - reads what cargo prints as JSON: the targets of packages, and the programs of a build.
 */
#ifndef RECORD_CARGO_MESSAGES_H
#define RECORD_CARGO_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "record/cargo_words.h"

struct cargo_target {
	const char *package, *name;
	const char *manifest;    /* path of the package's Cargo.toml */
	const char *default_run; /* of the package; NULL: none */
	unsigned kinds;          /* enum cargo_kind; 0: another kind */
};

struct cargo_targets {
	struct cargo_target *v; /* n, owned */
	size_t n, cap;
};

/* A target that was built; executable NULL: it is no program. */
struct cargo_artifact {
	const char *package, *name, *executable;
	unsigned kinds;
	bool has_harness, has_debug_info;
};

struct cargo_artifacts {
	struct cargo_artifact *v; /* n, owned */
	size_t n, cap;
};

/* Appends the targets that `cargo metadata` lists; their texts go to the arena. false: it is no whole JSON. */
bool cargo_read_targets(struct cargo_targets *, struct arena *, const char *text, size_t len, struct err *err);
/*
 * Appends the artifacts in the messages of a build, one JSON object per line; skips all other lines. Their texts go
 * to the arena.
 */
void cargo_read_artifacts(struct cargo_artifacts *, struct arena *, const char *text, size_t len);

#endif
