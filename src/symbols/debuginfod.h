/*
 * debuginfod.h - fetches programs, debug information and sources by build id from debuginfod servers.
 *
 * Only with --debuginfod: a server may be slow and learns which programs were recorded. DEBUGINFOD_URLS names the
 * servers. libdebuginfod (elfutils), loaded when it is needed, keeps what it fetched in ~/.cache/debuginfod_client.
 *
 * For one thread.
 */
#ifndef SYMBOLS_DEBUGINFOD_H
#define SYMBOLS_DEBUGINFOD_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/err.h"

struct debuginfod;

/*
 * *stop ends a transfer soon; it may be NULL, and must outlive the client, or be replaced. report: gets notes on
 * failures, other than that a server lacks a file; may be NULL. NULL: err says what is missing.
 */
struct debuginfod *debuginfod_open(const atomic_bool *stop, struct report *report, struct err *err);
void debuginfod_close(struct debuginfod *); /* NULL is fine */
/* From now on, this one ends a transfer. */
void debuginfod_follow(struct debuginfod *, const atomic_bool *stop);

enum debuginfod_kind { DEBUGINFOD_DEBUG, DEBUGINFOD_PROGRAM };

/*
 * Fetches a file by the build id of `name`, a path for messages. Returns the path of the copy, which the caller
 * frees; NULL: no server has it, or the transfer failed or was stopped.
 */
char *debuginfod_fetch(struct debuginfod *, enum debuginfod_kind, const uint8_t *build_id, size_t n,
                       const char *name);
/*
 * The same for a source file of a program; `source` is its absolute path as in the debug information. NULL with
 * err: it failed, as for a file larger than SOURCE_MOST (base/source_text.h).
 */
char *debuginfod_fetch_source(struct debuginfod *, const uint8_t *build_id, size_t n, const char *source,
                              struct err *);

#endif
