/*
 * stores.c - answers of a store of profiles, any bytes: the first byte says what was asked for, the second one what
 * the headers say. A library in the place of libcurl hands them over, so all from there on is as it is in earnest.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sources/service.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef size_t callback(char *, size_t, size_t, void *);

/* The one transfer at a time. */
static struct {
	const uint8_t *data;
	size_t n;
	uint8_t kind;
	callback *on_bytes, *on_head;
	void *bytes_arg, *head_arg;
	bool is_done;
	struct curl_message message;
} wire;

static void *begin(void)
{
	wire.is_done = false;
	return &wire;
}

static void end(void *transfer)
{
	(void)transfer;
}

static int set(void *transfer, int option, ...)
{
	va_list ap;
	(void)transfer;
	va_start(ap, option);
	if (option == CURL_WRITEFUNCTION)
		wire.on_bytes = va_arg(ap, callback *);
	else if (option == CURL_HEADERFUNCTION)
		wire.on_head = va_arg(ap, callback *);
	else if (option == CURL_WRITEDATA)
		wire.bytes_arg = va_arg(ap, void *);
	else if (option == CURL_HEADERDATA)
		wire.head_arg = va_arg(ap, void *);
	va_end(ap);
	return CURL_OK;
}

static int get(void *transfer, int info, ...)
{
	va_list ap;
	(void)transfer;
	va_start(ap, info);
	if (info == CURL_RESPONSE_CODE)
		*va_arg(ap, long *) = wire.kind & 0x40 ? 404 : 200;
	va_end(ap);
	return CURL_OK;
}

static const char *words(int failure)
{
	return failure ? "failed" : "";
}

static struct curl_list *list_add(struct curl_list *list, const char *text)
{
	(void)text;
	return list;
}

static void list_free(struct curl_list *list)
{
	(void)list;
}

static int group_free(void *group)
{
	(void)group;
	return 0;
}

static int group_add(void *group, void *transfer)
{
	(void)group;
	(void)transfer;
	return 0;
}

static void send_head(const char *line)
{
	char copy[64];
	size_t n = strlen(line);
	memcpy(copy, line, n);
	wire.on_head(copy, 1, n, wire.head_arg);
}

/* Hands the answer over in two pieces. */
static int group_work(void *group, int *n_running)
{
	static const char *const types[] = {"application/proto", "application/grpc-web+proto", "application/json",
	                                    "text/html"};
	char line[64];
	size_t half = wire.n / 2;
	(void)group;
	*n_running = 0;
	if (wire.is_done)
		return 0;
	wire.is_done = true;
	send_head("HTTP/1.1 200 OK\r\n");
	snprintf(line, sizeof line, "Content-Type: %s\r\n", types[wire.kind & 3]);
	send_head(line);
	if (wire.kind & 4)
		send_head(wire.kind & 8 ? "grpc-status: 5\r\n" : "grpc-status: 0\r\n");
	char *copy = malloc(wire.n + 1);
	if (wire.n)
		memcpy(copy, wire.data, wire.n);
	bool is_taken = half == 0 || wire.on_bytes(copy, 1, half, wire.bytes_arg) == half;
	if (is_taken && wire.n > half)
		wire.on_bytes(copy + half, 1, wire.n - half, wire.bytes_arg);
	free(copy);
	return 0;
}

static int group_wait(void *group, void *more, unsigned n_more, int ms, int *n_ready)
{
	(void)group;
	(void)more;
	(void)n_more;
	(void)ms;
	(void)n_ready;
	return 0;
}

static struct curl_message *group_message(void *group, int *n_left)
{
	(void)group;
	*n_left = 0;
	wire.message = (struct curl_message){.what = CURL_DONE, .transfer = &wire, .failure = CURL_OK};
	return wire.is_done ? &wire.message : NULL;
}

static const struct curl library = {begin, end,        set,       get,       words,      list_add,   list_free,
                                    begin, group_free, group_add, group_add, group_work, group_wait, group_message};

/* ---- what is asked for --------------------------------------------------------------------------------------- */

#define TYPE "query=a:b:c:d:e{x=\"1\"}"
#define SPAN "&from=2026-11-22T07:00:00Z&until=2026-11-22T08:00:00Z"

static const char *const questions[] = {
	"?from=20261122&until=20261123", "?" TYPE SPAN "&choose=labels", "?" TYPE SPAN "&choose=label:pod",
	"?" TYPE SPAN "&choose=time",    "?" TYPE SPAN "&choose=until",  "?" TYPE SPAN,
};
#define N_QUESTIONS (sizeof questions / sizeof *questions)

static void check(bool held)
{
	if (!held)
		abort();
}

/* What is offered can be asked for, at the same place. */
static void follow(const struct url *u, const struct service *s, const struct menu *m)
{
	for (size_t i = 0; i < m->n; i++) {
		struct url next;
		check(url_read_given(&next, m->v[i].address, NULL));
		check(next.scheme == u->scheme && url_is_same_origin(u, &next) && s->check(&next, NULL));
		url_deinit(&next);
	}
}

static void ask(struct url *u, const struct service *s)
{
	struct source_options o = {0};
	struct hops hops = {.n = 0};
	struct talk t = {.options = &o, .curl = &library, .home = u, .hops = &hops};
	struct menu m = {0};
	struct err err = {""};
	check(s->check(u, &err));
	talk_begin(&t);
	if (!s->is_menu(u)) {
		int fd = s->fetch(u, &t, &err);
		check(fd >= 0 || err.text[0]);
		if (fd >= 0)
			close(fd);
	} else if (s->list(u, &t, &m, &err)) {
		follow(u, s, &m);
	} else {
		check(err.text[0]);
	}
	menu_deinit(&m);
	talk_end(&t);
	hops_clear(&hops);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf address;
	struct url u;
	if (size < 2)
		return 0;
	wire.kind = data[1];
	wire.data = data + 2;
	wire.n = size - 2;
	buf_init(&address);
	buf_addf(&address, "%s://h%s%s", data[0] & 0x80 ? "parca" : "pyroscope", data[0] & 0x40 ? "/p/" : "",
	         questions[(data[0] & 0x3f) % N_QUESTIONS]);
	if ((data[0] & 0x80) && (data[1] & 0x10))
		buf_adds(&address, data[1] & 0x20 ? "&api=json" : "&api=grpc-web");
	check(url_read_given(&u, buf_str(&address), NULL));
	ask(&u, service_of(u.scheme));
	url_deinit(&u);
	buf_deinit(&address);
	return 0;
}
