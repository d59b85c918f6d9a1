/*
 * features.c - reads the facts that a recording holds about itself.
 *
 * A text is a length of four bytes, which may count padding, and that many bytes, among them a NUL. The list of
 * events has an attribute for each, in the header's format, with a name and ids:
 *
 *	u32 n, u32 size of an attribute, n times { attribute, u32 number of ids, text, ids }
 *
 * Some versions of perf omit the ids there if the recording has one event. Then the place, or type and config,
 * identify the event.
 */
#include "perfdata/features.h"

#include "base/buf.h"
#include "perfdata/records.h"
#include "perfdata/tracing.h"

#define MISC_BUILD_ID_SIZE (1u << 15)
#define MOST_COMPARED 1024u /* events */

static const char *take_text(struct perfdata_bytes *b, size_t *len)
{
	uint32_t size = bytes_u32(b);
	struct perfdata_bytes text = {bytes_take(b, size), size, false, false};
	if (b->is_bad)
		text = (struct perfdata_bytes){(const unsigned char *)"", 0, false, false};
	return bytes_text(&text, len);
}

static bool parse_text(struct perfdata_features *f, const char **into, struct perfdata_bytes b)
{
	size_t len;
	const char *text = take_text(&b, &len);
	if (!b.is_bad)
		*into = arena_bytes(f->texts, text, len);
	return !b.is_bad;
}

static bool parse_cmdline(struct perfdata_features *f, struct perfdata_bytes b)
{
	struct buf line;
	size_t len;
	buf_init(&line);
	for (uint32_t n = bytes_u32(&b); n && !b.is_bad; n--) {
		const char *word = take_text(&b, &len);
		buf_adds(&line, line.len ? " " : "");
		buf_add(&line, word, len);
	}
	f->facts.cmdline = arena_bytes(f->texts, line.data ? line.data : "", line.len);
	buf_deinit(&line);
	return !b.is_bad;
}

static bool is_same(const struct perfdata_event *a, const struct perfdata_event *b)
{
	return a->type == b->type && a->config == b->config;
}

/* Finds the event that the described one at this place is; UINT32_MAX: none. */
static uint32_t event_of(const struct perfdata_events *e, const struct perfdata_event *described, uint32_t place,
                         struct perfdata_bytes ids)
{
	while (ids.n >= 8) {
		const struct perfdata_counter *counter = perfdata_events_counter(e, bytes_u64(&ids));
		if (counter)
			return counter->event;
	}
	if (place < e->n && is_same(&e->all[place], described))
		return place;
	for (uint32_t i = 0; i < e->n && e->n <= MOST_COMPARED; i++) {
		if (is_same(&e->all[i], described))
			return i;
	}
	return UINT32_MAX;
}

static bool parse_events(struct perfdata_features *f, struct perfdata_bytes b)
{
	uint32_t n = bytes_u32(&b), size = bytes_u32(&b);
	for (uint32_t i = 0; i < n && !b.is_bad; i++) {
		struct perfdata_event described = perfdata_event_parse(&b, size);
		uint64_t n_ids = bytes_u32(&b);
		size_t len;
		const char *name = take_text(&b, &len);
		struct perfdata_bytes ids = {.is_swapped = b.is_swapped};
		ids.at = bytes_take(&b, n_ids * 8);
		ids.n = ids.at ? (size_t)n_ids * 8 : 0;
		if (!b.is_bad)
			perfdata_events_name(f->events, event_of(f->events, &described, i, ids), name, len);
	}
	return !b.is_bad;
}

/* Before recordings gave its size, an id had 20 bytes, padded with zeros. */
static uint8_t length_of_id(const struct perfdata_build_id *id, uint16_t misc, uint8_t size)
{
	static const uint8_t zeros[4];
	if (misc & MISC_BUILD_ID_SIZE)
		return size < BUILD_ID_MAX ? size : BUILD_ID_MAX;
	for (size = BUILD_ID_MAX; size && memcmp(id->bytes + size - 4, zeros, 4) == 0;)
		size = (uint8_t)(size - 4);
	return size;
}

bool perfdata_build_id_parse(struct perfdata_features *f, uint16_t misc, struct perfdata_bytes body)
{
	struct perfdata_build_id id = {.n = 0};
	bytes_skip(&body, 4); /* the machine's pid: guests have one */
	const unsigned char *bytes = bytes_take(&body, 24);
	size_t len;
	const char *name = bytes_text(&body, &len);
	if (!bytes)
		return false;
	memcpy(id.bytes, bytes, sizeof id.bytes);
	id.n = length_of_id(&id, misc, bytes[BUILD_ID_MAX]);
	if (len && id.n)
		perfdata_files_learn(f->files, name, len, &id);
	return true;
}

static bool parse_build_ids(struct perfdata_features *f, struct perfdata_bytes b)
{
	while (b.n && !b.is_bad) {
		bytes_skip(&b, 4);
		uint16_t misc = bytes_u16(&b), size = bytes_u16(&b);
		struct perfdata_bytes body = {.is_swapped = b.is_swapped};
		if (size < RECORD_HEADER)
			return false;
		body.n = size - RECORD_HEADER;
		body.at = bytes_take(&b, body.n);
		if (body.at && !perfdata_build_id_parse(f, misc, body))
			return false;
	}
	return !b.is_bad;
}

bool perfdata_feature_is_known(unsigned feature)
{
	return feature == FEATURE_CMDLINE || feature == FEATURE_EVENT_DESC ||
	       (feature >= FEATURE_TRACING_DATA && feature <= FEATURE_ARCH);
}

bool perfdata_feature_parse(struct perfdata_features *f, unsigned feature, struct perfdata_bytes b)
{
	switch (feature) {
	case FEATURE_TRACING_DATA:
		return tracing_parse(f->events, f->texts, b);
	case FEATURE_BUILD_ID:
		return parse_build_ids(f, b);
	case FEATURE_HOSTNAME:
		return parse_text(f, &f->facts.hostname, b);
	case FEATURE_OSRELEASE:
		return parse_text(f, &f->facts.osrelease, b);
	case FEATURE_VERSION:
		return parse_text(f, &f->facts.version, b);
	case FEATURE_ARCH:
		return parse_text(f, &f->facts.arch, b);
	case FEATURE_CMDLINE:
		return parse_cmdline(f, b);
	case FEATURE_EVENT_DESC:
		return parse_events(f, b);
	default:
		return true;
	}
}
