/*
 * backlog.c - holds bytes in memory until a descriptor takes them.
 *
 * The sampler must empty the kernel's rings in time, whatever its reader does: a viewer whose terminal is stopped
 * reads nothing.
 */
#include "record/sampler/backlog.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

#define PIECE ((size_t)1 << 20)

struct backlog_piece {
	struct backlog_piece *next;
	size_t begin, end; /* of the bytes still to write */
	char bytes[PIECE];
};

void backlog_deinit(struct backlog *b)
{
	for (struct backlog_piece *p = b->first, *next; p; p = next) {
		next = p->next;
		free(p);
	}
	free(b->spare);
	*b = (struct backlog){0};
}

static struct backlog_piece *new_piece(struct backlog *b)
{
	struct backlog_piece *p = b->spare ? b->spare : mem_alloc(sizeof *p);
	b->spare = NULL;
	p->next = NULL;
	p->begin = p->end = 0;
	if (b->last)
		b->last->next = p;
	else
		b->first = p;
	b->last = p;
	return p;
}

void backlog_add(struct backlog *b, struct buf *bytes)
{
	size_t done = 0;
	while (done < bytes->len && !b->error) {
		struct backlog_piece *p = b->last && b->last->end < PIECE ? b->last : new_piece(b);
		size_t n = bytes->len - done < PIECE - p->end ? bytes->len - done : PIECE - p->end;
		memcpy(p->bytes + p->end, bytes->data + done, n);
		p->end += n;
		done += n;
	}
	b->held += done;
	bytes->len = 0;
}

/* One empty piece is kept for what comes next. */
static void drop_first(struct backlog *b)
{
	struct backlog_piece *p = b->first;
	b->first = p->next;
	if (!b->first)
		b->last = NULL;
	free(b->spare);
	b->spare = p;
}

static bool wait_for_reader(struct backlog *b, int fd, backlog_patience *patience)
{
	struct pollfd out = {.fd = fd, .events = POLLOUT};
	int most;
	for (int tenths = 0; (most = patience()) < 0 || tenths < most; tenths++) {
		int n = poll(&out, 1, 100);
		if (n > 0)
			return true;
		if (n < 0 && errno != EINTR) {
			b->error = errno;
			return false;
		}
	}
	b->error = BACKLOG_STUCK;
	return false;
}

/* Returns false if the descriptor takes no more now, or never. */
static bool write_first(struct backlog *b, int fd, backlog_patience *patience)
{
	struct backlog_piece *p = b->first;
	ssize_t n = write(fd, p->bytes + p->begin, p->end - p->begin);
	if (n < 0 && errno == EINTR)
		return true;
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return patience && wait_for_reader(b, fd, patience);
	if (n <= 0) {
		b->error = n < 0 ? errno : EIO;
		return false;
	}
	p->begin += (size_t)n;
	b->held -= (size_t)n;
	if (p->begin == p->end)
		drop_first(b);
	return true;
}

bool backlog_write(struct backlog *b, int fd, backlog_patience *patience)
{
	while (b->first && !b->error && write_first(b, fd, patience))
		;
	return !b->error;
}
