/*
 * shapes.c - writes one stack of any depth, and any number of stacks next to each other, in every format.
 *
 *	shapes list              the formats, one a line; "indented" behind those whose files grow with the square of the depth,
 *	                         "comb" behind those that have one
 *	shapes deep FORMAT N     f0 calls f1 calls f2 ...: N functions
 *	shapes wide FORMAT N     N functions next to each other
 *	shapes comb FORMAT N     half of them on top of each other, the other half next to each other on top of these; in some formats
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In all texts, %ld is the number of the function. Leaf first unless is_root_first. */
struct lines {
	const char *name;
	const char *heading;        /* once per file */
	const char *before, *frame; /* once per stack */
	const char *after, *ending;
	bool is_root_first;
};

static const struct lines stacks[] = {
	{"aix", "", "12: app\n---------- tid# 7 (pthread ID: 1) ----------\n", "0x01  f%ld() + 0x1\n", "", "", false},
	{"bpftrace", "", "@[\n", "    f%ld+1\n", "]: 3\n\n", "", false},
	{"dtrace", "", "\n", "    app`f%ld+0x1\n", "    3\n", "", false},
	{"elfutils", "PID 1 - process\n", "TID 1:\n", "#0  0x01 f%ld\n", "", "", false},
	{"faulthandler", "", "Thread 0x01 (most recent call first):\n", "  File \"a.py\", line 1 in f%ld\n", "\n", "",
     false},
	{"folded", "", "", "f%ld;", "leaf 1\n", "", true},
	{"gdb", "", "Thread 1 (LWP 1):\n", "#1  0x06 in f%ld () at a.c:3\n", "\n", "", false},
	{"ibmjava", "", "3XMTHREADINFO      \"w\" J9VMThread:0x1\n",
     "4XESTACKTRACE                at a/B.f%ld(B.java:1)\n", "3XMTHREADINFO3           Native callstack:\n", "",
     false},
	{"java-exceptions", "", "java.lang.Error\n", "\tat a.B.f%ld(B.java:1)\n", "\n", "", false},
	{"jstack", "Full thread dump X:\n", "\"t\" #1\n   java.lang.Thread.State: RUNNABLE\n",
     "\tat a.B.f%ld(B.java:1)\n", "\n", "", false},
	{"ljp", "", "1 1 a.B.leaf(B.java:1)\n", "    a.B.f%ld(B.java:1)\n", "", "", false},
	{"perf", "", "app 1/1 1.000000: 7 cycles:\n", "\t   401136 f%ld+0x1 (/bin/app)\n", "\n", "", false},
	{"perf-sched", "",
     "app 1/2 708189.500000: sched:sched_switch: prev_comm=app prev_pid=2 prev_prio=120 prev_state=S ==> "
     "next_comm=x "
     "next_pid=0 next_prio=120\n",
     "\t   401136 f%ld+0x1 (/bin/app)\n",
     "\nx 0/0 708189.600078: sched:sched_stat_sleep: comm=app pid=2 delay=100078421 [ns]\n\tffffffff81094a2b wake "
     "([kernel.kallsyms])\n\n",
     "", false},
	{"stap", "", "", " 0x01 : f%ld+0x1/0x2 [app]\n", " 3\n", "", false},
	{"wcp", "Full stacks by number of samples:\n", "\n1.0% = (3 samples)\n", "      1: f%ld   (at /a.c:1)\n", "",
     "", false},
	{"xctrace", "<?xml version=\"1.0\"?>\n<trace-query-result><node>", "<row><backtrace id=\"8%ld\">",
     "<frame id=\"9%ld\" name=\"f%ld\"/>", "</backtrace></row>\n", "</node></trace-query-result>\n", false},
};

static void print_number(const char *format, long i)
{
	for (const char *at; (at = strstr(format, "%ld")) != NULL; format = at + 3)
		printf("%.*s%ld", (int)(at - format), format, i);
	fputs(format, stdout);
}

static void print_stacks(const struct lines *l, bool is_deep, long n)
{
	fputs(l->heading, stdout);
	for (long i = 0; i < n; i++) {
		if (i == 0 || !is_deep)
			print_number(l->before, i);
		print_number(l->frame, is_deep && !l->is_root_first ? n - 1 - i : i);
		if (i == n - 1 || !is_deep)
			fputs(l->after, stdout);
	}
	fputs(l->ending, stdout);
}

/* --- trees, root first, one node a line --- */

struct tree {
	const char *name, *heading;
	const char *indent; /* once per level; NULL: a number is the level */
	const char *node;   /* %ld: function */
	const char *ending;
};

static const struct tree trees[] = {
	{"ghcprof", "", " ", "", ""},
	{"instruments", "Weight\tSelf Weight\t\tSymbol Name\n", " ", "f%ld\n", ""},
	{"pmc", "@ cycles [20 samples]\n\n", " ", "f%ld\n", ""},
	{"sample", "Call graph:\n    9 Thread_1\n", "  ", "      1 f%ld  (in app) + 1  [0x1]\n",
     "\nTotal number in stack (recursive counted multiple, when >=5):\n"},
	{"vtune", "Function Stack,CPU Time:Self,Module\n", " ", "f%ld,1,app\n", ""},
	{"vtune-mc", "war:Column filter is ON.\nFunction Stack,Allocations:Self,Module\n", " ", "f%ld,1,app\n", ""},
};

static void print_indented(const struct tree *t, long level, long i)
{
	if (strcmp(t->name, "instruments") == 0)
		printf("3.00 ms  100.0%%\t1.0 ms\t \t");
	if (strcmp(t->name, "pmc") == 0)
		printf("%*s%ld.0%%  [9]       ", (int)level, "", level ? 100L : 1L);
	else
		for (long k = 0; k < level; k++)
			fputs(t->indent, stdout);
	print_number(t->node, i);
}

/* The columns of ghcprof are below their headings, so the first is as wide as the tree is deep. */
static void ghcprof(bool is_deep, long n)
{
	int width = (is_deep ? (int)n : 0) + 16;
	printf("%-*sMODULE  SRC       no.  entries  %%time %%alloc   %%time %%alloc\n\n", width, "COST CENTRE");
	for (long i = 0; i < n; i++) {
		int level = is_deep ? (int)i : 0;
		printf("%*sf%-*ldMain    a.hs:1    120        0    0.7    0.0   100.0  100.0\n", level, "",
		       width - level - 1, i);
	}
}

static void print_tree(const struct tree *t, bool is_deep, long n)
{
	if (strcmp(t->name, "ghcprof") == 0) {
		ghcprof(is_deep, n);
		return;
	}
	fputs(t->heading, stdout);
	for (long i = 0; i < n; i++)
		print_indented(t, is_deep ? i : 0, i);
	fputs(t->ending, stdout);
}

/* --- the others --- */

static void chrome(long depth, long n)
{
	printf("{\"traceEvents\":[");
	for (long i = 0; i < n; i++)
		printf("%s{\"ph\":\"X\",\"name\":\"f%ld\",\"ts\":%ld,\"dur\":%ld,\"pid\":1,\"tid\":1}\n", i ? "," : "", i,
		       i, i < depth - 1 ? 2 * (n - i) : 1);
	printf("]}\n");
}

static void chrome_event(char phase, long function, long at, long tid)
{
	printf("{\"ph\":\"%c\",\"name\":\"f%ld\",\"ts\":%ld,\"pid\":1,\"tid\":%ld},\n", phase, function, at, tid);
}

/* Ends come in the order of begins, not of the stack. */
static void chrome_crossing(long depth, long n)
{
	printf("[");
	for (long i = 0; i < n; i++) {
		chrome_event('B', i, 2 * i, 1);
		if (i >= depth - 1)
			chrome_event('E', i, 2 * i + 1, 1);
	}
	for (long i = 0; i < depth - 1; i++)
		chrome_event('E', i, 2 * n, 1);
	printf("]\n");
}

/* Without any ends; in separate threads for wide ones. */
static void chrome_unended(long depth, long n)
{
	printf("[");
	for (long i = 0; i < n; i++)
		chrome_event('B', i, i, i < depth - 1 ? 1 : 1 + i % 1000);
	printf("{\"ph\":\"X\",\"name\":\"last\",\"ts\":%ld,\"dur\":1,\"pid\":1,\"tid\":1}]\n", n);
}

/* Samples, and frames that refer to their callers; innermost first. */
static void chrome_samples(long depth, long n)
{
	printf("{\"traceEvents\":[],\"samples\":[");
	for (long i = 0; i <= n; i++)
		printf("%s{\"ts\":%ld,\"pid\":1,\"tid\":1,\"sf\":%ld}\n", i ? "," : "", i, i < n ? n - 1 - i : 0);
	printf("],\"stackFrames\":{");
	for (long i = n - 1; i > 0; i--)
		printf("\"%ld\":{\"name\":\"f%ld\",\"parent\":%ld},\n", i, i, i < depth ? i - 1 : depth - 1);
	printf("\"0\":{\"name\":\"f0\"}}}\n");
}

static void cpuprofile(long depth, long n)
{
	printf("{\"nodes\":[");
	for (long i = 0; i < n; i++) {
		long first = i + 1, last = i < depth - 2 ? i + 1 : i == depth - 2 ? n - 1 : i;
		printf("%s{\"id\":%ld,\"hitCount\":1,\"callFrame\":{\"functionName\":\"f%ld\",\"url\":\"\"},\"children\":[",
		       i ? ",\n" : "", i + 1, i);
		for (long k = first; k <= last; k++)
			printf("%s%ld", k > first ? "," : "", k + 1);
		printf("]}");
	}
	printf("],\"startTime\":0,\"endTime\":%ld}\n", n);
}

static void go(long depth, long n)
{
	printf("Samples:\nsamples/count\n");
	if (depth == n)
		printf(" 1:");
	for (long i = n; i > 0; i--)
		printf(depth == n ? " %ld" : " 1: %ld\n", i);
	printf("\nLocations\n");
	for (long i = 0; i < n; i++)
		printf(" %ld: 0x1 f%ld /m.go:1 s=1\n", i + 1, i);
	printf("Mappings\n");
}

static void varint(uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		putchar((int)(v & 0x7f) | 0x80);
	putchar((int)v);
}

static unsigned varint_size(uint64_t v)
{
	unsigned n = 1;
	for (; v >= 0x80; v >>= 7)
		n++;
	return n;
}

static void field(unsigned number, uint64_t v)
{
	varint(number << 3);
	varint(v);
}

static void begin(unsigned number, uint64_t size)
{
	varint(number << 3 | 2);
	varint(size);
}

static void pprof(long depth, long n)
{
	bool is_deep = depth == n;
	uint64_t size = 2; /* of the sample: its value */
	begin(1, 2), field(1, 1);
	for (long i = 1; i <= n; i++) {
		uint64_t id = (uint64_t)i, id_size = varint_size(id) + 1, name_size = varint_size(id + 1) + 1;
		size += id_size;
		if (!is_deep)
			begin(2, 2 + id_size), field(1, id), field(2, 1);
		begin(4, id_size * 2 + 2), field(1, id), begin(4, id_size), field(1, id);
		begin(5, id_size + name_size), field(1, id), field(2, id + 1);
	}
	if (is_deep) {
		begin(2, size);
		for (long i = n; i > 0; i--)
			field(1, (uint64_t)i);
		field(2, 1);
	}
	begin(6, 0), begin(6, 1), putchar('n');
	for (long i = 0; i < n; i++) {
		char name[32];
		begin(6, (uint64_t)snprintf(name, sizeof name, "f%ld", i));
		fputs(name, stdout);
	}
}

static void speedscope_head(long n)
{
	printf("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"shared\":{\"frames\":[");
	for (long i = 0; i < n; i++)
		printf("%s{\"name\":\"f%ld\"}", i ? "," : "", i);
	printf("]},\"profiles\":[");
}

static void speedscope_event(char type, long frame, long at)
{
	printf("%s{\"type\":\"%c\",\"frame\":%ld,\"at\":%ld}\n", at ? "," : "", type, frame, at);
}

static void speedscope(long depth, long n)
{
	speedscope_head(n);
	printf("{\"type\":\"evented\",\"name\":\"p\",\"unit\":\"none\",\"events\":[");
	for (long i = 0; i < n; i++) {
		speedscope_event('O', i, 2 * i);
		if (i >= depth - 1)
			speedscope_event('C', i, 2 * i + 1);
	}
	for (long i = depth - 1; i > 0; i--)
		speedscope_event('C', i - 1, 2 * n + depth - i);
	printf("]}]}\n");
}

static void speedscope_sampled(long depth, long n)
{
	speedscope_head(n);
	printf("{\"type\":\"sampled\",\"name\":\"p\",\"unit\":\"none\",\"samples\":[[");
	for (long i = 0; i < n; i++)
		printf("%s%ld", i == 0 ? "" : depth == n ? "," : "],[", i);
	printf("]]}]}\n");
}

/* Least significant byte first, of a recording of such a machine. */
static void bytes(uint64_t v, int n)
{
	for (int i = 0; i < n; i++)
		putchar((int)(v >> (8 * i) & 255));
}

static void record(unsigned type, unsigned misc, size_t size)
{
	bytes(type, 4), bytes(misc, 2), bytes(8 + size, 2);
}

/* One event whose samples are chains, of functions that the kernel has made. A chain has at most 64 kB. */
static void perf_data(long depth, long n)
{
	const uint64_t kernel = (uint64_t)-128, base = 0xffffffffc0000000, most = 8000;
	fputs("PERFILE2", stdout), bytes(16, 8);
	record(64, 0, 64), bytes(1, 4), bytes(64, 4), bytes(0, 8), bytes(1, 8), bytes(1 | 1 << 5, 8), bytes(0, 32);
	for (long i = 0; i < n; i++) {
		char name[32] = "";
		snprintf(name, sizeof name, "f%ld", i);
		record(17, 0, 40), bytes(base + 16 * (uint64_t)i, 8), bytes(16, 4), bytes(1, 4),
			fwrite(name, 24, 1, stdout);
	}
	for (uint64_t done = 0, many; done < (uint64_t)n; done += many) {
		many = depth == 1 ? 1 : (uint64_t)n - done < most ? (uint64_t)n - done : most;
		record(9, 1, 24 + 8 * many), bytes(0, 8), bytes(many + 1, 8), bytes(kernel, 8);
		for (uint64_t i = many; i-- > 0;)
			bytes(base + 16 * (done + i) + 1, 8);
	}
}

static long level_of(long i, long depth)
{
	return i < depth ? i + 1 : depth;
}

static void vsprof(long depth, long n)
{
	printf("Level,Function Name,Number of Calls,Elapsed Inclusive Time %%,Elapsed Exclusive Time %%,Avg Elapsed "
	       "Inclusive "
	       "Time,Avg Elapsed Exclusive Time,Module Name,\n0,\"a.exe\",0,1,1,1,1,\"\",\n");
	for (long i = 0; i < n; i++)
		printf("%ld,\"f%ld()\",1,1,1,1,1,\"\",\n", level_of(i, depth), i);
}

static void xdebug(long depth, long n)
{
	printf("TRACE START [x]\n");
	for (long i = 0; i < n; i++) {
		printf("%ld\t%ld\t0\t%ld.5\t1\tf%ld\n", level_of(i, depth), i, i, i);
		if (i >= depth - 1)
			printf("%ld\t%ld\t1\t%ld.7\t1\n", depth, i, i);
	}
	for (long i = depth - 1; i > 0; i--)
		printf("%ld\t%ld\t1\t%ld.5\t1\n", i, i - 1, n + depth - i);
	printf("\t\t\t%ld.0\t1\nTRACE END   [x]\n", 2 * n);
}

static const struct {
	const char *name; /* of the format, perhaps with a colon and a variant */
	void (*print)(long depth,
	              long n); /* n functions, of which all from `depth` on are leaves of one stack of that depth */
	bool has_comb;
} others[] = {
	{"chrome-tracing", chrome, true},
	{"chrome-tracing:crossing", chrome_crossing, true},
	{"chrome-tracing:unended", chrome_unended, true},
	{"chrome-tracing:samples", chrome_samples, true},
	{"cpuprofile", cpuprofile, true},
	{"go", go, false},
	{"perf-data", perf_data, false},
	{"pprof", pprof, false},
	{"speedscope", speedscope, true},
	{"speedscope:sampled", speedscope_sampled, false},
	{"vsprof", vsprof, true},
	{"xdebug", xdebug, true},
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static int list(void)
{
	for (size_t i = 0; i < COUNT(stacks); i++)
		puts(stacks[i].name);
	for (size_t i = 0; i < COUNT(trees); i++)
		printf("%s indented\n", trees[i].name);
	for (size_t i = 0; i < COUNT(others); i++)
		printf("%s%s\n", others[i].name, others[i].has_comb ? " comb" : "");
	return 0;
}

static bool print_shape(const char *shape, const char *name, long n)
{
	bool is_deep = strcmp(shape, "deep") == 0;
	long depth = is_deep ? n : strcmp(shape, "comb") == 0 ? n / 2 : 1;
	for (size_t i = 0; i < COUNT(stacks); i++)
		if (strcmp(stacks[i].name, name) == 0)
			return print_stacks(&stacks[i], is_deep, n), true;
	for (size_t i = 0; i < COUNT(trees); i++)
		if (strcmp(trees[i].name, name) == 0)
			return print_tree(&trees[i], is_deep, n), true;
	for (size_t i = 0; i < COUNT(others); i++)
		if (strcmp(others[i].name, name) == 0)
			return others[i].print(depth, n), true;
	return false;
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "list") == 0)
		return list();
	if (argc == 4 && print_shape(argv[1], argv[2], atol(argv[3])))
		return ferror(stdout) ? 1 : 0;
	fprintf(stderr, "usage: shapes list, or shapes deep|wide|comb FORMAT N\n");
	return 2;
}
