/*
 * items.c - writes and reads the items of recordings with stacks of languages.
 */
#include "languages/items.h"

#include <string.h>

#define LINE_MASK 0x7fffffffu

/* Bits of a stack's flags. */
#define FLAG_CUT 4u /* below it: enum language_lock */
#define FLAG_MOVED 8u
#define LACK_SHIFT 4
#define LOCK_MASK 3u
#define LACK_MASK 3u

static void add_u32(struct buf *b, uint32_t v)
{
	buf_add(b, &v, sizeof v);
}

static void pad(struct buf *b, size_t from)
{
	buf_pad(b, '\0', (4 - (b->len - from) % 4) % 4);
}

void item_add_function(struct buf *b, uint32_t number, uint32_t language, const struct language_function *f)
{
	size_t from = b->len, n_name = strlen(f->name), n_file = strlen(f->file);
	add_u32(b, ITEM_FUNCTION);
	add_u32(b, number);
	add_u32(b, language);
	add_u32(b, f->first_line);
	add_u32(b, (uint32_t)n_name);
	add_u32(b, (uint32_t)n_file);
	buf_add(b, f->name, n_name + 1);
	buf_add(b, f->file, n_file + 1);
	pad(b, from);
}

void item_add_stack(struct buf *b, const struct language_stack *s)
{
	add_u32(b, ITEM_STACK);
	add_u32(b, (uint32_t)s->lock | (s->is_cut ? FLAG_CUT : 0) | (s->has_moved ? FLAG_MOVED : 0));
	add_u32(b, s->interpreter);
	add_u32(b, s->n);
	for (uint32_t i = 0; i < s->n; i++) {
		add_u32(b, s->frames[i].function);
		add_u32(b, s->frames[i].line | (s->frames[i].is_entry ? ~LINE_MASK : 0));
	}
}

void item_add_lack(struct buf *b, enum item_lack lack)
{
	add_u32(b, ITEM_STACK);
	add_u32(b, (uint32_t)lack << LACK_SHIFT);
	add_u32(b, 0);
	add_u32(b, 0);
}

void item_add_how(struct buf *b, enum item_how how)
{
	add_u32(b, ITEM_HOW);
	add_u32(b, how);
}

static void add_text(struct buf *b, enum item_kind kind, const char *text)
{
	size_t from = b->len, n = strlen(text);
	add_u32(b, kind);
	add_u32(b, (uint32_t)n);
	buf_add(b, text, n + 1);
	pad(b, from);
}

void item_add_trouble(struct buf *b, const char *text)
{
	add_text(b, ITEM_TROUBLE, text);
}

void item_add_held(struct buf *b, pid_t pid, bool is_last)
{
	struct buf text;
	buf_init(&text);
	buf_addf(&text, "process %ld%s", (long)pid, is_last ? ", after which no process was read any more" : "");
	add_text(b, ITEM_HELD, buf_str(&text));
	buf_deinit(&text);
}

static uint32_t u32_at(const unsigned char *bytes, size_t i)
{
	uint32_t v;
	memcpy(&v, bytes + 4 * i, sizeof v);
	return v;
}

/* Is there a text of n bytes and a NUL at an offset? */
static bool has_text(const unsigned char *bytes, size_t size, size_t at, uint32_t n)
{
	return at < size && n < size - at && bytes[at + n] == '\0';
}

static bool parse_function(struct item *it, const unsigned char *bytes, size_t n)
{
	if (n < 24)
		return false;
	uint32_t n_name = u32_at(bytes, 4), n_file = u32_at(bytes, 5);
	size_t file = 24 + (size_t)n_name + 1;
	it->number = u32_at(bytes, 1);
	it->language = u32_at(bytes, 2);
	if (!has_text(bytes, n, 24, n_name) || !has_text(bytes, n, file, n_file))
		return false;
	it->function =
		(struct language_function){(const char *)bytes + 24, (const char *)bytes + file, u32_at(bytes, 3)};
	return true;
}

static bool parse_stack(struct item *it, const unsigned char *bytes, size_t n)
{
	if (n < 16)
		return false;
	uint32_t flags = u32_at(bytes, 1);
	it->lack = (enum item_lack)(flags >> LACK_SHIFT & LACK_MASK);
	it->lock = (enum language_lock)(flags & LOCK_MASK);
	it->is_cut = flags & FLAG_CUT;
	it->has_moved = flags & FLAG_MOVED;
	it->interpreter = u32_at(bytes, 2);
	it->n = u32_at(bytes, 3);
	it->frames = bytes + 16;
	return it->n <= (n - 16) / 8;
}

static bool parse_trouble(struct item *it, const unsigned char *bytes, size_t n)
{
	it->trouble = (const char *)bytes + 8;
	return n > 8 && has_text(bytes, n, 8, u32_at(bytes, 1));
}

bool item_parse(struct item *it, const unsigned char *bytes, size_t n)
{
	if (n < 8)
		return false;
	*it = (struct item){.kind = (enum item_kind)u32_at(bytes, 0)};
	switch (it->kind) {
	case ITEM_FUNCTION:
		return parse_function(it, bytes, n);
	case ITEM_STACK:
		return parse_stack(it, bytes, n);
	case ITEM_HOW:
		it->how = (enum item_how)u32_at(bytes, 1);
		return it->how <= HOW_RUNNING;
	case ITEM_TROUBLE:
	case ITEM_HELD:
		return parse_trouble(it, bytes, n);
	}
	return false;
}

bool item_is_function(const void *bytes, size_t n)
{
	return n >= sizeof(uint32_t) && u32_at(bytes, 0) == ITEM_FUNCTION;
}

struct language_frame item_frame(const struct item *it, uint32_t i)
{
	uint32_t line = u32_at(it->frames, 2 * (size_t)i + 1);
	return (struct language_frame){u32_at(it->frames, 2 * (size_t)i), line & LINE_MASK, line >> 31 != 0};
}
