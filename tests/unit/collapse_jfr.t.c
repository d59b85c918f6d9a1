/*
 * Flight Recorder types: how many steps small metadata may ask for, and what is read of a value that is not whole.
 */
#include "tests/tap.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "collapse/formats/jfr_types.h"

static struct jfr_step step(enum jfr_step_kind kind, enum jfr_slot slot)
{
	return (struct jfr_step){.kind = kind, .slot = slot};
}

static void test_end(void)
{
	static const unsigned char text[] = {5, 1, 2, 9};
	struct jfr_step steps[] = {step(STEP_NUMBER, SLOT_START), step(STEP_LIST, SLOT_FRAMES),
	                           step(STEP_NUMBER, SLOT_NONE),  step(STEP_BYTE, SLOT_STATE),
	                           step(STEP_TEXT, SLOT_NAME),    step(STEP_NUMBER, SLOT_WEIGHT)};
	struct jfr_types types = {.steps = steps, .n_steps = 6};
	struct jfr_type type = {.n_steps = 6};
	uint64_t v[N_SLOTS];
	steps[1].n = 1;
	for (size_t n = 0; n <= sizeof text; n++) {
		struct jfr_bytes b = {text, text + n, false};
		for (size_t i = 0; i < N_SLOTS; i++)
			v[i] = 77;
		jfr_read(&types, &type, &b, text, v);
		ok(b.is_bad, "a value of at least five bytes that ends after %zu is not whole", n);
		is_int(v[SLOT_WEIGHT], 77, "and no field is looked for after its end");
	}
	is_int(v[SLOT_START], 5, "the number before the end is read");
	is_int(v[SLOT_STATE], 9, "and that after a list");
}

/* ---- many fields ---- */

enum { FIELD, CLASS, ID, NAME, LONG, N_NAMES, CLASSES_MOST = 200 };

static void add_number(struct buf *b, size_t n)
{
	for (; n >= 0x80; n >>= 7)
		buf_addc(b, (char)(n | 0x80));
	buf_addc(b, (char)n);
}

static void add_numbers(struct buf *b, const size_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_number(b, v[i]);
}

static void add_string(struct buf *b, const char *s)
{
	add_number(b, TEXT_UTF8);
	add_number(b, strlen(s));
	buf_adds(b, s);
}

/* The class of number i, with n fields of another one. */
static void add_class(struct buf *b, size_t i, size_t n, size_t type)
{
	size_t class[] = {CLASS, 2, ID, N_NAMES + i, NAME, i ? FIELD : LONG, n};
	size_t field[] = {FIELD, 1, CLASS, N_NAMES + type, 0};
	add_numbers(b, class, sizeof class / sizeof *class);
	while (n--)
		add_numbers(b, field, sizeof field / sizeof *field);
}

/* Class 3 has some 3,800 fields, with those of its fields; each of the next ones has one of class 3. */
static void make_metadata(struct buf *b)
{
	static const char *const names[] = {"field", "class", "id", "name", "long"};
	char number[8];
	add_numbers(b, (size_t[]){0, 0, 0, N_NAMES + CLASSES_MOST}, 4);
	for (size_t i = 0; i < N_NAMES; i++)
		add_string(b, names[i]);
	for (size_t i = 0; i < CLASSES_MOST; i++) {
		snprintf(number, sizeof number, "%zu", i);
		add_string(b, number);
	}
	add_numbers(b, (size_t[]){LONG, 0, CLASSES_MOST}, 3);
	add_class(b, 0, 0, 0);
	add_class(b, 1, 16, 0);
	add_class(b, 2, 16, 1);
	add_class(b, 3, 14, 2);
	for (size_t i = 4; i < CLASSES_MOST; i++)
		add_class(b, i, 1, 3);
}

static void test_many_fields(void)
{
	struct buf b = {0};
	struct jfr_types t = {0};
	make_metadata(&b);
	const unsigned char *text = (const unsigned char *)b.data;
	for (int i = 0; i < 2; i++) {
		ok(jfr_types_read(&t, (struct jfr_bytes){text, text + b.len, false}), "metadata with many fields are read");
		ok(jfr_type(&t, 4) != NULL, "a type of 3,800 fields is read");
		for (size_t k = 5; k < CLASSES_MOST; k++)
			jfr_type(&t, k);
		ok(t.n_steps <= b.len + 4096, "all types have at most a field for each byte (%zu), and those of one",
		   b.len);
		ok(!jfr_type(&t, CLASSES_MOST - 1), "those beyond that cannot be read");
	}
	jfr_types_deinit(&t);
	buf_deinit(&b);
}

int main(void)
{
	test_end();
	test_many_fields();
	return done_testing();
}
