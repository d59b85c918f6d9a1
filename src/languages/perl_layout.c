/*
 * perl_layout.c - the layouts of Perl 5.28 to 5.42.
 *
 * Those of 5.32, 5.36, 5.40 and 5.42 were printed by a program with their headers (Debian's libperl-dev, and a
 * build without threads of 5.36): offsetof(struct interpreter, Icurcop), offsetof(PERL_SI, si_type) and so on.
 * Between them, only those in struct perl_layout differ. 5.28, 5.30, 5.34 and 5.38 are from their sources.
 *
 * A build tells its options in PL_bincompat_options: " MULTIPLICITY PERLIO_LAYERS USE_64_BIT_ALL USE_ITHREADS ...".
 * Those with other sizes of numbers, and builds for debugging, have other layouts, and are refused.
 */
#include "languages/perl_layout.h"

#include <string.h>

static const struct {
	uint8_t first, last; /* of 5.N; odd ones are for development */
	uint16_t cop, stack, type, context, code, name;
	bool has_aux_behind_array;
} layouts[] = {
	{28, 30, 0xe0, 0xf0, 0x28, 0x60, 0x40, 0x38, true},
	{32, 32, 0xe0, 0xf0, 0x2c, 0x68, 0x48, 0x40, true},
	{34, 34, 0xd0, 0xe0, 0x2c, 0x68, 0x48, 0x40, true},
	{36, 42, 0xd0, 0xe0, 0x2c, 0x68, 0x48, 0x40, false},
};

static bool find_version(struct perl_layout *l, unsigned minor)
{
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
		if (minor < layouts[i].first || minor > layouts[i].last || minor % 2)
			continue;
		*l = (struct perl_layout){.minor = minor,
		                          .interpreter_cop = layouts[i].cop,
		                          .interpreter_stack = layouts[i].stack,
		                          .stack_type = layouts[i].type,
		                          .context_size = layouts[i].context,
		                          .context_code = layouts[i].code,
		                          .context_name = layouts[i].name,
		                          .has_aux_behind_array = layouts[i].has_aux_behind_array};
		return true;
	}
	return false;
}

/* Is there an option of this name in the text? */
static bool has(const char *options, const char *name)
{
	size_t n = strlen(name);
	const char *at = options;
	while ((at = strstr(at, name)) && at[n] != ' ' && at[n] != '\0')
		at += n;
	return at;
}

#define OPTIONS_MOST 512u

static void read_options(struct memory *m, uint64_t address, char *options)
{
	for (size_t i = 0; i < OPTIONS_MOST - 1; i++)
		if (!memory_read(m, address + i, options + i, 1) || !options[i])
			return;
}

bool perl_layout_find(struct perl_layout *l, const struct program *p, struct memory *m, struct err *err)
{
	static const char *const others[] = {"DEBUGGING", "USE_LONG_DOUBLE", "USE_QUADMATH", "PERL_IMPLICIT_SYS"};
	char options[OPTIONS_MOST] = "";
	unsigned char revision = 0, minor = 0;
	uint64_t at = program_symbol(p, "PL_bincompat_options");
	if (!memory_read(m, program_symbol(p, "PL_revision"), &revision, 1) ||
	    !memory_read(m, program_symbol(p, "PL_version"), &minor, 1))
		return fail(err, "Perl: its version cannot be read");
	if (revision != 5 || !find_version(l, minor))
		return fail(err, "Perl %u.%u: its layout is not known", revision, minor);
	read_options(m, at, options);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (has(options, others[i]))
			return fail(err, "Perl 5.%u with %s: its layout is not known", minor, others[i]);
	l->is_threaded = has(options, "USE_ITHREADS");
	if (!has(options, "USE_64_BIT_ALL"))
		return fail(err, "Perl 5.%u without USE_64_BIT_ALL: its layout is not known", minor);
	if (!l->is_threaded && has(options, "MULTIPLICITY"))
		return fail(err, "Perl 5.%u with MULTIPLICITY, but no threads: its layout is not known", minor);
	return true;
}
