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
	return done_testing();
}
