/*
 * From bytes to a profile: compressed, truncated, through pipes, several inputs, empty ones; and in the background.
 */
#include "tests/tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>

#include "collapse/load/shared.h"
#include "collapsing.h"
#include "packing.h"

static const char small[] = "main;read 3\nmain;write 4\nmain;write;flush 5\n";

static void add_stacks(struct buf *b, unsigned n)
{
	uint64_t seed = 5;

	for (unsigned i = 0; i < n; i++)
		buf_addf(b, "main;f%u;g%u;h%u %u\n", chance(&seed, 40), chance(&seed, 40), chance(&seed, 40),
		         1 + chance(&seed, 9));
}

/* --- compressed --- */

/* The result of load_bytes() as folded text; NULL: it failed. The report's warnings go to *notes. */
static char *folded_from(struct collapse_options o, const char *bytes, size_t len, size_t *notes)
{
	struct profile p;
	struct err err;
	char *text = load_bytes(&p, &o, bytes, len, &err) ? folded_of(&p) : NULL;

	if (notes)
		*notes = p.report.n;
	if (!text)
		diag("%s", err.text);
	profile_deinit(&p);
	return text;
}

static void test_compressed(void)
{
	struct buf text;
	char *plain;

	buf_init(&text);
	add_stacks(&text, 60000);
	plain = folded_from((struct collapse_options){.jobs = 1}, text.data, text.len, NULL);
	for (size_t i = 0; i < N_PACKERS; i++) {
		struct buf packed = packers[i].pack(text.data, text.len);
		for (unsigned jobs = 1; jobs <= 2; jobs++) {
			char *got = folded_from((struct collapse_options){.jobs = jobs}, packed.data, packed.len, NULL);
			ok(got && strcmp(got, plain) == 0, "%s reads as the plain text does, with %u threads", packers[i].name,
			   jobs);
			free(got);
		}
		buf_deinit(&packed);
	}
	free(plain);
	buf_deinit(&text);
}

static void test_truncated(void)
{
	struct collapse_options o = {.jobs = 2};
	struct profile p;
	struct err err;
	struct buf text, packed;

	buf_init(&text);
	add_stacks(&text, 60000);
	packed = gzipped(text.data, text.len);
	ok(load_bytes(&p, &o, packed.data, packed.len / 2, &err), "the contents of a truncated file are read");
	ok(p.log[0].n > 1000 && p.log[0].n < 60000, "that is a part of it");
	is_int(notes_of(&p, "the rest could not be read"), 1, "a message says that it is not all");
	profile_deinit(&p);
	packed.data[packed.len / 2] ^= 0x55;
	packed.data[packed.len / 2 + 1] ^= 0x55;
	ok(load_bytes(&p, &o, packed.data, packed.len, &err),
	   "the contents of a damaged file before the damage are read");
	ok(p.report.n > 0, "a message says that it is damaged");
	profile_deinit(&p);
	ok(!load_bytes(&p, &o, packed.data, 12, &err), "of a file cut off at its head nothing is read");
	ok(strstr(err.text, "input") == err.text, "the message begins with the file's name: %s", err.text);
	profile_deinit(&p);
	buf_deinit(&packed);
	buf_deinit(&text);
}

/* --- pipes --- */

struct writer {
	int fd;
	const char *bytes;
	size_t len, step;
};

static void *write_slowly(void *arg)
{
	struct writer *w = arg;

	for (size_t at = 0; at < w->len; at += w->step) {
		size_t n = w->len - at < w->step ? w->len - at : w->step;
		if (write(w->fd, w->bytes + at, n) != (ssize_t)n)
			break;
	}
	close(w->fd);
	return NULL;
}

/* Loads text that comes through a pipe, `step` bytes at a time. */
static char *folded_from_pipe(struct collapse_options o, const char *bytes, size_t len, size_t step)
{
	struct profile p;
	struct err err = {""};
	pthread_t thread;
	int fds[2];
	char *text;

	if (pipe(fds) != 0)
		return NULL;
	struct writer w = {fds[1], bytes, len, step};
	struct load_input in = {.path = "pipe", .fd = fds[0]};
	pthread_create(&thread, NULL, write_slowly, &w);
	profile_init(&p);
	text = load_all(&p, &in, 1, &o, &err) ? folded_of(&p) : NULL;
	pthread_join(thread, NULL);
	profile_deinit(&p);
	return text;
}

static void test_pipes(void)
{
	struct buf text, packed;
	char *plain;

	buf_init(&text);
	add_stacks(&text, 20000);
	plain = folded_from((struct collapse_options){.jobs = 1}, text.data, text.len, NULL);
	packed = gzipped(text.data, text.len);
	for (unsigned jobs = 1; jobs <= 2; jobs++)
		for (size_t step = 61; step < text.len * 4; step *= 17) {
			struct collapse_options o = {.jobs = jobs};
			char *got = folded_from_pipe(o, text.data, text.len, step);
			ok(got && strcmp(got, plain) == 0, "a pipe reads as a file does, %zu bytes at a time, %u threads", step,
			   jobs);
			free(got);
			got = folded_from_pipe(o, packed.data, packed.len, step);
			ok(got && strcmp(got, plain) == 0, "so does a compressed pipe, %zu bytes at a time, %u threads", step,
			   jobs);
			free(got);
		}
	free(plain);
	buf_deinit(&packed);
	buf_deinit(&text);
}

/* --- beginnings --- */

static void test_byte_order_mark(void)
{
	struct collapse_options o = {.jobs = 1};
	size_t notes;
	char *got = folded_from(o, "\xef\xbb\xbfmain;read 3\n", 15, &notes);

	is_str(got, "main;read 3\n", "a byte order mark is no part of the first name");
	is_int(notes, 0, "there is no message about it");
	free(got);
	got = folded_from(o, "\xef\xbb\xbf# x\n# y\nmain;read 3\n", 23, &notes);
	is_str(got, "main;read 3\n", "a comment may follow a byte order mark");
	free(got);
}

static void fails(struct collapse_options o, const char *bytes, size_t len, const char *expected, const char *name)
{
	struct profile p;
	struct err err;

	ok(!load_bytes(&p, &o, bytes, len, &err), "%s", name);
	if (!ok(strstr(err.text, expected) != NULL, "%s, and the message says so", name))
		diag("%s", err.text);
	profile_deinit(&p);
}

static void fails_path(const char *path, const char *expected, const char *name)
{
	struct collapse_options o = {.jobs = 1};
	struct load_input in = {.path = path, .fd = -1};
	struct profile p;
	struct err err = {""};

	profile_init(&p);
	ok(!load_all(&p, &in, 1, &o, &err), "%s", name);
	if (!ok(strstr(err.text, expected) && strncmp(err.text, path, strlen(path)) == 0, "%s, and the message says so",
	        name))
		diag("%s", err.text);
	profile_deinit(&p);
}

static void test_failures(void)
{
	struct collapse_options any = {.jobs = 1}, folded = {.jobs = 1, .format = "folded"},
							odd = {.jobs = 1, .format = "odd"};
	struct profile p;
	struct err err;

	fails(any, "", 0, "empty", "an empty input fails");
	fails(any, " \n\n", 3, "empty", "blank lines alone fail");
	fails(any, "Dear reader,\nhow are you?\n", 26, "not a profile format that is known", "prose fails");
	fails(any,
	      "\x7f"
	      "ELF\1\2\3",
	      7, "a program", "a program fails");
	fails(any, "\0\1\2\3\4\5", 6, "binary", "bytes fail");
	fails(folded, "no count\n", 9, "input:1: not a folded stack", "an input without a good line fails");
	fails(folded, "x\ny\nz\n", 6, "line", "an input of bad lines fails");
	fails(any, "x23456789 123456789 123456789 123456789 123456789 123456789 12345678y", 69,
	      "begins 'x23456789 123456789 123456789 123456789 123456789 123456789 ' (", "a long line fails");
	fails(any, "x23456789 123456789 123456789 123456789 123456789 1234567890y\n", 62,
	      "begins 'x23456789 123456789 123456789 123456789 123456789 1234567890' (",
	      "a line that is longer by one fails");
	fails(odd, small, sizeof small - 1, "no such format", "an unknown format fails");
	fails_path("/", "directory", "a directory fails");
	fails_path("/no/such/profile", "No such file", "a file that is not there fails");

	ok(!load_bytes(&p, &folded, "\n", 1, &err), "nothing in a format asked for by name is a failure");
	is_int(p.log[0].n, 0, "it has no samples");
	ok(err.text[0], "and has a reason: %s", err.text);
	profile_deinit(&p);
}

/* --- several --- */

static int file_of(const char *text)
{
	int fd = memfd_create("input", 0);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text) || lseek(fd, 0, SEEK_SET) != 0)
		bail_out("no file in memory");
	return fd;
}

static void test_several(void)
{
	struct collapse_options o = {.jobs = 2};
	struct load_input in[] = {
		{.path = "one", .fd = file_of("main;read 3")}, /* no newline at the end */
		{.path = "two", .fd = file_of("main;read 4\nmain 1\n")},
		{.path = "three", .fd = file_of("app 1/1 1.5: 7 cycles:\n\ta1 go (/bin/x)\n")},
		{.path = "base", .fd = file_of("main;read 10\n"), .side = 1},
	};
	struct profile p;
	struct err err = {""};

	profile_init(&p);
	ok(load_all(&p, in, 4, &o, &err), "several files of several formats are read");
	is_int(p.log[0].n, 4, "their samples follow each other");
	is_int(p.log[1].n, 1, "the baseline has its own");
	is_int(p.n_files, 4, "every file is known");
	is_str(p.files[1].name, "two", "by its name");
	is_int(p.files[1].first[0], 1, "and where its samples begin");
	is_int(p.files[3].side, 1, "and which side it is on");
	is_int(p.log[0].path[0], p.log[0].path[1], "the same stack in two files is the same path");
	is_int(p.log[1].path[0], p.log[0].path[0], "in the baseline too");
	is_str(p.format, "folded", "the profile's format is that of the first file");
	profile_deinit(&p);

	in[0].fd = file_of("main;read 3\n");
	in[1] = (struct load_input){.path = "/no/such/file", .fd = -1};
	profile_init(&p);
	ok(!load_all(&p, in, 2, &o, &err), "a file that is not there ends it");
	ok(strncmp(err.text, "/no/such/file", 13) == 0, "and is named: %s", err.text);
	profile_deinit(&p);

	in[0].fd = file_of("a 1\nbad\n");
	in[1] = (struct load_input){.path = "two", .fd = file_of("b 1\nc 2\nd 3\nworse\n")};
	profile_init(&p);
	ok(load_all(&p, in, 2, &(struct collapse_options){.jobs = 1, .format = "folded"}, &err),
	   "bad lines are skipped");
	is_int(p.report.n, 2, "each file has its own notes");
	is_str(p.report.notes[1].file, "two", "with its name");
	is_int(p.report.notes[1].line, 4, "and its own line numbers");
	profile_deinit(&p);
}

/* Sorted files need no index, however many; unsorted ones still come out right. */
static void test_sorted_files(void)
{
	static const char before[] = "a 1\na-b 2\na;b 3\na;b;c 4\nz;z 5\n",
					  after[] = "a;b 30\na;b;d 40\nb;c 7\nz;z 50\n";
	struct collapse_options o = {.jobs = 1};
	struct load_input in[] =
		{
			{.path = "after", .fd = file_of(after)},
			{.path = "before", .fd = file_of(before), .side = 1},
		},
					  three[3];
	struct profile p;
	struct err err = {""};

	profile_init(&p);
	ok(load_all(&p, in, 2, &o, &err) && !profile_has_index(&p), "two sorted files are compared without an index");
	is_int(p.n_paths, 1 + 6 + 3, "and every path is there once");
	is_int(p.log[1].path[2], p.log[0].path[0], "under its number");
	is_int(p.log[1].path[4], p.log[0].path[3], "up to the last");
	is_int(p.log[1].total, 15, "nothing is lost");
	profile_deinit(&p);

	for (unsigned i = 0; i < 3; i++)
		three[i] = (struct load_input){.path = "three", .fd = file_of(i == 1 ? "a;b 1\n" : "m;x 1\nm;y 1\n")};
	profile_init(&p);
	ok(load_all(&p, three, 3, &o, &err), "a third one may begin behind the end of the second");
	is_int(p.n_paths, 6, "and every path is there once");
	is_int(p.log[0].path[3], p.log[0].path[0], "under its number");
	profile_deinit(&p);

	in[0].fd = file_of("Function Stack,CPU Time:Self,Module\nTotal,0.0,[Unknown]\n main,1.5,demo\n");
	in[1].fd = file_of("a 1\nb 2\n");
	profile_init(&p);
	ok(load_all(&p, in, 2, &o, &err), "folded text may be compared with something else");
	is_int(p.n_series, 2, "and is an event of its own");
	is_int(p.series[1].total[1], 3, "all of it");
	profile_deinit(&p);

	in[0].fd = file_of(after);
	in[1].fd = file_of("z;z 5\na;b;c 4\na;b 3\na-b 2\na 1\n");
	profile_init(&p);
	ok(load_all(&p, in, 2, &o, &err), "one of them may be in no order");
	is_int(p.n_paths, 1 + 6 + 3, "and every path is there once");
	is_int(p.log[1].path[0], p.log[0].path[3], "under its number");
	profile_deinit(&p);
}

static void test_line_numbers(void)
{
	struct collapse_options o = {.jobs = 1, .format = "folded"};
	struct buf text;
	struct profile p;
	struct err err;
	unsigned n = 200000;

	buf_init(&text);
	add_stacks(&text, n);
	buf_adds(&text, "bad\n");
	ok(load_bytes(&p, &o, text.data, text.len, &err), "a file of several blocks is read");
	is_int(p.log[0].n, n, "with all of its lines");
	is_int(first_line_of(&p, "not a folded stack"), n + 1, "lines are counted over all blocks");
	profile_deinit(&p);
	buf_deinit(&text);
}

/* A line longer than a read: its beginning is carried, and the buffer grows for the rest. */
static void test_long_line(void)
{
	struct collapse_options o = {.jobs = 1, .format = "folded"};
	struct profile p;
	struct err err;
	struct buf text;

	buf_init(&text);
	buf_adds(&text, "a 1\nlong;");
	buf_pad(&text, 'x', 3u << 20);
	buf_adds(&text, " 2\nb 4\n");
	ok(load_bytes(&p, &o, text.data, text.len, &err), "a line of three MiB is read");
	is_int(p.log[0].n, 3, "with those around it");
	is_int(p.log[0].total, 7, "and their counts");
	profile_deinit(&p);
	buf_deinit(&text);
}

/* The length of a record is limited, or a file without lines would fill the memory. */
static void test_endless_line(void)
{
	struct collapse_options o = {.jobs = 1, .format = "folded"};
	struct profile p;
	struct err err;
	struct buf text;

	if (!getenv("FLAMETOP_SLOW")) {
		skip("a line of 256 MiB (FLAMETOP_SLOW is not set)");
		return;
	}
	buf_init(&text);
	buf_adds(&text, "a 1\n");
	buf_pad(&text, 'x', 300u << 20);
	buf_adds(&text, " 1\nb 1\nbad\n");
	ok(load_bytes(&p, &o, text.data, text.len, &err), "a line of 300 MiB is skipped");
	is_int(p.log[0].n, 2, "the lines before and behind it are read");
	is_int(first_line_of(&p, "line longer"), 2, "with a message");
	is_int(first_line_of(&p, "not a folded stack"), 4, "the lines behind it keep their numbers");
	profile_deinit(&p);
	buf_deinit(&text);
}

/* --- in the background --- */

static bool wait_for(struct loader *l, int fd, enum load_state state, uint64_t generation)
{
	struct load_status s;

	for (int tries = 0; tries < 2000; tries++) {
		struct pollfd p = {.fd = fd, .events = POLLIN};
		char bytes[64];
		load_get_status(l, &s);
		if (s.state == state && s.generation >= generation)
			return true;
		if (poll(&p, 1, 10) > 0 && read(fd, bytes, sizeof bytes) < 0)
			return false;
	}
	return false;
}

static void test_live(void)
{
	struct collapse_options o = {.jobs = 2, .format = "folded"};
	struct profile p, copy;
	struct load_status s;
	struct err err = {""};
	int in[2], wake[2];

	/* The descriptor may be any number, even 0. */
	if (pipe(in) != 0 || pipe(wake) != 0 || dup2(in[0], STDIN_FILENO) != STDIN_FILENO || close(in[0]) != 0)
		bail_out("no pipe");
	struct load_input input = {.path = "live", .fd = STDIN_FILENO};
	sigset_t before, after;
	pthread_sigmask(SIG_SETMASK, NULL, &before);
	struct loader *l = load_start(&input, 1, &o, wake[1]);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	is_int(sigismember(&after, SIGTERM), sigismember(&before, SIGTERM),
	       "who starts it gets the same signals as before");
	ok(!load_snapshot(l, &copy), "before anything came there is nothing to show");
	load_get_status(l, &s);
	is_int(s.state, LOAD_RUNNING, "it is running");
	ok(s.is_live, "a pipe is live");
	is_int(s.bytes_all, 0, "the length of a pipe is unknown");

	struct pollfd woken = {.fd = wake[0], .events = POLLIN};
	ok(write(in[1], "main;read 3\nmain;wr", 19) == 19 && poll(&woken, 1, 60000) == 1,
	   "new samples wake the interface");
	ok(wait_for(l, wake[0], LOAD_RUNNING, 1), "which finds that it is more");
	if (ok(load_snapshot(l, &copy), "new samples can be shown")) {
		is_int(copy.log[0].total, 3, "half a line is not taken for a whole one");
		profile_deinit(&copy);
	}
	load_get_status(l, &s);
	ok(write(in[1], "ite 4\n", 6) == 6 && wait_for(l, wake[0], LOAD_RUNNING, s.generation + 1),
	   "later samples wake it again");
	if (ok(load_snapshot(l, &copy), "and can be shown")) {
		is_int(copy.log[0].total, 7, "the rest of the line belongs to it");
		is_int(copy.n_paths, 4, "a snapshot has its paths");
		close(in[1]);
		ok(wait_for(l, wake[0], LOAD_DONE, 0), "the end of the pipe is the end");
		is_int(copy.log[0].total, 7, "a snapshot stays as it is");
		profile_deinit(&copy);
	}
	profile_init(&p);
	ok(load_take(l, &p, &err), "the profile is handed over");
	is_int(p.log[0].total, 7, "whole");
	load_free(l);
	profile_deinit(&p);
	close(wake[0]);
	close(wake[1]);
}

/* ---- stacks that wait, and may be left out ---- */

static void write_threads(int fd, const char *state, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		dprintf(
			fd,
			"\"%s-%u\" #1 prio=5 tid=0x1 nid=0x1 runnable [0x1]\n   java.lang.Thread.State: %s\n\tat app.%s(A.java:1)\n\n",
			state, i, state, state);
}

static void shows_held(struct loader *l, int fd, uint64_t total, uint64_t idle, const char *name)
{
	struct load_status s;
	struct profile copy;
	load_get_status(l, &s);
	for (int tries = 0; tries < 2000; tries++) { /* one write may arrive in pieces */
		bool is_there = load_snapshot(l, &copy), is_right;
		is_right = is_there && copy.log[0].total == total && copy.n_series && copy.series[0].idle[0].weight == idle;
		if (is_right || tries == 1999) {
			ok(is_right, "%s: %llu are shown, %llu left out", name, (unsigned long long)total,
			   (unsigned long long)idle);
			load_get_status(l, &s);
			is_int(s.samples, is_there ? copy.log[0].samples : 0, "%s: the number says the same", name);
			bool is_said = is_there && notes_of(&copy, "idle") == 1;
			ok(is_said == (idle > 0), "%s: and so does the note", name);
		}
		if (is_there)
			profile_deinit(&copy);
		if (is_right)
			return;
		wait_for(l, fd, LOAD_RUNNING, s.generation + 1);
	}
}

static void test_held(enum order order, uint64_t window)
{
	struct collapse_options o = {.jobs = 1, .order = order, .window = window};
	struct load_status s;
	struct profile p;
	struct err err = {""};
	int in[2], wake[2];
	if (pipe(in) != 0 || pipe(wake) != 0)
		bail_out("no pipe");
	struct load_input input = {.path = "live", .fd = in[0]};
	struct loader *l = load_start(&input, 1, &o, wake[1]);
	dprintf(in[1], "Full thread dump OpenJDK 64-Bit Server VM (11.0.2+9 mixed mode):\n\n");
	write_threads(in[1], "WAITING", 10);
	shows_held(l, wake[0], 10, 0, "only waiting stacks");
	write_threads(in[1], "RUNNABLE", 12);
	shows_held(l, wake[0], 12, 10, "less than half");
	write_threads(in[1], "BLOCKED", 6); /* 16 wait now */
	shows_held(l, wake[0], 28, 0, "more than half");
	write_threads(in[1], "RUNNABLE", 9); /* 21 run now */
	shows_held(l, wake[0], 21, 16, "less again");
	close(in[1]);
	ok(wait_for(l, wake[0], LOAD_DONE, 0), "it ends");
	load_get_status(l, &s);
	profile_init(&p);
	ok(load_take(l, &p, &err), "and is handed over");
	is_int(p.log[0].total, 21, "as it was shown");
	is_int(s.samples, 21, "and counted");
	is_int(p.series[0].idle[0].weight, 16, "with the left-out stacks");
	load_free(l);
	profile_deinit(&p);
	close(wake[0]);
	close(wake[1]);
}

/* A second pass over a file gives symbols the numbers of the first one. */
static void test_second_pass(void)
{
	char path[] = "/tmp/flametop-test-XXXXXX";
	struct collapse_options o = {.jobs = 1, .format = "folded"};
	struct profile p;
	struct err err = {""};
	struct symtab known;
	int wake[2];
	int fd = mkstemp(path);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!file || fputs("main;b 1\nmain;c;a 2\n", file) == EOF || fclose(file) != 0 || pipe(wake) != 0)
		bail_out("no file");
	struct load_input input = {.path = path, .fd = -1};
	ok(load_can_again(&input, 1), "a file can be read again");
	ok(!load_can_again(&(struct load_input){.path = "-", .fd = -1}, 1), "standard input cannot");
	ok(!load_can_again(&(struct load_input){.path = path, .fd = 0}, 1), "nor what has been opened");
	ok(!load_can_again(&(struct load_input){.path = "/nowhere", .fd = -1}, 1), "nor what is not there");
	symtab_init(&known);
	uint32_t a = symtab_intern(&known, "a", 1), other = symtab_intern(&known, "other", 5);
	struct loader *l = load_start_again(&input, 1, &o, wake[1], &known);
	symtab_deinit(&known);
	ok(wait_for(l, wake[0], LOAD_DONE, 0), "it is read");
	profile_init(&p);
	ok(load_take(l, &p, &err), "and handed over");
	is_int(p.log[0].total, 3, "as it is");
	is_int(symtab_find(&p.symtab, "a", 1), a, "names have their numbers");
	is_str(p.symtab.symbols[other].name, "other", "and those that are not met stay");
	load_free(l);
	profile_deinit(&p);
	unlink(path);
	close(wake[0]);
	close(wake[1]);
}

/* A window needs times. Samples with their own times keep them, and one without gets none. */
static void test_own_times(void)
{
	static const char text[] =
		"app 1/1 1.5: 7 cycles:\n\ta1 go (/bin/x)\n\napp 1/1 2.5: 7 cycles:\n\ta1 go (/bin/x)\n\n"
		"app 1/1 [000] 7 cycles:\n\ta1 go (/bin/x)\n\n";
	struct collapse_options o = {.jobs = 1, .format = "perf", .window = UINT64_C(3600000000000)};
	struct profile p;
	struct err err = {""};
	int in[2], wake[2];

	if (pipe(in) != 0 || pipe(wake) != 0)
		bail_out("no pipe");
	struct load_input input = {.path = "timed", .fd = in[0]};
	struct loader *l = load_start(&input, 1, &o, wake[1]);
	ok(write(in[1], text, sizeof text - 1) == sizeof text - 1, "samples with times come, and one without");
	close(in[1]);
	ok(wait_for(l, wake[0], LOAD_DONE, 0), "and no more");
	profile_init(&p);
	load_take(l, &p, &err);
	load_free(l);
	ok(p.log[0].n == 3 && p.log[0].time && p.log[0].time[0] == 1500000000 && p.log[0].time[1] == 2500000000 &&
	       p.log[0].time[2] == NO_TIME,
	   "a window leaves their times as they are");
	profile_deinit(&p);
	close(wake[0]);
	close(wake[1]);
}

/* What is shown of an input that fails before its first sample is a part, too: its events, or another input. */
static void test_fails_at_once(void)
{
	static const char text[] = "Function Stack,CPU Time:Self,Module\nmain,soon,x\n";
	struct collapse_options o = {.jobs = 1};
	struct profile p;
	struct err err = {""};
	int wake[2], in[2];

	if (pipe(in) != 0 || pipe(wake) != 0 || write(in[1], text, sizeof text - 1) != sizeof text - 1)
		bail_out("no pipe");
	close(in[1]);
	struct load_input input = {.path = "times", .fd = in[0]};
	struct loader *l = load_start(&input, 1, &o, wake[1]);
	ok(wait_for(l, wake[0], LOAD_FAILED, 0), "an input without a good sample has failed");
	profile_init(&p);
	ok(!load_take(l, &p, &err) && strstr(err.text, "times:2: "), "the reason names the line: %s", err.text);
	ok(p.lacks[0].is_cut_off, "files of what is shown say that it is a part");
	is_int(notes_of(&p, "the rest could not be read"), 1, "and a note says why");
	load_free(l);
	profile_deinit(&p);
	close(wake[0]);
	close(wake[1]);
	ok(!load_bytes(&p, &o, text, sizeof text - 1, &err) && !notes_of(&p, "the rest could not be read"),
	   "where nothing is shown, the error says it alone");
	profile_deinit(&p);
}

static int threads(void)
{
	int n = 0;
	DIR *d = opendir("/proc/self/task");

	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n;
}

/* Waits without joining, as the threads are detached. */
static bool wait_for_threads(int n)
{
	for (int tries = 0; tries < 1000 && threads() > n; tries++)
		nanosleep(&(struct timespec){0, 10000000}, NULL);
	return threads() <= n;
}

static void test_stop(void)
{
	struct collapse_options o = {.jobs = 1, .format = "folded"};
	struct profile p;
	struct err err = {""};
	int wake[2], in[2];

	if (pipe(in) != 0 || pipe(wake) != 0)
		bail_out("no pipe");
	static struct load_input silent; /* static: what is written last is not left out */
	struct load_input input = {.path = "/no/such/file", .fd = -1};
	silent = (struct load_input){.path = "silent", .fd = in[0]};
	struct loader *l = load_start(&input, 1, &o, wake[1]);
	ok(wait_for(l, wake[0], LOAD_FAILED, 0), "a failure is a state");
	profile_init(&p);
	ok(!load_take(l, &p, &err) && strstr(err.text, "No such file"), "the reason is handed over");
	load_free(l);
	profile_deinit(&p);

	int before = threads();
	l = load_start(&silent, 1, &o, wake[1]);
	nanosleep(&(struct timespec){0, 100000000}, NULL); /* time to begin waiting; correct code passes without it */
	load_free(l);
	pass("a silent pipe does not keep the viewer from ending");
	memset(&silent, 0, sizeof silent);
	close(in[1]);
	ok(wait_for_threads(before), "a thread that still waited for it ends without touching freed memory");
}

static void *snapshot_of(void *loader)
{
	struct profile p;
	bool is_there = load_snapshot(loader, &p);
	if (is_there)
		profile_deinit(&p);
	return is_there ? loader : NULL;
}

/* A piece of input may take long: what is shown at the end does not depend on it. */
static void test_snapshot_gives_up(void)
{
	struct collapse_options o = {.jobs = 1, .format = "folded"};
	struct load_input input = {.path = "silent"};
	int in[2], wake[2];
	pthread_t thread;
	void *got;
	if (pipe(in) != 0 || pipe(wake) != 0)
		bail_out("no pipe");
	input.fd = in[0];
	struct loader *l = load_start(&input, 1, &o, wake[1]);
	struct load_shared *s = (struct load_shared *)l; /* its first member */
	pthread_mutex_lock(&s->lock);                    /* as a long piece has it */
	if (pthread_create(&thread, NULL, snapshot_of, l) != 0)
		bail_out("no thread");
	load_stop(l);
	pthread_join(thread, &got);
	ok(!got, "a snapshot that waits for the lock gives up when loading is stopped");
	pthread_mutex_unlock(&s->lock);
	close(in[1]);
	load_free(l);
}

/* The key that chooses a window: it must not wait for a long piece. */
static void test_wish(void)
{
	struct collapse_options o = {.jobs = 1, .format = "folded"};
	struct load_input input = {.path = "silent"};
	int in[2], wake[2];
	if (pipe(in) != 0 || pipe(wake) != 0)
		bail_out("no pipe");
	input.fd = in[0];
	struct loader *l = load_start(&input, 1, &o, wake[1]);
	struct load_shared *s = (struct load_shared *)l; /* its first member */
	pthread_mutex_lock(&s->lock);
	alarm(20);
	load_keep(l, 5, 0);
	alarm(0);
	struct load_wish wish = shared_wish(s);
	ok(wish.is_there && wish.window == 5, "a window is asked for while a piece is read");
	pthread_mutex_unlock(&s->lock);
	close(in[1]);
	load_free(l);
}

/* The index is larger than the paths that it finds. */
static void test_index(void)
{
	struct profile p;
	load_as(&p, "folded", "b;c 1\na;b 2\nb;c;d 3\n");
	ok(p.n_paths == 6 && !profile_has_index(&p) && !p.hashes, "a profile that has been read keeps no index");
	uint32_t b = profile_child(&p, PATH_ROOT, symtab_find(&p.symtab, "b", 1));
	ok(b < 6 && p.n_paths == 6 && profile_has_index(&p), "it gets another one when a path is looked up");
	profile_drop_index(&p);
	ok(profile_find_child(&p, PATH_ROOT, symtab_find(&p.symtab, "b", 1)) == b, "paths are found without one, too");
	profile_deinit(&p);
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	test_index();
	test_compressed();
	test_truncated();
	test_pipes();
	test_byte_order_mark();
	test_failures();
	test_several();
	test_sorted_files();
	test_line_numbers();
	test_long_line();
	test_endless_line();
	test_live();
	test_held(ORDER_MAY_MATTER, 0);
	test_held(ORDER_IS_NOTHING, 0);
	test_held(ORDER_MATTERS, UINT64_C(3600000000000));
	test_second_pass();
	test_own_times();
	test_fails_at_once();
	test_stop();
	test_snapshot_gives_up();
	test_wish();
	return done_testing();
}
