/*
 * session.h - the state of a running recording. main() connects record/ and tui/ with it, which do not include each
 * other.
 */
#ifndef SESSION_H
#define SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct profile;

enum choosing {
	CHOOSING_BUSY,  /* call again */
	CHOOSING_ASKS,  /* there is another question */
	CHOOSING_DONE,  /* the input can be loaded */
	CHOOSING_FAILED /* err says why */
};

/* Zeroed: no recording, nothing known. Strings outlive it. */
struct session {
	void *recording;                    /* argument of the functions; these are NULL without a running recording */
	void (*interrupt)(void *recording); /* ends it, as Ctrl-C would */
	double (*cost)(void *recording);    /* processor seconds of the recording itself; below 0: unknown */
	/* Appends how the recorded program has ended, as "ended, status 3"; false: it runs. */
	bool (*outcome)(void *recording, struct buf *out);
	/* Lets the recorded command run on without us; false: it has ended. NULL: that is not possible. */
	bool (*detach)(void *recording);
	const char *command; /* the recorded command, which ends with us; NULL: it runs on, or there is none */
	bool is_only_copy;   /* the samples are stored nowhere */
	/* Advice about the recording from the samples so far; "" for none. A static string. */
	const char *(*advice)(void *recording, const struct profile *);
	const char *advised; /* outcome of taking the advice; NULL: none yet */
	const char *notes;   /* a line about gaps known before the recording began; NULL: none */
	/*
	 * The viewer asks which of these to load, and calls choose() with its index, then choosing() whenever a byte
	 * comes from wake_fd: what was chosen may lead to another question. n_choices = 0: it does not ask.
	 */
	const char *const *choices;    /* clean */
	const uint64_t *choice_values; /* their weights; NULL: they have none */
	size_t n_choices;
	const char *question; /* not clean */
	void (*choose)(void *chooser, size_t index, int wake_fd);
	enum choosing (*choosing)(void *chooser, struct err *err);
	void (*stop_choosing)(void *chooser); /* once the viewer ends */
	void *chooser;
	bool has_samples; /* samples were read from it, even if they were dropped later */
};

#endif
