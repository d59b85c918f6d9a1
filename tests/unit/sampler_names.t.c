/* Names of events become what the kernel wants; lists of processors are read; dumps are shortened. */
#include <stdlib.h>
#include <string.h>

#include "perfdata/event.h"
#include "record/sampler/dump.h"
#include "record/sampler/event_names.h"
#include "record/sampler/targets.h"
#include "tap.h"

static bool named(const char *name, uint32_t type, uint64_t config, uint64_t flags)
{
	struct abi_attr a = {0};
	struct err err = {""};
	return event_named(&a, name, strlen(name), &err) && a.type == type && a.config == config && a.flags == flags;
}

static void test_names(void)
{
	uint64_t only_user = ABI_EXCLUDE_KERNEL | ABI_EXCLUDE_HV, only_kernel = ABI_EXCLUDE_USER | ABI_EXCLUDE_HV;
	ok(named("cycles", 0, 0, 0) && named("cpu-cycles", 0, 0, 0) && named("ref-cycles", 0, 9, 0), "hardware");
	ok(named("cpu-clock", 1, 0, 0) && named("faults", 1, 2, 0) && named("cs", 1, 3, 0), "software");
	ok(named("L1-dcache-load-misses", 3, 0x10000, 0) && named("LLC-stores", 3, 0x102, 0) &&
	       named("iTLB-prefetch-misses", 3, 0x10204, 0),
	   "caches");
	ok(named("r1a8", 4, 0x1a8, 0) && named("rffffffffffffffff", 4, UINT64_MAX, 0), "raw codes");
	ok(named("cycles:u", 0, 0, only_user) && named("cycles:k", 0, 0, only_kernel) &&
	       named("cpu-clock:uk", 1, 0, ABI_EXCLUDE_HV),
	   "modifiers add up");
	ok(named("cycles:ppp", 0, 0, ABI_PRECISE(3)) && named("cycles:up", 0, 0, only_user | ABI_PRECISE(1)),
	   "p asks for exact addresses");
	ok(named("cycles:G", 0, 0, ABI_EXCLUDE_HOST) && named("cycles:H", 0, 0, ABI_EXCLUDE_GUEST), "guest and host");
}

static bool refuses(const char *name)
{
	struct abi_attr a = {0};
	struct err err = {""};
	return !event_named(&a, name, strlen(name), &err) && err.text[0];
}

static void test_refused(void)
{
	static const char *const names[] = {"",
	                                    "nonsense",
	                                    "cycle",
	                                    "cycles:",
	                                    "cycles:x",
	                                    "cycles:pppp",
	                                    "L1-dcache",
	                                    "L1-dcache-",
	                                    "r",
	                                    "rxyz",
	                                    "r12345678901234567",
	                                    "cpu/event=1/",
	                                    "{cycles,instructions}",
	                                    "no_such:event",
	                                    "../..:x",
	                                    "a/b:c"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		ok(refuses(names[i]), "'%s' is refused", names[i]);
}

static void test_lists(void)
{
	is_int(event_names_first("a,b"), 1, "a comma separates events");
	is_int(event_names_first("cpu/a=1,b=2/u,c"), 13, "but not within slashes");
	is_int(event_names_first("{a,b}:S,c"), 7, "nor within braces");
	is_int(event_names_first(""), 0, "an empty list");
}

static bool lists(const char *text, size_t n, int first, int last)
{
	struct number_list l = {0};
	bool is_list = targets_parse_cpus(text, &l);
	bool is_it = is_list && l.n == n && l.v[0] == first && l.v[n - 1] == last;
	number_list_deinit(&l);
	return n ? is_it : !is_list;
}

static void test_cpus(void)
{
	ok(lists("0\n", 1, 0, 0), "one processor");
	ok(lists("0-3,8,10-299\n", 295, 0, 299), "processors with holes");
	ok(lists("", 0, 0, 0) && lists("x", 0, 0, 0) && lists("3-1", 0, 0, 0) && lists("1-", 0, 0, 0) &&
	       lists("-4", 0, 0, 0),
	   "no list");
	ok(lists("0-4000000000", 65536, 0, 65535), "a list without end has a bound");
}

/* id ip tid time cpu period | chain of 2 | abi, 3 registers | 64 bytes of stack, of which `filled` count */
static size_t make_sample(uint64_t *words, bool has_registers, uint64_t size, uint64_t filled)
{
	struct abi_record *r = (struct abi_record *)(void *)words;
	size_t n = 1;
	for (uint64_t i = 0; i < 6; i++)
		words[n++] = i;
	words[n++] = 2;
	words[n++] = 0x11;
	words[n++] = 0x22;
	words[n++] = has_registers ? 2 : 0;
	for (uint64_t i = 0; has_registers && i < 3; i++)
		words[n++] = 100 + i;
	words[n++] = size;
	for (uint64_t i = 0; i < size / 8; i++)
		words[n++] = 200 + i;
	if (size)
		words[n++] = filled;
	*r = (struct abi_record){.type = 9, .size = (uint16_t)(n * 8)};
	return n;
}

static bool shortens(bool has_registers, uint64_t size, uint64_t filled, uint64_t kept)
{
	static const struct abi_attr a = {.sample_type = FIELD_CALLCHAIN | FIELD_REGS_USER | FIELD_STACK_USER,
	                                  .regs_user = 0x111};
	uint64_t words[64] = {0}, wanted[64] = {0};
	make_sample(words, has_registers, size, filled);
	size_t n = make_sample(wanted, has_registers, kept, filled);
	dump_shorten((struct abi_record *)(void *)words, &a);
	return memcmp(words, wanted, n * 8) == 0;
}

static void test_dumps(void)
{
	ok(shortens(true, 64, 64, 64), "a full dump stays");
	ok(shortens(true, 64, 40, 40), "one that was not filled is shortened");
	ok(shortens(true, 64, 33, 40), "to whole words");
	ok(shortens(false, 0, 0, 0), "threads of the kernel have none");
	uint64_t words[64] = {0};
	static const struct abi_attr a = {.sample_type = FIELD_CALLCHAIN | FIELD_REGS_USER | FIELD_STACK_USER,
	                                  .regs_user = 0x111};
	size_t n = make_sample(words, true, 64, 40), n_same = 0, n_all = 0;
	for (size_t at = 1; at < n; at++)
		for (int bit = 3; bit < 64; bit += 20) {
			make_sample(words, true, 64, 40);
			words[at] ^= (uint64_t)1 << bit;
			dump_shorten((struct abi_record *)(void *)words, &a);
			const struct abi_record *r = (const struct abi_record *)(const void *)words;
			n_same += r->size <= n * 8 && r->size % 8 == 0;
			n_all++;
		}
	is_int(n_same, n_all, "a damaged sample stays within its record");
}

int main(void)
{
	test_names();
	test_refused();
	test_lists();
	test_cpus();
	test_dumps();
	return done_testing();
}
