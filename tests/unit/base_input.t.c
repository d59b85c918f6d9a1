/*
 * Reading: files, pipes, and the three compressions: complete, truncated, damaged and malicious.
 */
#include "tests/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/buf.h"
#include "base/decompress.h"
#include "base/input.h"
#include "base/mem.h"

static char dir[] = "/tmp/flametop-input-XXXXXX";

static const char *path_of(const char *name)
{
	static char path[256];
	snprintf(path, sizeof path, "%s/%s", dir, name);
	return path;
}

static const char *put(const char *name, const struct buf *b)
{
	const char *path = path_of(name);
	FILE *f = fopen(path, "wb");
	if (f == NULL || fwrite(b->data, 1, b->len, f) != b->len || fclose(f) != 0)
		bail_out("cannot write %s", path);
	return path;
}

/* Lines that compress well, but not to nothing. */
static void fill(struct buf *b, unsigned lines)
{
	uint32_t state = 1;
	for (unsigned i = 0; i < lines; i++) {
		state = state * 1664525 + 1013904223;
		buf_addf(b, "main;run;step_%u;work_%08x %u\n", i % 100, state, i);
	}
}

static void gzip(struct buf *out, const struct buf *in)
{
	z_stream z = {0};
	deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
	uLong bound = deflateBound(&z, in->len);
	z.next_in = (Bytef *)in->data;
	z.avail_in = (uInt)in->len;
	z.next_out = (Bytef *)buf_reserve(out, bound);
	z.avail_out = (uInt)bound;
	if (deflate(&z, Z_FINISH) != Z_STREAM_END)
		bail_out("deflate");
	out->len += bound - z.avail_out;
	deflateEnd(&z);
}

static void zstd(struct buf *out, const struct buf *in)
{
	ZSTD_CCtx *c = ZSTD_createCCtx();
	size_t bound = ZSTD_compressBound(in->len);
	ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
	size_t n = ZSTD_compress2(c, buf_reserve(out, bound), bound, in->data, in->len);
	if (ZSTD_isError(n))
		bail_out("zstd");
	out->len += n;
	ZSTD_freeCCtx(c);
}

static void xz(struct buf *out, const struct buf *in)
{
	size_t bound = lzma_stream_buffer_bound(in->len), at = 0;
	if (lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, (const uint8_t *)in->data, in->len,
	                            (uint8_t *)buf_reserve(out, bound), &at, bound) != LZMA_OK)
		bail_out("xz");
	out->len += at;
}

static const struct {
	const char *name;
	void (*compress)(struct buf *, const struct buf *);
} kinds[] = {{"gzip", gzip}, {"zstd", zstd}, {"xz", xz}};
#define N_KINDS (sizeof kinds / sizeof *kinds)

/* Reads everything in pieces of `piece` bytes; true: reached the end. */
static bool read_all(struct input *in, struct buf *out, size_t piece, struct err *err)
{
	ssize_t n;
	while ((n = input_read(in, buf_reserve(out, piece), piece, err)) > 0)
		out->len += (size_t)n;
	return n == 0;
}

static bool slurp(const char *path, struct buf *out, size_t piece, struct err *err)
{
	struct input *in = input_open(path, err);
	if (in == NULL)
		return false;
	bool is_read = read_all(in, out, piece, err);
	input_close(in);
	return is_read;
}

static bool is_same(const struct buf *a, const struct buf *b)
{
	return a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

static bool is_start(const struct buf *start, const struct buf *whole)
{
	return start->len <= whole->len && memcmp(start->data, whole->data, start->len) == 0;
}

/* The writer at the other end of a pipe. */
struct writer {
	int fd;
	const char *bytes;
	size_t n, piece;
	bool waits; /* before it closes */
	pthread_mutex_t may_close;
	pthread_t thread;
};

static void *write_slowly(void *arg)
{
	struct writer *w = arg;
	for (size_t at = 0; at < w->n; at += w->piece) {
		size_t piece = w->n - at < w->piece ? w->n - at : w->piece;
		for (size_t done = 0; done < piece;) {
			ssize_t n = write(w->fd, w->bytes + at + done, piece - done);
			if (n < 0 && errno != EINTR) /* a test's alarms may interrupt this, too */
				return NULL;
			done += n > 0 ? (size_t)n : 0;
		}
	}
	pthread_mutex_lock(&w->may_close);
	pthread_mutex_unlock(&w->may_close);
	close(w->fd);
	return NULL;
}

static int start_writer(struct writer *w, const struct buf *b, size_t piece, bool waits)
{
	int ends[2];
	if (pipe(ends) != 0)
		bail_out("no pipe");
	*w = (struct writer){.fd = ends[1], .bytes = b->data, .n = b->len, .piece = piece, .waits = waits};
	pthread_mutex_init(&w->may_close, NULL);
	if (waits)
		pthread_mutex_lock(&w->may_close);
	pthread_create(&w->thread, NULL, write_slowly, w);
	return ends[0];
}

static void end_writer(struct writer *w)
{
	if (w->waits)
		pthread_mutex_unlock(&w->may_close);
	pthread_join(w->thread, NULL);
	pthread_mutex_destroy(&w->may_close);
}

static void test_plain_file(const struct buf *text)
{
	struct buf got;
	struct err err = {""};
	buf_init(&got);
	struct input *in = input_open(put("plain", text), &err);
	ok(in != NULL && input_is_plain_file(in), "an uncompressed file is a plain file");
	is_int(input_size(in), (intmax_t)text->len, "its size is known");
	is_int(input_consumed(in), 0, "nothing is consumed at first");
	is_str(input_name(in), path_of("plain"), "its name is its path");
	ok(fcntl(input_descriptor(in), F_GETFD) >= 0, "its descriptor is open");
	ok(read_all(in, &got, 1000, &err) && is_same(&got, text), "all of it is read");
	is_int(input_consumed(in), (intmax_t)text->len, "all of it is consumed");
	is_int(input_read(in, buf_reserve(&got, 10), 10, &err), 0, "the end stays the end");
	char part[20];
	is_int(input_pread(in, part, 20, 100, &err), 20, "a part can be read at its place");
	is_mem(part, 20, text->data + 100, 20, "and is the right one");
	is_int(input_pread(in, part, 20, text->len - 5, &err), 5, "the last part may be short");
	is_int(input_pread(in, part, 20, text->len, &err), 0, "there is nothing past the end");
	is_int(input_pread(in, part, 20, UINT64_MAX, &err), 0, "nor far beyond it");
	is_int(input_read(in, part, 0, &err), 0, "reading nothing is nothing");
	input_close(in);
	input_close(NULL);
	buf_deinit(&got);
}

static void test_position(const struct buf *text)
{
	struct buf got;
	struct err err = {""};
	buf_init(&got);
	int fd = open(put("plain", text), O_RDONLY);
	lseek(fd, 1000, SEEK_SET);
	struct input *in = input_fd(fd, "given", &err);
	is_str(input_name(in), "given", "a descriptor has the name that it was given");
	is_int(input_size(in), (intmax_t)text->len - 1000, "earlier reads do not count");
	char part[4];
	input_pread(in, part, 4, 0, &err);
	is_mem(part, 4, text->data + 1000, 4, "offsets count from where the descriptor stood");
	ok(read_all(in, &got, 4096, &err) && got.len == text->len - 1000, "reading starts there too");
	input_close(in);
	ok(fcntl(fd, F_GETFD) < 0, "the descriptor is closed with the input");
	buf_deinit(&got);
}

static void test_compressed(const struct buf *text)
{
	struct buf packed, got;
	struct err err = {""};
	buf_init(&packed);
	buf_init(&got);
	for (size_t i = 0; i < N_KINDS; i++) {
		packed.len = got.len = 0;
		kinds[i].compress(&packed, text);
		struct input *in = input_open(put("no-suffix", &packed), &err);
		ok(!input_is_plain_file(in), "a %s file is no plain file", kinds[i].name);
		is_int(input_size(in), (intmax_t)packed.len, "its size is that on disk");
		ok(read_all(in, &got, 3000, &err) && is_same(&got, text), "a %s file is read whole", kinds[i].name);
		is_int(input_consumed(in), (intmax_t)packed.len, "all of it is consumed");
		is_int(input_read(in, buf_reserve(&got, 1), 1, &err), 0, "and its end stays the end");
		input_close(in);
		kinds[i].compress(&packed, text);
		got.len = 0;
		ok(slurp(put("two", &packed), &got, 1 << 20, &err), "two %s files in one are read", kinds[i].name);
		ok(got.len == 2 * text->len && is_start(text, &got), "and are both there");
		got.len = 0;
		ok(slurp(path_of("two"), &got, 1, &err) && got.len == 2 * text->len, "byte by byte as well");
	}
	buf_deinit(&packed);
	buf_deinit(&got);
}

static void test_empty_compressed(void)
{
	struct buf packed, got, nothing;
	struct err err = {""};
	buf_init(&packed);
	buf_init(&got);
	buf_init(&nothing);
	buf_str(&nothing);
	ok(slurp(put("empty", &nothing), &got, 100, &err) && got.len == 0, "an empty file is read");
	for (size_t i = 0; i < N_KINDS; i++) {
		packed.len = got.len = 0;
		kinds[i].compress(&packed, &nothing);
		ok(slurp(put("empty", &packed), &got, 100, &err) && got.len == 0, "an empty %s file is read",
		   kinds[i].name);
	}
	buf_deinit(&packed);
	buf_deinit(&got);
	buf_deinit(&nothing);
}

static void test_padding(const struct buf *text)
{
	struct buf packed, got;
	struct err err = {""};
	buf_init(&packed);
	buf_init(&got);
	gzip(&packed, text);
	buf_pad(&packed, '\0', 5000);
	ok(slurp(put("padded", &packed), &got, 5000, &err) && is_same(&got, text), "zeros after gzip data are padding");
	gzip(&packed, text);
	got.len = 0;
	ok(slurp(put("padded", &packed), &got, 5000, &err) && got.len == 2 * text->len, "and more may follow");
	buf_adds(&packed, "garbage");
	got.len = 0;
	ok(!slurp(put("padded", &packed), &got, 5000, &err) && got.len == 2 * text->len,
	   "garbage is reported after the data");
	ok(strstr(err.text, "corrupt gzip data") != NULL, "as corrupt");
	packed.len = got.len = 0;
	buf_add(&packed, "\x52\x2A\x4D\x18\x03\0\0\0abc", 11);
	zstd(&packed, text);
	ok(slurp(put("skip", &packed), &got, 5000, &err) && is_same(&got, text), "a skippable zstd frame is skipped");
	buf_deinit(&packed);
	buf_deinit(&got);
}

/* Small input with large output: read unless a bound is set. */
static void test_bound(void)
{
	static char bytes[1 << 16];
	struct buf zeros, packed;
	struct err err = {""};
	buf_init(&zeros);
	buf_init(&packed);
	buf_pad(&zeros, '\0', 16 << 20);
	for (unsigned i = 0; i < 17; i++)
		zstd(&packed, &zeros);
	for (unsigned bounded = 0; bounded < 2; bounded++) {
		struct input *in = input_open(put("bomb", &packed), &err);
		uint64_t made = 0;
		ssize_t n;
		if (bounded)
			input_bound(in);
		while ((n = input_read(in, bytes, sizeof bytes, &err)) > 0)
			made += (uint64_t)n;
		is_int(n, bounded ? -1 : 0, bounded ? "much out of little is an error with a bound" : "and none without");
		ok(bounded ? made <= (257u << 20) : made == 17u << 24, "after %ju bytes", (uintmax_t)made);
		input_close(in);
	}
	ok(strstr(err.text, "more than 256 MiB, and more than 200 times its size"), "with a message");
	buf_deinit(&zeros);
	buf_deinit(&packed);
}

/* A file that is read whole has a limit, which it may reach. */
static void test_whole(const struct buf *text)
{
	struct buf packed, got;
	struct err err = {""};
	buf_init(&packed);
	buf_init(&got);
	gzip(&packed, text);
	const char *path = put("two", &packed);
	buf_adds(&got, "before ");
	ok(input_read_file(path, text->len, &got, &err) && got.len == text->len + 7, "a file is read whole");
	ok(memcmp(got.data, "before ", 7) == 0 && memcmp(got.data + 7, text->data, text->len) == 0, "and appended");
	ok(!input_read_file(path, text->len - 1, &got, &err), "one byte more than the limit is an error");
	ok(!input_read_file(path, 64 << 10, &got, &err) && strstr(err.text, "/two: more than 64 KiB"),
	   "with the limit");
	ok(!input_read_file(path_of("none"), 1, &got, &err) && strstr(err.text, "none: cannot open"), "a missing file");
	buf_deinit(&packed);
	buf_deinit(&got);
}

/* Wherever the file ends, losses must be reported, and the bytes read must be right. */
static void test_truncated(const struct buf *text)
{
	struct buf packed, cut, got;
	struct err err = {""};
	buf_init(&packed);
	buf_init(&got);
	for (size_t i = 0; i < N_KINDS; i++) {
		packed.len = 0;
		kinds[i].compress(&packed, text);
		size_t read = 0, wrong = 0, mute = 0, most = 0;
		for (size_t n = CODEC_MAGIC_MAX; n < packed.len; n += n < 40 || n > packed.len - 40 ? 1 : 997) {
			cut = (struct buf){.data = packed.data, .len = n};
			got.len = 0;
			err.text[0] = '\0';
			read += slurp(put("cut", &cut), &got, 10000, &err);
			wrong += !is_start(&got, text);
			mute += strstr(err.text, "data end early (truncated file?)") == NULL;
			most = got.len > most ? got.len : most;
		}
		is_int(read, 0, "no truncated %s file is read as if it were whole", kinds[i].name);
		is_int(mute, 0, "a message says that it ends early");
		is_int(wrong, 0, "the data before the cut are right");
		ok(most > text->len / 2, "and is delivered (%zu of %zu)", most, text->len);
	}
	buf_deinit(&packed);
	buf_deinit(&got);
}

static void test_corrupt(const struct buf *text)
{
	struct buf packed, got;
	struct err err = {""};
	buf_init(&packed);
	buf_init(&got);
	for (size_t i = 0; i < N_KINDS; i++) {
		size_t read = 0, tried = 0;
		packed.len = 0;
		kinds[i].compress(&packed, text);
		for (size_t at = 40; at + 40 < packed.len; at += packed.len / 23, tried++) {
			got.len = 0;
			packed.data[at] ^= 0x55;
			read += slurp(put("bad", &packed), &got, 10000, &err);
			packed.data[at] ^= 0x55;
		}
		is_int(read, 0, "no damaged %s file is read as if it were whole (%zu tried)", kinds[i].name, tried);
		ok(strstr(err.text, "/bad: ") != NULL, "the message names the file");
		packed.data[packed.len / 2] ^= 0x55;
		struct input *in = input_open(put("bad", &packed), &err);
		got.len = 0;
		read_all(in, &got, 10000, &err);
		char first[1024];
		strcpy(first, err.text);
		is_int(input_read(in, first + 1000, 1, &err), -1, "a failed %s input stays failed", kinds[i].name);
		is_str(err.text, first, "for the same reason");
		input_close(in);
	}
	buf_deinit(&packed);
	buf_deinit(&got);
}

/* A frame that requests a window of 2 GiB must be refused, not allocated. */
static void test_bombs(void)
{
	struct buf packed, zeros;
	struct err err = {""};
	buf_init(&packed);
	buf_init(&zeros);
	buf_add(&packed, "\x28\xB5\x2F\xFD\x00\xA8\x01\x00\x00", 9);
	ok(!slurp(put("window", &packed), &zeros, 4096, &err), "a zstd window of 2 GiB is refused");
	ok(strstr(err.text, "memory") != NULL, "and a message says that it wants too much memory");
	ok(strstr(err.text, "corrupt") == NULL, "not that it is damaged");
	packed.len = 0;
	buf_pad(&zeros, '\0', 50 << 20);
	gzip(&packed, &zeros);
	struct input *in = input_open(put("zeros", &packed), &err);
	char block[4096];
	size_t total = 0;
	ssize_t n;
	while ((n = input_read(in, block, sizeof block, &err)) > 0)
		total += (size_t)n;
	is_int(total, 50 << 20, "50 MiB out of 50 KiB come in the pieces asked for");
	input_close(in);
	buf_deinit(&packed);
	buf_deinit(&zeros);
}

static void test_pipes(const struct buf *text)
{
	struct buf packed, got;
	struct err err = {""};
	struct writer w;
	buf_init(&packed);
	buf_init(&got);
	struct input *in = input_fd(start_writer(&w, text, 777, false), "pipe", &err);
	ok(in != NULL && !input_is_plain_file(in) && input_size(in) == 0, "a pipe is no plain file and has no size");
	ok(read_all(in, &got, 1 << 16, &err) && is_same(&got, text),
	   "a pipe is read to its end, however short the reads");
	is_int(input_consumed(in), (intmax_t)text->len, "the bytes it gave are counted");
	input_close(in);
	end_writer(&w);
	for (size_t i = 0; i < N_KINDS; i++) {
		packed.len = got.len = 0;
		kinds[i].compress(&packed, text);
		in = input_fd(start_writer(&w, &packed, 1, false), "pipe", &err);
		ok(read_all(in, &got, 1 << 16, &err) && is_same(&got, text), "%s is read from a pipe byte by byte",
		   kinds[i].name);
		input_close(in);
		end_writer(&w);
	}
	buf_deinit(&packed);
	buf_deinit(&got);
}

static void test_live_pipe(void)
{
	struct buf line;
	struct err err = {""};
	struct writer w;
	char got[100];
	buf_init(&line);
	buf_adds(&line, "a 1\n");
	struct input *in = input_fd(start_writer(&w, &line, 100, true), "pipe", &err);
	alarm(20);
	is_int(input_read(in, got, sizeof got, &err), 4, "data are read before the pipe ends");
	alarm(0);
	end_writer(&w);
	is_int(input_read(in, got, sizeof got, &err), 0, "then it ends");
	input_close(in);
	line.len = 0;
	buf_adds(&line, "\x1F");
	in = input_fd(start_writer(&w, &line, 1, false), "pipe", &err);
	is_int(input_read(in, got, sizeof got, &err), 1, "the start of a magic alone is text");
	is_int(input_read(in, got, sizeof got, &err), 0, "and then it ends too");
	input_close(in);
	end_writer(&w);
	buf_deinit(&line);
}

static void on_alarm(int signal)
{
	(void)signal;
}

static void test_interrupted(const struct buf *text)
{
	struct buf got;
	struct err err = {""};
	struct writer w;
	struct sigaction action = {.sa_handler = on_alarm}, old;
	struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
	buf_init(&got);
	sigaction(SIGALRM, &action, &old);
	int fd = start_writer(&w, text, 64, false);
	setitimer(ITIMER_REAL, &often, NULL);
	struct input *in = input_fd(fd, "pipe", &err);
	ok(read_all(in, &got, 100, &err) && is_same(&got, text), "signals do not disturb reading");
	setitimer(ITIMER_REAL, &never, NULL);
	input_close(in);
	end_writer(&w);
	signal(SIGALRM, SIG_IGN); /* drop one that is still pending */
	sigaction(SIGALRM, &old, NULL);
	fd = start_writer(&w, text, 50, false);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	in = input_fd(fd, "pipe", &err);
	got.len = 0;
	ok(read_all(in, &got, 1 << 16, &err) && is_same(&got, text), "a non-blocking pipe is waited for");
	input_close(in);
	end_writer(&w);
	buf_deinit(&got);
}

static void test_errors(const struct buf *text)
{
	struct err err = {""};
	char expected[300];
	ok(input_open(path_of("nothing"), &err) == NULL, "a file that is not there cannot be opened");
	snprintf(expected, sizeof expected, "%s: cannot open: No such file or directory", path_of("nothing"));
	is_str(err.text, expected, "and the message says so");
	ok(input_open(dir, &err) == NULL, "a directory cannot be opened");
	snprintf(expected, sizeof expected, "%s: cannot read: Is a directory", dir);
	is_str(err.text, expected, "and the message says so");
	ok(input_fd(-1, "gone", &err) == NULL && strstr(err.text, "Bad file descriptor") != NULL,
	   "an invalid descriptor is reported");
	put("secret", text);
	chmod(path_of("secret"), 0);
	bool is_root = geteuid() == 0;
	if (is_root && (chmod(dir, 0755) != 0 || seteuid(65534) != 0)) {
		skip("root may read everything");
		return;
	}
	ok(input_open(path_of("secret"), &err) == NULL && strstr(err.text, "Permission denied") != NULL,
	   "a file without permission cannot be opened");
	if (is_root && seteuid(0) != 0)
		bail_out("cannot become root again");
}

static void test_special(void)
{
	struct buf got;
	struct err err = {""};
	buf_init(&got);
	struct input *in = input_open("/dev/null", &err);
	ok(in != NULL && read_all(in, &got, 100, &err) && got.len == 0, "/dev/null is read");
	input_close(in);
	if (access("/proc/self/status", R_OK) == 0)
		ok(slurp("/proc/self/status", &got, 100, &err) && got.len > 0, "a file that claims to be empty is read");
	else
		skip("no /proc");
	int end = open("/dev/null", O_RDONLY);
	dup2(end, STDIN_FILENO);
	close(end);
	in = input_open("-", &err);
	is_str(input_name(in), "stdin", "- is standard input");
	input_close(in);
	ok(fcntl(STDIN_FILENO, F_GETFD) >= 0, "which is left open");
	buf_deinit(&got);
}

static void test_magic(void)
{
	bool undecided;
	is_str(codec_name(codec_by_magic("\x1F\x8B\x08", 3, &undecided)), "gzip",
	       "gzip is recognised by its magic number");
	ok(!undecided, "and that is final");
	is_str(codec_name(codec_by_magic("\x28\xB5\x2F\xFD", 4, NULL)), "zstd",
	       "zstd is recognised by its magic number");
	is_str(codec_name(codec_by_magic("\x5F\x2A\x4D\x18", 4, NULL)), "zstd", "so is a skippable frame");
	is_str(codec_name(codec_by_magic("\xFD\x37zXZ\0 more", 11, NULL)), "xz",
	       "xz is recognised by its magic number");
	ok(codec_by_magic("\xFD\x37zX", 4, &undecided) == NULL && undecided, "a part of a magic is undecided");
	ok(codec_by_magic("", 0, &undecided) == NULL && undecided, "so is nothing");
	ok(codec_by_magic("main;a 1\n", 9, &undecided) == NULL && !undecided, "text is no compression");
	ok(codec_by_magic("P", 1, &undecided) == NULL && undecided, "a letter that could begin a frame is undecided");
	ok(codec_by_magic("Pa", 2, &undecided) == NULL && !undecided, "until the next one comes");
}

/* The end of a connection that is reset after some bytes; -1: there is none here. */
static int reset_connection(void)
{
	struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t n = sizeof here;
	int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0), peer = -1;
	if (bind(server, (struct sockaddr *)&here, n) == 0 && listen(server, 1) == 0 &&
	    getsockname(server, (struct sockaddr *)&here, &n) == 0 && connect(client, (struct sockaddr *)&here, n) == 0)
		peer = accept(server, NULL, NULL);
	close(server);
	if (peer < 0) {
		close(client);
		return -1;
	}
	setsockopt(peer, SOL_SOCKET, SO_LINGER, &(struct linger){1, 0}, sizeof(struct linger));
	close(peer); /* by a reset */
	return client;
}

/* A socket reports an error once, and then its end. */
static void test_reset(void)
{
	char bytes[10];
	struct err err = {""};
	int fd = reset_connection();
	if (fd < 0) {
		skip("no connections here");
		return;
	}
	struct input *in = input_fd(fd, "peer", &err);
	ok(in && input_read(in, bytes, sizeof bytes, &err) < 0 && strstr(err.text, "peer: cannot read"),
	   "a connection that is reset fails: %s", err.text);
	err.text[0] = '\0';
	ok(in && input_read(in, bytes, sizeof bytes, &err) < 0 && strstr(err.text, "peer: cannot read"),
	   "and fails again: %s", err.text);
	input_close(in);
}

int main(void)
{
	static const char *const names[] = {"plain", "no-suffix", "two",    "empty", "padded", "skip",
	                                    "cut",   "bad",       "window", "zeros", "secret", "bomb"};
	struct buf text;
	if (mkdtemp(dir) == NULL)
		bail_out("cannot make a directory");
	buf_init(&text);
	fill(&text, 5000);
	test_magic();
	test_reset();
	test_plain_file(&text);
	test_position(&text);
	test_compressed(&text);
	test_empty_compressed();
	test_padding(&text);
	test_bound();
	test_whole(&text);
	test_truncated(&text);
	test_corrupt(&text);
	test_bombs();
	test_pipes(&text);
	test_live_pipe();
	test_interrupted(&text);
	test_errors(&text);
	test_special();
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		unlink(path_of(names[i]));
	is_int(rmdir(dir), 0, "no file is left");
	buf_deinit(&text);
	return done_testing();
}
