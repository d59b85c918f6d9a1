/*
 * Slices: taking parts off.
 */
#include "base/slice.h"
#include "tests/tap.h"

static void takes(struct slice *text, char mark, const char *part, const char *rest, const char *name)
{
	struct slice taken = slice_take_until(text, mark);
	ok(slice_is(taken, part) && slice_is(*text, rest), "%s", name);
}

int main(void)
{
	struct slice text = slice_of("a,,b");
	takes(&text, ',', "a", ",b", "the part before a mark, and the mark, are taken off");
	takes(&text, ',', "", "b", "the part may be empty");
	takes(&text, ';', "b", "", "without a mark it is all of the text");
	takes(&text, ',', "", "", "of nothing it is nothing");
	text = slice_of("a,");
	takes(&text, ',', "a", "", "a mark may be the end");
	text = (struct slice){"a\0b", 3};
	takes(&text, '\0', "a", "b", "a NUL is a mark like others");
	return done_testing();
}
