/*
 * Unpacking of recordings: what is kept of them, by the size that a header gives, if it gives one.
 */
#include "tests/tap.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collapse/perf/perf_packed.h"
#include "tests/unit/packing.h"
#include "tests/unit/perfdata_writer.h"

#define MORE_THAN_TABLES ((size_t)66 << 20)

static const struct perfdata_event event = {.sample_period = 1000, .sample_type = FIELD_IP | FIELD_TID};

/* The size of the recording once it is packed and unpacked again; -1: it is not taken for one. */
static intmax_t unpacked_size(const struct buf *recording)
{
	char path[] = "/tmp/flametop-packed-XXXXXX";
	struct buf packed = zstandard(recording->data, recording->len);
	atomic_bool stop = false;
	struct err err = {0};
	struct stat st = {.st_size = -1};
	int fd = mkstemp(path);

	if (fd < 0 || write(fd, packed.data, packed.len) != (ssize_t)packed.len)
		bail_out("cannot write %s", path);
	close(fd);
	fd = perf_packed_is(path) ? perf_packed_unpack(path, &stop, &err) : -1;
	unlink(path);
	buf_deinit(&packed);
	if (fd >= 0 && fstat(fd, &st) == 0)
		close(fd);
	return (intmax_t)st.st_size;
}

static void test_pipe(void)
{
	struct writer w = writer_new(false);

	put_pipe_header(&w, &event, 1);
	put_zeros(&w, MORE_THAN_TABLES);
	is_int(unpacked_size(&w.out), (intmax_t)w.out.len, "of a recording through a pipe, all is kept");
	writer_end(&w);
}

static void test_file(void)
{
	struct writer w = writer_new(false);

	put_file_header(&w, &event, 1, 0, 0);
	put_zeros(&w, MORE_THAN_TABLES);
	is_int(unpacked_size(&w.out), (intmax_t)w.out.len, "of one that was cut short, too");
	w.out.len = 0;
	put_file_header(&w, &event, 1, 1 << 20, 0);
	put_zeros(&w, 2 << 20);
	is_int(unpacked_size(&w.out), (intmax_t)w.out.len, "of a file, its tables are kept");
	put_zeros(&w, MORE_THAN_TABLES);
	ok(unpacked_size(&w.out) < (intmax_t)w.out.len, "but not what lies far behind them");
	writer_end(&w);
}

int main(void)
{
	test_pipe();
	test_file();
	return done_testing();
}
