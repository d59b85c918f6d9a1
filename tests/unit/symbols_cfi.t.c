/* symbols/cfi_*.c on call frame information written by hand: rows, expressions, steps of both machines. */
#include <unistd.h>

#include "base/mem.h"
#include "symbols/cfi.h"
#include "symbols/cfi_expression.h"
#include "symbols/cfi_step.h"
#include "symbols/elf_file.h"
#include "tests/tap.h"

/* ---- a section ---------------------------------------------------------------------------------- */

#define CODE 0x5000u /* where the function begins; the section is at 0 */
#define CODE_SIZE 0x8000u

static void put32(struct buf *b, uint32_t v)
{
	uint8_t bytes[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)};
	buf_add(b, bytes, sizeof bytes);
}

static void put_entry(struct buf *section, const void *body, size_t n)
{
	put32(section, (uint32_t)n);
	buf_add(section, body, n);
}

/* A CIE with an augmentation ("zR" or "zRS"), and an FDE for it; addresses are relative, 4 bytes each. */
static struct cfi *make(uint16_t machine, const char *letters, const void *first, size_t n_first,
                        const void *program, size_t n)
{
	struct buf section, body;
	buf_init(&section);
	buf_init(&body);
	put32(&body, 0);
	buf_addc(&body, 1);
	buf_add(&body, letters, strlen(letters) + 1);
	buf_addc(&body, machine == ELF_MACHINE_AARCH64 ? 4 : 1);   /* code alignment */
	buf_addc(&body, 0x78);                                     /* data alignment: -8 */
	buf_addc(&body, machine == ELF_MACHINE_AARCH64 ? 30 : 16); /* return address */
	buf_add(&body, "\x01\x1b", 2);                             /* sdata4, from here */
	buf_add(&body, first, n_first);
	put_entry(&section, body.data, body.len);
	body.len = 0;
	put32(&body, (uint32_t)section.len + 4);
	put32(&body, CODE - (uint32_t)(section.len + 8));
	put32(&body, CODE_SIZE);
	buf_addc(&body, 0);
	buf_add(&body, program, n);
	put_entry(&section, body.data, body.len);
	buf_deinit(&body);
	struct cfi_image image = {.machine = machine};
	image.eh_frame = (struct cfi_section){mem_copy(section.data, section.len, 1), section.len, 0};
	buf_deinit(&section);
	return cfi_new(&image);
}

#define FIRST_X86 "\x0c\x07\x08\x90\x01" /* cfa: rsp + 8; return address: cfa - 8 */
#define MAKE(program) make(ELF_MACHINE_X86_64, "zR", FIRST_X86, sizeof FIRST_X86 - 1, program, sizeof(program) - 1)

static const struct cfi_rule *rule_of(const struct cfi_row *row, unsigned reg)
{
	for (size_t i = 0; row && i < row->n_rules; i++)
		if (row->rules[i].reg == reg)
			return &row->rules[i];
	return NULL;
}

static void is_row(struct cfi *cfi, uint64_t at, unsigned reg, int64_t offset, int64_t saved, const char *what)
{
	const struct cfi_row *row = cfi_at(cfi, CODE + at);
	const struct cfi_rule *rbp = rule_of(row, 6);
	ok(row && row->frame.kind == CFI_REGISTER && row->frame.reg == reg && row->frame.offset == offset,
	   "%s: the frame is at register %u + %" PRId64, what, reg, offset);
	if (saved)
		ok(rbp && rbp->kind == CFI_OFFSET && rbp->offset == saved, "%s: rbp is saved", what);
	else
		ok(row && !rbp, "%s: rbp is not saved", what);
}

static void rows(void)
{
	/* push rbp; mov rsp, rbp; ...; remember the state; pop; ret; restore the state */
	struct cfi *cfi = MAKE("\x41\x0e\x10\x86\x02\x43\x0d\x06\x02\x20\x0a\xc6\x0c\x07\x08\x41\x0b");
	is_row(cfi, 0, 7, 8, 0, "at the beginning");
	is_row(cfi, 1, 7, 16, -16, "after a push");
	is_row(cfi, 4, 6, 16, -16, "with a frame pointer");
	is_row(cfi, 0x23, 6, 16, -16, "before the end");
	is_row(cfi, 0x24, 7, 8, 0, "after a pop");
	is_row(cfi, 0x25, 6, 16, -16, "after the return");
	ok(cfi_at(cfi, CODE + 1) == cfi_at(cfi, CODE + 1), "a row is made once");
	ok(!cfi_at(cfi, CODE - 1) && !cfi_at(cfi, CODE + CODE_SIZE), "before and behind the function there is none");
	ok(rule_of(cfi_at(cfi, CODE), 16)->offset == -8, "the CIE's rules hold in the function");
	cfi_free(cfi);
}

/* Each address runs the program from its beginning, until the file has cost enough. */
static void costly_rows(const char *two, uint64_t least, uint64_t most, const char *what)
{
	struct buf program;
	uint64_t n = 0;
	buf_init(&program);
	for (size_t i = 0; i < 30000; i++)
		buf_add(&program, two, 2);
	struct cfi *cfi = make(ELF_MACHINE_X86_64, "zR", FIRST_X86, 5, program.data, program.len);
	while (n < CODE_SIZE && cfi_at(cfi, CODE + n))
		n++;
	ok(n >= least && n <= most, "%s: the rows of a file have a limit (%" PRIu64 ")", what, n);
	ok(cfi_at(cfi, CODE) && cfi_cost(cfi, CODE) == program.len + 5, "%s: those that are made stay", what);
	ok(!cfi_at(cfi, CODE + n) && cfi_cost(cfi, CODE + n) == UINT64_MAX, "%s: others are refused", what);
	buf_deinit(&program);
	cfi_free(cfi);
}

static void no_rows(void)
{
	static const struct {
		const char *program, *what;
		size_t n;
	} bad[] = {
		{"\x0b", "recalls what was not remembered", 1},        {"\x3f", "an instruction that does not exist", 1},
		{"\x0c\x7f\x08", "a register that does not exist", 3}, {"\x0f\x20\x50", "an expression beyond the end", 3},
		{"\x04\xff\xff", "an address cut short", 3},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct cfi *cfi = make(ELF_MACHINE_X86_64, "zR", FIRST_X86, 5, bad[i].program, bad[i].n);
		ok(!cfi_at(cfi, CODE + 0x80), "no row: %s", bad[i].what);
		cfi_free(cfi);
	}
	struct cfi *cfi = make(ELF_MACHINE_X86_64, "eh", FIRST_X86, 5, "", 0);
	ok(!cfi_at(cfi, CODE), "no row: an augmentation that is not known");
	cfi_free(cfi);
	char remember[40];
	memset(remember, 0x0a, sizeof remember);
	cfi = make(ELF_MACHINE_X86_64, "zR", FIRST_X86, 5, remember, sizeof remember);
	ok(!cfi_at(cfi, CODE), "no row: too much to remember");
	cfi_free(cfi);
}

/* ---- steps -------------------------------------------------------------------------------------- */

static uint64_t words[32]; /* at 0x1000 */

static bool word_at(void *arg, uint64_t address, uint64_t *word)
{
	(void)arg;
	if (address < 0x1000 || address >= 0x1000 + sizeof words || address % 8)
		return false;
	*word = words[(address - 0x1000) / 8];
	return true;
}

static const struct cfi_memory memory = {.word = word_at};

static void set(struct cfi_registers *r, unsigned reg, uint64_t value)
{
	r->value[reg] = value;
	r->known |= UINT64_C(1) << reg;
}

static void step_x86(void)
{
	struct cfi *cfi = MAKE("\x41\x0e\x10\x86\x02\x07\x10");
	struct cfi_registers from = {0}, to;
	uint64_t pc = 0;
	const struct cfi_machine *x86 = cfi_machine(ELF_MACHINE_X86_64);
	set(&from, 7, 0x1010);
	set(&from, 6, 77);
	set(&from, 0, 88);
	set(&from, 3, 99);
	words[2] = 0x1234;
	is_int(cfi_step(cfi_at(cfi, CODE), x86, &memory, &from, 0, &to, &pc), CFI_STEP, "a step to the caller");
	ok(pc == 0x1234 && to.value[7] == 0x1018, "with return address and stack pointer");
	ok((to.known >> 6 & 1) && to.value[6] == 77 && to.value[3] == 99, "what calls keep is the same");
	ok(!(to.known & 1), "and what they do not keep is lost");
	is_int(cfi_step(cfi_at(cfi, CODE + 1), x86, &memory, &from, 0, &to, &pc), CFI_BOTTOM,
	       "a return address that is undefined is the end");
	set(&from, 7, 0x9000);
	is_int(cfi_step(cfi_at(cfi, CODE), x86, &memory, &from, 0, &to, &pc), CFI_LOST,
	       "one in memory that is not known is lost");
	from.known = 0;
	is_int(cfi_step(cfi_at(cfi, CODE), x86, &memory, &from, 0, &to, &pc), CFI_LOST, "as one without a frame");
	cfi_free(cfi);
}

/* A signed return address, first in x30 and then at cfa - 8 (paciasp; stp x29, x30). */
static void step_aarch64(void)
{
	static const char first[] = "\x0c\x1f", program[] = "\x41\x2d\x41\x0e\x10\x9d\x02\x9e\x01";
	struct cfi *cfi = make(ELF_MACHINE_AARCH64, "zR", first, sizeof first, program, sizeof program - 1);
	struct cfi_registers from = {0}, to;
	uint64_t pc = 0;
	const struct cfi_machine *arm = cfi_machine(ELF_MACHINE_AARCH64);
	set(&from, 31, 0x1000);
	set(&from, 30, 0x00550000aabbcc00);
	set(&from, 29, 5);
	is_int(cfi_step(cfi_at(cfi, CODE), arm, &memory, &from, 0, &to, &pc), CFI_STEP, "aarch64: a step");
	ok(pc == 0x00550000aabbcc00, "by the link register");
	cfi_step(cfi_at(cfi, CODE + 4), arm, &memory, &from, 0, &to, &pc);
	ok(pc == 0x0000aabbcc00, "a signature is no part of the address");
	words[0] = 0x1050;
	words[1] = 0x0077000000400100;
	is_int(cfi_step(cfi_at(cfi, CODE + 8), arm, &memory, &from, 0, &to, &pc), CFI_STEP, "a step by the stack");
	ok(pc == 0x400100 && to.value[29] == 0x1050 && to.value[31] == 0x1010, "with all three registers");
	cfi_free(cfi);
	words[4] = 0;
	words[5] = 0x400200;
	set(&from, 29, 0x1020);
	set(&from, 30, 0x400300);
	ok(cfi_step_by_frame(arm, &memory, &from, &to, &pc) && pc == 0x400300 && to.value[30] == 0x400200,
	   "by the frame pointer the link register comes first");
	ok(cfi_step_by_frame(arm, &memory, &to, &from, &pc) && pc == 0x400200, "then what was saved");
	ok(!cfi_machine(ELF_MACHINE_386), "32-bit x86 is not known here");
}

/* ---- expressions -------------------------------------------------------------------------------- */

static void expressions(void)
{
	static const struct {
		const char *bytes;
		size_t n;
		uint64_t result;
		bool is_good;
	} list[] = {
		{"\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22", 11, 0x1018, true}, /* a PLT stub of x86_64 */
		{"\x08\xff", 2, 255, true},
		{"\x09\xff", 2, UINT64_MAX, true},
		{"\x0a\x34\x12\x12\x22", 5, 0x2468, true},
		{"\x31\x32\x33\x17", 4, 2, true},
		{"\x33\x31\x1c\x19", 4, 2, true},
		{"\x31\x33\x1c\x19", 4, 2, true},
		{"\x31\x28\x01\x00\x35\x36", 6, 6, true}, /* jumps over one */
		{"\x35\x31\x28\x01\x00\x96\x23\x02", 8, 7, true},
		{"\x77\x08\x06", 3, 0xbeef, true},
		{"\x77\x08\x94\x01", 4, 0xef, true},
		{"\x2f\xfd\xff", 3, 0, false}, /* loops forever */
		{"\x2f\x00\x80", 3, 0, false},
		{"\x12", 1, 0, false},
		{"\x22", 1, 0, false},
		{"\x75\x00", 2, 0, false}, /* an unknown register */
		{"\x38\x06", 2, 0, false},
		{"\xe0", 1, 0, false},
		{"", 0, 0, false},
	};
	struct cfi_registers r = {0};
	set(&r, 7, 0x1008);
	set(&r, 16, 0x40bb);
	words[2] = 0xbeef;
	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		uint64_t result = 0;
		bool is_good = cfi_evaluate((const unsigned char *)list[i].bytes, list[i].n, NULL, 0, &r, &memory, &result);
		ok(is_good == list[i].is_good && (!is_good || result == list[i].result), "expression %zu: %s 0x%" PRIx64, i,
		   is_good ? "gives" : "makes no sense", result);
	}
}

/* ---- files -------------------------------------------------------------------------------------- */

static void images(void)
{
	struct cfi_image image;
	struct err err;
	uint64_t word;
	ok(!cfi_image_open(&image, "/dev/zero", &err), "a device is not read: %s", err.text);
	ok(!cfi_image_open(&image, "tests", &err), "nor a directory: %s", err.text);
	ok(!cfi_image_open(&image, "Makefile", &err), "nor a text: %s", err.text);
	ok(!cfi_image_open(&image, "/nowhere", &err), "nor what is not there: %s", err.text);
#if defined(__linux__) && defined(__LP64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	if (!ok(cfi_image_open(&image, "/proc/self/exe", &err), "this program is"))
		return;
	ok(image.eh_frame.bytes && image.n_segments, "it has call frame information");
	ok(cfi_image_word(&image, image.segments[0].vaddr, &word) && (word & 0xffffffff) == 0x464c457f,
	   "and its first bytes are at its first address");
	ok(!cfi_image_word(&image, UINT64_MAX - 3, &word), "but there is nothing at the last");
	cfi_image_deinit(&image);
#else
	(void)word;
#endif
}

int main(void)
{
	rows();
	no_rows();
	costly_rows("\0\0", 150, 250, "long programs");
	costly_rows("\x0a\x0b", 4, 10, "programs that copy states");
	step_x86();
	step_aarch64();
	expressions();
	images();
	return done_testing();
}
