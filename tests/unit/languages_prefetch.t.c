/*
 * What a stack needs is read ahead: in one call, as it is now, and without what earlier stacks needed.
 */
#include "tests/tap.h"

#include <string.h>

#include "languages/prefetch.h"

#define SIZE (8u << 20)
#define PAGE 4096u

/* A process: memory from address SIZE on, of which pages can be missing. */
static struct {
	unsigned char bytes[SIZE];
	bool is_missing[SIZE / PAGE];
	unsigned n_reads, n_calls; /* of one part, and of many */
	size_t n_bytes;
	size_t changes_after; /* parts of one call: then byte 0 changes; 0: never */
} target;

static bool read_one(void *arg, uint64_t address, void *into, size_t n)
{
	(void)arg;
	target.n_reads++;
	for (uint64_t at = address - SIZE; at < address - SIZE + n; at++)
		if (address < SIZE || at >= SIZE || target.is_missing[at / PAGE])
			return false;
	memcpy(into, target.bytes + (address - SIZE), n);
	return true;
}

static size_t read_many(void *arg, const struct memory_range *ranges, size_t n, void *into)
{
	unsigned n_reads = target.n_reads;
	size_t at = 0;
	target.n_calls++;
	for (size_t i = 0; i < n && read_one(arg, ranges[i].address, (char *)into + at, ranges[i].n); i++) {
		at += ranges[i].n;
		target.bytes[0] ^= i + 1 == target.changes_after;
	}
	target.n_reads = n_reads;
	target.n_bytes += at;
	return at;
}

static void reset_counts(void)
{
	target.n_reads = target.n_calls = 0;
	target.n_bytes = 0;
}

/* Reads 8 bytes at each of n places, `step` apart. Returns how many were right. */
static unsigned read_places(struct prefetch *p, unsigned first, unsigned n, unsigned step)
{
	unsigned n_right = 0;
	unsigned char bytes[8];
	for (unsigned i = 0; i < n; i++) {
		size_t at = (size_t)first + (size_t)i * step;
		n_right += prefetch_read(p, SIZE + at, bytes, sizeof bytes) && memcmp(bytes, target.bytes + at, 8) == 0;
	}
	return n_right;
}

static void test_second(struct prefetch *p)
{
	reset_counts();
	prefetch_begin(p, 1);
	is_int(read_places(p, 0, 20, 10000), 20, "the first stack reads what it needs");
	is_int(target.n_reads, 20, "one by one");
	reset_counts();
	prefetch_begin(p, 1);
	target.bytes[0] ^= 1;
	unsigned n_right = read_places(p, 10000, 19, 10000);
	is_int(n_right, 19, "the second one has the same");
	is_int(target.n_reads, 0, "without reading it again");
	is_int(target.n_calls, 1, "but in one call");
	is_int(read_places(p, 0, 1, 1), 0, "what changes after it has begun is as it was then");
	prefetch_begin(p, 1);
	is_int(read_places(p, 0, 20, 10000), 20, "and as it is now in the next one");
}

static void test_renewed(struct prefetch *p)
{
	for (unsigned i = 0; i < 2; i++) {
		prefetch_begin(p, 2);
		read_places(p, 0, 20, 10000);
		prefetch_renew(p);
		read_places(p, 0, 2, 10000);
	}
	reset_counts();
	target.changes_after = 20;
	prefetch_begin(p, 2);
	target.changes_after = 0;
	is_int(read_places(p, 0, 20, 10000), 19, "what changes after it was read is as it was");
	prefetch_renew(p);
	is_int(read_places(p, 0, 2, 10000), 2, "after it is renewed, memory is as it was after all else was read");
	is_int(target.n_calls, 1, "in the same call");
	is_int(target.n_reads, 0, "and in no other one");
	is_int((long)target.n_bytes, 20 * 8 + 2 * 8, "of what is needed then");
	target.bytes[0] ^= 1;
	prefetch_renew(p);
	is_int(read_places(p, 0, 1, 1), 1, "from the second time on, it is as it is then");
	prefetch_begin(p, 2);
	read_places(p, 0, 21, 10000);
	target.bytes[0] ^= 1;
	reset_counts();
	prefetch_renew(p);
	is_int(read_places(p, 0, 2, 10000), 2, "if more was read since, memory is as it is when it is renewed");
	is_int(target.n_calls, 1, "which takes a call of its own");
}

static void test_threads(struct prefetch *p)
{
	for (pid_t i = 0; i < 3; i++) {
		for (pid_t tid = 10; tid < 14; tid++) {
			reset_counts();
			prefetch_begin(p, tid);
			read_places(p, (unsigned)tid * 100000, 5, 10000);
		}
	}
	is_int(target.n_reads, 0, "each thread has its own parts");
	is_int((long)target.n_bytes, 5 * 8, "and those of the others are not read for it");
	for (pid_t tid = 10; tid < 10 + 256 + 1; tid++)
		prefetch_begin(p, tid);
	reset_counts();
	prefetch_begin(p, 10);
	is_int(read_places(p, 1000000, 5, 10000), 5, "a thread whose place another one took begins anew");
	is_int(target.n_reads, 5, "with nothing read ahead");
}

static void test_unused(struct prefetch *p)
{
	prefetch_begin(p, 20);
	read_places(p, 0, 20, 10000);
	for (unsigned i = 0; i < 10; i++) {
		reset_counts();
		prefetch_begin(p, 20);
		read_places(p, 0, 2, 10000);
	}
	is_int((long)target.n_bytes, 2 * 8, "what stacks no longer need is not read ahead for long");
	is_int(read_places(p, 100000, 1, 1), 1, "and is read when it is needed again");
}

static void test_joined(struct prefetch *p)
{
	for (unsigned i = 0; i < 2; i++) {
		reset_counts();
		prefetch_begin(p, 30);
		read_places(p, 0, 20, 100);
		read_places(p, 4, 20, 100);
		read_places(p, 500000, 1, 1);
	}
	is_int(target.n_reads, 0, "parts that lie close together or overlap are all there");
	is_int((long)target.n_bytes, 19 * 100 + 12 + 8, "and are one");
}

static void test_missing(struct prefetch *p)
{
	unsigned char byte;
	for (unsigned i = 0; i < 2; i++) {
		prefetch_begin(p, 40);
		read_places(p, 0, 5, 10 * PAGE);
	}
	target.is_missing[20] = true;
	reset_counts();
	prefetch_begin(p, 40);
	is_int(read_places(p, 0, 2, 10 * PAGE), 2, "of what is read ahead, all before a page that is gone is there");
	is_int(target.n_reads, 0, "from the copy");
	ok(!prefetch_read(p, SIZE + 20 * PAGE, &byte, 1), "what is gone cannot be read");
	is_int(read_places(p, 30 * PAGE, 2, 10 * PAGE), 2, "and what comes after it can");
	reset_counts();
	prefetch_begin(p, 40);
	is_int(read_places(p, 0, 2, 10 * PAGE) + read_places(p, 30 * PAGE, 2, 10 * PAGE), 4,
	       "so it can in the next stack");
	is_int(target.n_reads, 0, "which does not try again what is gone");
	target.is_missing[20] = false;
	prefetch_begin(p, 40);
	is_int(read_places(p, 0, 5, 10 * PAGE), 5, "if it comes back, it is read again");
}

/* Much is needed: memory stays bounded, and all is right. */
static void test_much(struct prefetch *p)
{
	unsigned char *bytes = malloc(3u << 20);
	unsigned n_right = 0;
	for (unsigned i = 0; i < 3; i++) {
		reset_counts();
		prefetch_begin(p, 50);
		n_right += read_places(p, 0, 2000, 1000);
		n_right += prefetch_read(p, SIZE, bytes, 3u << 20) && memcmp(bytes, target.bytes, 3u << 20) == 0;
		n_right += read_places(p, 4000000, 40, 4000);
	}
	is_int(n_right, 3 * 2041, "much that is needed is right");
	ok(target.n_bytes <= 64u << 10, "as much as fits is read ahead");
	free(bytes);
	reset_counts();
	for (unsigned i = 0; i < 2000; i++) {
		prefetch_begin(p, 51);
		read_places(p, i % 500 * 40, 100, 40);
	}
	ok(target.n_bytes < 2000u * 24000, "parts that grow do not stay forever");
}

int main(void)
{
	struct prefetch *p = prefetch_new(read_one, read_many, NULL);
	for (size_t i = 0; i < SIZE; i++)
		target.bytes[i] = (unsigned char)(i * 2654435761u >> 13);
	test_second(p);
	test_renewed(p);
	test_threads(p);
	test_unused(p);
	test_joined(p);
	test_missing(p);
	test_much(p);
	prefetch_free(p);
	prefetch_free(NULL);
	return done_testing();
}
