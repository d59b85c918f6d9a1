/*
 * bombs.c - writes small or simple inputs that demand far too much.
 *
 *	bombs NAME [N]           writes one to standard output
 *	bombs within SECONDS MIB CMD ARG...
 *	                         runs CMD; 124 if it took longer, 125 if it took more memory, else its own status. What it
 *	                         took goes to the file that BOMBS_LOG names.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void repeat(const char *s, long n)
{
	for (; n > 0; n--)
		fputs(s, stdout);
}

/* One stack, n frames deep, in which all neighbours differ. */
static void deep_folded(long n)
{
	for (long i = 0; i < n; i++)
		printf("%sf%ld", i ? ";" : "", i % 100);
	printf(" 7\n");
}

static void deep_perf(long n)
{
	printf("deep 1 1.000000: 1000 cycles:\n");
	for (long i = 0; i < n; i++)
		printf("\t  %lx f%ld (/bin/deep)\n", 4096 + i, i % 100);
	printf("\n");
}

/* A chain of begin events without ends, which the end of the file closes. */
static void deep_chrome(long n)
{
	printf("{\"traceEvents\":[");
	for (long i = 0; i < n; i++)
		printf("%s{\"ph\":\"B\",\"ts\":%ld,\"pid\":1,\"tid\":1,\"name\":\"f%ld\"}", i ? "," : "", i, i % 100);
	for (long i = 0; i < n; i++)
		printf(",{\"ph\":\"E\",\"ts\":%ld,\"pid\":1,\"tid\":1}", n + i);
	printf("]}\n");
}

static void nested_json(long n)
{
	printf("{\"traceEvents\":[{\"ph\":\"X\",\"ts\":1,\"dur\":5,\"pid\":1,\"tid\":1,\"name\":\"kept\",\"args\":");
	repeat("[", n);
	repeat("]", n);
	printf("}]}\n");
}

static void nested_xml(long n)
{
	printf("<?xml version=\"1.0\"?><trace-query-result>");
	repeat("<node>", n);
	repeat("</node>", n);
	printf("</trace-query-result>\n");
}

/* Entities that stand for ten others each, ten levels deep. */
static void laughing_xml(long n)
{
	printf("<?xml version=\"1.0\"?><!DOCTYPE t [<!ENTITY l0 \"lol\">");
	for (long i = 1; i <= n; i++) {
		printf("<!ENTITY l%ld \"", i);
		for (int k = 0; k < 10; k++)
			printf("&l%ld;", i - 1);
		printf("\">");
	}
	printf("]><trace-query-result><node>&l%ld;</node></trace-query-result>\n", n);
}

static void long_line(long n)
{
	printf("main;");
	repeat("aaaaaaaaaaaaaaaa", n / 16);
	printf(" 3\nmain;b 4\n");
}

/* A profile.proto of n equal samples of main, each with a label. */
static void pprof(long n)
{
	static const char tables[] =
		"\x0a\x02\x08\x01\x22\x06\x08\x01\x22\x02\x08\x01\x2a\x04\x08\x01\x10\x01\x32\x00\x32\x04main";

	fwrite(tables, 1, sizeof tables - 1, stdout);
	for (long i = 0; i < n; i++)
		fwrite("\x12\x0a\x08\x01\x10\x07\x1a\x04\x08\x01\x18\x05", 1, 12, stdout);
}

/* A page of flametop that has n numbers, in lines of 50,000. */
static void html(long n)
{
	printf("<!doctype html>\n<meta name=\"generator\" content=\"flametop 1.0.0\">\n"
	       "<script type=\"application/json\" id=\"data\">{\"flametop\":1,\"format\":\"page\",\n"
	       "\"frames\":{\"self\":[");
	for (long i = 0; i < n; i++)
		fputs(i % 50000 ? "0,               " : "0,\n", stdout);
	printf("0]}}</script>\n");
}

/* A flame graph of async-profiler of n frames. */
static void async_profiler_html(long n)
{
	printf("<!doctype html>\nfunction f(key, level, left, width)\nconst cpool = [\n'all'\n];\nunpack(cpool);\n");
	repeat("n(3,9)\n", n);
}

/* Text of go tool pprof -raw with n samples, of two stacks in turn. */
static void go(long n)
{
	printf("Samples:\nsamples/count\n");
	repeat("                1: 1\n                1: 2\n", n / 2);
	printf("Locations\nMappings\n");
}

static void papyrus(long n)
{
	printf("Stack_1 log opened (PC)\n");
	repeat("50018:PUSH:3185:3:exampleQuest (24021278):quest..update\n50018:POP:3185:3:::quest..update\n", n / 2);
}

static void put_length(long n)
{
	for (; n > 127; n >>= 7)
		putchar((int)(n & 127) | 128);
	putchar((int)n);
}

/* A profile.proto of one sample: n times the same location, which has n inlined calls. */
static void pprof_inlined(long n)
{
	long digits = n > 127 ? n > 16383 ? 3 : 2 : 1;
	printf("\x0a\x02\x08\x01\x12");
	put_length(1 + digits + n + 2);
	printf("\x0a");
	put_length(n);
	repeat("\x01", n);
	printf("\x10\x07\x22");
	put_length(2 + 4 * n);
	printf("\x08\x01");
	repeat("\x22\x02\x08\x01", n);
	fwrite("\x2a\x04\x08\x01\x10\x01\x32\x00\x32\x04main", 1, 14, stdout);
}

/* Substitutions that double a C++ name at every step. */
static void mangled(long n)
{
	printf("main;_Z1fI");
	for (long i = 0; i < n; i++)
		printf("St4pairIS%c_S%c_E", i ? (char)('0' + (i - 1) % 10) : 't', i ? (char)('0' + (i - 1) % 10) : 't');
	printf("EvT_ 1\n");
	printf("main;_Z1fI1AE");
	for (long i = 0; i < n; i++)
		printf("1bI%sS_%sE", i ? "S0_" : "", i ? "S1_" : "");
	printf("v 2\nmain;_RINvC1a1b");
	repeat("TTB0_B0_EB1_", n);
	printf("E 3\nmain;plain 4\n");
}

/* Names on which (a+)+$ backtracks almost forever. */
static void backtracking(long n)
{
	for (long i = 0; i < n; i++) {
		printf("main;");
		repeat("a", 40 + i % 60);
		printf("!%ld 1\n", i);
	}
}

static void many_names(long n)
{
	for (long i = 0; i < n; i++)
		printf("main;f%ld;g%ld 1\n", i, i * 7);
}

static int within(double seconds, long mib, char **argv)
{
	struct timespec from, to, moment = {.tv_nsec = 5000000};
	struct rusage used = {0};
	const char *log = getenv("BOMBS_LOG");
	int status = 0;
	double took = 0;
	clock_gettime(CLOCK_MONOTONIC, &from);
	pid_t pid = fork();
	if (pid == 0) {
		execvp(argv[0], argv);
		_exit(127);
	}
	while (pid > 0 && wait4(pid, &status, WNOHANG, &used) == 0) {
		clock_gettime(CLOCK_MONOTONIC, &to);
		took = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
		if (took > seconds)
			kill(pid, SIGKILL);
		nanosleep(&moment, NULL);
	}
	FILE *f = log ? fopen(log, "a") : NULL;
	if (f) {
		fprintf(f, "%.2f s, %ld MiB\n", took, used.ru_maxrss / 1024);
		fclose(f);
	}
	if (took > seconds)
		return 124;
	if (used.ru_maxrss / 1024 > mib)
		return 125;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*write)(long n);
	} bombs[] = {
		{"deep-folded", deep_folded},
		{"deep-perf", deep_perf},
		{"deep-chrome", deep_chrome},
		{"nested-json", nested_json},
		{"nested-xml", nested_xml},
		{"laughing-xml", laughing_xml},
		{"long-line", long_line},
		{"mangled", mangled},
		{"backtracking", backtracking},
		{"many-names", many_names},
		{"pprof", pprof},
		{"pprof-inlined", pprof_inlined},
		{"html", html},
		{"go", go},
		{"papyrus", papyrus},
		{"async-profiler-html", async_profiler_html},
	};
	if (argc > 4 && strcmp(argv[1], "within") == 0)
		return within(atof(argv[2]), atol(argv[3]), argv + 4);
	for (size_t i = 0; argc > 2 && i < sizeof bombs / sizeof *bombs; i++)
		if (strcmp(argv[1], bombs[i].name) == 0) {
			bombs[i].write(atol(argv[2]));
			return ferror(stdout) ? 1 : 0;
		}
	fprintf(stderr, "usage: bombs NAME N, or bombs within SECONDS MIB CMD ARG...\n");
	return 2;
}
