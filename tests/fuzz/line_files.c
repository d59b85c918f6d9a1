/*
 * line_files.c - reads any bytes as line tables and their texts. Any answer is fine.
 *
 *	order    1 byte: odd is most significant byte first
 *	length   2 bytes: of the tables; the rest are the texts
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/md5.h"
#include "base/mem.h"
#include "symbols/line_files.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct line_section section(const uint8_t *data, size_t size)
{
	return (struct line_section){(unsigned char *)mem_strndup((const char *)data, size), size};
}

static void find(const struct line_files *f, const char *name)
{
	struct source_facts facts;
	uint8_t sum[MD5_BYTES];
	line_files_find(f, name, &facts);
	if (facts.text)
		md5(facts.text, facts.len, sum);
	if (facts.md5)
		memcpy(sum, facts.md5, sizeof sum);
	if (!facts.text && facts.len)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 3)
		return 0;
	size_t all = size - 3, n = (size_t)data[1] << 8 | data[2];
	n = n < all ? n : all;
	const struct line_sections sections = {.line = section(data + 3, n),
	                                       .line_str = section(data + 3 + n, all - n),
	                                       .str = section(data + 3 + n, all - n),
	                                       .is_big = data[0] & 1};
	struct line_files *f = line_files_read(&sections);
	find(f, "/d/a.c");
	find(f, "/home/me/hot.c");
	line_files_free(f);
	return 0;
}
