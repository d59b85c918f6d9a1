/*
 * answer.h - tells a good answer of a service from an error that comes as one.
 */
#ifndef SOURCES_ANSWER_H
#define SOURCES_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

struct secrets;
struct talk;

/*
 * Appends what {"code":"not_found","message":"no such tenant"} says, without secrets; false: it is no such object.
 * Any bytes will do.
 */
bool answer_explain(struct buf *out, const struct secrets *, const char *said, size_t n);

/*
 * Does the last answer say that it is of this type, a prefix of its Content-Type? false: err says what came
 * instead; of an error in JSON, what that says. said: the answer's beginning.
 */
bool answer_is(const struct talk *, const char *type, const char *said, size_t n, struct err *err);
/* The same for an answer in a file. */
bool answer_file_is(const struct talk *, const char *type, int fd, struct err *err);

/*
 * For plain HTTP, whose answers may have any type: does the last answer not say itself that it is an error, by
 * application/problem+json or a status of gRPC in its headers? false: err has what it says.
 */
bool answer_is_good(const struct talk *, const char *said, size_t n, struct err *err);
bool answer_file_is_good(const struct talk *, int fd, struct err *err);

#endif
