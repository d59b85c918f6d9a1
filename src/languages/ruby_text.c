/*
 * ruby_text.c - reads strings, arrays, names and classes of CRuby.
 *
 *	string  u64 flags, u64 class, u64 length, then the bytes or a pointer to them
 *	        up to 3.1 a short one has its length in the flags, and its bytes in place of the length
 *	array   u64 flags, u64 class, then the values, with their number in the flags; or length, capacity, pointer
 *	names   array of arrays: each has 512 times {string, symbol}, by number
 *
 * The number of a name is that of a token of the parser for an operator; for others it is above the lowest four
 * bits of the ID, which tell its kind.
 */
#include "languages/ruby_text.h"

#define HEAD_SIZE 40u
#define FLAG_1 0x2000u /* string: elsewhere; array: not elsewhere; class: a singleton one */
#define STRING_SHIFT 14
#define STRING_MASK 31u
#define ARRAY_SHIFT 15
#define NAMES_EACH 512u
#define ID_SHIFT 4

/* Of a class of 3.4, with what lies after it. */
#define CLASS_SIZE 160u
#define CLASS_ATTACHED 128u /* the object of a singleton class */
#define CLASS_LASTS 149u
#define CLASS_PATH 152u

bool ruby_is_internal(uint64_t flags, unsigned kind)
{
	return (flags & RUBY_TYPE_MASK) == RUBY_INTERNAL && (flags >> 12 & 15) == kind;
}

/* Reads the head of an object of this type. */
static bool read_head(struct memory *m, uint64_t object, unsigned type, unsigned char *head)
{
	return memory_is_place(object) && memory_read(m, object, head, HEAD_SIZE) &&
	       (memory_u64(head, 0) & RUBY_TYPE_MASK) == type;
}

bool ruby_text_string(const struct ruby_layout *l, struct memory *m, uint64_t string, char *text, size_t size)
{
	unsigned char head[HEAD_SIZE];
	if (!read_head(m, string, RUBY_STRING, head))
		return false;
	bool is_elsewhere = memory_u64(head, 0) & FLAG_1, is_old = l->version < 302;
	uint64_t n = memory_u64(head, 16), at = memory_u64(head, 24);
	if (!is_elsewhere) {
		n = is_old ? memory_u64(head, 0) >> STRING_SHIFT & STRING_MASK : n;
		at = string + (is_old ? 16 : 24);
	}
	bool is_cut = n >= size;
	n = is_cut ? size - sizeof MEMORY_CUT_MARK : n;
	if (n && !memory_read(m, at, text, n))
		return false;
	memory_keep_whole(text, n);
	memory_end_text(text + n, is_cut);
	return true;
}

bool ruby_text_element(const struct ruby_layout *l, struct memory *m, uint64_t array, uint64_t i, uint64_t *value)
{
	unsigned char head[HEAD_SIZE];
	if (!read_head(m, array, RUBY_ARRAY, head))
		return false;
	uint64_t flags = memory_u64(head, 0), n = memory_u64(head, 16), at = memory_u64(head, 32);
	if (flags & FLAG_1) {
		n = flags >> ARRAY_SHIFT & (l->version < 302 ? 3 : 127);
		at = array + 16;
	}
	return i < n && memory_pointer(m, at + 8 * i, value);
}

bool ruby_text_name(const struct ruby_layout *l, struct memory *m, uint64_t names, uint64_t id, char *text,
                    size_t size)
{
	uint64_t number = id >= l->first_name ? id >> ID_SHIFT : id, some, string;
	return ruby_text_element(l, m, names, number / NAMES_EACH, &some) &&
	       ruby_text_element(l, m, some, number % NAMES_EACH * 2, &string) &&
	       ruby_text_string(l, m, string, text, size);
}

/* Reads a class or module. *is_singleton: it has the methods of one object. */
static bool read_class(struct memory *m, uint64_t class, unsigned char *bytes, bool *is_singleton)
{
	if (!memory_is_place(class) || !memory_read(m, class, bytes, CLASS_SIZE))
		return false;
	uint64_t flags = memory_u64(bytes, 0), type = flags & RUBY_TYPE_MASK;
	*is_singleton = type == RUBY_CLASS && flags & FLAG_1;
	return type == RUBY_CLASS || type == RUBY_MODULE;
}

uint64_t ruby_text_class(struct memory *m, uint64_t owner, char *mark)
{
	unsigned char bytes[CLASS_SIZE];
	bool is_singleton, ignored;
	*mark = '#';
	if (!read_class(m, owner, bytes, &is_singleton))
		return 0;
	if (is_singleton) {
		*mark = '.';
		if (!read_class(m, memory_u64(bytes, CLASS_ATTACHED), bytes, &ignored))
			return 0;
	}
	return bytes[CLASS_LASTS] & 1 ? memory_u64(bytes, CLASS_PATH) : 0;
}
