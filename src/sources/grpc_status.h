/*
 * grpc_status.h - the status of an answer of gRPC: that of HTTP is 200 for most errors, too.
 *
 *	grpc-status: 5
 *	grpc-message: no%20such%20label
 */
#ifndef SOURCES_GRPC_STATUS_H
#define SOURCES_GRPC_STATUS_H

#include <stdbool.h>

#include "base/err.h"
#include "base/slice.h"
#include "sources/talk.h"

/*
 * Looks for the status in lines of headers. *has_status is set if it is there; false: it is an error, err says
 * which.
 */
bool grpc_status_read(const struct talk *, struct slice lines, bool *has_status, struct err *err);
/* Is there no error in the headers of the last answer? false: err. */
bool grpc_status_is_good(const struct talk *, struct err *err);

#endif
