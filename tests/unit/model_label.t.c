/* model_label - names in few columns. */
#include "tests/tap.h"

#include "base/utf8.h"
#include "model/label.h"

static char *fit(const char *name, size_t columns, bool ascii)
{
	struct display_name d = {.text = name, .len = (uint32_t)strlen(name)};
	struct buf b;

	d.columns = (uint32_t)utf8_columns(name, d.len);
	buf_init(&b);
	label_fit(&b, &d, columns, ascii);
	return buf_take(&b);
}

static void gives(const char *name, size_t columns, const char *expected)
{
	char *got = fit(name, columns, true);

	is_str(got, expected, "%s in %zu columns", name, columns);
	free(got);
}

static void test_order(void)
{
	const char *insert = "std::map<int, std::string>::insert(std::pair<int const, std::string>&&)";

	gives("main", 4, "main");
	gives("main", 3, "m..");
	gives("main", 2, "");
	gives("ab", 2, "ab");
	gives("", 0, "");
	gives(insert, 80, insert);
	gives(insert, 40, "std::map<int, std::string>::insert");
	gives(insert, 33, "std::map<..>::insert");
	gives(insert, 19, "..map<..>::insert");
	gives(insert, 12, "..insert");
	gives(insert, 8, "..insert");
	gives(insert, 7, "insert");
	gives(insert, 5, "ins..");
}

static void test_languages(void)
{
	gives("<alloc::vec::Vec<T> as core::ops::Drop>::drop", 30, "<alloc::vec::Vec<T>>::drop");
	gives("<T as core::convert::Into<U>>::into", 12, "<T>::into");
	gives("core::ptr::drop_in_place<alloc::string::String>", 30, "core::ptr::drop_in_place<..>");
	gives("java/util/concurrent/ThreadPoolExecutor.runWorker", 30, "..ThreadPoolExecutor.runWorker");
	gives("org.apache.spark.Executor.run", 14, "..Executor.run");
	gives("/usr/lib/python3/json/decoder.py:raw_decode", 28, "..json/decoder.py:raw_decode");
	gives("libc.so.6`__read_nocancel", 18, "..__read_nocancel");
	gives("net/http.(*conn).serve", 18, "http.(*conn).serve");
	gives("tcp_sendmsg_locked.isra.0", 14, "tcp_sendmsg_..");
	gives("schedule.part.0.cold", 12, "schedule.p..");
	gives("void java.util.ComparableTimSort.sort(java.lang.Object[], int)", 40, "java.util.ComparableTimSort.sort");
	gives("void java.util.ComparableTimSort.sort(java.lang.Object[], int)", 25, "..ComparableTimSort.sort");
	gives("std::vector<int> ns::make<int>(int, char)", 15, "ns::make<int>");
	gives("C2 CompilerThread", 12, "C2 Compile..");
	gives("ns::Foo::operator bool() const", 22, "ns::Foo::operator bool");
	gives("ns::Foo::operator bool() const", 18, "..operator bool");
	gives("StubRoutines (1)", 13, "StubRoutines");
}

static void test_brackets(void)
{
	gives("std::operator<< <char>(std::ostream&)", 24, "std::operator<< <char>");
	gives("ns::cls::operator()(int) const", 20, "ns::cls::operator()");
	gives("a::operator->", 12, "..operator->");
	gives("(anonymous namespace)::deep::run", 14, "..deep::run");
	gives("f::{lambda(int)#1}::operator()", 14, "..operator()");
	gives("broken<template::name", 12, "broken<..");
	gives("((((((((", 4, "((..");
	gives("a>b>c>d>e>f", 5, "a>b..");
}

static void test_characters(void)
{
	char *got = fit("a::\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2\xE5\xAD\x97", 6, false);

	is_str(got, "\xE6\xBC\xA2\xE5\xAD\x97\xE2\x80\xA6", "wide characters are counted as two columns");
	free(got);
	got = fit("namespace_one::f", 5, false);
	is_str(got,
	       "\xE2\x80\xA6"
	       "f",
	       "an ellipsis takes one column");
	free(got);
}

/* For any name, the label keeps to its columns. */
static void test_by_chance(void)
{
	static const char letters[] = "ab:<>()[]{}.,/` _operator<~*&0";
	uint64_t state = 7;
	bool good = true;

	for (int i = 0; i < 20000 && good; i++) {
		char name[40];
		size_t n = 0;
		for (; n < sizeof name - 1; n++) {
			state = state * UINT64_C(6364136223846793005) + 1;
			name[n] = letters[(state >> 33) % (sizeof letters - 1)];
		}
		name[n] = '\0';
		size_t columns = (state >> 40) % 40;
		char *got = fit(name, columns, i & 1);
		good = utf8_columns(got, strlen(got)) <= columns && utf8_is_valid(got, strlen(got));
		free(got);
	}
	ok(good, "no name makes a label wider than its columns");
}

/* Columns counted again from each component on would not end within the time that a test has. */
static void test_many_components(void)
{
	static const char *const marks[] = {"/", "`", "::", "(x)::", "<a>::"};
	for (unsigned i = 0; i < sizeof marks / sizeof *marks; i++) {
		struct buf name;
		buf_init(&name);
		for (unsigned k = 0; k < 300000; k++)
			buf_adds(&name, marks[i]);
		buf_adds(&name, "end");
		char *got = fit(buf_str(&name), 6, true);
		is_str(got + strlen(got) - 3, "end", "very many components that end in %s: the last one is left", marks[i]);
		free(got);
		buf_deinit(&name);
	}
}

int main(void)
{
	test_order();
	test_languages();
	test_brackets();
	test_characters();
	test_by_chance();
	test_many_components();
	return done_testing();
}
