/*
 * http_request.c - reads requests of HTTP/1.1 that push profiles.
 *
 *	POST /v1development/profiles HTTP/1.1
 *	Host: 127.0.0.1:4318
 *	Content-Type: application/x-protobuf
 *	Content-Encoding: gzip
 *	Content-Length: 1234
 *
 *	(1234 bytes)
 *
 * A web page can make the browser of whoever visits it send requests to this machine. Such a request has the header
 * Origin, or a type of content that is not one of ours, and either is refused.
 */
#include "sources/http_request.h"

#include <string.h>

#include "base/slice.h"
#include "sources/http_header.h"

#define LINE_MOST 8192u
#define CHUNK_LINE_MOST 256u

enum part { PART_SIZE, PART_BYTES, PART_END, PART_TRAILER }; /* of a chunked body */

enum header {
	HEADER_HOST = 1 << 0,
	HEADER_TYPE = 1 << 1,
	HEADER_ENCODING = 1 << 2,
	HEADER_LENGTH = 1 << 3,
	HEADER_CHUNKED = 1 << 4,
	HEADER_REQUEST = 1 << 5, /* the first line */
};

/* Always false. The first fault counts: what follows may be its consequence. */
static bool refuse(struct http_request *r, int status, const char *why)
{
	if (r->stage != REQUEST_BAD) {
		r->stage = REQUEST_BAD;
		r->status = status;
		r->why = why;
	}
	return false;
}

/* The same for a fault of what is asked for, which is known although the rest of the head is still to be read. */
static void note(struct http_request *r, int status, const char *why)
{
	if (!r->status) {
		r->status = status;
		r->why = why;
	}
}

void http_request_init(struct http_request *r, uint64_t most)
{
	*r = (struct http_request){.most = most, .is_json = true};
	buf_init(&r->line);
}

void http_request_deinit(struct http_request *r)
{
	buf_deinit(&r->line);
}

void http_request_reset(struct http_request *r)
{
	struct buf line = r->line;
	line.len = 0;
	*r = (struct http_request){.most = r->most, .is_json = true, .line = line};
}

/* ---- the head ------------------------------------------------------------------------------------------------ */

/* Is it a character of a name, such as that of a header? */
static bool is_token(char c)
{
	return is_word_byte(c) || (c && strchr("!#$%&'*+-.^`|~", c));
}

static bool is_name(struct slice t)
{
	for (size_t i = 0; i < t.n; i++)
		if (!is_token(t.s[i]))
			return false;
	return t.n > 0;
}

static bool take_version(struct http_request *r, struct slice version)
{
	if (version.n != 8 || !slice_starts(version, "HTTP/") || version.s[6] != '.')
		return refuse(r, 400, "not a request of HTTP/1.1");
	if (version.s[5] != '1')
		return refuse(r, 505, "only HTTP/1.1 is understood");
	r->keeps_alive = version.s[7] != '0';
	if (!r->keeps_alive)
		r->seen |= HEADER_HOST; /* HTTP/1.0 needs none */
	return true;
}

static bool take_request_line(struct http_request *r, struct slice line)
{
	struct slice method = slice_take_until(&line, ' '), target = slice_take_until(&line, ' ');
	r->seen |= HEADER_REQUEST;
	if (!is_name(method) || !target.n)
		return refuse(r, 400, "not a request of HTTP/1.1");
	r->sends = slice_is(method, "POST") || slice_is(method, "PUT");
	if (!take_version(r, line))
		return false;
	struct slice path = slice_take_until(&target, '?');
	if (!slice_is(path, REQUEST_PATH))
		note(r, 404, "profiles go to " REQUEST_PATH);
	else if (!slice_is(method, "POST"))
		note(r, 405, "profiles are sent by POST");
	return true;
}

static bool take_length(struct http_request *r, struct slice value)
{
	uint64_t length;
	if (!slice_u64(value, &length))
		return refuse(r, 400, "Content-Length is not a number");
	if (r->has_length && length != r->length)
		return refuse(r, 400, "two lengths");
	r->has_length = true;
	r->length = length;
	return true;
}

static void take_type(struct http_request *r, struct slice value)
{
	struct slice type = slice_trim(slice_take_until(&value, ';'));
	r->is_json = !http_is_word(type, "application/x-protobuf");
	if (r->is_json && !http_is_word(type, "application/json"))
		note(r, 415, "Content-Type has to be application/x-protobuf or application/json");
}

static void take_encoding(struct http_request *r, struct slice value)
{
	r->is_gzip = http_is_word(value, "gzip");
	if (!r->is_gzip && !http_is_word(value, "identity"))
		note(r, 415, "Content-Encoding has to be gzip or none");
}

static void take_connection(struct http_request *r, struct slice value)
{
	while (value.n)
		if (http_is_word(slice_trim(slice_take_until(&value, ',')), "close"))
			r->keeps_alive = false;
}

/* Says the header once, or says it a second time: that is an error for those that must be unique. */
static bool see(struct http_request *r, enum header header)
{
	bool is_new = !(r->seen & header);
	r->seen |= header;
	return is_new || refuse(r, 400, "a header is there twice");
}

static bool take_value(struct http_request *r, struct slice name, struct slice value)
{
	if (http_is_word(name, "Content-Length")) {
		r->seen |= HEADER_LENGTH;
		return take_length(r, value);
	}
	if (http_is_word(name, "Transfer-Encoding")) {
		if (!http_is_word(value, "chunked"))
			return refuse(r, 501, "Transfer-Encoding has to be chunked or none");
		return see(r, HEADER_CHUNKED);
	}
	if (http_is_word(name, "Content-Type")) {
		take_type(r, value);
		return see(r, HEADER_TYPE);
	}
	if (http_is_word(name, "Content-Encoding")) {
		take_encoding(r, value);
		return see(r, HEADER_ENCODING);
	}
	if (http_is_word(name, "Host"))
		return (!r->keeps_alive && (r->seen & HEADER_HOST)) || see(r, HEADER_HOST);
	if (http_is_word(name, "Connection"))
		take_connection(r, value);
	else if (http_is_word(name, "Expect") && http_is_word(value, "100-continue"))
		r->expects = true;
	else if (http_is_word(name, "Expect"))
		note(r, 417, "only 100-continue can be expected");
	else if (http_is_word(name, "Origin"))
		note(r, 403, "web pages may not send profiles");
	return true;
}

static bool take_header(struct http_request *r, struct slice line)
{
	if (*line.s == ' ' || *line.s == '\t' || slice_find_byte(line, ':') == SIZE_MAX)
		return refuse(r, 400, "a header without a colon");
	struct slice name = slice_take_until(&line, ':');
	if (!is_name(name))
		return refuse(r, 400, "a header with a bad name");
	return take_value(r, name, slice_trim(line));
}

/* What the head as a whole lacks. */
static bool check_head(struct http_request *r)
{
	bool is_chunked = r->seen & HEADER_CHUNKED;
	if (is_chunked && r->has_length)
		return refuse(r, 400, "a length and chunks");
	if (!(r->seen & HEADER_HOST))
		return refuse(r, 400, "no Host");
	if (r->status)
		return refuse(r, r->status, r->why);
	if (!(r->seen & HEADER_TYPE))
		return refuse(r, 415, "Content-Type has to be application/x-protobuf or application/json");
	if (!is_chunked && !r->has_length)
		return refuse(r, 411, "no Content-Length");
	if (r->has_length && r->length > r->most)
		return refuse(r, 413, "the body is too large");
	return true;
}

static void begin_body(struct http_request *r)
{
	r->n_head = 0;
	r->stage = r->has_length && !r->length ? REQUEST_DONE : REQUEST_BODY;
	r->left = r->length;
	r->part = PART_SIZE;
}

static void end_head_line(struct http_request *r)
{
	struct slice line = {r->line.data, r->line.len};
	if (!(r->seen & HEADER_REQUEST)) {
		if (line.n) /* an empty line before a request is allowed */
			take_request_line(r, line);
	} else if (line.n) {
		take_header(r, line);
	} else if (check_head(r)) {
		begin_body(r);
	}
}

/*
 * Takes bytes into the line up to its end, CR LF. Returns how many; *is_whole: the line is complete, without its
 * end. A line that is too long, or has a control character, is refused.
 */
static size_t take_line(struct http_request *r, const char *bytes, size_t n, size_t most, bool *is_whole)
{
	size_t taken = 0;
	*is_whole = false;
	while (taken < n && r->stage != REQUEST_BAD) {
		char c = bytes[taken++];
		bool has_cr = r->line.len && r->line.data[r->line.len - 1] == '\r';
		if (c == '\n' && has_cr) {
			r->line.len--;
			*is_whole = true;
			return taken;
		}
		if (has_cr || ((unsigned char)c < ' ' && c != '\t' && c != '\r') || c == 0x7f)
			refuse(r, 400, "a control character, or a line that does not end in CR LF");
		else if (r->line.len >= most || ++r->n_head > REQUEST_HEAD_MOST)
			refuse(r, 431, "the headers are too long");
		else
			buf_addc(&r->line, c);
	}
	return taken;
}

static size_t feed_head(struct http_request *r, const char *bytes, size_t n)
{
	bool is_whole;
	size_t taken = take_line(r, bytes, n, LINE_MOST, &is_whole);
	if (is_whole) {
		end_head_line(r);
		r->line.len = 0;
		r->n_head += 2;
	}
	return taken;
}

/* ---- the body ------------------------------------------------------------------------------------------------ */

/* "1a3" or "1a3;name=value" */
static void begin_chunk(struct http_request *r)
{
	struct slice line = {r->line.data, r->line.len}, digits = slice_trim(slice_take_until(&line, ';'));
	if (!slice_hex(digits, &r->left) || digits.n > 15)
		refuse(r, 400, "a chunk without its size");
	else if (r->left > r->most - r->n_body)
		refuse(r, 413, "the body is too large");
	else
		r->part = r->left ? PART_BYTES : PART_TRAILER;
	r->n_head = 0;
}

static void end_chunk_line(struct http_request *r)
{
	if (r->part == PART_SIZE)
		begin_chunk(r);
	else if (r->part == PART_END && r->line.len)
		refuse(r, 400, "a chunk that is longer than its size");
	else if (r->part == PART_END)
		r->part = PART_SIZE;
	else if (r->line.len == 0)
		r->stage = REQUEST_DONE; /* other lines of the trailer mean nothing here */
	r->line.len = 0;
}

static size_t feed_body(struct http_request *r, const char *bytes, size_t n, const char **body, size_t *n_body)
{
	bool is_whole;
	if (!r->has_length && r->part != PART_BYTES) {
		size_t taken = take_line(r, bytes, n, r->part == PART_TRAILER ? LINE_MOST : CHUNK_LINE_MOST, &is_whole);
		if (is_whole)
			end_chunk_line(r);
		return taken;
	}
	size_t taken = n < r->left ? n : (size_t)r->left;
	*body = bytes;
	*n_body = taken;
	r->n_body += taken;
	r->left -= taken;
	if (r->left == 0 && r->has_length)
		r->stage = REQUEST_DONE;
	else if (r->left == 0)
		r->part = PART_END;
	return taken;
}

size_t http_request_feed(struct http_request *r, const char *bytes, size_t n, const char **body, size_t *n_body)
{
	*body = NULL;
	*n_body = 0;
	return r->stage == REQUEST_HEAD ? feed_head(r, bytes, n) : feed_body(r, bytes, n, body, n_body);
}
