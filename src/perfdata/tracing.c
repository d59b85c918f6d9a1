/*
 * tracing.c - reads the formats of tracepoints in a recording.
 *
 *	23 8 68 "tracing" "0.6" NUL | byte order, size of a long | u32 size of a page
 *	"header_page" NUL, u64 size, text | "header_event" NUL, u64 size, text
 *	u32 n, n times { u64 size, text }                           events of ftrace
 *	u32 n, n times { "syscalls" NUL, u32 n, n times { u64 size, text } }
 *	..                                                          symbols, which are not needed
 *
 * A text is what tracefs has in the file `format` of the event:
 *
 *	name: sys_exit
 *	ID: 442
 *	format:
 *		field:int common_pid;	offset:4;	size:4;	signed:1;
 *
 *		field:long ret;	offset:16;	size:8;	signed:1;
 */
#include "perfdata/tracing.h"

#include "base/find.h"
#include "base/number.h"

#define MAGIC_SIZE 10u
#define RAW_MOST 65536u     /* bytes of a tracepoint */
#define FORMAT_MOST 65536u  /* bytes; those of the kernel have a few thousand */
#define MOST_COMPARED 1024u /* formats */

/* ---- the text of a format ------------------------------------------------------------------------------------ */

/* What follows a key in the line; NULL: the line does not have it. */
static const char *behind(const char *line, const char *end, const char *key)
{
	size_t n = strlen(key);
	const char *at = find_bytes(line, (size_t)(end - line), key, n);
	return at ? at + n : NULL;
}

static bool number_behind(const char *line, const char *end, const char *key, uint64_t *n)
{
	const char *at = behind(line, end, key);
	return at && number_u64(at, strspn(at, "0123456789"), n);
}

/* Does the line declare this name? "	field:unsigned long args[6];	offset:16;" */
static bool declares(const char *line, const char *end, const char *name)
{
	const char *first = behind(line, end, "field:");
	const char *last = first ? memchr(first, ';', (size_t)(end - first)) : NULL;
	size_t n = strlen(name);
	if (!last)
		return false;
	if (last > first && last[-1] == ']')
		while (last > first && *last != '[')
			last--;
	return (size_t)(last - first) >= n && memcmp(last - n, name, n) == 0 && strchr(" *:", last[-1 - (ptrdiff_t)n]);
}

bool tracing_find(const char *format, const char *name, struct tracing_field *f)
{
	for (const char *line = format, *end; *line; line = *end ? end + 1 : end) {
		uint64_t offset, size;
		end = line + strcspn(line, "\n");
		if (!declares(line, end, name))
			continue;
		if (!number_behind(line, end, "offset:", &offset) || !number_behind(line, end, "size:", &size) ||
		    offset > RAW_MOST || size > RAW_MOST)
			return false;
		*f = (struct tracing_field){(uint32_t)offset, (uint32_t)size};
		return true;
	}
	return false;
}

bool tracing_number(const struct tracing_field *f, struct perfdata_bytes raw, int64_t *n)
{
	bytes_skip(&raw, f->offset);
	if (f->size == 8)
		*n = (int64_t)bytes_u64(&raw);
	else
		*n = bytes_s32(&raw);
	return !raw.is_bad && (f->size == 8 || f->size == 4);
}

/* ---- the formats of a recording ------------------------------------------------------------------------------ */

struct formats {
	struct perfdata_events *events;
	struct arena *texts;
	struct perfdata_bytes b;
	size_t n_left; /* that are looked at: each event has one at most */
};

static void skip_text(struct formats *f)
{
	bytes_skip(&f->b, bytes_u64(&f->b));
}

static void skip_name(struct formats *f)
{
	const unsigned char *end = f->b.n ? memchr(f->b.at, '\0', f->b.n) : NULL;
	bytes_skip(&f->b, end ? (uint64_t)(end - f->b.at) + 1 : UINT64_MAX);
}

/* The kernel's number of the tracepoint, which is the config of its events. */
static bool id_of(const char *text, size_t n, uint64_t *id)
{
	const char *at = find_bytes(text, n, "\nID: ", 5), *end = text + n, *last;
	for (last = at = at ? at + 5 : end; last < end && *last >= '0' && *last <= '9';)
		last++;
	return number_u64(at, (size_t)(last - at), id);
}

static void take_format(struct formats *f)
{
	uint64_t size = bytes_u64(&f->b), id;
	const char *text = (const char *)bytes_take(&f->b, size), *copy = NULL;
	if (!text || size > FORMAT_MOST || f->n_left == 0 || !id_of(text, size, &id))
		return;
	f->n_left--;
	for (size_t i = 0; i < f->events->n; i++) {
		struct perfdata_event *e = &f->events->all[i];
		if (e->type != EVENT_TRACEPOINT || e->format || e->config != id)
			continue;
		copy = copy ? copy : arena_bytes(f->texts, text, size);
		e->format = copy;
	}
}

static bool has_tracepoints(const struct perfdata_events *events)
{
	for (size_t i = 0; i < events->n; i++)
		if (events->all[i].type == EVENT_TRACEPOINT)
			return true;
	return false;
}

bool tracing_parse(struct perfdata_events *events, struct arena *texts, struct perfdata_bytes bytes)
{
	size_t most = events->n < MOST_COMPARED ? events->n : MOST_COMPARED;
	struct formats f = {events, texts, bytes, most};
	if (!has_tracepoints(events))
		return true;
	bytes_skip(&f.b, MAGIC_SIZE);
	skip_name(&f); /* the version */
	bytes_skip(&f.b, 2 + sizeof(uint32_t));
	for (int i = 0; i < 2; i++) {
		skip_name(&f);
		skip_text(&f);
	}
	for (uint32_t n = bytes_u32(&f.b); n && !f.b.is_bad; n--)
		skip_text(&f);
	for (uint32_t n = bytes_u32(&f.b); n && !f.b.is_bad; n--) {
		skip_name(&f);
		for (uint32_t k = bytes_u32(&f.b); k && !f.b.is_bad; k--)
			take_format(&f);
	}
	return !f.b.is_bad;
}
