/*
 * Messages that are too long: which parts are removed, and which stay.
 */
#include "tests/tap.h"

#include "base/shorten.h"
#include "base/utf8.h"

typedef void shorten(struct buf *out, const char *s, size_t n, size_t room, const char *dots);

static struct buf text;

static const char *made(shorten *how, const char *s, size_t room)
{
	text.len = 0;
	how(&text, s, strlen(s), room, "...");
	return buf_str(&text);
}

static void test_middle(void)
{
	is_str(made(shorten_middle, "abcdef", 6), "abcdef", "a short text stays unchanged");
	is_str(made(shorten_middle, "abcdefghij", 7), "ab...ij", "both ends stay");
	is_str(made(shorten_middle, "abcdefghij", 3), "...", "or none, where there is no room");
	is_str(made(shorten_middle, "", 0), "", "nothing is nothing");
	is_str(made(shorten_middle, "a\xC3\xA9 bcd \xC3\xA9z", 8), "a...\xC3\xA9z", "no character is cut in two");
	ok(strlen(made(shorten_middle, "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80", 8)) <= 8,
	   "invalid UTF-8 is shortened, too");
}

#define LONG "/srv/0123456789/0123456789/0123456789/0123456789/out.perf"

static void test_words(void)
{
	const char *s = made(shorten_words, LONG ": cannot open: Permission denied", 72);
	is_str(s, "/srv/0123456789/012...123456789/out.perf: cannot open: Permission denied",
	       "a path loses its middle, and the message nothing else");
	is_int(strlen(s), 72, "no more goes than must");
	s = made(shorten_words, LONG ": cannot open: Permission denied", 10);
	is_str(s, "/srv/012345678...56789/out.perf: cannot open: Permission denied", "nor does it go to nothing");
	s = made(shorten_words, "/a b c d e f g h i j k l m n/o p q r s t u: cannot open", 48);
	is_str(s, "/a b c d e f g h... n/o p q r s t u: cannot open", "a path with blanks is one");
	is_str(made(shorten_words, "many short words are no path, whatever the room", 12),
	       "many short words are no path, whatever the room", "short words stay");
	s = made(shorten_message, "many short words are no path, whatever the room: bad", 24);
	is_str(s, "many short...e room: bad", "a message is cut in its middle");
}

static void test_lines(void)
{
	is_str(made(shorten_lines, "\n failed to open\n\t  it:  No such file\n\n", 99),
	       "failed to open it: No such file", "lines become one");
	is_str(made(shorten_lines, " \n ", 99), "", "and blank ones none");
}

static void test_large(void)
{
	size_t n = 1 << 22;
	char *s = malloc(n);
	if (!s)
		bail_out("no memory");
	for (size_t i = 0; i < n; i++)
		s[i] = (char)(i % 40 ? 'x' : ' ');
	text.len = 0;
	shorten_message(&text, s, n, 1000, "...");
	is_int(text.len, 1000, "a very long text is shortened quickly");
	free(s);
}

int main(void)
{
	test_middle();
	test_words();
	test_lines();
	test_large();
	buf_deinit(&text);
	return done_testing();
}
