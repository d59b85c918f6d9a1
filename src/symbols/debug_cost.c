/*
 * debug_cost.c - how much memory debug information takes.
 *
 * What it takes was measured with libdw 0.188. A table of lines is a program of opcodes, and most of them, of one
 * byte each, make a row:
 *
 *	length, version, [sizes of addresses and of segments], length of the header
 *	constants, number of the first special opcode, counts of operands; directories; files
 *	program: special opcode, 1: a row; 2 to 5, 12: a number follows; 9: two bytes; 0: length, opcode, operands
 */
#include "symbols/debug_cost.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>

#include "base/number.h"

/*
 * Compressed sections of real programs hold up to 20 times their size. For each byte of its file, a program of
 * some thousand units took 3 bytes for units, and 11 for all its lines.
 */
#define FINE_ANYWAY ((uint64_t)1 << 30) /* at any ratio */
#define MOST_RATIO 100u
#define MOST_BYTES ((uint64_t)8 << 30)

static struct debug_cost all; /* of all files that are open */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* ---- the sum ------------------------------------------------------------------------------------------------- */

struct amount {
	uint64_t size;        /* of the file */
	uint64_t bytes, most; /* that stay, and that are taken meanwhile */
};

static bool is_fine(uint64_t bytes, uint64_t size)
{
	return bytes <= FINE_ANYWAY || (bytes <= MOST_BYTES && bytes / MOST_RATIO <= size);
}

static bool take(struct debug_cost *c, struct amount a)
{
	pthread_mutex_lock(&mutex);
	bool ok = is_fine(u64_sum(all.bytes, a.most), u64_sum(all.size, a.size));
	if (ok) {
		all.bytes += a.bytes;
		all.size += a.size;
		c->bytes += a.bytes;
		c->size += a.size;
	}
	pthread_mutex_unlock(&mutex);
	return ok;
}

void debug_cost_end(struct debug_cost *c)
{
	pthread_mutex_lock(&mutex);
	all.bytes -= c->bytes;
	all.size -= c->size;
	pthread_mutex_unlock(&mutex);
	*c = (struct debug_cost){0};
}

static bool refuse(const char *path, const char *what, uint64_t bytes, struct err *err)
{
	errno = EFBIG;
	return fail(err, "%s: %s would take %" PRIu64 " MiB: too much for all files", path, what, bytes >> 20);
}

bool debug_cost_bytes(struct debug_cost *c, uint64_t bytes, uint64_t size, const char *path, const char *what,
                      struct err *err)
{
	return take(c, (struct amount){size, bytes, bytes}) || refuse(path, what, bytes, err);
}

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <string.h>

#include "symbols/cfi_cursor.h"

#define UNIT_BYTES 1280u
#define ABBREVIATION_BYTES 80u
#define SHORTEST_ABBREVIATION 5u
#define SHORTEST_ATTRIBUTE 2u
#define MOST_TABLES 16      /* sections of abbreviations */
#define ROW_BYTES 56u       /* that stay */
#define ROW_READ_BYTES 112u /* while the table is read */
#define MOST_LEB 10u        /* bytes of a number that libdw reads */
#define LONG_UNIT UINT32_MAX
/* Bytes of all tables of lines: those of a file are apart, but several units may have one table. */
#define LINES_ANYWAY ((uint64_t)16 << 20)
#define LINES_RATIO 4u
#define MOST_NAMES ((size_t)64 << 20) /* bytes of the names of all sections, which may share them */

enum { /* DW_LNE_NVIDIA_..., which libdw knows since 0.186 */
	   LNE_INLINED_CALL = 0x90,
	   LNE_FUNCTION_NAME = 0x91
};

/* ---- sections ------------------------------------------------------------------------------------------------ */

/* The older form of compression: {"ZLIB", size as a big-endian number, stream}. */
static uint64_t zdebug_size(Elf_Scn *section)
{
	const Elf_Data *data = elf_rawdata(section, NULL);
	uint64_t unpacked = 0;
	if (!data || !data->d_buf || data->d_size < 12)
		return 0;
	for (size_t i = 4; i < 12; i++)
		unpacked = unpacked << 8 | ((const unsigned char *)data->d_buf)[i];
	return unpacked;
}

/* Names are read last: the section of names may be compressed, too. */
static uint64_t unpacked_size(Elf *elf, bool named)
{
	uint64_t sum = 0;
	size_t names = 0;
	if (named && elf_getshdrstrndx(elf, &names) != 0)
		return 0;
	for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
		GElf_Shdr h;
		GElf_Chdr packed;
		if (!gelf_getshdr(section, &h))
			continue;
		const char *name = named ? elf_strptr(elf, names, h.sh_name) : NULL;
		if (name && strncmp(name, ".zdebug", 7) == 0)
			sum = u64_sum(sum, zdebug_size(section));
		else if (!named && (h.sh_flags & SHF_COMPRESSED) && gelf_getchdr(section, &packed))
			sum = u64_sum(sum, packed.ch_size);
	}
	return sum;
}

/*
 * libdw measures the name of each section dozens of times. A table of names that does not end with NUL is searched
 * for one with each name.
 */
static bool are_names_fine(Elf *elf)
{
	size_t names = 0, sum = 0;
	GElf_Shdr h;
	GElf_Chdr packed;
	Elf_Scn *table = elf_getshdrstrndx(elf, &names) == 0 ? elf_getscn(elf, names) : NULL;
	if (!table || !gelf_getshdr(table, &h))
		return true;
	bool is_packed = h.sh_flags & SHF_COMPRESSED && gelf_getchdr(table, &packed);
	uint64_t size = is_packed ? packed.ch_size : h.sh_size;
	if (size && !elf_strptr(elf, names, (size_t)size - 1))
		return false;
	for (Elf_Scn *at = elf_nextscn(elf, NULL); at && sum <= MOST_NAMES; at = elf_nextscn(elf, at)) {
		const char *name = gelf_getshdr(at, &h) ? elf_strptr(elf, names, h.sh_name) : NULL;
		sum += name ? strnlen(name, MOST_NAMES + 1 - sum) : 0;
	}
	return sum <= MOST_NAMES;
}

bool debug_cost_file(struct debug_cost *c, Elf *elf, const char *path, struct err *err)
{
	size_t size = 0;
	size = elf_rawfile(elf, &size) ? size : 0;
	struct amount a = {.size = size};
	a.bytes = a.most = unpacked_size(elf, false);
	if (!is_fine(a.bytes, size))
		return refuse(path, "its compressed sections", a.bytes, err);
	if (!are_names_fine(elf)) {
		errno = EFBIG;
		return fail(err, "%s: the names of its sections are damaged, or have more than 64 MiB", path);
	}
	a.bytes = a.most = u64_sum(a.bytes, unpacked_size(elf, true));
	return take(c, a) || refuse(path, "its compressed sections", a.bytes, err);
}

/*
 * May libdw take it for the section called `part`, such as "debug_line": also ".zdebug_line",
 * ".gnu.debuglto_.debug_line" and ".debug_line.dwo"? Any number of sections may share a name of megabytes, so that
 * only its first bytes are compared.
 */
static bool is_part(const char *name, const char *part)
{
	static const char lto[] = ".gnu.debuglto_";
	size_t n = strlen(part);
	name += strncmp(name, lto, sizeof lto - 1) == 0 ? sizeof lto - 1 : 0;
	name += *name == '.';
	name += *name == 'z';
	return strncmp(name, part, n) == 0 && (!name[n] || name[n] == '.');
}

/* Finds the next such section; *at is NULL for the first. */
static bool next_section(Elf *elf, const char *part, Elf_Scn **at, struct cfi_cursor *c)
{
	size_t names = 0;
	if (elf_getshdrstrndx(elf, &names) != 0)
		return false;
	while ((*at = elf_nextscn(elf, *at))) {
		GElf_Shdr h;
		const char *name = gelf_getshdr(*at, &h) ? elf_strptr(elf, names, h.sh_name) : NULL;
		if (!name || !is_part(name, part) || (h.sh_flags & SHF_COMPRESSED))
			continue;
		const Elf_Data *data = elf_getdata(*at, NULL);
		if (!data || !data->d_buf)
			continue;
		*c = (struct cfi_cursor){data->d_buf, (const unsigned char *)data->d_buf + data->d_size, false};
		return true;
	}
	return false;
}

static bool is_big(Elf *elf)
{
	const char *ident = elf_getident(elf, NULL);
	return ident && ident[EI_DATA] == ELFDATA2MSB;
}

static uint64_t number(struct cfi_cursor *c, size_t n, bool big)
{
	uint64_t v = cfi_fixed(c, n);
	return big ? __builtin_bswap64(v) >> (64 - 8 * n) : v;
}

/* Reads the length in front of a unit; *offset_size becomes 4 or 8. */
static uint64_t unit_length(struct cfi_cursor *c, bool big, size_t *offset_size)
{
	uint64_t length = number(c, 4, big);
	*offset_size = length == LONG_UNIT ? 8 : 4;
	return length == LONG_UNIT ? number(c, 8, big) : length;
}

/* ---- units --------------------------------------------------------------------------------------------------- */

/* Where libdw may look for a unit's abbreviations. */
struct tables {
	struct cfi_cursor sections[MOST_TABLES];
	size_t n;
};

/* false: there are more of them than any compiler writes. */
static bool find_tables(Elf *elf, struct tables *t)
{
	struct cfi_cursor section;
	t->n = 0;
	for (Elf_Scn *at = NULL; next_section(elf, "debug_abbrev", &at, &section);) {
		if (t->n == MOST_TABLES)
			return false;
		t->sections[t->n++] = section;
	}
	return true;
}

/* false: libdw may read it in another way, or it is damaged. */
static bool read_leb(struct cfi_cursor *c, uint64_t *v)
{
	const unsigned char *first = c->p;
	*v = cfi_uleb(c);
	return !c->is_bad && c->p - first <= (ptrdiff_t)MOST_LEB;
}

/* Reads up to the end of an abbreviation's attributes. false: the same. */
static bool skip_attributes(struct cfi_cursor *c, uint64_t *n)
{
	uint64_t name, form, value;
	for (;; ++*n) {
		if (!read_leb(c, &name) || !read_leb(c, &form) || !name != !form)
			return false;
		if (!name)
			return true;
		if (form == DW_FORM_implicit_const && !read_leb(c, &value))
			return false;
	}
}

/*
 * libdw keeps for each unit all abbreviations up to the one that is asked for, so those of a table that units share
 * are kept once for each. Every byte that is read here counts, too: tables may overlap. Where libdw may read other
 * abbreviations, the rest is taken for the shortest ones.
 */
static uint64_t bytes_of_table(struct cfi_cursor c, uint64_t offset, uint64_t *most_attributes)
{
	cfi_skip(&c, offset);
	const size_t whole = cfi_left(&c);
	uint64_t n = 0, code, tag;
	for (; !c.is_bad && cfi_left(&c); n++) {
		uint64_t attributes = 0;
		size_t left = cfi_left(&c);
		bool is_good = read_leb(&c, &code);
		if (is_good && !code)
			break;
		is_good = is_good && read_leb(&c, &tag);
		cfi_skip(&c, 1);
		is_good = is_good && skip_attributes(&c, &attributes);
		attributes = is_good ? attributes : left / SHORTEST_ATTRIBUTE;
		*most_attributes = attributes > *most_attributes ? attributes : *most_attributes;
		if (!is_good)
			return (n + 1 + left / SHORTEST_ABBREVIATION) * ABBREVIATION_BYTES;
	}
	return n * ABBREVIATION_BYTES + whole - cfi_left(&c);
}

struct units {
	struct tables tables;
	uint64_t last, last_bytes; /* place of the table that was read last, and what it takes; units share tables */
	uint64_t bytes, size;      /* of all units, and of the file */
	uint64_t attributes;       /* of an abbreviation, at most */
	bool is_big;
};

static void add_table(struct units *u, uint64_t offset)
{
	if (offset != u->last) {
		u->last = offset;
		u->last_bytes = 0;
		for (size_t i = 0; i < u->tables.n; i++)
			u->last_bytes += bytes_of_table(u->tables.sections[i], offset, &u->attributes);
	}
	u->bytes = u64_sum(u->bytes, u->last_bytes);
}

/* Ends when it is too much for any files. */
static void add_units(struct units *u, struct cfi_cursor c)
{
	size_t offset_size;
	while (!c.is_bad && cfi_left(&c) && is_fine(u->bytes, u->size)) {
		uint64_t length = unit_length(&c, u->is_big, &offset_size);
		struct cfi_cursor unit = c;
		if (number(&unit, 2, u->is_big) >= 5)
			cfi_skip(&unit, 2);
		uint64_t offset = number(&unit, offset_size, u->is_big);
		u->bytes += UNIT_BYTES;
		if (!unit.is_bad)
			add_table(u, offset);
		cfi_skip(&c, length);
	}
}

bool debug_cost_units(struct debug_cost *c, Elf *elf, const char *path, struct err *err)
{
	static const char *const parts[] = {"debug_info", "debug_types"};
	struct cfi_cursor section;
	struct units u = {.last = UINT64_MAX, .size = c->size, .is_big = is_big(elf)};
	if (!find_tables(elf, &u.tables)) {
		errno = EFBIG;
		return fail(err, "%s: more than %d sections of abbreviations", path, MOST_TABLES);
	}
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		for (Elf_Scn *at = NULL; next_section(elf, parts[i], &at, &section);)
			add_units(&u, section);
	struct amount a = {.bytes = u.bytes, .most = u.bytes};
	c->attributes = u.attributes;
	return take(c, a) || refuse(path, "its units of debug information", a.bytes, err);
}

/* ---- lines --------------------------------------------------------------------------------------------------- */

/* false: libdw may read it in another way. */
static bool skip_leb(struct cfi_cursor *c)
{
	for (unsigned i = 0; i < MOST_LEB; i++)
		if (!(cfi_fixed(c, 1) & 0x80))
			return !c->is_bad;
	return false;
}

/* libdw goes by the opcode, so the length must agree with it. */
static bool skip_extended(struct cfi_cursor *c, unsigned address_size, uint64_t *rows)
{
	struct cfi_cursor operands = *c;
	if (!skip_leb(c))
		return false;
	uint64_t length = cfi_uleb(&operands);
	cfi_skip(&operands, length);
	uint64_t opcode = cfi_fixed(c, 1), left = operands.is_bad || !length ? 0 : length - 1;
	switch (opcode) {
	case DW_LNE_end_sequence:
		++*rows;
		break;
	case DW_LNE_set_address:
		cfi_skip(c, address_size);
		break;
	case DW_LNE_set_discriminator:
		if (!skip_leb(c))
			return false;
		break;
	case DW_LNE_define_file:
	case LNE_INLINED_CALL:
	case LNE_FUNCTION_NAME:
		return false;
	default:
		cfi_skip(c, left);
	}
	return !c->is_bad && !operands.is_bad && c->p == operands.p;
}

static bool skip_standard(struct cfi_cursor *c, uint64_t opcode, unsigned operands, uint64_t *rows)
{
	switch (opcode) {
	case DW_LNS_copy:
		++*rows;
		return operands == 0;
	case DW_LNS_fixed_advance_pc:
		cfi_skip(c, 2);
		return !c->is_bad && operands == 1;
	default:
		for (; operands; operands--)
			if (!skip_leb(c))
				return false;
		return true;
	}
}

struct program {
	struct cfi_cursor c;
	unsigned address_size;
	uint64_t first_special;
	const unsigned char *operands; /* counts of them, by opcode from 1 */
};

/* At most as many as libdw makes of a program; where it may read another one, each byte counts. */
static uint64_t count_rows(const struct program *p)
{
	struct cfi_cursor c = p->c;
	uint64_t rows = 0;
	while (cfi_left(&c)) {
		size_t left = cfi_left(&c);
		uint64_t opcode = cfi_fixed(&c, 1);
		if (opcode >= p->first_special)
			rows++;
		else if (opcode ? !skip_standard(&c, opcode, p->operands[opcode - 1], &rows)
		                : !skip_extended(&c, p->address_size, &rows))
			return rows + left;
	}
	return rows;
}

/* The cursor is at the unit. *read: its bytes are added. */
static uint64_t rows_of(struct cfi_cursor c, bool big, unsigned address_size, uint64_t *read)
{
	size_t offset_size;
	uint64_t length = unit_length(&c, big, &offset_size);
	if (length < cfi_left(&c))
		c.end = c.p + length;
	const size_t whole = cfi_left(&c);
	*read += whole;
	uint64_t version = number(&c, 2, big);
	struct program p = {.address_size = address_size};
	if (version >= 5) {
		p.address_size = (unsigned)cfi_fixed(&c, 1);
		cfi_skip(&c, 1);
	}
	uint64_t header = number(&c, offset_size, big);
	p.c = c;
	cfi_skip(&p.c, header);
	cfi_skip(&c, version >= 4 ? 5 : 4);
	p.first_special = cfi_fixed(&c, 1);
	p.operands = c.p;
	cfi_skip(&c, p.first_special ? p.first_special - 1 : 0);
	return c.is_bad || p.c.is_bad || !p.first_special ? whole : count_rows(&p);
}

bool debug_cost_lines(struct debug_cost *c, Elf *elf, struct debug_table table, const char *path, struct err *err)
{
	struct cfi_cursor section;
	uint64_t rows = 0;
	for (Elf_Scn *at = NULL; next_section(elf, "debug_line", &at, &section);) {
		if (c->lines > LINES_ANYWAY + LINES_RATIO * (c->size + c->bytes)) {
			errno = EFBIG;
			return fail(err, "%s: its tables of lines overlap", path);
		}
		cfi_skip(&section, table.offset);
		uint64_t n = section.is_bad ? 0 : rows_of(section, is_big(elf), table.address_size, &c->lines);
		rows = n > rows ? n : rows;
	}
	struct amount a = {.bytes = rows * ROW_BYTES, .most = rows * ROW_READ_BYTES};
	return take(c, a) || refuse(path, "a table of lines", a.most, err);
}

#endif
