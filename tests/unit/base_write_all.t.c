/* base_write_all - all of it, as much as fits where nobody waits, and why it was not all. */
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/write_all.h"

int main(void)
{
	static char much[1 << 20];
	char got[8] = "";
	int ends[2];
	signal(SIGPIPE, SIG_IGN);
	ok(pipe(ends) == 0, "a pipe");
	is_int(write_all(ends[1], "", 0), 0, "nothing is written at once");
	is_int(write_all(ends[1], "hello", 5), 5, "what fits is written");
	is_int(read(ends[0], got, sizeof got), 5, "all of it");
	is_str(got, "hello", "as it was");
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	size_t n = write_all(ends[1], much, sizeof much);
	int why = errno;
	ok(n > 0 && n < sizeof much, "a pipe that is full takes a part");
	is_int(why, EAGAIN, "and the reason is told");
	close(ends[0]);
	is_int(write_all(ends[1], "x", 1), 0, "a pipe without a reader takes none");
	is_int(errno, EPIPE, "and that is told");
	close(ends[1]);
	return done_testing();
}
