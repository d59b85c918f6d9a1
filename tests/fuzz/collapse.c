/*
 * collapse.c - reads any bytes as the text of any format, cut anywhere that a loader would cut.
 *
 * FORMAT=NAME in the environment is the format, so that each has its own run, dictionary and corpus. The first byte
 * picks its options, the second how the text is cut; the rest is the text. The format gets it whole and in pieces;
 * both results must be equal, with correct sums.
 */
#include <stdint.h>
#include <stdlib.h>

#include "tests/unit/collapsing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct collapse_format *pick_format(void)
{
	const char *name = getenv("FORMAT");
	const struct collapse_format *format = name != NULL ? collapse_find(name) : NULL;
	if (format == NULL) {
		fprintf(stderr, "FORMAT=NAME has to name a format (see flametop --format=help)\n");
		exit(2);
	}
	return format;
}

static void check(const struct profile *p)
{
	const struct sample_log *log = &p->log[0];
	uint64_t sum = 0;
	for (size_t i = 0; i < log->n; i++) {
		if (log->path[i] >= p->n_paths)
			abort();
		if (__builtin_add_overflow(sum, log->weight[i], &sum))
			sum = UINT64_MAX;
	}
	if (sum != log->total)
		abort();
	for (uint32_t i = 1; i < p->n_paths; i++)
		if (p->parent[i] >= i || p->sym[i] >= p->symtab.n)
			abort();
}

/* The end of the next piece: a line end some lines on; anywhere for a stream. */
static size_t cut(const struct collapse_format *format, const char *text, size_t len, uint64_t *seed)
{
	size_t n = 1 + chance(seed, 9);
	if (format->is_text_stream)
		return n < len ? n : len;
	for (size_t lines = 1 + chance(seed, 3), at = 0;; lines--) {
		const char *nl = memchr(text + at, '\n', len - at);
		at = nl != NULL ? (size_t)(nl - text) + 1 : len;
		if (lines == 1 || at == len)
			return at;
	}
}

static bool feed_in_pieces(struct profile *p, const struct collapse_format *format,
                           const struct collapse_options *o, const char *text, size_t len, uint64_t seed)
{
	struct sink sink = {.profile = p, .options = o};
	struct err err = {""};
	profile_init(p);
	p->decimals = format->decimals;
	void *state = format->start(&sink, &err);
	bool good = true;
	for (size_t at = 0, n; state != NULL && good && at < len; at += n) {
		n = cut(format, text + at, len - at, &seed);
		good = feed_piece(format, state, &sink, text + at, n, &err);
	}
	return state != NULL && format->finish(state, good, &err) && good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	const struct collapse_format *format = pick_format();
	const char *text = (const char *)data + 2;
	struct collapse_options o = collapse_options_of(data[0]);
	struct profile whole, pieces;
	bool is_whole = collapse_pieces(&whole, format, &o, text, size - 2, SIZE_MAX);
	bool is_pieces = feed_in_pieces(&pieces, format, &o, text, size - 2, data[1]);
	check(&whole);
	check(&pieces);
	char *a = samples_of(&whole), *b = samples_of(&pieces);
	if (is_whole != is_pieces || strcmp(a, b) != 0) {
		fprintf(stderr, "%s differs in pieces:\n%s---\n%s", format->name, a, b);
		abort();
	}
	free(a);
	free(b);
	profile_deinit(&whole);
	profile_deinit(&pieces);
	return 0;
}
