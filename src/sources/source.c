/*
 * source.c - profiles that are fetched.
 *
 * An answer goes into a file without a name, and is then read as any file: so an address and a file of the same
 * bytes give the same profile, and a recording of perf can be behind an address, too.
 */
#include "sources/source.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/output.h"
#include "base/scratch.h"
#include "base/status.h"
#include "sources/transfer.h"

#define MOST_BYTES (UINT64_C(2) << 30)
#define MOST_OF_LIST (1u << 20)
#define USUAL_PATIENCE 30u

struct source {
	const struct source_options *options;
	struct url url;
	char *user, *password; /* owned; NULL: none */
	const struct curl *curl;
	struct transfer transfer; /* the present one, or the last */
	int fd;                   /* the answer; -1: there is none yet */
};

bool source_is(const char *word)
{
	return url_is(word) && access(word, F_OK) != 0;
}

/* ---- addresses ----------------------------------------------------------------------------------------------- */

static bool set_address(struct source *s, const char *address, struct err *err)
{
	struct url u;
	if (!url_read(&u, address, err))
		return false;
	url_deinit(&s->url);
	s->url = u;
	return true;
}

static void set_seconds(struct source *s, unsigned seconds)
{
	struct buf address;
	char value[16];
	snprintf(value, sizeof value, "%u", seconds);
	buf_init(&address);
	url_add_with(&address, &s->url, "seconds", value);
	set_address(s, buf_str(&address), NULL);
	buf_deinit(&address);
}

/* --seconds wins over the address; with --every alone, samples are taken for that long. */
static void settle_seconds(struct source *s)
{
	size_t n;
	unsigned every = s->options->every;
	if (endpoint_kind(&s->url) == ENDPOINT_LIST)
		return;
	if (s->options->seconds)
		set_seconds(s, s->options->seconds);
	else if (every && endpoint_kind(&s->url) == ENDPOINT_CPU && !url_parameter(&s->url, "seconds", &n))
		set_seconds(s, every);
}

/* A program that serves profiles usually has them in one place. */
static void complete_path(struct source *s)
{
	struct buf address;
	if (strcmp(s->url.request + s->url.path, "/") != 0)
		return;
	buf_init(&address);
	buf_add(&address, s->url.request, s->url.path);
	buf_adds(&address, ENDPOINTS);
	set_address(s, buf_str(&address), NULL);
	buf_deinit(&address);
}

/* The user of the address wins over that of --user. */
static void take_user(struct source *s)
{
	const char *given = s->options->user, *colon = given ? strchr(given, ':') : NULL;
	s->user = mem_strdup(s->url.user);
	s->password = mem_strdup(s->url.password);
	if (s->user || !given)
		return;
	s->user = colon ? mem_strndup(given, (size_t)(colon - given)) : mem_strdup(given);
	s->password = mem_strdup(colon ? colon + 1 : "");
}

static void source_free(struct source *s)
{
	if (s->fd >= 0)
		close(s->fd);
	url_deinit(&s->url);
	free(s->user);
	free(s->password);
	free(s);
}

struct source *source_add(struct sources *all, char *word, const struct source_options *o, struct err *err)
{
	struct source *s = mem_zalloc(1, sizeof *s);
	s->options = o;
	s->fd = -1;
	bool is_good = set_address(s, word, err);
	url_blot(word);
	if (!is_good) {
		source_free(s);
		return NULL;
	}
	complete_path(s);
	take_user(s);
	settle_seconds(s);
	const char *advice = endpoint_advice(&s->url);
	if (advice) {
		fail(err, "%s: %s", s->url.shown, advice);
		source_free(s);
		return NULL;
	}
	mem_push(all->v, all->n, all->cap, s);
	return s;
}

void sources_deinit(struct sources *all)
{
	if (all->n)
		free((void *)(uintptr_t)all->v[0]->curl);
	for (size_t i = 0; i < all->n; i++)
		source_free(all->v[i]);
	free(all->v);
	*all = (struct sources){NULL};
}

bool sources_ready(struct sources *all, struct err *err)
{
	struct curl *curl = mem_zalloc(1, sizeof *curl);
	if (!curl_load(curl, err)) {
		free(curl);
		return false;
	}
	for (size_t i = 0; i < all->n; i++)
		all->v[i]->curl = curl;
	return true;
}

struct source *source_find(const struct sources *all, const char *name)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->v[i]->url.shown == name)
			return all->v[i];
	return NULL;
}

const char *source_name(const struct source *s)
{
	return s->url.shown;
}

enum endpoint_kind source_kind(const struct source *s)
{
	return endpoint_kind(&s->url);
}

unsigned source_seconds(const struct source *s)
{
	return endpoint_seconds(&s->url);
}

/* ---- fetching ------------------------------------------------------------------------------------------------ */

static void prepare(struct source *s, const atomic_bool *stop, int fd, uint64_t most)
{
	const struct source_options *o = s->options;
	s->transfer = (struct transfer){
		.curl = s->curl,
		.url = &s->url,
		.who = {(const char *const *)o->headers, s->user, s->password, o->bearer, o->cert, o->key, o->netrc},
		.cacert = o->cacert,
		.insecure = o->insecure,
		.seconds = source_seconds(s),
		.patience = o->patience ? o->patience : USUAL_PATIENCE,
		.most = most,
		.fd = fd,
		.stop = stop,
	};
}

/* Returns a descriptor of the answer; -1: err. */
static int fetch_up_to(struct source *s, uint64_t most, const atomic_bool *stop, struct err *err)
{
	int fd = scratch_open(err);
	if (fd < 0)
		return -1;
	prepare(s, stop, fd, most);
	struct status_stage before = status_enter(
		(struct status_stage){"fetching from", s->url.host, &s->transfer.done, &s->transfer.all, true});
	bool is_good = transfer_run(&s->transfer, err);
	status_enter(before);
	if (is_good)
		return fd;
	close(fd);
	return -1;
}

static bool copy(int fd, struct output *out, struct err *err)
{
	char bytes[1 << 16];
	off_t at = 0;
	ssize_t n;
	while ((n = pread(fd, bytes, sizeof bytes, at)) > 0) {
		output_write(out, bytes, (size_t)n);
		at += n;
	}
	return n == 0 || fail_errno(err, "the answer cannot be read again");
}

static bool save(const struct source *s, int fd, struct err *err)
{
	const char *path = s->options->save;
	struct output *out = path ? output_open(path, err) : NULL;
	if (!out)
		return !path;
	if (copy(fd, out, err))
		return output_commit(out, err);
	output_abandon(out);
	return false;
}

/* The same file with a position of its own. */
static int open_again(int fd, struct err *err)
{
	struct buf path;
	buf_init(&path);
	scratch_add_path(&path, fd);
	int again = open(buf_str(&path), O_RDONLY | O_CLOEXEC);
	buf_deinit(&path);
	if (again < 0)
		fail_errno(err, "the answer cannot be read again");
	return again;
}

static void fail_list(struct source *s, struct err *err)
{
	struct endpoints e = {NULL};
	struct buf names;
	if (!source_list(s, &e, err))
		return;
	buf_init(&names);
	endpoints_add_names(&names, &e);
	fail(err, "%s lists several profiles; add the name of one: %s", source_name(s), buf_str(&names));
	buf_deinit(&names);
	endpoints_deinit(&e);
}

int source_fetch(struct source *s, const atomic_bool *stop, struct err *err)
{
	if (source_kind(s) == ENDPOINT_LIST) {
		fail_list(s, err);
		return -1;
	}
	if (s->fd >= 0 && !s->options->every)
		return open_again(s->fd, err);
	int fd = fetch_up_to(s, MOST_BYTES, stop, err);
	if (fd < 0)
		return -1;
	if (!save(s, fd, err)) {
		close(fd);
		return -1;
	}
	if (s->fd >= 0)
		close(s->fd);
	s->fd = fd;
	return open_again(fd, err);
}

/* ---- the list of profiles ------------------------------------------------------------------------------------ */

bool source_list(struct source *s, struct endpoints *e, struct err *err)
{
	int fd = fetch_up_to(s, MOST_OF_LIST, NULL, err);
	if (fd < 0)
		return false;
	char *html = mem_alloc(MOST_OF_LIST);
	ssize_t n = pread(fd, html, MOST_OF_LIST, 0);
	*e = (struct endpoints){NULL};
	endpoints_read(e, html, n > 0 ? (size_t)n : 0);
	free(html);
	close(fd);
	return e->n > 0 || fail(err, "%s: the answer lists no profiles", source_name(s));
}

void source_choose(struct source *s, const char *endpoint)
{
	struct buf address;
	buf_init(&address);
	endpoints_add_address(&address, &s->url, endpoint);
	set_address(s, buf_str(&address), NULL);
	buf_deinit(&address);
	settle_seconds(s);
}
