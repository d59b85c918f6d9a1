/*
 * php_layout.c - the layouts of PHP 7.4 to 8.5.
 *
 * Those of 7.4, 8.2 and 8.4 were printed by a program with their headers (Debian's php-dev):
 * offsetof(zend_op_array, opcodes) and so on. Those of 8.3 and 8.5 are in the instructions of builds of theirs
 * (zend_get_executed_lineno(), zend_generator_check_placeholder_frame()); 8.0 and 8.1 are from their sources.
 *
 * The version is a text in the program, and there from the first moment on. Once PHP has begun, each of its modules
 * tells the number of the interface for which it was built, which changes with the layouts:
 *
 *	zend_module_entry  u16 size, u32 number of the interface, u8 is built for debugging, u8 has threads (ZTS)
 */
#include "languages/php_layout.h"

#include <stdlib.h>

static const struct php_layout layouts[] = {
	{704, 20190902, 488, 60, 64, 136, 64, 160},  {800, 20200930, 488, 68, 72, 144, 56, 152},
	{801, 20210902, 488, 68, 72, 144, 56, 152},  {802, 20220829, 488, 80, 88, 152, 56, 152},
	{803, 20230831, 488, 76, 80, 144, 56, 152},  {804, 20240924, 488, 96, 104, 168, 56, 152},
	{805, 20250925, 512, 96, 104, 168, 56, 152},
};

bool php_layout_find(struct php_layout *l, const struct program *p, struct err *err)
{
	char text[24], *rest;
	if (!program_text(p, "X-Powered-By: PHP/", text, sizeof text))
		return fail(err, "PHP: its version is not known");
	if (program_symbol(p, "executor_globals_offset"))
		return fail(err, "PHP %s is built for threads (ZTS): its functions cannot be read", text);
	unsigned long version = strtoul(text, &rest, 10) * 100;
	version += *rest == '.' ? strtoul(rest + 1, NULL, 10) : 0;
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
		if (layouts[i].version == version) {
			*l = layouts[i];
			return true;
		}
	return fail(err, "PHP %s: its layout is not known", text);
}

/* A HashTable, whose first entry is a pointer to a module. */
#define TABLE_ENTRIES 16u
#define TABLE_USED 24u
#define TABLE_SIZE 28u
#define MODULE_INTERFACE 4u
#define MODULE_DEBUGGING 8u
#define MODULE_THREADS 9u
#define MODULE_SIZE 10u

enum php_build php_layout_check(const struct php_layout *l, struct memory *m, uint64_t registry, struct err *err)
{
	unsigned char table[TABLE_SIZE], module[MODULE_SIZE];
	uint64_t at;
	if (!memory_read(m, registry, table, sizeof table) || !memory_u32(table, TABLE_USED) ||
	    !memory_pointer(m, memory_u64(table, TABLE_ENTRIES), &at) || !memory_read(m, at, module, sizeof module))
		return BUILD_UNKNOWN;
	if (memory_u32(module, MODULE_INTERFACE) == l->api && !module[MODULE_DEBUGGING] && !module[MODULE_THREADS])
		return BUILD_KNOWN;
	fail(err, "PHP %u.%u%s: its layout is not known", l->version / 100, l->version % 100,
	     module[MODULE_DEBUGGING] ? " for debugging" : " with another interface for modules");
	return BUILD_OTHER;
}
