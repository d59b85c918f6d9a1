/* Files of a recording that share a debug file (symbols/binaries.c). */
#include "symbols/binaries.h"

#include "tests/tap.h"
#include "tests/unit/compiling.h"

static const char source[] = "static __attribute__((noinline)) int inner(int n)\n{\n\treturn n * n + 1;\n}\n"
							 "int main(int argc, char **argv)\n{\n\t(void)argv;\n\treturn inner(argc);\n}\n";

/* Makes stripped copies a, b and c of a program, which have one debug file. */
static bool make_copies(const char *program)
{
	struct buf command;
	buf_init(&command);
	buf_addf(&command,
	         "{ cd \"$(dirname '%s')\" && objcopy --only-keep-debug program p.debug && "
	         "objcopy -S --add-gnu-debuglink=p.debug program a && cp a b && cp a c; } >/dev/null 2>&1",
	         program);
	bool is_made = system(buf_str(&command)) == 0;
	buf_deinit(&command);
	return is_made;
}

static const struct binary *open_copy(struct binaries *b, const char *program, const char *name)
{
	struct err err = {""};
	char *path = compiled_beside(program, name);
	const struct binary *binary = binaries_open_path(b, path, &(struct binary_wanted){.name = path}, &err);
	free(path);
	if (!binary)
		bail_out("%s", err.text);
	return binary;
}

static bool knows(const struct binary *binary, const char *name)
{
	uint64_t vaddr;
	return elf_symbols_named(binary->symbols, name, &vaddr);
}

static void shared_debug_file(const char *program)
{
	const struct file_places places = {0};
	struct debug_paths paths;
	struct binaries b;
	debug_paths_init(&paths, "", NULL, "");
	binaries_init(&b, &places, &paths);
	const struct binary *a = open_copy(&b, program, "a");
	ok(a->debug_path && knows(a, "inner") && !a->left_out, "a program has the functions of its debug file");
	is_int((intmax_t)b.again, (intmax_t)BINARIES_AGAIN_ALL, "which count for it alone");
	ok(knows(open_copy(&b, program, "b"), "inner"), "a second program has them, too");
	ok(b.again < BINARIES_AGAIN_ALL, "but they count");
	b.again = 1;
	const struct binary *c = open_copy(&b, program, "c");
	ok(!knows(c, "inner") && c->left_out, "until that is too much for all: %s", c->left_out ? c->left_out : "");
	binaries_deinit(&b);
	debug_paths_deinit(&paths);
}

int main(void)
{
	char *program = compile("c", source, "-O1 -g -Wl,--build-id");
	if (program && make_copies(program))
		shared_debug_file(program);
	else
		skip("no compiler, or no objcopy");
	if (program)
		remove_compiled(program);
	return done_testing();
}
