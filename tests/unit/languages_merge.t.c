/*
 * Merging: functions of a language take the places of the native loops that run them.
 *
 * A native stack is written with the root first: E is a loop of the interpreter, k the kernel, other letters are
 * native functions. Functions of the language are capitals, an entry with ' behind it. In the result, replaced native
 * frames are lower-case e, or in brackets.
 */
#include "tests/tap.h"

#include "languages/merge.h"

static bool is_exact;

static const char *merge(const char *native, const char *language, bool has_bottom, bool has_root)
{
	static char out[200];
	uint8_t marks[64], entries[64];
	char letters[64];
	struct merged merged[128];
	struct merge_input in = {marks, strlen(native), entries, 0, has_bottom, has_root};
	for (size_t i = 0; i < in.n_native; i++) {
		char c = native[in.n_native - 1 - i];
		marks[i] = c == 'E' ? MARK_EVAL : c == 'k' ? MARK_KERNEL : MARK_NATIVE;
	}
	for (size_t i = strlen(language); i-- > 0;) {
		entries[in.n_language] = language[i] == '\'';
		i -= language[i] == '\'';
		letters[in.n_language++] = language[i];
	}
	size_t n = merge_stacks(&in, merged, &is_exact), len = 0;
	for (size_t i = n; i-- > 0;) {
		char c = merged[i].is_language ? letters[merged[i].index] : native[in.n_native - 1 - merged[i].index];
		if (merged[i].is_replaced && c == 'E')
			out[len++] = 'e';
		else
			len += (size_t)snprintf(out + len, sizeof out - len, merged[i].is_replaced ? "(%c)" : "%c", c);
	}
	out[len] = '\0';
	return out;
}

int main(void)
{
	is_str(merge("smExEy", "M'A'", true, true), "smeMxeAy", "each loop is replaced by its function");
	ok(is_exact, "as many loops as entries are exact");
	is_str(merge("smExEy", "M'AB'C", true, true), "smeMAxeBCy", "functions called within a loop stay together");
	is_str(merge("smExEyE", "M'A'", true, true), "smeMxeAye", "a loop without a function stands for nothing");
	ok(!is_exact, "and is not exact");
	is_str(merge("smExy", "M'A'", true, true), "smeMxyA", "functions without a loop go to the leaf");
	is_str(merge("smExykk", "M'A'", true, true), "smeMxyAkk", "but below the kernel");
	is_str(merge("smExEykk", "M'A'", true, true), "smeMxeAykk", "the kernel is the leaf");
	is_str(merge("xEyEz", "M'A'B'", false, true), "(x)e(y)eMABz",
	       "without its root, what is behind the last loop stays");
	is_str(merge("abc", "M'A'", false, true), "(a)(b)MAc", "without loops, the innermost native function stays");
	is_str(merge("abckk", "M'A'", false, true), "(a)(b)MAckk", "and the kernel");
	is_str(merge("smabc", "M'A'", true, true), "(s)(m)(a)(b)MAc", "also if no loop has a name");
	is_str(merge("smabc", "MA", true, true), "(s)(m)(a)(b)MAc", "as in a language that has no loops");
	ok(is_exact, "which is exact then");
	is_str(merge("smExEy", "A'B'", true, false), "(s)(m)e(x)eABy", "functions without their root are not paired");
	is_str(merge("kk", "M'", false, true), "Mkk", "of the kernel alone all stays");
	is_str(merge("", "M'A", false, true), "MA", "there may be no native stack");
	is_str(merge("sEx", "M", true, true), "seMx", "the outermost function needs no mark");
	is_str(merge("smxExEy", "CB'A'", true, true), "smxeCBxeAy",
	       "one that is in no loop comes before the first loop");
	ok(is_exact, "and is exact");
	return done_testing();
}
