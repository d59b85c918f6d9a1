/*
 * disassembly.c - reads what objdump prints:
 *
 *	  401136:	push   %rbp
 *	  401140:	call   401030 <puts@plt>
 *	  401145:	mov    0x2ed4(%rip),%eax        # 404020 <count>
 *
 * In a file without symbols, the names that objdump puts after addresses are those of the nearest exported
 * function. So only the number is taken, and named by the file's own symbols.
 */
#include "symbols/disassembly.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/child.h"
#include "base/child_output.h"
#include "base/demangle.h"
#include "base/find.h"
#include "base/hash.h"
#include "base/hex.h"
#include "base/mem.h"
#include "base/memory_file.h"
#include "base/regular.h"
#include "base/utf8.h"
#include "symbols/elf_symbols.h"
#include "symbols/jit_code.h"

#define MOST_CODE ((uint64_t)1 << 20)  /* bytes of code; a longer function is cut around the address */
#define UNKNOWN_CODE 4096u             /* bytes shown of a function whose end is unknown */
#define MOST_OUTPUT ((size_t)64 << 20) /* bytes of text */
#define PATIENCE 30                    /* seconds */
#define NAME_SHOWN 256u                /* bytes of a name in an instruction */
#define NAME_DEMANGLED 16384u          /* longer ones stay as they are */
#define SHOWN_NAMES 256u

/* ---- the child ----------------------------------------------------------------------------------------------- */

static bool run(const char *const *argv, int in, struct buf *out, const atomic_bool *stop, struct err *err)
{
	const struct child_call call = {
		.argv = argv,
		.in = in,
		.entry = CHILD_OFFLINE,
		.missing = "instructions need objdump: install binutils",
		.seconds = PATIENCE,
		.most = MOST_OUTPUT,
		.stop = stop,
	};
	return child_output(&call, out, err);
}

/* objdump gets the open file: the path may lead it elsewhere. */
static bool run_on_file(const char *path, uint64_t from, uint64_t to, struct buf *out, const atomic_bool *stop,
                        struct err *err)
{
	char start_at[48], stop_at[48];
	const char *argv[] = {"objdump", "-d",    "-z", "-w",         "--no-show-raw-insn",
	                      start_at,  stop_at, "--", "/dev/stdin", NULL};
	snprintf(start_at, sizeof start_at, "--start-address=0x%llx", (unsigned long long)from);
	snprintf(stop_at, sizeof stop_at, "--stop-address=0x%llx", (unsigned long long)to);
	int in = regular_open(path, NULL, err);
	bool ok = in >= 0 && run(argv, in, out, stop, err);
	if (in >= 0)
		close(in);
	return ok;
}

/* Bytes of code whose first is printed with the address `from`. */
static bool run_on_bytes(const char *bytes, uint64_t from, size_t n, const char *machine, struct buf *out,
                         const atomic_bool *stop, struct err *err)
{
	char first[48];
	const char *argv[] = {"objdump", "-D",    "-z",  "-w", "--no-show-raw-insn", "-b", "binary",
	                      "-m",      machine, first, "--", "/dev/stdin",         NULL};
	snprintf(first, sizeof first, "--adjust-vma=0x%llx", (unsigned long long)from);
	int in = memory_file_open("code");
	bool ok = in >= 0 && pwrite(in, bytes, n, 0) == (ssize_t)n;
	ok = ok ? run(argv, in, out, stop, err) : fail_errno(err, "code for objdump");
	if (in >= 0)
		close(in);
	return ok;
}

/* ---- its output ---------------------------------------------------------------------------------------------- */

/* The name of a function, as it is in the text already. */
struct shown_name {
	uint64_t start;
	size_t at, n; /* n: 0: none */
};

struct reader {
	struct disassembly *d;
	const struct elf_symbols *symbols; /* NULL: see jit */
	const struct jit_code *jit;
	uint64_t to_memory; /* with jit: from offsets to addresses in memory */
	struct buf text;
	size_t cap;
	size_t *offsets; /* in the text, by instruction */
	size_t n_offsets, cap_offsets;
	struct shown_name shown[SHOWN_NAMES]; /* by start */
};

/* "jmp", "b.ne", "cbz": what goes to a fixed address, as the last operand is a number and a name after it. */
static bool goes_somewhere(const char *text, size_t n)
{
	static const char *const others[] = {"call", "bl ", "cbz",  "cbnz",   "tbz", "tbnz",
	                                     "b ",   "b.",  "bl\t", "xbegin", "loop"};
	if (n && text[0] == 'j')
		return true;
	if (n > 4 && strncmp(text, "bnd ", 4) == 0)
		return goes_somewhere(text + 4, n - 4);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strncmp(text, others[i], strlen(others[i])) == 0)
			return true;
	return false;
}

/* Adds the beginning of a name, where many instructions may name one function; once demangled, it is copied. */
static void add_name(struct reader *r, const struct elf_symbol *s)
{
	struct shown_name *shown = &r->shown[hash_mix(s->start, hash_seed[0]) % SHOWN_NAMES];
	if (shown->n && shown->start == s->start) {
		char *to = buf_reserve(&r->text, shown->n);
		memcpy(to, r->text.data + shown->at, shown->n);
		r->text.len += shown->n;
		return;
	}
	struct buf name;
	size_t n = strnlen(s->name, NAME_DEMANGLED + 1);
	buf_init(&name);
	if (n > NAME_DEMANGLED || !demangle(s->name, n, &name))
		utf8_clean(&name, s->name, n < NAME_SHOWN ? n : NAME_SHOWN, UTF8_CLEAN_UTF8);
	size_t kept = utf8_cut(buf_str(&name), name.len, NAME_SHOWN);
	*shown = (struct shown_name){.start = s->start, .at = r->text.len};
	buf_add(&r->text, name.data, kept);
	if (kept < name.len || n > NAME_DEMANGLED)
		buf_adds(&r->text, "...");
	shown->n = r->text.len - shown->at;
	buf_deinit(&name);
}

/* Names an address: "+0x1c" in this function, else "puts" or "puts+0x4"; nothing if it is of no function. */
static void add_place(struct reader *r, uint64_t address)
{
	struct elf_symbol s;
	if (address >= r->d->start && address < r->d->end) {
		buf_addf(&r->text, "+0x%llx", (unsigned long long)(address - r->d->start));
	} else if (r->jit) {
		if (!jit_code_name(r->jit, address + r->to_memory, NAME_SHOWN, &r->text))
			buf_addf(&r->text, "0x%llx", (unsigned long long)(address + r->to_memory));
	} else if (elf_symbols_at(r->symbols, address, &s)) {
		add_name(r, &s);
		if (address != s.start)
			buf_addf(&r->text, "+0x%llx", (unsigned long long)(address - s.start));
	} else {
		buf_addf(&r->text, "0x%llx", (unsigned long long)address);
	}
}

/* The text up to "HEX <name>" at its end, or after a '#'. Returns the length of what stays as it is. */
static size_t find_address(const char *s, size_t n, uint64_t *address)
{
	const char *bracket = find_last(s, '<', n);
	if (!bracket || bracket == s || bracket[-1] != ' ' || s[n - 1] != '>')
		return SIZE_MAX;
	const char *hex = bracket - 1, *p;
	while (hex > s && hex_digit(hex[-1]) >= 0)
		hex--;
	p = hex;
	return hex_take(&p, bracket, address) ? (size_t)(hex - s) : SIZE_MAX;
}

/* The same in the listing of bare bytes, where it is " 0xHEX". */
static size_t find_bare_address(const char *s, size_t n, uint64_t *address)
{
	const char *end = s + n, *p = end;
	while (p > s && hex_digit(p[-1]) >= 0)
		p--;
	if (p == end || p - s < 3 || p[-1] != 'x' || p[-2] != '0' || (p[-3] != ' ' && p[-3] != '\t'))
		return SIZE_MAX;
	size_t kept = (size_t)(p - 2 - s);
	return hex_take(&p, end, address) ? kept : SIZE_MAX;
}

static void add_instruction(struct reader *r, uint64_t address, const char *s, size_t n)
{
	struct disassembly *d = r->d;
	uint64_t to;
	size_t kept = r->jit ? find_bare_address(s, n, &to) : find_address(s, n, &to);
	bool is_target = kept != SIZE_MAX && goes_somewhere(s, n);
	struct instruction i = {.address = address, .target = is_target ? to : NO_TARGET};
	mem_push(r->offsets, r->n_offsets, r->cap_offsets, r->text.len);
	utf8_clean(&r->text, s, kept == SIZE_MAX ? n : kept, UTF8_CLEAN_UTF8);
	if (kept != SIZE_MAX)
		add_place(r, to);
	buf_addc(&r->text, '\0');
	mem_push(d->list, d->n, r->cap, i);
}

static void read_line(struct reader *r, const char *s, const char *end)
{
	uint64_t address;
	while (s < end && *s == ' ')
		s++;
	if (!hex_take(&s, end, &address) || end - s < 3 || s[0] != ':' || s[1] != '\t')
		return;
	s += 2;
	while (end > s && (end[-1] == ' ' || end[-1] == '\r'))
		end--;
	if (address >= r->d->start && address < r->d->end)
		add_instruction(r, address, s, (size_t)(end - s));
}

static void read_lines(struct reader *r, const struct buf *out)
{
	const char *s = out->data, *end = out->data + out->len;
	while (s && s < end) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));
		read_line(r, s, newline ? newline : end);
		s = newline ? newline + 1 : end;
	}
	r->d->text = buf_take(&r->text);
	for (size_t i = 0; i < r->d->n; i++)
		r->d->list[i].text = r->d->text + r->offsets[i];
	free(r->offsets);
}

/* ---- all of it ----------------------------------------------------------------------------------------------- */

static struct elf_symbols *read_symbols(const char *path, const char *debug, struct err *err)
{
	struct elf_file file, other;
	if (!elf_file_open(&file, path, err))
		return NULL;
	bool has_other = debug && elf_file_open(&other, debug, NULL);
	struct elf_symbols *symbols = elf_symbols_new(&file, has_other ? &other : NULL, NULL);
	if (has_other)
		elf_file_close(&other);
	elf_file_close(&file);
	return symbols;
}

/* The part of a long function around an address. */
static void cut_range(struct disassembly *d, uint64_t address, uint64_t *from, uint64_t *to)
{
	*from = d->start;
	*to = d->end;
	d->is_cut = *to - *from > MOST_CODE;
	if (!d->is_cut)
		return;
	*from = address - d->start > MOST_CODE / 2 ? address - MOST_CODE / 2 : d->start;
	*to = d->end - *from > MOST_CODE ? *from + MOST_CODE : d->end;
}

static bool take_output(struct reader *r, bool ok, const struct buf *out, const char *path, struct err *err)
{
	buf_init(&r->text);
	if (ok)
		read_lines(r, out);
	buf_deinit(&r->text);
	return ok && (r->d->n || fail(err, "%s: objdump printed no instructions", path));
}

static bool disassemble_jit(struct disassembly *d, const struct jit_code *jit, const char *path, uint64_t offset,
                            const atomic_bool *stop, struct err *err)
{
	struct jitdump_code code;
	const char *bytes, *machine = jit_code_machine(jit);
	struct buf out;
	uint64_t from, to;
	if (!machine)
		return fail(err, "%s: code for an unknown processor", path);
	if (!jit_code_function(jit, offset, &code, &bytes))
		return fail(err, "%s: no function is known at 0x%llx", path, (unsigned long long)offset);
	d->function = mem_strdup(code.name);
	d->start = code.offset;
	d->end = code.offset + code.size;
	cut_range(d, offset, &from, &to);
	buf_init(&out);
	bool ok = run_on_bytes(bytes + (from - d->start), from, (size_t)(to - from), machine, &out, stop, err);
	struct reader r = {.d = d, .jit = jit, .to_memory = code.start - code.offset};
	ok = take_output(&r, ok, &out, path, err);
	buf_deinit(&out);
	return ok;
}

static bool disassemble_elf(struct disassembly *d, const char *path, const char *debug, uint64_t address,
                            const atomic_bool *stop, struct err *err)
{
	struct elf_symbol function;
	struct buf out;
	uint64_t from, to;
	struct elf_symbols *symbols = read_symbols(path, debug, err);
	if (!symbols)
		return false;
	if (!elf_symbols_at(symbols, address, &function)) {
		elf_symbols_free(symbols);
		return fail(err, "%s: no function is known at 0x%llx", path, (unsigned long long)address);
	}
	d->function = mem_strdup(function.name);
	d->start = function.start;
	d->end = function.end > address ? function.end : address + UNKNOWN_CODE;
	cut_range(d, address, &from, &to);
	buf_init(&out);
	struct reader r = {.d = d, .symbols = symbols};
	bool ok = take_output(&r, run_on_file(path, from, to, &out, stop, err), &out, path, err);
	buf_deinit(&out);
	elf_symbols_free(symbols);
	return ok;
}

bool disassemble(struct disassembly *d, const char *path, const char *debug, uint64_t address,
                 const atomic_bool *stop, struct err *err)
{
	struct err ignored;
	*d = (struct disassembly){.list = NULL};
	struct jit_code *jit = jit_code_open(path, &ignored);
	bool ok = jit ? disassemble_jit(d, jit, path, address, stop, err)
	              : disassemble_elf(d, path, debug, address, stop, err);
	jit_code_free(jit);
	return ok;
}

void disassembly_deinit(struct disassembly *d)
{
	free(d->function);
	free(d->list);
	free(d->text);
	*d = (struct disassembly){.list = NULL};
}
