/*
 * elf_compressed.h - compressed sections of ELF files.
 */
#ifndef SYMBOLS_ELF_COMPRESSED_H
#define SYMBOLS_ELF_COMPRESSED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/decompress.h"
#include "symbols/elf_file.h"

/* Appends what n bytes hold. false: they are damaged, or hold more than `most` bytes. */
bool elf_unpack(const struct codec *, const unsigned char *bytes, size_t n, size_t most, struct buf *out);

/*
 * Unpacks the bytes of a section, which it frees, unless they are not compressed: is_marked (SHF_COMPRESSED) or
 * begin as in the older way. Of the file only the byte order and the class count. *n: before and after. NULL: they
 * are damaged, or hold more than `most` bytes.
 */
unsigned char *elf_unpack_bytes(const struct elf_file *, unsigned char *bytes, bool is_marked, size_t most,
                                size_t *n);
/* Bytes that a section says it unpacks to; those of one that is not compressed: n. */
uint64_t elf_unpacked_size(const struct elf_file *, const unsigned char *bytes, bool is_marked, size_t n);
/* As elf_section_bytes(), also of sections compressed by zlib or zstd (SHF_COMPRESSED) or in the older way. */
unsigned char *elf_unpacked_bytes(const struct elf_file *, const struct elf_section *, size_t most, size_t *n);

#endif
