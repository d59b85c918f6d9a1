/*
 * transfer.c - fetches one address over HTTP.
 *
 * Redirects are followed here, not by the library, which would send headers that the user gives to any host: each
 * hop is a transfer of its own, and from the first one on that leads to another host none has credentials. A
 * question that has a body is asked again as it is, whatever the status of the redirect.
 *
 * The library is asked again and again what has come, so that a stop takes effect within a few milliseconds. A
 * server may be silent while it connects (10 s), while it takes samples as announced, and then for some time; one
 * that sends less than a kilobyte in that time counts as silent, too.
 */
#include "sources/transfer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/slice.h"
#include "base/status.h"
#include "base/write_all.h"
#include "sources/secrets.h"

#define CONNECT_MS 10000L
#define TURN_MS 20        /* the viewer, when it ends, waits for twice that */
#define LEAST_BYTES 1024u /* in `patience` seconds */
#define MOST_SAID 4096u
#define MOST_HEADS_KIB 256u /* the library keeps them besides, and has no limit for trailers */

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool is_stopped(const struct transfer *t)
{
	return t->stop && atomic_load(t->stop);
}

static long status_of(const struct transfer *t)
{
	long status = 0;
	t->curl->get(t->handle, CURL_RESPONSE_CODE, &status);
	return status;
}

/* ---- what comes ---------------------------------------------------------------------------------------------- */

static size_t keep_said(struct transfer *t, const char *bytes, size_t n)
{
	size_t room = t->said.len < MOST_SAID ? MOST_SAID - t->said.len : 0;
	buf_add(&t->said, bytes, n < room ? n : room);
	if (room <= n)
		t->fault = FAULT_SAID;
	return room > n ? n : 0;
}

/* The library's callback; another result than n ends the transfer. */
static size_t on_bytes(char *bytes, size_t one, size_t n, void *arg)
{
	struct transfer *t = arg;
	int64_t all = -1;
	(void)one;
	if (status_of(t) / 100 != 2)
		return keep_said(t, bytes, n);
	t->curl->get(t->handle, CURL_LENGTH, &all);
	atomic_store(&t->all, all > 0 ? (uint64_t)all : 0);
	if (atomic_fetch_add(&t->done, n) + n > t->most) {
		t->fault = FAULT_SIZE;
		return 0;
	}
	if (write_all(t->fd, bytes, n) == n)
		return n;
	t->fault = FAULT_WRITE;
	t->fault_errno = errno;
	return 0;
}

/* The library's callback for a line of headers or trailers; another result than n ends the transfer. */
static size_t on_head(char *line, size_t one, size_t n, void *arg)
{
	struct transfer *t = arg;
	(void)one;
	if (n > 5 && memcmp(line, "HTTP/", 5) == 0)
		t->heads.len = 0;
	t->n_heads += n;
	if (t->n_heads > MOST_HEADS_KIB << 10) {
		t->fault = FAULT_HEADS;
		return 0;
	}
	buf_add(&t->heads, line, n);
	return n;
}

static bool is_silent(struct transfer *t)
{
	double at = now(), patience = t->patience;
	uint64_t bytes = atomic_load(&t->done);
	if (bytes >= t->mark + LEAST_BYTES) {
		t->mark = bytes;
		t->heard = at;
	}
	/* Until the first byte, the server takes samples. */
	double from = t->heard > t->since ? t->heard : t->since + t->seconds;
	return at - from > patience;
}

/* ---- the request --------------------------------------------------------------------------------------------- */

static struct curl_list *add_headers(const struct transfer *t, const struct credentials *who)
{
	const struct curl *c = t->curl;
	struct curl_list *list = NULL;
	struct buf bearer;
	buf_init(&bearer);
	for (const char *const *h = t->request.headers; h && *h; h++)
		list = c->list_add(list, *h);
	for (const char *const *h = who->headers; h && *h; h++)
		list = c->list_add(list, *h);
	if (t->request.body) /* no question beforehand whether the body may come */
		list = c->list_add(list, "Expect:");
	if (who->bearer) {
		buf_addf(&bearer, "Authorization: Bearer %s", who->bearer);
		list = c->list_add(list, buf_str(&bearer));
	}
	buf_deinit(&bearer);
	return list;
}

static void set_text(const struct transfer *t, int option, const char *value)
{
	if (value)
		t->curl->set(t->handle, option, value);
}

static bool set_body(const struct transfer *t)
{
	const struct curl *c = t->curl;
	const struct request *r = &t->request;
	return !r->body || (c->set(t->handle, CURL_POST, 1L) == CURL_OK &&
	                    c->set(t->handle, CURL_POSTFIELDSIZE_LARGE, (int64_t)r->n_body) == CURL_OK &&
	                    c->set(t->handle, CURL_POSTFIELDS, r->body) == CURL_OK);
}

/* false: the library lacks something without which a transfer would be unsafe. */
static bool set_up(struct transfer *t, const struct url *u, const struct credentials *who,
                   struct curl_list *headers)
{
	const struct curl *c = t->curl;
	bool is_safe = c->set(t->handle, CURL_PROTOCOLS, 3L) == CURL_OK &&
	               c->set(t->handle, CURL_FOLLOWLOCATION, 0L) == CURL_OK &&
	               c->set(t->handle, CURL_NOSIGNAL, 1L) == CURL_OK && set_body(t);
	c->set(t->handle, CURL_URL, u->request);
	c->set(t->handle, CURL_QUICK_EXIT, 1L);
	c->set(t->handle, CURL_HTTP09_ALLOWED, 0L);
	c->set(t->handle, CURL_CONNECTTIMEOUT_MS, CONNECT_MS);
	c->set(t->handle, CURL_MAXFILESIZE_LARGE, (int64_t)t->most);
	c->set(t->handle, CURL_WRITEFUNCTION, on_bytes);
	c->set(t->handle, CURL_WRITEDATA, (void *)t);
	c->set(t->handle, CURL_HEADERFUNCTION, on_head);
	c->set(t->handle, CURL_HEADERDATA, (void *)t);
	c->set(t->handle, CURL_ERRORBUFFER, t->words);
	c->set(t->handle, CURL_USERAGENT, "flametop/" FLAMETOP_VERSION);
	c->set(t->handle, CURL_HTTPHEADER, (void *)headers);
	c->set(t->handle, CURL_NETRC, who->netrc ? 1L : 0L);
	c->set(t->handle, CURL_SSL_VERIFYPEER, t->insecure ? 0L : 1L);
	c->set(t->handle, CURL_SSL_VERIFYHOST, t->insecure ? 0L : 2L);
	set_text(t, CURL_CAINFO, t->cacert);
	set_text(t, CURL_SSLCERT, who->cert);
	set_text(t, CURL_SSLKEY, who->key);
	set_text(t, CURL_KEYPASSWD, who->key_password);
	set_text(t, CURL_USERNAME, who->user);
	set_text(t, CURL_PASSWORD, who->password);
	return is_safe;
}

/* "sampling, 3 of 5 s" */
static void tell(const struct transfer *t)
{
	unsigned seconds = (unsigned)(now() - t->since);
	struct buf text;
	if (!t->seconds || atomic_load(&t->done)) {
		status_detail(NULL, NULL);
		return;
	}
	buf_init(&text);
	buf_addf(&text, "%u of %u s", seconds < t->seconds ? seconds : t->seconds, t->seconds);
	status_detail("sampling,", buf_str(&text));
	buf_deinit(&text);
}

/* Lets the library work until it is done, *stop is set, or the server is silent. Returns an enum curl_failure. */
static int work(struct transfer *t, void *group)
{
	const struct curl *c = t->curl;
	int n_running = 1, n_left;
	while (!is_stopped(t) && !t->fault) {
		if (c->group_work(group, &n_running) != 0)
			t->fault = FAULT_LIBRARY;
		struct curl_message *m = c->group_message(group, &n_left);
		if (m && m->what == CURL_DONE)
			return m->failure;
		if (is_silent(t))
			t->fault = FAULT_SILENT;
		tell(t);
		c->group_wait(group, NULL, 0, TURN_MS, NULL);
		if (n_running == 0 && !m)
			t->fault = FAULT_LIBRARY;
	}
	return CURL_OK;
}

/* ---- what went wrong ----------------------------------------------------------------------------------------- */

/* The first line with text; a page for a browser says nothing in one line. */
static struct slice first_line(const struct buf *said)
{
	struct slice s = {said->data, said->len};
	while (s.n > 0 && (unsigned char)*s.s <= ' ')
		s = slice_from(s, 1);
	if (s.n > 0 && *s.s == '<')
		s.n = 0;
	return slice_before(slice_before(s, '\n'), '\r');
}

static void add_said(struct buf *out, const struct transfer *t)
{
	struct buf words;
	struct slice line = first_line(&t->said);
	buf_init(&words);
	if (!t->request.explain || !t->request.explain(&words, t->secrets, t->said.data, t->said.len))
		secrets_add_said(&words, t->secrets, line.s, line.n, SECRETS_MOST_SAID);
	if (words.len)
		buf_addf(out, ": %s", buf_str(&words));
	buf_deinit(&words);
}

static bool has_any(const struct credentials *who)
{
	return who->headers || who->user || who->bearer || who->cert || who->netrc;
}

/* What helps against a refusal. */
static void add_advice(struct buf *out, const struct transfer *t, const struct credentials *who)
{
	if (!has_any(&t->who))
		buf_adds(out, " (--user, --oauth2-bearer, --header or --netrc give credentials)");
	else if (!has_any(who))
		buf_adds(out, " (credentials stay behind at a redirect to another scheme, host or port)");
}

static bool fail_status(const struct transfer *t, const struct credentials *who, struct err *err)
{
	struct buf text;
	long status = status_of(t);
	buf_init(&text);
	buf_addf(&text, "the server answers with status %ld", status);
	add_said(&text, t);
	if (status == 401 || status == 403)
		add_advice(&text, t, who);
	fail(err, "%s", buf_str(&text));
	buf_deinit(&text);
	return false;
}

static bool fail_size(const struct transfer *t, struct err *err)
{
	struct buf size;
	buf_init(&size);
	number_add_short(&size, t->most, 0);
	fail(err, "the answer has more than %sB", buf_str(&size));
	buf_deinit(&size);
	return false;
}

static bool fail_fault(const struct transfer *t, struct err *err)
{
	switch (t->fault) {
	case FAULT_SILENT:
		return fail(err, "the server is silent: %s for %u s (--timeout=SECONDS waits longer)",
		            atomic_load(&t->done) ? "less than 1 kB came" : "no answer", t->patience);
	case FAULT_SIZE:
		return fail_size(t, err);
	case FAULT_HEADS:
		return fail(err, "the answer has more than %u KiB of headers", MOST_HEADS_KIB);
	case FAULT_WRITE:
		errno = t->fault_errno;
		return fail_errno(err, "the answer cannot be kept");
	default:
		return fail(err, "libcurl fails");
	}
}

/* A server's words, and our own around them. */
static bool fail_said(const struct transfer *t, const char *before, const char *said, const char *after,
                      struct err *err)
{
	struct buf words;
	buf_init(&words);
	secrets_add_said(&words, t->secrets, said, strlen(said), SECRETS_MOST_SAID);
	fail(err, "%s%s%s", before, buf_str(&words), after);
	buf_deinit(&words);
	return false;
}

static bool fail_library(const struct transfer *t, int failure, struct err *err)
{
	if (failure == CURL_TOO_LARGE)
		return fail_size(t, err);
	if (!t->words[0])
		return fail(err, "%s", t->curl->words(failure));
	return fail_said(t, "", t->words, "", err); /* such as the host of a redirect */
}

/* ---- hops ---------------------------------------------------------------------------------------------------- */

/* Sets *next (owned) to where the server sends us; NULL: it answered. */
static bool judge(struct transfer *t, int failure, const struct credentials *who, char **next, struct err *err)
{
	const char *to = NULL;
	long status = t->status = status_of(t);
	*next = NULL;
	if (is_stopped(t))
		return false;
	if (status / 100 == 3)
		t->curl->get(t->handle, CURL_REDIRECT_URL, &to);
	if (to) {
		*next = mem_strdup(to);
		return true;
	}
	if (status >= 300)
		return fail_status(t, who, err);
	if (t->fault)
		return fail_fault(t, err);
	return failure == CURL_OK || fail_library(t, failure, err);
}

static bool hop(struct transfer *t, const struct url *u, const struct credentials *who, char **next,
                struct err *err)
{
	const struct curl *c = t->curl;
	struct curl_list *headers = add_headers(t, who);
	void *group = c->group_new();
	bool is_good;
	t->handle = c->transfer_new();
	t->fault = FAULT_NONE;
	t->fault_errno = 0;
	t->said.len = t->heads.len = t->n_heads = 0;
	t->words[0] = '\0';
	t->since = t->heard = now();
	t->mark = 0;
	atomic_store(&t->done, 0);
	atomic_store(&t->all, 0);
	if (!group || !t->handle)
		mem_exhausted();
	is_good = set_up(t, u, who, headers) || fail(err, "this libcurl cannot be used");
	if (is_good && c->group_add(group, t->handle) != 0)
		is_good = fail(err, "libcurl cannot begin");
	is_good = is_good && judge(t, work(t, group), who, next, err);
	status_detail(NULL, NULL);
	c->group_remove(group, t->handle);
	c->transfer_free(t->handle);
	c->group_free(group);
	c->list_free(headers);
	t->handle = NULL;
	return is_good;
}

/* The reason holds a part of the address, so it is left out if there are secrets. */
static bool fail_next(const struct transfer *t, const char *to, const struct err *why, struct err *err)
{
	char *hidden = mem_strdup(to);
	secrets_hide(t->secrets, hidden, strlen(hidden));
	bool is_clean = strcmp(hidden, to) == 0;
	free(hidden);
	return fail(err, "the server redirects to an address that is not followed%s%s", is_clean ? ": " : "",
	            is_clean ? why->text : "");
}

/* The next address, which belongs to the server; credentials stay behind if it is another's. */
static bool follow(struct transfer *t, const struct url *u, const char *to, struct credentials *who,
                   struct err *err)
{
	struct hops *hops = t->hops;
	struct err why = {""};
	if (hops->n == MOST_HOPS)
		return fail(err, "the server redirects more than %u times", MOST_HOPS);
	struct url *next = &hops->v[hops->n];
	if (!url_read(next, to, &why))
		return fail_next(t, to, &why, err);
	hops->n++;
	if (url_is_same_origin(u, next))
		return true;
	if (t->request.is_kept)
		return fail_said(t, "the server redirects to ", next->host, ", which was not asked for", err);
	*who = (struct credentials){.netrc = false};
	return true;
}

bool transfer_run(struct transfer *t, struct err *err)
{
	struct url u;
	struct credentials who = t->who;
	char *next = NULL;
	hops_clear(t->hops);
	bool is_good = url_read(&u, t->url->request, err);
	buf_init(&t->said);
	buf_init(&t->heads);
	while (is_good) {
		const struct url *at = t->hops->n ? &t->hops->v[t->hops->n - 1] : &u;
		is_good = hop(t, at, &who, &next, err);
		if (!is_good || !next)
			break;
		is_good = follow(t, at, next, &who, err);
		free(next);
		next = NULL;
	}
	url_deinit(&u);
	buf_deinit(&t->said);
	return is_good;
}
