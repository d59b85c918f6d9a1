/*
 * debuginfod.h - fetches programs and debug information by build id from debuginfod servers.
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

/* *stop ends a transfer soon; it may be NULL, and must outlive the client. NULL: err says what is missing. */
struct debuginfod *debuginfod_open(const atomic_bool *stop, struct err *err);
void debuginfod_close(struct debuginfod *); /* NULL is fine */

enum debuginfod_kind { DEBUGINFOD_DEBUG, DEBUGINFOD_PROGRAM };

/*
 * Fetches a file by the build id of `name`, a path for messages. Returns the path of the copy, which the caller
 * frees; NULL: no server has it, or the transfer failed or was stopped.
 */
char *debuginfod_fetch(struct debuginfod *, enum debuginfod_kind, const uint8_t *build_id, size_t n,
                       const char *name);

#endif
