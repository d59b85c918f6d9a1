/*
 * The header of perf.data: names of events in their order, and nothing from damaged files.
 */
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "collapse/perf/perf_header.h"

enum { ATTR = 128, DATA_AT = 104, DATA_SIZE = 16, FEATURES = 1 << 2 | 1 << 11 | 1 << 12 };

static void put(struct buf *b, size_t at, uint64_t v)
{
	memcpy(b->data + at, &v, sizeof v);
}

static void add_u32(struct buf *b, uint32_t v)
{
	buf_add(b, &v, sizeof v);
}

static void add_event(struct buf *b, const char *name, uint32_t ids)
{
	char padded[64] = "";

	buf_pad(b, 'a', ATTR);
	add_u32(b, ids);
	add_u32(b, sizeof padded);
	memcpy(padded, name, strlen(name));
	buf_add(b, padded, sizeof padded);
	buf_pad(b, 'i', ids * sizeof(uint64_t));
}

/* A file with three features, of which the last is EVENT_DESC. */
static void make(struct buf *file)
{
	size_t table = DATA_AT + DATA_SIZE, at = table + 3 * 16;

	buf_init(file);
	buf_pad(file, '\0', at);
	memcpy(file->data, "PERFILE2", 8);
	put(file, 8, DATA_AT);
	put(file, 40, DATA_AT);
	put(file, 48, DATA_SIZE);
	put(file, 72, FEATURES);
	put(file, table + 32, at);
	add_u32(file, 2);
	add_u32(file, ATTR);
	add_event(file, "page-faults", 3);
	add_event(file, "cpu/event=1,umask=2/", 0);
	put(file, table + 40, file->len - at);
}

static char *events_of(const char *bytes, size_t len)
{
	char path[] = "/tmp/flametop-header-XXXXXX";
	int fd = mkstemp(path);

	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
		bail_out("cannot write %s", path);
	close(fd);
	char *events = perf_header_events(path);
	unlink(path);
	return events;
}

static void test_order(void)
{
	struct buf file;

	make(&file);
	char *events = events_of(file.data, file.len);
	is_str(events, "page-faults,cpu/event=1,umask=2/", "the events are listed in the order of the header");
	free(events);
	buf_deinit(&file);
	ok(perf_header_events("/nonexistent/perf.data") == NULL, "a file that is not there says nothing");
}

/* Its numbers at these places mean something else. */
static void test_pipe(void)
{
	struct buf file;

	make(&file);
	put(&file, 8, 16);
	char *events = events_of(file.data, file.len);
	ok(events == NULL, "the header of a pipe lists no events");
	free(events);
	buf_deinit(&file);
}

static void test_damage(void)
{
	struct buf file;
	size_t told = 0;

	make(&file);
	for (size_t len = 0; len < file.len; len++) {
		char *events = events_of(file.data, len);

		told += events && strcmp(events, "") != 0;
		free(events);
	}
	is_int(told, 0, "a file that ends before its description says nothing");
	for (size_t at = 8; at < file.len; at += 4) {
		uint32_t was;

		memcpy(&was, file.data + at, sizeof was);
		memset(file.data + at, 0xff, sizeof was);
		free(events_of(file.data, file.len));
		memcpy(file.data + at, &was, sizeof was);
	}
	ok(true, "numbers that are too large are survived");
	buf_deinit(&file);
}

int main(void)
{
	test_order();
	test_pipe();
	test_damage();
	return done_testing();
}
