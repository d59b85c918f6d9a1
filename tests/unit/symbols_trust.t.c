/*
 * Files of other users at the paths of JIT compilers, and processes whose number was used before.
 */
#include "symbols/trust.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/tap.h"

#define NOBODY 65534
#define SECOND UINT64_C(1000000000)

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* Seconds, also those for which the machine slept. */
static uint64_t uptime(void)
{
	struct timespec t;
#ifdef CLOCK_BOOTTIME
	clock_gettime(CLOCK_BOOTTIME, &t);
#else
	clock_gettime(CLOCK_MONOTONIC, &t);
#endif
	return (uint64_t)t.tv_sec;
}

static struct trust_in here_and_now(void)
{
	return (struct trust_in){{0, time(NULL)}, getpid(), now_ns(), 0, false};
}

static void test_process(void)
{
	struct trust_in in = here_and_now();
	ok(trust_is_recorded(&in), "a process that was there at the time of the sample is the recorded one");
	in.pid = getppid();
	ok(trust_is_recorded(&in), "so is its parent");
	in = here_and_now();
	in.time -= 60 * SECOND;
	ok(!trust_is_recorded(&in), "one that began later is not");
	in = here_and_now();
	in.time = 0;
	ok(!trust_is_recorded(&in), "nor one without a time");
	in = here_and_now();
	in.time += 1000000 * SECOND;
	ok(!trust_is_recorded(&in), "nor one of a machine that has run for longer");
	in = here_and_now();
	in.period.to -= 86400;
	ok(!trust_is_recorded(&in),
	   "nor one in a recording that is older than the sample, by another start of the machine");
	in.period = (struct trust_period){time(NULL) + 86400, INT64_MAX};
	ok(!trust_is_recorded(&in), "nor one before the recording begins");
	in.period = (struct trust_period){1, 0};
	ok(!trust_is_recorded(&in), "nor one of another machine");
	in = here_and_now();
	in.pid = INT32_MAX;
	ok(!trust_is_recorded(&in), "nor one that is gone");
	in.pid = 0;
	ok(!trust_is_recorded(&in), "nor none");
}

static void opens(const char *path, const struct trust_in *in, const char *why, const char *what)
{
	struct stat st;
	struct err err;
	int fd = trust_open(path, in, &st, &err);
	if (why)
		ok(fd < 0 && strstr(err.text, why), "%s is refused: %s", what, err.text);
	else
		ok(fd >= 0, "%s is read%s", what, err.text);
	if (fd >= 0)
		close(fd);
}

/* A file of an earlier process of the same number. */
static void test_stale(const char *directory)
{
	char file[256];
	struct trust_in in = here_and_now();
	snprintf(file, sizeof file, "%s/stale", directory);
	close(open(file, O_CREAT | O_WRONLY, 0600));
	opens(file, &in, NULL, "a file that was written since the process began");
	const struct timespec long_ago[2] = {{1000000000, 0}, {1000000000, 0}};
	utimensat(AT_FDCWD, file, long_ago, 0);
	opens(file, &in, "before the process began", "an older one");
	in.pid = INT32_MAX;
	opens(file, &in, "before the process began", "one from before the machine's start, of a process that is gone");
	in.time = 0;
	opens(file, &in, NULL, "the same, without a time of the samples");
	in = here_and_now();
	in.pid = INT32_MAX;
	in.period.to -= 86400;
	in.period.from = 0;
	opens(file, &in, NULL, "the same, in a recording by another start of the machine");
	in = here_and_now();
	in.pid = INT32_MAX;
	const time_t between = (time_t)((uint64_t)time(NULL) - uptime() / 2);
	const struct timespec since_start[2] = {{between, 0}, {between, 0}};
	utimensat(AT_FDCWD, file, since_start, 0);
	opens(file, &in, NULL, "one from after the machine's start, of a process that is gone");
	utimensat(AT_FDCWD, file, long_ago, 0);
	in.born = in.time;
	opens(file, &in, "before the process began", "the same, if the recording has the process's beginning");
	in.period = (struct trust_period){1, 0};
	opens(file, &in, NULL, "the same, in a recording of another machine");
	unlink(file);
}

static void test_files(const char *directory)
{
	char file[256], link[256], missing[256];
	struct trust_in in = here_and_now();
	struct stat st;
	struct err err;
	snprintf(file, sizeof file, "%s/file", directory);
	snprintf(link, sizeof link, "%s/link", directory);
	snprintf(missing, sizeof missing, "%s/missing", directory);
	close(open(file, O_CREAT | O_WRONLY, 0600));
	if (symlink(file, link) != 0)
		bail_out("no link");
	ok(trust_open(missing, &in, &st, &err) < 0 && !err.text[0], "a file that is not there is no error");
	opens(directory, &in, "not a regular file", "a directory");
	opens(file, &in, NULL, "the user's file");
	opens(link, &in, NULL, "the user's link");
	in.is_elsewhere = true;
	opens(file, &in, NULL, "in the file system of the recorded process, the file of its owner");
	opens(link, &in, "a link", "a link there");
	in.time = 0;
	opens(file, &in, "neither", "a file in the file system of another process");
	in = here_and_now();
	if (geteuid() == 0 && chown(file, NOBODY, NOBODY) == 0 && lchown(link, NOBODY, NOBODY) == 0) {
		opens(file, &in, "neither", "another user's file");
		opens(link, &in, "a link", "another user's link");
		if (chown(file, 0, 0) == 0)
			opens(link, &in, "a link", "another user's link to the user's file");
	} else {
		for (int i = 0; i < 3; i++)
			skip("only root can make files of other users");
	}
	unlink(file);
	unlink(link);
}

int main(void)
{
	char directory[] = "/tmp/trust-XXXXXX";
	if (!mkdtemp(directory))
		bail_out("no directory for files");
	test_process();
	test_files(directory);
	test_stale(directory);
	rmdir(directory);
	return done_testing();
}
