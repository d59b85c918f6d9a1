/*
 * requests.c - reads any bytes as requests of a client that pushes profiles, in one piece and byte by byte: both ways
 * have to find the same requests, with the same bodies.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sources/http_request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_BODY 4096u

static void check(bool held)
{
	if (!held)
		abort();
}

/* Appends what is found in the bytes, which come in pieces of at most `piece`. */
static void read_all(const char *bytes, size_t n, size_t piece, struct buf *found)
{
	struct http_request r;
	http_request_init(&r, MOST_BODY);
	for (size_t at = 0; at < n && r.stage != REQUEST_BAD;) {
		const char *body;
		size_t n_body, left = n - at, n_piece = left < piece ? left : piece;
		char *copy = mem_copy(bytes + at, n_piece, 1); /* so that a sanitizer detects a read past the end */
		size_t taken = http_request_feed(&r, copy, n_piece, &body, &n_body);
		check(taken > 0 && taken <= n_piece && n_body <= taken);
		buf_add(found, body, n_body);
		free(copy);
		at += taken;
		check(r.n_body <= MOST_BODY && r.line.len <= REQUEST_HEAD_MOST && r.stage <= REQUEST_BAD);
		if (r.stage != REQUEST_DONE)
			continue;
		check(!r.status && (!r.has_length || r.n_body == r.length));
		buf_addf(found, "|%d%d%d%d|", r.is_json, r.is_gzip, r.keeps_alive, r.expects);
		http_request_reset(&r);
	}
	check(r.stage != REQUEST_BAD || (r.status >= 400 && r.status < 600 && r.why));
	buf_addf(found, "%d %d", (int)r.stage, r.status);
	http_request_deinit(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf whole, single;
	buf_init(&whole);
	buf_init(&single);
	read_all((const char *)data, size, size ? size : 1, &whole);
	read_all((const char *)data, size, 1, &single);
	check(whole.len == single.len && memcmp(whole.data, single.data, whole.len) == 0);
	buf_deinit(&whole);
	buf_deinit(&single);
	return 0;
}
