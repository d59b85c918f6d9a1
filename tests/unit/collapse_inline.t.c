/*
 * --inline: addr2line's answers for a program compiled here, and the behaviour without addr2line.
 */
#include "tests/tap.h"

#include "collapse/formats.h"
#include "collapsing.h"

static char dir[] = "/tmp/flametop-inline-XXXXXX";

static const char source[] = "#include <stdlib.h>\n"
							 "#define INLINE static inline __attribute__((always_inline))\n"
							 "INLINE int inner(const char *s) { return (int)strtol(s, 0, 10) * 3; }\n"
							 "INLINE int outer(const char *s)\n"
							 "{\n"
							 "	return inner(s) + 1;\n"
							 "}\n"
							 "__attribute__((noinline)) int work(const char *s)\n"
							 "{\n"
							 "	return outer(s);\n"
							 "}\n"
							 "int main(int c, char **v) { return work(v[c - 1]); }\n";

__attribute__((format(printf, 1, 2))) static void run(const char *format, ...)
{
	char command[2048];
	va_list ap;

	va_start(ap, format);
	vsnprintf(command, sizeof command, format, ap);
	va_end(ap);
	if (system(command) != 0)
		diag("failed: %s", command);
}

static unsigned long long first_number(const char *command)
{
	FILE *f = popen(command, "r");
	char line[256] = "";

	if (f) {
		if (!fgets(line, sizeof line, f))
			line[0] = '\0';
		pclose(f);
	}
	return strtoull(line, NULL, 16);
}

/* Builds the program, and finds the address of `work`, and that of the call in it. */
static bool build(const char *name, const char *flags, unsigned long long *start, unsigned long long *call)
{
	char command[2048];

	run("cc -g -O1 %s -o %s/%s %s/x.c 2>/dev/null", flags, dir, name, dir);
	snprintf(command, sizeof command, "nm %s/%s 2>/dev/null | grep ' T work$'", dir, name);
	*start = first_number(command);
	snprintf(command, sizeof command, "objdump -d %s/%s 2>/dev/null | sed -n '/<work>:/,/^$/p' | grep call", dir,
	         name);
	*call = first_number(command);
	return *start && *call > *start;
}

/* Two samples: one at the address in the file, and one at the loaded address. */
static char *collapse(struct collapse_options o, const char *module, unsigned long long call,
                      unsigned long long start, unsigned long long base, struct profile *p)
{
	struct buf text;

	buf_init(&text);
	buf_addf(&text, "x 1/1 1.5: 1 cycles:\n\t%16llx work+0x%llx (%s)\n\t a1 start (/no/such/file)\n\n", call,
	         call - start, module);
	buf_addf(&text, "x 1/1 1.5: 2 cycles:\n\t%16llx work+0x%llx (%s)\n\t a1 start (/no/such/file)\n\n", call + base,
	         call - start, module);
	collapse_pieces(p, &format_perf, &o, text.data, text.len, SIZE_MAX);
	buf_deinit(&text);
	return folded_of(p);
}

static void check(const char *name, const char *flags)
{
	struct collapse_options o = {.inline_ = true}, with_context = {.inline_ = true, .context = true};
	unsigned long long start, call;
	char module[256], *got;
	struct profile p;
	uint32_t sym;

	snprintf(module, sizeof module, "%s/%s", dir, name);
	if (!build(name, flags, &start, &call)) {
		skip("%s cannot be built here", name);
		return;
	}
	got = collapse(o, module, call, start, 0x555555554000, &p);
	is_str(got, "x;start;work;outer;inner 3\n", "inlined functions become frames (%s)", name);
	is_int(notes_of(&p, "no such program"), 1, "a missing module is reported once (%s)", name);
	sym = symtab_find(&p.symtab, "inner", 5);
	is_int(p.symtab.symbols[sym].kind, KIND_INLINED, "they are known as inlined (%s)", name);
	is_str(place_of_symbol(&p.symtab, sym), "x.c:3", "and where they are (%s)", name);
	free(got);
	profile_deinit(&p);

	got = collapse(with_context, module, call, start, 0, &p);
	is_str(got, "x;start;work:x.c:10;outer:x.c:6;inner:x.c:3 3\n", "--context adds their lines (%s)", name);
	free(got);
	profile_deinit(&p);

	got = collapse((struct collapse_options){0}, module, call, start, 0, &p);
	is_str(got, "x;start;work 3\n", "without --inline addr2line does not run (%s)", name);
	free(got);
	profile_deinit(&p);
}

static void check_left_alone(void)
{
	static const char text[] =
		"x 1/1 1.5: 1 cycles:\n\t a1 in (inlined)\n\t a1 work+0x1 (/no/such/file)\n\t a2 k+0x1 ([kernel.kallsyms])\n"
		"\t a3 j+0x1 (/tmp/perf-1.map)\n\t a4 v+0x1 ([vdso])\n\t a5 d+0x1 (//anon)\n\n";
	struct collapse_options o = {.inline_ = true};
	struct profile p;
	char *got;

	collapse_pieces(&p, &format_perf, &o, text, strlen(text), SIZE_MAX);
	got = folded_of(&p);
	is_str(got, "x;d;v;j;k;work;in 1\n",
	       "frames expanded by perf, the kernel and JIT-compiled code are left alone");
	is_int(p.report.n, 0, "there is no message about them");
	free(got);
	profile_deinit(&p);
}

/* Each frame finds its module, however many there are. */
static void check_many_modules(void)
{
	enum { MODULES = 60000 };
	struct collapse_options o = {.inline_ = true};
	struct profile p;
	struct buf text;
	buf_init(&text);
	for (int turn = 0; turn < 2; turn++)
		for (int i = 0; i < MODULES; i++)
			buf_addf(&text, "x 1/1 1.5: 1 cycles:\n\t %x work+0x1 (/no/such/lib%d.so)\n\n", 4096 + turn, i);
	double before = tap_seconds();
	collapse_pieces(&p, &format_perf, &o, text.data, text.len, SIZE_MAX);
	double seconds = tap_seconds() - before;
	is_int(notes_of(&p, "no such program"), MODULES, "each of very many modules is looked for once");
	ok(seconds < 2, "and found by a table (%.1f s)", seconds);
	profile_deinit(&p);
	buf_deinit(&text);
}

static void check_no_program(void)
{
	char module[256], *got, *path = mem_strdup(getenv("PATH"));
	struct collapse_options o = {.inline_ = true};
	struct profile p;

	snprintf(module, sizeof module, "%s/x.c", dir);
	got = collapse(o, module, 0x10, 0x8, 0, &p);
	is_str(got, "x;start;work 3\n", "a file that is no program leaves the symbol");
	is_int(notes_of(&p, "a program or library is not given to addr2line (its inlined functions stay hidden)"), 1,
	       "addr2line does not get it, which is reported once");
	free(got);
	profile_deinit(&p);

	snprintf(module, sizeof module, "%s/relocated", dir);
	setenv("PATH", "/no/such/directory", 1);
	got = collapse(o, module, 0x10, 0x8, 0, &p);
	is_str(got, "x;start;work 3\n", "without addr2line the symbol stays");
	is_int(notes_of(&p, "addr2line cannot be started"), 1, "a missing addr2line is reported once");
	free(got);
	profile_deinit(&p);
	setenv("PATH", path, 1);
	free(path);
}

/* A shell script in the directory of PATH, which logs when it begins and ends. */
static void make_fake(const char *name, const char *script)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof path, "%s/fakes/%s", dir, name);
	f = fopen(path, "w");
	if (!f ||
	    fprintf(f, "#!/bin/sh\necho + >>%s/%s.log\n%s\necho - >>%s/%s.log\n", dir, name, script, dir, name) < 0 ||
	    fclose(f) != 0)
		bail_out("cannot write %s", path);
	run("chmod +x %s", path);
}

/* Number of scripts started, and of those running at once. */
static int count_runs(const char *name, int *at_once)
{
	char path[256];
	int n = 0, running = 0;
	FILE *f;

	snprintf(path, sizeof path, "%s/%s.log", dir, name);
	f = fopen(path, "r");
	*at_once = 0;
	for (int c; f && (c = getc(f)) != EOF;) {
		n += c == '+';
		running += (c == '+') - (c == '-');
		*at_once = running > *at_once ? running : *at_once;
	}
	if (f)
		fclose(f);
	return n;
}

/* Looks up many programs, each twice, a few at a time. */
static void check_many(void)
{
	enum { MODULES = 12 };
	struct collapse_options o = {.inline_ = true};
	char *path = mem_strdup(getenv("PATH")), *got, fakes[4096];
	struct buf text;
	struct profile p;
	int at_once, n;

	buf_init(&text);
	run("mkdir %s/fakes", dir);
	make_fake("addr2line", "while read -r a; do printf '0x%s\\n??\\n??:0\\n' \"$a\"; done");
	make_fake("nm", "");
	for (int i = 0; i < 2 * MODULES; i++) {
		run("cp %s/relocated %s/m%d", dir, dir, i % MODULES);
		buf_addf(&text, "x 1/1 1.5: 1 cycles:\n\t a%d f+0x%d (%s/m%d)\n\n", i, i + 1, dir, i % MODULES);
	}
	buf_addf(&text, "x 1/1 1.5: 1 cycles:\n\t a1 g+0x1 (/)\n\n");
	snprintf(fakes, sizeof fakes, "%s/fakes:%s", dir, path);
	setenv("PATH", fakes, 1);
	collapse_pieces(&p, &format_perf, &o, text.data, text.len, SIZE_MAX);
	setenv("PATH", path, 1);
	got = folded_of(&p);
	is_str(got, "x;f 24\nx;g 1\n", "programs without answers leave the symbols");
	is_int(notes_of(&p, "no such program"), 1, "a directory is no program");
	n = count_runs("addr2line", &at_once);
	is_int(n, 2 * MODULES, "addr2line is started again for programs that were not asked about for long");
	is_int(at_once, 8, "eight of them run at once");
	is_int(count_runs("nm", &at_once), 2 * MODULES,
	       "the symbols of a program are read once, those of its linker too");
	free(got);
	profile_deinit(&p);
	buf_deinit(&text);
	free(path);
}

/* Two functions are an answer, even without source lines. */
static void check_no_places(void)
{
	struct collapse_options o = {.inline_ = true};
	char *path = mem_strdup(getenv("PATH")), *got, fakes[4096];
	struct buf text;
	struct profile p;

	make_fake("addr2line", "while read -r a; do\n"
	                       "	case $a in ffff*) f='?' ;; *) f='inner\\n??:0\\nouter' ;; esac\n"
	                       "	printf \"0x%s\\n$f\\n??:0\\n\" \"$a\"\n"
	                       "done");
	buf_init(&text);
	buf_addf(&text, "x 1/1 1.5: 1 cycles:\n\t a1 f+0x1 (%s/m1)\n\n", dir);
	snprintf(fakes, sizeof fakes, "%s/fakes:%s", dir, path);
	setenv("PATH", fakes, 1);
	collapse_pieces(&p, &format_perf, &o, text.data, text.len, SIZE_MAX);
	setenv("PATH", path, 1);
	got = folded_of(&p);
	is_str(got, "x;outer;inner 1\n", "functions are shown without places");
	free(got);
	profile_deinit(&p);
	buf_deinit(&text);
	free(path);
}

/* It answers nothing, and runs on after the last question. */
static void check_no_end(void)
{
	struct collapse_options o = {.inline_ = true};
	char *path = mem_strdup(getenv("PATH")), *got, fakes[4096], command[512];
	struct buf text;
	struct profile p;

	make_fake("addr2line", "echo $$ >${0%/*}/pid; exec sleep 1000 <&- >&-");
	buf_init(&text);
	buf_addf(&text, "x 1/1 1.5: 1 cycles:\n\t a1 f+0x1 (%s/m1)\n\n", dir);
	snprintf(fakes, sizeof fakes, "%s/fakes:%s", dir, path);
	setenv("PATH", fakes, 1);
	collapse_pieces(&p, &format_perf, &o, text.data, text.len, SIZE_MAX);
	setenv("PATH", path, 1);
	got = folded_of(&p);
	is_str(got, "x;f 1\n", "an addr2line that hangs leaves the symbols");
	is_int(notes_of(&p, "addr2line failed"), 1, "with a message");
	snprintf(command, sizeof command, "kill -0 $(cat %s/fakes/pid) 2>/dev/null", dir);
	ok(system(command) != 0, "and it is ended");
	free(got);
	profile_deinit(&p);
	buf_deinit(&text);
	free(path);
}

/* addr2line gets a file with a link only if it leads to regular files, or to none. */
static void check_link(const char *section, const char *name, bool is_given)
{
	struct collapse_options o = {.inline_ = true};
	char module[256], *got;
	struct profile p;

	run("printf '%s\\0\\0\\0\\0\\1\\2\\3\\4\\5\\6\\7\\10' >%s/link", name, dir);
	run("objcopy -R %s --add-section %s=%s/link %s/relocated %s/linked 2>/dev/null", section, section, dir, dir,
	    dir);
	snprintf(module, sizeof module, "%s/linked", dir);
	got = collapse(o, module, 0x10, 0x8, 0, &p);
	is_int(notes_of(&p, "a program or library is not given to addr2line (its inlined functions stay hidden)"),
	       !is_given, "%s %s is %s", section, name, is_given ? "followed" : "not followed");
	free(got);
	profile_deinit(&p);
}

static void check_links(void)
{
	run("mkfifo %s/pipe", dir);
	run("mkdir %s/.debug && mkfifo %s/.debug/hidden", dir, dir);
	run("ln -s /dev/zero %s/zero", dir);
	check_link(".gnu_debuglink", "missing", true);
	check_link(".gnu_debuglink", "pipe", false);
	check_link(".gnu_debuglink", "hidden", false);
	check_link(".gnu_debuglink", "zero", false);
	check_link(".gnu_debuglink", "../../dev/missing", false);
	check_link(".gnu_debugaltlink", "../missing", true);
	check_link(".gnu_debugaltlink", "pipe", false);
	check_link(".gnu_debugaltlink", "./../../../../../dev/zero", false);
	check_link(".gnu_debugaltlink", "/dev/zero", false);
	run("cp %s/linked %s/other", dir, dir);
	check_link(".gnu_debuglink", "other", false);
}

int main(void)
{
	if (system(
			"addr2line --version >/dev/null 2>&1 && objdump --version >/dev/null 2>&1 && cc --version >/dev/null "
			"2>&1") != 0)
		skip_all("a compiler, addr2line and objdump are needed");
	if (!mkdtemp(dir))
		bail_out("no temporary directory");
	char path[256];
	snprintf(path, sizeof path, "%s/x.c", dir);
	FILE *f = fopen(path, "w");
	if (!f || fputs(source, f) < 0 || fclose(f) != 0)
		bail_out("cannot write %s", path);
	check("relocated", "-fPIE -pie");
	check("fixed", "-no-pie");
	check_left_alone();
	check_many_modules();
	check_no_program();
	check_many();
	check_no_places();
	check_no_end();
	check_links();
	run("rm -rf %s", dir);
	return done_testing();
}
