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
#include "symbols/elf_compressed.h"

#define PACKED_MAX ((size_t)64 << 20)
#define UNPACKED_MAX ((size_t)256 << 20)

bool elf_debugdata_open(const struct elf_file *elf, struct elf_file *inner)
{
	size_t n;
	unsigned char *bytes = elf_section_bytes(elf, elf_section_named(elf, ".gnu_debugdata"), PACKED_MAX, &n);
	const struct codec *codec = bytes ? codec_by_magic(bytes, n, NULL) : NULL;
	struct buf out;
	buf_init(&out);
	if (codec && !elf_unpack(codec, bytes, n, UNPACKED_MAX, &out))
		buf_deinit(&out);
	free(bytes);
	n = out.len;
	return elf_file_open_bytes(inner, (unsigned char *)out.data, n, NULL);
}
