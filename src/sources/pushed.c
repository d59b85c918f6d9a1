/*
 * pushed.c - a profile as stores of profiles take it.
 *
 * Stores order profiles by their type, NAME:TYPE:UNIT:PERIOD TYPE:PERIOD UNIT, and by time. What we export has a
 * type and its unit; the rest is added here. Time on the processor gets the type that it has everywhere,
 * process_cpu:cpu:nanoseconds:cpu:nanoseconds, whatever the event is called that measured it, so that it is found
 * next to what agents send.
 */
#include "sources/pushed.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/compress.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/regular.h"
#include "base/scratch.h"
#include "base/wire.h"
#include "sources/query.h"
#include "sources/talk.h"
#include "sources/url.h"

#define MOST_BYTES (UINT64_C(1) << 30)

/* Fields of a profile. */
enum { SAMPLE_TYPE = 1, STRING = 6, TIME = 9, DURATION, PERIOD_TYPE, PERIOD, DEFAULT_TYPE = 14 };

/* ---- bytes --------------------------------------------------------------------------------------------------- */

static bool unpack(int fd, struct buf *out, struct err *err)
{
	int again = dup(fd);
	if (again < 0 || lseek(again, 0, SEEK_SET) != 0)
		return fail_errno(err, "the profile cannot be read again");
	struct input *in = input_fd(again, "the profile", err);
	bool is_read = in && input_read_all(in, MOST_BYTES, out, err);
	input_close(in);
	return is_read;
}

static bool pack(const struct buf *in, struct buf *out, struct err *err)
{
	char path[32];
	int fd = scratch_open(err);
	if (fd < 0)
		return false;
	snprintf(path, sizeof path, "/dev/fd/%d", fd);
	struct output *to = output_open(path, err);
	struct compressor *c = to ? compressor_new(COMPRESSION_GZIP, to) : NULL;
	if (c) {
		compressor_write(c, in->data, in->len);
		compressor_finish(c);
	}
	bool is_good =
		to && output_commit(to, err) && lseek(fd, 0, SEEK_SET) == 0 && regular_read_all(fd, MOST_BYTES, out, err);
	close(fd);
	return is_good;
}

/* ---- the profile --------------------------------------------------------------------------------------------- */

struct strings {
	struct slice *v;
	size_t n, cap;
};

static struct slice string_of(const struct strings *s, uint64_t i)
{
	return i < s->n ? s->v[i] : (struct slice){"", 0};
}

/* Finds the strings, and the first type of values: v[1] is its name, v[2] its unit. */
static bool look_through(const struct buf *pprof, struct strings *s, uint64_t v[3])
{
	struct slice rest = {pprof->data ? pprof->data : "", pprof->len};
	struct field f;
	bool is_bad = false, has_type = false;
	while (take_field(&rest, &f, &is_bad)) {
		if (f.number == STRING && f.wire == BYTES)
			mem_push(s->v, s->n, s->cap, f.bytes);
		if (f.number == SAMPLE_TYPE && f.wire == BYTES && !has_type)
			has_type = read_numbers(f.bytes, v, 2);
	}
	return !is_bad && has_type;
}

static bool is_cpu_time(struct slice type, struct slice unit)
{
	return slice_is(unit, "nanoseconds") &&
	       (slice_is(type, "cpu") || slice_has(type, "cpu-clock") || slice_has(type, "task-clock"));
}

/* A name that labels can have as their value: "cache_misses". */
static char *plain_name(struct slice type)
{
	struct buf out;
	buf_init(&out);
	for (size_t i = 0; i < type.n; i++)
		buf_addc(&out, is_word_byte(type.s[i]) ? type.s[i] : '_');
	if (out.len == 0)
		buf_adds(&out, "samples");
	return buf_take(&out);
}

static void add_value_type(struct buf *out, unsigned field, const uint64_t v[3])
{
	struct buf type;
	buf_init(&type);
	wire_add_number(&type, 1, v[1]);
	wire_add_number(&type, 2, v[2]);
	wire_add_bytes(out, field, type.data ? type.data : "", type.len);
	buf_deinit(&type);
}

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Copies all fields but those that are added; the type's name becomes that of v[1]. */
static void rewrite(struct buf *out, const struct buf *pprof, const uint64_t v[3], const char *type_name,
                    uint64_t duration)
{
	struct slice rest = {pprof->data, pprof->len};
	uint64_t now = now_ns();
	struct field f;
	bool is_bad = false;
	for (const char *at = rest.s; take_field(&rest, &f, &is_bad); at = rest.s)
		if (f.number != SAMPLE_TYPE && (f.number < TIME || f.number > PERIOD) && f.number != DEFAULT_TYPE)
			buf_add(out, at, (size_t)(rest.s - at));
	if (type_name)
		wire_add_bytes(out, STRING, type_name, strlen(type_name));
	add_value_type(out, SAMPLE_TYPE, v);
	add_value_type(out, PERIOD_TYPE, v);
	wire_add_number(out, PERIOD, 1);
	wire_add_number(out, TIME, duration < now ? now - duration : now);
	wire_add_number(out, DURATION, duration);
}

/*
 * Appends the pprof, compressed by gzip, with what a store wants to know besides stacks: that it ends now, how long
 * it took, and a period. *name: what stores call such profiles, "process_cpu"; the caller frees it. false: err.
 */
static bool add_pprof(struct buf *out, const struct pushed *p, char **name, struct err *err)
{
	struct buf pprof, whole;
	struct strings s = {NULL};
	uint64_t v[3] = {0};
	buf_init(&pprof);
	buf_init(&whole);
	*name = NULL;
	bool is_good = unpack(p->fd, &pprof, err) &&
	               (look_through(&pprof, &s, v) || fail(err, "the profile has no type of values"));
	if (is_good) {
		struct slice type = string_of(&s, v[1]);
		bool is_cpu = is_cpu_time(type, string_of(&s, v[2]));
		*name = is_cpu ? mem_strdup("process_cpu") : plain_name(type);
		if (is_cpu)
			v[1] = s.n; /* the string that is added */
		rewrite(&whole, &pprof, v, is_cpu ? "cpu" : NULL, p->duration);
		is_good = pack(&whole, out, err);
	}
	free(s.v);
	buf_deinit(&pprof);
	buf_deinit(&whole);
	return is_good;
}

/* ---- labels -------------------------------------------------------------------------------------------------- */

static void add_label(struct push_labels *l, char *name, char *value)
{
	mem_push(l->v, l->n, l->cap, name);
	mem_push(l->v, l->n, l->cap, value);
}

/* Adds the parameters of the address; false: err. */
static bool add_parameters(struct push_labels *l, const struct url *u, struct err *err)
{
	const char *at = NULL, *name;
	size_t n;
	while ((name = url_next_name(u, &at, &n))) {
		char *copy = mem_strndup(name, n), *value = url_value(u, copy);
		if (!query_is_label(name, n) || strncmp(copy, "__", 2) == 0 || !value || !*value) {
			fail(err, "%s: '%s' is no label with a value", u->shown, copy);
			free(copy);
			free(value);
			return false;
		}
		add_label(l, copy, value);
	}
	return true;
}

static bool has_label(const struct push_labels *l, const char *name)
{
	for (size_t i = 0; i < l->n; i += 2)
		if (strcmp(l->v[i], name) == 0)
			return true;
	return false;
}

static void labels_end(struct push_labels *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i]);
	free(l->v);
	*l = (struct push_labels){NULL};
}

/*
 * Labels of the address. Without service_name it is that of the profile. false: err names a parameter that is none.
 */
static bool labels_read(struct push_labels *l, const struct url *u, const char *service, const char *name,
                        struct err *err)
{
	*l = (struct push_labels){NULL};
	if (!add_parameters(l, u, err)) {
		labels_end(l);
		return false;
	}
	if (!has_label(l, "service_name"))
		add_label(l, mem_strdup("service_name"), mem_strdup(service));
	add_label(l, mem_strdup("__name__"), mem_strdup(name));
	return true;
}

bool push_labels_check(const struct url *u, struct err *err)
{
	struct push_labels l;
	bool is_good = labels_read(&l, u, "", "", err);
	if (is_good)
		labels_end(&l);
	return is_good;
}

/* Appends {service_name="shop"}. */
static void add_selector(struct buf *out, const struct push_labels *l)
{
	struct buf text;
	buf_init(&text);
	buf_adds(&text, "{}");
	for (size_t i = 0; i < l->n; i += 2) {
		struct buf next;
		if (strncmp(l->v[i], "__", 2) == 0)
			continue;
		buf_init(&next);
		query_add_selector(&next, buf_str(&text), l->v[i], l->v[i + 1], strlen(l->v[i + 1]));
		buf_deinit(&text);
		text = next;
	}
	buf_add(out, text.data, text.len);
	buf_deinit(&text);
}

void push_labels_add_fields(struct buf *out, unsigned field, const struct push_labels *l)
{
	struct buf pair;
	buf_init(&pair);
	for (size_t i = 0; i < l->n; i += 2) {
		pair.len = 0;
		wire_add_bytes(&pair, 1, l->v[i], strlen(l->v[i]));
		wire_add_bytes(&pair, 2, l->v[i + 1], strlen(l->v[i + 1]));
		wire_add_bytes(out, field, pair.data, pair.len);
	}
	buf_deinit(&pair);
}

/* ---- sending ------------------------------------------------------------------------------------------------- */

bool pushed_send(const struct url *u, struct talk *t, const struct pushed *p,
                 void (*add)(struct buf *out, const struct push_labels *, const struct buf *pprof),
                 bool (*send)(const struct url *, struct talk *, const struct buf *message, struct err *err),
                 struct buf *said, struct err *err)
{
	struct buf pprof, message;
	struct push_labels l = {NULL};
	char *name;
	buf_init(&pprof);
	buf_init(&message);
	bool is_good = add_pprof(&pprof, p, &name, err) && labels_read(&l, u, p->service, name, err);
	if (is_good) {
		add(&message, &l, &pprof);
		is_good = send(u, t, &message, err);
	}
	if (is_good) {
		buf_adds(said, name);
		add_selector(said, &l);
	}
	free(name);
	labels_end(&l);
	buf_deinit(&pprof);
	buf_deinit(&message);
	return is_good;
}
