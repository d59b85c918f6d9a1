/*
 * sample.c - the fields of one PERF_RECORD_SAMPLE.
 *
 * The fields follow the order of perf_event_open(2) under PERF_RECORD_SAMPLE, not that of the bits:
 *
 *	IDENTIFIER IP TID TIME ADDR ID STREAM_ID CPU PERIOD READ CALLCHAIN RAW BRANCH_STACK REGS_USER STACK_USER
 *	WEIGHT DATA_SRC TRANSACTION REGS_INTR PHYS_ADDR CGROUP DATA_PAGE_SIZE CODE_PAGE_SIZE AUX
 *
 * Nothing in a record says where a field begins, so one misread field corrupts all that follow. Therefore the last
 * field must end with the record, to the byte, and an unknown field makes the sample unreadable.
 *
 * The raw data of perf's offcpu-time, which a BPF program writes while any thread is at work, replace the fields of
 * the same name: s32 pid, tid; u64 period; u64 n, chain of n; u64 cgroup.
 */
#include "perfdata/sample.h"

#define BRANCH_HW_INDEX ((uint64_t)1 << 17)
#define BRANCH_COUNTERS ((uint64_t)1 << 19)

struct parser {
	struct perfdata_sample *s;
	const struct perfdata_event *event;
	struct perfdata_bytes b;
};

static bool has(const struct parser *p, uint64_t field)
{
	return (p->event->sample_type & field) != 0;
}

static void skip(struct parser *p, uint64_t field)
{
	if (has(p, field))
		bytes_skip(&p->b, 8);
}

/* Marks a length as impossible: nothing after it can be read. */
static void spoil(struct perfdata_bytes *b)
{
	b->is_bad = true;
	b->n = 0;
}

/* Converts n numbers in place to this machine's order. NULL: there are fewer. */
static const uint64_t *numbers(struct perfdata_bytes *b, uint64_t n)
{
	if (n > b->n / 8) {
		spoil(b);
		return NULL;
	}
	const unsigned char *at = bytes_take(b, n * 8);
	uint64_t *v = (uint64_t *)(uintptr_t)at;
	if (b->is_swapped)
		bytes_swap_all(v, (size_t)n);
	return v;
}

static void parse_head(struct parser *p)
{
	struct perfdata_sample *s = p->s;
	skip(p, FIELD_IDENTIFIER);
	if (has(p, FIELD_IP))
		s->ip = bytes_u64(&p->b);
	if (has(p, FIELD_TID)) {
		s->pid = bytes_s32(&p->b);
		s->tid = bytes_s32(&p->b);
	}
	if (has(p, FIELD_TIME))
		s->time = bytes_u64(&p->b);
	if (has(p, FIELD_ADDR))
		s->addr = bytes_u64(&p->b);
	skip(p, FIELD_ID);
	skip(p, FIELD_STREAM_ID);
	if (has(p, FIELD_CPU)) {
		s->cpu = bytes_u32(&p->b);
		bytes_skip(&p->b, 4);
	}
	if (has(p, FIELD_PERIOD)) {
		s->period = bytes_u64(&p->b);
		s->has_period = true;
	}
}

static uint64_t reading_size(uint64_t format)
{
	return 8 * (uint64_t)(1 + (format & READ_ID ? 1 : 0) + (format & READ_LOST ? 1 : 0));
}

/* One counter: value, enabled, running, id, lost. */
static void parse_single_read(struct parser *p, uint64_t format, uint64_t times)
{
	struct perfdata_sample *s = p->s;
	s->reading.value = bytes_u64(&p->b);
	bytes_skip(&p->b, times);
	if (format & READ_ID)
		s->reading.id = bytes_u64(&p->b);
	if (format & READ_LOST)
		bytes_skip(&p->b, 8);
	s->n_readings = 1;
}

/* A group: n, enabled, running, n times {value, id, lost}. */
static void parse_read(struct parser *p)
{
	uint64_t format = p->event->read_format, times = 0, n;
	if (!has(p, FIELD_READ))
		return;
	times += format & READ_TIME_ENABLED ? 8 : 0;
	times += format & READ_TIME_RUNNING ? 8 : 0;
	p->s->read_format = format;
	if (!(format & READ_GROUP)) {
		parse_single_read(p, format, times);
		return;
	}
	n = bytes_u64(&p->b);
	bytes_skip(&p->b, times);
	p->s->readings = p->b;
	if (n > p->b.n / reading_size(format))
		spoil(&p->b);
	else
		p->s->n_readings = (size_t)n;
	bytes_skip(&p->b, p->s->n_readings * reading_size(format));
}

struct perfdata_reading perfdata_sample_reading(struct perfdata_sample *s)
{
	if (!(s->read_format & READ_GROUP))
		return s->reading;
	struct perfdata_reading r = {.value = bytes_u64(&s->readings)};
	if (s->read_format & READ_ID)
		r.id = bytes_u64(&s->readings);
	if (s->read_format & READ_LOST)
		bytes_skip(&s->readings, 8);
	return r;
}

static void parse_chain(struct parser *p)
{
	if (!has(p, FIELD_CALLCHAIN))
		return;
	uint64_t n = bytes_u64(&p->b);
	p->s->chain = numbers(&p->b, n);
	p->s->n_chain = p->s->chain ? (size_t)n : 0;
}

/* A 32-bit size and that many bytes; together a multiple of 8, on which all later fields rely. */
static void parse_raw(struct parser *p)
{
	if (!has(p, FIELD_RAW))
		return;
	uint32_t n = bytes_u32(&p->b);
	if (n % 8 != 4)
		spoil(&p->b);
	p->s->raw = bytes_take(&p->b, n);
	p->s->n_raw = p->s->raw ? n : 0;
	p->s->raw_is_swapped = p->b.is_swapped;
}

static void parse_branches(struct parser *p)
{
	if (!has(p, FIELD_BRANCH_STACK))
		return;
	uint64_t n = bytes_u64(&p->b);
	if (p->event->branch_sample_type & BRANCH_HW_INDEX)
		bytes_skip(&p->b, 8);
	if (n > p->b.n / sizeof *p->s->branches) {
		spoil(&p->b);
		return;
	}
	p->s->branches = (const struct perfdata_branch *)(const void *)numbers(&p->b, n * 3);
	p->s->n_branches = (size_t)n;
	if (p->event->branch_sample_type & BRANCH_COUNTERS)
		numbers(&p->b, n);
}

/* Returns the registers and the abi; without an abi there are no registers. */
static const uint64_t *parse_regs(struct parser *p, uint64_t field, uint64_t mask, uint64_t *abi)
{
	*abi = has(p, field) ? bytes_u64(&p->b) : 0;
	return *abi ? numbers(&p->b, (uint64_t)__builtin_popcountll(mask)) : NULL;
}

/* The whole dump has space reserved; the number of bytes filled comes after it. */
static void parse_stack(struct parser *p)
{
	uint64_t size = has(p, FIELD_STACK_USER) ? bytes_u64(&p->b) : 0;
	if (!size)
		return;
	if (size % 8)
		spoil(&p->b);
	p->s->stack = bytes_take(&p->b, size);
	uint64_t filled = bytes_u64(&p->b);
	p->s->n_stack = p->s->stack ? (size_t)(filled < size ? filled : size) : 0;
	p->s->n_reserved = p->s->stack ? (size_t)size : 0;
	p->b.is_bad |= filled > size;
}

static void parse_tail(struct parser *p)
{
	uint64_t ignored;
	skip(p, FIELD_WEIGHT | FIELD_WEIGHT_STRUCT);
	skip(p, FIELD_DATA_SRC);
	skip(p, FIELD_TRANSACTION);
	parse_regs(p, FIELD_REGS_INTR, p->event->sample_regs_intr, &ignored);
	skip(p, FIELD_PHYS_ADDR);
	skip(p, FIELD_CGROUP);
	skip(p, FIELD_DATA_PAGE_SIZE);
	skip(p, FIELD_CODE_PAGE_SIZE);
	if (has(p, FIELD_AUX))
		bytes_skip(&p->b, bytes_u64(&p->b));
}

/* The addresses in the raw data need a place divisible by 8: the data move over their size, 4 bytes before them. */
static bool parse_off_cpu(struct perfdata_sample *s)
{
	struct perfdata_bytes b = perfdata_raw(s);
	if (!s->raw)
		return false;
	b.at = memmove((unsigned char *)(uintptr_t)s->raw - 4, s->raw, s->n_raw);
	s->raw = NULL;
	s->n_raw = 0;
	s->pid = bytes_s32(&b);
	s->tid = bytes_s32(&b);
	s->period = bytes_u64(&b);
	s->has_period = true;
	uint64_t n = bytes_u64(&b);
	s->chain = numbers(&b, n);
	s->n_chain = s->chain ? (size_t)n : 0;
	s->ip = s->n_chain > 1 ? s->chain[1] : 0;
	s->misc = (uint16_t)((s->misc & ~CPUMODE) | MODE_USER);
	return !b.is_bad;
}

/* perf sums up waits at the end of a recording: they have no time, and no processor. */
static void forget_place(struct perfdata_sample *s)
{
	s->time = NO_RECORD_TIME;
	s->cpu = UINT32_MAX;
}

bool perfdata_sample_parse(struct perfdata_sample *s, const struct perfdata_event *event, uint16_t misc,
                           struct perfdata_bytes body)
{
	struct parser p = {s, event, body};
	bool has_frequency = (event->flags & EVENT_FREQ) || !event->sample_period;
	*s = (struct perfdata_sample){.cpu = UINT32_MAX,
	                              .pid = -1,
	                              .tid = -1,
	                              .time = NO_RECORD_TIME,
	                              .misc = misc,
	                              .regs_mask = event->sample_regs_user};
	s->period = has_frequency ? 1 : event->sample_period;
	s->has_period = !has_frequency;
	parse_head(&p);
	parse_read(&p);
	parse_chain(&p);
	parse_raw(&p);
	parse_branches(&p);
	s->regs = parse_regs(&p, FIELD_REGS_USER, event->sample_regs_user, &s->regs_abi);
	parse_stack(&p);
	parse_tail(&p);
	if (p.b.is_bad || p.b.n || event->sample_type & ~(uint64_t)FIELDS_KNOWN)
		return false;
	if (!perfdata_event_is_off_cpu_time(event))
		return true;
	if (s->time >= TIMES_MADE_UP)
		forget_place(s);
	return !has(&p, FIELD_RAW) || parse_off_cpu(s);
}
