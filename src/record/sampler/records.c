/*
 * records.c - writes the records and headers of a recording that the kernel does not.
 *
 *	pipe   "PERFILE2" 16 | HEADER_ATTR, EVENT_UPDATE for each event | HEADER_FEATURE ... | records
 *	file   header of 104 bytes | ids | events | records | table of the features | features
 */
#include "record/sampler/records.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "perfdata/event.h"
#include "perfdata/features.h"
#include "perfdata/records.h"
#include "perfdata/sample.h"
#include "record/sampler/tracing_data.h"

#define HEADER_SIZE 104u
#define UPDATE_NAME 2u
#define MAGIC UINT64_C(0x32454c4946524550) /* "PERFILE2", as a number of the machine's byte order */
#define FEATURE_NRCPUS 7u

static void add_u16(struct buf *b, uint16_t v)
{
	buf_add(b, &v, sizeof v);
}

static void add_u32(struct buf *b, uint32_t v)
{
	buf_add(b, &v, sizeof v);
}

static void add_u64(struct buf *b, uint64_t v)
{
	buf_add(b, &v, sizeof v);
}

/* A text with its NUL, padded to 8 bytes. */
static void add_text(struct buf *b, const char *text)
{
	size_t n = strlen(text) + 1;
	buf_add(b, text, n);
	buf_pad(b, '\0', (8 - n % 8) % 8);
}

/* Returns where the record begins, for end_record(). */
static size_t begin_record(struct buf *b, uint32_t type, uint16_t misc)
{
	size_t at = b->len;
	add_u32(b, type);
	add_u16(b, misc);
	add_u16(b, 0);
	return at;
}

static void end_record(struct buf *b, size_t at)
{
	uint16_t size = (uint16_t)(b->len - at);
	memcpy(b->data + at + 6, &size, sizeof size);
}

/* What sample_id_all appends to each record; a time of 0 says that it holds from the beginning on. */
static void add_trailer_at(struct buf *b, pid_t pid, pid_t tid, uint64_t time)
{
	add_u32(b, (uint32_t)pid);
	add_u32(b, (uint32_t)tid);
	add_u64(b, time);
	add_u64(b, 0); /* processor */
	add_u64(b, 0); /* id */
}

static void add_trailer(struct buf *b, pid_t pid, pid_t tid)
{
	add_trailer_at(b, pid, tid, 0);
}

/* ---- processes ----------------------------------------------------------------------------------------------- */

static uint16_t misc_of(const struct records_map *m)
{
	unsigned of_id = m->n_build_id > 0 ? ABI_MISC_BUILD_ID : 0, of_data = m->prot & PROT_EXEC ? 0 : ABI_MISC_DATA;
	return (uint16_t)(MODE_USER | of_id | of_data);
}

void records_add_map(struct buf *b, const struct records_map *m)
{
	unsigned char id[24] = {(unsigned char)m->n_build_id};
	size_t at = begin_record(b, RECORD_MMAP2, misc_of(m));
	add_u32(b, (uint32_t)m->pid);
	add_u32(b, (uint32_t)m->pid);
	add_u64(b, m->start);
	add_u64(b, m->length);
	add_u64(b, m->offset);
	if (m->n_build_id > 0) {
		memcpy(id + 4, m->build_id, m->n_build_id);
		buf_add(b, id, sizeof id);
	} else {
		add_u32(b, m->major);
		add_u32(b, m->minor);
		add_u64(b, m->inode);
		add_u64(b, 0);
	}
	add_u32(b, m->prot);
	add_u32(b, MAP_PRIVATE);
	add_text(b, m->name);
	add_trailer(b, m->pid, m->pid);
	end_record(b, at);
}

void records_add_kernel_map(struct buf *b, uint64_t start, uint64_t length, const char *name)
{
	size_t at = begin_record(b, RECORD_MMAP, MODE_KERNEL);
	add_u32(b, UINT32_MAX);
	add_u32(b, 0);
	add_u64(b, start);
	add_u64(b, length);
	add_u64(b, name[0] == '[' && strchr(name, ']')[1] ? start : 0);
	add_text(b, name);
	add_trailer(b, -1, 0);
	end_record(b, at);
}

void records_add_comm(struct buf *b, pid_t pid, pid_t tid, const char *name)
{
	size_t at = begin_record(b, RECORD_COMM, 0);
	add_u32(b, (uint32_t)pid);
	add_u32(b, (uint32_t)tid);
	add_text(b, name);
	add_trailer(b, pid, tid);
	end_record(b, at);
}

void records_add_round(struct buf *b)
{
	end_record(b, begin_record(b, RECORD_FINISHED_ROUND, 0));
}

void records_end_pipe(struct buf *b)
{
	for (unsigned i = 0; i < ROUNDS_AT_END; i++)
		records_add_round(b);
}

bool records_have_ended(const char *bytes, size_t n)
{
	struct buf end;
	buf_init(&end);
	records_end_pipe(&end);
	bool is_end = n >= end.len && memcmp(bytes + n - end.len, end.data, end.len) == 0;
	buf_deinit(&end);
	return is_end;
}

void records_add_sample(struct buf *b, const struct records_sample *s)
{
	size_t at = begin_record(b, RECORD_SAMPLE, MODE_USER);
	add_u64(b, s->id);
	add_u64(b, s->ip);
	add_u32(b, (uint32_t)s->pid);
	add_u32(b, (uint32_t)s->tid);
	add_u64(b, s->time);
	add_u64(b, 0); /* processor */
	add_u64(b, s->period);
	add_u64(b, s->n_regs ? 0 : 2); /* of the chain */
	if (!s->n_regs) {
		add_u64(b, CHAIN_USER);
		add_u64(b, s->ip);
		end_record(b, at);
		return;
	}
	add_u64(b, 2); /* registers of a 64-bit process */
	buf_add(b, s->regs, s->n_regs * sizeof *s->regs);
	add_u64(b, s->n_stack);
	buf_add(b, s->stack, s->n_stack);
	if (s->n_stack)
		add_u64(b, s->n_stack); /* all of it is filled */
	end_record(b, at);
}

int32_t records_number(const struct abi_record *r, size_t offset)
{
	int32_t n = -1;
	if (offset + sizeof n <= r->size)
		memcpy(&n, (const char *)r + offset, sizeof n);
	return n;
}

uint64_t records_id(const struct abi_record *r)
{
	uint64_t id = 0;
	if (r->size >= sizeof *r + sizeof id)
		memcpy(&id, r + 1, sizeof id);
	return id;
}

/* The raw data of a sample: a size of four bytes, the item, and padding to a multiple of eight in all. */
void records_add_language(struct buf *b, const struct records_language *l)
{
	size_t padding = (l->n + 4) % 8;
	if (l->n > RECORDS_ITEM_MOST)
		return;
	size_t at = begin_record(b, RECORD_SAMPLE, MODE_USER);
	add_u64(b, l->id);
	add_u64(b, 0); /* address */
	add_u32(b, (uint32_t)l->pid);
	add_u32(b, (uint32_t)l->tid);
	add_u64(b, l->time);
	add_u64(b, 0); /* processor */
	add_u64(b, 1); /* period */
	add_u32(b, (uint32_t)(l->n + padding));
	buf_add(b, l->item, l->n);
	buf_pad(b, '\0', padding);
	end_record(b, at);
}

void records_add_time(struct buf *b, uint64_t time)
{
	size_t at = begin_record(b, RECORD_LOST_SAMPLES, 0);
	add_u64(b, 0);
	add_trailer_at(b, -1, -1, time);
	end_record(b, at);
}

void records_add_blocked(struct buf *b, pid_t pid, pid_t tid, uint64_t time)
{
	size_t at = begin_record(b, RECORD_SWITCH, ABI_MISC_SWITCH_OUT);
	add_trailer_at(b, pid, tid, time);
	end_record(b, at);
}

void records_add_lost(struct buf *b, uint64_t n)
{
	size_t at = begin_record(b, RECORD_LOST_SAMPLES, 0);
	add_u64(b, n);
	add_trailer(b, -1, -1);
	end_record(b, at);
}

/* ---- features ------------------------------------------------------------------------------------------------ */

/* A length of four bytes, which counts the padding, and the text. */
static void add_string(struct buf *b, const char *text)
{
	size_t n = strlen(text) + 1, padded = (n + 63) / 64 * 64;
	add_u32(b, (uint32_t)padded);
	buf_add(b, text, n);
	buf_pad(b, '\0', padded - n);
}

static void add_attr(struct buf *b, const struct counter_event *e)
{
	struct abi_attr a = e->attr;
	a.size = sizeof a;
	a.flags |= ABI_BUILD_ID; /* running_identify() */
	buf_add(b, &a, sizeof a);
}

static void add_events(struct buf *b, const struct records_facts *f)
{
	add_u32(b, (uint32_t)f->n_events);
	add_u32(b, sizeof(struct abi_attr));
	for (size_t i = 0; i < f->n_events; i++) {
		const struct counter_event *e = &f->events[i];
		add_attr(b, e);
		add_u32(b, (uint32_t)e->n_ids);
		add_string(b, e->name);
		buf_add(b, e->ids, e->n_ids * sizeof *e->ids);
	}
}

static void add_command_line(struct buf *b, char *const *words)
{
	uint32_t n = 0;
	while (words[n])
		n++;
	add_u32(b, n);
	for (uint32_t i = 0; i < n; i++)
		add_string(b, words[i]);
}

static const unsigned features[] = {FEATURE_TRACING_DATA, FEATURE_HOSTNAME, FEATURE_OSRELEASE, FEATURE_VERSION,
                                    FEATURE_ARCH,         FEATURE_NRCPUS,   FEATURE_CMDLINE,   FEATURE_EVENT_DESC};
#define N_FEATURES (sizeof features / sizeof *features)

/* Recordings without tracepoints have no formats of them. */
static size_t first_feature(const struct counter_event *events, size_t n_events)
{
	return tracing_data_is_needed(events, n_events) ? 0 : 1;
}

static void add_feature(struct buf *b, unsigned feature, const struct records_facts *f)
{
	struct utsname name = {0};
	uname(&name);
	switch (feature) {
	case FEATURE_TRACING_DATA:
		tracing_data_add(b, f->events, f->n_events);
		break;
	case FEATURE_HOSTNAME:
		add_string(b, name.nodename);
		break;
	case FEATURE_OSRELEASE:
		add_string(b, name.release);
		break;
	case FEATURE_VERSION:
		add_string(b, "flametop " FLAMETOP_VERSION);
		break;
	case FEATURE_ARCH:
		add_string(b, name.machine);
		break;
	case FEATURE_NRCPUS:
		add_u32(b, (uint32_t)sysconf(_SC_NPROCESSORS_CONF));
		add_u32(b, (uint32_t)sysconf(_SC_NPROCESSORS_ONLN));
		break;
	case FEATURE_CMDLINE:
		add_command_line(b, f->command_line);
		break;
	default:
		add_events(b, f);
		break;
	}
}

/* The list of events may be larger than a record; records_begin_pipe() has said the names. */
void records_add_facts(struct buf *b, const struct records_facts *f)
{
	for (size_t i = 1; i < N_FEATURES; i++) {
		if (features[i] == FEATURE_EVENT_DESC || features[i] == FEATURE_CMDLINE)
			continue;
		size_t at = begin_record(b, RECORD_HEADER_FEATURE, 0);
		add_u64(b, features[i]);
		add_feature(b, features[i], f);
		buf_pad(b, '\0', (8 - (b->len - at) % 8) % 8);
		end_record(b, at);
	}
}

/* ---- pipe ---------------------------------------------------------------------------------------------------- */

static void add_name(struct buf *b, const struct counter_event *e)
{
	if (!e->n_ids)
		return;
	size_t at = begin_record(b, RECORD_EVENT_UPDATE, 0);
	add_u64(b, UPDATE_NAME);
	add_u64(b, e->ids[0]);
	add_text(b, e->name);
	end_record(b, at);
}

/* Of very many ids the first ones go in: one event needs none, and of several each keeps some. */
static void add_event(struct buf *b, const struct counter_event *e)
{
	size_t at = begin_record(b, RECORD_HEADER_ATTR, 0);
	add_attr(b, e);
	buf_add(b, e->ids, (e->n_ids < RECORDS_PIPE_IDS ? e->n_ids : RECORDS_PIPE_IDS) * sizeof *e->ids);
	end_record(b, at);
	add_name(b, e);
}

/* The formats are after a record with their size, which counts the padding. */
static void add_formats(struct buf *b, const struct counter_event *events, size_t n_events)
{
	struct buf formats;
	buf_init(&formats);
	tracing_data_add(&formats, events, n_events);
	buf_pad(&formats, '\0', (8 - formats.len % 8) % 8);
	size_t at = begin_record(b, RECORD_TRACING_DATA, 0);
	add_u32(b, (uint32_t)formats.len);
	end_record(b, at);
	buf_add(b, formats.data, formats.len);
	buf_deinit(&formats);
}

void records_begin_pipe(struct buf *b, const struct counter_event *events, size_t n_events)
{
	add_u64(b, MAGIC);
	add_u64(b, 16);
	for (size_t i = 0; i < n_events; i++)
		add_event(b, &events[i]);
	if (tracing_data_is_needed(events, n_events))
		add_formats(b, events, n_events);
}

/* ---- file ---------------------------------------------------------------------------------------------------- */

static void add_section(struct buf *b, uint64_t offset, uint64_t size)
{
	add_u64(b, offset);
	add_u64(b, size);
}

/* size: of the records; 0: still unknown, and there are no features. */
static void add_header(struct buf *b, const struct counter_event *events, size_t n_events, uint64_t size)
{
	uint64_t n_ids = 0, present = 0;
	for (size_t i = 0; i < n_events; i++)
		n_ids += events[i].n_ids;
	uint64_t at = HEADER_SIZE + n_ids * 8, entry = sizeof(struct abi_attr) + 16, end = at + n_events * entry;
	for (size_t i = first_feature(events, n_events); size && i < N_FEATURES; i++)
		present |= ABI_BIT(features[i]);
	add_u64(b, MAGIC);
	add_u64(b, HEADER_SIZE);
	add_u64(b, entry);
	add_section(b, at, n_events * entry);
	add_section(b, end, size);
	add_section(b, 0, 0);
	add_u64(b, present);
	buf_pad(b, '\0', 24);
}

void records_begin_file(struct buf *b, const struct counter_event *events, size_t n_events)
{
	uint64_t at = HEADER_SIZE;
	add_header(b, events, n_events, 0);
	for (size_t i = 0; i < n_events; i++)
		buf_add(b, events[i].ids, events[i].n_ids * 8);
	for (size_t i = 0; i < n_events; i++) {
		add_attr(b, &events[i]);
		add_section(b, at, events[i].n_ids * 8);
		at += events[i].n_ids * 8;
	}
}

void records_add_names(struct buf *b, const struct counter_event *events, size_t n_events)
{
	for (size_t i = 0; i < n_events; i++)
		add_name(b, &events[i]);
}

void records_end_file(struct buf *header, struct buf *end, uint64_t n, const struct records_facts *f)
{
	struct buf bytes;
	add_header(header, f->events, f->n_events, n);
	uint64_t data, at;
	memcpy(&data, header->data + RECORDS_PLACE_OF_SIZE - 8, sizeof data);
	size_t first = first_feature(f->events, f->n_events);
	at = data + n + (N_FEATURES - first) * 16;
	buf_init(&bytes);
	for (size_t i = first; i < N_FEATURES; i++) {
		size_t before = bytes.len;
		add_feature(&bytes, features[i], f);
		add_section(end, at + before, bytes.len - before);
	}
	buf_add(end, bytes.data ? bytes.data : "", bytes.len);
	buf_deinit(&bytes);
}
