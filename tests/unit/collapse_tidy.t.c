/*
 * collapse_tidy.t.c - tidying names as profilers print them.
 */
#include "collapse/text/tidy.h"
#include "tests/tap.h"

static void rust(const char *name, const char *expected)
{
	struct buf out;
	buf_init(&out);
	bool is_rust = tidy_rust(&out, name, strlen(name));
	if (expected)
		is_str(buf_str(&out), expected, "'%s' is repaired", name);
	else
		ok(!is_rust && !out.len, "'%s' is left alone", name);
	buf_deinit(&out);
}

static void parameters(const char *name, const char *expected)
{
	struct buf out;
	buf_init(&out);
	buf_add(&out, name, tidy_parameters(name, strlen(name)));
	is_str(buf_str(&out), expected, "'%s' without parameters", name);
	buf_deinit(&out);
}

/* Only the beginning of a text is the name. */
static void parameters_of_beginning(const char *text, size_t len, size_t expected)
{
	is_int(tidy_parameters(text, len), expected, "'%.*s' without parameters, with any text behind it", (int)len,
	       text);
}

static void package(const char *name, const char *expected)
{
	struct buf out;
	buf_init(&out);
	tidy_java_package(&out, name, strlen(name));
	is_str(buf_str(&out), expected, "'%s' with a short package", name);
	buf_deinit(&out);
}

static void test_rust(void)
{
	rust("core::fmt::write::h0123456789abcdef", "core::fmt::write");
	rust("core::fmt::write::h0123456789ABCDEF", "core::fmt::write");
	rust("h0123456789abcdef", "");
	rust("a::bh0123456789abcdef", "a::b");
	rust("_$LT$$RF$T$u20$as$u20$core..fmt..Debug$GT$::fmt::h0123456789abcdef", "<&T as core::fmt::Debug>::fmt");
	rust("a::_$u7b$$u7b$closure$u7d$$u7d$::h0123456789abcdef", "a::_{{closure}}");
	rust("_$u5b$u8$u3b$$u20$4$u5d$::x::h0123456789abcdef", "[u8; 4]::x");
	rust("f$LP$a$C$b$RP$::g.h..i::h0123456789abcdef", "f(a,b)::g.h::i");
	rust("$SP$$BP$$u7e$$u27$$u3d$$u2b$$u21$$u22$::h0123456789abcdef", "@*~'=+!\"");
	rust("a$LT$b$XX$c..d$GT$::h0123456789abcdef", "a<b$XX$c..d$GT$");
	rust("a$::h0123456789abcdef", "a$");
	rust("_ZN3std5panic12catch_unwind17h0562757d03ff60b3E", NULL);
	rust("core::fmt::write::h0123456789abcde", NULL);
	rust("core::fmt::write::h0123456789abcdeg", NULL);
	rust("core::fmt::write", NULL);
	rust("", NULL);
}

static void test_parameters(void)
{
	parameters("main", "main");
	parameters("", "");
	parameters("f(int, char const*)", "f");
	parameters("a::b<c(d)>::e(int) const", "a::b<c(d)>::e");
	parameters("pkg.(*T).Method", "pkg.(*T).Method");
	parameters("pkg.(*T).Method(int)", "pkg.(*T).Method");
	parameters("v8::internal::(anonymous namespace)::Run(int)", "v8::internal::(anonymous namespace)::Run");
	parameters("(anonymous namespace)::run(int)", "(anonymous namespace)::run");
	parameters("main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator");
	parameters("operator<(A const&, A const&)", "operator<");
	parameters("std::operator<< <char>(std::ostream&)", "std::operator<< <char>");
	parameters("a::operator->*(int)", "a::operator->*");
	parameters("a::operator[](int)", "a::operator[]");
	parameters("a::operator<=><int>(b)", "a::operator<=><int>");
	parameters("my_operator<int(x)>(y)", "my_operator<int(x)>");
	parameters("operators<int(x)>(y)", "operators<int(x)>");
	parameters("-[NSView drawRect:](x)", "-[NSView drawRect:]");
	parameters("a)b(c", "a)b(c");
	parameters_of_beginning("v8::inner::(anonymous namespace)", 20, 11);
	parameters_of_beginning("f(int)", 4, 1);
}

static void test_signatures(void)
{
	static const char lambda[] = "main::{lambda(int)#1}::operator()(int) const", plain[] = "f(int)";
	is_int((int)tidy_signature(lambda, strlen(lambda)), (int)strlen("main::{lambda(int)#1}::operator()"),
	       "a signature keeps the parentheses of operator()");
	is_int((int)tidy_signature(plain, strlen(plain)), 1, "and loses its parameters as any other name");
}

static void test_operators(void)
{
	is_int((int)tidy_operator("a::operator->", 13, 3), 10, "operator-> is seen as one");
	is_int((int)tidy_operator("operator->*", 11, 0), 11, "the longest operator wins");
	is_int((int)tidy_operator("operator new", 12, 0), 0, "operator new has no brackets");
	is_int((int)tidy_operator("xoperator<", 10, 1), 0, "the end of another word is no operator");
	is_int((int)tidy_operator("operator", 8, 0), 0, "the word alone is no operator");
	is_int((int)tidy_operator("oper", 4, 0), 0, "a text that ends early is no operator");
}

static void test_packages(void)
{
	package("com.acme.db.Pool.borrow", "c.a.d.Pool.borrow");
	package("com/acme/db/Pool.borrow", "c/a/d/Pool.borrow");
	package("Pool.borrow", "Pool.borrow");
	package("a.Pool.borrow", "a.Pool.borrow");
	package("main", "main");
	package("", "");
	package("java.base/java.lang.Thread.run", "j.b/j.l.Thread.run");
}

int main(void)
{
	test_rust();
	test_parameters();
	test_signatures();
	test_operators();
	test_packages();
	return done_testing();
}
