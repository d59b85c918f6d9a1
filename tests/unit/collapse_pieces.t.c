/*
 * collapse_pieces.t.c - the cuts of an input do not change the result, and no input does harm.
 *
 * Each input below tests/data/collapse/FORMAT is given to its format whole, line by line (streams: in pieces of
 * seven bytes), truncated at many places, and with bytes changed. The last two have no expected result: the format
 * must come to an end, with right sums.
 */
#include <dirent.h>

#include "base/mem.h"
#include "collapse/collapse.h"
#include "tests/tap.h"

#define PAD 64
#define CUTS 24
#define CHANGES 24

static struct buf read_file(const char *path)
{
	struct buf text;
	buf_init(&text);
	FILE *f = fopen(path, "rb");
	if (!f)
		bail_out("cannot open %s", path);
	for (size_t n = 1; n;) {
		n = fread(buf_reserve(&text, 4096), 1, 4096, f);
		text.len += n;
	}
	fclose(f);
	return text;
}

/*
 * Keeps the sink's promise: a newline behind the piece, and some readable bytes. The copy lets sanitizers detect a
 * read past those.
 */
static bool feed(const struct collapse_format *format, void *state, struct sink *sink, const char *text, size_t len,
                 struct err *err)
{
	char *copy = mem_zalloc(len + 1 + PAD, 1);
	if (len)
		memcpy(copy, text, len);
	copy[len] = '\n';
	bool is_fed = collapse_feed(format, state, sink, copy, len, err);
	free(copy);
	return is_fed;
}

static size_t piece_length(const struct collapse_format *format, const char *text, size_t len)
{
	if (format->is_text_stream)
		return len < 7 ? len : 7;
	const char *eol = memchr(text, '\n', len);
	return eol ? (size_t)(eol - text) + 1 : len;
}

static bool collapse(const struct collapse_format *format, const char *text, size_t len, bool in_pieces,
                     struct profile *profile)
{
	struct collapse_options options = {0};
	struct sink sink = {.profile = profile, .options = &options};
	struct err err = {""};
	profile_init(profile);
	void *state = format->start(&sink, &err);
	bool is_fed = state != NULL;
	for (size_t at = 0; is_fed && at < len;) {
		size_t n = in_pieces ? piece_length(format, text + at, len - at) : len - at;
		is_fed = feed(format, state, &sink, text + at, n, &err);
		at += n;
	}
	return state && format->finish(state, is_fed, &err) && is_fed;
}

static void add_path(const struct profile *p, uint32_t path, struct buf *out)
{
	for (; path != PATH_ROOT; path = p->parent[path])
		buf_addf(out, "%s<", p->symtab.symbols[p->sym[path]].name);
}

/* Samples and notes, one a line. */
static char *describe(const struct profile *p)
{
	struct buf out;
	buf_init(&out);
	const struct sample_log *log = &p->log[0];
	for (size_t i = 0; i < log->n; i++) {
		add_path(p, log->path[i], &out);
		buf_addf(&out, " %" PRIu64 " of %u\n", log->weight[i], log_series(log, i));
	}
	for (size_t i = 0; i < p->report.n; i++) {
		const struct note *note = &p->report.notes[i];
		buf_addf(&out, "%s at %" PRIu64 ", %" PRIu64 " times\n", note->kind, note->line, note->count);
	}
	return buf_take(&out);
}

static bool sums_are_right(const struct profile *p)
{
	const struct sample_log *log = &p->log[0];
	uint64_t sum = 0;
	for (size_t i = 0; i < log->n; i++) {
		if (__builtin_add_overflow(sum, log->weight[i], &sum))
			sum = UINT64_MAX;
		if (log->path[i] >= p->n_paths)
			return false;
	}
	return sum == log->total;
}

static void test_pieces(const struct collapse_format *format, const struct buf *text, const char *name)
{
	struct profile whole, pieces;
	bool is_whole = collapse(format, text->data, text->len, false, &whole);
	bool is_pieces = collapse(format, text->data, text->len, true, &pieces);
	char *a = describe(&whole), *b = describe(&pieces);
	is_str(b, a, "%s is the same in pieces", name);
	ok(is_whole == is_pieces, "%s ends the same in pieces", name);
	free(a);
	free(b);
	profile_deinit(&whole);
	profile_deinit(&pieces);
}

static bool survives(const struct collapse_format *format, const char *text, size_t len)
{
	struct profile p;
	collapse(format, text, len, false, &p);
	bool is_right = sums_are_right(&p);
	profile_deinit(&p);
	return is_right;
}

static void test_damage(const struct collapse_format *format, const struct buf *text, const char *name)
{
	static const char bytes[] = "\n \t0;:()[]{}<>+-\"'`@#x9\r\xff";
	bool is_right = true;
	for (size_t i = 0; i < CUTS; i++)
		is_right &= survives(format, text->data, text->len * i / CUTS);
	ok(is_right, "%s cut short keeps its sums", name);

	uint64_t random = 0x9e3779b97f4a7c15u + text->len;
	is_right = true;
	char *copy = mem_alloc(text->len + 1);
	for (int i = 0; i < CHANGES && text->len; i++) {
		memcpy(copy, text->data, text->len);
		for (int k = 0; k < 1 + i / 4; k++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			copy[(random >> 33) % text->len] = bytes[(random >> 20) % (sizeof bytes - 1)];
		}
		is_right &= survives(format, copy, text->len);
	}
	free(copy);
	ok(is_right, "%s with changed bytes keeps its sums", name);
}

static void test_format(const char *root, const struct collapse_format *format)
{
	char path[1024];
	snprintf(path, sizeof path, "%s/%s", root, format->name);
	DIR *dir = opendir(path);
	if (!dir)
		return;
	for (struct dirent *entry; (entry = readdir(dir));) {
		size_t n = strlen(entry->d_name);
		if (n < 3 || strcmp(entry->d_name + n - 3, ".in") != 0)
			continue;
		snprintf(path, sizeof path, "%s/%s/%s", root, format->name, entry->d_name);
		struct buf text = read_file(path);
		const char *name = path + strlen(root) + 1;
		test_pieces(format, &text, name);
		test_damage(format, &text, name);
		buf_deinit(&text);
	}
	closedir(dir);
}

int main(void)
{
	for (const struct collapse_format *const *f = collapse_formats; *f; f++)
		test_format("tests/data/collapse", *f);
	return done_testing();
}
