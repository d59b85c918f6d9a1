/*
 * ruby_layout.c - the layouts of CRuby's structures.
 *
 * Within 3.N they stay the same. They depend on the sizes of locks of the C library, and so on the machine: those
 * of x86-64 are here. What has no row is refused: a wrong offset would show wrong functions.
 */
#include "languages/ruby_layout.h"

#include "symbols/elf_file.h"

#define NO RUBY_NOWHERE
#define MACHINE_X86_64 62u

/* clang-format off */
static const struct ruby_layout layouts[] = {
	/* in the order of struct ruby_layout */
	{207, NO, 0, 312, 8, NO, 24, 32, NO, 72, NO, 56, 56, 120, 8, 176, 169},
	{301, 8, 568, 304, 336, 24, 32, 40, NO, 80, 88, 48, 64, 120, 12, 176, 170},
	{303, 8, 432, 256, 328, 24, 32, 48, 40, 16, 24, 48, 56, 112, 12, 168, 170},
	{304, 8, 432, 256, 328, 24, 32, 48, 40, 16, 24, 48, 56, 112, 12, 168, 171},
};
/* clang-format on */

bool ruby_layout_find(struct ruby_layout *l, const struct program *p, struct memory *m, struct err *err)
{
	uint32_t version[2]; /* and that of the patch */
	if (!memory_read(m, program_symbol(p, "ruby_api_version"), version, sizeof version))
		return fail(err, "Ruby: its memory cannot be read");
	if (p->elf && p->elf->machine != MACHINE_X86_64)
		return fail(err, "Ruby %u.%u: its layout is not known for this kind of machine", version[0], version[1]);
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
		if (layouts[i].version / 100 != version[0] || layouts[i].version % 100 != version[1])
			continue;
		*l = layouts[i];
		return true;
	}
	return fail(err, "Ruby %u.%u: its layout is not known", version[0], version[1]);
}
