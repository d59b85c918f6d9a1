/*
 * elf_compressed.c - compressed sections of ELF files.
 *
 *	type      4 bytes: 1 is zlib, 2 is zstd; 4 unused bytes follow in 64-bit files
 *	size      a word: of what comes out
 *	align     a word
 *	stream
 */
#include "symbols/elf_compressed.h"

#include "base/mem.h"

#define PIECE ((size_t)256 << 10)
#define TYPE_ZLIB 1u

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

unsigned char *elf_unpacked_bytes(const struct elf_file *elf, const struct elf_section *section, size_t most,
                                  size_t *n)
{
	if (!section || !(section->flags & ELF_SECTION_COMPRESSED))
		return elf_section_bytes(elf, section, most, n);
	struct elf_section packed = *section;
	struct buf out;
	packed.flags &= ~(uint64_t)ELF_SECTION_COMPRESSED;
	unsigned char *bytes = elf_section_bytes(elf, &packed, most, n);
	buf_init(&out);
	bool ok = unpack(elf, bytes, *n, most, &out);
	free(bytes);
	*n = ok ? out.len : 0;
	bytes = ok ? (unsigned char *)buf_take(&out) : NULL;
	buf_deinit(&out);
	return bytes;
}
