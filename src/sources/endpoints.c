/*
 * endpoints.c - the profiles below /debug/pprof/, and the page that lists them:
 *
 *	<tr><td>12</td><td><a href='heap?debug=1'>heap</a></td></tr>
 *
 * The page comes from a server, so a name may hold only what it needs, and cannot lead out of the list's directory.
 *
 * The service of plain HTTP is here, too: any other address of it is fetched as it is.
 */
#include "sources/endpoints.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/find.h"
#include "base/mem.h"
#include "base/number.h"
#include "sources/answer.h"
#include "sources/service.h"

#define USUAL_SECONDS 30u /* of Go for a CPU profile without "seconds" */
#define MOST_SECONDS 86400u
#define MOST_ENDPOINTS 256u
#define LONGEST_NAME 128u
#define MOST_OF_LIST (1u << 20)

static const struct {
	const char *name;
	enum endpoint_kind kind;
	const char *advice;
} known[] = {
	{"profile", ENDPOINT_CPU, NULL},
	{"trace", ENDPOINT_REFUSED,
     "this is an execution trace, no profile (curl -o trace.out URL saves it, `go tool trace -pprof=sched "
     "trace.out > OUT.pb.gz` makes a profile of it)"},
	{"cmdline", ENDPOINT_REFUSED, "this is the program's command line, no profile"},
	{"symbol", ENDPOINT_REFUSED, "this looks up addresses, and is no profile"},
};

/* The text after ".../debug/pprof/" up to the query; NULL: the address has no such part. */
static const char *name_in(const struct url *u, size_t *n)
{
	static const char list[] = ENDPOINTS;
	const size_t n_list = sizeof list - 1;
	const char *found = NULL, *path = u->request + u->path, *end = u->request + u->query;
	for (const char *at = path; at + n_list <= end; at++)
		if (memcmp(at, list, n_list) == 0)
			found = at + n_list;
	if (!found && end - path >= (ptrdiff_t)n_list - 1 && memcmp(end - (n_list - 1), list, n_list - 1) == 0)
		found = end; /* without the slash at the end */
	*n = found ? (size_t)(end - found) : 0;
	return found;
}

static bool is_name(const char *name, size_t n, const char *of)
{
	return n == strlen(of) && memcmp(name, of, n) == 0;
}

static enum endpoint_kind kind_of(const char *name, size_t n, const char **advice)
{
	*advice = NULL;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (!is_name(name, n, known[i].name))
			continue;
		*advice = known[i].advice;
		return known[i].kind;
	}
	return n ? ENDPOINT_STATE : ENDPOINT_LIST;
}

enum endpoint_kind endpoint_kind(const struct url *u)
{
	size_t n;
	const char *advice, *name = name_in(u, &n);
	return name ? kind_of(name, n, &advice) : ENDPOINT_OTHER;
}

const char *endpoint_advice(const struct url *u)
{
	size_t n;
	const char *advice = NULL, *name = name_in(u, &n);
	if (name)
		kind_of(name, n, &advice);
	return advice;
}

unsigned endpoint_seconds(const struct url *u)
{
	size_t n;
	uint64_t seconds;
	const char *value = url_parameter(u, "seconds", &n);
	unsigned usual = endpoint_kind(u) == ENDPOINT_CPU ? USUAL_SECONDS : 0;
	if (!value || !number_u64(value, n, &seconds) || (usual && !seconds))
		return usual;
	return seconds < MOST_SECONDS ? (unsigned)seconds : MOST_SECONDS;
}

/* ---- the page ------------------------------------------------------------------------------------------------ */

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr("-_.~%/", c));
}

/* Length of the name that a link leads to; 0: to something else, such as another host or directory. */
static size_t name_length(const char *link, size_t n)
{
	size_t len = 0;
	while (len < n && is_plain(link[len]))
		len++;
	if (len == 0 || len > LONGEST_NAME || (len < n && link[len] != '?') || link[0] == '/' || link[0] == '.')
		return 0;
	for (size_t i = 0; i + 1 < len; i++)
		if (link[i] == '/' && (link[i + 1] == '.' || link[i + 1] == '/'))
			return 0;
	return len;
}

static bool is_listed(const struct endpoints *e, const char *name, size_t n)
{
	for (size_t i = 0; i < e->n; i++)
		if (is_name(name, n, e->v[i].name))
			return true;
	return false;
}

static void add(struct endpoints *e, const char *link, size_t n, uint64_t count)
{
	const char *advice;
	size_t len = name_length(link, n);
	if (!len || e->n == MOST_ENDPOINTS || is_listed(e, link, len) ||
	    kind_of(link, len, &advice) == ENDPOINT_REFUSED)
		return;
	mem_push(e->v, e->n, e->cap, ((struct endpoint){mem_strndup(link, len), count}));
}

/* The number in the last cell before a link: "<td>12</td>". */
static uint64_t count_before(const char *html, const char *link)
{
	const char *end = link;
	uint64_t count = 0;
	while (end > html && !(end[-1] >= '0' && end[-1] <= '9') && link - end < 64)
		end--;
	const char *start = end;
	while (start > html && start[-1] >= '0' && start[-1] <= '9' && end - start < 20)
		start--;
	if (start - html < 4 || memcmp(start - 4, "<td>", 4) != 0 || !number_u64(start, (size_t)(end - start), &count))
		return 0;
	return count;
}

void endpoints_read(struct endpoints *e, const char *html, size_t n)
{
	static const char mark[] = "<a href=";
	const char *at = html, *end = html + n;
	while (at < end && (at = find_bytes(at, (size_t)(end - at), mark, sizeof mark - 1)) != NULL) {
		const char *link = at + sizeof mark - 1, *before = at;
		at = link;
		if (link >= end || (*link != '\'' && *link != '"'))
			continue;
		const char *close = memchr(link + 1, *link, (size_t)(end - link) - 1);
		if (close)
			add(e, link + 1, (size_t)(close - link) - 1, count_before(html, before));
	}
}

void endpoints_deinit(struct endpoints *e)
{
	for (size_t i = 0; i < e->n; i++)
		free(e->v[i].name);
	free(e->v);
	*e = (struct endpoints){0};
}

static const char *meaning(const char *name)
{
	static const char *const words[][2] = {
		{"allocs", "all memory that was ever allocated"},
		{"block", "waits for locks and channels"},
		{"goroutine", "what goroutines do now"},
		{"heap", "memory in use"},
		{"mutex", "who holds locks for which others wait"},
		{"profile", "CPU time, sampled for a while"},
		{"threadcreate", "who has created threads"},
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(name, words[i][0]) == 0)
			return words[i][1];
	return "";
}

static void add_address(struct buf *out, const struct url *list, const char *name)
{
	buf_add(out, list->request, list->query);
	if (out->data[out->len - 1] != '/')
		buf_addc(out, '/');
	buf_adds(out, name);
	buf_adds(out, list->request + list->query);
}

/* The name is "heap (12)", the text "heap          memory in use (12)". */
static void add_item(struct menu *m, const struct url *list, const struct endpoint *e)
{
	struct buf name, text, address;
	buf_init(&name);
	buf_init(&text);
	buf_init(&address);
	buf_adds(&name, e->name);
	buf_addf(&text, "%-14s%s", e->name, meaning(e->name));
	if (e->count) {
		buf_addf(&name, " (%llu)", (unsigned long long)e->count);
		buf_addf(&text, " (%llu)", (unsigned long long)e->count);
	}
	add_address(&address, list, e->name);
	menu_add(m, buf_str(&name), buf_str(&text), buf_str(&address), 0);
	buf_deinit(&name);
	buf_deinit(&text);
	buf_deinit(&address);
}

void endpoints_make_menu(struct menu *m, const struct url *list, const struct endpoints *e)
{
	struct buf title;
	buf_init(&title);
	buf_addf(&title, "Profiles of %s", list->shown);
	m->title = buf_take(&title);
	m->what = mem_strdup("lists several profiles; add the name of one");
	for (size_t i = 0; i < e->n; i++)
		add_item(m, list, &e->v[i]);
}

/* ---- plain HTTP ---------------------------------------------------------------------------------------------- */

/* A program that serves profiles usually has them in one place. */
static void complete(struct buf *out, const struct url *u)
{
	if (strcmp(u->request + u->path, "/") != 0)
		return;
	buf_add(out, u->request, u->path);
	buf_adds(out, ENDPOINTS);
}

/* --seconds wins over the address; with --every alone, samples are taken for that long. */
static void add_seconds(struct buf *out, const struct url *u, const struct source_options *o)
{
	size_t n;
	char value[16];
	enum endpoint_kind kind = endpoint_kind(u);
	unsigned seconds = o->seconds;
	if (!seconds && kind == ENDPOINT_CPU && !url_parameter(u, "seconds", &n))
		seconds = o->every;
	if (!seconds || kind == ENDPOINT_LIST)
		return;
	snprintf(value, sizeof value, "%u", seconds);
	url_add_with(out, u, "seconds", value);
}

static bool check(const struct url *u, struct err *err)
{
	const char *advice = endpoint_advice(u);
	return !advice || fail(err, "%s: %s", u->shown, advice);
}

static bool is_menu(const struct url *u)
{
	return endpoint_kind(u) == ENDPOINT_LIST;
}

static bool list(const struct url *u, struct talk *t, struct menu *m, struct err *err)
{
	const struct request plain = {0};
	struct endpoints e = {0};
	struct buf html;
	buf_init(&html);
	bool is_read =
		talk_read(t, u->request, &plain, MOST_OF_LIST, &html, err) && answer_is_good(t, html.data, html.len, err);
	if (is_read)
		endpoints_read(&e, html.data, html.len);
	buf_deinit(&html);
	endpoints_make_menu(m, u, &e);
	endpoints_deinit(&e);
	return is_read && (m->n > 0 || fail(err, "%s: the answer lists no profiles", u->shown));
}

static int fetch(const struct url *u, struct talk *t, struct err *err)
{
	const struct request plain = {0};
	int fd = talk_ask(t, u->request, &plain, TALK_MOST_BYTES, err);
	if (fd < 0 || answer_file_is_good(t, fd, err))
		return fd;
	close(fd);
	return -1;
}

static const char *hint(const struct url *u)
{
	size_t n;
	const char *name = name_in(u, &n);
	if (name && is_name(name, n, "block"))
		return "a program in Go has some once it calls runtime.SetBlockProfileRate";
	if (name && is_name(name, n, "mutex"))
		return "a program in Go has some once it calls runtime.SetMutexProfileFraction";
	return NULL;
}

const struct service service_http = {
	.complete = complete,
	.add_seconds = add_seconds,
	.check = check,
	.is_menu = is_menu,
	.list = list,
	.fetch = fetch,
	.hint = hint,
	.seconds = endpoint_seconds,
};
