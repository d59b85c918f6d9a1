/* Samples with every combination of fields. */
#include "perfdata/sample.h"

#include "base/mem.h"
#include "perfdata_writer.h"

static uint64_t noise = 1;

static uint64_t any(void)
{
	noise = noise * 6364136223846793005u + 1442695040888963407u;
	return noise >> 16;
}

/* The content of the last sample written. */
static struct perfdata_sample written;

static void put_reading(struct writer *w, const struct perfdata_event *e, uint64_t value)
{
	put_u64(w, value);
	if (e->read_format & READ_ID)
		put_u64(w, value + 1);
	if (e->read_format & READ_LOST)
		put_u64(w, 0);
}

static void put_read(struct writer *w, const struct perfdata_event *e)
{
	size_t times = (size_t)__builtin_popcountll(e->read_format & (READ_TIME_ENABLED | READ_TIME_RUNNING));
	written.n_readings = e->read_format & READ_GROUP ? 3 : 1;
	if (e->read_format & READ_GROUP) {
		put_u64(w, 3);
		put_zeros(w, 8 * times);
		for (uint64_t i = 0; i < 3; i++)
			put_reading(w, e, 50 + i);
		return;
	}
	put_u64(w, 50);
	put_zeros(w, 8 * times);
	if (e->read_format & READ_ID)
		put_u64(w, 51);
	if (e->read_format & READ_LOST)
		put_u64(w, 0);
}

static void put_regs(struct writer *w, uint64_t mask, uint64_t abi)
{
	put_u64(w, abi);
	for (unsigned i = 0; abi && i < (unsigned)__builtin_popcountll(mask); i++)
		put_u64(w, 1000 + i);
}

static void put_branches(struct writer *w, const struct perfdata_event *e)
{
	put_u64(w, 2);
	if (e->branch_sample_type >> 17 & 1)
		put_u64(w, 9);
	for (uint64_t i = 0; i < 6; i++)
		put_u64(w, 600 + i);
	if (e->branch_sample_type >> 19 & 1)
		put_zeros(w, 16);
}

static void put_stack(struct writer *w, size_t n)
{
	put_u64(w, n);
	if (!n)
		return;
	buf_pad(&w->out, 's', n);
	put_u64(w, n / 2);
	written.n_stack = n / 2;
	written.n_reserved = n;
}

static void put_first(struct writer *w, uint64_t type)
{
	if (type & FIELD_IDENTIFIER)
		put_u64(w, 7);
	if (type & FIELD_IP)
		put_u64(w, written.ip = any());
	if (type & FIELD_TID) {
		put_u32(w, (uint32_t)(written.pid = 41));
		put_u32(w, (uint32_t)(written.tid = 42));
	}
	if (type & FIELD_TIME)
		put_u64(w, written.time = any());
	if (type & FIELD_ADDR)
		put_u64(w, written.addr = any());
	if (type & FIELD_ID)
		put_u64(w, 7);
	if (type & FIELD_STREAM_ID)
		put_u64(w, 8);
	if (type & FIELD_CPU) {
		put_u32(w, written.cpu = 3);
		put_u32(w, 0);
	}
	if (type & FIELD_PERIOD)
		put_u64(w, written.period = any());
}

static void put_rest(struct writer *w, const struct perfdata_event *e)
{
	uint64_t type = e->sample_type;
	put_zeros(w, type & (FIELD_WEIGHT | FIELD_WEIGHT_STRUCT) ? 8 : 0);
	put_zeros(w, type & FIELD_DATA_SRC ? 8 : 0);
	put_zeros(w, type & FIELD_TRANSACTION ? 8 : 0);
	if (type & FIELD_REGS_INTR)
		put_regs(w, e->sample_regs_intr, any() % 3);
	for (uint64_t field = FIELD_PHYS_ADDR; field <= FIELD_CODE_PAGE_SIZE; field <<= 1)
		put_zeros(w, field != FIELD_AUX && type & field ? 8 : 0);
	if (type & FIELD_AUX) {
		put_u64(w, 24);
		put_zeros(w, 24);
	}
}

static void put_sample(struct writer *w, const struct perfdata_event *e)
{
	uint64_t type = e->sample_type;
	written = (struct perfdata_sample){.cpu = UINT32_MAX, .pid = -1, .tid = -1, .time = NO_RECORD_TIME};
	written.period = e->flags & EVENT_FREQ ? 1 : e->sample_period;
	put_first(w, type);
	if (type & FIELD_READ)
		put_read(w, e);
	if (type & FIELD_CALLCHAIN) {
		put_u64(w, written.n_chain = any() % 5);
		for (size_t i = 0; i < written.n_chain; i++)
			put_u64(w, 500 + i);
	}
	if (type & FIELD_RAW) {
		put_u32(w, (uint32_t)(written.n_raw = 4 + 8 * (any() % 3)));
		buf_pad(&w->out, 'r', written.n_raw);
	}
	if (type & FIELD_BRANCH_STACK) {
		written.n_branches = 2;
		put_branches(w, e);
	}
	if (type & FIELD_REGS_USER)
		put_regs(w, e->sample_regs_user, written.regs_abi = any() % 3);
	if (type & FIELD_STACK_USER)
		put_stack(w, 16 * (size_t)(any() % 3));
	put_rest(w, e);
}

static bool are_numbers(const uint64_t *v, size_t n, uint64_t from)
{
	for (size_t i = 0; i < n; i++)
		if (v[i] != from + i)
			return false;
	return true;
}

static bool is_same_array(const struct perfdata_sample *s, const struct perfdata_event *e)
{
	size_t regs = s->regs_abi ? (size_t)__builtin_popcountll(e->sample_regs_user) : 0;
	return s->n_chain == written.n_chain && are_numbers(s->chain, s->n_chain, 500) &&
	       s->n_branches == written.n_branches &&
	       are_numbers((const uint64_t *)s->branches, 3 * s->n_branches, 600) && s->regs_abi == written.regs_abi &&
	       are_numbers(s->regs, regs, 1000) && s->n_stack == written.n_stack &&
	       s->n_reserved == written.n_reserved && (!s->n_stack || s->stack[s->n_stack - 1] == 's') &&
	       s->n_raw == written.n_raw && (!s->n_raw || s->raw[s->n_raw - 1] == 'r');
}

static bool are_readings(struct perfdata_sample *s, const struct perfdata_event *e)
{
	for (size_t i = 0; i < s->n_readings; i++) {
		struct perfdata_reading r = perfdata_sample_reading(s);
		if (r.value != 50 + i || r.id != (e->read_format & READ_ID ? 51 + i : 0))
			return false;
	}
	return s->n_readings == written.n_readings;
}

static bool is_same(struct perfdata_sample *s, const struct perfdata_event *e)
{
	return s->ip == written.ip && s->pid == written.pid && s->tid == written.tid && s->time == written.time &&
	       s->addr == written.addr && s->cpu == written.cpu && s->period == written.period && is_same_array(s, e) &&
	       are_readings(s, e);
}

static bool parse(struct perfdata_sample *s, const struct perfdata_event *e, const struct writer *w, size_t n)
{
	uint64_t *copy = mem_zalloc(n / 8 + 1, 8);
	memcpy(copy, w->out.data ? w->out.data : "", n < w->out.len ? n : w->out.len);
	bool ok =
		perfdata_sample_parse(s, e, 2, (struct perfdata_bytes){(unsigned char *)copy, n, w->is_swapped, false});
	bool same = ok && is_same(s, e);
	free(copy);
	return same;
}

/* A sample with these fields is read as it was written; one that is too long or too short is refused. */
static bool reads(uint64_t type, bool is_swapped)
{
	struct perfdata_event e = {.sample_type = type, .sample_period = 4000, .flags = any() % 2 ? EVENT_FREQ : 0};
	struct writer w = writer_new(is_swapped);
	struct perfdata_sample s;
	e.read_format = any() % 32;
	e.branch_sample_type = any() % 4 * ((uint64_t)1 << 17) + any() % 2 * ((uint64_t)1 << 19);
	e.sample_regs_user = any() % 1024;
	e.sample_regs_intr = any() % 1024;
	put_sample(&w, &e);
	bool good = parse(&s, &e, &w, w.out.len) && !parse(&s, &e, &w, w.out.len + 8);
	good = good && (!w.out.len || !parse(&s, &e, &w, w.out.len - 8));
	writer_end(&w);
	return good;
}

static bool reads_all(bool is_swapped)
{
	bool good = reads(0, is_swapped);
	for (unsigned i = 0; i < 25; i++)
		for (unsigned j = 0; j < 25; j++)
			for (unsigned times = 0; times < 8 && good; times++)
				good = reads((uint64_t)1 << i | (uint64_t)1 << j, is_swapped);
	for (unsigned i = 0; i < 30000 && good; i++)
		good = reads(any() & FIELDS_KNOWN, is_swapped);
	return good;
}

/* Hostile numbers in place of lengths. */
static void test_lengths(void)
{
	static const uint64_t lengths[] = {
		1, 2, 5, UINT32_MAX, (uint64_t)1 << 61, UINT64_MAX, INT64_MAX, (uint64_t)1 << 60, (uint64_t)-8};
	static const uint64_t fields[] = {FIELD_CALLCHAIN,  FIELD_RAW, FIELD_BRANCH_STACK, FIELD_REGS_USER,
	                                  FIELD_STACK_USER, FIELD_AUX, FIELD_READ};
	bool good = true;
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		for (size_t j = 0; j < sizeof lengths / sizeof *lengths; j++) {
			struct perfdata_event e = {
				.sample_type = fields[i], .read_format = READ_GROUP, .sample_regs_user = UINT64_MAX};
			struct writer w = writer_new(false);
			struct perfdata_sample s;
			put_u64(&w, lengths[j]);
			uint64_t *copy = mem_copy(w.out.data, 1, 8);
			good = good && !perfdata_sample_parse(&s, &e, 0,
			                                      (struct perfdata_bytes){(unsigned char *)copy, 8, false, false});
			free(copy);
			writer_end(&w);
		}
	}
	ok(good, "lengths that are too large are told");
}

int main(void)
{
	struct perfdata_sample s;
	struct perfdata_event e = {.sample_type = (uint64_t)1 << 25};
	uint64_t none = 0;
	ok(reads_all(false), "every combination of fields is read to its last byte");
	ok(reads_all(true), "and in the other byte order");
	test_lengths();
	ok(!perfdata_sample_parse(&s, &e, 0, (struct perfdata_bytes){(unsigned char *)&none, 0, false, false}),
	   "a field that is not known makes a sample unreadable");
	return done_testing();
}
