/*
 * The kernel's functions and modules, from a text like /proc/kallsyms.
 */
#include "symbols/kallsyms.h"

#include <string.h>

#include "base/buf.h"
#include "tests/tap.h"

static const char text[] = "0000000000000000 A fixed_percpu_data\n"
						   "ffffffff81000000 T _stext\n"
						   "ffffffff81000000 T _text\n"
						   "ffffffff81000000 t srso_alias\n"
						   "ffffffff81000100 T do_idle\n"
						   "ffffffff81000200 W weak_one\n"
						   "ffffffff81000300 D some_data\n"
						   "ffffffff81000400 T last_one\n"
						   "not a line\n"
						   "ffffffffc0a31000 t nft_do_chain\t[nf_tables]\n"
						   "ffffffffc0a31080 t nft_eval\t[nf_tables]\n"
						   "ffffffffc0a31100 t other\t[other]";

static void has(const struct kallsyms *k, uint64_t address, const char *name, const char *module, const char *what)
{
	struct kallsym found = {0};
	kallsyms_find(k, address, &found);
	is_str(found.name, name, "%s", what);
	is_str(found.module, module, "%s: of its module", what);
}

static void test_names(void)
{
	uint64_t address = 0;
	struct kallsyms *k = kallsyms_parse(text, sizeof text - 1, NULL);
	has(k, 0xffffffff81000010, "_text", NULL, "of names at one address a global and short one");
	has(k, 0xffffffff810001ff, "do_idle", NULL, "a function up to the next");
	has(k, 0xffffffff81000301, NULL, NULL, "data are no function");
	has(k, 0xffffffff81000fff, "last_one", NULL, "the last function up to the end of its page");
	has(k, 0xffffffff81001000, NULL, NULL, "nothing between the kernel and its modules");
	has(k, 0xffffffffc0a31001, "nft_do_chain", "nf_tables", "a function of a module");
	has(k, 0xffffffffc0a31101, "other", "other", "a last line without newline");
	has(k, 0x10, NULL, NULL, "nothing below");
	ok(kallsyms_address(k, "_stext", &address) && address == 0xffffffff81000000,
	   "a symbol that is not the best one");
	ok(!kallsyms_address(k, "do_idl", &address), "the beginning of a name is another name");
	kallsyms_move(k, 0x1000000);
	has(k, 0xffffffff82000110, "do_idle", NULL, "a kernel at another place");
	has(k, 0xffffffffc0a31001, NULL, NULL, "whose modules are unknown");
	kallsyms_free(k);
}

static void test_refused(void)
{
	static const char hidden[] = "0000000000000000 T _text\n0000000000000000 T do_idle\n";
	struct err err;
	ok(!kallsyms_parse(hidden, sizeof hidden - 1, &err), "hidden addresses are refused");
	is_str(err.text, "addresses are hidden (kernel.kptr_restrict)", "and it is said why");
	ok(!kallsyms_parse("", 0, &err), "no text is refused");
	ok(!kallsyms_open("/dev/zero", &err), "a device is not read");
	is_str(err.text, "/dev/zero: not a regular file", "and it is said why");
	for (size_t n = 0; n < sizeof text; n++)
		kallsyms_free(kallsyms_parse(text, n, NULL));
	pass("cut at every byte");
}

/* A name that no kernel has, and many others at its address. */
static void test_long_names(void)
{
	struct buf lines;
	struct err err = {0};

	buf_init(&lines);
	buf_adds(&lines, "ffffffff81000000 T ");
	buf_pad(&lines, '_', 1000000);
	for (size_t i = 0; i < 20000; i++)
		buf_adds(&lines, "\nffffffff81000000 t ____________________b");
	buf_adds(&lines, "\nffffffff81000100 T f\t[");
	buf_pad(&lines, 'm', 1000000);
	buf_adds(&lines, "]\nffffffff81000200 T ");
	buf_pad(&lines, 'g', 1000000);
	double start = tap_seconds();
	struct kallsyms *k = kallsyms_parse(lines.data, lines.len, &err);
	ok(tap_seconds() - start < 2, "20,000 names beside a long one are read soon");
	has(k, 0xffffffff81000001, "____________________b", NULL, "and it is not kept");
	has(k, 0xffffffff81000101, "____________________b", NULL, "not a name of a module of a megabyte");
	has(k, 0xffffffff81000201, "____________________b", NULL, "nor such a name of a function");
	kallsyms_free(k);
	buf_deinit(&lines);
}

int main(void)
{
	test_names();
	test_refused();
	test_long_names();
	return done_testing();
}
