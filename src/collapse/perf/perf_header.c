/*
 * perf_header.c - reads the events from the header of a perf.data file.
 *
 * perf script orders samples by time, so the first one may be of any event. The feature EVENT_DESC holds the events
 * in the order of the command line (Documentation/perf.data-file-format.txt of the kernel):
 *
 *	0    "PERFILE2"
 *	8    size of this header: 104; recordings through a pipe have 16 and no sections
 *	40   data section: offset, size
 *	72   features, 256 bits
 *	     ...
 *	after the data section: {offset, size} for each feature present
 *
 *	EVENT_DESC: u32 events, u32 size of attr; for each event: attr, u32 ids, u32 length, name, ids of 8 bytes
 *
 * Numbers have this machine's byte order; perf_data.c takes no other files.
 */
#include "collapse/perf/perf_header.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "perfdata/header.h"

enum { AT_DATA = 40, AT_FEATURES = 72 };

#define MOST_DESC ((size_t)1 << 20) /* bytes; an event takes about 150 */

struct section {
	uint64_t offset, size;
};

static bool read_at(int fd, void *into, size_t size, uint64_t offset)
{
	return offset <= INT64_MAX && pread(fd, into, size, (off_t)offset) == (ssize_t)size;
}

/* Finds EVENT_DESC. false: it is missing. */
static bool find_description(int fd, struct section *s)
{
	char begin[PERFDATA_MAGIC_MAX];
	struct section data;
	uint64_t features, before;
	if (!read_at(fd, begin, sizeof begin, 0) || perfdata_header_size(begin, sizeof begin) != HEADER_FILE_SIZE)
		return false;
	if (!read_at(fd, &data, sizeof data, AT_DATA) || !read_at(fd, &features, sizeof features, AT_FEATURES) ||
	    !(features >> FEATURE_EVENT_DESC & 1) || data.size > UINT64_MAX - data.offset)
		return false;
	before = (uint64_t)__builtin_popcountll(features & ((UINT64_C(1) << FEATURE_EVENT_DESC) - 1));
	return read_at(fd, s, sizeof *s, data.offset + data.size + before * sizeof *s);
}

struct bytes {
	const char *at;
	size_t left;
};

static const char *take(struct bytes *b, uint64_t n)
{
	const char *taken = b->at;
	if (n > b->left)
		return NULL;
	b->at += n;
	b->left -= n;
	return taken;
}

static bool take_u32(struct bytes *b, uint32_t *v)
{
	const char *at = take(b, sizeof *v);
	if (at)
		memcpy(v, at, sizeof *v);
	return at;
}

static bool add_name(struct bytes *b, uint32_t attr_size, struct buf *out)
{
	uint32_t ids, len;
	const char *name;
	if (!take(b, attr_size) || !take_u32(b, &ids) || !take_u32(b, &len) || !(name = take(b, len)) ||
	    !take(b, (uint64_t)ids * sizeof(uint64_t)))
		return false;
	buf_adds(out, out->len ? "," : "");
	buf_add(out, name, strnlen(name, len));
	return true;
}

static void add_names(struct bytes b, struct buf *out)
{
	uint32_t n, attr_size;
	if (!take_u32(&b, &n) || !take_u32(&b, &attr_size))
		return;
	while (n-- && add_name(&b, attr_size, out))
		;
}

static char *events_of(int fd)
{
	struct section s;
	struct buf names, text;
	if (!find_description(fd, &s) || s.size > MOST_DESC)
		return NULL;
	buf_init(&text);
	buf_init(&names);
	char *bytes = buf_reserve(&text, s.size);
	if (read_at(fd, bytes, s.size, s.offset))
		add_names((struct bytes){bytes, s.size}, &names);
	buf_deinit(&text);
	return buf_take(&names);
}

char *perf_header_events(const char *path)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return NULL;
	char *events = events_of(fd);
	if (!is_stdin)
		close(fd);
	return events;
}
