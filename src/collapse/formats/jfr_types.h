/*
 * jfr_types.h - the types of a Flight Recorder chunk, which its metadata describe, and how to read a value of one.
 *
 *	<class id="101" name="jdk.ExecutionSample">
 *	  <field name="startTime" class="4"/> <field name="stackTrace" class="36" constantPool="true"/> ...
 *
 * Numbers of types differ from chunk to chunk, and fields from version to version; only names can be relied on. A
 * type becomes a list of steps that read a value of it, with the fields of its fields in their places. Each step
 * takes at least one byte.
 */
#ifndef COLLAPSE_FORMATS_JFR_TYPES_H
#define COLLAPSE_FORMATS_JFR_TYPES_H

#include "base/idmap.h"
#include "collapse/formats/jfr_bytes.h"

/* Fields of interest. Those of one name mean the same in all types. */
enum jfr_slot {
	SLOT_NONE,
	SLOT_START,
	SLOT_DURATION,
	SLOT_THREAD,
	SLOT_STACK,
	SLOT_STATE,
	SLOT_OBJECT,
	SLOT_ADDRESS,
	SLOT_WEIGHT,
	SLOT_SIZE,
	SLOT_ALLOCATION,
	SLOT_TLAB,
	SLOT_SAMPLES,
	SLOT_PERIOD,
	SLOT_LOST,
	SLOT_NAME,
	SLOT_TYPE,
	SLOT_METHOD,
	SLOT_LINE,
	SLOT_STRING,
	SLOT_DESCRIPTION,
	SLOT_TRUNCATED,
	SLOT_FRAMES,
	SLOT_OS_NAME,
	SLOT_OS_ID,
	SLOT_JAVA_NAME,
	SLOT_VIRTUAL,
	SLOT_OLD_OBJECT,
	N_SLOTS
};

/* Tables of interest, by the type of their values. */
enum jfr_table {
	TABLE_NONE,
	STRINGS,
	SYMBOLS,
	CLASSES,
	METHODS,
	THREADS,
	STACKS,
	FRAME_TYPES,
	STATES,
	OLD_OBJECTS,
	N_TABLES
};

enum jfr_span { SPAN_TICKS, SPAN_NS, SPAN_US, SPAN_MS, SPAN_S };

struct jfr_field {
	struct slice name;
	uint64_t type;
	bool is_pooled; /* a number of a table stands for the value */
	bool is_list;
	enum jfr_span span;
};

enum jfr_step_kind { STEP_NUMBER, STEP_BYTE, STEP_FIXED4, STEP_FIXED8, STEP_TEXT, STEP_LIST };

struct jfr_step {
	enum jfr_step_kind kind;
	enum jfr_slot slot;
	uint32_t n;    /* of a list: the next n steps read an item */
	bool is_plain; /* of a list: they are all numbers */
};

struct jfr_type {
	struct slice name;
	size_t first, n; /* of the fields */
	enum { STEPS_UNKNOWN, STEPS_KNOWN, STEPS_NEVER } state;
	size_t step, n_steps;
	uint32_t has;          /* one bit for each slot */
	uint32_t texts;        /* of these, texts */
	uint32_t pooled_texts; /* of these, numbers of the table of strings */
	enum jfr_span period;  /* unit of SLOT_DURATION or SLOT_PERIOD */
	uint64_t items;        /* number of the type of what SLOT_FRAMES lists, if has_items */
	bool has_items;
	enum jfr_table table;
	unsigned event; /* the caller's number of an event of interest; 0: none */
};

struct jfr_types {
	struct jfr_type *v;
	size_t n, cap;
	struct idmap ids;
	struct jfr_field *fields;
	size_t n_fields, cap_fields;
	struct jfr_step *steps;
	size_t n_steps, cap_steps;
	/* private */
	struct slice *strings; /* of the metadata */
	size_t n_strings, cap_strings;
	struct jfr_element *open;
	size_t n_open, cap_open;
	size_t credit, credit_left; /* fields that may still be looked at, of the type and of all */
};

void jfr_types_deinit(struct jfr_types *);

/* Takes the metadata, from after their number of type on; forgets those before. false: they are damaged. */
bool jfr_types_read(struct jfr_types *, struct jfr_bytes metadata);
/* The type of this number, with its steps; NULL: there is none, or its values cannot be read. */
struct jfr_type *jfr_type(struct jfr_types *, uint64_t id);

/*
 * Reads a value. v[slot] gets a number, or the place of a text or a list, counted from `base`; others stay as they
 * are. `b` goes bad where the value is not whole.
 */
void jfr_read(const struct jfr_types *, const struct jfr_type *, struct jfr_bytes *b, const unsigned char *base,
              uint64_t v[N_SLOTS]);

static inline bool jfr_has(const struct jfr_type *type, enum jfr_slot slot)
{
	return type->has >> slot & 1;
}

#endif
