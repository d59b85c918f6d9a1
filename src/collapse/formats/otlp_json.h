/*
 * otlp_json.h - turns an OpenTelemetry profile as JSON into the same message as protocol buffers.
 */
#ifndef COLLAPSE_FORMATS_OTLP_JSON_H
#define COLLAPSE_FORMATS_OTLP_JSON_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "collapse/text/json_doc.h"

/*
 * Length of the document with which the text begins, an object; n if it does not end, or *stop is set (NULL:
 * never). JSON of several documents is what the file exporter of OpenTelemetry's collector writes.
 */
size_t otlp_json_length(const char *text, size_t n, const atomic_bool *stop);
/*
 * Appends one document as a message. Fields that profiles do not have are left out. An element of a list that is of
 * the wrong kind becomes an empty one; *odd counts these. false: err, also once *stop is set (NULL: never).
 */
bool otlp_json_add(struct buf *out, const char *text, size_t n, const atomic_bool *stop, struct json_odd *odd,
                   struct err *err);

#endif
