/*
 * Mangled names of C++ and Rust, and malicious ones.
 */
#include "tests/tap.h"

#include "base/demangle.h"

static void test_names(void)
{
	static const struct {
		const char *mangled, *plain; /* NULL: no mangled name */
	} cases[] = {
		{"_ZN3foo3barEv", "foo::bar()"},
		{"__ZN3foo3barEv", "foo::bar()"},
		{"___ZN3foo3barEv", "foo::bar()"},
		{"_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<int, std::allocator<int> >::push_back(int const&)"},
		{"_ZNSolsEi@plt", "std::ostream::operator<<(int)@plt"},
		{"_ZNSolsEi@@GLIBCXX_3.4", "std::ostream::operator<<(int)@@GLIBCXX_3.4"},
		{"_ZL3foov.cold", "foo() [clone .cold]"},
		{"_ZTV3foo", "vtable for foo"},
		{"_ZZ4mainENKUlvE_clEv", "main::{lambda()#1}::operator()() const"},
		{"_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write"},
		{"_ZN4core3fmt5write17h0123456789abcdefE.llvm.123", "core::fmt::write"},
		{"_RNvCs1234_7mycrate3foo.llvm.1A2B", "mycrate::foo"},
		{"_ZN3foo3barEv.llvm.7", "foo::bar() [clone .llvm.7]"},
		{"_ZN5alloc7raw_vec19RawVec$LT$T$C$A$GT$7reserve17h0123456789abcdefE",
	     "alloc::raw_vec::RawVec<T,A>::reserve"},
		{"_RNvCs1234_7mycrate3foo", "mycrate::foo"},
		{"__RNvCs1234_7mycrate3foo", "mycrate::foo"},
		{"_RINvNtC3std3mem8align_ofjdE", "std::mem::align_of::<usize, f64>"},
		{"", NULL},
		{"_", NULL},
		{"__", NULL},
		{"_Z", NULL},
		{"_R", NULL},
		{"Z3foov", NULL},
		{"main", NULL},
		{"_start", NULL},
		{"_Return", NULL},
		{"__libc_start_main", NULL},
		{"_ZN3foo3barE\xFF", NULL},
		{"_ZN999999999999999999999foo", NULL},
		{"____ZN3foo3barEv", NULL},
		{"@plt", NULL},
		{"_Z@plt", NULL},
	};
	struct buf b;
	buf_init(&b);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		b.len = 0;
		bool is_mangled = demangle(cases[i].mangled, strlen(cases[i].mangled), &b);
		ok(is_mangled == (cases[i].plain != NULL), "'%s' is %s name", cases[i].mangled,
		   cases[i].plain != NULL ? "a mangled" : "no mangled");
		is_buf(b, cases[i].plain != NULL ? cases[i].plain : "", "and its plain form is right");
	}
	buf_deinit(&b);
}

static void test_bounds(void)
{
	struct buf name, out;
	buf_init(&name);
	buf_init(&out);
	buf_adds(&out, "before ");
	ok(!demangle("_ZN3foo3barEv", 9, &out), "bytes past the end are not looked at");
	ok(!demangle("_ZN3foo\0003barEv", 13, &out), "a NUL byte is no part of a name");
	is_buf(out, "before ", "a refused name leaves the buffer as it was");
	ok(demangle("_ZN3foo3barEv;x", 13, &out), "the name need not be terminated");
	is_buf(out, "before foo::bar()", "the plain form is appended");

	/* Every argument is a pair of the previous one: 34 doublings. */
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	buf_adds(&name, "_Z1f1XIiiE");
	for (int i = 0; i < 34; i++)
		buf_addf(&name, "S_IS%c_S%c_E", digits[i], digits[i]);
	out.len = 0;
	ok(!demangle(name.data, name.len, &out), "a name that doubles itself 34 times is left as it is");
	is_int(out.len, 0, "and nothing of it is kept");

	/* As arguments of a template, which are a part of the name. */
	bool is_too_long = false;
	name.len = 0;
	buf_adds(&name, "_Z1fI1XIiiE");
	for (int i = 1; i < 34; i++)
		buf_addf(&name, "S0_IS%c_S%c_E", digits[i], digits[i]);
	buf_adds(&name, "Evv");
	ok(!demangle_name(name.data, name.len, &out, &is_too_long) && is_too_long, "a name without parameters, too");
	ok(!demangle_name("_Z?", 3, &out, &is_too_long) && !is_too_long, "what is no mangled name is not too long");

	/* The same, as often as 4096 bytes have room for it: 36 bytes for each of the name. */
	for (int doublings = 4; doublings < 8; doublings++) {
		name.len = out.len = 0;
		buf_adds(&name, "_Z8f00000011aI1bS0_ES_IS1_S1_E");
		for (int i = 2; i < 1 + doublings; i++)
			buf_addf(&name, "S_IS%c_S%c_E", digits[i], digits[i]);
		bool is_plain = demangle(name.data, name.len, &out);
		ok(is_plain == (doublings < 6), "%d doublings: up to twenty bytes are made of one", doublings);
		ok(out.len <= 20 * name.len, "a file of such names takes no more than that");
	}

	name.len = 0;
	buf_adds(&name, "_Z1f");
	buf_pad(&name, 'P', 3000);
	buf_addc(&name, 'i');
	demangle(name.data, name.len, &out);
	pass("a pointer to a pointer to a pointer does no harm");
	buf_pad(&name, 'P', 1000000);
	ok(!demangle(name.data, name.len, &out), "a name of a million bytes is left as it is");
	name.len = 0;
	buf_adds(&name, "_RIC1a");
	buf_pad(&name, 'R', 4000);
	ok(!demangle(name.data, name.len, &out), "four thousand references in Rust do no harm");
	buf_deinit(&name);
	buf_deinit(&out);
}

int main(void)
{
	test_names();
	test_bounds();
	return done_testing();
}
