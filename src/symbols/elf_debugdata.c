/*
 * elf_debugdata.c - the symbol table that Fedora keeps in its stripped files, as an ELF file compressed by xz.
 *
 * It has the functions that are not in .dynsym, and takes a few percent of the file. If the data are damaged or too
 * large, only the functions in .dynsym remain. Functions take five times the memory of their symbols meanwhile.
 */
#include "symbols/elf_debugdata.h"

#include "base/buf.h"
#include "base/decompress.h"
#include "base/mem.h"
#include "symbols/elf_compressed.h"

#define PACKED_MAX ((size_t)64 << 20)
#define UNPACKED_MAX ((uint64_t)256 << 20)

/* Tables of real programs unpack to 4 to 12 times their size. */
#define FINE_ANYWAY ((uint64_t)1 << 20)
#define MOST_RATIO 32u

static size_t most_of(size_t packed, uint64_t left)
{
	uint64_t most = FINE_ANYWAY + (uint64_t)packed * MOST_RATIO;
	most = most < UNPACKED_MAX ? most : UNPACKED_MAX;
	return (size_t)(most < left ? most : left);
}

enum elf_debugdata elf_debugdata_open(const struct elf_file *elf, uint64_t *left, struct elf_file *inner)
{
	size_t n;
	unsigned char *bytes = elf_section_bytes(elf, elf_section_named(elf, ".gnu_debugdata"), PACKED_MAX, &n);
	const struct codec *codec = bytes ? codec_by_magic(bytes, n, NULL) : NULL;
	const size_t most = most_of(n, *left);
	struct buf out;
	buf_init(&out);
	bool is_whole = codec && elf_unpack(codec, bytes, n, most, &out), is_large = out.len > most;
	if (!is_whole)
		buf_deinit(&out);
	free(bytes);
	n = out.len;
	*left -= n;
	if (elf_file_open_bytes(inner, (unsigned char *)out.data, n, NULL))
		return ELF_DEBUGDATA_OPEN;
	return is_large ? ELF_DEBUGDATA_LARGE : ELF_DEBUGDATA_NONE;
}
