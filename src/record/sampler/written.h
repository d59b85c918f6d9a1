/*
 * written.h - a recording on its way to a file or a pipe.
 */
#ifndef RECORD_SAMPLER_WRITTEN_H
#define RECORD_SAMPLER_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/output.h"
#include "record/sampler/backlog.h"
#include "record/sampler/records.h"

/* What to do if there is no room for the file that `flametop record` makes. */
#define WRITTEN_ADVICE " (TMPDIR may name another place; --call-graph=fp or a lower -F needs less)"
/* And what if the system's limit for the size of files is reached, which holds in any place. */
#define WRITTEN_LIMIT_ADVICE " (ulimit -f is the limit; --call-graph=fp or a lower -F needs less)"

struct written {
	const char *path; /* "-": standard output, in pipe layout; not owned */
	int fd;           /* -1: not open */
	struct growing growing;
	bool is_borrowed; /* fd was open before */
	bool is_pipe;     /* goes from front to back */
	bool is_changed;  /* our fd does not block, as others may expect it to */
	struct backlog backlog;
	uint64_t n_data;  /* bytes of records */
	bool has_waiting; /* records of the last round wait for the end of the next one */
	struct records_facts facts;
};

/* An existing file is renamed to PATH.old. */
bool written_open(struct written *, const char *path, struct err *err);
/* The header. Events and command line must outlive the recording. */
void written_begin(struct written *, const struct records_facts *);
/* Takes over the records of a round, and ends it if there is anything to put in order. The buffer is empty then. */
void written_round(struct written *, struct buf *round);
/* Writes what the reader takes without waiting. */
void written_flush(struct written *);
/* Tells in the header how much has been written: a recording may be cut off at any time. */
void written_size(struct written *);
/*
 * Writes all the rest. false with err: it cannot be written, or another program has cut the file off, removed or
 * renamed it. A reader of a pipe may leave, or be slow.
 */
bool written_end(struct written *, backlog_patience *, struct err *err);
/* The recording begins: it takes the place of the one before. false with err: it cannot, and that one is back. */
bool written_settle(struct written *, struct err *err);
/* Nothing is recorded: the file goes, and the one before comes back. */
void written_drop(struct written *);
/* Needs no open recording. */
void written_deinit(struct written *);

#endif
