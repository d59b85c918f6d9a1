/*
 * Addresses of this very process become names, through the files that it has mapped.
 */
#include "symbols/symbols.h"

#include "tests/tap.h"

/* What is mapped at an address, from /proc/self/maps. */
static bool mapping_of(uint64_t address, struct symbols_query *q, char path[4096])
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[5000];
	bool is_found = false;
	while (maps && !is_found && fgets(line, sizeof line, maps)) {
		uint64_t start, end, offset;
		*path = '\0';
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %4095[^\n]", &start, &end, &offset,
		           path) < 3)
			continue;
		is_found = start <= address && address < end;
		q->map_start = start;
		q->pgoff = offset;
	}
	if (maps)
		fclose(maps);
	q->address = address;
	return is_found;
}

__attribute__((noinline)) int function_with_a_name(int n);
int function_with_a_name(int n)
{
	__asm__ volatile("");
	return n + 1;
}

static void test_self(struct symbols *s)
{
	struct symbols_query q = {.pid = 1};
	struct symbol found, again;
	char path[4096];
	if (!mapping_of((uint64_t)(uintptr_t)function_with_a_name + 1, &q, path)) {
		skip("there is no /proc/self/maps");
		return;
	}
	q.file = symbols_file(s, &(struct symbols_file){.name = path}, 1);
	ok(symbols_find(s, &q, &found), "a function of this process is found");
	is_str(found.name, "function_with_a_name", "by its name");
	is_str(found.module, path, "in the file that is mapped");
	is_int(found.offset, 1, "at its offset");
	ok(symbols_find(s, &q, &again) && again.number == found.number && again.offset == 1, "and once more");
	q.address = q.map_start - q.pgoff + ((uint64_t)1 << 60);
	ok(!symbols_find(s, &q, &found), "behind the end of a file there is no name");
	is_str(found.module, path, "but its module");
	is_int(found.kind, SYMBOL_UNKNOWN, "and its kind says so");
}

static void test_unknown(struct symbols *s)
{
	struct symbols_query q = {.pid = 1, .file = SYMBOLS_NO_FILE, .address = 0x1000};
	struct symbol found;
	ok(!symbols_find(s, &q, &found), "nothing mapped, no name");
	is_str(found.module, "[unknown]", "nor a module");
	ok(found.name == NULL, "NULL says so");
}

int main(void)
{
	struct report report;
	report_init(&report);
	struct symbols *s = symbols_new(&(struct symbols_options){0}, &report);
	test_self(s);
	test_unknown(s);
	symbols_free(s);
	report_deinit(&report);
	return done_testing();
}
