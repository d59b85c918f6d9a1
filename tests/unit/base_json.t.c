/*
 * The JSON parser: tokens, pieces cut anywhere, accepted and rejected mistakes.
 */
#include "base/json.h"
#include "tests/tap.h"

/* Appends a token as text: { } [ ] k:KEY s:STRING n:NUMBER and t f 0, one blank after each. */
static void add_token(struct buf *out, const struct json *j, enum json_token t)
{
	static const char marks[] = "!$>{}[]ksntf0";
	buf_addc(out, marks[t]);
	if (t == JSON_KEY || t == JSON_STRING || t == JSON_NUMBER) {
		buf_addc(out, ':');
		buf_add(out, j->text, j->len);
	}
	buf_addc(out, ' ');
}

/*
 * All tokens of text, given in pieces of `step` bytes. A key "leave" skips the rest of its container; an error ends
 * the text.
 */
static char *tokens(const char *text, size_t step)
{
	struct json j;
	struct buf out;
	size_t len = strlen(text);
	bool is_leaving = false;
	enum json_token t = JSON_MORE;
	json_init(&j);
	buf_init(&out);
	for (size_t at = 0; t != JSON_ERROR && at <= len; at += step) {
		/* A copy that ends with the piece, so that a sanitizer detects a read past it. */
		size_t n = len - at < step ? len - at : step;
		char *piece = malloc(n + 1);
		memcpy(piece, text + at, n);
		char *exact = realloc(piece, n ? n : 1);
		json_feed(&j, exact, n, at + step > len);
		while ((t = json_next(&j)) > JSON_MORE) {
			add_token(&out, &j, t);
			if (is_leaving && (t == JSON_OBJECT || t == JSON_ARRAY))
				json_leave(&j);
			is_leaving = t == JSON_KEY && j.len == 5 && memcmp(j.text, "leave", 5) == 0;
		}
		free(exact);
	}
	buf_adds(&out, t == JSON_ERROR ? j.err.text : json_is_cut(&j) ? "cut" : "end");
	json_deinit(&j);
	return buf_take(&out);
}

static void reads(const char *text, const char *expected, const char *name)
{
	char *whole = tokens(text, strlen(text) + 1);
	bool is_same = true;
	is_str(whole, expected, "%s", name);
	for (size_t step = 1; step <= 7; step++) {
		char *pieces = tokens(text, step);
		if (strcmp(pieces, whole) != 0) {
			diag("in pieces of %zu: %s", step, pieces);
			is_same = false;
		}
		free(pieces);
	}
	ok(is_same, "%s, in pieces too", name);
	free(whole);
}

static void test_values(void)
{
	reads("{}", "{ } end", "an empty object is read");
	reads(" [ ] \n", "[ ] end", "an empty array is read");
	reads("[1,-2.5e+3,true,false,null,\"s\"]", "[ n:1 n:-2.5e+3 t f 0 s:s ] end", "all kinds of values are read");
	reads("{\"a\":{\"b\":[1,{\"c\":2}]},\"d\":3}", "{ k:a { k:b [ n:1 { k:c n:2 } ] } k:d n:3 } end",
	      "containers nest and are left");
	reads("17", "n:17 end", "a number alone is a document");
	reads("\"\"", "s: end", "a string alone is a document");
	reads("[NaN,Infinity,-Infinity]", "[ 0 0 0 ] end", "JavaScript's words for invalid numbers are null");
	reads("", "cut", "nothing is no document");
	reads("  ", "cut", "blanks are no document");
}

static void test_strings(void)
{
	reads("[\"a\\\"b\\\\c\\/d\\n\\t\"]", "[ s:a\"b\\c/d\n\t ] end", "escapes are decoded");
	reads("[\"\\u00e9\\u20ac\\uD83C\\uDF0A\"]", "[ s:\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\x8a ] end",
	      "escaped characters become UTF-8, pairs too");
	reads("[\"\\ud83c!\\udf0a\\ud83c\\u0041\"]",
	      "[ s:\xed\xa0\xbc!\xed\xbc\x8a\xed\xa0\xbc"
	      "A ] end",
	      "different halves of pairs stay different");
	reads("[\"\\u00zz\\q\"]", "[ s:u00zzq ] end", "unknown escapes stand for themselves");
	reads("{\"k\\u0065y\":1}", "{ k:key n:1 } end", "keys are decoded too");
	reads("[\"\xc3\xa9 raw\"]", "[ s:\xc3\xa9 raw ] end", "raw UTF-8 passes");
	reads("[\"{[,:]}\"]", "[ s:{[,:]} ] end", "brackets within strings are text");
}

static void test_leniency(void)
{
	reads("[1,2,]", "[ n:1 n:2 ] end", "a comma before the end of an array is forgiven");
	reads("{\"a\":1,}", "{ k:a n:1 } end", "a comma before the end of an object is forgiven");
	reads("[{\"a\":1},\n", "[ { k:a n:1 } cut", "an array without its end is reported as truncated");
	reads("[{\"a\":\"b", "[ { k:a cut", "a string without its end is dropped");
	reads("[12", "[ n:12 cut", "a number at the end is whole");
	reads("{\"leave\":{\"x\":[1,{\"y\":2}]},\"b\":[3]}", "{ k:leave { k:b [ n:3 ] } end",
	      "a container can be left");
	reads("{\"leave\":[],\"b\":4}", "{ k:leave [ k:b n:4 } end", "an empty container can be left");
}

static void test_errors(void)
{
	reads("[1 2]", "[ n:1 line 1: unexpected '2' (expected ',' or a closing bracket)",
	      "a missing comma is an error");
	reads("{\"a\" 1}", "{ k:a line 1: unexpected '1' (expected ':')", "a missing colon is an error");
	reads("{\n1:2}", "{ line 2: unexpected '1' (expected a key or '}')", "a key that is no string is an error");
	reads("[1}", "[ n:1 line 1: unexpected '}' (expected ',' or a closing bracket)", "a wrong bracket is an error");
	reads("]", "line 1: unexpected ']' (expected a value)", "a bracket that closes nothing is an error");
	reads("{\"a\":}", "{ k:a line 1: unexpected '}' (expected a value)", "a key without value is an error");
	reads("[] []", "[ ] line 1: unexpected '[' (expected nothing after the end of the document)",
	      "a second document is an error");
	reads("[nothing]", "[ line 1: unknown word (expected a value)", "an unknown word is an error");
	reads("\n\n@", "line 3: unexpected '@' (expected a value)", "the line of an error is counted");
	reads("[\x01]", "[ line 1: unexpected byte 1 (expected a value)", "a control byte is shown by its number");
}

static void test_depth(void)
{
	enum { DEPTH = 1000000 };
	struct json j;
	char *text = malloc(2 * DEPTH);
	size_t n = 0;
	memset(text, '[', DEPTH);
	memset(text + DEPTH, ']', DEPTH);
	json_init(&j);
	json_feed(&j, text, 2 * DEPTH, true);
	for (uint32_t deepest = 0; json_next(&j) > JSON_MORE; n++)
		deepest = j.depth > deepest ? j.depth : deepest;
	is_int(n, 2 * DEPTH, "a million nested arrays are read");
	ok(!json_is_cut(&j), "and closed again");
	json_deinit(&j);
	free(text);
}

/* Each container has one bit for its kind; many containers need several words. */
static void test_mixed_depth(void)
{
	enum { DEPTH = 200 };
	struct buf text, expected;
	buf_init(&text);
	buf_init(&expected);
	for (int i = 0; i < DEPTH; i++) {
		buf_adds(&text, i % 3 ? "{\"k\":" : "[");
		buf_adds(&expected, i % 3 ? "{ k:k " : "[ ");
	}
	for (int i = DEPTH - 1; i >= 0; i--) {
		buf_adds(&text, i == DEPTH - 1 ? i % 3 ? "1" : "" : "");
		buf_adds(&expected, i == DEPTH - 1 ? i % 3 ? "n:1 " : "" : "");
		buf_adds(&text, i % 3 ? "}" : "]");
		buf_adds(&expected, i % 3 ? "} " : "] ");
	}
	buf_adds(&expected, "end");
	reads(buf_str(&text), buf_str(&expected),
	      "two hundred containers of both kinds are closed as they were opened");
	buf_deinit(&text);
	buf_deinit(&expected);
}

static void begins(const char *text, bool is_json, const char *name)
{
	size_t n = strlen(text);
	char *exact = n ? memcpy(malloc(n), text, n) : malloc(1); /* so that a sanitizer detects a read past it */
	ok(json_begins((struct slice){exact, n}) == is_json, "%s", name);
	free(exact);
}

static void test_begin(void)
{
	begins("{\"a\":1}", true, "an object begins with a key");
	begins(" \t\r\n{ \n\"_a", true, "blanks before it and within do not matter");
	begins("{}", true, "an empty object");
	begins("{\"\"", true, "an empty key");
	begins("{\"$schema", true, "a key may begin with any character");
	begins("{\"\303\266", true, "also with one that is not ASCII");
	begins("", false, "nothing is no object");
	begins("\n{", false, "a bracket alone is none");
	begins("{\"", false, "nor with a quote");
	begins("\n{\n\"\n x", false, "nor a message of protocol buffers");
	begins("[{\"a\":1}]", false, "a list is no object");
	begins("\v{\"a\":1}", false, "JSON has four blanks");
}

static bool has_name(const char *key, size_t n, const char *name)
{
	char *exact = n ? memcpy(malloc(n), key, n) : malloc(1);
	bool is_same = json_is_name((struct slice){exact, n}, name);
	free(exact);
	return is_same;
}

static void test_names(void)
{
	static const char name[] = "stringTable";
	ok(has_name(name, strlen(name), name), "a key is its name");
	ok(has_name("string_table", 12, name), "also in snake case");
	ok(!has_name("stringtable", 11, name) && !has_name("String_table", 12, name), "capitals count");
	ok(!has_name("string_Table", 12, name) && !has_name("string__table", 13, name) &&
	       !has_name("string_table_", 13, name),
	   "snake case has one '_' before each word");
	ok(!has_name("string", 6, name) && !has_name("string_", 7, name) && !has_name("", 0, name),
	   "a part is not enough");
	ok(!has_name("stringTables", 12, name), "nor is more");
	ok(!has_name("stringTable\0x", 13, name) && !has_name("stringTable\0", 12, name), "a NUL is part of the key");
	ok(has_name("", 0, ""), "the empty name");
}

/* Keys that the object before had at the same place are read at once; all others must not be taken for them. */
static void test_expected_keys(void)
{
	reads("[{\"name\":1,\"ph\":2},{\"name\":3,\"ph\":4},{\"ph\":5,\"name\":6}]",
	      "[ { k:name n:1 k:ph n:2 } { k:name n:3 k:ph n:4 } { k:ph n:5 k:name n:6 } ] end",
	      "keys that come again, also in another order");
	reads("[{\"ab\":1},{\"ac\":2},{\"a\":3},{\"abc\":4},{\"ab\" : 5},{ \"ab\":6},{\"ab\":\"more than 16 bytes\"}]",
	      "[ { k:ab n:1 } { k:ac n:2 } { k:a n:3 } { k:abc n:4 } { k:ab n:5 } { k:ab n:6 } { k:ab "
	      "s:more than 16 bytes } ] end",
	      "keys that begin like the one before, and blanks around them");
	reads(
		"[{\"a\\\"\":1},{\"a\\\"\":2},{\"exactly13byte\":3},{\"exactly13byte\":4},{\"exactly14bytes\":5},{\"exactly14bytex\":6}]",
		"[ { k:a\" n:1 } { k:a\" n:2 } { k:exactly13byte n:3 } { k:exactly13byte n:4 } { k:exactly14bytes n:5 } "
		"{ k:exactly14bytex n:6 } ] end",
		"keys with escapes, and keys as long as can be expected and longer");
	reads("[{\"a\nb\":\"................\"},{\"a\nb\":\"................\"},!]",
	      "[ { k:a\nb s:................ } { k:a\nb s:................ } line 3: unexpected '!' (expected a value)",
	      "lines within keys that come again are counted");
	reads(
		"[{\"a\":1,\"a\":2},{\"a\":\"................\" \"a\":2}]",
		"[ { k:a n:1 k:a n:2 } { k:a s:................ line 1: unexpected '\"' (expected ',' or a closing bracket)",
		"a key that comes again without a comma is an error");
}

/* The same as tokens(), but short numbers are taken many at a time. */
static char *tokens_at_once(const char *text, size_t step)
{
	struct json j;
	struct buf out;
	size_t len = strlen(text);
	enum json_token t = JSON_MORE;
	json_init(&j);
	buf_init(&out);
	for (size_t at = 0; t != JSON_ERROR && at <= len; at += step) {
		size_t n = len - at < step ? len - at : step;
		uint32_t v[3];
		char *piece = malloc(n ? n : 1);
		memcpy(piece, text + at, n);
		json_feed(&j, piece, n, at + step > len);
		do {
			for (size_t k; (k = json_short_numbers(&j, v, 3)) > 0;)
				for (size_t i = 0; i < k; i++)
					buf_addf(&out, "n:%u ", v[i]);
			if ((t = json_next(&j)) > JSON_MORE)
				add_token(&out, &j, t);
		} while (t > JSON_MORE);
		free(piece);
	}
	buf_adds(&out, t == JSON_ERROR ? j.err.text : json_is_cut(&j) ? "cut" : "end");
	json_deinit(&j);
	return buf_take(&out);
}

static void test_short_numbers(void)
{
	static const char *const texts[] = {"[1,22,333,4444,55555,666666,7777777,88888888,999999999,0,1]",
	                                    "[1 ,2, 3,4]",
	                                    "[1,2,3,4,5,6,7,8,null,-1,2.5,1e3,1]",
	                                    "{\"a\":[1,2,3],\"b\":12345,\"c\":[[1,2],[3,[4,5,6,7,8,9]],1000000]}",
	                                    "[1,2,3,4,5,6,7,8,]",
	                                    "[1,2,3,4,5,6,7,,8]",
	                                    "[1,2,3,4,5,6,7}",
	                                    "[1\n,2,\n3,4,5,6,7,8!]",
	                                    "[1,2,3,4,5,6,7:8]",
	                                    "1,2,3,4,5,6,7",
	                                    "[1,2,3,4,5,6,7,12x,3]",
	                                    "[1,2,3,4,5,6",
	                                    "[\"1,2,3,4,5,6,7\",12,13,14,15,16]",
	                                    "12345678",
	                                    "[,1,2,3,4,5,6]"};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		char *expected = tokens(texts[i], strlen(texts[i]) + 1);
		size_t same = 0, steps = strlen(texts[i]) + 1;
		for (size_t step = 1; step <= steps; step++) {
			char *got = tokens_at_once(texts[i], step);
			if (strcmp(got, expected) == 0)
				same++;
			else
				diag("in pieces of %zu: %s; expected: %s", step, got, expected);
			free(got);
		}
		ok(same == steps, "many numbers at a time are the same: %s", texts[i]);
		free(expected);
	}
}

int main(void)
{
	test_short_numbers();
	test_values();
	test_expected_keys();
	test_strings();
	test_leniency();
	test_errors();
	test_depth();
	test_mixed_depth();
	test_begin();
	test_names();
	return done_testing();
}
