/*
 * perf script: event lines, frame lines, symbols, and that pieces and threads do not change the result.
 */
#include "tests/tap.h"

#include "collapse/formats.h"
#include "collapsing.h"

#define HEAD "app 12/12 [000] 1.500000: 7 cycles:\n"

/* Expects this folded form with these options, for the whole text and for small pieces. */
static void gives_with(struct collapse_options o, const char *text, const char *expected, const char *name)
{
	struct profile whole, pieces;
	char *got, *again;

	collapse_pieces(&whole, &format_perf, &o, text, strlen(text), SIZE_MAX);
	collapse_pieces(&pieces, &format_perf, &o, text, strlen(text), 1);
	got = folded_of(&whole);
	again = folded_of(&pieces);
	is_str(got, expected, "%s", name);
	if (strcmp(got, again) != 0)
		not_ok("%s, line by line: %s", name, again);
	free(got);
	free(again);
	profile_deinit(&whole);
	profile_deinit(&pieces);
}

static void gives(const char *text, const char *expected, const char *name)
{
	gives_with((struct collapse_options){0}, text, expected, name);
}

/* --- symbols --- */

struct vector {
	const char *symbol, *module, *frames; /* frames root first; "" for none */
};

static void check_vectors(const struct vector *v, size_t n, const char *comm, struct collapse_options o,
                          const char *what)
{
	for (size_t i = 0; i < n; i++) {
		struct buf text, expected;
		buf_init(&text);
		buf_init(&expected);
		buf_addf(&text, "%s 12/12 [000] 1.5: 7 cycles:\n\t      c0ffee %s (%s)\n\t 1 root (/bin/x)\n\n", comm,
		         v[i].symbol, v[i].module);
		buf_addf(&expected, "%s;root%s%s 7\n", comm, *v[i].frames ? ";" : "", v[i].frames);
		gives_with(o, buf_str(&text), buf_str(&expected), what);
		if (tap.failed)
			diag("symbol %s of %s", v[i].symbol, v[i].module);
		buf_deinit(&text);
		buf_deinit(&expected);
	}
}

#define CHECK(vectors, comm, what, ...) \
	check_vectors(vectors, sizeof vectors / sizeof *vectors, comm, (struct collapse_options){__VA_ARGS__}, what)

static void test_symbols(void)
{
	gives("t 1/2 [000] 1.5: 3 cycles:\n\t 1 sym_with (blank) in it (/bin/x)\n\n",
	      "# folded stacks, \\xHH in a name is a byte\nt;sym_with\\x20 3\n",
	      "a blank before a bracket stays in the name");

	static const struct vector plain[] = {
		{"read+0x1f", "/bin/x", "read"},
		{"read+0x", "/bin/x", "read"},
		{"read+0xg", "/bin/x", "read+0xg"},
		{"read+0x1+0x2", "/bin/x", "read+0x1"},
		{"read0x12", "/bin/x", "read0x12"},
		{"put(char const*, int)+0x4", "/bin/x", "put"},
		{"put(int) const", "/bin/x", "put"},
		{"a::list<int (char)>::add(int)", "/bin/x", "a::list<int (char)>::add"},
		{"a::list<b<c> >::add(int)", "/bin/x", "a::list<b<c> >::add"},
		{"std::function<int (int)>::operator()(int) const", "/bin/x", "std::function<int (int)>::operator"},
		{"{lambda(char)#3}::operator()", "/bin/x", "{lambda(char)#3}::operator"},
		{"go(int)::{lambda()#1}::operator()() const", "/bin/x", "go"},
		{"a::(anonymous namespace)::go(int)", "/bin/x", "a::(anonymous namespace)::go"},
		{"(anonymous namespace)::go(int)", "/bin/x", "(anonymous namespace)::go"},
		{"(idle)", "/bin/x", ""},
		{"(_$LP$)", "/bin/x", ""},
		{"net.(*Conn).Read", "/bin/x", "net.(*Conn).Read"},
		{"main.(*T).f(0x1)", "/bin/x", "main.(*T).f"},
		{"operator<(A, A)", "/bin/x", "operator<"},
		{"a::operator>>(A)", "/bin/x", "a::operator>>"},
		{"a::operator->()", "/bin/x", "a::operator->"},
		{"a::operator->*(int)", "/bin/x", "a::operator->*"},
		{"a<b>::operator[](int)", "/bin/x", "a<b>::operator[]"},
		{"operator new(unsigned long)", "/bin/x", "operator new"},
		{"[(x)]::go()", "/bin/x", "[(x)]::go"},
		{".go()V", "/bin/x", ".go"},
		{"RegExp:[<\"'>]", "/tmp/perf-9.map", "RegExp:[<\"'>]"},
		{"a;b;c", "/bin/x", "a:b:c"},
		{"a->b->c", "/bin/x", "a;b_[i];c_[i]"},
		{"->b", "/bin/x", ";b_[i]"},
		{"a->b_[i]", "/bin/x", "a;b_[i]"},
		{"a->b(int)+0x2", "/bin/x", "a;b_[i]"},
		{"[unknown]", "/usr/lib/libz.so.1", "[libz.so.1]"},
		{"[unknown]", "[unknown]", "[unknown]"},
		{"[unknown]", "[vdso]", "[[vdso]]"},
		{"[unknown]", "//anon", "[anon]"},
		{"[unknown]", "/SYSV0 (deleted)", "[SYSV0]"},
		{"", "/usr/lib/libz.so.1", " "},
		{"0x1234", "/bin/x", "0x1234"},
		{"Ljava/lang/Thread;::run", "/tmp/perf-9.map", "Ljava/lang/Thread:::run"},
		{"_ZN4testE", "/bin/x", "_ZN4testE"},
		{"core::fmt::write::h0123456789abcdef", "/bin/x", "core::fmt::write"},
		{"core::fmt::write::h0123456789ABCDEF+0x9", "/bin/x", "core::fmt::write"},
		{"core::fmt::write::h0123456789abcde", "/bin/x", "core::fmt::write::h0123456789abcde"},
		{"_$LT$$RF$a..B$u20$as$u20$c..D$GT$::e::h0123456789abcdef", "/bin/x", "<&a::B as c::D>::e"},
		{"a::$u7b$$u7b$closure$u7d$$u7d$::h0123456789abcdef", "/bin/x", "a::{{closure}}"},
		{"a$u3b$b::h0123456789abcdef", "/bin/x", "a:b"},
		{"a$what$b..c::h0123456789abcdef", "/bin/x", "a$what$b..c"},
		{"inl", "inlined", "inl"},
		{"go", "/opt/my app/lib.so", "go"},
		{"go", "/opt/my (x86) app/lib.so", "go"},
		{"go", "/opt/(my app/lib.so", "go"},
		{"go(int)", "/opt/a (b)/c (deleted)", "go"},
		{"go", "/lib/libc.so.6+0x1d3", "go"},
		{"[unknown]", "/lib/libc.so.6+0x1d3", "[libc.so.6]"},
	};
	static const struct vector java[] = {
		{"Ljava/lang/Thread;::run", "/tmp/perf-9.map", "java/lang/Thread:::run"},
		{"La/B;.<init>(La/C;)V", "/tmp/perf-9.map", "a/B:.<init>"},
		{"La/B;::x->La/C;::y+0x4", "/tmp/perf-9.map", "a/B:::x;a/C:::y_[i]"},
		{"LBusy;::go", "/tmp/perf-9.map", "LBusy:::go"},
		{"Lazy", "/bin/x", "Lazy"},
	};

	CHECK(plain, "app", "a symbol becomes frames", 0);
	CHECK(java, "java", "a Java symbol becomes frames", 0);
	CHECK(java, "javac", "a task whose name begins with java counts as Java", 0);
}

static void test_annotations(void)
{
	static const struct vector all[] = {
		{"go", "[kernel.kallsyms]", "go_[k]"},
		{"go", "[kernel.kallsyms].init.text", "go_[k]"},
		{"go", "[guest.kernel.kallsyms]", "go_[k]"},
		{"go", "[nf_conntrack]", "go_[k]"},
		{"go", "/lib/modules/6.1/kernel/net/x.ko", "go_[k]"},
		{"go", "/usr/lib/debug/boot/vmlinux-6.1.0-9", "go_[k]"},
		{"go", "vmlinux_6", "go_[k]"},
		{"go", "/boot/vmlinux/x", "go"},
		{"go", "vmlinux-6)x", "go"},
		{"go", "bpf_prog_1", "go"},
		{"go", "[unknown]", "go"},
		{"[unknown]", "[vdso]", "[[vdso]]_[k]"},
		{"[unknown]", "[unknown]", "[unknown]"},
		{"go", "/tmp/perf-77.map", "go_[j]"},
		{"go_[j]", "/tmp/perf-77.map", "go_[j]"},
		{"go", "/home/me/.debug/jit/x/jitted-7-8.so", "go_[j]"},
		{"go", "/tmp/perf-77.mapx", "go"},
		{"a->b", "/tmp/perf-77.map", "a_[j];b_[i]"},
		{"a->b", "[kernel.kallsyms]", "a_[k];b_[i]"},
		{"go", "/bin/x", "go"},
	};
	static const struct vector kernel[] = {
		{"go", "[kernel.kallsyms]", "go_[k]"},
		{"go", "/tmp/perf-77.map", "go"},
	};
	static const struct vector jit[] = {
		{"go", "[kernel.kallsyms]", "go"},
		{"go", "/tmp/perf-77.map", "go_[j]"},
	};
	static const struct vector addrs[] = {
		{"[unknown]", "/usr/lib/libz.so.1", "[libz.so.1 <c0ffee>]"},
		{"[unknown]", "[unknown]", "[unknown <c0ffee>]"},
		{"[unknown]", "[vdso]", "[[vdso] <c0ffee>]"},
		{"go+0x4", "/bin/x", "go"},
	};

	CHECK(all, "app", "--all annotates", .kernel = true, .jit = true);
	CHECK(kernel, "app", "--kernel annotates the kernel only", .kernel = true);
	CHECK(jit, "app", "--jit annotates compiled code only", .jit = true);
	CHECK(addrs, "app", "--addrs adds addresses to frames without a name", .addrs = true);
	gives_with((struct collapse_options){.addrs = true},
	           HEAD "\t   a1 [unknown] (/b/l.so)\n\t   a2 [unknown] (/b/l.so)\n\n" HEAD
	                "\t   a2 [unknown] (/b/l.so)\n\t   a1 [unknown] (/b/l.so)\n\n",
	           "app;[l.so <a1>];[l.so <a2>] 7\napp;[l.so <a2>];[l.so <a1>] 7\n",
	           "addresses of one module are told apart");
}

static void test_kinds(void)
{
	static const struct {
		const char *name;
		enum frame_kind kind;
		const char *module;
	} known[] = {
		{"app", KIND_PROCESS, ""},
		{"kern", KIND_KERNEL, "[kernel.kallsyms]"},
		{"jit", KIND_JIT, "/tmp/perf-1.map"},
		{"user", KIND_USER, "/bin/other"},
		{"in", KIND_INLINED, "/bin/x y"},
		{"b_[i]", KIND_INLINED, "/bin/x y"},
	};
	struct profile p;
	const struct symtab *t = &p.symtab;

	load_as(
		&p, "perf",
		HEAD
		"\t  1 kern ([kernel.kallsyms])\n\t  1 jit (/tmp/perf-1.map)\n\t  1 in (inlined)\n\t  1 user+0x1 (/bin/x y)\n"
		"\t  1 a->b (/bin/x y)\n\t  1 user+0x2 (/bin/other)\n\n");
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		uint32_t sym = symtab_find(t, known[i].name, strlen(known[i].name));
		if (!ok(sym != UINT32_MAX, "there is a symbol %s", known[i].name))
			continue;
		is_int(t->symbols[sym].kind, known[i].kind, "the kind of %s is known", known[i].name);
		is_str(t->symbols[t->symbols[sym].module].name, known[i].module,
		       "the module of %s is the first one by name", known[i].name);
	}
	profile_deinit(&p);
}

/* --- event lines --- */

#define FRAME "\t       a1 go+0x1 (/bin/x)\n\n"

static void test_tasks(void)
{
	struct collapse_options pid = {.pid = true}, tid = {.pid = true, .tid = true};

	gives("my app 1/2 [000] 1.5: 3 cycles:\n" FRAME, "my_app;go 3\n", "a task's name may hold blanks");
	gives("t 1/2 [000] 1.5: 3 cycles:\n" FRAME, "t;go 3\n", "a task's name may be one letter");
	gives("kworker/0:1 1/2 [000] 1.5: 3 cycles:\n" FRAME, "kworker/0:1;go 3\n",
	      "a task's name may hold slashes and colons");
	gives("a;b 1/2 [000] 1.5: 3 cycles:\n" FRAME, "a:b;go 3\n", "a semicolon in a task's name becomes a colon");
	gives("DOM Worker 12 1/2 [000] 1.5: 3 cycles:\n" FRAME, "DOM_Worker_12;go 3\n",
	      "a task's name may end in a number");
	gives("pool 1 2 77 1.5: 3 cycles:\n" FRAME, "pool_1_2;go 3\n", "the number before the time is the task's");
	gives("12 1/2 [000] 1.5: 3 cycles:\n" FRAME, "12;go 3\n", "a task's name may be a number");
	gives("    12    1/2     [000]  1.5:   3 cycles:\n" FRAME, "12;go 3\n", "a padded name may be a number");
	gives(":-1 -1/-1 [000] 1.5: 3 cycles:\n" FRAME, ":-1;go 3\n", "a task that perf does not know is one");
	gives(":77 77/77 [000] 1.5: 3 cycles:\n" FRAME, ":77;go 3\n", "a task without a name has its number");
	gives("a\033[31mb 1/2 [000] 1.5: 3 cycles:\n" FRAME, "a\033[31mb;go 3\n",
	      "bytes of a task's name stay as they are");
	gives("app   1/2     1.5:   3 cycles:\n" FRAME, "app;go 3\n", "the processor may be missing");
	gives("app 1 cycles:\n" FRAME, "app;go 1\n", "very old perf has no time");
	gives("app 1 5 cycles:\n" FRAME, "app;go 5\n", "very old perf may have a period");
	gives("app 1/2 [000] 1.500000001: cycles:\n" FRAME, "app;go 1\n", "without a period a sample counts one");
	gives("app 1/2 [000] 1.5: 0 cycles:\n" FRAME, "app;go 0\n", "a period may be nothing");
	gives("app 1/2 [000] 1.5: 18446744073709551615 cycles:\n" FRAME, "app;go 18446744073709551615\n",
	      "a period has 64 bits");
	gives_with(pid, "app 11/12 [000] 1.5: 3 cycles:\n" FRAME, "app-11;go 3\n", "--pid adds the process");
	gives_with(tid, "app 11/12 [000] 1.5: 3 cycles:\n" FRAME, "app-11/12;go 3\n", "--tid adds process and thread");
	gives_with(pid, "app 12 [000] 1.5: 3 cycles:\n" FRAME, "app-?;go 3\n", "--pid without the process says so");
	gives_with(tid, "app 12 [000] 1.5: 3 cycles:\n" FRAME, "app-?/12;go 3\n", "--tid without the process says so");
	gives_with(tid, ":-1 -1/-1 [000] 1.5: 3 cycles:\n" FRAME, ":-1--1/-1;go 3\n",
	           "--tid of a task that perf does not know");
	gives_with(tid,
	           "app 1/2 [000] 1.5: 3 cycles:\n" FRAME "app 1/3 [000] 1.6: 3 cycles:\n" FRAME
	           "app 1/2 [000] 1.7: 3 cycles:\n" FRAME,
	           "app-1/2;go 6\napp-1/3;go 3\n", "--tid tells threads apart");
}

static void test_task_table(void)
{
	struct profile p;

	load_as(&p, "perf",
	        "java 11/12   [003] 1.000000005: 3 cycles:\n" FRAME "java 11/13 [004] 2.5: 3 cycles:\n" FRAME
	        "b c 14 3.5: 3 cycles:\n" FRAME "java 11/12 cycles:\n" FRAME);
	is_int(p.n_tasks, 4, "every thread is a task, and 0 is the unknown one");
	is_int(p.tasks[1].pid, 11, "a task has its process");
	is_int(p.tasks[1].tid, 12, "a task has its thread");
	is_str(p.symtab.symbols[p.tasks[3].comm].name, "b c", "a task has its name as it was");
	is_int(p.tasks[3].pid, -1, "a process that was not printed is unknown");
	is_int(p.log[0].time[0], 1000000005, "a sample has its time in nanoseconds");
	is_int(p.log[0].time[1], 2500000000, "short fractions of a second are read right");
	ok(p.log[0].time[3] == NO_TIME, "a sample without time has none");
	is_int(p.log[0].cpu[0], 3, "a sample has its processor");
	ok(p.log[0].cpu[2] == NO_CPU, "a sample without processor has none");
	is_int(p.log[0].task[3], p.log[0].task[0], "the same thread is the same task again");
	is_str(p.format, "perf", "the profile knows its format");
	profile_deinit(&p);
}

static void test_events(void)
{
	static const char two[] =
		"app 1/1 1.1: 3 cycles:\n" FRAME "app 1/1 1.2: 100 page-faults:\n" FRAME "app 1/1 1.3: 4 cycles:\n" FRAME;
	struct collapse_options faults = {.event_filter = "page-faults"}, user = {.event_filter = "cycles:u"},
							precise = {.event_filter = "cycles:pp"}, none = {.event_filter = "cycle"},
							trace = {.event_filter = "sched:sched_switch"};
	struct profile p;

	gives(two, "app;go 7\n", "the first event met is shown");
	gives_with(faults, two, "app;go 100\n", "--event-filter chooses an event");
	gives_with(precise, two, "app;go 7\n", "--event-filter may have modifiers that are not part of the name");
	gives_with(user, two, "", "one that counts less is another event");
	gives_with(none, two, "", "--event-filter wants the whole name");
	gives("app 1/1 1.1: 3 cycles:ppp:\n" FRAME "app 1/1 1.2: 4 cycles:\n" FRAME, "app;go 7\n",
	      "modifiers for precision do not make another event");
	gives("app 1/1 1.1: 3 cycles:u:\n" FRAME "app 1/1 1.2: 4 cycles:\n" FRAME "app 1/1 1.3: 4 cycles:\n" FRAME,
	      "app;go 3\n", "those that say where an event counts do");
	gives("app 1/1 1.1: 3 cpu_core/cycles/P:\n" FRAME, "app;go 3\n", "an event may hold slashes");
	gives_with(trace,
	           "app 1/1 1.1: sched:sched_wakeup: a=b\n" FRAME
	           "app 1/1 1.1: sched:sched_switch: prev=x ==> next\n" FRAME,
	           "app;go 1\n", "tracepoints of one system are told apart");
	gives("app 1/1 [000] 1.1: sched:sched_switch: prev_comm=a b prev_pid=12 ==> next_comm=[x] (y)\n" FRAME,
	      "app;go 1\n", "a tracepoint may have arguments");
	gives_with((struct collapse_options){.event_filter = "cycles"},
	           "a 1/1 1.1: 9 faults:\n\t a1 go (/bin/x)\n" HEAD "\t a1 go (/bin/x)\n\n" HEAD
	           "\t a1 go (/bin/x)\n\n",
	           "app;go 14\n", "an event that is left out ends where the next one begins");
	gives("app 1/1 1.1: faults:\n\n" HEAD "\t a1 go (/bin/x)\n\n", "app;go 7\n",
	      "the first event is one with a stack");
	gives("app 1/1 1.1: probe_x:y: (7f00)\n" FRAME, "app;go 1\n", "an address alone is no frame");

	load_as(&p, "perf", two);
	is_int(p.n_series, 2, "every event is kept");
	is_str(p.symtab.symbols[p.series[1].name].name, "page-faults", "an event has its name");
	is_int(p.series[0].total[0], 7, "an event has its sum");
	is_int(p.series[1].total[0], 100, "another event has its own sum");
	profile_deinit(&p);
}

static void main_event_is(const char *events, const char *text, const char *expected, const char *name)
{
	struct collapse_options o = {.events = events};
	struct profile p;

	collapse_pieces(&p, &format_perf, &o, text, strlen(text), SIZE_MAX);
	is_str(p.symtab.symbols[p.series[profile_main_series(&p, 0)].name].name, expected, "%s", name);
	profile_deinit(&p);
}

static void test_main_event(void)
{
	static const char text[] = "app 1/1 1.0: 9000 page-faults:\n" FRAME "app 1/1 1.1: 3 cycles:u:\n" FRAME
							   "app 1/1 1.2: 4 cycles:u:\n" FRAME;

	main_event_is(NULL, text, "cycles:u", "the event with most samples is the main one, not the first in time");
	main_event_is("page-faults,cycles:u", text, "page-faults",
	              "the order of the recording comes before numbers of samples");
	main_event_is("branches,cycles:u,page-faults", text, "cycles:u",
	              "an event without samples is not the main one");
	main_event_is("branches", text, "cycles:u",
	              "an order that names no event of the input leaves it to the samples");
	main_event_is(NULL, "app 1/1 1.0: 1 a:\n" FRAME "app 1/1 1.1: 1 b:\n" FRAME, "a",
	              "of two events with as many samples the first one is the main one");
}

/* --- records --- */

static void cut_is_told(const char *text, bool is_told, const char *what)
{
	struct profile p;
	load_as(&p, "perf", text);
	is_int(notes_of(&p, "the input ends within this sample"), is_told, "%s %s", what,
	       is_told ? "is told" : "is no cut");
	profile_deinit(&p);
}

static void test_records(void)
{
	static const char *const twice = "app;go 14\n";

	gives(HEAD "\t a1 go (/bin/x)\n\n" HEAD "\t a1 go (/bin/x)\n\n", twice, "a blank line ends an event");
	gives(HEAD "\t a1 go (/bin/x)\n" HEAD "\t a1 go (/bin/x)\n", twice, "an event line ends the event before");
	gives(HEAD "\t a1 go (/bin/x)\n\n" HEAD "\t a1 go (/bin/x)", twice, "the end of the file ends an event");
	cut_is_told(HEAD "\t a1 go (/bin/x)\n\n" HEAD "\t a2 up+0x1 (/bi", true, "a cut within a module");
	cut_is_told(HEAD "\t a1 go (/bin/x)\n\n" HEAD "\t a1 go (/bin/x)\n\t a2 u", true, "a cut within a name");
	cut_is_told(HEAD "\t a1 go (/bin/x)\n\n" HEAD "\t a1 go (/bin/x)\n\t a2 up (/bin/x)", false, "no newline");
	cut_is_told(HEAD "\t a1 go (/bin/x)\n", false, "no blank line");
	cut_is_told(HEAD "\t a1 go\n\n" HEAD "\t a1 go\n\t a2 up", false, "no module anywhere");
	gives("\n\n" HEAD "\t a1 go (/bin/x)\n\n\n\n" HEAD "\t a1 go (/bin/x)\n\n\n", twice,
	      "more blank lines are nothing");
	gives("# a\n" HEAD "# b\n\t a1 go (/bin/x)\n# c\n\n" HEAD "\t a1 go (/bin/x)\n", twice,
	      "comments are nothing anywhere");
	gives(
		"app 12/12 [000] 1.5: 7 cycles:\r\n\t a1 go (/bin/x)\r\n\r\napp 12/12 [000] 1.5: 7 cycles:\r\n\t a1 go (/bin/x)\r\n\r\n",
		twice, "lines may end in CR LF");
	gives(HEAD "            a1 go (/bin/x)\n   \t \n" HEAD "a1 go (/bin/x)\n", twice,
	      "blanks stand for the tab, or nothing does");
	gives(HEAD "\t    7fffdeadbeef go+0x10 (/bin/x)  \t\n\n" HEAD "\t00007fffdeadbeef go (/bin/x)\n", twice,
	      "blanks behind the module are nothing");
	gives("a 1/1 1.1: 3 cycles:  a1 go+0x4 (/bin/x)\nb 1/1 1.2: 4 cycles:pp:  a1 up (/bin/x)\n", "a;go 3\nb;up 4\n",
	      "an event without call chain has its frame on its line");
	gives("       a 1/1 1.1: 3 cycles:  a1 go+0x4 (/bin/x)\n      dd 1/1 1.2: 4 cycles:  a1 up (/bin/x)\n",
	      "a;go 3\ndd;up 4\n", "events without call chains are padded, and their tasks may look like addresses");
	gives("     app 1/1 1.1: x:y: z\n     bad 1/1 1.1: 3 cycles:  a1 go (/bin/x)\n", "bad;go 3\n",
	      "an event without frame is followed by one with a frame");
	gives_with((struct collapse_options){.event_filter = "cycles"},
	           "     app 1/1 1.1: x:y: z\n     bad 1/1 1.1: 3 cycles:  a1 go (/bin/x)\n", "bad;go 3\n",
	           "an event that is left out ends with its line");
	gives_with((struct collapse_options){.event_filter = "cycles"},
	           "a 1/1 1.1: 9 faults: a1 go (/bin/x)\n" HEAD "\t a1 go (/bin/x)\n", "app;go 7\n",
	           "so does one with a frame");
	gives(HEAD "\t a1 c (/bin/x)\n\t a2 b (/bin/x)\n\t a3 a (/bin/x)\n\n", "app;a;b;c 7\n",
	      "the leaf is printed first");
}

static void test_odd_lines(void)
{
	struct profile p;

	load_as(&p, "perf", HEAD "\n" HEAD "\t a1 go (/bin/x)\n\n");
	is_int(p.log[0].n, 1, "a sample without a stack is left out");
	is_int(notes_of(&p, "sample without a stack"), 1, "a sample without a stack is counted");
	is_int(p.report.notes[0].weight, 7, "the weight of a sample without a stack is reported");
	is_int(p.report.notes[0].line, 1, "the line of a sample without a stack is reported");
	profile_deinit(&p);

	load_as(&p, "perf", "what is this\n" HEAD "\t a1 go (/bin/x)\n\nand this\n\n");
	is_int(notes_of(&p, "not an event line"), 2, "lines that are no event lines are counted");
	is_int(first_line_of(&p, "not an event line"), 1, "the first odd line is reported");
	is_int(p.log[0].total, 7, "the other lines are read");
	profile_deinit(&p);

	load_as(&p, "perf", HEAD "\t a1 go\n\t a1 go (/bin/x)\n\t zz zz\n\n");
	is_int(notes_of(&p, "not a stack line"), 2,
	       "a frame line without module is counted, and so is one without address");
	is_int(first_line_of(&p, "not a stack line"), 2, "the first odd frame line is reported");
	is_int(p.log[0].total, 7, "the frames that are left are a stack");
	profile_deinit(&p);

	load_as(&p, "perf", HEAD "\t a1 go\n\n" HEAD "\t a1 go (/bin/x)\n");
	is_int(notes_of(&p, "not a stack line"), 1, "an odd frame line before the end of the event is counted");
	is_int(notes_of(&p, "sample without a stack"), 0, "a stack of odd lines is not counted again");
	profile_deinit(&p);

	load_as(&p, "perf", HEAD "\t a1 go (/bin/x)\n instruction trace error type 1 cpu 0\n\t a2 up (/bin/x)\n\n");
	is_int(notes_of(&p, "not a stack line"), 1, "an error of the decoder is counted");
	is_int(p.n_paths, 4, "frames before and after it are one stack");
	profile_deinit(&p);

	load_as(
		&p, "perf",
		HEAD
		"\tffffffff9c2009e7 [unknown] ([kernel.kallsyms])\n\n" HEAD
		"\tffffffff9c2009e7 [unknown] ([kernel.kallsyms])\n\t  )\n\tfffffffffff [unknown] ([kernel.kallsyms])\n\n");
	is_int(notes_of(&p, "not a stack line"), 1,
	       "a short line and the next one are not taken for one that was met before");
	profile_deinit(&p);
}

/* Output of other programs, or of perf script with -F. */
static void test_dialects(void)
{
	static const char bare[] = "app 1/2 1.5: 3 cycles:\n\t  55d0a1 f+0x1c\n\t  55d0a2 main\n";
	struct profile p;

	gives(
		"Gecko\t25122 [007] 115539.936601:\t\t1000000 task-clock:u:\n        b3cea6c4\tLock::unlock() (/lib/libc.so)\n"
		"        b3cea535\tmain (/bin/app)\n\n",
		"Gecko;main;Lock::unlock 1000000\n", "tabs stand between words, as simpleperf has them");
	gives_with((struct collapse_options){.pid = true, .tid = true},
	           "my app\t12 [007] 1.5:\t\t3 cpu-cycles:\n    a1\tgo (/bin/x)\n", "my_app-?/12;go 3\n",
	           "and the number between tabs is the task's");
	gives("java 1.5:   9 cpu-clock: \n" FRAME "my app [001] 2.5: 3 cpu-clock: \n" FRAME, "java;go 9\nmy_app;go 3\n",
	      "a task may have a name only");
	gives("app 1.5: \n" FRAME, "app;go 1\n", "and no event");
	gives_with((struct collapse_options){.pid = true, .tid = true}, "app 1.5: 3 cycles:\n" FRAME, "app-?/?;go 3\n",
	           "--tid of a name only says so");
	load_as(&p, "perf", "app [000] 1.5: 3 cycles:\n" FRAME);
	ok(p.log[0].time && p.log[0].time[0] == 1500000000, "its time is known");
	ok(p.log[0].cpu && p.log[0].cpu[0] == 0, "and the processor");
	profile_deinit(&p);

	gives(bare, "app;main;f 3\n", "frames may have no modules");
	gives("app 1/2 1.5: 3 cycles:\n\t  55d0a1 [unknown]\n\n", "app;[unknown] 3\n", "nor names");
	load_as(&p, "perf", bare);
	is_int(p.report.n, 0, "and nothing is odd about them");
	profile_deinit(&p);
	gives("app 1/2 1.5: 3 cycles:\n\t 55d0a1 f\n\t 55d0a2 go (/bin/x)\n\t 55d0a3 g+0x7\n\tffffffffffffffff h\n\n",
	      "app;h;g;go;f 3\n", "nor some of those next to others");
	load_as(&p, "perf", HEAD "\t 55d0a2 go (/bin/x)\n\tadded later\n\t55d0a3\n\n");
	is_int(notes_of(&p, "not a stack line"), 2,
	       "but there a word like a number is no address, and a number alone is no frame");
	profile_deinit(&p);
}

static void test_side_band(void)
{
	static const char records[] =
		"app 1/1 [001] 71.000000: PERF_RECORD_COMM exec: app:1/1\n"
		"app 1/1 [001] 71.000000: PERF_RECORD_NAMESPACES 1/1 - nr_namespaces: 7\n"
		"\t\t[0/net: 4/0xf0000098, 1/uts: 4/0xeffffffe, \n\t\t 4/user: 4/0xeffffffd]\n" HEAD "\t a1 go (/bin/x)\n\n"
		"app 1/1 [001] 72.150000: PERF_RECORD_SWITCH OUT          \n"
		"app 1/1 [001] 72.160000: PERF_RECORD_LOST lost 12\n"
		"app 1/1 [001] 72.160000: PERF_RECORD_LOST_SAMPLES lost 3\n";
	struct profile p;

	load_as(&p, "perf", records);
	is_int(p.log[0].total, 7, "perf's records without samples have no weight");
	is_int(p.lacks[0].lost, 15, "the losses that they report are counted once");
	is_int(notes_of(&p, "sample without a stack"), 0, "they are no samples without a stack");
	is_int(notes_of(&p, "records that are no samples"), 3, "they are mentioned");
	is_int(notes_of(&p, "not a"), 0, "and lines that belong to them are not odd");
	profile_deinit(&p);

	gives("app 1/1 [000] 1.5: 3 cycles:\napp 1/1 [000] 1.6: 4 cycles: a1 go (/bin/x)\n", "app;go 4\n",
	      "an event on one line behind one without frames counts once");
}

static void test_skip_after(void)
{
	static const char *const names[] = {"cut", "f(int)", NULL};
	struct collapse_options o = {.skip_after = names}, with_source = {.skip_after = names, .srcline = true};

	gives_with(o, HEAD "\t a1 leaf (/b/x)\n\t a2 cut+0x3 (/b/x)\n\t a3 main (/b/x)\n\n", "cut;leaf 7\n",
	           "--skip-after drops callers and the process");
	gives_with(o, HEAD "\t a1 cut (/b/x)\n\n", "cut 7\n", "--skip-after may leave one frame");
	gives_with(o, HEAD "\t a1 leaf (/b/x)\n\t a3 main (/b/x)\n\n", "app;main;leaf 7\n",
	           "--skip-after leaves others alone");
	gives_with(o, HEAD "\t a1 leaf (/b/x)\n\t a2 f(int)+0x3 (/b/x)\n\t a3 main (/b/x)\n\n", "f;leaf 7\n",
	           "--skip-after compares with the parameters");
	gives_with(o, HEAD "\t a1 leaf (/b/x)\n\t a2 cut->x (/b/x)\n\t a3 main (/b/x)\n\n",
	           "app;main;cut;x_[i];leaf 7\n", "--skip-after compares the whole chain");
	gives_with(o, HEAD "\t a1 cut (/b/x)\n\t a1 go (/b/x)\n\n" HEAD "\t a1 go (/b/x)\n\t a1 cut (/b/x)\n\n",
	           "cut 7\ncut;go 7\n", "--skip-after begins anew with each event");
	gives_with(with_source,
	           HEAD "\t a1 cut (/b/x)\n  c.c:1\n\t a1 go (/b/x)\n  g.c:2\n\t a1 up (/b/x)\n  u.c:3\n\n",
	           "cut:c.c:1 7\n", "--skip-after leaves the source lines of dropped callers alone");
}

/* --- source lines --- */

static void test_source_lines(void)
{
	static const char text[] = HEAD
		"\t a1 in\n  in.c:3 (inlined)\n\t a1 go+0x4 (/b/x)\n  go.c:12 (discriminator 2)\n\t a2 libgo (/b/y)\n  y[7f00]\n"
		"\t a3 up (/b/x)\n  up+4\n\t a4 top (/b/x)\n  ??:0\n\t a5 all (/b/x)\n  :0\n\n";
	struct collapse_options o = {.srcline = true};
	struct profile p;
	const struct symbol *s;

	gives(text, "app;all;top;up;libgo;go;in 7\n", "source lines are no frames");
	gives_with(o, text, "app;all;top;up;libgo;go:go.c:12;in:in.c:3 7\n", "--srcline adds the line to the frame");
	gives_with(o, HEAD "\t a1 a->b (/b/x)\n  x y.c:12\n\n", "app;a:x y.c:12;b_[i]:x y.c:12 7\n",
	           "--srcline adds the line to every frame of a chain");
	gives_with(o, HEAD "\t a1 go (/b/x)\n  add.c:5\n\n", "app;go:add.c:5 7\n",
	           "a file's name may begin like an address");

	load_as(&p, "perf", text);
	s = &p.symtab.symbols[symtab_find(&p.symtab, "go", 2)];
	is_str(place_of_symbol(&p.symtab, (uint32_t)(s - p.symtab.symbols)), "go.c:12",
	       "the line is known without --srcline too");
	s = &p.symtab.symbols[symtab_find(&p.symtab, "up", 2)];
	is_int(s->source, 0, "a place without a line is ignored");
	is_int(p.symtab.symbols[symtab_find(&p.symtab, "in", 2)].kind, KIND_INLINED,
	       "an inlined function is known as such");
	is_int(p.report.n, 0, "nothing is skipped");
	profile_deinit(&p);
}

/* --- detection --- */

static enum sniff sniff(const char *text)
{
	struct head head = {.text = text, .len = strlen(text), .is_all = true};
	const char *why;

	return format_perf.sniff(&head, &why);
}

static void test_detection(void)
{
	is_int(sniff(HEAD FRAME), SNIFF_YES, "an event and a frame are perf");
	is_int(sniff("# cmdline\n#\n\n" HEAD FRAME), SNIFF_YES, "comments and blank lines come before");
	is_int(sniff("app 1/1 1.5: cycles: a1 go (/bin/x)\n"), SNIFF_YES, "an event with its frame is perf");
	is_int(sniff(HEAD "\n"), SNIFF_MAYBE, "an event alone may be perf");
	is_int(sniff("main;read 3\n"), SNIFF_NO, "folded stacks are not perf");
	is_int(sniff("hello\n"), SNIFF_NO, "prose is not perf");
	is_int(sniff("Gecko\t25122 [007] 1.5:\t\t1 task-clock:u:\n   b3ce\tgo (/x)\n"), SNIFF_YES,
	       "tabs between words are perf");
	is_int(sniff("app 1.5: cycles:\n" FRAME), SNIFF_YES, "an event without numbers of a task is perf");
	is_int(sniff("app 1/1 1.5: cycles:\n\t 55d0a1 go+0x1\n"), SNIFF_YES,
	       "an event and a frame without module are perf");
	is_int(sniff("Part 12 title:\n  2024 report\n"), SNIFF_MAYBE, "but not without a time");
	is_int(sniff("app 1/1 1.5: PERF_RECORD_COMM: app:1/1\n"), SNIFF_YES, "a record is perf");
	is_int(sniff("app 1/1 1.5: PERF_RECORD_X\n"), SNIFF_YES, "of any kind");
	is_int(sniff(""), SNIFF_NO, "nothing is not perf");
	is_int(sniff("app 1/1 [000] 1.5: 7 cycles:\r\n\t a1 go (/bin/x)\r\n"), SNIFF_YES, "lines may end in CR LF");
}

/* --- pieces --- */

/* Events of all kinds, one after the other. */
static void add_events(struct buf *b, unsigned n, uint64_t seed)
{
	static const char *const symbols[] = {"main+0x1", "a;b", "f(int)+0x22", "x->y->z+0x3", "[unknown]",
	                                      "(idle)",   "",    "operator->()"};
	static const char *const modules[] = {"/bin/x",        "[kernel.kallsyms]", "/tmp/perf-1.map",
	                                      "/opt/a b/c.so", "/x (deleted)",      "inlined"};
	static const char *const tasks[] = {"app 1/1", "my app 2/3", "w 12 7", "DOM Worker 3 4/5"};

	for (unsigned i = 0; i < n; i++) {
		unsigned depth = chance(&seed, 6);
		buf_addf(b, "%s [%03u] %u.%06u: %u %s:\n", tasks[chance(&seed, 4)], chance(&seed, 3), i,
		         chance(&seed, 1000000), chance(&seed, 3) ? 1 + chance(&seed, 99) : 0,
		         chance(&seed, 4) ? "cycles" : "faults:u");
		while (depth--) {
			buf_addf(b, "\t%16x %s (%s)\n", chance(&seed, 9999), symbols[chance(&seed, 8)],
			         modules[chance(&seed, 6)]);
			if (chance(&seed, 9) == 0)
				buf_adds(b, chance(&seed, 2) ? "  file.c:12\n" : "# a comment\n");
			if (chance(&seed, 12) == 0)
				buf_adds(b, chance(&seed, 2) ? "\t  12 orphan\n" : "odd line\n");
		}
		if (chance(&seed, 8))
			buf_adds(b, chance(&seed, 9) ? "\n" : "\r\n \n");
	}
}

/* Stacks that grow and shrink at the leaf, as a thread's do, in several tasks at once. */
static void add_walks(struct buf *b, unsigned n, uint64_t seed)
{
	static const char *const symbols[] = {"main+0x1", "f(int)+0x22", "x->y->z+0x3", "[unknown]", "(idle)", "g"};
	static const char *const tasks[] = {"app 1/1", "app 1/2", "java 3/3"};
	uint32_t stacks[3][40], depths[3] = {0};

	for (unsigned i = 0; i < n; i++) {
		unsigned k = chance(&seed, 3), drop = chance(&seed, depths[k] + 1);
		if (chance(&seed, 4) == 0)
			depths[k] = drop;
		while (depths[k] < 40 && chance(&seed, 3))
			stacks[k][depths[k]++] = chance(&seed, 1000);
		buf_addf(b, "%s %u.%06u: %u cycles:\n", tasks[k], i, i, i + 1);
		for (uint32_t d = depths[k]; d--;)
			buf_addf(b, "\t%16x %s (/bin/%s)\n", stacks[k][d], symbols[stacks[k][d] % 6],
			         stacks[k][d] % 7 ? "x" : "y z");
		buf_addc(b, '\n');
	}
}

static void check_pieces(const struct buf *text, struct collapse_options o, const char *what)
{
	struct profile p;
	char *whole;
	bool good = true;

	collapse_pieces(&p, &format_perf, &o, text->data, text->len, SIZE_MAX);
	whole = samples_of(&p);
	profile_deinit(&p);
	for (size_t step = 1; step < text->len && good; step += 1 + step / 64) {
		char *got;
		collapse_pieces(&p, &format_perf, &o, text->data, text->len, step);
		got = samples_of(&p);
		good = strcmp(got, whole) == 0;
		if (!good)
			diag("pieces of %zu bytes:\n%s---\n%s", step, whole, got);
		free(got);
		profile_deinit(&p);
	}
	ok(good, "pieces of any size give the same samples and the same notes (%s)", what);
	free(whole);
}

static void test_pieces(void)
{
	struct buf text;

	buf_init(&text);
	add_events(&text, 40, 1);
	check_pieces(&text, (struct collapse_options){.kernel = true, .jit = true, .srcline = true},
	             "events with source lines");
	check_pieces(&text, (struct collapse_options){.tid = true}, "events of all kinds");
	check_pieces(&text, (struct collapse_options){.event_filter = "faults"}, "some events");
	text.len = 0;
	add_walks(&text, 120, 2);
	check_pieces(&text, (struct collapse_options){0}, "stacks that share their roots");
	check_pieces(&text, (struct collapse_options){.addrs = true, .pid = true}, "stacks with addresses");
	buf_deinit(&text);
}

static void test_cut(void)
{
	is_int(format_perf.cut("a\nb\n\nc\n", 7), 5, "a record ends with a blank line");
	is_int(format_perf.cut("a\r\n\r\nc\n", 7), 5, "a blank line may end in CR LF");
	is_int(format_perf.cut("a\nb\n", 4), 0, "without a blank line there is no end");
	is_int(format_perf.cut("", 0), 0, "nothing has no end");
	is_int(format_perf.cut("\n\n", 2), 2, "a piece may end with its record");
}

/* Two threads need 48 MiB to be worth it. */
static void test_threads(void)
{
	struct collapse_options one = {.format = "perf", .jobs = 1}, two = {.format = "perf", .jobs = 2};
	struct profile a, b;
	struct err err;
	struct buf text;
	char *x, *y;

	buf_init(&text);
	add_events(&text, 2000, 7);
	for (size_t len = text.len; text.len < (50u << 20);) {
		char *room = buf_reserve(&text, len);
		memcpy(room, text.data, len);
		text.len += len;
	}
	ok(load_bytes(&a, &one, text.data, text.len, &err), "a large file is read by one thread");
	ok(load_bytes(&b, &two, text.data, text.len, &err), "a large file is read by two threads");
	x = folded_of(&a);
	y = folded_of(&b);
	ok(strcmp(x, y) == 0, "two threads find the same stacks");
	is_int(b.log[0].n, a.log[0].n, "two threads find as many samples");
	is_int(b.n_tasks, a.n_tasks, "two threads find as many tasks");
	is_int(b.report.n, a.report.n, "two threads skip lines for the same reasons");
	for (size_t i = 0; i < a.report.n && i < b.report.n; i++) {
		is_int(b.report.notes[i].count, a.report.notes[i].count, "two threads skip as many lines");
		is_int(b.report.notes[i].line, a.report.notes[i].line, "two threads name the same first line");
	}
	ok(memcmp(a.log[0].weight, b.log[0].weight, a.log[0].n * sizeof *a.log[0].weight) == 0,
	   "two threads keep the order");
	ok(memcmp(a.log[0].time, b.log[0].time, a.log[0].n * sizeof *a.log[0].time) == 0, "two threads keep the times");
	free(x);
	free(y);
	profile_deinit(&a);
	profile_deinit(&b);
	buf_deinit(&text);
}

static void test_deep(void)
{
	struct buf text;
	struct profile p;

	buf_init(&text);
	buf_adds(&text, HEAD);
	for (unsigned i = 0; i < 200000; i++)
		buf_addf(&text, "\t%16x f%u+0x1 (/bin/x)\n", i, i % 1000);
	ok(load_as(&p, "perf", buf_str(&text)), "a stack of 200000 frames is read");
	is_int(profile_depth(&p, p.log[0].path[0]), 200001, "all of its frames are there");
	profile_deinit(&p);
	buf_deinit(&text);
}

/*
 * So many lines that each slot of the line cache holds one that nearly fills it. Sanitizers detect a read past the
 * end.
 */
static void test_long_lines(void)
{
	enum { LINES = 20000 };
	struct buf text;
	struct profile p;

	buf_init(&text);
	for (unsigned i = 0; i < LINES; i++) {
		buf_adds(&text, HEAD);
		for (int twice = 0; twice < 2; twice++)
			buf_addf(
				&text,
				"\t%16x a_name_of_a_function_that_is_long_but_not_too_long_to_be_kept_%05u+0x1f (/usr/bin/program)\n",
				i, i);
		buf_adds(&text, "\n");
	}
	ok(load_as(&p, "perf", buf_str(&text)), "long lines are read");
	is_int(p.log[0].n, LINES, "all of them");
	is_int(p.n_paths, 2 + 2 * LINES, "each twice in its stack");
	profile_deinit(&p);
	buf_deinit(&text);
}

/* perf record --off-cpu: a wait ends at its time, and one that perf summed up has none. */
static void test_off_cpu_time(void)
{
	struct profile p;
	ok(load_as(&p, "perf",
	           "app 12 [000] 5.000000: 2000000000 offcpu-time:\n\t 1 read (/bin/x)\n\n"
	           "app 12 [000] 18446744069.414584: 3 offcpu-time:\n\t 1 read (/bin/x)\n\n"),
	   "times off the CPU are read");
	is_int(p.log[0].time[0], 3000000000, "a wait begins before its time");
	ok(p.log[0].time[1] == NO_TIME, "the sum of waits has no time");
	is_str(p.symtab.symbols[p.series[0].unit].name, "ns", "they are nanoseconds");
	ok(p.series[0].is_off_cpu, "off the CPU");
	profile_deinit(&p);
}

/* perf script --no-merge-callchains */
static void test_deferred_callers(void)
{
	const char *text = HEAD "\tffffffff845b78d8 read ([kernel])\n\t b00000006 (cookie) ([unknown])\n\n"
							"app 12/12 [000] 1.600000: DEFERRED CALLCHAIN [cookie: b00000006]\n"
							"%c            7f18fe337fa7 main (/bin/x)\n\n" HEAD "\t 1 work (/bin/x)\n\n";
	for (const char *blank = "\t "; *blank; blank++) {
		struct buf whole;
		buf_init(&whole);
		const char *place = strstr(text, "%c");
		buf_add(&whole, text, (size_t)(place - text));
		buf_addc(&whole, *blank);
		buf_adds(&whole, place + 2);
		gives(buf_str(&whole), "app;read 7\napp;work 7\n", "callers in records of their own are no samples");
		buf_deinit(&whole);
	}
}

int main(void)
{
	test_deferred_callers();
	test_off_cpu_time();
	test_symbols();
	test_annotations();
	test_kinds();
	test_tasks();
	test_task_table();
	test_events();
	test_main_event();
	test_records();
	test_odd_lines();
	test_dialects();
	test_side_band();
	test_skip_after();
	test_source_lines();
	test_detection();
	test_pieces();
	test_cut();
	test_threads();
	test_deep();
	test_long_lines();
	return done_testing();
}
