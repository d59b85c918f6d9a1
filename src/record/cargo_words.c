/*
 * cargo_words.c - builds cargo's argument vectors, as cargo flamegraph does.
 *
 *	cargo  build  --release  --package  one  --bin  one  --message-format=json-render-diagnostics
 *
 * `cargo bench` builds with the bench profile. `cargo build --test` and `cargo test` take --release as the release
 * profile.
 */
#include "record/cargo_words.h"

#include <stdlib.h>

/* cargo names itself to its subcommands. */
static void add_program(struct words *w)
{
	const char *named = getenv("CARGO");
	words_add(w, named && *named ? named : "cargo");
}

static void add_value(struct words *w, const char *option, const char *value)
{
	if (!value)
		return;
	words_add(w, option);
	words_add(w, value);
}

static void add_flag(struct words *w, const char *option, bool is_given)
{
	if (is_given)
		words_add(w, option);
}

void cargo_metadata_words(struct words *w, const struct options *o)
{
	add_program(w);
	words_add(w, "metadata");
	words_add(w, "--no-deps");
	add_value(w, "--format-version", "1");
	add_value(w, "--manifest-path", o->cargo.manifest_path);
	add_flag(w, "--quiet", o->quiet);
}

/* With --dev, `cargo build` builds a benchmark, too; those inside a library only `cargo bench`. */
static bool is_bench(const struct cargo_options *c)
{
	return c->unit_bench || (c->bench && !c->dev);
}

static void add_goal(struct words *w, const struct cargo_options *c)
{
	words_add(w, is_bench(c) ? "bench" : c->unit_test ? "test" : "build");
	add_flag(w, "--no-run", is_bench(c) || c->unit_test);
	if (c->profile)
		add_value(w, "--profile", c->profile);
	else if (c->dev)
		add_value(w, "--profile", is_bench(c) ? "dev" : NULL);
	else
		add_flag(w, "--release", !is_bench(c));
}

static void add_target(struct words *w, const struct cargo_choice *choice)
{
	switch (choice->kinds) {
	case CARGO_BIN:
		add_value(w, "--bin", choice->name);
		break;
	case CARGO_EXAMPLE:
		add_value(w, "--example", choice->name);
		break;
	case CARGO_TEST:
		add_value(w, "--test", choice->name);
		break;
	case CARGO_BENCH:
		add_value(w, "--bench", choice->name);
		break;
	default:
		words_add(w, "--lib");
	}
}

void cargo_build_words(struct words *w, const struct options *o, const struct cargo_choice *choice)
{
	const struct cargo_options *c = &o->cargo;
	add_program(w);
	add_goal(w, c);
	add_value(w, "--package", choice->package);
	add_target(w, choice);
	add_value(w, "--target", c->target);
	add_value(w, "--manifest-path", c->manifest_path);
	add_value(w, "--features", c->features);
	add_flag(w, "--all-features", c->all_features);
	add_flag(w, "--no-default-features", c->no_default_features);
	add_flag(w, "--quiet", o->quiet);
	words_add(w, "--message-format=json-render-diagnostics");
}

const char *cargo_profile(const struct cargo_options *c)
{
	if (c->profile)
		return c->profile;
	return c->dev ? "dev" : is_bench(c) ? "bench" : "release";
}
