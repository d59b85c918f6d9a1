/*
 * lib.h - what is behind the handles of flametop.h, for the files of this directory.
 *
 * A call runs in the guard of its profile: call_run() calls a body, which gets the call's arguments after a struct
 * call. What a body allocates, the guard frees if memory runs out; the handles themselves stay, so that they can be
 * freed.
 */
#ifndef LIB_LIB_H
#define LIB_LIB_H

#include <flametop.h>
#include <stdbool.h>

#include "base/err.h"
#include "collapse/load/load.h"
#include "lib/guard.h"
#include "lib/settings.h"
#include "lines_options.h"
#include "model/diff.h"
#include "model/profile.h"
#include "model/view.h"
#include "options.h"

/* Where the bytes of an input come from that is no file. */
struct source_of_bytes {
	const char *bytes; /* owned, n bytes; NULL: read() has them, or they have been read */
	size_t n;
	flametop_read *read;
	void *arg;
	struct load_fetcher fetcher;
};

struct flametop_profile {
	struct guard *guard;
	struct err err; /* of the last call */
	bool is_broken; /* `err` says so */

	bool is_of_program;        /* options and inputs are those of the program */
	struct settings settings;  /* of reading */
	struct options own;        /* made from them */
	struct options *options;   /* own, or the program's */
	struct load_input *inputs; /* n_inputs; owned with the texts in them, or the program's */
	size_t n_inputs, cap_inputs;
	bool is_interactive; /* other views may be asked for later */

	enum { PROFILE_EMPTY, PROFILE_LOADED, PROFILE_FAILED } state;
	struct profile profile;
	struct display display;    /* of threads and events */
	struct lines_needs *needs; /* NULL: none, or the program's */
};

struct flametop_view {
	struct flametop_profile *profile;
	struct settings settings;
	struct options own, *options; /* as above, with the settings of the profile */
	bool has_view, is_made;       /* `view` is initialised; its tree is what the options ask for */
	struct view view;
	uint32_t *depths; /* of nodes; NULL: not computed yet, as all below */
	struct name_sum *functions;
	size_t n_functions;
	struct diff_table *differences;
};

/* The beginning of a call's arguments. */
struct call {
	struct flametop_profile *profile;
	int status; /* the result; set to FLAMETOP_OK */
	void (*body)(struct call *);
};

/*
 * Runs the body in the profile's guard, after clearing its error, and returns the status. profile NULL:
 * FLAMETOP_USAGE.
 */
int call_run(struct call *, void (*body)(struct call *));
/* Sets the status to return; the profile's error is set already. */
void call_failed(struct call *, int status);
/* Sets both: call_fail(call, status, format, ...), as fail(). */
#define call_fail(call, status, ...) (fail(&(call)->profile->err, __VA_ARGS__), call_failed(call, status))

/* What calls check; false: the call has failed, and the error says why. */
bool call_is_loaded(struct call *);                                      /* the profile has been read */
bool call_has_place(struct call *, const void *to);                      /* for the result */
bool call_is_below(struct call *, size_t i, size_t n, const char *what); /* there is an i-th of n: "node" */
/* Fills the caller's structure as lib_fill() does. The call fails if that does. */
void call_give(struct call *, void *to, const void *filled, size_t size);

/*
 * Copies `size` bytes of a filled structure, or as many as the caller's structure has room for. false: that says no
 * size, or is NULL.
 */
bool lib_fill(void *to, const void *filled, size_t size);

/* Makes the view's tree if it is not there. false: call->status says why. */
bool view_is_made(struct call *, struct flametop_view *);

#endif
