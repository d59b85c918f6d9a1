/*
 * http_answer.c - what a receiver of OpenTelemetry profiles answers.
 *
 *	taken       ExportProfilesServiceResponse {}
 *	not taken   Status { 1 code, 2 message }, where code is one of gRPC's
 *
 * Both are protocol buffers or JSON, whichever the client sent.
 */
#include "sources/http_answer.h"

#include <string.h>

#include "base/utf8.h"
#include "base/wire.h"

#define MOST_WHY 300u /* bytes */

static const struct {
	int status, code;
	const char *words, *headers;
} known[] = {
	{200, 0, "OK", ""},
	{400, 3, "Bad Request", ""},
	{403, 7, "Forbidden", ""},
	{404, 5, "Not Found", ""},
	{405, 12, "Method Not Allowed", "Allow: POST\r\n"},
	{408, 4, "Request Timeout", ""},
	{411, 3, "Length Required", ""},
	{413, 3, "Content Too Large", ""},
	{415, 3, "Unsupported Media Type", "Accept-Encoding: gzip\r\n"},
	{417, 3, "Expectation Failed", ""},
	{429, 8, "Too Many Requests", "Retry-After: 1\r\n"},
	{431, 3, "Request Header Fields Too Large", ""},
	{501, 12, "Not Implemented", ""},
	{503, 14, "Service Unavailable", "Retry-After: 1\r\n"},
	{505, 12, "HTTP Version Not Supported", ""},
	{500, 13, "Internal Server Error", ""}, /* last: for all others */
};

static size_t find(int status)
{
	size_t i = 0;
	while (i + 1 < sizeof known / sizeof *known && known[i].status != status)
		i++;
	return i;
}

static void add_clean(struct buf *out, const char *why)
{
	size_t n = strlen(why), start = out->len;
	utf8_clean(out, why, n < MOST_WHY ? n : MOST_WHY, UTF8_CLEAN_ASCII);
	if (n > MOST_WHY)
		buf_adds(out, "...");
	for (size_t i = start; i < out->len; i++)
		if (out->data[i] == '"' || out->data[i] == '\\')
			out->data[i] = '\''; /* so that JSON needs no escapes */
}

static void add_json(struct buf *out, int code, const struct buf *why)
{
	if (code)
		buf_addf(out, "{\"code\":%d,\"message\":\"%.*s\"}", code, (int)why->len, why->data);
	else
		buf_adds(out, "{}");
}

static void add_protobuf(struct buf *out, int code, const struct buf *why)
{
	if (!code)
		return;
	wire_add_number(out, 1, (uint64_t)code);
	wire_add_bytes(out, 2, why->data, why->len);
}

void http_answer_add(struct buf *out, const struct http_answer *a)
{
	size_t i = find(a->status);
	struct buf why, body;
	buf_init(&why);
	buf_init(&body);
	if (a->why)
		add_clean(&why, a->why);
	if (a->is_json)
		add_json(&body, known[i].code, &why);
	else
		add_protobuf(&body, known[i].code, &why);
	buf_addf(out, "HTTP/1.1 %d %s\r\nContent-Type: application/%s\r\nContent-Length: %zu\r\n%s%s\r\n",
	         known[i].status, known[i].words, a->is_json ? "json" : "x-protobuf", body.len, known[i].headers,
	         a->is_last ? "Connection: close\r\n" : "");
	buf_add(out, body.data, body.len);
	buf_deinit(&why);
	buf_deinit(&body);
}
