/*
 * Documents read by rules: what has a meaning, what is skipped, and trees of any depth.
 */
#include "collapse/text/json_doc.h"
#include "collapse/text/nested.h"
#include "tests/tap.h"

enum { TOP = 1, LIST, NODE, CHILDREN };

static const struct json_rule rules[] = {
	{JSON_OUTSIDE, NULL, '{', TOP}, {TOP, "list", '[', LIST},          {TOP, "tree", '{', NODE},
	{LIST, NULL, '{', NODE},        {NODE, "children", '[', CHILDREN}, {CHILDREN, NULL, '{', NODE},
};

/* Places by letter; strings and numbers with their place and key. */
static char *meaning(const char *text, size_t step)
{
	static const char places[] = "-TLNC";
	struct json_doc d;
	struct buf out;
	enum json_token t = JSON_MORE;
	size_t len = strlen(text);
	buf_init(&out);
	json_doc_init(&d, rules, sizeof rules / sizeof *rules);
	for (size_t at = 0; at < len; at += step) {
		json_doc_feed(&d, text + at, len - at < step ? len - at : step);
		while ((t = json_doc_next(&d)) > JSON_MORE) {
			buf_addc(&out, places[d.place]);
			if (t == JSON_STRING || t == JSON_NUMBER)
				buf_addf(&out, ".%.*s=%.*s", (int)d.key.n, d.key.s, (int)d.text.n, d.text.s);
			else if (t == JSON_OBJECT_END || t == JSON_ARRAY_END)
				buf_addc(&out, '/');
			buf_addc(&out, ' ');
		}
	}
	json_doc_deinit(&d);
	return buf_take(&out);
}

static void test_places(void)
{
	static const char text[] =
		"{\"a\":1,\"skipped\":{\"list\":[{\"b\":2}],\"c\":[[{}]]},\"list\":[{\"d\":\"e\\n\"},7,[{}]],"
		"\"tree\":{\"children\":[{\"f\":3}]},\"tree\":[4]}";
	static const char wanted[] = "T T.a=1 L N N.d=e\n N/ L L L/ N C N N.f=3 N/ C/ N/ T/ ";
	for (size_t step = 1; step < 20; step += 6) {
		char *got = meaning(text, step);
		is_str(
			got, wanted,
			"containers without a rule are skipped, elements of the wrong kind come whole, in pieces of %zu bytes",
			step);
		free(got);
	}
}

/* Tokens of lists whose elements are of one kind, as in meaning(); '!' is JSON_ODD. */
static char *elements(const char *text, size_t step)
{
	enum { NUMBERS = 2, STRINGS, BOTH, OBJECTS, OBJECT, LISTS, INNER };
	static const struct json_rule kinds[] = {
		{JSON_OUTSIDE, NULL, '{', TOP},        {TOP, "numbers", JSON_NUMBERS, NUMBERS},
		{TOP, "texts", JSON_STRINGS, STRINGS}, {TOP, "both", JSON_BOTH, BOTH},
		{TOP, "objects", '[', OBJECTS},        {OBJECTS, NULL, '{', OBJECT},
		{TOP, "lists", JSON_NUMBERS, LISTS},   {LISTS, NULL, JSON_NUMBERS, INNER},
	};
	struct json_doc d;
	struct buf out;
	enum json_token t = JSON_MORE;
	size_t len = strlen(text);
	buf_init(&out);
	json_doc_init(&d, kinds, sizeof kinds / sizeof *kinds);
	for (size_t at = 0; at < len; at += step) {
		json_doc_feed(&d, text + at, len - at < step ? len - at : step);
		while ((t = json_doc_next(&d)) > JSON_MORE) {
			buf_addc(&out, "-TNSBOoLi"[d.place]);
			if ((unsigned)t == JSON_ODD)
				buf_addf(&out, "!%.*s", (int)d.text.n, d.text.s);
			else if (t == JSON_STRING || t == JSON_NUMBER)
				buf_addf(&out, "=%.*s", (int)d.text.n, d.text.s);
			buf_addc(&out, ' ');
		}
	}
	json_doc_deinit(&d);
	return buf_take(&out);
}

static void test_elements(void)
{
	static const char *const cases[][3] = {
		{"{\"numbers\":[1,null,[2,[]],\"x\",{\"a\":{}},true,3]}", "T N N=1 N! N! N!x N! N! N=3 N T ", "numbers"},
		{"{\"texts\":[\"a\",1,[\"b\"],\"c\"]}", "T S S=a S!1 S! S=c S T ", "texts"},
		{"{\"both\":[\"a\",1,false,{}]}", "T B B=a B=1 B! B! B T ", "numbers and texts"},
		{"{\"objects\":[{\"a\":1},null,[{}],{\"b\":[1]}]}", "T O o o=1 o O! O! o o O T ", "objects"},
		{"{\"lists\":[[1,[2]],{\"a\":[3]},4,null]}", "T L i i=1 i! i L! L=4 L! L T ", "lists with numbers"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (size_t step = 1; step < 40; step += 13) {
			char *got = elements(cases[i][0], step);
			is_str(got, cases[i][1], "%s: an element of the wrong kind is one token, in pieces of %zu bytes",
			       cases[i][2], step);
			free(got);
		}
}

static bool head_has(const char *text, const char *const *keys)
{
	struct head head = {text, strlen(text), false, true};
	return json_head_has(&head, keys);
}

static void test_heads(void)
{
	static const char *const keys[] = {"a", "b", NULL};
	ok(head_has(" {\"b\":{\"x\":[1]},\"a\":", keys), "keys are found in any order, before their value has come");
	ok(!head_has("{\"b\":{\"a\":1}", keys), "those of other objects do not count");
	ok(!head_has("{\"b\":\"\\\"a\\\":\"", keys), "nor do words in strings");
	ok(!head_has("[{\"a\":1,\"b\":2}]", keys), "nor do objects in lists");
	ok(!head_has("{\"a\":1}{\"b\":2}", keys), "nor does a second document");
}

/* Weights 10 > 4 > 3 and 10 > 5. */
static void add_nodes(struct nested *t, bool is_self)
{
	static const uint64_t weights[] = {10, 4, 3, 5};
	for (size_t i = 0; i < 4; i++) {
		nested_begin(t);
		nested_top(t)->weight = is_self && i < 2 ? 0 : weights[i];
		if (i == 2)
			nested_end(t), nested_end(t);
	}
	nested_end(t);
	nested_end(t);
}

static void test_weights(void)
{
	struct nested t = {0};
	add_nodes(&t, false);
	ok(nested_is_inclusive(&t), "callers that weigh more than their callees include them");
	is_int(nested_subtract_callees(&t), 0, "then no callee weighs more");
	is_int(t.nodes[0].weight + t.nodes[1].weight + t.nodes[2].weight + t.nodes[3].weight, 10,
	       "the sum is the root's");
	is_int(t.nodes[1].weight, 1, "a caller keeps what its callee leaves");
	nested_deinit(&t);
	add_nodes(&t, true);
	ok(!nested_is_inclusive(&t), "callers that weigh less do not");
	t.nodes[0].lacks_weight = t.nodes[1].lacks_weight = true;
	is_int(nested_subtract_callees(&t), 0, "callers without a weight have that of their callees");
	nested_deinit(&t);
	nested_begin(&t);
	nested_top(&t)->weight = UINT64_MAX;
	for (size_t i = 0; i < 2; i++) {
		nested_begin(&t);
		nested_top(&t)->weight = UINT64_MAX;
		nested_end(&t);
	}
	ok(nested_subtract_callees(&t) == UINT64_MAX && !t.nodes[0].weight, "sums of callees do not wrap");
	nested_deinit(&t);
}

int main(void)
{
	test_places();
	test_elements();
	test_heads();
	test_weights();
	return done_testing();
}
