/* model_match - patterns over names. */
#include "tests/tap.h"

#include "model/match.h"

static bool matches(const char *pattern, enum match_mode mode, const char *name)
{
	struct err err;
	struct match *m = match_new(pattern, mode, &err);
	bool found = m && match_name(m, name, strlen(name));

	match_free(m);
	return found;
}

static void test_case(void)
{
	ok(matches("read", MATCH_REGEX, "vfs_READ"), "a pattern in lower case ignores case");
	ok(!matches("Read", MATCH_REGEX, "vfs_read"), "an upper-case letter makes it count");
	ok(matches("\\Wx\\S", MATCH_REGEX, "(XY"), "an upper-case escape does not");
	ok(matches("\\p{Lu}b", MATCH_REGEX, "AB"), "nor the name of a character class");
	ok(matches("\\x{41}b", MATCH_REGEX, "aB"), "nor a code point in hexadecimal");
	ok(matches("a\\\\b", MATCH_REGEX, "A\\B"), "nor lower case behind an escaped backslash");
	ok(!matches("a\\\\B", MATCH_REGEX, "a\\b"), "but in upper case it counts");
	ok(matches("\xC3\xA4", MATCH_REGEX, "\xC3\x84"), "case is ignored beyond ASCII");
	ok(!matches("\xC3\x84", MATCH_REGEX, "\xC3\xA4"), "and counts beyond ASCII");
	ok(matches("A.B", MATCH_TEXT, "xA.By") && !matches("A.B", MATCH_TEXT, "xAxBy"),
	   "text has no special characters");
	ok(matches("a.b", MATCH_TEXT, "xA.By"), "text has smart case, too");
	ok(matches("\\S", MATCH_TEXT, "x\\S") && !matches("\\S", MATCH_TEXT, "x\\s"), "and no escapes");
	ok(matches("foo", MATCH_LITERAL, "foo") && !matches("foo", MATCH_LITERAL, "foo2"), "literal is the whole name");
	ok(!matches("foo", MATCH_LITERAL, "FOO"), "and its exact bytes");
}

static void test_errors(void)
{
	struct err err = {""};

	ok(!match_new("a(b", MATCH_REGEX, &err), "a bad pattern is refused");
	ok(strstr(err.text, "a(b") && strstr(err.text, "offset 3"), "and told with its place: %s", err.text);
	ok(!match_new("\\C", MATCH_REGEX, &err), "a pattern cannot divide characters");
	ok(!match_new("a\xFF", MATCH_REGEX, &err), "a pattern has to be text: %s", err.text);
	ok(!match_new("(((a{1,999}){1,999}){1,999}){1,999}", MATCH_REGEX, &err), "a pattern that explodes is refused");
}

static void test_bytes(void)
{
	ok(matches("bar", MATCH_REGEX,
	           "foo\xFF\xFE"
	           "bar"),
	   "names that are no UTF-8 can be searched");
	ok(!matches("f.*r", MATCH_REGEX, "f\xFFr"), "but not across bad bytes");
	ok(matches("^a.b$", MATCH_REGEX,
	           "a\xC3\xA4"
	           "b"),
	   "a dot is a character, not a byte");
}

/* No PCRE2 pattern begins like this; the rest is a name with escapes. */
static void test_names(void)
{
	struct err err = {""};
	struct match *m = match_new("(*NAME)a\\x00b\\xff", MATCH_REGEX, &err);

	ok(m && match_name(m, "a\0b\xff", 4), "(*NAME) names a function by its bytes");
	ok(m && !match_name(m, "a\0b\xfe", 4) && !match_name(m, "a", 1), "and no other");
	match_free(m);
	ok(matches("(*NAME)a.b\\E(", MATCH_REGEX, "a.b\\E("), "nothing has a meaning there but \\xHH");
	ok(!matches("(*NAME)main", MATCH_REGEX, "mainly") && !matches("(*NAME)main", MATCH_REGEX, "Main"),
	   "it is the whole name, with its case");
	ok(matches("(*NAME)\\x", MATCH_REGEX, "") && !matches("(*NAME)\\x", MATCH_REGEX, "x"), "which may be empty");
	ok(matches("(*NAME)x", MATCH_TEXT, "a(*NAME)x"), "in plain text it is text");
	ok(matches("(*NAME)x", MATCH_LITERAL, "(*NAME)x"), "and in a literal name itself");
	ok(!match_new("(*NAMES)x", MATCH_REGEX, &err) && !match_new("a(*NAME)x", MATCH_REGEX, &err),
	   "all else of the kind is refused as before");
}

static void test_limits(void)
{
	struct match *m = match_new("(a+)+$", MATCH_REGEX, NULL);
	char name[5001];

	memset(name, 'a', 5000);
	name[4999] = '!';
	name[5000] = '\0';
	ok(!match_name(m, name, 5000), "a catastrophic pattern ends");
	is_int(match_exceeded(m), 1, "and is counted");
	match_free(m);
	m = match_new("(?:a|b)*c", MATCH_REGEX, NULL);
	size_t n = 1000000;
	char *big = malloc(n);
	memset(big, 'a', n);
	big[n - 1] = 'c';
	match_name(m, big, n); /* matching or not, it must return */
	pass("a huge name ends");
	match_free(m);
	/* Each step looks at the rest of the name, and each byte is a start. */
	static const char *const slow[] = {"(?:(?![ab]*+[cd])a)*[!,]", "(?=.*foo)(?=.*bar)", "(?:[ab]+)++[cd]"};
	memset(big, 'a', n);
	for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
		m = match_new(slow[i], MATCH_REGEX, NULL);
		ok(!match_name(m, big, n), "%s: a long name ends, too", slow[i]);
		is_int(match_exceeded(m), 1, "and exceeds the limit");
		ok(match_name(m, "foobar,aac", 10), "a short one is matched");
		match_free(m);
	}
	/* Of a class of many characters each looked at is slow; a script run looks at all of its characters again. */
	char class[2100] = "[";
	for (unsigned i = 0; i < 500; i++)
		snprintf(class + strlen(class), 5, "%c%c%c", 0xe4, 0x80 + i / 64, 0x80 + i % 64);
	strcat(class, "a]*+[yz]");
	const char *const slower[] = {class, "(*sr:.*)[yz]"};
	for (size_t i = 0; i < 2; i++) {
		m = match_new(slower[i], MATCH_REGEX, NULL);
		ok(m && !match_name(m, big, 20000), "a slow pattern ends, too");
		is_int(match_exceeded(m), 1, "and exceeds the limit");
		match_free(m);
	}
	m = match_new("[xy]oo$", MATCH_REGEX, NULL);
	memcpy(big + n - 3, "xoo", 3);
	ok(match_name(m, big, n), "the end of a long name is found");
	is_int(match_exceeded(m), 0, "within the limit");
	match_free(m);
	free(big);
}

static void test_limit_of_all(void)
{
	static const enum match_limit limits[] = {MATCH_LIMIT_FILE, MATCH_LIMIT_KEY};
	enum { LENGTH = 20000, NAMES = 100 };
	char *name = malloc(LENGTH);

	memset(name, 'a', LENGTH);
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		struct match *m = match_new("(?:(?![ab]*+[cd])a)*[!,]", MATCH_REGEX, NULL);
		match_limit_all(m, limits[i]);
		for (int k = 0; k < NAMES; k++)
			match_name(m, name, LENGTH);
		is_int(match_exceeded(m), NAMES, "all long names exceed the limit");
		match_free(m);
	}
	free(name);
}

/* A search that is cancelled within a name tests it again. */
static void test_stop_within(void)
{
	enum { LENGTH = 2000 };
	struct match *m = match_new("(?=.*foo)(?=.*bar)|a$", MATCH_REGEX, NULL);
	struct match_in in = {.named_by = BY_FUNCTION};
	struct symset set = {.n = 0};
	struct progress stop = {.cancel = true};
	struct symtab t;
	char *name = malloc(LENGTH);

	memset(name, 'a', LENGTH);
	symtab_init(&t);
	in.symtab = &t;
	uint32_t sym = symtab_intern(&t, name, LENGTH);
	ok(!match_symbols(m, &in, &set, NULL, &stop), "a search is cancelled within a long name");
	ok(set.n <= sym && match_symbols(m, &in, &set, NULL, NULL), "and goes on with it");
	ok(symset_has(&set, sym) && match_exceeded(m) == 0, "which is found");
	symset_deinit(&set);
	symtab_deinit(&t);
	match_free(m);
	free(name);
}

static void test_symbols(void)
{
	struct symtab t;
	struct symset set = {.n = 0};
	char name[20];
	struct match_in in = {.symtab = &t};
	struct progress stop = {.cancel = true};
	struct match *m = match_new("drop|x7", MATCH_REGEX, NULL);

	symtab_init(&t);
	uint32_t mangled = symtab_intern(&t, "_ZN4core3ptr13drop_in_place17h0123456789abcdefE", 47);
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof name, "x%d", i);
		symtab_intern(&t, name, strlen(name));
	}
	ok(!match_symbols(m, &in, &set, NULL, &stop), "matching can be stopped");
	ok(set.n <= 8, "after a few names, each of which may take long");
	ok(match_symbols(m, &in, &set, NULL, NULL), "and goes on where it stopped");
	is_int(set.n, t.n, "to the last name");
	ok(symset_has(&set, mangled), "a mangled name matches by its contents");
	ok(symset_has(&set, symtab_find(&t, "x7", 2)) && symset_has(&set, symtab_find(&t, "x799", 4)),
	   "matches are in the set");
	ok(!symset_has(&set, symtab_find(&t, "x8", 2)), "others are not");
	ok(!symset_has(&set, 1u << 30), "nor are symbols that do not exist");
	uint32_t later = symtab_intern(&t, "drop later", 10);
	ok(!symset_has(&set, later), "new names are not known yet");
	match_symbols(m, &in, &set, NULL, NULL);
	ok(symset_has(&set, later), "until the set is extended");
	match_free(m);
	symset_deinit(&set);
	m = match_new("core::ptr::drop", MATCH_TEXT, NULL);
	match_symbols(m, &in, &set, NULL, NULL);
	ok(symset_has(&set, mangled), "a mangled name matches as it is shown");
	match_free(m);
	symset_deinit(&set);
	m = match_new("x77", MATCH_LITERAL, NULL);
	match_symbols(m, &in, &set, NULL, NULL);
	ok(symset_has(&set, symtab_find(&t, "x77", 3)), "a literal finds its name");
	size_t found = 0;
	for (uint32_t i = 0; i < t.n; i++)
		found += symset_has(&set, i);
	is_int(found, 1, "and no other");
	match_free(m);
	symset_deinit(&set);
	symtab_deinit(&t);
}

static size_t count(const struct symset *set)
{
	size_t n = 0;
	for (uint32_t i = 0; i < set->n; i++)
		n += symset_has(set, i);
	return n;
}

static void found_by(const char *pattern, enum match_mode mode, const struct symtab *t, const struct symset *within,
                     struct symset *found)
{
	struct match_in in = {.symtab = t};
	struct match *m = match_new(pattern, mode, NULL);

	*found = (struct symset){.n = 0};
	match_symbols(m, &in, found, within, NULL);
	match_free(m);
}

/* Wherever match_narrows() says yes, a search within the previous matches finds the same. */
static void test_narrowing(void)
{
	static const char *const patterns[] = {"a",
	                                       "ab",
	                                       "aB",
	                                       "Ab",
	                                       "abc",
	                                       "bc",
	                                       "a.",
	                                       "a|b",
	                                       "ab|c",
	                                       "a\\",
	                                       "\xC3\xA4",
	                                       ("\xC3\x84"
	                                        "b")};
	enum { N = sizeof patterns / sizeof *patterns };
	struct symtab t;
	char name[8];
	size_t narrowed = 0, differ = 0, strangers = 0;

	symtab_init(&t);
	for (unsigned seed = 0; seed < 4000; seed++) {
		static const char *const parts[] = {"a", "A", "b", "B", "c", "\xC3\xA4", "\xC3\x84", "\xFF"};
		size_t len = 0;
		for (unsigned k = 0, x = seed; k < 4; k++, x /= 8) {
			const char *part = parts[x % 8];
			memcpy(name + len, part, len + strlen(part) <= sizeof name ? strlen(part) : 0);
			len += len + strlen(part) <= sizeof name ? strlen(part) : 0;
		}
		symtab_intern(&t, name, len);
	}
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < N; j++) {
			struct symset before, whole, less;
			struct err err;
			struct match *m = match_new(patterns[j], MATCH_REGEX, &err);
			bool is_good = m != NULL;
			match_free(m);
			if (!is_good || !match_narrows(patterns[j], MATCH_REGEX, patterns[i], MATCH_REGEX))
				continue;
			found_by(patterns[i], MATCH_REGEX, &t, NULL, &before);
			found_by(patterns[j], MATCH_REGEX, &t, NULL, &whole);
			found_by(patterns[j], MATCH_REGEX, &t, &before, &less);
			differ += memcmp(whole.bits, less.bits, (t.n + 63) / 64 * sizeof *whole.bits) != 0;
			strangers += count(&whole) == 0;
			narrowed++;
			symset_deinit(&before);
			symset_deinit(&whole);
			symset_deinit(&less);
		}
	}
	ok(narrowed >= N, "text that was typed on narrows a search (%zu pairs)", narrowed);
	is_int(differ, 0, "and finds the same among earlier matches as among all");
	is_int(strangers, 0, "each finds something");
	ok(!match_narrows("a|b", MATCH_REGEX, "a", MATCH_REGEX), "more of a regular expression need not find less");
	ok(match_narrows("a|b", MATCH_TEXT, "a|", MATCH_TEXT), "in a fixed text nothing is special");
	symtab_deinit(&t);
}

int main(void)
{
	test_narrowing();
	test_case();
	test_errors();
	test_bytes();
	test_names();
	test_limits();
	test_limit_of_all();
	test_stop_within();
	test_symbols();
	return done_testing();
}
