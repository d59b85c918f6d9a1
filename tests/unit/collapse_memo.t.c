/*
 * collapse_memo.t.c - known texts keep their number.
 */
#include "base/buf.h"
#include "collapse/text/memo.h"
#include "tests/tap.h"

#define MANY 20000u

static void name(struct buf *out, uint32_t i)
{
	out->len = 0;
	buf_addf(out, "text %u", i);
}

int main(void)
{
	struct memo memo;
	struct buf text;
	memo_init(&memo);
	buf_init(&text);

	bool is_counted = true, is_found = true, is_kept = true;
	for (uint32_t i = 0; i < MANY; i++) {
		name(&text, i);
		struct memo_hit hit = memo_find(&memo, text.data, text.len);
		is_counted &= hit.is_new && hit.index == i;
	}
	ok(is_counted, "new texts are counted");
	for (uint32_t i = 0; i < MANY; i++) {
		name(&text, i);
		struct memo_hit hit = memo_find(&memo, text.data, text.len);
		is_found &= !hit.is_new && hit.index == i;
		is_kept &= hit.text != text.data && !memcmp(hit.text, text.data, text.len);
	}
	ok(is_found, "a text that was met keeps its number, however many there are");
	ok(is_kept, "the memo has a copy of its own");

	struct memo_hit empty = memo_find(&memo, "", 0);
	ok(empty.is_new && empty.index == MANY, "the empty text is a text");
	empty = memo_find(&memo, "x", 0);
	ok(!empty.is_new && empty.index == MANY, "only the bytes that were given count");

	struct memo_ask asks[2] = {memo_ask(&memo, "two of a kind", 13), memo_ask(&memo, "two of a kind", 13)};
	for (uint32_t i = 0; i < MANY; i++) { /* the table grows in between */
		name(&text, MANY + i);
		memo_find(&memo, text.data, text.len);
	}
	for (int i = 0; i < 2; i++)
		memo_fetch(&memo, &asks[i]);
	struct memo_hit first = memo_answer(&memo, &asks[0]), second = memo_answer(&memo, &asks[1]);
	ok(first.is_new && !second.is_new && first.index == second.index,
	   "of several that are asked for together the first is new and the others are it");

	buf_deinit(&text);
	memo_deinit(&memo);
	return done_testing();
}
