/*
 * grpc_web.c - one request and one answer of gRPC over plain HTTP.
 *
 *	0x00 LENGTH MESSAGE    data; the length has four bytes, the highest first
 *	0x80 LENGTH TEXT       "grpc-status: 5\r\ngrpc-message: not found\r\n", the end of each answer
 *
 * The status of HTTP is 200 also for most errors: what counts is grpc-status, which comes with the headers instead
 * if there is no message. An answer without it is incomplete.
 *
 * A message can be large, so it stays in its file.
 */
#include "sources/grpc_web.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/slice.h"
#include "base/wire.h"
#include "sources/answer.h"
#include "sources/grpc_status.h"

#define TYPE "application/grpc-web"
#define FRAME_HEAD 5u
#define FRAME_TRAILER 0x80u
#define FRAME_PACKED 0x01u
#define MOST_TRAILER (64u << 10)
#define FIELD_HEAD 20u /* most bytes of a field's key and length, or of its key and number */

void grpc_web_add_frame(struct buf *out, const struct buf *message)
{
	buf_addc(out, 0);
	for (int shift = 24; shift >= 0; shift -= 8)
		buf_addc(out, (char)(message->len >> shift));
	buf_add(out, message->data, message->len);
}

struct request grpc_web_request(const struct buf *frame)
{
	static const char *const headers[] = {"Content-Type: " TYPE "+proto", "Accept: " TYPE "+proto", "X-Grpc-Web: 1",
	                                      NULL};
	return (struct request){
		.headers = headers, .body = frame->data, .n_body = frame->len, .explain = answer_explain};
}

/* ---- frames -------------------------------------------------------------------------------------------------- */

static bool fail_frame(struct err *err)
{
	return fail(err, "the server's answer cannot be read: its frames of gRPC are wrong");
}

static bool read_at(int fd, void *bytes, size_t n, uint64_t at)
{
	return pread(fd, bytes, n, (off_t)at) == (ssize_t)n;
}

static bool judge_trailer(const struct talk *t, int fd, struct range r, bool *has_status, struct err *err)
{
	struct buf text;
	if (r.n > MOST_TRAILER)
		return fail_frame(err);
	buf_init(&text);
	bool is_read = read_at(fd, buf_reserve(&text, (size_t)r.n + 1), (size_t)r.n, r.at);
	text.len = is_read ? (size_t)r.n : 0;
	bool is_good =
		is_read ? grpc_status_read(t, (struct slice){text.data, text.len}, has_status, err) : fail_frame(err);
	buf_deinit(&text);
	return is_good;
}

/* Takes the frame at r->at off, which ends within the file. */
static bool take_frame(const struct talk *t, int fd, struct range *file, struct range *message, bool *has_message,
                       bool *has_status, struct err *err)
{
	unsigned char head[FRAME_HEAD];
	if (file->n < FRAME_HEAD || !read_at(fd, head, FRAME_HEAD, file->at))
		return fail_frame(err);
	uint64_t n = (uint64_t)head[1] << 24 | (uint64_t)head[2] << 16 | (uint64_t)head[3] << 8 | head[4];
	struct range frame = {file->at + FRAME_HEAD, n};
	if (n > file->n - FRAME_HEAD || (head[0] & FRAME_PACKED) || *has_status)
		return fail_frame(err);
	file->at += FRAME_HEAD + n;
	file->n -= FRAME_HEAD + n;
	if (head[0] & FRAME_TRAILER)
		return judge_trailer(t, fd, frame, has_status, err);
	if (*has_message)
		return fail_frame(err);
	*has_message = true;
	*message = frame;
	return true;
}

bool grpc_web_read(const struct talk *t, int fd, struct range *message, struct err *err)
{
	struct stat info;
	bool has_message = false, has_status = false, ends_early = false;
	if (!answer_file_is(t, TYPE, fd, err) ||
	    !grpc_status_read(t, (struct slice){t->heads.data ? t->heads.data : "", t->heads.len}, &ends_early, err))
		return false;
	if (fstat(fd, &info) != 0)
		return fail_errno(err, "the answer cannot be read again");
	struct range file = {0, (uint64_t)info.st_size};
	*message = (struct range){0, 0};
	while (file.n > 0)
		if (!take_frame(t, fd, &file, message, &has_message, &has_status, err))
			return false;
	if (!has_status && !ends_early)
		return fail(err, "the server's answer is incomplete: it ends without a status of gRPC");
	return has_message || fail(err, "the server's answer is empty");
}

/* ---- fields -------------------------------------------------------------------------------------------------- */

/* Bytes of the field that begins here, of which some may be elsewhere; 0: it is none. */
static uint64_t size_of_field(struct slice s)
{
	struct slice rest = s;
	struct wire_field f;
	bool is_bad;
	return wire_take_field(&rest, &f, &is_bad) ? s.n - rest.n : wire_field_size(s);
}

bool grpc_web_find(int fd, struct range message, uint32_t field, struct range *value)
{
	bool is_found = false;
	while (message.n > 0) {
		char head[FIELD_HEAD];
		size_t n = message.n < FIELD_HEAD ? (size_t)message.n : FIELD_HEAD;
		uint64_t key;
		if (!read_at(fd, head, n, message.at))
			return false;
		struct slice s = {head, n};
		uint64_t size = size_of_field(s);
		if (!size || size > message.n || !wire_take_varint(&s, &key))
			return false;
		if (key >> 3 == field && (key & 7) == WIRE_BYTES) {
			uint64_t length;
			wire_take_varint(&s, &length);
			*value = (struct range){message.at + (n - s.n), length};
			is_found = true;
		}
		message.at += size;
		message.n -= size;
	}
	return is_found;
}
