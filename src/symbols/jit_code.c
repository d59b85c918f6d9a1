/*
 * jit_code.c - the code that a JIT compiler has put into its dump.
 */
#include "symbols/jit_code.h"

#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/regular.h"
#include "base/utf8.h"
#include "symbols/elf_file.h"
#include "symbols/trust.h"

#define FILE_MAX ((size_t)1 << 30)
#define MAGIC_SIZE 4

struct jit_code {
	struct buf bytes;
	struct jitdump *dump;
};

/* Most files are not dumps, and large: the first bytes tell. */
static bool has_magic(int fd)
{
	char bytes[MAGIC_SIZE];
	return regular_read(fd, 0, bytes, sizeof bytes) &&
	       (memcmp(bytes, "JiTD", sizeof bytes) == 0 || memcmp(bytes, "DTiJ", sizeof bytes) == 0);
}

static bool read_dump(struct jit_code *c, int fd, struct err *err)
{
	if (!has_magic(fd))
		return fail(err, "not a dump of a JIT compiler");
	if (!regular_read_all(fd, FILE_MAX, &c->bytes, err))
		return false;
	c->dump = jitdump_parse((const unsigned char *)c->bytes.data, c->bytes.len, err);
	return c->dump != NULL;
}

struct jit_code *jit_code_open(const char *path, struct err *err)
{
	int fd = trust_reopen(path, err);
	if (fd < 0)
		return NULL;
	struct jit_code *c = mem_zalloc(1, sizeof *c);
	buf_init(&c->bytes);
	bool ok = read_dump(c, fd, err);
	close(fd);
	if (ok)
		return c;
	jit_code_free(c);
	return NULL;
}

void jit_code_free(struct jit_code *c)
{
	if (!c)
		return;
	jitdump_free(c->dump);
	buf_deinit(&c->bytes);
	free(c);
}

const char *jit_code_line(const struct jit_code *c, uint64_t offset, uint32_t *line)
{
	return jitdump_line(c->dump, offset, line);
}

bool jit_code_function(const struct jit_code *c, uint64_t offset, struct jitdump_code *out, const char **bytes)
{
	if (!jitdump_code(c->dump, offset, out))
		return false;
	*bytes = c->bytes.data + out->offset;
	return true;
}

bool jit_code_name(const struct jit_code *c, uint64_t address, size_t most, struct buf *out)
{
	struct jitdump_function f;
	if (!jitdump_find(c->dump, address, JITDUMP_ANY_TIME, &f))
		return false;
	size_t n = strnlen(f.name, most + 1), kept = utf8_cut(f.name, n, most);
	utf8_clean(out, f.name, kept, UTF8_CLEAN_UTF8);
	if (kept < n)
		buf_adds(out, "...");
	if (address != f.start)
		buf_addf(out, "+0x%llx", (unsigned long long)(address - f.start));
	return true;
}

const char *jit_code_machine(const struct jit_code *c)
{
	static const struct {
		uint32_t machine;
		const char *name;
	} names[] = {
		{ELF_MACHINE_X86_64, "i386:x86-64"}, {ELF_MACHINE_386, "i386"},
		{ELF_MACHINE_AARCH64, "aarch64"},    {ELF_MACHINE_ARM, "arm"},
		{ELF_MACHINE_RISCV, "riscv:rv64"},   {ELF_MACHINE_PPC64, "powerpc:common64"},
		{ELF_MACHINE_S390, "s390:64-bit"},
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].machine == jitdump_machine(c->dump))
			return names[i].name;
	return NULL;
}
