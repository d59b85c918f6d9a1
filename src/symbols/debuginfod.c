/*
 * debuginfod.c - fetches programs, debug information and sources by build id from debuginfod servers.
 *
 * The few functions of libdebuginfod that are used here are declared as in elfutils/debuginfod.h, so that
 * the build needs neither its header nor libcurl, which it uses.
 */
#include "symbols/debuginfod.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/library.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/source_text.h"
#include "base/status.h"

#define LIBRARY "libdebuginfod.so.1"
#define PACKAGE "libdebuginfod1"
#define FILE_MOST ((uint64_t)8 << 30) /* of a program or its debug information */

typedef int find_fn(void *client, const unsigned char *build_id, int n, char **path);
typedef int find_source_fn(void *client, const unsigned char *build_id, int n, const char *source, char **path);
typedef int progress_fn(void *client, long done, long all);

struct debuginfod {
	void *library, *client;
	const atomic_bool *stop;
	find_fn *find[2]; /* by enum debuginfod_kind */
	find_source_fn *find_source;
	void (*end)(void *client);
	const char *verb, *name; /* of what is fetched now, for the progress */
	uint64_t most;           /* bytes of it that are taken */
	bool is_too_large;       /* it has more */
	struct report *report;   /* of failures; NULL: none */
};

/* The library hands its callback no argument that could be read without yet another of its functions. */
static _Thread_local struct debuginfod *at_work;

/* The library calls it many times a second; another value than 0 ends the transfer. */
static int on_progress(void *client, long done, long all)
{
	const char *slash = strrchr(at_work->name, '/');
	struct buf text;
	(void)client;
	buf_init(&text);
	buf_adds(&text, slash ? slash + 1 : at_work->name);
	if (done > 0) {
		buf_adds(&text, " (");
		number_add_short(&text, (uint64_t)done, 0);
		if (all > done) {
			buf_adds(&text, "B of ");
			number_add_short(&text, (uint64_t)all, 0);
		}
		buf_adds(&text, "B)");
	}
	status_detail(at_work->verb, buf_str(&text));
	buf_deinit(&text);
	at_work->is_too_large |= (uint64_t)(done > all ? done : all) > at_work->most && (done > 0 || all > 0);
	return at_work->is_too_large || (at_work->stop && atomic_load(at_work->stop));
}

static bool start(struct debuginfod *d)
{
	void *(*client_new)(void);
	void (*set_progress)(void *client, progress_fn *);
	if (!library_take(d->library, "debuginfod_begin", &client_new) ||
	    !library_take(d->library, "debuginfod_end", &d->end) ||
	    !library_take(d->library, "debuginfod_find_debuginfo", &d->find[DEBUGINFOD_DEBUG]) ||
	    !library_take(d->library, "debuginfod_find_executable", &d->find[DEBUGINFOD_PROGRAM]) ||
	    !library_take(d->library, "debuginfod_find_source", &d->find_source) ||
	    !library_take(d->library, "debuginfod_set_progressfn", &set_progress))
		return false;
	d->client = client_new();
	if (d->client)
		set_progress(d->client, on_progress);
	return d->client;
}

struct debuginfod *debuginfod_open(const atomic_bool *stop, struct report *report, struct err *err)
{
	const char *servers = getenv("DEBUGINFOD_URLS");
	if (!servers || !*servers) {
		fail(err, "DEBUGINFOD_URLS names no server");
		return NULL;
	}
	void *library = library_open((const char *const[]){LIBRARY, NULL}, PACKAGE, err);
	if (!library)
		return NULL;
	struct debuginfod *d = mem_zalloc(1, sizeof *d);
	d->library = library;
	d->stop = stop;
	d->report = report;
	if (start(d))
		return d;
	fail(err, LIBRARY " cannot be used");
	debuginfod_close(d);
	return NULL;
}

void debuginfod_close(struct debuginfod *d)
{
	if (d && d->client)
		d->end(d->client);
	free(d);
}

void debuginfod_follow(struct debuginfod *d, const atomic_bool *stop)
{
	d->stop = stop;
}

/* false: there is nothing to ask for, or no time. */
static bool begin(struct debuginfod *d, size_t n, const char *verb, const char *name, uint64_t most)
{
	d->most = most;
	d->is_too_large = false;
	if (n == 0 || (d->stop && atomic_load(d->stop)))
		return false;
	d->verb = verb;
	d->name = name;
	at_work = d;
	status_detail(verb, name);
	return true;
}

/*
 * Says why there is none, in err or in the report, unless it was stopped or the server just lacks it, which is no
 * news.
 */
static void say_failure(const struct debuginfod *d, int error, struct err *err)
{
	struct err why = {""};
	if (d->is_too_large)
		fail(&why, "what the debuginfod server sends is larger than %ju MiB", (uintmax_t)(d->most >> 20));
	else if (error != ENOENT && !(d->stop && atomic_load(d->stop))) {
		errno = error;
		fail_errno(&why, "the debuginfod server fails");
	}
	if (!why.text[0])
		return;
	if (err)
		*err = why;
	else if (d->report)
		report_add(d->report, NOTE_WARN, "names and lines may be missing", NULL, 0, why.text, strlen(why.text));
}

/* The copy in the cache is opened by its path, as every other file. */
static char *end(const struct debuginfod *d, int fd, char *path, struct err *err)
{
	status_detail(NULL, NULL);
	if (fd < 0) {
		say_failure(d, -fd, err);
		return NULL;
	}
	close(fd);
	return path;
}

char *debuginfod_fetch(struct debuginfod *d, enum debuginfod_kind kind, const uint8_t *build_id, size_t n,
                       const char *name)
{
	char *path = NULL;
	if (!begin(d, n, kind == DEBUGINFOD_DEBUG ? "fetching debug information of" : "fetching", name, FILE_MOST))
		return NULL;
	int fd = d->find[kind](d->client, build_id, (int)n, &path);
	return end(d, fd, path, NULL);
}

char *debuginfod_fetch_source(struct debuginfod *d, const uint8_t *build_id, size_t n, const char *source,
                              struct err *err)
{
	char *path = NULL;
	if (!begin(d, n, "fetching", source, SOURCE_MOST))
		return NULL;
	int fd = d->find_source(d->client, build_id, (int)n, source, &path);
	return end(d, fd, path, err);
}
