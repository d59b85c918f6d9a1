/* Requests of clients that push profiles: what is taken, and what is answered to all else. */
#include "sources/http_request.h"

#include "sources/http_answer.h"
#include "tests/tap.h"

#define LINE "POST " REQUEST_PATH " HTTP/1.1\r\n"
#define HEAD LINE "Host: h\r\nContent-Type: application/x-protobuf\r\n"
#define JSON LINE "Host: h\r\nContent-Type: application/json; charset=utf-8\r\n"
#define CHUNKED HEAD "Transfer-Encoding: chunked\r\n\r\n"

/* Feeds text in pieces; returns 200 for a complete request, 0 for the beginning of one, else the status. */
static int answer(struct http_request *r, const char *text, struct buf *all)
{
	http_request_init(r, 100);
	for (size_t n = strlen(text); n && r->stage < REQUEST_DONE;) {
		const char *body;
		size_t n_body, taken = http_request_feed(r, text, n < 7 ? n : 7, &body, &n_body);
		buf_add(all, body, n_body);
		text += taken;
		n -= taken;
	}
	return r->stage == REQUEST_DONE ? 200 : r->status;
}

static void takes(const char *text, const char *body, bool is_json, bool is_gzip, bool keeps_alive,
                  const char *name)
{
	struct http_request r;
	struct buf all;
	buf_init(&all);
	is_int(answer(&r, text, &all), 200, "%s: it is taken", name);
	is_str(buf_str(&all), body, "%s: its body", name);
	ok(r.is_json == is_json && r.is_gzip == is_gzip && r.keeps_alive == keeps_alive, "%s: its kind", name);
	http_request_deinit(&r);
	buf_deinit(&all);
}

static void refuses(const char *text, int status, const char *name)
{
	struct http_request r;
	struct buf all;
	buf_init(&all);
	is_int(answer(&r, text, &all), status, "%s", name);
	http_request_deinit(&r);
	buf_deinit(&all);
}

static void test_requests(void)
{
	takes(HEAD "Content-Length: 3\r\n\r\nabc", "abc", false, false, true, "a length");
	takes(JSON "Content-Length: 2\r\n\r\n{}", "{}", true, false, true, "JSON");
	takes(HEAD "Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", "abc", false, true, true, "gzip");
	takes(HEAD "Content-Encoding: identity\r\nContent-Length: 0\r\n\r\n", "", false, false, true, "nothing");
	takes(CHUNKED "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", "abcde", false, false, true, "chunks");
	takes(CHUNKED "1\r\na\r\n0\r\nTrailer: 1\r\nOther: 2\r\n\r\n", "a", false, false, true, "a trailer");
	takes(HEAD "Connection: x, close\r\ncontent-length:  1 \r\n\r\na", "a", false, false, false, "the last one");
	takes("POST " REQUEST_PATH "?x=1 HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n{", "{",
	      true, false, false, "HTTP/1.0");
	takes("\r\n" HEAD "Content-Length: 1\r\n\r\na", "a", false, false, true, "after an empty line");
	takes(HEAD "Content-Length: 1\r\nContent-Length: 1\r\n\r\na", "a", false, false, true, "the same length twice");
}

static void test_refusals(void)
{
	refuses(HEAD "Content-Length: 3\r\n\r\nab", 0, "the beginning of a request is none");
	refuses("GET " REQUEST_PATH " HTTP/1.1\r\nHost: h\r\n\r\n", 405, "another method");
	refuses("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n", 404, "another path");
	refuses("POST http://h" REQUEST_PATH " HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n", 404,
	        "a proxy's path");
	refuses(LINE "Content-Type: application/json\r\nContent-Length: 1\r\n\r\n", 400, "no host");
	refuses(HEAD "\r\n", 411, "no length");
	refuses(HEAD "Content-Length: 101\r\n\r\n", 413, "too long");
	refuses(HEAD "Content-Length: 99999999999999999999\r\n\r\n", 400, "longer than any number");
	refuses(HEAD "Content-Length: -1\r\n\r\n", 400, "a negative length");
	refuses(HEAD "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400, "two lengths");
	refuses(HEAD "Content-Length: 1, 2\r\n\r\n", 400, "two lengths in one");
	refuses(HEAD "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400, "a length and chunks");
	refuses(HEAD "Transfer-Encoding: gzip, chunked\r\n\r\n", 501, "another encoding of transfer");
	refuses(LINE "Host: h\r\nContent-Length: 1\r\n\r\na", 415, "no type");
	refuses(LINE "Host: h\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\na", 415, "another type");
	refuses(HEAD "Content-Encoding: br\r\nContent-Length: 1\r\n\r\na", 415, "another encoding");
	refuses(HEAD "Content-Encoding: gzip, gzip\r\nContent-Length: 1\r\n\r\na", 415, "two encodings");
	refuses(HEAD "Origin: http://h\r\nContent-Length: 1\r\n\r\na", 403, "a web page");
	refuses(HEAD "Expect: more\r\nContent-Length: 1\r\n\r\na", 417, "other expectations");
	refuses(HEAD "Host: i\r\nContent-Length: 1\r\n\r\na", 400, "two hosts");
	refuses(HEAD " folded: 1\r\n\r\n", 400, "a folded header");
	refuses(HEAD "bad name: 1\r\n\r\n", 400, "a name with a blank");
	refuses(HEAD "name : 1\r\n\r\n", 400, "a blank after a name");
	refuses(HEAD "none\r\n\r\n", 400, "no colon");
	refuses(LINE "Host: h\n\n", 400, "lines without CR");
	refuses(LINE "Host: \x01\r\n\r\n", 400, "a control character");
	refuses(LINE "Host: a\rb\r\n\r\n", 400, "a lonely CR");
	refuses("POST " REQUEST_PATH " HTTP/2.0\r\n\r\n", 505, "another version");
	refuses("POST " REQUEST_PATH " FTP/1.1\r\n\r\n", 400, "another protocol");
	refuses("\x16\x03\x01\x02", 400, "TLS");
	refuses(CHUNKED "x\r\n", 400, "a chunk without its size");
	refuses(CHUNKED "\r\n", 400, "an empty size");
	refuses(CHUNKED "65\r\n", 413, "a chunk that is too long");
	refuses(CHUNKED "ffffffffffffffff\r\n", 400, "a size that is no number");
	refuses(CHUNKED "1\r\nab\r\n", 400, "a chunk that is longer than its size");
}

/* Repeats a text after the request line. */
static void refuses_many(const char *start, const char *part, size_t n, int status, const char *name)
{
	struct buf text;
	buf_init(&text);
	buf_adds(&text, start);
	for (size_t i = 0; i < n; i++)
		buf_adds(&text, part);
	refuses(buf_str(&text), status, name);
	buf_deinit(&text);
}

static void test_lengths(void)
{
	refuses_many(LINE, "x", 10000, 431, "a long header");
	refuses_many(LINE, "a: b\r\n", 5000, 431, "many headers");
	refuses_many("", "\r\n", 20000, 431, "many empty lines");
	refuses_many("POST /", "x", 20000, 431, "a long path");
	refuses_many(CHUNKED "1", ";", 1000, 431, "a long line of a chunk");
	refuses_many(CHUNKED "0\r\n", "a: b\r\n", 5000, 431, "a long trailer");
	refuses_many(CHUNKED, "a\r\n0123456789\r\n", 11, 413, "many chunks");
}

static void test_answers(void)
{
	struct buf out;
	buf_init(&out);
	http_answer_add(&out, &(struct http_answer){200, NULL, true, false});
	is_str(buf_str(&out), "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
	       "taken");
	out.len = 0;
	http_answer_add(&out, &(struct http_answer){400, "a \"b\"\n\\\x1b", true, true});
	is_str(
		buf_str(&out),
		"HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: 31\r\nConnection: close\r\n\r\n"
		"{\"code\":3,\"message\":\"a 'b'?'?\"}",
		"a reason is clean in JSON");
	out.len = 0;
	http_answer_add(&out, &(struct http_answer){429, "busy", false, false});
	is_str(buf_str(&out),
	       "HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/x-protobuf\r\nContent-Length: 8\r\n"
	       "Retry-After: 1\r\n\r\n\x08\x08\x12\x04"
	       "busy",
	       "a Status as protocol buffers");
	buf_deinit(&out);
}

int main(void)
{
	test_requests();
	test_refusals();
	test_lengths();
	test_answers();
	return done_testing();
}
