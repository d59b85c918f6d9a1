/*
 * profile.c - profiles: their inputs, reading them, and what was read.
 *
 * Bytes that are in memory, or come from a function, go into a file without a name first: formats read ahead, seek,
 * or hand the file to other programs.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/memory_file.h"
#include "base/scratch.h"
#include "base/write_all.h"
#include "lib/inside.h"
#include "lib/lib.h"
#include "notes.h"

#define PIECE ((size_t)64 << 10)

/* ---- profiles as such ---------------------------------------------------------------------------------------- */

static void init(struct call *c)
{
	struct flametop_profile *p = c->profile;
	options_init(&p->own);
	p->options = &p->own;
	profile_init(&p->profile);
	display_init(&p->display, &p->profile.symtab, UTF8_CLEAN_UTF8, false);
}

struct flametop_profile *flametop_profile_new(void)
{
	struct flametop_profile *p = guard_keep(sizeof *p);
	if (!p)
		return NULL;
	p->guard = guard_new();
	struct call c = {.profile = p};
	if (p->guard && call_run(&c, init) == FLAMETOP_OK)
		return p;
	guard_free(p->guard);
	guard_release(p);
	return NULL;
}

struct flametop_profile *inside_profile(struct options *o, struct load_input *inputs, size_t n, bool is_interactive)
{
	struct flametop_profile *p = flametop_profile_new();
	if (p) {
		p->is_of_program = true;
		p->options = o;
		p->inputs = inputs;
		p->n_inputs = n;
		p->is_interactive = is_interactive;
	}
	return p;
}

struct profile *inside_read(struct flametop_profile *p)
{
	return &p->profile;
}

/* NULL: the input is a file. */
static struct source_of_bytes *bytes_of(const struct load_input *in)
{
	return in->fetcher ? in->fetcher->arg : NULL;
}

/* After loading, bytes are of no use. The fetcher stays, which tells the input from a file. */
static void drop_bytes(struct flametop_profile *p)
{
	for (size_t i = 0; i < p->n_inputs; i++) {
		struct source_of_bytes *s = bytes_of(&p->inputs[i]);
		if (!s)
			continue;
		free((char *)(uintptr_t)s->bytes);
		s->bytes = NULL;
	}
}

static void free_inputs(struct flametop_profile *p)
{
	drop_bytes(p);
	for (size_t i = 0; i < p->n_inputs; i++) {
		free(bytes_of(&p->inputs[i]));
		free((char *)(uintptr_t)p->inputs[i].path);
	}
	free(p->inputs);
}

static void deinit(struct call *c)
{
	struct flametop_profile *p = c->profile;
	guard_block_sigpipe();
	if (p->needs)
		lines_needs_end(p->options, p->needs);
	display_deinit(&p->display);
	profile_deinit(&p->profile);
	if (!p->is_of_program)
		free_inputs(p);
	options_deinit(&p->own);
	settings_deinit(&p->settings);
}

void flametop_profile_free(struct flametop_profile *p)
{
	struct call c = {.profile = p};
	if (!p)
		return;
	if (call_run(&c, deinit) == FLAMETOP_USAGE) /* it is in use */
		return;
	guard_free(p->guard);
	guard_release(p);
}

const char *flametop_profile_error(const struct flametop_profile *p)
{
	return p ? p->err.text : "out of memory";
}

void flametop_profile_on_note(struct flametop_profile *p, flametop_note *note, void *arg)
{
	if (p)
		guard_on_note(p->guard, note, arg);
}

/* ---- before loading ------------------------------------------------------------------------------------------ */

static bool is_empty(struct call *c)
{
	if (c->profile->state == PROFILE_EMPTY)
		return true;
	call_fail(c, FLAMETOP_USAGE, "the profile has been read already");
	return false;
}

struct set_call {
	struct call c;
	const char *name, *value;
};

static void set(struct call *c)
{
	struct set_call *a = (struct set_call *)c;
	struct flametop_profile *p = c->profile;
	if (is_empty(c) && !settings_set(&p->settings, FLAMETOP_READING, a->name ? a->name : "", a->value, &p->err))
		call_failed(c, FLAMETOP_USAGE);
}

int flametop_profile_set(struct flametop_profile *p, const char *name, const char *value)
{
	struct set_call a = {{.profile = p}, name, value};
	return call_run(&a.c, set);
}

struct add_call {
	struct call c;
	const char *path;
	enum flametop_side side;
	const void *bytes;
	size_t n;
	flametop_read *read;
	void *arg;
	bool lacks_read; /* it is a function that should read, and there is none */
};

/* Returns what read() or `bytes` has, at most n; below 0: it failed. */
static ptrdiff_t take_bytes(struct source_of_bytes *s, size_t at, void *room, size_t n)
{
	if (!s->bytes)
		return s->read(s->arg, room, n);
	n = s->n - at < n ? s->n - at : n;
	memcpy(room, s->bytes + at, n);
	return (ptrdiff_t)n;
}

static bool spool(struct source_of_bytes *s, int fd, struct err *err)
{
	char *room = mem_alloc(PIECE);
	ptrdiff_t n;
	bool ok = true;
	for (size_t at = 0; ok && (n = take_bytes(s, at, room, PIECE)) != 0; at += (size_t)n) {
		if (n < 0 || (size_t)n > PIECE)
			ok = fail(err, "the function that reads it failed");
		else if (write_all(fd, room, (size_t)n) < (size_t)n)
			ok = fail_errno(err, "cannot keep it in a temporary file");
	}
	free(room);
	return ok && (lseek(fd, 0, SEEK_SET) == 0 || fail_errno(err, "cannot read it back"));
}

/* A struct load_fetcher. */
static int fetch(void *arg, const atomic_bool *stop, struct err *err)
{
	(void)stop;
	int fd = memory_file_open("flametop-input");
	if (fd < 0)
		fd = scratch_open(err);
	if (fd < 0 || spool(arg, fd, err))
		return fd;
	close(fd);
	return -1;
}

static struct source_of_bytes *source_of(const struct add_call *a)
{
	struct source_of_bytes *s = mem_zalloc(1, sizeof *s);
	s->n = a->n;
	s->read = a->read;
	s->arg = a->arg;
	if (!a->read) {
		char *copy = mem_alloc(a->n);
		if (a->n)
			memcpy(copy, a->bytes, a->n);
		s->bytes = copy;
	}
	s->fetcher = (struct load_fetcher){.arg = s, .fetch = fetch};
	return s;
}

/* What the caller has not given, or given wrongly; NULL: nothing. */
static const char *what_lacks(const struct add_call *a)
{
	if (!a->path)
		return "the input has no name";
	if (a->lacks_read)
		return "the input has no function that reads it";
	if (a->side != FLAMETOP_NEW && a->side != FLAMETOP_BASELINE)
		return "the input is of no side";
	return NULL;
}

static void add(struct call *c)
{
	struct add_call *a = (struct add_call *)c;
	struct flametop_profile *p = c->profile;
	bool is_file = !a->read && !a->bytes;
	if (!is_empty(c))
		return;
	if (what_lacks(a)) {
		call_fail(c, FLAMETOP_USAGE, "%s", what_lacks(a));
		return;
	}
	struct load_input in = {.path = mem_strdup(a->path), .fd = -1, .side = (unsigned)a->side};
	if (!is_file)
		in.fetcher = &source_of(a)->fetcher;
	mem_push(p->inputs, p->n_inputs, p->cap_inputs, in);
}

int flametop_profile_add_file(struct flametop_profile *p, const char *path, enum flametop_side side)
{
	struct add_call a = {{.profile = p}, path, side, NULL, 0, NULL, NULL, false};
	return call_run(&a.c, add);
}

int flametop_profile_add_memory(struct flametop_profile *p, const char *name, const void *bytes, size_t n,
                                enum flametop_side side)
{
	struct add_call a = {{.profile = p}, name, side, bytes ? bytes : "", bytes ? n : 0, NULL, NULL, false};
	return call_run(&a.c, add);
}

int flametop_profile_add_callback(struct flametop_profile *p, const char *name, flametop_read *read, void *arg,
                                  enum flametop_side side)
{
	struct add_call a = {{.profile = p}, name, side, NULL, 0, read, arg, !read};
	return call_run(&a.c, add);
}

/* ---- loading ------------------------------------------------------------------------------------------------- */

/* What the caller has set becomes options; the program has its own. */
static bool take_settings(struct flametop_profile *p)
{
	if (p->is_of_program)
		return true;
	options_deinit(&p->own);
	options_init(&p->own);
	if (!settings_apply(&p->settings, &p->own, &p->err))
		return false;
	for (size_t i = 0; i < p->n_inputs; i++)
		if (p->inputs[i].side == 1) {
			p->own.diffs = mem_realloc(p->own.diffs, p->own.n_diffs + 1, sizeof *p->own.diffs);
			p->own.diffs[p->own.n_diffs++] = p->inputs[i].path;
		}
	p->is_interactive = true;
	p->needs = lines_needs_begin(&p->own, true);
	p->own.collapse.keeps_bundles = false; /* nothing would remove them */
	return true;
}

static bool read_inputs(struct flametop_profile *p)
{
	struct options *o = p->options;
	o->collapse.order = options_order(o, p->is_interactive);
	o->collapse.drops_labels = p->is_of_program && !options_need_labels(o);
	o->collapse.factor = o->export_.factor;
	o->collapse.may_fade = p->is_interactive;
	return load_all(&p->profile, p->inputs, p->n_inputs, &o->collapse, &p->err);
}

static void load(struct call *c)
{
	struct flametop_profile *p = c->profile;
	if (!is_empty(c))
		return;
	if (p->n_inputs == 0) {
		call_fail(c, FLAMETOP_USAGE, "the profile has no input");
		return;
	}
	p->state = PROFILE_FAILED;
	guard_block_sigpipe();
	if (!take_settings(p)) {
		call_failed(c, FLAMETOP_USAGE);
		return;
	}
	bool is_loaded = read_inputs(p);
	if (!p->is_of_program)
		drop_bytes(p);
	notes_say_profile(p->options, &p->profile);
	if (!is_loaded)
		call_failed(c, FLAMETOP_FAILED);
	else
		p->state = PROFILE_LOADED;
}

int flametop_profile_load(struct flametop_profile *p)
{
	struct call c = {.profile = p};
	return call_run(&c, load);
}
