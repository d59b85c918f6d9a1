/*
 * debug_handle.h - the DWARF of one file, in a handle of libdw that opens no other file.
 *
 * By itself libdw opens the files that a file refers to, by whatever path it gives: the one that several share
 * (.gnu_debugaltlink), and those of split DWARF (-gsplit-dwarf). A handle has an empty file in the place of the
 * first until the caller gives it another one. The functions below open the second; nothing here may call them, nor
 * dwarf_cu_info() and dwarf_get_units() with a place for a split unit.
 *
 * Built with libdw only. Not thread-safe.
 */
#ifndef SYMBOLS_DEBUG_HANDLE_H
#define SYMBOLS_DEBUG_HANDLE_H

#include "base/err.h"

#ifdef HAVE_LIBDW

#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

#include "symbols/debug_cost.h"

#pragma GCC poison dwarf_attr_integrate dwarf_hasattr_integrate dwarf_diename dwarf_getscopes dwarf_getscopes_die
#pragma GCC poison dwarf_bytesize dwarf_srclang dwarf_decl_file dwarf_decl_line dwarf_decl_column dwarf_peel_type

struct debug_handle {
	Elf *elf;
	Dwarf *dwarf; /* NULL: not open */
	char *empty;  /* an ELF file */
	Elf *empty_elf;
	Dwarf *empty_dwarf;
	struct debug_cost cost;
};

/*
 * Opens and maps the file; linked: one that is still to be linked is refused. false with err: it is not a regular
 * file, not ELF, has no debug information, or would take too much memory. errno has the reason if it was not
 * opened, and is EFBIG in the last case.
 */
bool debug_handle_open(struct debug_handle *, const char *path, bool linked, struct err *err);
/* `alt` must stay open for as long. */
void debug_handle_set_alt(struct debug_handle *, struct debug_handle *alt);
void debug_handle_close(struct debug_handle *);

#define DEBUG_UNIT_ROOM \
	65536u /* for mem_ensure(): libdw does not test its allocation of a unit's table, of a few kB */

/* An attribute of this entry itself; NULL: it has no such text. */
const char *debug_text(Dwarf_Die *, unsigned name);
/* 0: it has no such number. */
uint64_t debug_number(Dwarf_Die *, unsigned name);

#endif
#endif
