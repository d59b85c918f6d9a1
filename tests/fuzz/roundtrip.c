/*
 * roundtrip.c - writes and reads again any names and counts as folded stacks: the profile must be the same, and so
 * must the text when written once more.
 *
 * The first byte picks the output (columns, decimals, order), the second the number of reading threads; the rest
 * are stacks. A name is made of pieces with a meaning in folded stacks or elsewhere, and of any bytes. The loader
 * is built here with small ranges, so that a few lines fill many of them.
 */
#include <stdint.h>
#include <stdlib.h>

#define RANGE_MIN 60u
#include "tests/unit/small_loader.h"

#include "base/escape.h"
#include "tests/unit/collapsing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct bytes {
	const uint8_t *at, *end;
};

static uint8_t take(struct bytes *b)
{
	return b->at < b->end ? *b->at++ : 0;
}

static void add_piece(struct buf *name, struct bytes *b)
{
	static const char *const pieces[] = {
		"a",
		"worker",
		" 1",
		" 2",
		" 7.5",
		" 12.",
		" ",
		"\t",
		"\r",
		"\n",
		"\v",
		"\f",
		";",
		":",
		"#",
		"# ",
		"\\",
		"\\x",
		"\\x41",
		"\\x3b",
		"\\x5cx41",
		"\xef\xbb\xbf",
		"\xff",
		"\xc3",
		"\xe2\x80\xae",
		"\x1f\x8b",
		"(\xb5/\xfd",
		"\xfd"
		"7zXZ",
		"BZh",
		"MZ",
		"PERFILE2",
		"{\"nodes\":[",
		"<svg",
		"goroutine 1 [running]:",
		"Call graph:",
		FOLDED_ESCAPED,
		FOLDED_ANNOUNCED,
		"1",
		"0",
		" 18446744073709551616",
		"all",
		"(empty)",
		"\x1b[31m",
	};
	uint8_t pick = take(b);

	if (pick == 255)
		buf_addc(name, '\0');
	else if (pick >= 200)
		buf_addc(name, (char)take(b));
	else
		buf_adds(name, pieces[pick % (sizeof pieces / sizeof *pieces)]);
}

static uint32_t take_name(struct profile *p, struct bytes *b)
{
	struct buf name;
	uint32_t sym;

	buf_init(&name);
	for (unsigned n = take(b) % 4; n; n--)
		add_piece(&name, b);
	sym = symtab_intern(&p->symtab, name.len ? name.data : "", name.len);
	buf_deinit(&name);
	return sym;
}

/* Counts whose sums fit, or one of the largest value. */
static uint64_t take_count(struct bytes *b, bool is_huge, bool is_first)
{
	uint8_t bits = take(b);

	if (is_huge)
		return is_first ? UINT64_MAX : 0;
	return bits & 3 ? (uint64_t)take(b) << (bits >> 3) : 0;
}

static void make_profile(struct profile *p, struct bytes *b, bool is_double, bool is_huge)
{
	for (unsigned n = 0; b->at < b->end && n < 60; n++) {
		uint32_t path = PATH_ROOT;

		for (unsigned depth = 1 + take(b) % 3; depth; depth--)
			path = profile_child(p, path, take_name(p, b));
		for (unsigned side = 0; side <= is_double; side++)
			profile_add(p, side, path,
			            &(struct sample){.weight = take_count(b, is_huge, n == 0), .time = NO_TIME, .cpu = NO_CPU});
	}
}

/* The text from --to=folded; the caller frees it. */
static char *written(struct profile *p, enum sort_order sort, size_t *len)
{
	struct export_options o = {.factor = 1, .reads_as_folded = collapse_reads_as_folded};
	struct view v;
	struct err err;
	char path[40];
	int fd = memfd_create("folded", MFD_CLOEXEC);

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	view_init(&v, p, UTF8_CLEAN_UTF8, true);
	v.recipe.sort = sort;
	if (!view_update(&v, DIRTY_TREE, NULL, NULL) || !export_to(path, &export_folded, &v, &o, &err))
		abort();
	view_deinit(&v);
	*len = (size_t)lseek(fd, 0, SEEK_END);
	char *text = mem_zalloc(*len + 1, 1);
	if (pread(fd, text, *len, 0) != (ssize_t)*len)
		abort();
	close(fd);
	return text;
}

/*
 * Adds a stack; perf's stacks have no escapes, and as they are read: ';' becomes ':', a last name of blanks is
 * dropped.
 */
static void add_stack(struct buf *out, const struct profile *p, uint32_t path, bool is_plain)
{
	uint32_t depth = profile_depth(p, path);

	for (uint32_t d = depth; d; d--) {
		uint32_t at = path;
		for (uint32_t up = 1; up < d; up++)
			at = p->parent[at];
		const struct symbol *s = &p->symtab.symbols[p->sym[at]];
		bool is_blank_name = strspn(s->name, " \t") == s->len;
		buf_addc(out, '[');
		for (size_t i = 0; i < s->len && !(is_plain && d == 1 && is_blank_name); i++)
			buf_addf(out, "%02x", s->name[i] == ';' && is_plain ? ':' : (unsigned char)s->name[i]);
		buf_addc(out, ']');
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Both logs as sorted lines, "side stack": weights added up, in `decimals`, without zeros; free() it. */
static char *contents(const struct profile *p, unsigned decimals, bool is_plain)
{
	size_t n = 0, all = p->log[0].n + p->log[1].n;
	char **lines = mem_zalloc(all + 1, sizeof *lines);
	uint64_t sum = 0;
	struct buf out;

	for (unsigned side = 0; side < 2; side++) {
		for (size_t i = 0; i < p->log[side].n; i++) {
			struct buf line;
			uint64_t weight = p->log[side].weight[i];
			for (unsigned d = p->decimals; d < decimals; d++)
				weight *= 10;
			buf_init(&line);
			buf_addf(&line, "%u ", side);
			add_stack(&line, p, p->log[side].path[i], is_plain);
			buf_addf(&line, "=%020ju", (uintmax_t)weight);
			lines[n++] = buf_take(&line);
		}
	}
	qsort(lines, n, sizeof *lines, by_text);
	buf_init(&out);
	for (size_t i = 0; i < n; i++) {
		size_t len = (size_t)(strrchr(lines[i], '=') - lines[i]);
		sum += strtoull(lines[i] + len + 1, NULL, 10);
		if (i + 1 < n && strncmp(lines[i], lines[i + 1], len + 1) == 0)
			continue;
		if (sum)
			buf_addf(&out, "%.*s %ju\n", (int)len, lines[i], (uintmax_t)sum);
		sum = 0;
	}
	for (size_t i = 0; i < n; i++)
		free(lines[i]);
	free(lines);
	return buf_take(&out);
}

static void fail_with(const char *what, const char *text, size_t len, const char *expected, const char *got)
{
	fprintf(stderr, "%s:\n", what);
	fwrite(text, 1, len, stderr);
	fprintf(stderr, "--- expected:\n%s\n--- got:\n%s\n", expected, got);
	abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes b = {data + 2, data + size};
	struct profile p, again;
	struct err err = {""};

	if (size < 3 || size > 4000)
		return 0;
	profile_init(&p);
	profile_series(&p, 0, 0);
	p.decimals = data[0] & 2 ? 3 : 0;
	p.format = data[0] & 16 ? "perf" : NULL;
	make_profile(&p, &b, data[0] & 1, data[0] & 4);
	enum sort_order sort = data[0] & 8 ? SORT_NAME : SORT_WEIGHT;
	size_t len, len_again;
	char *text = written(&p, sort, &len);
	struct collapse_options o = {.jobs = 1 + data[1] % 4};
	if (!load_bytes(&again, &o, text, len, &err))
		fail_with("cannot be read", text, len, "", err.text);
	bool is_plain = p.format && strncmp(text, FOLDED_ESCAPED "\n", strlen(FOLDED_ESCAPED) + 1) != 0;
	char *expected = contents(&p, p.decimals, is_plain), *got = contents(&again, p.decimals, false);
	if (strcmp(expected, got) != 0)
		fail_with("is another profile", text, len, expected, got);
	char *text_again = written(&again, sort, &len_again);
	if (again.report.n && !(data[0] & 4))
		fail_with("is complained of", text, len, "", again.report.notes[0].kind);
	if (!p.format && (len != len_again || memcmp(text, text_again, len) != 0))
		fail_with("is another text", text, len, text, text_again);
	free(text);
	free(text_again);
	free(expected);
	free(got);
	profile_deinit(&p);
	profile_deinit(&again);
	return 0;
}
