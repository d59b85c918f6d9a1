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

/* In all texts, %ld is the number of the function, and %lu that of the frame from the leaf. Leaf first unless is_root_first. */
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
	{"bpftrace-json", "{\"type\": \"map\", \"data\": {\"@\": {", "\"", "\\n    f%ld+1", "\\n\": 3,", "}}}\n",
     false},
	{"dtrace", "", "\n", "    app`f%ld+0x1\n", "    3\n", "", false},
	{"elfutils", "PID 1 - process\n", "TID 1:\n", "#%lu  0x01 f%ld\n", "", "", false},
	{"faulthandler", "", "Thread 0x01 (most recent call first):\n", "  File \"a.py\", line 1 in f%ld\n", "\n", "",
     false},
	{"folded", "", "", "f%ld;", "leaf 1\n", "", true},
	{"gdb", "", "Thread 1 (LWP 1):\n", "#%lu  0x06 in f%ld () at a.c:3\n", "\n", "", false},
	{"go-text", "goroutine profile: total 1\n", "3 @ 0x1\n", "#\t0x1\tmain.f%ld+0x1\t/a.go:1\n", "\n", "", false},
	{"goroutines", "", "goroutine 7 [select]:\n", "main.f%ld(...)\n\t/a.go:1 +0x1\n", "\n", "", false},
	{"heap-profile", "heap profile: 1: 2 [1: 2] @ heapprofile\n", "1: 2 [1: 2] @", " 0x%ld", "\n", "", false},
	{"ibmjava", "", "3XMTHREADINFO      \"w\" J9VMThread:0x1\n",
     "4XESTACKTRACE                at a/B.f%ld(B.java:1)\n", "3XMTHREADINFO3           Native callstack:\n", "",
     false},
	{"java-exceptions", "", "java.lang.Error\n", "\tat a.B.f%ld(B.java:1)\n", "\n", "", false},
	{"jstack", "Full thread dump X:\n", "\"t\" #1\n   java.lang.Thread.State: RUNNABLE\n",
     "\tat a.B.f%ld(B.java:1)\n", "\n", "", false},
	{"ljp", "", "1 1 a.B.leaf(B.java:1)\n", "    a.B.f%ld(B.java:1)\n", "", "", false},
	{"perf", "", "app 1/1 1.000000: 7 cycles:\n", "\t   401136 f%ld+0x1 (/bin/app)\n", "\n", "", false},
	{"perf-json", "{\"linux-perf-json-version\": 1, \"samples\": [", "{\"callchain\": [",
     "{\"ip\": \"0x1\", \"symbol\": \"f%ld\", \"dso\": \"a\"},", "]},\n", "]}\n", false},
	{"perf-report", "# Samples: 1  of event 'x'\n 1.00%  a  b  [.] c\n", "3 ", "f%ld;", "leaf\n", "", true},
	{"perf-sched", "",
     "app 1/2 708189.500000: sched:sched_switch: prev_comm=app prev_pid=2 prev_prio=120 prev_state=S ==> "
     "next_comm=x "
     "next_pid=0 next_prio=120\n",
     "\t   401136 f%ld+0x1 (/bin/app)\n",
     "\nx 0/0 708189.600078: sched:sched_stat_sleep: comm=app pid=2 delay=100078421 [ns]\n\tffffffff81094a2b wake "
     "([kernel.kallsyms])\n\n",
     "", false},
	{"stap", "", "", " 0x01 : f%ld+0x1/0x2 [app]\n", " 3\n", "", false},
	{"strace", "", "read(3) = 1\n", " > /bin/app(f%ld+0x1) [0x1]\n", "", "", false},
	{"wcp", "Full stacks by number of samples:\n", "\n1.0% = (3 samples)\n", "      1: f%ld   (at /a.c:1)\n", "",
     "", false},
	{"xctrace", "<?xml version=\"1.0\"?>\n<trace-query-result><node>", "<row><backtrace id=\"8%ld\">",
     "<frame id=\"9%ld\" name=\"f%ld\"/>", "</backtrace></row>\n", "</node></trace-query-result>\n", false},
};

static void print_numbers(const char *format, long i, long frame)
{
	for (const char *at; (at = strstr(format, "%l")) != NULL; format = at + 3)
		printf("%.*s%ld", (int)(at - format), format, at[2] == 'u' ? frame : i);
	fputs(format, stdout);
}

static void print_number(const char *format, long i)
{
	print_numbers(format, i, 0);
}

static void print_stacks(const struct lines *l, bool is_deep, long n)
{
	fputs(l->heading, stdout);
	for (long i = 0; i < n; i++) {
		if (i == 0 || !is_deep)
			print_number(l->before, i);
		print_numbers(l->frame, is_deep && !l->is_root_first ? n - 1 - i : i, is_deep ? i : 0);
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
	{"massif", "time_unit: i\nsnapshot=0\nmem_heap_B=1\nheap_tree=peak\nn1: 1 (heap allocation functions)\n", " ",
     "f%ld (a.c:1)\n", "#-----------\n"},
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
	if (strcmp(t->name, "massif") == 0)
		printf("%*sn1: 1 0x1: ", (int)level + 1, "");
	else if (strcmp(t->name, "pmc") == 0)
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

/* Nested objects; node: as printed for %ld, the number of the function, up to the list of its callees. */
static void nested(const char *begin, const char *node, long depth, long n)
{
	printf("%s", begin);
	for (long i = 0; i < n; i++) {
		printf("%s", i >= depth ? "," : "");
		print_number(node, i);
		printf("\"children\":[%s", i < depth - 1 ? "" : "]}\n");
	}
	for (long i = 0; i < depth - 1; i++)
		printf("]}");
}

static void v8_head(long depth, long n)
{
	nested("{\"head\":{\"callFrame\":{\"functionName\":\"(root)\"},\"children\":[",
	       "{\"selfSize\":1,\"callFrame\":{\"functionName\":\"f%ld\",\"url\":\"\"},", depth, n);
	printf("]}}\n");
}

static void d3(long depth, long n)
{
	nested("{\"name\":\"all\",\"children\":[", "{\"name\":\"f%ld\",\"value\":1,", depth, n);
	printf("]}\n");
}

static void ghcjson(long depth, long n)
{
	printf("{\"rts_arguments\":[],\"initial_capabilities\":1,\"cost_centres\":[");
	for (long i = 0; i <= n; i++)
		printf("%s{\"id\":%ld,\"label\":\"f%ld\",\"module\":\"Main\",\"src_loc\":\"a.hs:1:1\"}\n", i ? "," : "", i,
		       i);
	nested("],\"profile\":{\"id\":0,\"children\":[", "{\"id\":%ld,\"ticks\":1,", depth, n);
	printf("]}}\n");
}

static void pyinstrument(long depth, long n)
{
	nested("{\"duration\":1,\"sample_count\":1,\"root_frame\":{\"children\":[",
	       "{\"function\":\"f%ld\",\"time\":1,", depth, n);
	printf("],\"time\":1}}\n");
}

static void pyinstrument_session(long depth, long n)
{
	printf("{\"duration\":1,\"sample_count\":1,\"frame_records\":[[[");
	for (long i = 0; i < n; i++)
		printf("%s\"f%ld\\u0000/a.py\\u00001\"\n", i == 0 ? "" : depth == 1 ? "],1],[[" : ",", i);
	printf("],1]]}\n");
}

static void flamebearer(long depth, long n)
{
	printf("{\"flamebearer\":{\"names\":[\"total\"");
	for (long i = 0; i < n; i++)
		printf(",\"f%ld\"", i);
	printf("],\"levels\":[[0,%ld,0,0]", n);
	for (long i = 0; i < n; i++)
		printf("%s0,%ld,%d,%ld%s", i < depth ? ",\n[" : ",", i < depth - 1 ? n : 1, i >= depth - 1, i + 1,
		       i < depth - 1 || i == n - 1 ? "]" : "");
	printf("],\"numTicks\":%ld},\"metadata\":{\"format\":\"single\"}}\n", n - depth + 1);
}

static void dhat(long depth, long n)
{
	printf("{\"dhatFileVersion\":2,\"mode\":\"heap\",\"pps\":[");
	for (long i = 0; i < n; i++)
		printf("%s%ld%s", depth == 1 || i == 0 ? "{\"tb\":1,\"fs\":[" : "", depth == 1 ? i + 1 : n - i,
		       i == n - 1   ? "]}]"
		       : depth == 1 ? "]},\n"
		                    : ",");
	printf(",\"ftbl\":[\"[root]\"");
	for (long i = 0; i < n; i++)
		printf(",\"0x%lx: f%ld (a.c:%ld)\"\n", i + 1, i, i + 1);
	printf("]}\n");
}

static void stackprof(long depth, long n)
{
	printf("{\"mode\":\"object\",\"interval\":1,\"samples\":%ld,\"frames\":{", depth == n ? 1 : n);
	for (long i = 0; i < n; i++)
		printf("%s\"%ld\":{\"name\":\"f%ld\"}", i ? ",\n" : "", i, i);
	printf("},\"raw\":[%ld", depth == n ? n : 1);
	for (long i = 0; i < n; i++)
		printf(depth == n || i == n - 1 ? ",%ld" : ",%ld,1,1", i);
	printf(",1]}\n");
}

static void v8log(long depth, long n)
{
	printf("{\"code\":[");
	for (long i = 0; i < n; i++)
		printf("%s{\"name\":\"f%ld /a.js:%ld:1\",\"type\":\"JS\"}\n", i ? "," : "", i, i + 1);
	printf("],\"ticks\":[{\"s\":[");
	for (long i = 0; i < n; i++) {
		printf("%s%ld,%ld", depth > 1 && i ? "," : "", n - i - 1, n);
		if (depth == 1 && i < n - 1)
			printf("],\"tm\":%ld}\n,{\"s\":[", i + 1);
	}
	printf("],\"tm\":%ld}]}\n", n);
}

static void webkit(long depth, long n)
{
	printf("{\"recording\":{\"sampleStackTraces\":[{\"stackFrames\":[");
	for (long i = 0; i < n; i++)
		printf("%s{\"name\":\"f%ld\",\"line\":1,\"url\":\"a.js\"}\n",
		       i == 0       ? ""
		       : depth == 1 ? "]},{\"stackFrames\":["
		                    : ",",
		       n - i - 1);
	printf("]}],\"sampleDurations\":[1");
	for (long i = 1; i < n && depth == 1; i++)
		printf(",1");
	printf("]}}\n");
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

/* Bytes in memory: a chunk of Flight Recorder tells its size first. */
struct bytes {
	unsigned char *v;
	size_t n, cap;
};

static void add_byte(struct bytes *b, unsigned c)
{
	if (b->n == b->cap) {
		b->cap = b->cap ? b->cap * 2 : 4096;
		b->v = realloc(b->v, b->cap);
		if (!b->v)
			abort();
	}
	b->v[b->n++] = (unsigned char)c;
}

static void add_number(struct bytes *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		add_byte(b, (unsigned)(v & 0x7f) | 0x80);
	add_byte(b, (unsigned)v);
}

static void add_name(struct bytes *b, const char *s)
{
	add_byte(b, 3);
	add_number(b, strlen(s));
	while (*s)
		add_byte(b, (unsigned char)*s++);
}

static void add_big(struct bytes *b, uint64_t v, unsigned n)
{
	while (n-- > 0)
		add_byte(b, (unsigned)(v >> (8 * n)) & 0xff);
}

/* Begins an event; its size has room for 35 bits. */
static size_t begin_event(struct bytes *b, unsigned type)
{
	size_t at = b->n;
	for (int i = 0; i < 5; i++)
		add_byte(b, 0);
	add_number(b, type);
	return at;
}

static void end_event(struct bytes *b, size_t at)
{
	uint64_t size = b->n - at;
	for (size_t i = 0; i < 5; i++)
		b->v[at + i] = (unsigned char)((size >> (7 * i) & 0x7f) | (i < 4 ? 0x80 : 0));
}

enum { JFR_STRING = 10, JFR_SYMBOL, JFR_METHOD, JFR_FRAME, JFR_STACK, JFR_SAMPLE };

/* Strings are numbered: those of the types, each with one field of a type that a table holds (P) or a list (L). */
static void jfr_metadata(struct bytes *b)
{
	static const char *const strings[] = {"class",
	                                      "id",
	                                      "name",
	                                      "field",
	                                      "constantPool",
	                                      "true",
	                                      "dimension",
	                                      "metadata",
	                                      "root",
	                                      "1",
	                                      "10",
	                                      "11",
	                                      "12",
	                                      "13",
	                                      "14",
	                                      "15",
	                                      "java.lang.String",
	                                      "jdk.types.Symbol",
	                                      "jdk.types.Method",
	                                      "jdk.types.StackFrame",
	                                      "jdk.types.StackTrace",
	                                      "jdk.ExecutionSample",
	                                      "string",
	                                      "method",
	                                      "frames",
	                                      "stackTrace"};
	static const struct {
		unsigned name, id, field, type;
		char how;
	} types[] = {{16, 10, 0, 0, 0},     {17, 11, 22, 10, 0},   {18, 12, 2, 11, 'P'},
	             {19, 13, 23, 12, 'P'}, {20, 14, 24, 13, 'L'}, {21, 15, 25, 14, 'P'}};
	size_t at = begin_event(b, 0), n = sizeof types / sizeof *types;
	add_number(b, 0), add_number(b, 0), add_number(b, 0);
	add_number(b, sizeof strings / sizeof *strings);
	for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
		add_name(b, strings[i]);
	add_number(b, 8), add_number(b, 0), add_number(b, 1);
	add_number(b, 7), add_number(b, 0), add_number(b, n);
	for (size_t i = 0; i < n; i++) {
		add_number(b, 0), add_number(b, 2);
		add_number(b, 1), add_number(b, types[i].id), add_number(b, 2), add_number(b, types[i].name);
		add_number(b, types[i].field ? 1 : 0);
		if (!types[i].field)
			continue;
		add_number(b, 3), add_number(b, types[i].how ? 3 : 2);
		add_number(b, 2), add_number(b, types[i].field), add_number(b, 0), add_number(b, types[i].type);
		if (types[i].how)
			add_number(b, types[i].how == 'P' ? 4 : 6), add_number(b, types[i].how == 'P' ? 5 : 9);
		add_number(b, 0);
	}
	end_event(b, at);
}

/* Symbols, methods and stacks have the numbers of their functions, from 1. */
static void jfr_tables(struct bytes *b, long depth, long n)
{
	size_t at = begin_event(b, 1);
	add_number(b, 0), add_number(b, 0), add_number(b, 0), add_byte(b, 0), add_number(b, 3);
	add_number(b, JFR_SYMBOL), add_number(b, (uint64_t)n);
	for (long i = 0; i < n; i++) {
		char name[32];
		snprintf(name, sizeof name, "f%ld", i);
		add_number(b, (uint64_t)i + 1), add_name(b, name);
	}
	add_number(b, JFR_METHOD), add_number(b, (uint64_t)n);
	for (long i = 1; i <= n; i++)
		add_number(b, (uint64_t)i), add_number(b, (uint64_t)i);
	add_number(b, JFR_STACK), add_number(b, (uint64_t)(n - depth + 1));
	for (long stack = 1; stack <= n - depth + 1; stack++) {
		add_number(b, (uint64_t)stack), add_number(b, (uint64_t)depth);
		for (long i = depth; i > 0; i--)
			add_number(b, (uint64_t)(i == depth ? stack + depth - 1 : i));
	}
	end_event(b, at);
}

static void jfr(long depth, long n)
{
	struct bytes b = {NULL, 0, 0};
	add_big(&b, 0x464c5200, 4), add_big(&b, 2, 2), add_big(&b, 1, 2);
	for (int i = 0; i < 7; i++)
		add_big(&b, 0, 8);
	add_big(&b, 1, 4);
	for (long stack = 1; stack <= n - depth + 1; stack++) {
		size_t at = begin_event(&b, JFR_SAMPLE);
		add_number(&b, (uint64_t)stack);
		end_event(&b, at);
	}
	jfr_tables(&b, depth, n);
	jfr_metadata(&b);
	for (unsigned i = 0; i < 8; i++)
		b.v[8 + i] = (unsigned char)((uint64_t)b.n >> (8 * (7 - i)));
	fwrite(b.v, 1, b.n, stdout);
	free(b.v);
}

static void papyrus(long depth, long n)
{
	for (long i = 0; i < n; i++) {
		printf("%ld:PUSH:1:1:None:f%ld\n", i, i);
		if (depth < n)
			printf("%ld:POP:1:1:None:f%ld\n", i + 1, i);
	}
	printf("%ld:POP:1:1:None:f%ld\n", n, n - 1);
}

static void word(uint64_t v)
{
	for (int i = 0; i < 8; i++)
		putchar((int)(v >> (8 * i) & 0xff));
}

static void gperftools(long depth, long n)
{
	bool is_deep = depth == n;
	word(0), word(3), word(0), word(1), word(0);
	for (long i = 0; i < n; i++) {
		if (i == 0 || !is_deep)
			word(1), word((uint64_t)(is_deep ? n : 1));
		word((uint64_t)(i + 1) * 2);
	}
	word(0), word(1), word(0);
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

static void numbers(const char *key, long n, long from, long step)
{
	printf("\"%s\":[", key);
	for (long i = 0; i < n; i++)
		printf(i ? ",%ld" : "%ld", from + i * step);
	printf("]");
}

static void firefox_names(const char *key, long n)
{
	printf("\"%s\":[", key);
	for (long i = 0; i < n; i++)
		printf(i ? ",\"f%ld\"" : "\"f%ld\"", i);
	printf("]");
}

/* The parent of each stack comes before it. */
static long firefox_parent(long depth, long i)
{
	return (i < depth ? i : depth - 1) - 1;
}

static void firefox(long depth, long n)
{
	printf("{\"meta\":{\"preprocessedProfileVersion\":55},\"threads\":[{\"name\":\"t\",\"samples\":{");
	numbers("stack", n - depth + 1, depth - 1, 1);
	printf("},\"stackTable\":{"), numbers("frame", n, 0, 1);
	printf(",\"prefix\":[");
	for (long i = 0; i < n; i++)
		printf(i ? ",%ld" : "%ld", firefox_parent(depth, i));
	printf("]},\"frameTable\":{"), numbers("func", n, 0, 1);
	printf("},\"funcTable\":{"), numbers("name", n, 0, 1);
	printf("},"), firefox_names("stringArray", n), printf("}]}\n");
}

static void gecko_table(const char *name, const char *schema)
{
	printf("\"%s\":{\"schema\":{%s},\"data\":[", name, schema);
}

static void gecko(long depth, long n)
{
	printf("{\"meta\":{\"version\":34,\"startTime\":1,\"interval\":1},\"threads\":[{\"name\":\"t\",");
	gecko_table("samples", "\"stack\":0,\"time\":1");
	for (long i = depth - 1; i < n; i++)
		printf("%s[%ld,%ld]", i < depth ? "" : ",", i, i);
	printf("]},"), gecko_table("stackTable", "\"prefix\":0,\"frame\":1");
	for (long i = 0; i < n; i++)
		printf("%s[%ld,%ld]", i ? "," : "", firefox_parent(depth, i), i);
	printf("]},"), gecko_table("frameTable", "\"location\":0");
	for (long i = 0; i < n; i++)
		printf("%s[%ld]", i ? "," : "", i);
	printf("]},"), firefox_names("stringTable", n), printf("}]}\n");
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

/* An entry of a table of this size, in a dictionary of its own: they add up. */
static void otlp_entry(unsigned table, uint64_t size)
{
	begin(2, 1 + varint_size(size) + size), begin(table, size);
}

static void otlp_sample(uint64_t stack)
{
	uint64_t sample = 1 + varint_size(stack) + 3, profile = 4 + 2 + sample;
	begin(1, profile + 4), begin(2, profile + 2), begin(2, profile);
	begin(1, 2), field(1, 0), begin(2, sample), field(1, stack), begin(4, 1), putchar(1);
}

static void otlp(long depth, long n)
{
	bool is_deep = depth == n;
	uint64_t size = 0; /* of the deep stack */
	for (unsigned table = 1; table <= 7; table++)
		otlp_entry(table, 0);
	for (long i = 1; i <= n; i++) {
		uint64_t id = (uint64_t)i, id_size = 1 + varint_size(id);
		char name[32];
		size += id_size;
		otlp_entry(5, (uint64_t)snprintf(name, sizeof name, "f%ld", i - 1)), fputs(name, stdout);
		otlp_entry(3, id_size), field(1, id);
		otlp_entry(2, id_size + 2), begin(3, id_size), field(1, id);
		if (!is_deep)
			otlp_entry(7, id_size), field(1, id), otlp_sample(id);
	}
	if (!is_deep)
		return;
	otlp_entry(7, size);
	for (long i = n; i > 0; i--)
		field(1, (uint64_t)i);
	otlp_sample(1);
}

/* A number of MOJO: six bits, then seven each. */
static void mojo_number(uint64_t v)
{
	putchar((int)(v & 0x3f) | (v >> 6 ? 0x80 : 0));
	if (v >> 6)
		varint(v >> 6);
}

static void mojo(long depth, long n)
{
	bool is_deep = depth == n;
	fputs("MOJ\3", stdout);
	for (long i = 0; i < n; i++) {
		if (i == 0 || !is_deep)
			putchar(2), putchar(1), putchar(0), putchar('1'), putchar(0);
		putchar(11), mojo_number((uint64_t)i + 2), printf("f%ld", i), putchar(0);
		putchar(3), mojo_number((uint64_t)i), putchar(0), mojo_number((uint64_t)i + 2);
		putchar(1), putchar(1), putchar(0), putchar(0);
		putchar(5), mojo_number((uint64_t)i);
		if (i == n - 1 || !is_deep)
			putchar(9), putchar(1);
	}
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

/* A function for each frame of the stack, which calls the next one and, as its last, the leaves next to each other. */
static void callgrind(long depth, long n)
{
	puts("# callgrind format\nevents: Ir");
	for (long i = 0; i < n; i++) {
		printf("fn=(%ld) f%ld\n1 1\n", i, i);
		if (i + 1 < depth - 1)
			printf("cfn=(%ld) f%ld\ncalls=1 1\n1 %ld\n", i + 1, i + 1, n - i - 1);
		for (long leaf = depth - 1; i == depth - 2 && leaf < n; leaf++)
			printf("cfn=(%ld) f%ld\ncalls=1 1\n1 1\n", leaf, leaf);
	}
}

static void heaptrack(long depth, long n)
{
	puts("v 10400 3\ns 5 a.out");
	for (long i = 0; i < n; i++) {
		char name[32];
		int size = snprintf(name, sizeof name, "f%ld", i);
		printf("s %x %s\ni 1 1 %lx\nt %lx %lx\n", size, name, i + 2, i + 1,
		       level_of(i, depth) > 1 ? level_of(i, depth) - 1 : 0);
		if (i >= depth - 1)
			printf("a 1 %lx\n+ %lx\n", i + 1, i - depth + 1);
	}
}

/* The root is below: y counts down. Frames on top of the comb lie next to each other. */
static void svg(long depth, long n)
{
	long width = n - depth + 1;
	printf("<svg><svg id=\"frames\"><g><title>all (%ld samples, 100%%)</title><rect y=\"%ld\" fg:x=\"0\" "
	       "fg:w=\"%ld\"/></g>\n",
	       width, 16 * depth, width);
	for (long i = 0; i < n; i++)
		printf("<g><title>f%ld (1 samples, 0.00%%)</title><rect y=\"%ld\" fg:x=\"%ld\" fg:w=\"%ld\"/></g>\n", i,
		       16 * (depth - level_of(i, depth)), i < depth ? 0 : i - depth + 1, i < depth - 1 ? width : 1);
	printf("</svg></svg>\n");
}

/* Frames by pixels, of which many have no width. */
static void svg_pixels(long depth, long n)
{
	long width = n - depth + 1;
	printf("<svg>\n<g class=\"func_g\"><title>all (%ld samples, 100%%)</title><rect x=\"10.0\" y=\"%ld\" "
	       "width=\"1180.0\"/></g>\n",
	       width, 16 * depth);
	for (long i = 0; i < n; i++) {
		double x = 1180.0 * (double)(i < depth ? 0 : i - depth + 1) / (double)width;
		printf("<g class=\"func_g\"><title>f%ld (%ld samples, 0.00%%)</title><rect x=\"%.1f\" y=\"%ld\" "
		       "width=\"%.1f\"/></g>\n",
		       i, i < depth - 1 ? width : 1, 10 + x, 16 * (depth - level_of(i, depth)),
		       1180.0 * (double)(i < depth - 1 ? width : 1) / (double)width);
	}
	printf("</svg>\n");
}

static void async_profiler_html(long depth, long n)
{
	printf("<html>\n\tfunction f(key, level, left, width) {}\nconst cpool = [\n'all'");
	for (long i = 0; i < n; i++)
		printf(",\n' f%ld'", i);
	printf("\n];\nn(3,%ld)\n", n - depth + 1);
	for (long i = 0; i < n; i++) {
		if (i < depth)
			printf(i == depth - 1 ? "u(%ld,1)\n" : "u(%ld)\n", 8 * (i + 1) + 1);
		else
			printf("n(%ld)\n", 8 * (i + 1) + 1);
	}
	printf("search();\n");
}

static void html_column(const char *key, long n, long (*value)(long i, long depth), long depth)
{
	printf("\"%s\":[0", key);
	for (long i = 0; i < n; i++)
		printf(",%ld", value(i, depth));
	printf("]");
}

static long html_depth(long i, long depth)
{
	return i < depth ? i + 1 : depth;
}

static long html_name(long i, long depth)
{
	(void)depth;
	return i;
}

static long html_self(long i, long depth)
{
	return i >= depth - 1;
}

/* A page of flametop. */
static void html(long depth, long n)
{
	printf(
		"<!doctype html>\n<meta name=\"generator\" content=\"flametop 1\">\n<script id=\"data\">{\"flametop\":1,\n\"names\":[");
	for (long i = 0; i < n; i++)
		printf("%s\"f%ld\"", i ? "," : "", i);
	printf("],\n\"frames\":{");
	html_column("depth", n, html_depth, depth);
	printf(",");
	html_column("name", n, html_name, depth);
	printf(",");
	html_column("self", n, html_self, depth);
	printf("}}</script>\n");
}

static const struct {
	const char *name; /* of the format, perhaps with a colon and a variant */
	void (*print)(long depth,
	              long n); /* n functions, of which all from `depth` on are leaves of one stack of that depth */
	bool has_comb;
} others[] = {
	{"callgrind", callgrind, true},
	{"chrome-tracing", chrome, true},
	{"chrome-tracing:crossing", chrome_crossing, true},
	{"chrome-tracing:unended", chrome_unended, true},
	{"chrome-tracing:samples", chrome_samples, true},
	{"cpuprofile", cpuprofile, true},
	{"v8-head", v8_head, true},
	{"heaptrack", heaptrack, true},
	{"firefox", firefox, true},
	{"gecko", gecko, true},
	{"d3", d3, true},
	{"flamebearer", flamebearer, true},
	{"dhat", dhat, false},
	{"stackprof", stackprof, false},
	{"v8log", v8log, false},
	{"pyinstrument", pyinstrument, true},
	{"pyinstrument:session", pyinstrument_session, false},
	{"ghcjson", ghcjson, true},
	{"webkit", webkit, false},
	{"svg", svg, true},
	{"svg:pixels", svg_pixels, true},
	{"async-profiler-html", async_profiler_html, true},
	{"html", html, true},
	{"go", go, false},
	{"jfr", jfr, false},
	{"perf-data", perf_data, false},
	{"gperftools", gperftools, false},
	{"papyrus", papyrus, false},
	{"mojo", mojo, false},
	{"otlp", otlp, false},
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
