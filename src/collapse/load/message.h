/*
 * message.h - messages get the file and the line that they are about: "line 12: what" becomes "FILE:12: what".
 */
#ifndef COLLAPSE_LOAD_MESSAGE_H
#define COLLAPSE_LOAD_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* What follows "line N" in the message, from the colon on, and N; NULL: it names no line. */
const char *message_after_line(const struct err *, uint64_t *line);
/* Puts the file's name in front, unless it is there. Returns false; err may be NULL. */
bool message_in_file(struct err *, const char *name);
/* The same without directories, for a note that has room for few words and says the whole path elsewhere. */
void message_in_file_briefly(struct err *, const char *name);

#endif
