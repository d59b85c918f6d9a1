/*
 * elf_debugdata.c - the symbol table that Fedora keeps in its stripped files, as an ELF file compressed by xz.
 *
 * It has the functions that are not in .dynsym, and takes a few percent of the file. If the data are damaged or too
 * large, only the functions in .dynsym remain.
 */
#include "symbols/elf_debugdata.h"

#include "base/buf.h"
#include "base/decompress.h"
#include "base/mem.h"

#define PACKED_MAX ((size_t)64 << 20)
#define UNPACKED_MAX ((size_t)256 << 20)
#define PIECE ((size_t)256 << 10)

static bool unpack(struct decompressor *d, struct compressed *in, struct buf *out)
{
	for (;;) {
		size_t made = 0;
		enum decompress_status status = decompress(d, in, buf_reserve(out, PIECE), PIECE, &made, NULL);
		out->len += made;
		if (status != DECOMPRESS_MORE)
			return status == DECOMPRESS_END;
		if (out->len > UNPACKED_MAX || (made == 0 && in->n == 0))
			return false;
	}
}

bool elf_debugdata_open(const struct elf_file *elf, struct elf_file *inner)
{
	size_t n;
	unsigned char *bytes = elf_section_bytes(elf, elf_section_named(elf, ".gnu_debugdata"), PACKED_MAX, &n);
	const struct codec *codec = bytes ? codec_by_magic(bytes, n, NULL) : NULL;
	struct buf out;
	buf_init(&out);
	if (codec) {
		struct decompressor *d = decompressor_new(codec);
		if (!unpack(d, &(struct compressed){bytes, n, true}, &out))
			buf_deinit(&out);
		decompressor_free(d);
	}
	free(bytes);
	n = out.len;
	return elf_file_open_bytes(inner, (unsigned char *)out.data, n, NULL);
}
