/*
 * jfr_chunk.h - a chunk of a Flight Recorder recording: its events, and the tables that they refer to.
 *
 *	header     68 bytes, big-endian: size, place of the metadata, clock
 *	event*     size  type  fields...
 *	           type 0: metadata   the types (jfr_types.h)
 *	           type 1: checkpoint rows of tables: threads, classes, methods, stacks
 *
 * A chunk is written from front to back: its metadata are near its end, and rows come after the events that need
 * them. So it is read once for its tables, and once for its events.
 */
#ifndef COLLAPSE_FORMATS_JFR_CHUNK_H
#define COLLAPSE_FORMATS_JFR_CHUNK_H

#include "collapse/formats/jfr_types.h"

#define JFR_HEADER 68 /* bytes */

/* A row of a table. */
struct jfr_row {
	uint64_t at;      /* place of its value in the chunk */
	uint32_t made[4]; /* what the reader of samples made of it, 0: nothing yet */
};

struct jfr_rows {
	struct idmap ids;
	struct jfr_row *v;
	size_t n, cap;
	const struct jfr_type *type;
};

struct jfr_chunk {
	const unsigned char *text;
	size_t len;
	int64_t start, start_ticks; /* ns since 1970, and the same moment in ticks */
	uint64_t frequency;         /* ticks a second */
	struct jfr_types types;
	struct jfr_rows tables[N_TABLES];
	bool is_damaged; /* events after the damage are lost */
	uint64_t damaged_tables;
	uint64_t credit;        /* bytes of texts that may still be asked for */
	uint64_t refused_texts; /* those beyond that */
	struct buf scratch;     /* of jfr_string() */
};

/* What a header says. */
struct jfr_header {
	unsigned major;
	uint64_t size; /* of the chunk; 0: not known, it was not finished */
	int64_t start, start_ticks;
	uint64_t frequency;
	bool is_compressed; /* numbers have as many bytes as they need */
};
struct jfr_header jfr_header(const unsigned char header[JFR_HEADER]);

void jfr_chunk_init(struct jfr_chunk *);
void jfr_chunk_deinit(struct jfr_chunk *);
/*
 * Reads the tables of a chunk, which must last as long as it is used; forgets the chunk before. false: without
 * metadata, nothing in it can be understood. One that is not whole ends before half an event, or before the next
 * chunk, if its size is unknown. *end becomes where it ends.
 */
bool jfr_chunk_read(struct jfr_chunk *, const unsigned char *text, size_t len, bool is_whole, size_t *end);

struct jfr_event {
	uint64_t type;
	struct jfr_bytes rest; /* after the type */
};
/* The event at *place, which moves on; false: there is none, or the rest is damaged. */
bool jfr_next(struct jfr_chunk *, size_t *place, struct jfr_event *);

/* The row of this number; NULL: none. */
struct jfr_row *jfr_find(const struct jfr_chunk *, enum jfr_table, uint64_t id);
/* The same with its value: v[] is 0 where it has no field. *size: bytes that were read for that. */
struct jfr_row *jfr_get(const struct jfr_chunk *, enum jfr_table, uint64_t id, uint64_t v[N_SLOTS], size_t *size);
/*
 * A text of a row or an event of this type; good until the next call. Any number of rows can share a long text, so
 * that what a chunk may ask for is limited, to many times its size; texts beyond that are empty.
 */
struct slice jfr_string(struct jfr_chunk *, const struct jfr_type *, enum jfr_slot, const uint64_t v[N_SLOTS]);
/* A number of ticks, or a time in ticks, in nanoseconds; saturates. */
uint64_t jfr_nanoseconds(const struct jfr_chunk *, uint64_t ticks);
uint64_t jfr_time(const struct jfr_chunk *, uint64_t ticks);

#endif
