/*
 * Plain XML: each token that is taken without a parser is what expat says, and nothing else is taken.
 */
#include "collapse/text/plain_xml.h"

#include <expat.h>

#include "base/buf.h"
#include "tests/tap.h"

static struct buf told;

static void add_attribute(const char *name, size_t n, const char *value, size_t n_value)
{
	buf_addf(&told, " %.*s=[%.*s]", (int)n, name, (int)n_value, value);
}

/* All plain tokens at the beginning of a text, and how many bytes are left. */
static void is_plain(const char *text, const char *expected, size_t left)
{
	static struct plain_xml x;
	enum plain_token t;
	size_t len = strlen(text);
	char *piece = malloc(len + 64);
	memcpy(piece, text, len);
	memset(piece + len, '\n', 64);
	told.len = 0;
	plain_xml_begin(&x, piece, len);
	while ((t = plain_xml_next(&x)) != PLAIN_NONE) {
		buf_addf(&told, "%s%.*s", &"<\0+\0/\0'\0"[2 * (t - 1)], (int)(t == PLAIN_TEXT ? x.text.n : x.name.n),
		         t == PLAIN_TEXT ? x.text.s : x.name.s);
		for (size_t i = 0; (t == PLAIN_BEGIN || t == PLAIN_EMPTY) && i < x.n_attributes; i++)
			add_attribute(x.attributes[i].name.s, x.attributes[i].name.n, x.attributes[i].value.s,
			              x.attributes[i].value.n);
		buf_adds(&told, "|");
	}
	size_t rest = len - (size_t)(x.p - piece);
	if (!ok(strcmp(buf_str(&told), expected) == 0 && rest == left, "%s", text))
		diag("%s, %zu left", buf_str(&told), rest);
	free(piece);
}

static void XMLCALL on_start(void *arg, const char *name, const char **atts)
{
	(void)arg;
	buf_addf(&told, "<%s", name);
	for (; *atts; atts += 2)
		add_attribute(atts[0], strlen(atts[0]), atts[1], strlen(atts[1]));
	buf_addc(&told, '|');
}

static void XMLCALL on_end(void *arg, const char *name)
{
	(void)arg;
	buf_addf(&told, "/%s|", name);
}

static void XMLCALL on_text(void *arg, const char *text, int len)
{
	(void)arg;
	buf_add(&told, text, (size_t)len);
}

/* What expat says of a text within an element; false: it is wrong. */
static bool ask_expat(const char *text, size_t len)
{
	XML_Parser parser = XML_ParserCreate(NULL);
	told.len = 0;
	XML_SetElementHandler(parser, on_start, on_end);
	XML_SetCharacterDataHandler(parser, on_text);
	bool good = XML_Parse(parser, "<top>", 5, 0) && XML_Parse(parser, text, (int)len, 0) &&
	            XML_Parse(parser, "</top>", 6, 1);
	XML_ParserFree(parser);
	return good;
}

/* The same of what is plain, up to the last place where all is ended. */
static size_t ask_plain(const char *text, size_t len)
{
	static struct plain_xml x;
	enum plain_token t;
	size_t even = 0;
	told.len = 0;
	buf_adds(&told, "<top|");
	size_t end = told.len;
	plain_xml_begin(&x, text, len);
	while ((t = plain_xml_next(&x)) != PLAIN_NONE) {
		if (t == PLAIN_TEXT)
			buf_add(&told, x.text.s, x.text.n);
		if (t == PLAIN_BEGIN || t == PLAIN_EMPTY) {
			buf_addf(&told, "<%.*s", (int)x.name.n, x.name.s);
			for (size_t i = 0; i < x.n_attributes; i++)
				add_attribute(x.attributes[i].name.s, x.attributes[i].name.n, x.attributes[i].value.s,
				              x.attributes[i].value.n);
			buf_addc(&told, '|');
		}
		if (t == PLAIN_END || t == PLAIN_EMPTY)
			buf_addf(&told, "/%.*s|", (int)x.name.n, x.name.s);
		if (x.even == x.p) {
			even = (size_t)(x.p - text);
			end = told.len;
		}
	}
	told.len = end;
	buf_adds(&told, "/top|");
	return even;
}

static uint64_t state = 1;

static uint32_t below(uint32_t n)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % n;
}

/* Texts of pieces that are plain, and some that are not or are not even XML. */
static size_t make_text(char *text, size_t most)
{
	static const char *const pieces[] = {"<a>",
	                                     "</a>",
	                                     "<b c=\"d\">",
	                                     "</b>",
	                                     "<a/>",
	                                     "<frame ref=\"12\"/>",
	                                     "<e f=\"g\" h=\"&lt;i&amp;\"/>",
	                                     "text",
	                                     "\n",
	                                     " ",
	                                     "\t",
	                                     "<a b=\"1\" b=\"2\"/>",
	                                     "]]>",
	                                     "]",
	                                     ">",
	                                     "&amp;",
	                                     "<!-- x -->",
	                                     "<a b='c'/>",
	                                     "<a  b=\"c\"/>",
	                                     "<a b=\"c\n\"/>",
	                                     "\303\251",
	                                     "<a b=\"<\"/>",
	                                     "<1/>",
	                                     "<a b=\"&#65;\"/>",
	                                     "<a b = \"c\"/>",
	                                     "<x:y/>",
	                                     "\"",
	                                     "<a b/>",
	                                     "<",
	                                     "/>",
	                                     "\001",
	                                     "<![CDATA[</a>]]>"};
	size_t n = 0;
	for (uint32_t left = below(12); left; left--) {
		/* mostly the first ones, which fit each other */
		uint32_t i = below(8) ? below(11) : below(sizeof pieces / sizeof *pieces);
		size_t len = strlen(pieces[i]);
		if (n + len > most)
			break;
		memcpy(text + n, pieces[i], len);
		n += len;
	}
	memset(text + n, '\n', 64);
	return n;
}

static void test_random(void)
{
	char text[512 + 64];
	size_t taken = 0, wrong = 0;
	struct buf plain;
	buf_init(&plain);
	for (int i = 0; i < 200000; i++) {
		size_t len = make_text(text, 512), even = ask_plain(text, len);
		plain.len = 0;
		buf_add(&plain, told.data, told.len);
		taken += even;
		bool good = ask_expat(text, even);
		if (good && plain.len == told.len && memcmp(plain.data, told.data, told.len) == 0)
			continue;
		if (!wrong++)
			diag("expat: %s; plain: %s", buf_str(&told), buf_str(&plain));
	}
	ok(!wrong, "expat says the same of 200000 texts");
	ok(taken > 1000000, "much of which is plain (%zu bytes)", taken);
	buf_deinit(&plain);
}

static void test_limits(void)
{
	struct buf text, expected;
	buf_init(&text);
	buf_init(&expected);
	for (unsigned i = 0; i < PLAIN_DEPTH; i++) {
		buf_adds(&text, "<a>");
		buf_adds(&expected, "<a|");
	}
	is_plain(buf_str(&text), buf_str(&expected), 0);
	buf_adds(&text, "<b>");
	is_plain(buf_str(&text), buf_str(&expected), 3);
	text.len = expected.len = 0;
	buf_adds(&text, "<a");
	for (unsigned i = 0; i <= PLAIN_ATTRIBUTES; i++)
		buf_addf(&text, " a%u=\"\"", i);
	buf_adds(&text, "/>");
	is_plain(buf_str(&text), "", text.len);
	text.len = 0;
	buf_adds(&text, "<a b=\"&amp;");
	buf_pad(&text, 'x', PLAIN_DECODED);
	buf_adds(&text, "\"/>");
	is_plain(buf_str(&text), "", text.len);
	buf_deinit(&text);
	buf_deinit(&expected);
}

int main(void)
{
	buf_init(&told);
	is_plain("<row><frame ref=\"12\"/>x</row>", "<row|+frame ref=[12]|'x|/row|", 0);
	is_plain("<a b=\"1 &lt; 2\" c=\"&quot;\"></a>", "<a b=[1 < 2] c=[\"]|/a|", 0);
	is_plain("</row>", "", 6);
	is_plain("<a></b>", "<a|", 4);
	is_plain("<a b=\"1\" b=\"2\"/>", "", 16);
	is_plain("<a b=\"", "", 6);
	is_plain("<a b=\"1\"/", "", 9);
	is_plain("<", "", 1);
	is_plain("</", "", 2);
	is_plain("<a></a", "<a|", 3);
	is_plain("a<!-- -->", "'a|", 8);
	is_plain("a ]]> b", "", 7);
	is_plain("caf\303\251", "", 5);
	is_plain("<a b=\"caf\303\251\"/>", "", 14);
	is_plain("<a b=\"&#65;\"/>", "", 14);
	is_plain("<a b=\"&", "", 7);
	test_limits();
	test_random();
	buf_deinit(&told);
	return done_testing();
}
