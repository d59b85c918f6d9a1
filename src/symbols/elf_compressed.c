/*
 * elf_compressed.c - compressed sections of ELF files.
 *
 *	type      4 bytes: 1 is zlib, 2 is zstd; 4 unused bytes follow in 64-bit files
 *	size      a word: of what comes out
 *	align     a word
 *	stream
 *
 * Before that, sections had another name, and another header, in any file:
 *
 *	"ZLIB"    then the size, 8 bytes, the greatest first
 *	stream
 */
#include "symbols/elf_compressed.h"

#include <string.h>

#include "base/mem.h"

#define PIECE ((size_t)256 << 10)
#define TYPE_ZLIB 1u
#define OLD_MAGIC "ZLIB"
#define OLD_HEADER ((size_t)12)

bool elf_unpack(const struct codec *codec, const unsigned char *bytes, size_t n, size_t most, struct buf *out)
{
	size_t made;
	struct compressed in = {bytes, n, true};
	struct decompressor *d = decompressor_new(codec);
	enum decompress_status status = DECOMPRESS_MORE;
	while (status == DECOMPRESS_MORE && out->len <= most) {
		status = decompress(d, &in, buf_reserve(out, PIECE), PIECE, &made, NULL);
		out->len += made;
	}
	decompressor_free(d);
	return status == DECOMPRESS_END && out->len <= most;
}

/* Takes the bytes of a section as they are in the file. */
static bool unpack(const struct elf_file *elf, const unsigned char *bytes, size_t n, size_t most, struct buf *out)
{
	size_t header = 3 * elf_word_size(elf);
	if (!bytes || n < header)
		return false;
	const struct codec *codec =
		elf_u32(elf, bytes) == TYPE_ZLIB ? codec_zlib() : codec_by_magic(bytes + header, n - header, NULL);
	return codec && elf_unpack(codec, bytes + header, n - header, most, out);
}

/* The name does not tell: sections of ".zdebug_" that were left as they are begin with something else. */
static bool is_old(const unsigned char *bytes, size_t n)
{
	return bytes && n >= OLD_HEADER && memcmp(bytes, OLD_MAGIC, strlen(OLD_MAGIC)) == 0;
}

uint64_t elf_unpacked_size(const struct elf_file *elf, const unsigned char *bytes, bool is_marked, size_t n)
{
	uint64_t size = 0;
	if (is_marked)
		return n < 3 * elf_word_size(elf) ? 0 : elf->is_64 ? elf_u64(elf, bytes + 8) : elf_u32(elf, bytes + 4);
	if (!is_old(bytes, n))
		return n;
	for (size_t i = strlen(OLD_MAGIC); i < OLD_HEADER; i++)
		size = size << 8 | bytes[i];
	return size;
}

unsigned char *elf_unpack_bytes(const struct elf_file *elf, unsigned char *bytes, bool is_marked, size_t most,
                                size_t *n)
{
	struct buf out;
	if (!is_marked && !is_old(bytes, *n))
		return bytes;
	buf_init(&out);
	bool ok = is_marked ? unpack(elf, bytes, *n, most, &out)
	                    : elf_unpack(codec_zlib(), bytes + OLD_HEADER, *n - OLD_HEADER, most, &out);
	free(bytes);
	*n = ok ? out.len : 0;
	bytes = ok ? (unsigned char *)buf_take(&out) : NULL;
	buf_deinit(&out);
	return bytes;
}

unsigned char *elf_unpacked_bytes(const struct elf_file *elf, const struct elf_section *section, size_t most,
                                  size_t *n)
{
	*n = 0;
	if (!section)
		return NULL;
	struct elf_section packed = *section;
	packed.flags &= ~(uint64_t)ELF_SECTION_COMPRESSED;
	unsigned char *bytes = elf_section_bytes(elf, &packed, most, n);
	return elf_unpack_bytes(elf, bytes, section->flags & ELF_SECTION_COMPRESSED, most, n);
}
