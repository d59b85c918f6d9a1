/* A ring in memory, filled as the kernel fills it: records that wrap at every place, torn sizes, full rings. */
#include "record/sampler/ring.h"

#include <stdlib.h>
#include <string.h>

#include "tap.h"

#define SIZE 4096u

struct fake {
	struct abi_ring_page page;
	unsigned char data[SIZE];
	struct ring ring;
};

static void fake_init(struct fake *f, uint64_t position)
{
	memset(f, 0, sizeof *f);
	f->page.head = f->page.tail = position;
	f->ring = (struct ring){.page = &f->page, .data = f->data, .size = SIZE};
}

/* The kernel's side: bytes go round the end. */
static void put(struct fake *f, const void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		f->data[(f->page.head + i) % SIZE] = ((const unsigned char *)bytes)[i];
	f->page.head += n;
}

static void put_record(struct fake *f, uint32_t type, uint16_t size, unsigned char fill)
{
	unsigned char bytes[SIZE];
	struct abi_record header = {.type = type, .size = size};
	memset(bytes, fill, sizeof bytes);
	memcpy(bytes, &header, sizeof header);
	put(f, bytes, size);
}

struct seen {
	size_t n, bytes;
	uint32_t types;
	bool is_right;
};

static void take(void *arg, struct abi_record *r)
{
	struct seen *s = arg;
	const unsigned char *body = (const unsigned char *)(r + 1);
	s->is_right = s->is_right && (uintptr_t)r % 8 == 0;
	for (size_t i = 0; i < r->size - sizeof *r; i++)
		s->is_right = s->is_right && body[i] == (unsigned char)(r->type * 3);
	s->n++;
	s->bytes += r->size;
	s->types = s->types * 31 + r->type;
}

static void test_wrap(void)
{
	struct fake f;
	size_t n_good = 0;
	for (uint64_t at = 0; at < SIZE; at += 8) {
		struct seen s = {.is_right = true};
		fake_init(&f, at);
		put_record(&f, 1, 1000, 3);
		put_record(&f, 2, 8, 6);
		put_record(&f, 3, 3080, 9);
		n_good += ring_drain(&f.ring, take, &s) && s.is_right && s.n == 3 && s.bytes == 4088 && s.types == 1026 &&
		          f.page.tail == f.page.head;
	}
	is_int(n_good, SIZE / 8, "records that begin anywhere, the end of the ring within them");
}

static void test_positions(void)
{
	struct fake f;
	struct seen s = {.is_right = true};
	fake_init(&f, UINT64_MAX - 15);
	put_record(&f, 7, 64, 21);
	ok(ring_drain(&f.ring, take, &s) && s.n == 1 && s.is_right, "a position that passes 2^64");
	s = (struct seen){.is_right = true};
	ok(ring_drain(&f.ring, take, &s) && s.n == 0, "an empty ring");
	fake_init(&f, 8);
	put_record(&f, 5, SIZE - 8, 15);
	put_record(&f, 5, 8, 15);
	s = (struct seen){.is_right = true};
	ok(ring_drain(&f.ring, take, &s) && s.n == 2 && s.is_right, "a ring full to the last byte");
}

static bool breaks(uint16_t size, uint64_t head)
{
	struct fake f;
	struct seen s = {.is_right = true};
	fake_init(&f, 0);
	put_record(&f, 1, 16, 3);
	struct abi_record bad = {.type = 2, .size = size};
	put(&f, &bad, sizeof bad);
	f.page.head = head ? head : f.page.head + 64;
	bool is_good = ring_drain(&f.ring, take, &s);
	return !is_good && s.n == (head > SIZE ? 0u : 1u) && f.ring.is_broken && f.page.tail == f.page.head &&
	       !ring_drain(&f.ring, take, &s);
}

static void test_broken(void)
{
	ok(breaks(0, 0), "a record of no bytes");
	ok(breaks(7, 0), "one shorter than its header");
	ok(breaks(20, 0), "one whose size is not a multiple of 8");
	ok(breaks(4000, 0), "one that ends beyond what was written");
	ok(breaks(16, SIZE + 8), "more written than the ring holds");
	ok(breaks(16, 20), "a head within a header");
}

/* 300 processors, each with a ring of its own, filled and emptied in turn. */
static void test_many(void)
{
	enum { CPUS = 300, ROUNDS = 50 };
	struct fake *all = malloc(CPUS * sizeof *all);
	struct seen s = {.is_right = true};
	size_t written = 0;
	for (unsigned i = 0; i < CPUS; i++)
		fake_init(&all[i], i * 8);
	for (unsigned round = 0; round < ROUNDS; round++) {
		for (unsigned i = 0; i < CPUS; i++) {
			uint16_t size = (uint16_t)(8 + (i * 7 + round * 13) % 400 * 8);
			put_record(&all[i], i % 80, size, (unsigned char)(i % 80 * 3));
			written += size;
		}
		for (unsigned i = 0; i < CPUS; i++)
			ring_drain(&all[i].ring, take, &s);
	}
	ok(s.is_right && s.n == CPUS * ROUNDS && s.bytes == written, "300 rings");
	free(all);
}

int main(void)
{
	test_wrap();
	test_positions();
	test_broken();
	test_many();
	return done_testing();
}
