/*
 * line_page.c - the lines of a function as rows to show.
 */
#include "line_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/md5.h"
#include "base/mem.h"
#include "base/sort.h"
#include "sites.h"

/* Rows of one file are next to each other, in order of their lines. */
struct span {
	const struct line_row *first;
	size_t n;
	uint64_t self, total;
};

static int compare_spans(const void *a, const void *b)
{
	const struct span *x = a, *y = b;
	if (!x->first->file != !y->first->file)
		return x->first->file ? -1 : 1;
	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->first < y->first ? -1 : 1;
}

static struct span *find_spans(const struct line_sums *l, size_t *n)
{
	struct span *spans = NULL;
	size_t cap = 0;
	*n = 0;
	for (size_t i = 0; i < l->n; i++) {
		const struct line_row *r = &l->rows[i];
		if (i == 0 || r->file != r[-1].file)
			mem_push(spans, *n, cap, ((struct span){.first = r}));
		struct span *s = &spans[*n - 1];
		s->n++;
		for (unsigned side = 0; side < 2; side++) {
			weight_add(&s->self, r->self[side]);
			s->total = r->total[side] > s->total ? r->total[side] : s->total;
		}
	}
	if (*n)
		sort_array(spans, *n, sizeof *spans, compare_spans);
	return spans;
}

/* Is it the text that was compiled? A checksum decides; without one, its length and its time are all there is. */
static const char *remark_on(const struct source_text *t, const struct source_facts *facts, uint32_t last_line)
{
	uint8_t sum[MD5_BYTES];
	if (facts->md5) {
		md5(t->bytes, t->len, sum);
		bool is_same = memcmp(sum, facts->md5, sizeof sum) == 0;
		return is_same ? NULL : "another version: its checksum differs";
	}
	if (last_line > t->n_lines)
		return "another version: it has fewer lines";
	return facts->built && t->modified > facts->built ? "newer than the program: lines may have moved" : NULL;
}

/* NULL: there is none, and err is as before, or says why it is not taken. */
static struct source_text *fetch_text(const struct line_reader *reader, uint32_t code, const char *file,
                                      struct err *err)
{
	char *path = line_reader_fetch(reader, code, file, err);
	struct source_text *t = path ? source_text_open_path(path, err) : NULL;
	free(path);
	return t;
}

/* The text of a file that is not here. */
static void find_text(struct page_section *s, uint32_t code, struct source_facts *facts, uint32_t last_line,
                      const struct page_wish *wish, struct err *err)
{
	s->is_copy = true;
	if (facts->text)
		s->text = source_text_copy(s->file, facts->text, facts->len);
	if (s->text) {
		s->remark = "from the debug information";
		return;
	}
	s->text = wish->reader ? fetch_text(wish->reader, code, s->file, err) : NULL;
	facts->built = 0; /* the copy was written today */
	if (s->text && !(s->remark = remark_on(s->text, facts, last_line)))
		s->remark = "from a debuginfod server";
}

/* code: of the lines in the file; last_line: the last one with samples, 0: unknown. */
static void open_text(struct page_section *s, uint32_t code, uint32_t last_line, const struct page_wish *wish)
{
	struct err err = {""};
	struct source_facts facts = {0};
	if (!s->file)
		s->why = mem_strdup(wish->why_unknown);
	else if (!wish->places)
		s->why = mem_strdup(wish->why_hidden);
	if (!wish->places || !s->file)
		return;
	if (wish->reader)
		line_reader_describe(wish->reader, code, s->file, &facts);
	s->text = source_text_open(wish->places, s->file, &err);
	if (s->text)
		s->remark = remark_on(s->text, &facts, last_line);
	else
		find_text(s, code, &facts, last_line, wish, &err);
	if (!s->text)
		s->why = mem_strdup(err.text);
}

/* The code that has most of the samples in the file. */
static uint32_t code_of(const struct span *span)
{
	const struct line_row *most = span->first;
	for (size_t i = 1; i < span->n; i++)
		if (span->first[i].code != NO_CODE && (most->code == NO_CODE || span->first[i].samples > most->samples))
			most = &span->first[i];
	return most->code;
}

static void add_row(struct line_page *p, enum page_row_kind kind, uint32_t line, const struct line_row *row)
{
	mem_push(p->rows, p->n, p->cap,
	         ((struct page_row){.kind = kind, .section = (uint32_t)p->n_sections - 1, .line = line, .row = row}));
}

/* Appends the lines without samples in [from, to), or a gap. */
static void add_plain(struct line_page *p, const struct source_text *t, uint32_t from, uint32_t to)
{
	if (t && to > t->n_lines + 1)
		to = (uint32_t)t->n_lines + 1;
	for (uint32_t line = from; t && line < to; line++)
		add_row(p, PAGE_LINE, line, NULL);
}

/* Lines between `from` and the next row with samples, or the end: with `context` after and before them. */
static void add_between(struct line_page *p, const struct source_text *t, uint32_t from, uint32_t to,
                        uint32_t context, bool is_first, bool is_last)
{
	uint32_t after = is_first ? 0 : context, before = is_last ? 0 : context;
	if (!t || from >= to)
		return;
	if (context == UINT32_MAX || (!is_first && !is_last && to - from <= 2 * context + 1)) {
		add_plain(p, t, from, to);
		return;
	}
	uint32_t head = from + after < to ? from + after : to, tail = to - from > before ? to - before : from;
	tail = tail < head ? head : tail;
	add_plain(p, t, from, head);
	if (!is_first && !is_last && tail > head)
		add_row(p, PAGE_GAP, tail - head, NULL);
	add_plain(p, t, tail, to);
}

static void add_section(struct line_page *p, const struct span *span, const struct page_wish *wish)
{
	struct page_section s = {.file = mem_strdup(span->first->file), .self = span->self, .total = span->total};
	uint32_t next = 1;
	open_text(&s, code_of(span), span->first[span->n - 1].line, wish);
	mem_push(p->sections, p->n_sections, p->cap_sections, s);
	add_row(p, PAGE_HEADING, 0, NULL);
	for (size_t i = 0; i < span->n; i++) {
		const struct line_row *r = &span->first[i];
		add_between(p, s.text, next, r->line, wish->context, i == 0, false);
		add_row(p, PAGE_LINE, r->line, r);
		next = r->line + 1;
	}
	if (s.text)
		add_between(p, s.text, next, (uint32_t)s.text->n_lines + 1, wish->context, false, true);
}

/* The names of the callers' files are the reader's. */
static void add_callers(struct line_page *p)
{
	for (size_t i = 0; i < p->lines.n_callers; i++)
		p->lines.callers[i].file = mem_strdup(p->lines.callers[i].file);
	p->owns_callers = true;
	if (p->lines.n_callers)
		add_row(p, PAGE_CALLERS, 0, NULL);
	for (size_t i = 0; i < p->lines.n_callers; i++) {
		add_row(p, PAGE_CALLER, p->lines.callers[i].line, NULL);
		p->rows[p->n - 1].call = &p->lines.callers[i];
	}
}

static int compare_hot(const void *a, const void *b, void *arg)
{
	const struct page_row *rows = arg;
	return line_row_compare_heat(rows[*(const uint32_t *)a].row, rows[*(const uint32_t *)b].row);
}

static void find_hot(struct line_page *p)
{
	size_t cap = 0;
	for (size_t i = 0; i < p->n; i++)
		if (p->rows[i].row && (p->rows[i].row->line || p->rows[i].kind == PAGE_CODE))
			mem_push(p->hot, p->n_hot, cap, (uint32_t)i);
	if (p->n_hot)
		sort_by(p->hot, p->n_hot, sizeof *p->hot, compare_hot, p->rows);
}

void line_page_make(struct line_page *p, struct line_sums *l, const struct page_wish *wish)
{
	size_t n;
	*p = (struct line_page){.lines = *l};
	*l = (struct line_sums){0};
	struct span *spans = find_spans(&p->lines, &n);
	for (size_t i = 0; i < n; i++)
		add_section(p, &spans[i], wish);
	free(spans);
	if (wish->has_callers)
		add_callers(p);
	find_hot(p);
}

/* The calls of a line, which follow each other. */
static const struct line_call *calls_of(const struct line_page *p, const struct line_row *row, size_t *n)
{
	uint32_t number = (uint32_t)(row - p->lines.rows);
	const struct line_call *calls = p->lines.calls;
	size_t low = 0, high = p->lines.n_calls;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (calls[middle].row < number)
			low = middle + 1;
		else
			high = middle;
	}
	for (*n = 0; low + *n < p->lines.n_calls && calls[low + *n].row == number;)
		++*n;
	return calls + low;
}

bool line_page_has_calls(const struct line_page *p, size_t row)
{
	size_t n = 0;
	if (p->rows[row].kind == PAGE_LINE && p->rows[row].row)
		calls_of(p, p->rows[row].row, &n);
	return n > 0;
}

void line_page_toggle(struct line_page *p, size_t row)
{
	size_t n;
	const struct page_row line = p->rows[row];
	const struct line_call *calls = calls_of(p, line.row, &n);
	size_t rest = p->n - row - 1 - (line.is_open ? n : 0);
	if (p->n + n > p->cap)
		p->rows = mem_grow(p->rows, &p->cap, p->n + n, sizeof *p->rows);
	p->rows[row].is_open = !line.is_open;
	if (line.is_open) {
		memmove(p->rows + row + 1, p->rows + row + 1 + n, rest * sizeof *p->rows);
	} else {
		memmove(p->rows + row + 1 + n, p->rows + row + 1, rest * sizeof *p->rows);
		for (size_t i = 0; i < n; i++)
			p->rows[row + 1 + i] = (struct page_row){.kind = PAGE_CALL, .section = line.section, .call = calls + i};
	}
	p->n = row + 1 + (line.is_open ? 0 : n) + rest;
	free(p->hot);
	p->hot = NULL;
	p->n_hot = 0;
	find_hot(p);
}

void line_page_deinit(struct line_page *p)
{
	for (size_t i = 0; i < p->n_sections; i++) {
		source_text_free(p->sections[i].text);
		free(p->sections[i].why);
		free(p->sections[i].file);
	}
	free(p->sections);
	for (size_t i = 0; p->owns_callers && i < p->lines.n_callers; i++)
		free((void *)(uintptr_t)p->lines.callers[i].file);
	for (size_t i = 0; i < p->n_codes; i++) {
		free((void *)(uintptr_t)p->codes[i].text);
		free((void *)(uintptr_t)p->codes[i].file);
	}
	free(p->codes);
	free(p->function);
	free(p->rows);
	free(p->hot);
	line_sums_deinit(&p->lines);
	*p = (struct line_page){.rows = NULL};
}

const char *line_page_text(const struct line_page *p, size_t row, size_t *len)
{
	const struct page_row *r = &p->rows[row];
	const struct source_text *t =
		r->kind == PAGE_LINE || r->kind == PAGE_SOURCE ? p->sections[r->section].text : NULL;
	return t ? source_text_line(t, r->line, len) : NULL;
}

#define TAB_COLUMNS 8u

void page_text_add(struct buf *out, const char *text, size_t len, enum utf8_clean_mode mode)
{
	size_t from = out->len;
	for (const char *end = text + len; text < end;) {
		const char *tab = memchr(text, '\t', (size_t)(end - text)), *stop = tab ? tab : end;
		utf8_clean(out, text, (size_t)(stop - text), mode);
		if (tab)
			buf_pad(out, ' ', TAB_COLUMNS - utf8_columns(out->data + from, out->len - from) % TAB_COLUMNS);
		text = tab ? tab + 1 : end;
	}
}

const char *page_section_file(const struct page_section *s)
{
	return s->file && s->text && !s->is_copy ? s->text->path : s->file;
}

void page_section_add_remark(struct buf *out, const struct page_section *s, enum utf8_clean_mode mode)
{
	size_t n = s->why && s->file ? strlen(s->file) : 0;
	bool is_named = n && strncmp(s->why, s->file, n) == 0 && strncmp(s->why + n, ": ", 2) == 0;
	const char *why = is_named ? s->why + n + 2 : s->why;
	if (why)
		utf8_clean(out, why, strlen(why), mode);
	else if (s->remark)
		buf_adds(out, s->remark);
}

/* ---- instructions -------------------------------------------------------------------------------------------- */

/* The section of a file, added if it is new. */
static uint32_t section_of(struct line_page *p, const char *file, const struct page_wish *wish)
{
	struct page_section s = {.file = mem_strdup(file)};
	for (size_t i = 0; i < p->n_sections; i++)
		if (file && p->sections[i].file && strcmp(file, p->sections[i].file) == 0) {
			free(s.file);
			return (uint32_t)i;
		}
	open_text(&s, p->lines.code, 0, wish);
	mem_push(p->sections, p->n_sections, p->cap_sections, s);
	return (uint32_t)p->n_sections - 1;
}

/* The samples at an instruction. An address within it, of a caller, is this one's. */
static const struct line_row *row_at(struct line_page *p, size_t *next, uint64_t address, uint64_t end)
{
	struct line_row *first = NULL;
	for (; *next < p->lines.n && p->lines.rows[*next].address < end; ++*next) {
		struct line_row *r = &p->lines.rows[*next];
		if (r->address < address)
			continue;
		for (unsigned side = 0; first && side < 2; side++) {
			weight_add(&first->self[side], r->self[side]);
			weight_add(&first->total[side], r->total[side]);
		}
		if (first)
			first->samples += r->samples;
		else
			first = r;
	}
	return first;
}

static void add_code_row(struct line_page *p, size_t i, uint32_t section, size_t *next)
{
	uint64_t end = i + 1 < p->n_codes ? p->codes[i + 1].address : UINT64_MAX;
	const struct line_row *row = row_at(p, next, p->codes[i].address, end);
	mem_push(p->rows, p->n, p->cap,
	         ((struct page_row){.kind = PAGE_CODE, .section = section, .line = (uint32_t)i, .row = row}));
}

static bool is_of_same_line(const struct page_code *a, const struct page_code *b)
{
	bool has_same_file = a->file == b->file || (a->file && b->file && strcmp(a->file, b->file) == 0);
	return has_same_file && a->line == b->line;
}

void line_page_make_code(struct line_page *p, struct line_sums *l, const struct page_code *codes, size_t n,
                         uint64_t start, const struct page_wish *wish)
{
	uint32_t section = 0;
	size_t next = 0;
	*p = (struct line_page){.lines = *l, .n_codes = n, .start = start};
	*l = (struct line_sums){0};
	p->codes = mem_copy(codes, n, sizeof *codes);
	for (size_t i = 0; i < n; i++) {
		p->codes[i].text = mem_strdup(codes[i].text);
		p->codes[i].file = mem_strdup(codes[i].file);
		if (i == 0 || !is_of_same_line(&p->codes[i], &p->codes[i - 1])) {
			section = section_of(p, p->codes[i].file, wish);
			mem_push(p->rows, p->n, p->cap,
			         ((struct page_row){.kind = PAGE_SOURCE, .section = section, .line = p->codes[i].line}));
		}
		add_code_row(p, i, section, &next);
	}
	find_hot(p);
}

size_t line_page_target(const struct line_page *p, size_t row)
{
	const struct page_row *r = &p->rows[row];
	uint64_t target = r->kind == PAGE_CODE ? p->codes[r->line].target : PAGE_NO_TARGET;
	for (size_t i = 0; target != PAGE_NO_TARGET && i < p->n; i++)
		if (p->rows[i].kind == PAGE_CODE && p->codes[p->rows[i].line].address == target)
			return i;
	return SIZE_MAX;
}
