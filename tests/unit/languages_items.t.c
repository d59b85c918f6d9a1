/*
 * Items of recordings: what is written is read, and what is cut off is refused.
 */
#include "tests/tap.h"

#include "base/buf.h"
#include "languages/items.h"

static struct buf b;
static struct item it;

static bool parse(void)
{
	return item_parse(&it, (const unsigned char *)b.data, b.len);
}

/* Is each beginning of the item refused? */
static bool refuses_parts(void)
{
	for (size_t n = 0; n < b.len - 3; n++) {
		unsigned char *exact = malloc(n ? n : 1); /* so that a sanitizer detects a read past the end */
		memcpy(exact, b.data, n);
		bool is_taken = item_parse(&it, exact, n);
		free(exact);
		if (is_taken)
			return false;
	}
	return true;
}

static void test_function(void)
{
	const struct language_function f = {"A.key", "/srv/app.py", 18};
	b.len = 0;
	item_add_function(&b, 7, 1, &f);
	ok(parse() && it.kind == ITEM_FUNCTION && it.number == 7 && it.language == 1,
	   "a function has its number and its language");
	is_str(it.function.name, "A.key", "its name");
	is_str(it.function.file, "/srv/app.py", "its file");
	is_int(it.function.first_line, 18, "and its line");
	is_int(b.len % 4, 0, "items are padded");
	ok(refuses_parts(), "a part of a function is refused");
}

static void test_stack(void)
{
	static struct language_stack s;
	s.n = 2;
	s.frames[0] = (struct language_frame){3, 12, 1};
	s.frames[1] = (struct language_frame){4, 0x7fffffff, 0};
	s.lock = LOCK_NOT_HELD;
	s.is_cut = true;
	s.interpreter = 2;
	b.len = 0;
	item_add_stack(&b, &s);
	ok(parse() && it.kind == ITEM_STACK && it.n == 2 && !it.lack, "a stack has its frames");
	ok(it.is_cut && !it.has_moved && it.lock == LOCK_NOT_HELD && it.interpreter == 2, "and what is known of it");
	struct language_frame f = item_frame(&it, 0), g = item_frame(&it, 1);
	ok(f.function == 3 && f.line == 12 && f.is_entry, "a frame has a function and a line");
	ok(g.function == 4 && g.line == 0x7fffffff && !g.is_entry, "also a large one");
	ok(refuses_parts(), "a part of a stack is refused");
}

static void test_others(void)
{
	b.len = 0;
	item_add_lack(&b, LACK_SKIPPED);
	ok(parse() && it.lack == LACK_SKIPPED && it.n == 0, "a missing stack says why");
	b.len = 0;
	item_add_how(&b, HOW_LATE);
	ok(parse() && it.how == HOW_LATE, "how stacks are read is told");
	b.data[4] = 9;
	ok(!parse(), "but not in a way that is unknown");
	b.len = 0;
	item_add_trouble(&b, "Python 3.99");
	ok(parse() && strcmp(it.trouble, "Python 3.99") == 0, "and what cannot be read");
	b.len = 0;
	item_add_held(&b, 7, false);
	ok(parse() && it.kind == ITEM_HELD && strcmp(it.trouble, "process 7") == 0, "and who holds back its memory");
	b.data[0] = 77;
	ok(!parse(), "items of other kinds are refused");
}

int main(void)
{
	buf_init(&b);
	test_function();
	test_stack();
	test_others();
	buf_deinit(&b);
	return done_testing();
}
