/*
 * err.c - errors as text, and the report of everything that was skipped.
 *
 * Every module formats messages, with raw bytes from the input; only err_print() makes them safe to show. A report
 * keeps one note for each kind of trouble in each file: ten million bad lines cost no more memory than one, and the
 * first of them is kept as an example.
 */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/process.h"
#include "base/shorten.h"

#define DETAIL_MAX ((size_t)120)
#define DOTS "..."

/* Formats into a copy, since err->text itself may be among the arguments. */
__attribute__((format(printf, 2, 0))) static void store(struct err *err, const char *fmt, va_list ap,
                                                        const char *reason)
{
	struct buf whole, text;
	buf_init(&whole);
	buf_init(&text);
	buf_vaddf(&whole, fmt, ap);
	if (reason)
		buf_addf(&whole, ": %s", reason);
	shorten_message(&text, buf_str(&whole), strlen(buf_str(&whole)), sizeof err->text - 1, DOTS);
	memcpy(err->text, buf_str(&text), text.len + 1);
	buf_deinit(&whole);
	buf_deinit(&text);
}

bool fail(struct err *err, const char *fmt, ...)
{
	va_list ap;
	if (!err)
		return false;
	va_start(ap, fmt);
	store(err, fmt, ap, NULL);
	va_end(ap);
	return false;
}

/* glibc's strerror_r() returns the text, which may be elsewhere; that of POSIX puts it into the buffer. */
const char *err_reason(int error, char *buffer, size_t size)
{
#if defined(__GLIBC__) && defined(_GNU_SOURCE)
	return strerror_r(error, buffer, size);
#else
	if (strerror_r(error, buffer, size) != 0)
		snprintf(buffer, size, "error %d", error);
	return buffer;
#endif
}

bool fail_errno(struct err *err, const char *fmt, ...)
{
	int error = errno;
	char reason[128];
	va_list ap;
	if (!err)
		return false;
	va_start(ap, fmt);
	store(err, fmt, ap, err_reason(error, reason, sizeof reason));
	va_end(ap);
	errno = error;
	return false;
}

void err_print(const char *text)
{
	process_say(text, strlen(text));
}

void err_printf(const char *fmt, ...)
{
	struct buf text;
	va_list ap;
	buf_init(&text);
	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	err_print(buf_str(&text));
	buf_deinit(&text);
}

void report_init(struct report *r)
{
	*r = (struct report){0};
}

void report_deinit(struct report *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free(r->notes[i].file);
		free(r->notes[i].detail);
	}
	free(r->notes);
	report_init(r);
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Finds the note for this kind and file, or makes one with count 0. Searches backwards: recent notes repeat. */
static struct note *note_for(struct report *r, enum note_level level, const char *kind, const char *file)
{
	for (size_t i = r->n; i-- > 0;) {
		struct note *note = &r->notes[i];
		if (is_same_text(note->kind, kind) && is_same_text(note->file, file)) {
			if (level > note->level)
				note->level = level;
			return note;
		}
	}
	struct note fresh = {.kind = kind, .file = mem_strdup(file), .level = level, .things = r->things};
	mem_push(r->notes, r->n, r->cap, fresh);
	return &r->notes[r->n - 1];
}

/* Keeps line and detail if they come before those of the note. */
static void keep_first(struct note *note, uint64_t line, const char *detail, size_t detail_len)
{
	if (note->detail && (line == 0 || (note->line != 0 && note->line <= line)))
		return;
	struct buf kept;
	buf_init(&kept);
	shorten_middle(&kept, detail, detail_len, DETAIL_MAX, DOTS);
	free(note->detail);
	note->detail = buf_take(&kept);
	note->line = line;
}

void report_add(struct report *r, enum note_level level, const char *kind, const char *file, uint64_t line,
                const char *detail, size_t detail_len)
{
	struct note *note = note_for(r, level, kind, file);
	keep_first(note, line, detail, detail ? detail_len : 0);
	note->count++;
}

void report_add_times(struct report *r, enum note_level level, const char *kind, const char *detail,
                      size_t detail_len, uint64_t count)
{
	struct note *note = note_for(r, level, kind, NULL);
	keep_first(note, 0, detail, detail_len);
	note->count += count;
}

void report_add_weight(struct report *r, enum note_level level, const char *kind, const char *file, uint64_t line,
                       uint64_t weight)
{
	struct note *note = note_for(r, level, kind, file);
	keep_first(note, line, NULL, 0);
	note->count++;
	if (__builtin_add_overflow(note->weight, weight, &note->weight))
		note->weight = UINT64_MAX;
}

enum note_level excess_level(uint64_t excess, uint64_t all)
{
	return excess > all / 1000 ? NOTE_WARN : NOTE_INFO;
}

void report_add_state(struct report *r, enum note_level level, const char *kind)
{
	struct note *note = note_for(r, level, kind, NULL);
	keep_first(note, 0, NULL, 0);
	note->count = 1;
	note->is_state = true;
}

void report_merge(struct report *dst, const struct report *src, const char *file, uint64_t line_base)
{
	for (size_t i = 0; i < src->n; i++) {
		const struct note *from = &src->notes[i];
		struct note *note = note_for(dst, from->level, from->kind, from->file ? from->file : file);
		uint64_t line = from->line > 0 ? from->line + line_base : 0;
		keep_first(note, line, from->detail, strlen(from->detail));
		note->things = from->things;
		note->is_state |= from->is_state;
		note->count = note->is_state ? 1 : note->count + from->count;
		if (__builtin_add_overflow(note->weight, from->weight, &note->weight))
			note->weight = UINT64_MAX;
	}
}

/* "FILE:LINE: " for a note on one place, "FILE: " for a note on many. */
static void add_place(struct buf *b, const struct note *note)
{
	size_t before = b->len;
	if (note->file)
		buf_adds(b, note->file);
	if (note->line > 0 && note->count <= 1)
		buf_addf(b, note->file ? ":%llu" : "line %llu", (unsigned long long)note->line);
	if (b->len > before)
		buf_adds(b, ": ");
}

static void add_count(struct buf *b, const struct note *note)
{
	if (note->count <= 1)
		return;
	buf_addu(b, note->count);
	bool is_skipped = note->level == NOTE_SKIP || note->weight > 0;
	bool is_of_lines = note->level != NOTE_INFO && note->line > 0;
	buf_addf(b, " %s%s",
	         !is_of_lines   ? "times"
	         : note->things ? note->things
	                        : "lines",
	         is_of_lines && is_skipped ? " skipped" : "");
	if (note->line > 0)
		buf_addf(b, ", the first at line %llu", (unsigned long long)note->line);
	else if (note->detail && *note->detail) /* it is of the first alone */
		buf_adds(b, ", the first");
	buf_adds(b, ": ");
}

void note_add(const struct note *note, struct buf *out)
{
	add_place(out, note);
	add_count(out, note);
	buf_adds(out, note->kind);
	if (note->detail && note->detail[0] != '\0')
		buf_addf(out, ": %s", note->detail);
	if (note->weight > 0)
		buf_addf(out, " (a weight of %llu in all)", (unsigned long long)note->weight);
}

void report_print(const struct report *r, enum note_level level)
{
	struct buf text;
	buf_init(&text);
	for (size_t i = 0; i < r->n; i++) {
		if (r->notes[i].level < level)
			continue;
		text.len = 0;
		note_add(&r->notes[i], &text);
		err_print(buf_str(&text));
	}
	buf_deinit(&text);
}
