/*
 * grpc_status.c - the status of an answer of gRPC.
 */
#include "sources/grpc_status.h"

#include "base/hex.h"
#include "base/number.h"
#include "sources/http_header.h"

static const char *name_of(uint64_t status)
{
	static const char *const names[] = {
		"ok",        "cancelled",       "unknown",           "invalid argument",   "deadline exceeded",
		"not found", "already exists",  "permission denied", "resource exhausted", "failed precondition",
		"aborted",   "out of range",    "unimplemented",     "internal",           "unavailable",
		"data loss", "unauthenticated",
	};
	return status < sizeof names / sizeof *names ? names[status] : "no known status";
}

/* "no%20such%20label" */
static void add_message(struct buf *out, const struct secrets *secrets, struct slice text)
{
	struct buf plain;
	buf_init(&plain);
	for (const char *p = text.s, *end = p + text.n; p < end;)
		buf_addc(&plain, hex_take_percent(&p, end));
	secrets_add_said(out, secrets, plain.data, plain.len, SECRETS_MOST_SAID);
	buf_deinit(&plain);
}

static bool judge(const struct talk *t, struct slice status, struct slice message, struct err *err)
{
	struct buf text;
	uint64_t v;
	if (!slice_u64(status, &v))
		return fail(err, "the server answers with a status of gRPC that is no number");
	if (v == 0)
		return true;
	buf_init(&text);
	add_message(&text, &t->secrets, message);
	fail(err, "the server answers: %s%s(%s)", buf_str(&text), text.len ? " " : "", name_of(v));
	buf_deinit(&text);
	return false;
}

bool grpc_status_read(const struct talk *t, struct slice text, bool *has_status, struct err *err)
{
	struct slice status, message = {"", 0};
	if (!http_header_find(text, "grpc-status", &status))
		return true;
	*has_status = true;
	http_header_find(text, "grpc-message", &message);
	return judge(t, status, message, err);
}

bool grpc_status_is_good(const struct talk *t, struct err *err)
{
	bool has_status = false;
	return grpc_status_read(t, (struct slice){t->heads.data ? t->heads.data : "", t->heads.len}, &has_status, err);
}
