/*
 * debug_split.c - finds the file of a unit, and the unit in it.
 */
#include "symbols/debug_split.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/below_root.h"
#include "base/buf.h"
#include "base/file_look.h"
#include "base/mem.h"
#include "base/regular.h"
#include "symbols/elf_file.h"

#define MOST_UNITS 1024 /* in a file, before the one that is sought: compilers write one, or few */

/* ---- sections ------------------------------------------------------------------------------------------------ */

/* As libdw has unpacked it, which leaves ".zdebug_addr" its name. */
static struct debug_section section_named(Elf *elf, const char *name)
{
	size_t names = 0;
	if (elf_getshdrstrndx(elf, &names) != 0)
		return (struct debug_section){NULL, 0};
	for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
		GElf_Shdr h;
		const char *other = gelf_getshdr(section, &h) ? elf_strptr(elf, names, h.sh_name) : NULL;
		if (!other || !elf_is_debug_section(other, name) || (h.sh_flags & SHF_COMPRESSED))
			continue;
		const Elf_Data *data = elf_getdata(section, NULL);
		return data && data->d_buf ? (struct debug_section){data->d_buf, data->d_size}
		                           : (struct debug_section){NULL, 0};
	}
	return (struct debug_section){NULL, 0};
}

static struct debug_section from(struct debug_section s, uint64_t offset)
{
	return offset < s.n ? (struct debug_section){s.bytes + offset, s.n - (size_t)offset}
	                    : (struct debug_section){NULL, 0};
}

static void find_sections(struct debug_split *s, const struct debug_program *program, Dwarf_Die *skeleton)
{
	Elf *elf = program->handle->elf;
	Dwarf_Addr base;
	GElf_Ehdr header;
	bool is_new = s->version >= 5;
	s->is_big = gelf_getehdr(s->file.elf, &header) && header.e_ident[EI_DATA] == ELFDATA2MSB;
	s->base = dwarf_lowpc(skeleton, &base) == 0 ? base : 0;
	s->info = section_named(s->file.elf, ".debug_info.dwo");
	s->addresses = from(section_named(elf, ".debug_addr"),
	                    debug_number(skeleton, is_new ? DW_AT_addr_base : DW_AT_GNU_addr_base));
	s->lists = is_new ? section_named(s->file.elf, ".debug_rnglists.dwo")
	                  : from(section_named(elf, ".debug_ranges"), debug_number(skeleton, DW_AT_GNU_ranges_base));
}

/* ---- files --------------------------------------------------------------------------------------------------- */

static bool find_unit(struct debug_split *s, uint64_t id)
{
	Dwarf_CU *cu = NULL;
	for (int i = 0; i < MOST_UNITS; i++) {
		Dwarf_Half version;
		uint64_t other;
		uint8_t type, address, offset;
		mem_ensure(DEBUG_UNIT_ROOM);
		if (dwarf_get_units(s->file.dwarf, cu, &cu, &version, &type, &s->die, NULL) != 0)
			return false;
		if (type != DW_UT_split_compile ||
		    dwarf_cu_info(cu, NULL, NULL, NULL, NULL, &other, &address, &offset) != 0 || other != id)
			continue;
		s->version = version;
		s->address_size = address;
		s->offset_size = offset;
		return address == 4 || address == 8;
	}
	return false;
}

/* errno is not ENOENT after a file that is there. What it took is added to *cost, also if it was for nothing. */
static bool open_at(struct debug_split *s, const char *path, uint64_t id, struct debug_cost *cost, struct err *err)
{
	errno = 0;
	if (!debug_handle_open(&s->file, path, false, err)) {
		errno = errno == ENOENT || errno == ENOTDIR ? ENOENT : EINVAL;
		return false;
	}
	const struct debug_cost *own = &s->file.cost;
	cost->size += own->size;
	cost->bytes += own->bytes;
	cost->attributes = own->attributes > cost->attributes ? own->attributes : cost->attributes;
	if (find_unit(s, id))
		return true;
	debug_handle_close(&s->file);
	errno = EINVAL;
	return fail(err, "%s: libdw finds no unit of this build in it (-fdebug-types-section is not read)", path);
}

/* The places of a file, most likely first. */
struct candidates {
	struct buf paths[3];
	size_t n;
};

static struct buf *add_path(struct candidates *c)
{
	buf_init(&c->paths[c->n]);
	return &c->paths[c->n++];
}

/* The path of a name in the directory of the program. */
static void add_beside(struct buf *out, const struct debug_program *program, const char *name)
{
	const char *slash = strrchr(program->path, '/');
	const char *root = program->places && program->places->root ? program->places->root : "";
	struct buf path;
	buf_init(&path);
	buf_add(&path, program->path, slash ? (size_t)(slash + 1 - program->path) : 0);
	buf_adds(&path, name);
	const char *recorded = below_root_name(root, buf_str(&path));
	if (recorded)
		below_root_add(root, recorded, out);
	else
		buf_add(out, path.data, path.len);
	buf_deinit(&path);
}

/*
 * The path belongs to the machine of the compiler. For a program in a container, it is looked up in the container;
 * for others, it may also be a path of this machine.
 */
static void add_recorded(struct candidates *c, const struct debug_program *program, const char *name)
{
	size_t root = file_look_root(program->path);
	struct buf *path = add_path(c);
	buf_add(path, program->path, root);
	if (root || !program->places)
		buf_adds(path, name);
	else if (file_places_add(program->places, name, path) || strcmp(buf_str(path), name) != 0)
		buf_adds(add_path(c), name);
}

static void list_candidates(struct candidates *c, const struct debug_program *program, const char *directory,
                            const char *name)
{
	struct buf whole;
	buf_init(&whole);
	if (*name != '/') {
		struct buf *beside = add_path(c);
		add_beside(beside, program, name);
	}
	if (*name != '/' && directory)
		buf_addf(&whole, "%s/", directory);
	buf_adds(&whole, name);
	if (*buf_str(&whole) == '/')
		add_recorded(c, program, buf_str(&whole));
	buf_deinit(&whole);
}

/* err and errno tell of the first that is there. */
static bool open_any(struct debug_split *s, struct candidates *c, uint64_t id, struct debug_cost *cost,
                     struct err *err)
{
	int error = ENOENT;
	for (size_t i = 0; i < c->n; i++) {
		struct err why = {""};
		if (open_at(s, buf_str(&c->paths[i]), id, cost, &why))
			return true;
		if (i == 0 || (error == ENOENT && errno != ENOENT)) {
			*err = why;
			error = errno;
		}
	}
	errno = error;
	return false;
}

static bool open_named(struct debug_split *s, const struct debug_program *program, Dwarf_Die *skeleton,
                       struct debug_cost *cost, struct err *err)
{
	struct candidates c = {.n = 0};
	uint64_t id = 0;
	const char *name = debug_text(skeleton, DW_AT_dwo_name);
	if (!name)
		name = debug_text(skeleton, DW_AT_GNU_dwo_name);
	if (!name || dwarf_cu_info(skeleton->cu, NULL, NULL, NULL, NULL, &id, NULL, NULL) != 0) {
		errno = EINVAL;
		return fail(err, "%s: a unit does not name the file with its functions", program->path);
	}
	list_candidates(&c, program, debug_text(skeleton, DW_AT_comp_dir), name);
	bool ok = open_any(s, &c, id, cost, err);
	int error = errno;
	for (size_t i = 0; i < c.n; i++)
		buf_deinit(&c.paths[i]);
	errno = error;
	return ok;
}

/* dwp packs these files into PROGRAM.dwp in the same directory. */
static bool has_package(const char *path)
{
	struct buf package;
	struct stat st;
	buf_init(&package);
	buf_addf(&package, "%s.dwp", path);
	bool has = regular_stat(buf_str(&package), true, &st);
	buf_deinit(&package);
	return has;
}

struct debug_split *debug_split_open(const struct debug_program *program, Dwarf_Die *skeleton,
                                     struct debug_cost *cost, struct err *err)
{
	struct debug_split *s = mem_zalloc(1, sizeof *s);
	if (open_named(s, program, skeleton, cost, err)) {
		find_sections(s, program, skeleton);
		return s;
	}
	int error = errno;
	free(s);
	if (error == ENOENT && has_package(program->path)) {
		fail(err, "%s.dwp: such files are not read, only the .dwo files that they were made of", program->path);
		error = EINVAL;
	}
	errno = error;
	return NULL;
}

void debug_split_free(struct debug_split *s)
{
	if (!s)
		return;
	debug_handle_close(&s->file);
	free(s);
}

#endif
