/*
 * memory.t.c - libflametop when memory runs out: each allocation of a run fails once, alone and with all that
 * follow.
 *
 * The program is linked from the library's object, whose calls of malloc() and its like lead here. A run must end
 * with FLAMETOP_NO_MEMORY, or as if nothing had happened where the library can do without. Nothing may be left:
 * neither blocks nor descriptors nor programs.
 */
#include <errno.h>
#include <fcntl.h>
#include <flametop.h>
#include <glob.h>
#include <locale.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "tests/tap.h"

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void __real_free(void *);
void *__wrap_malloc(size_t);
void *__wrap_calloc(size_t, size_t);
void *__wrap_realloc(void *, size_t);
void __wrap_free(void *);

static atomic_long asked, failed_at, held; /* failed_at 0: none fails */
static atomic_bool fails_on;               /* all that follow fail, too */
static size_t watched;                     /* blocks of this size are watched; 0: none */
static _Atomic(void *) watched_block;      /* the last one, until it is freed */

static bool is_to_fail(void)
{
	long n = atomic_fetch_add(&asked, 1) + 1, at = atomic_load(&failed_at);
	return at && (n == at || (n > at && atomic_load(&fails_on)));
}

static void *count(void *block)
{
	if (block)
		atomic_fetch_add(&held, 1);
	return block;
}

void *__wrap_malloc(size_t n)
{
	void *block = is_to_fail() ? NULL : count(__real_malloc(n));
	if (watched && n == watched)
		atomic_store(&watched_block, block);
	return block;
}

void *__wrap_calloc(size_t n, size_t size)
{
	return is_to_fail() ? NULL : count(__real_calloc(n, size));
}

void *__wrap_realloc(void *old, size_t n)
{
	void *block = is_to_fail() ? NULL : __real_realloc(old, n);
	return old ? block : count(block);
}

void __wrap_free(void *block)
{
	void *expected = block;
	if (block)
		atomic_fetch_sub(&held, 1);
	if (block)
		atomic_compare_exchange_strong(&watched_block, &expected, NULL);
	__real_free(block);
}

/* ---- runs ---------------------------------------------------------------------------------------------------- */

struct run {
	const char *name;
	const char *format, *jobs;
	const char *text, *base; /* inputs; NULL: none */
	const char *path;
	const char *options[8][2];
	const char *kinds[13];
	bool walks;
};

static int ours = -1; /* a descriptor of the caller's, opened between those of the library */

static int drop(void *arg, const void *bytes, size_t n)
{
	(void)arg, (void)bytes, (void)n;
	if (ours < 0)
		ours = open("/dev/null", O_RDONLY | O_CLOEXEC);
	return 0;
}

static int add_inputs(struct flametop_profile *p, const struct run *r)
{
	int status = FLAMETOP_OK;
	if (r->format)
		status = flametop_profile_set(p, "format", r->format);
	if (!status && r->jobs)
		status = flametop_profile_set(p, "jobs", r->jobs);
	if (!status && r->text)
		status = flametop_profile_add_memory(p, "text", r->text, strlen(r->text), FLAMETOP_NEW);
	if (!status && r->base)
		status = flametop_profile_add_memory(p, "base", r->base, strlen(r->base), FLAMETOP_BASELINE);
	if (!status && r->path)
		status = flametop_profile_add_file(p, r->path, FLAMETOP_NEW);
	return status ? status : flametop_profile_load(p);
}

static int walk(struct flametop_view *v)
{
	uint32_t n = 0;
	size_t n_functions = 0, n_differences;
	int status = flametop_view_nodes(v, &n);
	struct flametop_node node = {.size = sizeof node};
	struct flametop_function function = {.size = sizeof function};
	for (uint32_t i = 0; !status && i < n; i++)
		status = flametop_view_node(v, i, &node);
	if (!status)
		status = flametop_view_functions(v, &n_functions);
	for (size_t i = 0; !status && i < n_functions; i++)
		status = flametop_view_function(v, i, &function);
	if (!status)
		status = flametop_view_differences(v, &n_differences, NULL);
	return status == FLAMETOP_USAGE ? FLAMETOP_OK : status;
}

static int show(struct flametop_view *v, const struct run *r)
{
	int status = FLAMETOP_OK;
	for (size_t i = 0; !status && r->options[i][0]; i++)
		status = flametop_view_set(v, r->options[i][0], r->options[i][1]);
	if (!status && r->walks)
		status = walk(v);
	for (size_t i = 0; !status && r->kinds[i]; i++)
		status = flametop_view_export(v, r->kinds[i], drop, NULL);
	return status;
}

/* Does a broken profile refuse everything? */
static bool is_refusing(struct flametop_profile *p, struct flametop_view *v)
{
	return flametop_profile_load(p) == FLAMETOP_NO_MEMORY &&
	       strcmp(flametop_profile_error(p), "out of memory") == 0 && flametop_profile_events(p) == 0 &&
	       !flametop_view_new(p) && (!v || flametop_view_set(v, "reverse", "yes") == FLAMETOP_NO_MEMORY) &&
	       (!v || flametop_view_export(v, "text", drop, NULL) == FLAMETOP_NO_MEMORY);
}

static const char *trouble; /* NULL: none */

static int go(const struct run *r)
{
	struct flametop_profile *p = flametop_profile_new();
	struct flametop_view *v = NULL;
	if (!p)
		return FLAMETOP_NO_MEMORY;
	int status = add_inputs(p, r);
	if (!status) {
		v = flametop_view_new(p);
		status = v ? show(v, r) : FLAMETOP_NO_MEMORY;
	}
	atomic_store(&failed_at, 0);
	if (status == FLAMETOP_NO_MEMORY && strcmp(flametop_profile_error(p), "out of memory") != 0)
		trouble = "the profile does not say that memory ran out";
	else if (status == FLAMETOP_NO_MEMORY && !is_refusing(p, v))
		trouble = "a broken profile takes part in a call";
	flametop_view_free(v);
	flametop_profile_free(p);
	return status;
}

static int lowest_free(void)
{
	int fd = open("/dev/null", O_RDONLY);
	close(fd);
	return fd;
}

static bool has_children(void)
{
	return waitpid(-1, NULL, WNOHANG) >= 0 || errno != ECHILD;
}

/* Runs with the n-th allocation failing. */
static int run_once(const struct run *r, long n, bool goes_on)
{
	long before = atomic_load(&held);
	int fd = lowest_free();
	atomic_store(&asked, 0);
	atomic_store(&fails_on, goes_on);
	atomic_store(&failed_at, n);
	int status = go(r);
	if (atomic_load(&held) != before)
		trouble = "blocks are left";
	if (ours >= 0 && close(ours) != 0)
		trouble = "a descriptor of the caller's was closed";
	ours = -1;
	if (lowest_free() != fd)
		trouble = "a descriptor is left";
	if (has_children())
		trouble = "a program is left";
	if (uselocale((locale_t)0) != LC_GLOBAL_LOCALE)
		trouble = "the thread is in another locale";
	return status;
}

static void try(const struct run *r, long most_runs)
{
	const char *sanitizer = getenv("TESTS_SANITIZED");
	trouble = NULL;
	if (sanitizer && *sanitizer) /* which slow things down tenfold */
		most_runs = (most_runs + 3) / 4;
	int expected = run_once(r, 0, false);
	long all = atomic_load(&asked), step = all / most_runs + 1, broken = 0, runs = 0;
	if (!is_int(expected, FLAMETOP_OK, "%s: all is well with memory", r->name))
		return;
	for (long n = 1; n <= all && !trouble; n += step)
		for (int on = 0; on < 2 && !trouble; on++, runs++) {
			int status = run_once(r, n, on);
			broken += status == FLAMETOP_NO_MEMORY;
			if (status != FLAMETOP_NO_MEMORY && status != expected)
				trouble = "another failure";
			if (trouble)
				diag("%s: allocation %ld of %ld%s: status %d", r->name, n, all, on ? " and all after it" : "",
				     status);
		}
	is_str(trouble, NULL, "%s: whichever of %ld allocations fails, the call says so, and nothing is left", r->name,
	       all);
	ok(broken > runs / 2, "%s: most of these failures end the call (%ld of %ld)", r->name, broken, runs);
}

#define ALL_KINDS \
	"svg", "html", "folded", "text", "top", "markdown", "speedscope", "firefox", "json", "pprof", "callgrind"

static const char folded[] = "main;read;copy 10\nmain;write 20\nmain;write;_ZNSolsEi 7\nother;main;f\xff 3\n";

/* A file that several threads read. */
static void make_large(const char *path)
{
	static const char frame[] = "a_name_that_is_long_enough_for_a_file_of_fifty_megabytes_with_few_lines_in_it";
	FILE *f = fopen(path, "w");
	for (int i = 0; f && i < 220000; i++)
		fprintf(f, "main;%s;f%d;g%d;%s;%s;h%d %d\n", frame, i % 97, i % 13, frame, frame, i % 7, i % 10 + 1);
	if (f)
		fclose(f);
}

/* The same compressed, which is read ahead on another thread. */
static void make_packed(const char *path)
{
	gzFile f = gzopen(path, "wb");
	for (int i = 0; f && i < 20000; i++)
		gzprintf(f, "main;f%d;g%d;h%d %d\n", i % 97, i % 13, i % 7, i % 10 + 1);
	if (f)
		gzclose(f);
}

static void try_files(void)
{
	char large[] = "/tmp/flametop-lib-large-XXXXXX", packed[] = "/tmp/flametop-lib-packed-XXXXXX";
	close(mkstemp(large));
	close(mkstemp(packed));
	make_large(large);
	make_packed(packed);
	try(&(struct run){.name = "several threads", .path = large, .jobs = "4", .kinds = {"folded"}}, 24);
	try(&(struct run){.name = "reading ahead", .path = packed, .jobs = "2", .kinds = {"folded"}}, 60);
	unlink(large);
	unlink(packed);
}

static void write_file(const char *path, mode_t mode, const char *text)
{
	FILE *f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f) != 0 || chmod(path, mode) != 0)
		bail_out("cannot write %s", path);
}

/* The library's copy of what it is given is as large as the input, and of no use once that is read. */
static void test_copies(void)
{
	static char text[123457] = "main;read 10\n";
	struct flametop_profile *p = flametop_profile_new();
	memset(text + strlen(text), '\n', sizeof text - strlen(text));
	watched = sizeof text;
	flametop_profile_add_memory(p, "text", text, sizeof text, FLAMETOP_NEW);
	ok(atomic_load(&watched_block), "bytes in memory are copied");
	is_int(flametop_profile_load(p), FLAMETOP_OK, "until they are read,");
	ok(!atomic_load(&watched_block), "and no longer");
	watched = 0;
	flametop_profile_free(p);
}

/* A recording that a program reads, in the place of perf. */
static void try_programs(void)
{
	char header[128] = "";
	char perf[] = "/tmp/flametop-lib-perf-XXXXXX", recording[] = "/tmp/flametop-lib-recording-XXXXXX";
	close(mkstemp(perf));
	close(mkstemp(recording));
	snprintf(header, sizeof header, "PERFILE2%0100d", 0); /* a header is that long */
	write_file(recording, 0600, header);
	write_file(perf, 0700,
	           "#!/bin/sh\ncat <<'END'\n"
	           "cat 7/7 1.000000: 10 cycles:\n\t401000 read+0x0 (/bin/cat)\n\t402000 main+0x0 (/bin/cat)\n\n"
	           "END\n");
	setenv("PERF", perf, 1);
	try(&(struct run){.name = "a program that reads a recording", .path = recording, .kinds = {"folded"}}, 400);
	unsetenv("PERF");
	unlink(perf);
	unlink(recording);
}

/* The first input of each format that is read without options. */
static void try_formats(void)
{
	glob_t found;
	const char *last = "";
	if (glob("tests/data/collapse/*/*.in", 0, NULL, &found) != 0)
		bail_out("no tests/data/collapse here");
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *path = found.gl_pathv[i], *name = strrchr(path, '/');
		struct run r = {
			.name = path + strlen("tests/data/collapse/"), .path = path, .jobs = "1", .kinds = {"folded"}};
		struct stat st;
		if (strncmp(last, path, (size_t)(name - path) + 1) == 0 || stat(path, &st) != 0 || st.st_size > 16384 ||
		    run_once(&r, 0, false) != FLAMETOP_OK)
			continue;
		last = path;
		try(&r, 24);
	}
	globfree(&found);
}

int main(void)
{
	static const struct run runs[] = {
		{.name = "all kinds", .text = folded, .walks = true, .kinds = {ALL_KINDS}},
		{.name = "options",
	     .text = folded,
	     .options =
	         {{"reverse", "yes"}, {"search", "ma.n|WRITE"}, {"focus", "main"}, {"zoom", "write"}, {"title", "x"}},
	     .kinds = {"svg", "text"}},
		{.name = "a comparison",
	     .text = folded,
	     .base = "main;read 30\nmain;write 5\n",
	     .walks = true,
	     .kinds = {"svg", "top", "json"}},
		{.name = "lines", .path = "tests/data/collapse/callgrind/names.in", .kinds = {"lines"}},
		{.name = "notes", .text = folded, .base = "main;read 30\nnonsense\n", .kinds = {"folded"}},
	};
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
		try(&runs[i], 400);
	test_copies();
	try_files();
	try_programs();
	try_formats();
	return done_testing();
}
