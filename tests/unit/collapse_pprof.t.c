/*
 * pprof: how drop_frames and keep_frames change a stack. The expected results are those of `go tool pprof`.
 */
#include "collapse/formats.h"
#include "collapse/formats/pprof_drop.h"
#include "tests/tap.h"
#include "tests/unit/collapsing.h"

/* --- a writer of profile.proto --- */

static void add_varint(struct buf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_addc(b, (char)(v | 0x80));
	buf_addc(b, (char)v);
}

static void add_number(struct buf *b, unsigned field, uint64_t v)
{
	add_varint(b, field << 3);
	add_varint(b, v);
}

static void add_bytes(struct buf *b, unsigned field, const char *bytes, size_t n)
{
	add_varint(b, field << 3 | 2);
	add_varint(b, n);
	buf_add(b, bytes, n);
}

/* Appends the message as a field, and frees it. */
static void add_message(struct buf *b, unsigned field, struct buf *message)
{
	add_bytes(b, field, message->len ? message->data : "", message->len);
	buf_deinit(message);
}

enum { SAMPLE_TYPE = 1, SAMPLE, LOCATION = 4, FUNCTION, STRING, DROP_FRAMES, KEEP_FRAMES };

/* Adds a string and a function of that name with the same number. */
static uint64_t add_name(struct buf *strings, struct buf *functions, uint64_t *n, const char *name, size_t len)
{
	struct buf function;
	buf_init(&function);
	add_bytes(strings, STRING, name, len);
	add_number(&function, 1, ++*n);
	add_number(&function, 2, *n);
	add_message(functions, FUNCTION, &function);
	return *n;
}

/*
 * Makes a profile with one sample of weight 7 out of "main|f>inlined into f|g". The leaf, and the innermost inlined
 * function, come last.
 */
static void add_profile(struct buf *out, const char *stack, const char *drop, const char *keep)
{
	struct buf type, strings, functions, sample;
	uint64_t n = 0, location = 0, locations[8];
	buf_init(&type);
	buf_init(&strings);
	buf_init(&functions);
	buf_init(&sample);
	add_bytes(&strings, STRING, "", 0);
	while (*stack) {
		uint64_t lines[8];
		size_t n_lines = 0, len;
		struct buf message;
		for (bool is_more = true; is_more; stack += len + (stack[len] != '\0')) {
			len = strcspn(stack, ">|");
			lines[n_lines++] = add_name(&strings, &functions, &n, stack, len);
			is_more = stack[len] == '>';
		}
		buf_init(&message);
		add_number(&message, 1, location + 1);
		while (n_lines--) {
			struct buf line;
			buf_init(&line);
			add_number(&line, 1, lines[n_lines]);
			add_message(&message, 4, &line);
		}
		add_message(out, LOCATION, &message);
		locations[location] = location + 1;
		location++;
	}
	while (location--)
		add_number(&sample, 1, locations[location]);
	add_number(&sample, 2, 7);
	add_message(out, SAMPLE, &sample);
	add_number(&type, 1, add_name(&strings, &functions, &n, "space", 5));
	add_number(&type, 2, 0);
	add_message(out, SAMPLE_TYPE, &type);
	if (drop)
		add_number(out, DROP_FRAMES, add_name(&strings, &functions, &n, drop, strlen(drop)));
	if (keep)
		add_number(out, KEEP_FRAMES, add_name(&strings, &functions, &n, keep, strlen(keep)));
	buf_add(out, strings.data, strings.len);
	buf_add(out, functions.data, functions.len);
	buf_deinit(&strings);
	buf_deinit(&functions);
}

/* --- tests --- */

static void test_drop(const char *stack, const char *drop, const char *keep, const char *left)
{
	struct buf profile, expected;
	struct collapse_options o = {.jobs = 1};
	struct profile p;
	char *got;
	buf_init(&profile);
	buf_init(&expected);
	add_profile(&profile, stack, drop, keep);
	buf_addf(&expected, "%s 7\n", left);
	ok(collapse_pieces(&p, &format_pprof, &o, profile.data, profile.len, profile.len), "the profile of %s is read",
	   stack);
	got = folded_of(&p);
	is_str(got, buf_str(&expected), "of %s stays %s", stack, left);
	/* Each left out frame must be missing from the rest. */
	size_t before = 1, after = 1;
	for (const char *s = stack; *s; s++)
		before += *s == '|' || *s == '>';
	for (const char *s = left; *s; s++)
		after += *s == ';';
	is_int(notes_of(&p, "stacks lost frames"), before > after, "with a message unless all are dropped");
	free(got);
	profile_deinit(&p);
	buf_deinit(&profile);
	buf_deinit(&expected);
}

static void test_patterns(void)
{
	test_drop("main|f|malloc|sbrk", NULL, NULL, "main;f;malloc;sbrk");
	test_drop("main|f|malloc|sbrk", NULL, "main", "main;f;malloc;sbrk");
	test_drop("main|f|malloc|sbrk", "malloc|free", NULL, "main;f");
	test_drop("main|malloc|f|malloc|g", "malloc", NULL, "main");
	test_drop("main|xmalloc|malloc_hook|Malloc", "malloc", NULL, "main;xmalloc;malloc_hook;Malloc");
	test_drop("main|new_string|new", "new.*", "new_.*", "main;new_string");
	test_drop("main|new_string|new", "new.*", "str", "main");
	test_drop("main|.malloc|x", "malloc", NULL, "main");
	test_drop("main|malloc(unsigned long)|x", "malloc", NULL, "main");
	test_drop("main|a::(anonymous namespace)::f(int)|x", "a::\\(anonymous namespace\\)::f", NULL, "main");
	test_drop("main|a::operator()(int)|x", "a::operator\\(\\)", NULL, "main");
}

/* Matching frames at the root do not drop a whole stack. */
static void test_roots(void)
{
	test_drop("malloc|x", "malloc|x", NULL, "malloc;x");
	test_drop("malloc|main|f", "malloc", NULL, "malloc;main;f");
	test_drop("malloc|main|malloc|x", "malloc", NULL, "malloc;main");
}

static void test_inlined(void)
{
	test_drop("main|f>malloc>x|y", "malloc", NULL, "main;f");
	test_drop("main|f>g>malloc>x", "malloc", NULL, "main;f;g_[i]");
	test_drop("main|f>malloc>g>malloc|y", "malloc", NULL, "main;f");
	test_drop("main|malloc>f>malloc|y", "malloc", NULL, "main");
	test_drop("f>malloc|main|g", "malloc", NULL, "f;main;g");
	test_drop("malloc>f>malloc|main|g", "malloc", NULL, "malloc;f_[i];malloc_[i];main;g");
}

static void test_no_pattern(void)
{
	struct buf profile;
	struct collapse_options o = {.jobs = 1};
	struct profile p;
	buf_init(&profile);
	add_profile(&profile, "main|malloc", "malloc(", NULL);
	ok(collapse_pieces(&p, &format_pprof, &o, profile.data, profile.len, profile.len), "a bad pattern is no end");
	char *got = folded_of(&p);
	is_str(got, "main;malloc 7\n", "nothing is dropped by it");
	is_int(notes_of(&p, "drop_frames is not a valid pattern"), 1, "and a message says so");
	free(got);
	profile_deinit(&p);
	buf_deinit(&profile);
}

static bool is_pattern(const char *text)
{
	struct err err = {""};
	struct pprof_drop *d = pprof_drop_new(slice_of(text), slice_of(""), &err);
	pprof_drop_free(d);
	return d != NULL;
}

/* What RE2 has not takes PCRE2 very long on some names. */
static void test_patterns_of_re2(void)
{
	static const char *const good[] = {"a|b",          "(?:a)*?",           "(?i)a",    "(?i-s:a)",
	                                   "(?P<x>a)",     "(?<x>a)",           "[*+(?=]+", "[]a[:alpha:](*]",
	                                   "\\(\\*\\+\\?", "\\pL\\x{41}\\d\\z", "a{2,3}",   "[\\]*+]b"};
	static const char *const bad[] = {"a*+",    "a++b",   "a?+b",  "a{2}+",   "(?=a)",     "(?!a)",
	                                  "(?<=a)", "(?<!a)", "(?>a)", "(?|a)",   "(?1)(a)",   "(?&x)",
	                                  "(a)\\1", "\\X",    "\\Ka",  "(*sr:a)", "(*NO_JIT)a"};
	unsigned wrong = 0;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		wrong += !is_pattern(good[i]);
	is_int(wrong, 0, "patterns of RE2 are valid");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		wrong += is_pattern(bad[i]);
	is_int(wrong, 0, "those of PCRE2 alone are not");
	char *large = mem_alloc(70000);
	memset(large, 'a', 69999);
	large[69999] = '\0';
	ok(!is_pattern(large), "nor is one of more than 64 KiB");
	free(large);
}

/* --- where functions begin --- */

/* A function of the file "x.go", and a location in it with the same number. */
static void add_place(struct buf *out, struct buf *strings, uint64_t number, uint64_t name, uint64_t begin,
                      uint64_t line)
{
	struct buf function, location, at;
	buf_init(&function);
	buf_init(&location);
	buf_init(&at);
	add_number(&function, 1, number);
	add_number(&function, 2, name);
	add_number(&function, 4, 1);
	if (begin)
		add_number(&function, 5, begin);
	add_number(&at, 1, number);
	add_number(&at, 2, line);
	add_number(&location, 1, number);
	add_message(&location, 4, &at);
	add_message(out, LOCATION, &location);
	add_message(strings, FUNCTION, &function);
}

static const char *source_of(const struct profile *p, const char *name)
{
	uint32_t sym = symtab_find(&p->symtab, name, strlen(name));
	return sym == NO_SYMBOL ? "none" : place_of_symbol(&p->symtab, sym);
}

static void test_begins(void)
{
	struct buf out, rest, type, sample;
	struct collapse_options o = {.jobs = 1};
	struct profile p;
	buf_init(&out);
	buf_init(&rest);
	buf_init(&type);
	buf_init(&sample);
	add_bytes(&rest, STRING, "", 0);
	add_bytes(&rest, STRING, "x.go", 4);
	add_bytes(&rest, STRING, "known", 5);
	add_bytes(&rest, STRING, "guessed", 7);
	add_place(&out, &rest, 1, 2, 5, 80);
	add_place(&out, &rest, 2, 3, 0, 30);
	add_place(&out, &rest, 3, 3, 0, 9);
	add_place(&out, &rest, 4, 3, 0, 100);
	for (unsigned i = 4; i > 0; i--)
		add_number(&sample, 1, i);
	add_number(&sample, 2, 7);
	add_message(&out, SAMPLE, &sample);
	add_number(&type, 1, 1);
	add_number(&type, 2, 0);
	add_message(&out, SAMPLE_TYPE, &type);
	buf_add(&out, rest.data, rest.len);
	ok(collapse_pieces(&p, &format_pprof, &o, out.data, out.len, out.len), "functions with lines are read");
	is_str(source_of(&p, "known"), "x.go:5", "a function begins where the profile says");
	is_str(source_of(&p, "guessed"), "x.go:9", "or at its first line that is known");
	profile_deinit(&p);
	buf_deinit(&out);
	buf_deinit(&rest);
}

/* --- how it arrives --- */

static bool feed_bytes(struct profile *p, const struct buf *bytes, size_t step)
{
	struct collapse_options o = {.jobs = 1};
	struct sink sink = {.profile = p, .options = &o};
	struct err err = {""};
	bool good = true;
	profile_init(p);
	void *state = format_pprof.start(&sink, &err);
	for (size_t at = 0; good && at < bytes->len; at += step)
		good = feed_piece(&format_pprof, state, &sink, bytes->data + at,
		                  bytes->len - at < step ? bytes->len - at : step, &err);
	return format_pprof.finish(state, good, &err) && good;
}

/* Fields `from` to `to` of the profile. */
static void copy_fields(struct buf *out, const struct buf *profile, unsigned from, unsigned to)
{
	for (size_t at = 0; at < profile->len;) {
		unsigned number = (unsigned char)profile->data[at] >> 3;
		size_t size = profile->data[at] & 2 ? 2 + (size_t)(unsigned char)profile->data[at + 1] : 2;
		if (number >= from && number <= to)
			buf_add(out, profile->data + at, size);
		at += size;
	}
}

static void test_order(void)
{
	static const unsigned orders[][6] = {
		{1, 2, 3, 4, 5, 8}, {8, 5, 4, 3, 2, 1}, {2, 8, 1, 4, 5, 3}, {4, 2, 5, 1, 8, 3}};
	struct buf profile, other;
	buf_init(&profile);
	buf_init(&other);
	add_profile(&profile, "main|f>g|malloc", "malloc", NULL);
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
		other.len = 0;
		for (size_t k = 0; k < 6; k++)
			copy_fields(&other, &profile, orders[i][k] == 8 ? STRING : orders[i][k],
			            orders[i][k] == 8 ? KEEP_FRAMES : orders[i][k]);
		for (size_t step = 1; step <= other.len; step += step == 1 ? other.len - 1 : 1) {
			struct profile p;
			ok(feed_bytes(&p, &other, step), "order %zu, %zu bytes at once: it is read", i, step);
			char *got = folded_of(&p);
			is_str(got, "main;f;g_[i] 7\n", "and is the same");
			free(got);
			profile_deinit(&p);
		}
	}
	buf_deinit(&profile);
	buf_deinit(&other);
}

static void test_ends(void)
{
	struct buf profile;
	struct profile p;
	buf_init(&profile);
	add_profile(&profile, "main|f", NULL, NULL);
	size_t whole = profile.len, read = 0;
	for (profile.len = 1; profile.len < whole; profile.len++) {
		read += feed_bytes(&p, &profile, 1);
		profile_deinit(&p);
	}
	is_int(read, 1, "cut short anywhere it is an error, but in front of a function that nothing refers to");
	profile.len = whole;
	add_varint(&profile, STRING << 3 | 2);
	add_varint(&profile, (uint64_t)17 << 20);
	ok(!feed_bytes(&p, &profile, profile.len), "so is a string of 17 MiB, at its beginning");
	profile_deinit(&p);
	buf_deinit(&profile);
}

/* Six samples of main, each with a number of its own: 0 1 2 0 3 4. */
static void add_labelled(struct buf *out)
{
	static const uint64_t ids[] = {1, 2, 3, 1, 4, 5};
	struct buf type, location, line, function;
	buf_init(&type);
	buf_init(&location);
	buf_init(&line);
	buf_init(&function);
	add_number(&type, 1, 1);
	add_number(&type, 2, 2);
	add_message(out, SAMPLE_TYPE, &type);
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
		struct buf sample, label;
		buf_init(&sample);
		buf_init(&label);
		add_number(&label, 1, 4);
		add_number(&label, 3, ids[i]);
		add_number(&sample, 1, 1);
		add_number(&sample, 2, 1);
		add_message(&sample, 3, &label);
		add_message(out, SAMPLE, &sample);
	}
	add_number(&location, 1, 1);
	add_number(&line, 1, 1);
	add_message(&location, 4, &line);
	add_message(out, LOCATION, &location);
	add_number(&function, 1, 1);
	add_number(&function, 2, 3);
	add_message(out, FUNCTION, &function);
	for (size_t i = 0; i < 5; i++) {
		const char *text = (const char *const[]){"", "samples", "count", "main", "id"}[i];
		add_bytes(out, STRING, text, strlen(text));
	}
}

/* Labels that nothing asks for cost nothing; a viewer keeps the first ones. */
static void test_labels(size_t most, bool drops, size_t sets, uint64_t missing)
{
	struct buf text;
	struct profile p;
	struct collapse_options o = {.jobs = 1, .most_label_sets = most, .drops_labels = drops};
	buf_init(&text);
	add_labelled(&text);
	ok(collapse_pieces(&p, &format_pprof, &o, text.data, text.len, text.len), "samples with labels");
	is_int(p.log[0].total, 6, "all count");
	is_int(p.tags ? tags_count(p.tags) : 0, sets, "at most %zu sets of labels: %zu", most, sets);
	is_int(notes_of(&p, "too many different labels to list: a sample is without its own (--tagfocus has all)"),
	       missing, "and the number of samples without theirs");
	profile_deinit(&p);
	buf_deinit(&text);
}

int main(void)
{
	test_labels(0, false, 5, 0);
	test_labels(5, false, 5, 0);
	test_labels(2, false, 2, 3);
	test_labels(0, true, 0, 0);
	test_order();
	test_ends();
	test_patterns();
	test_roots();
	test_inlined();
	test_no_pattern();
	test_patterns_of_re2();
	test_begins();
	return done_testing();
}
