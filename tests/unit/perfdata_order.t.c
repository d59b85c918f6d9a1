/* Orders records by time, round by round. */
#include "perfdata/order.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "base/mem.h"
#include "tests/tap.h"

/* The texts of the records in the order in which they came out: times or marks. */
static struct buf out;

static bool take(void *arg, const struct perfdata_record *r, struct err *err)
{
	(void)arg, (void)err;
	buf_addf(&out, "%s%.*s", out.len ? " " : "", (int)r->body.n, (const char *)r->body.at);
	return true;
}

static void add(struct perfdata_order *o, uint64_t time, const char *text)
{
	struct perfdata_record r = {.type = 9, .body = {(const unsigned char *)text, strlen(text), false, false}};
	perfdata_order_add(o, time, &r);
}

static void comes(const char *expected, const char *name)
{
	is_str(buf_str(&out), expected, "%s", name);
	out.len = 0;
}

static void test_rounds(void)
{
	struct perfdata_order *o = perfdata_order_new(1 << 20, take, NULL);
	add(o, 1, "1"), add(o, 4, "4"), add(o, 2, "2"), add(o, 3, "3");
	perfdata_order_round(o);
	comes("", "after the first round nothing is complete");
	add(o, 7, "7"), add(o, 5, "5"), add(o, 4, "four"), add(o, 6, "6");
	perfdata_order_round(o);
	comes("1 2 3 4 four", "then all up to the youngest of the first, equal times as they came");
	perfdata_order_round(o);
	comes("5 6 7", "and so on");
	is_int(perfdata_order_late(o), 0, "none was late");
	add(o, 3, "late"), add(o, 9, "9");
	perfdata_order_see(o, 20);
	perfdata_order_round(o);
	perfdata_order_round(o);
	comes("late 9", "one that is too late comes all the same");
	is_int(perfdata_order_late(o), 1, "and is counted");
	add(o, 30, "30"), add(o, 25, "25");
	perfdata_order_flush(o);
	comes("25 30", "at the end everything comes");
	perfdata_order_flush(o);
	comes("", "once");
	perfdata_order_free(o);
}

static void test_bound(void)
{
	struct perfdata_order *o = perfdata_order_new(1 << 20, take, NULL);
	char text[32];
	size_t most = 0;
	for (int i = 0; i < 100000; i++) {
		snprintf(text, sizeof text, "%d", i);
		add(o, (uint64_t)i ^ 7, text);
		most = out.len > most ? out.len : most;
	}
	ok(out.len > 100000, "without rounds, the older half is let go when too much waits");
	is_int(perfdata_order_late(o), 0, "and nothing comes out of order by that");
	perfdata_order_free(o);
	out.len = 0;
}

static uint64_t before;
static bool is_rising = true;

static bool check(void *arg, const struct perfdata_record *r, struct err *err)
{
	uint64_t time;
	(void)arg, (void)err;
	memcpy(&time, r->body.at, sizeof time);
	is_rising = is_rising && time >= before && (uintptr_t)r->body.at % 8 == 0;
	before = time;
	return true;
}

/* Rounds of 16 processors; each processor's records are in order and of any size. */
static void test_many(void)
{
	struct perfdata_order *o = perfdata_order_new((size_t)1 << 30, check, NULL);
	unsigned char *bytes = mem_zalloc(1, 65536);
	double began = tap_seconds();
	for (uint64_t round = 0; round < 2000; round++) {
		for (uint64_t cpu = 0; cpu < 16; cpu++) {
			for (uint64_t i = 0; i < 20; i++) {
				uint64_t time = round * 1000 + i * 50 + (cpu * 37) % 50;
				struct perfdata_record r = {.body = {bytes, 8 + (size_t)(rand() % 300), false, false}};
				memcpy(bytes, &time, sizeof time);
				perfdata_order_add(o, time, &r);
			}
		}
		perfdata_order_round(o);
	}
	perfdata_order_flush(o);
	ok(is_rising, "640,000 records come in order, at aligned addresses");
	ok(tap_seconds() - began < 4, "soon enough");
	perfdata_order_free(o);
	free(bytes);
}

/* Many rounds while many records wait for their time. */
static void test_empty_rounds(void)
{
	struct perfdata_order *o = perfdata_order_new((size_t)1 << 30, check, NULL);
	uint64_t time = 5;
	struct perfdata_record r = {.body = {(unsigned char *)&time, 8, false, false}};
	double began = tap_seconds();
	for (int i = 0; i < 300000; i++)
		perfdata_order_add(o, UINT64_MAX - 1 - (uint64_t)i, &r);
	before = 0;
	for (int i = 0; i < 300000; i++)
		perfdata_order_round(o);
	ok(tap_seconds() - began < 2, "rounds without records cost nothing, whatever waits");
	perfdata_order_free(o);
}

/* MiB that this program took at most. */
static long memory(void)
{
	struct rusage use;
	getrusage(RUSAGE_SELF, &use);
#ifdef __APPLE__
	return use.ru_maxrss >> 20;
#else
	return use.ru_maxrss >> 10;
#endif
}

/* 200 MiB of records of 1 KiB, of which each 250th is of a time far ahead. */
static void test_far_ahead(void)
{
	struct perfdata_order *o = perfdata_order_new((size_t)8 << 20, check, NULL);
	unsigned char *bytes = mem_zalloc(1, 1024);
	struct perfdata_record r = {.body = {bytes, 1024, false, false}};
	long at_first = memory();
	before = 0;
	is_rising = true;
	for (uint64_t i = 1; i <= 200 << 10; i++) {
		uint64_t time = i % 250 ? i : (uint64_t)1 << 60;
		memcpy(bytes, &time, sizeof time);
		perfdata_order_add(o, time, &r);
	}
	perfdata_order_flush(o);
	long took = memory() - at_first;
	if (tap_sanitized())
		skip("the memory is a sanitizer's, too");
	else
		ok(took < 40, "records of a time far ahead do not hold the memory of others (%ld MiB)", took);
	ok(is_rising, "and all come in order");
	is_int(perfdata_order_late(o), 0, "none late");
	before = 0;
	perfdata_order_free(o);
	free(bytes);
}

int main(void)
{
	buf_init(&out);
	test_far_ahead();
	test_rounds();
	test_bound();
	test_many();
	test_empty_rounds();
	buf_deinit(&out);
	return done_testing();
}
