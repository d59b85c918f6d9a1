/*
 * shared.c - writes profiles in which very many functions, addresses or threads share one long name.
 *
 *	shared NAME N BYTES      N of them, a name of so many bytes, to standard output
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- protocol buffers ------------------------------------------------------------------------------------------ */

struct message {
	FILE *f;
	char *data;
	size_t len;
};

static void begin(struct message *m)
{
	m->f = open_memstream(&m->data, &m->len);
	if (!m->f)
		abort();
}

static void put_varint(FILE *f, unsigned long v)
{
	for (; v > 127; v >>= 7)
		putc((int)(v & 127) | 128, f);
	putc((int)v, f);
}

static void put_number(FILE *f, unsigned field, unsigned long v)
{
	put_varint(f, field << 3);
	put_varint(f, v);
}

static void put_bytes(FILE *f, unsigned field, const char *data, size_t n)
{
	put_varint(f, field << 3 | 2);
	put_varint(f, n);
	fwrite(data, 1, n, f);
}

/* Ends the message, as a field of another one. */
static void end(struct message *m, FILE *f, unsigned field)
{
	fclose(m->f);
	put_bytes(f, field, m->data, m->len);
	free(m->data);
}

/* One with so many numbers, from field 1 on. */
static void put_numbers(FILE *f, unsigned field, const unsigned long *v, unsigned n)
{
	struct message m;
	begin(&m);
	for (unsigned i = 0; i < n; i++)
		put_number(m.f, i + 1, v[i]);
	end(&m, f, field);
}

/* ---- profiles -------------------------------------------------------------------------------------------------- */

static const char *name; /* the long one */

static void put_strings(FILE *f, unsigned field)
{
	put_bytes(f, field, "", 0);
	put_bytes(f, field, "cpu", 3);
	put_bytes(f, field, "nanoseconds", 11);
	put_bytes(f, field, name, strlen(name));
	put_bytes(f, field, "main", 4);
}

static void pprof(unsigned long n, int has_functions)
{
	put_numbers(stdout, 1, (unsigned long[]){1, 2}, 2);
	put_numbers(stdout, 3, (unsigned long[]){1, 0x1000, 1ul << 40, 0, 3}, 5);
	for (unsigned long i = 1; i <= n; i++) {
		struct message location;
		put_numbers(stdout, 2, (unsigned long[]){i, 5}, 2);
		begin(&location);
		put_number(location.f, 1, i);
		put_number(location.f, 2, 1);
		put_number(location.f, 3, 0x2000 + 16 * i);
		if (has_functions)
			put_numbers(location.f, 4, (unsigned long[]){i, i}, 2);
		end(&location, stdout, 4);
		if (has_functions)
			put_numbers(stdout, 5, (unsigned long[]){i, 4, 4, 3, i}, 5);
	}
	put_strings(stdout, 6);
}

static void put_unit(unsigned field, unsigned long number)
{
	char text[40];
	put_bytes(stdout, field, text, (size_t)snprintf(text, sizeof text, "unit%lu", number));
}

/* The lines of one function, each with a sample. */
static void pprof_lines(unsigned long n)
{
	put_numbers(stdout, 1, (unsigned long[]){1, 2}, 2);
	put_numbers(stdout, 5, (unsigned long[]){1, 4, 4, 3}, 4);
	for (unsigned long i = 1; i <= n; i++) {
		struct message location;
		put_numbers(stdout, 2, (unsigned long[]){i, 5}, 2);
		begin(&location);
		put_number(location.f, 1, i);
		put_numbers(location.f, 4, (unsigned long[]){1, i}, 2);
		end(&location, stdout, 4);
	}
	put_strings(stdout, 6);
}

static void pprof_files(unsigned long n)
{
	pprof(n, 1);
}

static void pprof_addresses(unsigned long n)
{
	pprof(n, 0);
}

/* Types of values with the same name and units of their own. */
static void pprof_types(unsigned long n)
{
	struct message sample;
	for (unsigned long i = 0; i < n; i++)
		put_numbers(stdout, 1, (unsigned long[]){3, 5 + i}, 2);
	put_numbers(stdout, 4, (unsigned long[]){1, 0, 0}, 1);
	begin(&sample);
	put_bytes(sample.f, 1, "\1", 1);
	for (unsigned long i = 0; i < n; i++)
		put_number(sample.f, 2, i + 1);
	end(&sample, stdout, 2);
	put_strings(stdout, 6);
	for (unsigned long i = 0; i < n; i++)
		put_unit(6, i);
}

/* Samples with labels of one key, "main": of their own in the last strings, and the long name as another value or the unit. */
static void pprof_tagged(unsigned long n, int is_number)
{
	put_numbers(stdout, 1, (unsigned long[]){1, 2}, 2);
	put_numbers(stdout, 5, (unsigned long[]){1, 4, 4, 4}, 4);
	struct message location, sample;
	begin(&location);
	put_number(location.f, 1, 1);
	put_numbers(location.f, 4, (unsigned long[]){1, 1}, 2);
	end(&location, stdout, 4);
	for (unsigned long i = 0; i < n; i++) {
		begin(&sample);
		put_bytes(sample.f, 1, "\1", 1);
		put_number(sample.f, 2, 1);
		if (is_number) {
			put_numbers(sample.f, 3, (unsigned long[]){4, 0, i + 1, 3}, 4);
		} else {
			put_numbers(sample.f, 3, (unsigned long[]){4, 3}, 2);
			put_numbers(sample.f, 3, (unsigned long[]){4, 5 + i}, 2);
		}
		end(&sample, stdout, 2);
	}
	put_strings(stdout, 6);
	for (unsigned long i = 0; i < n; i++)
		put_unit(6, i);
}

/* A stack of a function that calls itself. */
static void pprof_recursion(unsigned long n)
{
	struct message location, sample, stack;
	put_numbers(stdout, 1, (unsigned long[]){1, 2}, 2);
	put_numbers(stdout, 5, (unsigned long[]){1, 3, 3, 3}, 4);
	begin(&location);
	put_number(location.f, 1, 1);
	put_numbers(location.f, 4, (unsigned long[]){1, 1}, 2);
	end(&location, stdout, 4);
	begin(&sample);
	begin(&stack);
	for (unsigned long i = 0; i < n; i++)
		put_varint(stack.f, 1);
	end(&stack, sample.f, 1);
	put_number(sample.f, 2, 1);
	end(&sample, stdout, 2);
	put_strings(stdout, 6);
}

static void pprof_labels(unsigned long n)
{
	pprof_tagged(n, 0);
}

static void pprof_units(unsigned long n)
{
	pprof_tagged(n, 1);
}

static void otlp(unsigned long n, int has_functions)
{
	struct message resource, scope, profile, dictionary, location, stack;
	begin(&resource);
	begin(&scope);
	begin(&profile);
	put_numbers(profile.f, 1, (unsigned long[]){1, 2}, 2);
	for (unsigned long i = 1; i <= n; i++) {
		begin(&stack);
		put_number(stack.f, 1, i);
		put_bytes(stack.f, 4, "\5", 1);
		end(&stack, profile.f, 2);
	}
	end(&profile, scope.f, 2);
	end(&scope, resource.f, 2);
	end(&resource, stdout, 1);
	begin(&dictionary);
	put_numbers(dictionary.f, 1, NULL, 0);
	put_numbers(dictionary.f, 1, (unsigned long[]){0x1000, 1ul << 40, 0, 3}, 4);
	put_numbers(dictionary.f, 2, NULL, 0);
	put_numbers(dictionary.f, 3, NULL, 0);
	put_numbers(dictionary.f, 7, NULL, 0);
	for (unsigned long i = 1; i <= n; i++) {
		begin(&location);
		put_number(location.f, 1, 1);
		put_number(location.f, 2, 0x2000 + 16 * i);
		if (has_functions)
			put_numbers(location.f, 3, (unsigned long[]){i, i}, 2);
		end(&location, dictionary.f, 2);
		put_numbers(dictionary.f, 3, (unsigned long[]){4, 4, 3, i}, 4);
		begin(&stack);
		struct message list;
		begin(&list);
		put_varint(list.f, i);
		end(&list, stack.f, 1);
		end(&stack, dictionary.f, 7);
	}
	put_strings(dictionary.f, 5);
	end(&dictionary, stdout, 2);
}

static void otlp_files(unsigned long n)
{
	otlp(n, 1);
}

static void otlp_addresses(unsigned long n)
{
	otlp(n, 0);
}

/* Profiles with the same type of values. */
static void otlp_types(unsigned long n)
{
	struct message resource, scope, dictionary;
	begin(&resource);
	begin(&scope);
	for (unsigned long i = 0; i < n; i++) {
		struct message profile;
		begin(&profile);
		put_numbers(profile.f, 1, (unsigned long[]){3, 2}, 2);
		put_bytes(profile.f, 2, "\42\1\5", 3);
		end(&profile, scope.f, 2);
	}
	end(&scope, resource.f, 2);
	end(&resource, stdout, 1);
	begin(&dictionary);
	put_strings(dictionary.f, 5);
	end(&dictionary, stdout, 2);
}

/* A list of n elements: the text, or the numbers from 0 on in its place. */
static void put_list(const char *key, unsigned long n, const char *element)
{
	printf("\"%s\":[", key);
	for (unsigned long i = 0; i < n; i++)
		element ? printf("%s%s", i ? "," : "", element) : printf("%s%lu", i ? "," : "", i);
	printf("],");
}

static void firefox_files(unsigned long n)
{
	printf("{\"meta\":{\"interval\":1,\"version\":28,\"preprocessedProfileVersion\":47},\"libs\":[],\"threads\":[{"
	       "\"name\":\"t\",\"pid\":\"1\",\"tid\":1,\"stringArray\":[\"%s\",\"main\"],\"funcTable\":{",
	       name);
	put_list("name", n, "1");
	put_list("fileName", n, "0");
	put_list("lineNumber", n, NULL);
	printf("\"length\":%lu},\"frameTable\":{", n);
	put_list("func", n, NULL);
	put_list("address", n, "-1");
	printf("\"length\":%lu},\"stackTable\":{", n);
	put_list("frame", n, NULL);
	put_list("prefix", n, "null");
	printf("\"length\":%lu},\"samples\":{", n);
	put_list("stack", n, NULL);
	put_list("time", n, NULL);
	printf("\"weightType\":\"samples\",\"length\":%lu}}]}\n", n);
}

/* Frames at one place of a raw profile. */
static void gecko_places(unsigned long n)
{
	printf("{\"libs\":[],\"meta\":{\"version\":28,\"interval\":1,\"startTime\":1},\"threads\":[{\"name\":\"t\","
	       "\"pid\":1,\"tid\":1,\"samples\":{\"schema\":{\"stack\":0,\"time\":1},\"data\":[");
	for (unsigned long i = 0; i < n; i++)
		printf("%s[%lu,%lu]", i ? "," : "", i, i);
	printf("]},\"stackTable\":{\"schema\":{\"prefix\":0,\"frame\":1},\"data\":[");
	for (unsigned long i = 0; i < n; i++)
		printf("%s[null,%lu]", i ? "," : "", i);
	printf("]},\"frameTable\":{\"schema\":{\"location\":0},\"data\":[");
	for (unsigned long i = 0; i < n; i++)
		printf("%s[0]", i ? "," : "");
	printf("]},\"stringTable\":[\"main (%s:1)\"]}],\"processes\":[]}\n", name);
}

static void heaptrack_files(unsigned long n)
{
	printf("v 10400 3\nX a.out\ns 1 a\ns %lx %s\n", (unsigned long)strlen(name), name);
	for (unsigned long i = 0; i < n; i++)
		printf("s %x f%06lu\ni %lx 1 %lx 2 1\nt %lx 0\na 8 %lx\n+ %lx\n", 7, i, i + 1, i + 3, i + 1, i + 1, i);
}

static void chrome_processes(unsigned long n)
{
	printf("{\"traceEvents\":[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"%s\"}}", name);
	for (unsigned long i = 0; i < n; i++)
		printf(",{\"ph\":\"X\",\"pid\":1,\"tid\":%lu,\"ts\":1,\"dur\":2,\"name\":\"a\"}", i);
	printf("]}\n");
}

static void callgrind_files(unsigned long n)
{
	printf("# callgrind format\nevents: Cycles\nfl=(1) %s\n", name);
	for (unsigned long i = 0; i < n; i++)
		printf("fn=(%lu) f%lu\n%lu 1\n", i + 1, i, i);
}

/* A chain of inlined functions at one place. */
static void perf_places(unsigned long n)
{
	printf("main 1 1.000000: 1000 cycles:\n\t1000 a");
	for (unsigned long i = 0; i < n; i++)
		printf("->f%lu", i);
	printf(" (/bin/main)\n  %s:12\n\n", name);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*write)(unsigned long n);
	} kinds[] = {
		{"pprof-types", pprof_types},         {"pprof-files", pprof_files},
		{"pprof-lines", pprof_lines},         {"pprof-addresses", pprof_addresses},
		{"otlp-files", otlp_files},           {"otlp-addresses", otlp_addresses},
		{"firefox-files", firefox_files},     {"chrome-processes", chrome_processes},
		{"callgrind-files", callgrind_files}, {"perf-places", perf_places},
		{"pprof-labels", pprof_labels},       {"pprof-units", pprof_units},
		{"pprof-recursion", pprof_recursion}, {"otlp-types", otlp_types},
		{"gecko-places", gecko_places},       {"heaptrack-files", heaptrack_files},
	};
	size_t bytes = argc == 4 ? strtoul(argv[3], NULL, 10) : 0;
	char *text = malloc(bytes + 1);
	for (size_t i = 0; text && bytes && i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(argv[1], kinds[i].name) == 0) {
			memset(text, 'A', bytes);
			text[bytes] = '\0';
			name = text;
			kinds[i].write(strtoul(argv[2], NULL, 10));
			free(text);
			return ferror(stdout) ? 1 : 0;
		}
	free(text);
	fprintf(stderr, "usage: shared NAME N BYTES\n");
	return 2;
}
