/*
 * tap.h - unit tests that speak TAP, the protocol of prove(1).
 *
 * A test is one program. It says how many assertions it makes (plan) or that it is complete (done_testing), and
 * each assertion is a sentence about what holds:
 *
 *	#include "tests/tap.h"
 *
 *	int main(void)
 *	{
 *		struct buf b;
 *		buf_init(&b);
 *		buf_adds(&b, "one");
 *		is_int(b.len, 3, "a buffer counts the bytes that were added");
 *		is_str(buf_str(&b), "one", "a buffer gives back what was added");
 *		buf_deinit(&b);
 *		return done_testing();
 *	}
 *
 * A failure is reported on standard error with file and line, the result and the expected value, and the test goes
 * on. Each assertion returns whether it held, so that dependent code can be skipped. An assertion evaluates its
 * arguments once. The counters are static: one test program is one source file.
 */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TAP_FN __attribute__((unused)) static
#define TAP_NAME __attribute__((format(printf, 4, 5)))

static struct {
	int planned, run, failed;
} tap;

/* Sets the number of assertions. End main() by `return done_testing();` even so. */
TAP_FN void plan(int assertions)
{
	tap.planned = assertions;
	printf("1..%d\n", assertions);
}

/* Prints a remark among the results. */
TAP_FN __attribute__((format(printf, 1, 2))) void diag(const char *fmt, ...)
{
	va_list ap;
	fflush(stdout);
	fputs("# ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

/* Adds what was skipped to the file named by TESTS_SKIPPED: program, number of assertions, reason. */
TAP_FN __attribute__((format(printf, 2, 0))) void tap_say_skipped(const char *count, const char *fmt, va_list ap)
{
	const char *path = getenv("TESTS_SKIPPED");
	char why[256];
	vsnprintf(why, sizeof why, fmt, ap);
	printf("# SKIP %s\n", why);
	FILE *f = path && *path ? fopen(path, "a") : NULL;
	if (!f)
		return;
	fprintf(f, "%s\t%s\t%s\n", program_invocation_short_name, count, why);
	fclose(f);
}

/* Ends the test program: nothing can be tested on this machine, for this reason. */
TAP_FN __attribute__((noreturn, format(printf, 1, 2))) void skip_all(const char *fmt, ...)
{
	va_list ap;
	fputs("1..0 ", stdout);
	va_start(ap, fmt);
	tap_say_skipped("all", fmt, ap);
	va_end(ap);
	exit(0);
}

/* Ends all tests: going on makes no sense, neither here nor in later programs. */
TAP_FN __attribute__((noreturn, format(printf, 1, 2))) void bail_out(const char *fmt, ...)
{
	va_list ap;
	fputs("Bail out!  ", stdout);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	exit(255);
}

/* Counts as passed: the reason for skipping it. */
TAP_FN __attribute__((format(printf, 1, 2))) void skip(const char *fmt, ...)
{
	va_list ap;
	printf("ok %d ", ++tap.run);
	va_start(ap, fmt);
	tap_say_skipped("1", fmt, ap);
	va_end(ap);
}

/* Prints the plan if there was none; returns the exit status of the test program. */
TAP_FN __attribute__((warn_unused_result)) int done_testing(void)
{
	if (tap.planned == 0)
		printf("1..%d\n", tap.run);
	else if (tap.planned != tap.run)
		diag("planned %d assertions, made %d", tap.planned, tap.run);
	if (tap.failed > 0)
		diag("%d of %d failed", tap.failed, tap.run);
	return tap.failed > 0 || (tap.planned != 0 && tap.planned != tap.run) || tap.run == 0;
}

/* Prints one result line. A '#' in a name would begin a directive, a newline would end the line. */
TAP_FN __attribute__((format(printf, 4, 0))) bool tap_result(bool held, const char *file, int line,
                                                             const char *name, va_list ap)
{
	char text[512];
	vsnprintf(text, sizeof text, name, ap);
	for (char *p = text; *p != '\0'; p++)
		if (*p == '#' || *p == '\n')
			*p = ' ';
	printf("%sok %d - %s\n", held ? "" : "not ", ++tap.run, text);
	fflush(stdout);
	if (!held) {
		tap.failed++;
		diag("failed: %s", text);
		diag("    at: %s:%d", file, line);
	}
	return held;
}

TAP_FN TAP_NAME bool tap_ok(bool held, const char *file, int line, const char *name, ...)
{
	va_list ap;
	va_start(ap, name);
	tap_result(held, file, line, name, ap);
	va_end(ap);
	return held;
}

TAP_FN __attribute__((format(printf, 5, 6))) bool tap_int(intmax_t got, intmax_t expected, const char *file,
                                                          int line, const char *name, ...)
{
	va_list ap;
	va_start(ap, name);
	bool held = tap_result(got == expected, file, line, name, ap);
	va_end(ap);
	if (!held) {
		diag("   got: %jd (0x%jx)", got, (uintmax_t)got);
		diag("expect: %jd (0x%jx)", expected, (uintmax_t)expected);
	}
	return held;
}

TAP_FN __attribute__((format(printf, 6, 7))) bool tap_near(double got, double expected, double within,
                                                           const char *file, int line, const char *name, ...)
{
	va_list ap;
	double distance = got > expected ? got - expected : expected - got;
	va_start(ap, name);
	bool held = tap_result(distance <= within, file, line, name, ap);
	va_end(ap);
	if (!held)
		diag("   got: %.17g, expected %.17g within %g", got, expected, within);
	return held;
}

/* Shows bytes as a C string literal, so that differences in blanks or controls are visible. */
TAP_FN void tap_show(const char *what, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	fflush(stdout);
	fprintf(stderr, "# %s: ", what);
	if (p == NULL) {
		fputs("NULL\n", stderr);
		return;
	}
	fputc('"', stderr);
	for (size_t i = 0; i < n; i++) {
		if (p[i] == '\n')
			fputs("\\n\"\n#         \"", stderr);
		else if (p[i] == '"' || p[i] == '\\')
			fprintf(stderr, "\\%c", p[i]);
		else if (p[i] < 0x20 || p[i] == 0x7F)
			fprintf(stderr, "\\x%02x", p[i]);
		else
			fputc(p[i], stderr);
	}
	fprintf(stderr, "\" (%zu bytes)\n", n);
}

/* Offset at which two pieces of memory differ. */
TAP_FN size_t tap_common(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t i = 0;
	while (i < a_len && i < b_len && a[i] == b[i])
		i++;
	return i;
}

TAP_FN __attribute__((format(printf, 7, 8))) bool tap_mem(const void *got, size_t got_len, const void *expected,
                                                          size_t expected_len, const char *file, int line,
                                                          const char *name, ...)
{
	va_list ap;
	bool same = got_len == expected_len &&
	            (got_len == 0 || (got != NULL && expected != NULL && memcmp(got, expected, got_len) == 0));
	va_start(ap, name);
	bool held = tap_result(same, file, line, name, ap);
	va_end(ap);
	if (held)
		return true;
	tap_show("   got", got, got_len);
	tap_show("expect", expected, expected_len);
	if (got != NULL && expected != NULL)
		diag("differ: from byte %zu on", tap_common(got, got_len, expected, expected_len));
	return false;
}

/* NULL equals only NULL. */
TAP_FN __attribute__((format(printf, 5, 6))) bool tap_str(const char *got, const char *expected, const char *file,
                                                          int line, const char *name, ...)
{
	va_list ap;
	bool same = got == expected || (got != NULL && expected != NULL && strcmp(got, expected) == 0);
	va_start(ap, name);
	bool held = tap_result(same, file, line, name, ap);
	va_end(ap);
	if (held)
		return true;
	tap_show("   got", got, got != NULL ? strlen(got) : 0);
	tap_show("expect", expected, expected != NULL ? strlen(expected) : 0);
	return false;
}

/* Is the program instrumented by a compiler's sanitizer or by valgrind? These add memory and time. */
TAP_FN bool tap_sanitized(void)
{
	const char *sanitized = getenv("TESTS_SANITIZED");
	return sanitized && *sanitized;
}

/*
 * Processor time of this thread in seconds, to bound a cost independent of other load. Sanitizers take many times
 * as much, so with them a second counts as a twentieth.
 */
TAP_FN double tap_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return ((double)now.tv_sec + (double)now.tv_nsec * 1e-9) / (tap_sanitized() ? 20 : 1);
}

/* The last argument is the name, a printf format for the arguments behind it. */
#define ok(held, ...) tap_ok((held), __FILE__, __LINE__, __VA_ARGS__)
#define pass(...) tap_ok(true, __FILE__, __LINE__, __VA_ARGS__)
#define not_ok(...) tap_ok(false, __FILE__, __LINE__, __VA_ARGS__)
#define is_int(got, expected, ...) tap_int((intmax_t)(got), (intmax_t)(expected), __FILE__, __LINE__, __VA_ARGS__)
#define is_near(got, expected, within, ...) tap_near((got), (expected), (within), __FILE__, __LINE__, __VA_ARGS__)
#define is_str(got, expected, ...) tap_str((got), (expected), __FILE__, __LINE__, __VA_ARGS__)
#define is_mem(got, got_len, expected, expected_len, ...) \
	tap_mem((got), (got_len), (expected), (expected_len), __FILE__, __LINE__, __VA_ARGS__)
/* Compares a buffer's bytes (anything with .data and .len) with a string. */
#define is_buf(b, expected, ...) \
	tap_mem((b).data, (b).len, (expected), strlen(expected), __FILE__, __LINE__, __VA_ARGS__)

#endif
