/* Sorting by numbers. */
#include "base/sort.h"

#include <stdlib.h>

#include "tap.h"

enum { MOST = 1000 };

/* Are equal items in their original order, which their values tell? */
static bool is_sorted(const struct sort_item *a, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (sort_less(&a[i], &a[i - 1]) || (!sort_less(&a[i - 1], &a[i]) && a[i].value < a[i - 1].value))
			return false;
	return true;
}

static bool sorts(size_t n, unsigned keys, unsigned ties)
{
	struct sort_item items[MOST], scratch[MOST];
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		items[i] = (struct sort_item){(uint64_t)rand() % keys << 40, (uint32_t)rand() % ties, (uint32_t)i};
	sort_items(items, n, scratch);
	for (size_t i = 0; i < n; i++)
		sum += items[i].value;
	return is_sorted(items, n) && sum == n * (n - 1) / 2;
}

struct pair {
	unsigned key, place;
	char rest[5]; /* an odd size */
};

static int by_key(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	return (x->key > y->key) - (x->key < y->key);
}

/* arg: a number that keys are taken modulo. */
static int by_remainder(const void *a, const void *b, void *arg)
{
	const struct pair *x = a, *y = b;
	unsigned of = *(unsigned *)arg;
	return (x->key % of > y->key % of) - (x->key % of < y->key % of);
}

/* Are pairs in order, and equal ones as they were? */
static bool are_ordered(const struct pair *p, size_t n, unsigned of)
{
	for (size_t i = 1; i < n; i++) {
		unsigned x = p[i - 1].key % of, y = p[i].key % of;
		if (x > y || (x == y && p[i - 1].place > p[i].place))
			return false;
	}
	return true;
}

static bool sorts_pairs(size_t n, unsigned keys, unsigned of)
{
	struct pair plain[MOST], with[MOST];
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		plain[i] = with[i] = (struct pair){.key = (unsigned)rand() % keys, .place = (unsigned)i};
	sort_array(plain, n, sizeof *plain, by_key);
	sort_by(with, n, sizeof *with, by_remainder, &of);
	for (size_t i = 0; i < n; i++)
		sum += plain[i].place;
	return are_ordered(plain, n, keys) && are_ordered(with, n, of) && sum == n * (n - 1) / 2;
}

enum { MANY = 50000 };

/* Keys differ in the bits of `keys`, ties in those of `ties`. */
static bool sorts_many(uint64_t keys, uint32_t ties)
{
	static struct sort_item items[MANY], scratch[MANY];
	uint64_t sum = 0;
	for (size_t i = 0; i < MANY; i++) {
		uint64_t key = (uint64_t)rand() << 42 ^ (uint64_t)rand() << 21 ^ (uint64_t)rand();
		items[i] = (struct sort_item){(key & keys) | (~keys & 0x5555), (uint32_t)(key >> 9) & ties, (uint32_t)i};
	}
	sort_items(items, MANY, scratch);
	for (size_t i = 0; i < MANY; i++)
		sum += items[i].value;
	return is_sorted(items, MANY) && sum == (uint64_t)MANY * (MANY - 1) / 2;
}

struct watched {
	struct progress progress;
	size_t compared, cancel_at;
};

static int by_key_watched(const void *a, const void *b, void *arg)
{
	struct watched *w = arg;
	const struct pair *x = a, *y = b;
	if (w->compared++ == w->cancel_at)
		atomic_store(&w->progress.cancel, true);
	return (x->key > y->key) - (x->key < y->key);
}

/* Cancelled at this comparison, does it end soon, with every item still there? */
static bool stops(size_t cancel_at)
{
	static struct pair p[MANY];
	struct watched w = {.cancel_at = cancel_at};
	size_t sum = 0;
	for (size_t i = 0; i < MANY; i++)
		p[i] = (struct pair){.key = (unsigned)rand() % MANY, .place = (unsigned)i};
	bool goes_on = sort_by_until(p, MANY, sizeof *p, by_key_watched, &w, &w.progress);
	for (size_t i = 0; i < MANY; i++)
		sum += p[i].place;
	return !goes_on && w.compared < cancel_at + 10000 && sum == (size_t)MANY * (MANY - 1) / 2;
}

static bool goes_to_the_end(void)
{
	static struct pair p[MANY];
	struct watched w = {.cancel_at = SIZE_MAX};
	for (size_t i = 0; i < MANY; i++)
		p[i] = (struct pair){.key = (unsigned)rand() % 1000, .place = (unsigned)i};
	return sort_by_until(p, MANY, sizeof *p, by_key_watched, &w, &w.progress) && are_ordered(p, MANY, 1000);
}

int main(void)
{
	bool good = true;

	for (size_t n = 1; n <= 130; n++)
		good = good && sorts(n, 1000, 1) && sorts(n, 10, 2) && sorts(n, 1, 1);
	ok(good, "few of any number come into order");
	ok(sorts(MOST, 1u << 30, 1), "many do");
	ok(sorts(MOST, 3, 5), "ties decide between equal keys, and places between equal ties");
	sort_items(NULL, 0, NULL);
	ok(true, "no items are sorted, too");
	good = true;
	for (size_t n = 1; n <= 130; n++)
		good = good && sorts_pairs(n, 1000, 7) && sorts_pairs(n, 3, 2) && sorts_pairs(n, 1, 1);
	ok(good, "a comparison sorts few items of any number, and leaves equal ones as they were");
	ok(sorts_pairs(MOST, 50, 11), "and many");
	sort_array(NULL, 0, 4, by_key);
	ok(true, "and none");
	ok(sorts_many(0xFFF, 0) && sorts_many(0xFFFFF00000, 0) && sorts_many(UINT64_C(0xFF) << 56, 0),
	   "many items with few digits");
	ok(sorts_many(0xFF00FF, 0x700) && sorts_many(0, UINT32_MAX) && sorts_many(1, 0xF0000000),
	   "many items whose ties differ as well");
	ok(sorts_many(UINT64_MAX, 0) && sorts_many(UINT64_MAX, UINT32_MAX), "many items with all digits");
	ok(stops(0) && stops(9000) && stops(200000) && stops(600000), "a long sort stops when it is cancelled");
	ok(goes_to_the_end(), "and comes into order when it is not");
	return done_testing();
}
