/*
 * debug_handle.c - opens a file for libdw, and keeps libdw from opening more.
 */
#include "symbols/debug_handle.h"

#ifdef HAVE_LIBDW

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/byte_order.h"
#include "base/mem.h"
#include "base/regular.h"

/* ---- attributes ---------------------------------------------------------------------------------------------- */

const char *debug_text(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute a;
	return dwarf_formstring(dwarf_attr(die, name, &a));
}

uint64_t debug_number(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute a;
	Dwarf_Word value;
	return dwarf_formudata(dwarf_attr(die, name, &a), &value) == 0 ? value : 0;
}

/* ---- an empty file ------------------------------------------------------------------------------------------- */

static const char section_names[] = "\0.shstrtab\0.debug_info";

/* libdw takes a file for one without DWARF if it has no such section, or no byte in it. */
struct empty {
	Elf64_Ehdr header;
	Elf64_Shdr sections[3];
	char names[sizeof section_names];
};

static Elf64_Shdr section_at(uint32_t name, uint32_t type, size_t offset, size_t size)
{
	return (Elf64_Shdr){.sh_name = name, .sh_type = type, .sh_offset = offset, .sh_size = size, .sh_addralign = 1};
}

static char *make_empty(void)
{
	struct empty *e = mem_zalloc(1, sizeof *e);
	e->header = (Elf64_Ehdr){.e_type = ET_DYN,
	                         .e_version = EV_CURRENT,
	                         .e_shoff = offsetof(struct empty, sections),
	                         .e_ehsize = sizeof e->header,
	                         .e_shentsize = sizeof *e->sections,
	                         .e_shnum = 3,
	                         .e_shstrndx = 1};
	memcpy(e->header.e_ident, ELFMAG, SELFMAG);
	e->header.e_ident[EI_CLASS] = ELFCLASS64;
	e->header.e_ident[EI_DATA] = MACHINE_IS_BIG ? ELFDATA2MSB : ELFDATA2LSB;
	e->header.e_ident[EI_VERSION] = EV_CURRENT;
	e->sections[1] = section_at(1, SHT_STRTAB, offsetof(struct empty, names), sizeof e->names);
	e->sections[2] = section_at(11, SHT_PROGBITS, offsetof(struct empty, names), 1);
	memcpy(e->names, section_names, sizeof section_names);
	return (char *)e;
}

static bool open_empty(struct debug_handle *h)
{
	h->empty = make_empty();
	h->empty_elf = elf_memory(h->empty, sizeof(struct empty));
	h->empty_dwarf = h->empty_elf ? dwarf_begin_elf(h->empty_elf, DWARF_C_READ, NULL) : NULL;
	return h->empty_dwarf;
}

/* ---- handles ------------------------------------------------------------------------------------------------- */

static bool is_elf(Elf *elf, bool linked)
{
	GElf_Ehdr header;
	return elf && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &header) && (!linked || header.e_type != ET_REL);
}

static bool open_dwarf(struct debug_handle *h, const char *path, bool linked, struct err *err)
{
	if (!is_elf(h->elf, linked))
		return fail(err, linked ? "%s: not a linked ELF file" : "%s: not an ELF file", path);
	if (!debug_cost_file(&h->cost, h->elf, path, err))
		return false;
	h->dwarf = dwarf_begin_elf(h->elf, DWARF_C_READ, NULL);
	if (!h->dwarf)
		return fail(err, "%s: no debug information: compile with -g, or install it", path);
	if (!debug_cost_units(&h->cost, h->elf, path, err))
		return false;
	if (!open_empty(h))
		return fail(err, "%s: libdw does not work: %s", path, dwarf_errmsg(-1));
	dwarf_new_oom_handler(h->dwarf, (Dwarf_OOM)mem_exhausted);
	dwarf_setalt(h->dwarf, h->empty_dwarf);
	return true;
}

bool debug_handle_open(struct debug_handle *h, const char *path, bool linked, struct err *err)
{
	*h = (struct debug_handle){0};
	int fd = regular_open(path, NULL, err);
	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	h->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	bool is_mapped = h->elf && elf_cntl(h->elf, ELF_C_FDREAD) == 0;
	close(fd);
	errno = 0;
	if (is_mapped ? open_dwarf(h, path, linked, err) : fail(err, "%s: it cannot be read", path))
		return true;
	int error = errno;
	debug_handle_close(h);
	errno = error;
	return false;
}

void debug_handle_set_alt(struct debug_handle *h, struct debug_handle *alt)
{
	dwarf_setalt(h->dwarf, alt->dwarf);
}

void debug_handle_close(struct debug_handle *h)
{
	dwarf_end(h->dwarf);
	elf_end(h->elf);
	dwarf_end(h->empty_dwarf);
	elf_end(h->empty_elf);
	free(h->empty);
	debug_cost_end(&h->cost);
	*h = (struct debug_handle){0};
}

#endif
