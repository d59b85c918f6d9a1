/*
 * cargo.c - builds the program that `cargo flametop` records.
 *
 *	options -> [cargo metadata -> the only target that fits] -> cargo build -> messages -> the program's path
 *
 * Cargo's standard error is ours, so its progress, warnings and errors appear as usual. The program runs in our
 * working directory and environment, as with cargo flamegraph.
 */
#include "record/cargo.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/family.h"
#include "base/mem.h"
#include "base/temporary.h"
#include "record/cargo_messages.h"
#include "record/cargo_notes.h"
#include "record/cargo_words.h"
#include "record/guard.h"

enum { DONE, FAILED, USAGE };

/* ---- cargo as a child ---------------------------------------------------------------------------------------- */

/* Reads until all writers have closed the pipe. */
static bool read_all(int fd, struct buf *out, struct err *err)
{
	ssize_t got;
	do {
		got = read(fd, buf_reserve(out, PIPE_BUF), PIPE_BUF);
		out->len += got > 0 ? (size_t)got : 0;
	} while (got > 0 || (got < 0 && errno == EINTR));
	return got == 0 || fail_errno(err, "cannot read the output of cargo");
}

static int wait_for(pid_t child)
{
	int status = 0;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* The exit status for cargo's, which has said itself what is wrong. */
static int pass_on(int status, const struct words *w, struct err *err)
{
	if (WIFSIGNALED(status)) {
		fail(err, "cargo %s was ended by signal %d (%s)", w->v[1], WTERMSIG(status), strsignal(WTERMSIG(status)));
		return 128 + WTERMSIG(status);
	}
	if (status != 0)
		fail(err, "cargo %s failed with status %d: nothing is recorded", w->v[1], WEXITSTATUS(status));
	return WEXITSTATUS(status);
}

struct running {
	struct family family;
	struct guard guard; /* ends cargo and its compilers if we are gone */
	pid_t child;
	int slot;
};

/* Starts cargo, which finds nothing to read. Returns a descriptor with its standard output; -1: failed. */
static int start_cargo(struct running *r, const struct words *w, struct err *err)
{
	int ends[2];
	if (!words_is_program(w->v[0])) {
		fail(err, "%s: command not found (CARGO in the environment names another cargo)", w->v[0]);
		return -1;
	}
	if (!descriptor_pipe(ends)) {
		fail_errno(err, "cannot make a pipe");
		return -1;
	}
	const struct streams streams = {STREAM_NONE, ends[1], STREAM_SAME, false, NULL};
	bool is_good = guard_spawn(&r->guard, &r->family, w, &streams, &r->child, &r->slot, err);
	close(ends[1]);
	if (is_good)
		return ends[0];
	close(ends[0]);
	return -1;
}

/* Runs cargo and collects its standard output. Returns 0 or the exit status. */
static int run_cargo(const struct options *o, const struct words *w, struct buf *out, struct err *err)
{
	struct running r = {0};
	if (o->record.verbose)
		words_say(w);
	int fd = start_cargo(&r, w, err);
	if (fd < 0) {
		family_deinit(&r.family);
		return FAILED;
	}
	bool is_read = read_all(fd, out, err);
	close(fd);
	int status = wait_for(r.child);
	guard_end(&r.guard);
	family_deinit(&r.family);
	temporary_forget(r.slot);
	return is_read ? pass_on(status, w, err) : FAILED;
}

/* ---- which target -------------------------------------------------------------------------------------------- */

static bool has_harness(const struct cargo_options *c)
{
	return c->unit_test || c->unit_bench;
}

/* What the options look for; the name is NULL if the only target is meant. */
static struct cargo_choice wanted(const struct cargo_options *c)
{
	const char *unit = c->unit_test ? c->unit_test : c->unit_bench;
	struct cargo_choice choice = {CARGO_BIN, c->bin, c->package, has_harness(c)};
	if (unit)
		choice.name = *unit ? unit : NULL;
	if (unit)
		choice.kinds = c->unit_kind == UNIT_LIB   ? CARGO_LIB
		               : c->unit_kind == UNIT_BIN ? CARGO_BIN
		                                          : CARGO_LIB | CARGO_BIN;
	else if (c->example)
		choice = (struct cargo_choice){CARGO_EXAMPLE, c->example, c->package, false};
	else if (c->test)
		choice = (struct cargo_choice){CARGO_TEST, c->test, c->package, false};
	else if (c->bench)
		choice = (struct cargo_choice){CARGO_BENCH, c->bench, c->package, false};
	return choice;
}

/* The directory of the nearest Cargo.toml, with a slash at the end; NULL: there is none. The caller frees it. */
static char *find_root(const char *manifest_path)
{
	char *path = realpath(manifest_path ? manifest_path : ".", NULL), *root = NULL;
	struct buf file;
	buf_init(&file);
	for (char *end = path ? path + strlen(path) : NULL; end && !root; end = strrchr(path, '/')) {
		*end = '\0';
		file.len = 0;
		buf_addf(&file, "%s/Cargo.toml", strcmp(path, "/") == 0 ? "" : path);
		if (access(buf_str(&file), F_OK) == 0)
			root = mem_strndup(file.data, file.len - strlen("Cargo.toml"));
	}
	buf_deinit(&file);
	free(path);
	return root;
}

static bool is_below(const char *manifest, const char *root)
{
	char *path = realpath(manifest, NULL);
	bool is_inside = path && strncmp(path, root, strlen(root)) == 0;
	free(path);
	return is_inside;
}

/* A library's name has '_' where its package's has '-'. */
static bool is_named(const struct cargo_target *t, const char *name)
{
	const char *p = t->name;
	while (*p && (*p == *name || (*p == '_' && *name == '-')))
		p++, name++;
	return !*p && !*name;
}

/* Is it one of those that the options can mean? The package's default-run decides only where no name was given. */
static bool fits(const struct cargo_target *t, const struct cargo_choice *choice, const char *root)
{
	if (!(t->kinds & choice->kinds) || (choice->name && !is_named(t, choice->name)))
		return false;
	if (!choice->name && (choice->kinds & CARGO_BIN) && t->default_run && strcmp(t->name, t->default_run) != 0)
		return false;
	return choice->package ? strcmp(t->package, choice->package) == 0 : !root || is_below(t->manifest, root);
}

static const char *word_of(unsigned kinds)
{
	return kinds == CARGO_LIB       ? "lib"
	       : kinds == CARGO_BIN     ? "bin"
	       : kinds == CARGO_EXAMPLE ? "example"
	       : kinds == CARGO_TEST    ? "test"
	       : kinds == CARGO_BENCH   ? "bench"
	                                : "lib or bin";
}

static const char *how_to_choose(const struct cargo_options *c)
{
	return c->unit_test    ? "--unit-test=NAME, --unit-test-kind and -p"
	       : c->unit_bench ? "--unit-bench=NAME, --unit-test-kind and -p"
	                       : "--bin, --example, --test, --bench, --unit-test and -p";
}

static void add_candidate(struct buf *out, const char *kind, const char *name, const char *package)
{
	buf_addf(out, "%s%s '%s' of package '%s'", out->len ? ", " : "", kind, name, package);
}

/* Fills in the choice from the targets that fit, which must be one. */
static int take_only(const struct options *o, const struct cargo_targets *list, struct cargo_choice *choice,
                     struct err *err)
{
	char *root = find_root(o->cargo.manifest_path);
	struct cargo_choice looked_for = *choice;
	struct buf found;
	size_t n = 0;
	buf_init(&found);
	for (size_t i = 0; i < list->n; i++) {
		const struct cargo_target *t = &list->v[i];
		if (!fits(t, &looked_for, root))
			continue;
		choice->kinds = t->kinds & CARGO_LIB ? CARGO_LIB : t->kinds;
		choice->name = t->name;
		choice->package = t->package;
		add_candidate(&found, word_of(choice->kinds), t->name, t->package);
		n++;
	}
	if (n == 0)
		fail(err, "there is no %s%s%s to record here (%s choose another)", word_of(looked_for.kinds),
		     looked_for.name ? " " : "", looked_for.name ? looked_for.name : "", how_to_choose(&o->cargo));
	else if (n > 1)
		fail(err, "there are several programs to record: %s (%s choose one)", buf_str(&found),
		     how_to_choose(&o->cargo));
	buf_deinit(&found);
	free(root);
	return n == 1 ? DONE : USAGE;
}

/* Cargo itself finds a program by its name; the target of tests inside it, or the only program, is to be found. */
static int choose(struct options *o, struct cargo_choice *choice, struct err *err)
{
	struct cargo_targets list = {NULL, 0, 0};
	struct words w;
	struct buf out;
	*choice = wanted(&o->cargo);
	if (choice->name && !choice->has_harness)
		return DONE;
	words_init(&w);
	buf_init(&out);
	cargo_metadata_words(&w, o);
	int status = run_cargo(o, &w, &out, err);
	if (status == DONE && !cargo_read_targets(&list, &o->arena, out.data, out.len, err))
		status = FAILED;
	if (status == DONE)
		status = take_only(o, &list, choice, err);
	free(list.v);
	buf_deinit(&out);
	words_deinit(&w);
	return status;
}

/* ---- which program ------------------------------------------------------------------------------------------- */

/* A library or binary may be there with its tests inside and without. */
static bool is_chosen(const struct cargo_artifact *a, const struct cargo_choice *choice)
{
	bool is_twofold = choice->kinds & (CARGO_LIB | CARGO_BIN);
	return a->executable && a->kinds & choice->kinds && strcmp(a->name, choice->name) == 0 &&
	       (!is_twofold || a->has_harness == choice->has_harness);
}

/* Several packages may have a target of one name. */
static int find_program(const struct cargo_artifacts *list, const struct cargo_choice *choice,
                        const struct cargo_artifact **found, struct err *err)
{
	struct buf names;
	size_t n = 0;
	buf_init(&names);
	*found = NULL;
	for (size_t i = 0; i < list->n; i++) {
		const struct cargo_artifact *a = &list->v[i];
		if (!is_chosen(a, choice) || (*found && strcmp((*found)->executable, a->executable) == 0))
			continue;
		*found = a;
		add_candidate(&names, word_of(choice->kinds), a->name, a->package);
		n++;
	}
	if (n == 0)
		fail(err, "cargo has built no program for %s '%s'", word_of(choice->kinds), choice->name);
	else if (n > 1)
		fail(err, "there are several programs to record: %s (-p chooses one)", buf_str(&names));
	buf_deinit(&names);
	return n == 0 ? FAILED : n > 1 ? USAGE : DONE;
}

/* Benchmarks inside a library run only if their harness is told. */
static void put_command(struct options *o, const char *program)
{
	char **arguments = o->cargo.arguments;
	size_t n = 0;
	while (arguments && arguments[n])
		n++;
	char **command = arena_alloc(&o->arena, (n + 3) * sizeof *command);
	command[0] = arena_bytes(&o->arena, program, strlen(program));
	for (size_t i = 0; i < n; i++)
		command[i + 1] = arguments[i];
	command[n + 1] = o->cargo.unit_bench ? arena_bytes(&o->arena, "--bench", 7) : NULL;
	command[n + 2] = NULL;
	o->record.command = command;
}

static int build(struct options *o, const struct cargo_choice *choice, struct err *err)
{
	struct cargo_artifacts list = {NULL, 0, 0};
	const struct cargo_artifact *found = NULL;
	struct words w;
	struct buf out;
	words_init(&w);
	buf_init(&out);
	cargo_build_words(&w, o, choice);
	int status = run_cargo(o, &w, &out, err);
	if (status == DONE) {
		cargo_read_artifacts(&list, &o->arena, out.data, out.len);
		status = find_program(&list, choice, &found, err);
	}
	if (status == DONE) {
		cargo_say_advice(o, found);
		put_command(o, found->executable);
	}
	free(list.v);
	buf_deinit(&out);
	words_deinit(&w);
	return status;
}

int cargo_build(struct options *o)
{
	struct cargo_choice choice;
	struct err err = {""};
	int status = choose(o, &choice, &err);
	if (status == DONE)
		status = build(o, &choice, &err);
	if (status != DONE)
		err_print(err.text);
	return status;
}
