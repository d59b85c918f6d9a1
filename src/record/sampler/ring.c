/*
 * ring.c - reads the ring buffer that the kernel shares with us.
 *
 *	page 0: head, tail, offset and size of the data | data: ... record record record ...
 *	                                                         ^ tail                   ^ head
 *
 * The kernel moves head past each record that it has written, and never beyond tail + size, because the mapping is
 * writable. head and tail count all bytes ever written; their place is the remainder by the size. Reading head
 * comes before reading the data, and writing tail after it, which acquire and release order ensure. What stands in
 * the ring is copied before it is looked at, since nothing else guarantees that it stays as it is.
 */
#include "record/sampler/ring.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGES_LEAST 4u

bool ring_map(struct ring *r, int fd, size_t bytes, struct err *err)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = PAGES_LEAST;
	void *map = MAP_FAILED;
	while (pages * page < bytes)
		pages *= 2;
	for (; pages >= PAGES_LEAST && map == MAP_FAILED; pages /= 2) {
		*r = (struct ring){.n_mapped = (pages + 1) * page};
		map = mmap(NULL, r->n_mapped, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (map == MAP_FAILED && errno != EPERM && errno != ENOMEM)
			break;
	}
	if (map == MAP_FAILED)
		return fail_errno(err, "memory shared with the kernel (`ulimit -l` limits it)");
	r->page = map;
	/* Kernels before 4.1 do not say where the data begin. */
	r->data = (const unsigned char *)map + (r->page->offset ? r->page->offset : page);
	r->size = r->page->n_data ? r->page->n_data : r->n_mapped - page;
	return true;
}

void ring_unmap(struct ring *r)
{
	if (r->n_mapped > 0)
		munmap(r->page, r->n_mapped);
	*r = (struct ring){0};
}

/* Copies bytes that may go on at the beginning of the ring. */
void ring_peek(const struct ring *r, uint64_t from, void *into, size_t n)
{
	size_t at = (size_t)(from & (r->size - 1)), first = (size_t)(r->size - at);
	first = first < n ? first : n;
	memcpy(into, r->data + at, first);
	memcpy((char *)into + first, r->data, n - first);
}

bool ring_drain(struct ring *r, ring_take *take, void *arg)
{
	union {
		struct abi_record header;
		uint64_t aligned[ABI_RECORD_MOST / 8];
	} record;
	if (r->is_broken)
		return false;
	const uint64_t *end = r->is_watched ? &r->done : &r->page->head;
	uint64_t head = __atomic_load_n(end, __ATOMIC_ACQUIRE), tail = r->page->tail;
	while (tail != head) {
		uint64_t left = head - tail;
		if (left >= sizeof record.header)
			ring_peek(r, tail, &record.header, sizeof record.header);
		uint16_t size = left >= sizeof record.header ? record.header.size : 0;
		r->is_broken = left > r->size || size < sizeof record.header || size % 8 || size > left;
		if (r->is_broken)
			break;
		ring_peek(r, tail, &record, size);
		record.header.size = size;
		take(arg, &record.header);
		tail += size;
	}
	__atomic_store_n(&r->page->tail, r->is_broken ? head : tail, __ATOMIC_RELEASE);
	return !r->is_broken;
}

bool ring_has_unseen(const struct ring *r)
{
	return r->is_watched &&
	       __atomic_load_n(&r->page->head, __ATOMIC_ACQUIRE) != __atomic_load_n(&r->done, __ATOMIC_ACQUIRE);
}
