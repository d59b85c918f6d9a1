/*
 * message.h - adds file and line to messages: "line 12: what" becomes "FILE:12: what"; hides credentials in them.
 */
#ifndef COLLAPSE_LOAD_MESSAGE_H
#define COLLAPSE_LOAD_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "collapse/load/load.h"

/* The part of the message after "line N", from the colon on, and N; NULL: it names no line. */
const char *message_after_line(const struct err *, uint64_t *line);
/* Puts the file's name in front unless it is there already. Returns false; err may be NULL. */
bool message_in_file(struct err *, const char *name);
/* The same with the file's base name only, for a short note whose full path is shown elsewhere. */
void message_in_file_briefly(struct err *, const char *name);
/* Blots credentials out of messages that quote an answer of a server. err may be NULL. */
void message_hide(const struct load_fetcher *, struct report *, struct err *);

#endif
