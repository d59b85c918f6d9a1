/*
 * jfr_chunk.c - the tables of a Flight Recorder chunk.
 *
 * Checkpoints are events like others, and found by reading the chunk from front to back, so that a recording whose
 * header was never completed reads as well as any. A row that comes again replaces the first one. Values refer to
 * rows by number, also to those of later checkpoints; so rows are kept as places, and read when a sample asks.
 */
#include "collapse/formats/jfr_chunk.h"

#include <stdlib.h>

__extension__ typedef __int128 i128;

#define NS 1000000000              /* in a second */
#define LEAST_EVENT 2              /* bytes */
#define MOST_GROWTH 64             /* bytes of texts for each byte of the chunk */
#define ENOUGH (UINT64_C(1) << 20) /* for any chunk */
enum { EVENT_METADATA, EVENT_CHECKPOINT };

static uint64_t big_endian(const unsigned char *at, unsigned n)
{
	uint64_t v = 0;
	for (unsigned i = 0; i < n; i++)
		v = v << 8 | at[i];
	return v;
}

struct jfr_header jfr_header(const unsigned char header[JFR_HEADER])
{
	struct jfr_header h = {
		.major = (unsigned)big_endian(header + 4, 2),
		.size = big_endian(header + 8, 8),
		.start = (int64_t)big_endian(header + 32, 8),
		.start_ticks = (int64_t)big_endian(header + 48, 8),
		.frequency = big_endian(header + 56, 8),
		.is_compressed = header[67] & 1,
	};
	if (h.size < JFR_HEADER || h.size > INT64_MAX)
		h.size = 0;
	if (h.frequency == 0 || h.frequency > INT64_MAX)
		h.frequency = NS;
	return h;
}

void jfr_chunk_init(struct jfr_chunk *c)
{
	*c = (struct jfr_chunk){.text = NULL};
	buf_init(&c->scratch);
}

void jfr_chunk_deinit(struct jfr_chunk *c)
{
	jfr_types_deinit(&c->types);
	for (size_t i = 0; i < N_TABLES; i++) {
		idmap_deinit(&c->tables[i].ids);
		free(c->tables[i].v);
	}
	buf_deinit(&c->scratch);
}

bool jfr_next(struct jfr_chunk *c, size_t *place, struct jfr_event *e)
{
	struct jfr_bytes b = {c->text + *place, c->text + c->len, false};
	if (b.at == b.end)
		return false;
	uint64_t size = jfr_number(&b);
	if (b.is_bad || size < LEAST_EVENT || size > c->len - *place) {
		c->is_damaged = true;
		return false;
	}
	b.end = c->text + *place + size;
	b.at = b.at < b.end ? b.at : b.end;
	*place += size;
	e->type = jfr_number(&b);
	e->rest = b;
	if (b.is_bad)
		e->type = UINT64_MAX;
	return true;
}

/* --- rows --- */

static void add_row(struct jfr_rows *rows, uint64_t id, uint64_t at)
{
	uint32_t index;
	if (idmap_find(&rows->ids, id, &index)) {
		rows->v[index].at = at;
	} else if (rows->n < UINT32_MAX - 1) {
		idmap_add(&rows->ids, id, (uint32_t)rows->n);
		mem_push(rows->v, rows->n, rows->cap, ((struct jfr_row){.at = at}));
	}
}

/* Takes the rows of one table. */
static bool take_rows(struct jfr_chunk *c, struct jfr_bytes *b)
{
	uint64_t ignored[N_SLOTS];
	const struct jfr_type *type = jfr_type(&c->types, jfr_number(b));
	uint64_t n = jfr_number(b);
	if (!type)
		return false;
	struct jfr_rows *rows = &c->tables[type->table];
	rows->type = rows->type ? rows->type : type;
	bool is_kept = type->table && rows->type == type;
	while (n-- && !b->is_bad) {
		uint64_t id = jfr_number(b), at = (uint64_t)(b->at - c->text);
		jfr_read(&c->types, type, b, c->text, ignored);
		if (is_kept && !b->is_bad)
			add_row(rows, id, at);
	}
	return !b->is_bad;
}

static void take_checkpoint(struct jfr_chunk *c, struct jfr_bytes b)
{
	for (int i = 0; i < 3; i++) /* start, duration, distance to the checkpoint before */
		jfr_number(&b);
	jfr_byte(&b);
	for (uint64_t n = jfr_number(&b); n-- && !b.is_bad;) {
		if (!take_rows(c, &b)) {
			c->damaged_tables++;
			return;
		}
	}
}

/* Does a chunk begin here, rather than an event? */
static bool is_next_chunk(const struct jfr_chunk *c, size_t place)
{
	return c->len - place >= JFR_HEADER && !memcmp(c->text + place, "FLR\0\0\2", 6);
}

/* Finds the last metadata; a chunk that is not whole then ends after its last whole event. */
static bool find_metadata(struct jfr_chunk *c, bool is_whole, struct jfr_bytes *metadata)
{
	struct jfr_event e;
	size_t place = JFR_HEADER;
	bool is_there = false;
	while ((is_whole || !is_next_chunk(c, place)) && jfr_next(c, &place, &e)) {
		if (e.type == EVENT_METADATA) {
			*metadata = e.rest;
			is_there = true;
		}
	}
	if (!is_whole) {
		c->len = place;
		c->is_damaged = false;
	}
	return is_there;
}

/* The metadata whose place the header tells: after damage, they are not found otherwise. */
static bool take_metadata_place(struct jfr_chunk *c, struct jfr_bytes *metadata)
{
	struct jfr_event e;
	uint64_t at = big_endian(c->text + 24, 8);
	if (at < JFR_HEADER || at >= c->len)
		return false;
	size_t place = (size_t)at;
	if (!jfr_next(c, &place, &e) || e.type != EVENT_METADATA)
		return false;
	*metadata = e.rest;
	return true;
}

static void take_tables(struct jfr_chunk *c)
{
	struct jfr_event e;
	size_t place = JFR_HEADER;
	for (size_t i = 0; i < N_TABLES; i++) {
		idmap_deinit(&c->tables[i].ids);
		c->tables[i].n = 0;
		c->tables[i].type = NULL;
	}
	while (jfr_next(c, &place, &e))
		if (e.type == EVENT_CHECKPOINT)
			take_checkpoint(c, e.rest);
}

bool jfr_chunk_read(struct jfr_chunk *c, const unsigned char *text, size_t len, bool is_whole, size_t *end)
{
	struct jfr_header h = jfr_header(text);
	struct jfr_bytes metadata;
	c->text = text;
	c->len = len;
	c->start = h.start;
	c->start_ticks = h.start_ticks;
	c->frequency = h.frequency;
	c->is_damaged = false;
	c->damaged_tables = c->refused_texts = 0;
	c->credit = len * MOST_GROWTH + ENOUGH;
	bool is_there = find_metadata(c, is_whole, &metadata) || take_metadata_place(c, &metadata);
	*end = c->len;
	if (!is_there || !jfr_types_read(&c->types, metadata))
		return false;
	take_tables(c);
	return true;
}

struct jfr_row *jfr_find(const struct jfr_chunk *c, enum jfr_table table, uint64_t id)
{
	uint32_t index;
	return idmap_find(&c->tables[table].ids, id, &index) ? &c->tables[table].v[index] : NULL;
}

struct jfr_row *jfr_get(const struct jfr_chunk *c, enum jfr_table table, uint64_t id, uint64_t v[N_SLOTS],
                        size_t *size)
{
	struct jfr_row *row = jfr_find(c, table, id);
	memset(v, 0, N_SLOTS * sizeof *v);
	*size = 0;
	if (row) {
		struct jfr_bytes b = {c->text + row->at, c->text + c->len, false};
		jfr_read(&c->types, c->tables[table].type, &b, c->text, v);
		*size = (size_t)(b.at - c->text) - row->at;
	}
	return row;
}

/* --- values --- */

static struct jfr_text text_at(const struct jfr_chunk *c, uint64_t place)
{
	struct jfr_bytes b = {c->text + (place < c->len ? place : c->len), c->text + c->len, false};
	return jfr_text(&b);
}

static struct jfr_text text_of_row(const struct jfr_chunk *c, uint64_t id)
{
	const struct jfr_row *row = jfr_find(c, STRINGS, id);
	return row ? text_at(c, row->at) : (struct jfr_text){TEXT_NULL, 0, {"", 0}};
}

struct slice jfr_string(struct jfr_chunk *c, const struct jfr_type *type, enum jfr_slot slot,
                        const uint64_t v[N_SLOTS])
{
	c->refused_texts += !c->credit;
	if (!c->credit || !type || !((type->texts | type->pooled_texts) >> slot & 1))
		return (struct slice){"", 0};
	struct jfr_text text = type->pooled_texts >> slot & 1 ? text_of_row(c, v[slot]) : text_at(c, v[slot]);
	if (text.kind == TEXT_POOLED)
		text = text_of_row(c, text.id);
	if (text.bytes.n > c->credit) {
		c->credit = 0;
		c->refused_texts++;
		return (struct slice){"", 0};
	}
	c->credit -= text.bytes.n;
	return jfr_utf8(text, &c->scratch);
}

static uint64_t saturated(i128 v)
{
	return v < 0 ? 0 : v > INT64_MAX ? INT64_MAX : (uint64_t)v;
}

uint64_t jfr_nanoseconds(const struct jfr_chunk *c, uint64_t ticks)
{
	return saturated(c->frequency == NS ? (i128)ticks : (i128)ticks * NS / (i128)c->frequency);
}

uint64_t jfr_time(const struct jfr_chunk *c, uint64_t ticks)
{
	i128 since = (i128)(int64_t)ticks - c->start_ticks;
	return saturated(c->start + (c->frequency == NS ? since : since * NS / (i128)c->frequency));
}
