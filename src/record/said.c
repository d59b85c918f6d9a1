/*
 * said.c - prints messages that were kept in unnamed files while the viewer owned the screen.
 */
#include "record/said.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/process.h"
#include "base/shorten.h"

/* Reads the file's present contents, and does not wait for programs that were left running. */
static void read_all(int fd, struct buf *out)
{
	struct stat st;
	ssize_t got = 1;
	if (fd < 0 || fstat(fd, &st) != 0)
		return;
	for (off_t at = 0; at < st.st_size && got > 0; at += got) {
		size_t most = st.st_size - at < 65536 ? (size_t)(st.st_size - at) : 65536;
		got = pread(fd, buf_reserve(out, most), most, at);
		out->len += got > 0 ? (size_t)got : 0;
	}
}

static bool is_routine(const char *line, size_t n)
{
	static const char routine[] = "[ perf record:";
	return n >= sizeof routine && memcmp(line, routine, sizeof routine - 1) == 0;
}

void said_print(const struct buf *text)
{
	size_t first = 0; /* of what is not printed yet */
	for (size_t at = 0, n; at < text->len; at += n) {
		const char *line = text->data + at, *end = memchr(line, '\n', text->len - at);
		n = end ? (size_t)(end - line) + 1 : text->len - at;
		if (!is_routine(line, n))
			continue;
		if (!process_write(text->data + first, at - first))
			return;
		first = at + n;
	}
	process_write(text->data + first, text->len - first);
}

void said_add(int fd, struct buf *out)
{
	struct buf text;
	buf_init(&text);
	read_all(fd, &text);
	shorten_lines(out, text.data, text.len, 600, "...");
	buf_deinit(&text);
}
