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

#include "base/input.h"
#include "base/mem.h"
#include "base/output.h"
#include "base/scratch.h"
#include "base/status.h"
#include "sources/requester.h"
#include "sources/secrets.h"
#include "sources/service.h"
#include "sources/talk.h"

struct source {
	const struct source_options *options;
	struct url url;
	struct requester who; /* the user of the address and of the options */
	struct talk talk;     /* the present one, or the last */
	const struct curl *curl;
	struct hops hops; /* of the last answer */
	int fd;           /* the answer; -1: there is none yet */
	bool has_stacks;  /* one of them was for the file of --save */
};

bool source_is(const char *word)
{
	return url_is(word) && access(word, F_OK) != 0;
}

/* ---- addresses ----------------------------------------------------------------------------------------------- */

/* An address that was made of the former one has no user, but the same host: the user stays. */
static void keep_user(struct url *u, struct url *former)
{
	if (u->user || !former->user || !url_is_same_origin(u, former))
		return;
	free(u->password);
	u->user = former->user;
	u->password = former->password;
	former->user = former->password = NULL;
}

static bool set_address(struct source *s, const char *address, struct err *err)
{
	struct url u;
	if (!url_read_given(&u, address, err))
		return false;
	keep_user(&u, &s->url);
	url_deinit(&s->url);
	s->url = u;
	return true;
}

static const struct service *service(const struct source *s)
{
	return service_of(s->url.scheme);
}

/* Takes the address that this text holds, if any, and frees the text. */
static void take_address(struct source *s, struct buf *address)
{
	if (address->len)
		set_address(s, buf_str(address), NULL);
	buf_deinit(address);
}

static void complete(struct source *s)
{
	struct buf address;
	buf_init(&address);
	if (service(s)->complete)
		service(s)->complete(&address, &s->url);
	take_address(s, &address);
}

static void settle_seconds(struct source *s)
{
	struct buf address;
	buf_init(&address);
	if (service(s)->add_seconds)
		service(s)->add_seconds(&address, &s->url, s->options);
	take_address(s, &address);
}

static void source_free(struct source *s)
{
	if (s->fd >= 0)
		close(s->fd);
	hops_clear(&s->hops);
	url_deinit(&s->url);
	requester_deinit(&s->who);
	free(s);
}

static bool fail_target(const struct source *s, struct err *err)
{
	struct buf takers;
	buf_init(&takers);
	service_add_takers(&takers);
	fail(err, "%s: only %s take profiles", s->url.shown, buf_str(&takers));
	buf_deinit(&takers);
	return false;
}

/* Can it be fetched at all, or take a profile? */
static bool check(const struct source *s, bool is_target, struct err *err)
{
	if (!is_target)
		return service(s)->check(&s->url, err);
	return service(s)->push ? push_labels_check(&s->url, err) : fail_target(s, err);
}

static bool set_up(struct source *s, const char *word, bool is_target, struct err *err)
{
	if (!set_address(s, word, err))
		return false;
	complete(s);
	if (!is_target)
		settle_seconds(s);
	return requester_init(&s->who, &s->url, s->options, err) && check(s, is_target, err);
}

static struct source *add(struct sources *all, char *word, bool is_target, const struct source_options *o,
                          struct err *err)
{
	struct source *s = mem_zalloc(1, sizeof *s);
	s->options = o;
	s->fd = -1;
	char *whole = requester_complete(word);
	bool is_good = set_up(s, whole ? whole : word, is_target, err);
	url_blot(word);
	free(whole);
	if (!is_good) {
		source_free(s);
		return NULL;
	}
	mem_push(all->v, all->n, all->cap, s);
	return s;
}

struct source *source_add(struct sources *all, char *word, const struct source_options *o, struct err *err)
{
	return add(all, word, false, o, err);
}

struct source *source_add_target(struct sources *all, char *word, const struct source_options *o, struct err *err)
{
	return add(all, word, true, o, err);
}

void sources_deinit(struct sources *all)
{
	if (all->n)
		free((void *)(uintptr_t)all->v[0]->curl);
	for (size_t i = 0; i < all->n; i++)
		source_free(all->v[i]);
	free(all->v);
	*all = (struct sources){0};
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

bool sources_take_sql(const struct sources *all)
{
	for (size_t i = 0; i < all->n; i++)
		if (service(all->v[i])->takes_sql)
			return true;
	return false;
}

const char *source_name(const struct source *s)
{
	return s->url.shown;
}

const char *source_hint(const struct source *s)
{
	return service(s)->hint ? service(s)->hint(&s->url) : NULL;
}

unsigned source_seconds(const struct source *s)
{
	return service(s)->seconds ? service(s)->seconds(&s->url) : 0;
}

const char *source_format(const struct source *s)
{
	return service(s)->format;
}

bool source_is_menu(const struct source *s)
{
	return service(s)->is_menu && service(s)->is_menu(&s->url);
}

/* ---- fetching ------------------------------------------------------------------------------------------------ */

static struct talk *begin(struct source *s, const atomic_bool *stop)
{
	s->talk = (struct talk){
		.options = s->options,
		.curl = s->curl,
		.who = s->who.credentials,
		.home = &s->url,
		.hops = &s->hops,
		.seconds = source_seconds(s),
		.stop = stop,
	};
	talk_begin(&s->talk);
	return &s->talk;
}

/* Returns a descriptor of the profile; -1: err. */
static int fetch(struct source *s, const atomic_bool *stop, struct err *err)
{
	struct talk *t = begin(s, stop);
	int fd = service(s)->fetch(&s->url, t, err);
	talk_end(t);
	return fd;
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

/* Of a compressed answer, what it unpacks to. One that cannot be unpacked is kept: it may be of use. */
static bool is_empty(int fd)
{
	struct err why;
	char byte;
	int again = open_again(fd, &why);
	struct input *in = again < 0 ? NULL : input_fd(again, "the answer", &why);
	bool has_nothing = in && input_read(in, &byte, 1, &why) == 0;
	input_close(in);
	return has_nothing;
}

bool source_save(struct source *s, struct err *err)
{
	const char *path = s->options->save && s->fd >= 0 && !is_empty(s->fd) ? s->options->save : NULL;
	s->has_stacks |= path != NULL;
	struct output *out = path ? output_open(path, err) : NULL;
	if (!out)
		return !path;
	if (copy(s->fd, out, err))
		return output_commit(out, err);
	output_abandon(out);
	return false;
}

bool source_is_unsaved(const struct source *s)
{
	return s->options->save && s->fd >= 0 && !s->has_stacks;
}

static void fail_menu(struct source *s, const atomic_bool *stop, struct err *err)
{
	struct menu m;
	struct buf names;
	if (!source_list(s, stop, &m, err))
		return;
	buf_init(&names);
	menu_add_names(&names, &m);
	fail(err, "%s %s%s%s", source_name(s), m.what, names.len ? ": " : "", buf_str(&names));
	buf_deinit(&names);
	menu_deinit(&m);
}

int source_fetch(struct source *s, const atomic_bool *stop, struct err *err)
{
	if (source_is_menu(s)) {
		fail_menu(s, stop, err);
		return -1;
	}
	if (s->fd >= 0 && !s->options->every)
		return open_again(s->fd, err);
	int fd = fetch(s, stop, err);
	if (fd < 0)
		return -1;
	if (s->fd >= 0)
		close(s->fd);
	s->fd = fd;
	return open_again(fd, err);
}

void source_hide(const struct source *s, char *text, size_t n)
{
	secrets_hide(&(struct secrets){&s->url, &s->who.credentials, &s->hops}, text, n);
}

/* Puts the address in front of a message, unless that begins with it. Returns false. */
static bool fail_at(const struct source *s, struct err *why, struct err *err)
{
	bool has_name = strncmp(why->text, source_name(s), strlen(source_name(s))) == 0;
	return fail(err, "%s%s%s", has_name ? "" : source_name(s), has_name ? "" : ": ", why->text);
}

bool source_push(struct source *s, const struct pushed *p, struct buf *said, struct err *err)
{
	struct err why = {""};
	struct talk *t = begin(s, NULL);
	bool is_sent = service(s)->push(&s->url, t, p, said, &why);
	talk_end(t);
	return is_sent || fail_at(s, &why, err);
}

/* ---- what there is to choose --------------------------------------------------------------------------------- */

bool source_list(struct source *s, const atomic_bool *stop, struct menu *m, struct err *err)
{
	struct err why = {""};
	struct talk *t = begin(s, stop);
	*m = (struct menu){0};
	bool is_there = service(s)->list(&s->url, t, m, &why);
	talk_end(t);
	if (is_there)
		return true;
	menu_deinit(m);
	return fail_at(s, &why, err);
}

void source_choose(struct source *s, const char *address)
{
	set_address(s, address, NULL);
	settle_seconds(s);
}
