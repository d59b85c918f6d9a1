/*
 * talk.c - asks a server, once or several times.
 */
#include "sources/talk.h"

#include <string.h>
#include <unistd.h>

#include "base/regular.h"
#include "base/scratch.h"
#include "base/status.h"
#include "base/write_all.h"

#define USUAL_PATIENCE 30u

void talk_begin(struct talk *t)
{
	buf_init(&t->heads);
	t->status = 0;
	t->secrets = (struct secrets){t->home, &t->who, t->hops};
}

void talk_end(struct talk *t)
{
	buf_deinit(&t->heads);
}

static void prepare(struct talk *t, const struct url *u, const struct request *r, int fd, uint64_t most)
{
	const struct source_options *o = t->options;
	t->transfer = (struct transfer){
		.curl = t->curl,
		.url = u,
		.request = *r,
		.who = t->who,
		.secrets = &t->secrets,
		.hops = t->hops,
		.cacert = o->cacert,
		.insecure = o->insecure,
		.seconds = t->seconds,
		.patience = o->patience ? o->patience : USUAL_PATIENCE,
		.most = most,
		.fd = fd,
		.stop = t->stop,
	};
	if (!url_is_same_origin(u, t->home)) /* a mistake of ours must not cost the user a secret */
		t->transfer.who = (struct credentials){0};
}

static bool run(struct talk *t, const char *address, const struct request *r, int fd, uint64_t most,
                struct err *err)
{
	struct url u;
	if (!url_read(&u, address, err))
		return false;
	prepare(t, &u, r, fd, most);
	struct status_stage before = status_enter((struct status_stage){
		r->is_kept ? "sending to" : "fetching from", u.host, &t->transfer.done, &t->transfer.all, true});
	bool is_good = transfer_run(&t->transfer, err);
	status_enter(before);
	buf_deinit(&t->heads);
	t->heads = t->transfer.heads;
	t->status = t->transfer.status;
	url_deinit(&u);
	return is_good;
}

int talk_ask(struct talk *t, const char *address, const struct request *r, uint64_t most, struct err *err)
{
	int fd = scratch_open(err);
	if (fd < 0)
		return -1;
	if (run(t, address, r, fd, most, err) && lseek(fd, 0, SEEK_SET) == 0)
		return fd;
	close(fd);
	return -1;
}

bool talk_read(struct talk *t, const char *address, const struct request *r, uint64_t most, struct buf *out,
               struct err *err)
{
	int fd = talk_ask(t, address, r, most, err);
	if (fd < 0)
		return false;
	bool is_good =
		regular_read_all(fd, (size_t)most, out, NULL) || fail_errno(err, "the answer cannot be read again");
	close(fd);
	return is_good;
}

int talk_file_of(const void *bytes, size_t n, struct err *err)
{
	int fd = scratch_open(err);
	if (fd < 0)
		return -1;
	if (write_all(fd, bytes, n) == n && lseek(fd, 0, SEEK_SET) == 0)
		return fd;
	fail_errno(err, "the answer cannot be kept");
	close(fd);
	return -1;
}
