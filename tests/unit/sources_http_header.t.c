/*
 * Lines of headers: which one is found, and its value.
 */
#include "sources/http_header.h"
#include "tests/tap.h"

static void has(const char *lines, const char *name, const char *expected, const char *what)
{
	struct slice value;
	bool is_there = http_header_find(slice_of(lines), name, &value);
	ok(expected ? is_there && slice_is(value, expected) : !is_there, "%s", what);
}

int main(void)
{
	static const char lines[] =
		"HTTP/1.1 200 OK\r\nContent-Type:  text/plain \r\nX-Long: a\r\nX: b\r\nx: c\r\nEmpty:\r\n\r\n";
	has(lines, "content-type", "text/plain", "names have no case, values no blanks at their ends");
	has(lines, "X", "b", "a name is whole, and the first of two counts");
	has(lines, "Empty", "", "a value may be empty");
	has(lines, "Content", NULL, "the beginning of a name is none");
	has(lines, "HTTP/1.1 200 OK", NULL, "a line without a colon is no header");
	has("grpc-status: 5", "grpc-status", "5", "the last line needs no end");
	has("", "a", NULL, "there may be no lines");
	has("\n\n", "", NULL, "or empty ones");
	ok(http_is_word(slice_of("GZip"), "gzip") && !http_is_word(slice_of("gzip2"), "gzip"), "a word is whole");
	ok(http_begins(slice_of("Text/HTML; x"), "text/html") && !http_begins(slice_of("text"), "text/html"),
	   "or begins so");
	return done_testing();
}
