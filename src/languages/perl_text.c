/*
 * perl_text.c - reads the texts of Perl.
 *
 *	HEK  u32 hash, s32 length, text, NUL, u8 flags: 1 it is UTF-8, else Latin-1
 *	HV   -> body, and its name: a HEK, or a list of them of which the first counts
 *	GV   -> body: name (HEK), package (HV); the symbol itself -> what it holds, and its effective symbol
 */
#include "languages/perl_text.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "languages/language.h"

#define KEY_MOST 4000 /* bytes: longer names are damaged ones, or hostile */
#define KEY_IS_UTF8 1u
#define BUCKETS_MOST UINT64_C(0x1000000)
#define CHARACTER_MOST 4u
#define TYPE_MASK 0xffu
#define TYPE_SYMBOL 9u
#define TYPE_HASH 12u
#define FLAG_GLOB 0x8000u   /* a symbol that holds something */
#define FLAG_AUX 0x2000000u /* a hash with more than buckets: such as a name */

static void from_latin1(const unsigned char *bytes, size_t n, char *text, size_t size)
{
	size_t at = 0;
	for (size_t i = 0; i < n && at + CHARACTER_MOST < size; i++)
		at += utf8_encode(text + at, bytes[i]);
	text[at] = '\0';
}

bool perl_text_key(struct memory *m, uint64_t key, char *text, size_t size)
{
	unsigned char bytes[KEY_MOST + 2]; /* after the text a NUL and the flags */
	int32_t length;
	if (!key || !memory_read(m, key + PERL_KEY_LENGTH, &length, sizeof length) || length < 0 || length > KEY_MOST)
		return false;
	size_t n = (size_t)length;
	if (!memory_read(m, key + PERL_KEY_TEXT, bytes, n + 2) || bytes[n])
		return false;
	memory_keep_whole((char *)bytes, n);
	if (bytes[n + 1] & KEY_IS_UTF8)
		snprintf(text, size, "%s", (const char *)bytes);
	else
		from_latin1(bytes, n, text, size);
	return true;
}

/* "(eval 12)" and "(re_eval 3)": the number is new each time, but the code may be the same. */
void perl_text_merge_evals(char *file)
{
	char *number = strncmp(file, "(eval ", 6) == 0      ? file + 5
	               : strncmp(file, "(re_eval ", 9) == 0 ? file + 8
	                                                    : NULL;
	if (number)
		memmove(number, number + 1 + strspn(number + 1, "0123456789"),
		        strlen(number + 1 + strspn(number + 1, "0123456789")) + 1);
}

/* ---- packages ------------------------------------------------------------------------------------------------ */

/* Where the body of a hash has its name. 0: it has none. */
static uint64_t aux_of(const struct perl_layout *l, struct memory *m, uint64_t package)
{
	unsigned char head[PERL_SV_SIZE];
	uint64_t last;
	if (!package || !memory_read(m, package, head, sizeof head))
		return 0;
	uint32_t flags = memory_u32(head, PERL_SV_FLAGS);
	uint64_t body = memory_u64(head, PERL_SV_BODY);
	if ((flags & TYPE_MASK) != TYPE_HASH || !(flags & FLAG_AUX))
		return 0;
	if (!l->has_aux_behind_array)
		return body + PERL_HASH_AUX;
	if (!memory_pointer(m, body + PERL_HASH_MOST, &last) || last > BUCKETS_MOST)
		return 0;
	return memory_u64(head, PERL_SV_VALUE) + 8 * (last + 1);
}

bool perl_text_package(const struct perl_layout *l, struct memory *m, uint64_t package, char *text, size_t size)
{
	uint64_t aux = aux_of(l, m, package), name;
	int32_t names;
	snprintf(text, size, "__ANON__");
	if (!aux)
		return true;
	if (!memory_pointer(m, aux + PERL_AUX_NAME, &name) ||
	    !memory_read(m, aux + PERL_AUX_NAMES, &names, sizeof names))
		return false;
	if (names && name && !memory_pointer(m, name, &name))
		return false;
	return !name || perl_text_key(m, name, text, size);
}

/* ---- symbols ------------------------------------------------------------------------------------------------- */

/* Reads what a symbol points to: its body, and what it holds. */
static bool read_symbol(struct memory *m, uint64_t symbol, uint64_t *body, uint64_t *glob)
{
	unsigned char head[PERL_SV_SIZE];
	if (!symbol || !memory_read(m, symbol, head, sizeof head))
		return false;
	uint32_t flags = memory_u32(head, PERL_SV_FLAGS);
	*body = memory_u64(head, PERL_SV_BODY);
	*glob = memory_u64(head, PERL_SV_VALUE);
	return (flags & TYPE_MASK) == TYPE_SYMBOL && flags & FLAG_GLOB;
}

bool perl_text_symbol(const struct perl_layout *l, struct memory *m, uint64_t symbol, char *text, size_t size)
{
	uint64_t body, glob, effective, name, package;
	if (!read_symbol(m, symbol, &body, &glob) || !memory_pointer(m, glob + PERL_GLOB_EFFECTIVE, &effective))
		return false;
	if (effective && effective != symbol && !read_symbol(m, effective, &body, &glob))
		return false;
	if (!memory_pointer(m, body + PERL_SYMBOL_NAME, &name) ||
	    !memory_pointer(m, body + PERL_SYMBOL_PACKAGE, &package) || !perl_text_package(l, m, package, text, size))
		return false;
	size_t n = strlen(text);
	snprintf(text + n, size - n, "::");
	n = strlen(text);
	return perl_text_key(m, name, text + n, size - n);
}

bool perl_text_file(struct memory *m, uint64_t symbol, char *text, size_t size)
{
	static const char mark[] = "_<";
	uint64_t body, glob, name;
	if (!read_symbol(m, symbol, &body, &glob) || !memory_pointer(m, body + PERL_SYMBOL_NAME, &name) ||
	    !perl_text_key(m, name, text, size))
		return false;
	if (strncmp(text, mark, sizeof mark - 1) == 0)
		memmove(text, text + sizeof mark - 1, strlen(text) - (sizeof mark - 1) + 1);
	return true;
}
