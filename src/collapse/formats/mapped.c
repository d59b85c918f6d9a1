/*
 * mapped.c - stacks of addresses, and the list of mapped files that names them.
 */
#include "collapse/formats/mapped.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "model/origin.h"

enum { TIMES, DEPTH, ADDRESSES }; /* words of a stack */

/* Begins a stack, in the place of one that is not kept or after all. */
static void begin_stack(struct mapped *m, size_t start)
{
	m->start = m->n_words = start;
	mem_push(m->words, m->n_words, m->cap_words, 1);
	mem_push(m->words, m->n_words, m->cap_words, 0);
}

void mapped_init(struct mapped *m, struct sink *sink)
{
	*m = (struct mapped){.sink = sink};
	begin_stack(m, 0);
}

void mapped_deinit(struct mapped *m)
{
	mapped_names_free(m->names);
	free(m->words);
	idmap_deinit(&m->frames);
	frames_deinit(&m->stack);
	buf_deinit(&m->text);
}

/* ---- stacks ---- */

void mapped_address(struct mapped *m, uint64_t address)
{
	mem_push(m->words, m->n_words, m->cap_words, address);
}

/* Is the stack that ends here the same as the one before, apart from its times? */
static bool equals_last(const struct mapped *m)
{
	size_t n = m->n_words - m->start - DEPTH;
	return m->start - m->last == n + DEPTH &&
	       memcmp(&m->words[m->last + DEPTH], &m->words[m->start + DEPTH], n * sizeof *m->words) == 0;
}

void mapped_stack(struct mapped *m, const uint64_t *values, size_t n)
{
	bool has_value = false;
	m->words[m->start + DEPTH] = m->n_words - m->start - ADDRESSES;
	for (size_t i = 0; i < n; i++) {
		mem_push(m->words, m->n_words, m->cap_words, values[i]);
		has_value |= values[i] > 0;
	}
	if (!has_value) {
		begin_stack(m, m->start);
	} else if (equals_last(m)) {
		m->words[m->last + TIMES]++;
		begin_stack(m, m->start);
	} else {
		m->last = m->start;
		begin_stack(m, m->n_words);
	}
}

/* ---- maps ---- */

static struct mapped_names *names_of(struct mapped *m)
{
	const struct collapse_options *o = m->sink->options;
	if (!m->names)
		m->names = mapped_names_new(&(struct mapped_source){.places = collapse_places(o),
		                                                    .uses_servers = o->debuginfod,
		                                                    .stop = m->sink->stop,
		                                                    .found = o->found},
		                            &m->sink->profile->report);
	return m->names;
}

/* Takes a hexadecimal number of at most 64 bits, and the byte after it. */
static bool take_hex(struct slice *line, uint64_t *v, char after)
{
	const char *p = line->s, *end = p + line->n;
	if (!hex_take(&p, end, v) || p == end || *p != after)
		return false;
	*line = slice_from(*line, (size_t)(p + 1 - line->s));
	return true;
}

bool mapped_line(struct mapped *m, struct slice line)
{
	struct mapping map;
	line = slice_ltrim(line);
	if (!take_hex(&line, &map.start, '-') || !take_hex(&line, &map.end, ' '))
		return false;
	struct slice rights = slice_take_word(&line);
	line = slice_ltrim(line);
	if (rights.n < 3 || !take_hex(&line, &map.offset, ' '))
		return false;
	slice_take_word(&line); /* device and inode */
	slice_take_word(&line);
	line = slice_trim(line);
	if (rights.s[2] != 'x')
		return true;
	m->text.len = 0;
	buf_add(&m->text, line.s, line.n);
	map.path = buf_str(&m->text);
	mapped_names_add(names_of(m), &map);
	return true;
}

/* ---- frames ---- */

/* "/usr/lib/libc.so.6" -> "[libc.so.6]"; "[vdso]" has brackets already */
static void add_module(struct buf *out, const char *module)
{
	size_t n;
	const char *base = origin_base(module, strlen(module), &n);
	bool is_bracketed = n && *base == '[';
	buf_adds(out, is_bracketed ? "" : "[");
	buf_add(out, base, n);
	buf_adds(out, is_bracketed ? "" : "]");
}

/* looked_up: the address, or of a caller the byte before. */
static uint32_t name_frame(struct mapped *m, uint64_t address, uint64_t looked_up)
{
	struct mapped_name found = {0};
	m->text.len = 0;
	if (m->names)
		found = mapped_names_at(m->names, looked_up);
	if (found.name && !sink_demangle(m->sink, found.name, &m->text))
		buf_adds(&m->text, found.name);
	else if (!found.name && found.module)
		add_module(&m->text, found.module);
	else if (!found.name)
		buf_addf(&m->text, "0x%jx", (uintmax_t)address);
	uint32_t sym = sink_frame(m->sink, m->text.data, m->text.len);
	return found.module ? sink_module(m->sink, sym, found.module, strlen(found.module)) : sym;
}

/* A return address may be after its function: its call is before it. */
static uint32_t frame_at(struct mapped *m, uint64_t address, bool is_caller)
{
	uint32_t sym;
	uint64_t looked_up = address - (is_caller && address);
	if (idmap_find(&m->frames, looked_up, &sym))
		return sym;
	sym = name_frame(m, address, looked_up);
	idmap_add(&m->frames, looked_up, sym);
	return sym;
}

static void push_addresses(struct mapped *m, const uint64_t *addresses, uint64_t n, enum mapped_leaf leaf)
{
	m->stack.n = 0;
	for (uint64_t i = 0; i < n; i++)
		frames_push(&m->stack, frame_at(m, addresses[i], i || leaf == LEAF_IS_CALLER));
	frames_finish(&m->stack, m->sink);
}

static void add_samples(struct mapped *m, uint32_t path, const uint64_t *values, const uint32_t *series, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct sample s = {.time = NO_TIME, .cpu = NO_CPU, .weight = values[i], .series = series[i]};
		if (s.weight)
			profile_add(m->sink->profile, m->sink->options->side, path, &s);
	}
}

void mapped_emit(struct mapped *m, const uint32_t *series, size_t n, enum mapped_leaf leaf)
{
	struct profile *p = m->sink->profile;
	for (size_t at = 0; at < m->start; at += ADDRESSES + m->words[at + DEPTH] + n) {
		uint64_t depth = m->words[at + DEPTH];
		push_addresses(m, m->words + at + ADDRESSES, depth, leaf);
		uint32_t path = profile_path(p, m->stack.syms, m->stack.n);
		for (uint64_t i = 0; i < m->words[at + TIMES]; i++)
			add_samples(m, path, m->words + at + ADDRESSES + depth, series, n);
	}
	if (m->start && m->names)
		report_add_state(&p->report, NOTE_INFO,
		                 "names come from the files on this machine, which may have changed since");
	m->last = 0;
	begin_stack(m, 0);
	idmap_deinit(&m->frames);
	if (m->names)
		mapped_names_forget(m->names);
}
