/* Comparisons of times or sizes in two units: whose numbers are converted, and that none of their parts is lost. */
#include "model/profile.h"
#include "model/units.h"

#include "tap.h"

static uint32_t sym(struct profile *p, const char *name)
{
	return *name ? symtab_intern(&p->symtab, name, strlen(name)) : 0;
}

static void add_file(struct profile *p, unsigned side)
{
	profile_seal(p);
	mem_push(
		p->files, p->n_files, p->cap_files,
		((struct profile_file){.name = mem_strdup("file"), .side = side, .first = {p->log[0].n, p->log[1].n}}));
}

/* So many samples of a weight, in a file of their own. */
static void add(struct profile *p, unsigned side, const char *event, const char *unit, uint64_t weight, unsigned n)
{
	add_file(p, side);
	uint32_t frame = sym(p, "a"), at = profile_path(p, &frame, 1);
	struct sample s = {.weight = weight, .time = NO_TIME, .cpu = NO_CPU};
	s.series = profile_series(p, sym(p, event), sym(p, unit));
	while (n--)
		profile_add(p, side, at, &s);
}

static const char *unit(const struct profile *p, size_t series)
{
	return p->symtab.symbols[p->series[series].unit].name;
}

static void begin(struct profile *p, unsigned decimals)
{
	profile_init(p);
	p->join = JOIN_RUNS;
	p->decimals = decimals;
}

static void test_table(void)
{
	is_str(unit_find("nanoseconds")->ours, "ns", "units have one spelling");
	is_str(unit_find("By")->ours, "bytes", "that of OTLP as well");
	ok(!unit_find("hours") && !unit_find("samples"), "others are none of these units");
	ok(unit_is_like(unit_find("s"), unit_find("us")) && !unit_is_like(unit_find("s"), unit_find("kB")),
	   "times are like times");
	ok(!unit_is_like(unit_find("s"), NULL), "and nothing else");
	is_int(profile_time_scale("s") * 1000 + profile_time_scale("ns"), 9, "a second is 10^0 s, a nanosecond 10^-9");
	is_int(profile_time_scale("bytes"), -1, "a byte is no time");
}

static void test_conversion(void)
{
	static const struct {
		const char *unit, *base_unit, *then;
		uint64_t weight, base_weight, total, base_total;
		unsigned decimals;
		const char *name;
	} cases[] = {
		{"ns", "us", "ns", 7, 3, 7, 3000, 0, "coarser numbers of the baseline are multiplied"},
		{"s", "ns", "s", 2, 3000000000, 2, 3, 0, "finer ones that are whole in the profile's unit are divided"},
		{"s", "ns", "ns", 2, 3000000001, 2000000000, 3000000001, 0,
	     "others keep their unit, and the profile gets it"},
		{"ms", "us", "ms", 1500, 2000, 1500, 2, 3, "decimals hold parts, as everywhere"},
		{"ms", "us", "us", 1500, 2001, 1500000, 2001, 3, "as far as there are some"},
		{"bytes", "kB", "bytes", 5, 3, 5, 3072, 0, "a kilobyte has 1024 bytes"},
		{"MB", "bytes", "bytes", 1, 5, 1048576, 5, 0, "sizes get finer like times"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct profile p;
		begin(&p, cases[i].decimals);
		add(&p, 0, "cpu", cases[i].unit, cases[i].weight, 1);
		add(&p, 1, "cpu", cases[i].base_unit, cases[i].base_weight, 1);
		profile_settle_units(&p);
		is_str(unit(&p, 0), cases[i].then, "%s", cases[i].name);
		is_int((long long)p.series[0].total[1], (long long)cases[i].base_total, "with the numbers of the baseline");
		is_int((long long)p.series[0].total[0], (long long)cases[i].total, "and those of the profile");
		is_int(p.decimals, cases[i].decimals, "with as many decimals");
		is_int(p.series[1].is_joined, true, "both are one event");
		is_int((long long)p.series[1].total[1], 0, "and no number counts twice");
		ok(p.series[0].base_samples == 1 && p.series[1].base_samples == 0, "nor does a sample");
		ok(!profile_has_events(&p), "which is the only one");
		is_int((long long)profile_find_series(&p, "cpu"), 0, "found by its name");
		is_int((long long)p.report.n, 0, "without a message");
		profile_deinit(&p);
	}
}

static void test_room(void)
{
	struct profile p;
	begin(&p, 6);
	add(&p, 0, "cpu", "s", UINT64_C(30000000000000000), 1); /* 3e10 s */
	add(&p, 1, "cpu", "ns", UINT64_C(1000000), 1);          /* 1 ns */
	profile_settle_units(&p);
	is_str(unit(&p, 0), "ns", "the finer unit");
	is_int(p.series[0].total[0] == UINT64_MAX, true, "what is above 2^64 - 1 saturates");
	is_int(p.decimals, 0, "after needless decimals were given up");
	is_int((long long)p.series[0].total[1], 1, "in both sides");
	is_int((long long)p.report.n, 1, "and a message says so");
	profile_deinit(&p);

	begin(&p, 6);
	add(&p, 0, "cpu", "s", UINT64_C(1000000000000), 2); /* 10^6 s each */
	add(&p, 1, "cpu", "ns", UINT64_C(5000000), 1);
	profile_settle_units(&p);
	ok(p.decimals < 6 && p.series[0].total[0] == UINT64_C(2000000000000000) * with_decimals(1, 0, p.decimals),
	   "decimals give way to the sum");
	ok(p.series[0].total[1] == 5 * with_decimals(1, 0, p.decimals), "on both sides");
	is_int((long long)p.report.n, 0, "and nothing is lost");
	profile_deinit(&p);
}

/* Entries of several samples, equal or not. */
static void test_samples(void)
{
	struct profile p;
	begin(&p, 0);
	add(&p, 0, "cpu", "ns", 5, 3);
	add(&p, 1, "cpu", "us", 4, 3);
	struct spread s = {100, 2};
	uint32_t frame = sym(&p, "a"), at = profile_path(&p, &frame, 1);
	struct sample sample = {.weight = 14, .time = NO_TIME, .cpu = NO_CPU, .series = 1};
	profile_add_entry(&p, 1, at, &sample, 2, s);
	profile_settle_units(&p);
	is_int((long long)p.log[1].weight[0], 12000, "an entry of three equal samples");
	is_int((long long)log_each(&p.log[1], 0), 4000, "has three equal ones");
	is_int((long long)p.log[1].weight[1], 14000, "one of different ones has its sum");
	ok(p.log[1].spread[1].squares == 100e6 && p.log[1].spread[1].divisor == 2000, "and its statistics");
	is_int((long long)log_series(&p.log[1], 1), 0, "all are of the profile's event");
	is_int((long long)p.series[0].base_samples, 5, "which counts them");
	is_int((long long)p.log[1].total, 26000, "and their sum");
	profile_deinit(&p);
}

static void test_partners(void)
{
	struct profile p;
	begin(&p, 0);
	add(&p, 0, "cpu", "ns", 7, 1);
	add(&p, 1, "wall", "us", 3, 1);
	profile_settle_units(&p);
	is_str(unit(&p, 1), "ns", "another event gets the unit of the profile");
	is_int((long long)p.series[1].total[1], 3000, "with its numbers");
	ok(!p.series[1].is_joined, "and stays another one");
	profile_deinit(&p);

	begin(&p, 0);
	add(&p, 0, "cpu", "s", 7, 1);
	add(&p, 1, "wall", "us", 3, 1);
	profile_settle_units(&p);
	ok(strcmp(unit(&p, 0), "s") == 0 && strcmp(unit(&p, 1), "us") == 0,
	   "for one with which nothing but shares is compared, the profile is not converted");
	profile_deinit(&p);

	begin(&p, 0);
	add(&p, 0, "cpu", "s", 7, 1);
	add(&p, 1, "", "us", 3, 1);
	profile_settle_units(&p);
	ok(strcmp(unit(&p, 0), "us") == 0 && strcmp(unit(&p, 1), "us") == 0, "for one without a name it is");
	profile_deinit(&p);

	begin(&p, 0);
	add(&p, 0, "cpu", "ns", 7, 1);
	add(&p, 1, "cpu", "", 3, 1);
	add(&p, 1, "cpu", "bytes", 5, 1);
	profile_settle_units(&p);
	is_int((long long)p.series[0].total[1], 3, "numbers without a unit stay as they are");
	ok(p.n_series == 2 && !p.series[1].is_joined && p.series[1].total[1] == 5, "and so do unlike units");
	profile_deinit(&p);

	begin(&p, 0);
	add(&p, 1, "cpu", "us", 3, 1);
	add(&p, 0, "cpu", "ns", 7, 1);
	profile_settle_units(&p);
	is_int((long long)profile_find_series(&p, "cpu"), 1,
	       "a baseline that came first leaves the name to the profile");
	is_int((long long)p.series[1].total[1], 3000, "with its numbers");
	profile_deinit(&p);

	begin(&p, 0);
	add(&p, 0, "cpu", "s", 1, 1);
	add(&p, 0, "wall", "s", 2, 1);
	add(&p, 1, "cpu", "ns", 5, 1);
	add(&p, 1, "wall", "ms", 3, 1);
	profile_settle_units(&p);
	ok(p.series[0].total[0] == 1000000000 && p.series[1].total[0] == 2000000000, "events of one unit keep one");
	ok(p.series[0].total[1] == 5 && p.series[1].total[1] == 3000000, "which the baseline's get, too");
	is_str(unit(&p, 1), "ns", "the finest");
	profile_deinit(&p);
}

int main(void)
{
	test_table();
	test_conversion();
	test_room();
	test_samples();
	test_partners();
	return done_testing();
}
