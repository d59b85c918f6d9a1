/*
 * answer.c - tells a good answer from an error that comes as one.
 *
 * Proxies and gateways answer with status 200 and a page to log in, or with the error of someone behind them. Such
 * text must not be read as a profile.
 */
#include "sources/answer.h"

#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "sources/grpc_status.h"
#include "sources/http_header.h"
#include "sources/talk.h"

#define MOST_LOOKED_AT 4096u

struct said {
	struct buf code, message;
};

static bool is_key(const struct json *j, const char *key)
{
	return j->len == strlen(key) && memcmp(j->text, key, j->len) == 0;
}

/* Names of members. */
struct names {
	const char *message, *code;
};

/* Of the outermost object. */
static bool read_said(struct said *said, const struct names *names, const char *text, size_t n)
{
	struct json j;
	enum json_token t;
	struct buf *to = NULL;
	json_init(&j);
	json_feed(&j, text, n, true);
	bool is_object = json_next(&j) == JSON_OBJECT;
	while (is_object && (t = json_next(&j)) > JSON_MORE) {
		if (t == JSON_KEY) {
			to = is_key(&j, names->message) ? &said->message : is_key(&j, names->code) ? &said->code : NULL;
		} else if (t == JSON_OBJECT || t == JSON_ARRAY) {
			json_leave(&j);
		} else if ((t == JSON_STRING || t == JSON_NUMBER) && to) {
			to->len = 0;
			buf_add(to, j.text, j.len);
		}
	}
	json_deinit(&j);
	return is_object && (said->message.len || said->code.len);
}

static bool explain(struct buf *out, const struct secrets *secrets, const struct names *names, const char *said,
                    size_t n)
{
	struct said s;
	buf_init(&s.code);
	buf_init(&s.message);
	bool is_one = read_said(&s, names, said, n);
	const struct buf *first = s.message.len ? &s.message : &s.code;
	if (is_one)
		secrets_add_said(out, secrets, first->data, first->len, SECRETS_MOST_SAID);
	if (is_one && s.message.len && s.code.len) {
		buf_adds(out, " (");
		secrets_add_said(out, secrets, s.code.data, s.code.len, SECRETS_MOST_SAID);
		buf_adds(out, ")");
	}
	buf_deinit(&s.code);
	buf_deinit(&s.message);
	return is_one;
}

bool answer_explain(struct buf *out, const struct secrets *secrets, const char *said, size_t n)
{
	return explain(out, secrets, &(struct names){"message", "code"}, said, n);
}

static bool fail_type(const struct talk *t, struct slice type, const char *said, size_t n_said, struct err *err)
{
	struct buf text;
	buf_init(&text);
	if (answer_explain(&text, &t->secrets, said, n_said)) {
		fail(err, "the server answers: %s", buf_str(&text));
	} else if (http_begins(type, "text/html")) {
		fail(err,
		     "the server sends a page for a browser, no profile (does the address lead to the service itself?)");
	} else if (type.n == 0) {
		fail(err, "the server sends something that has no type");
	} else {
		secrets_add_said(&text, &t->secrets, type.s, type.n, SECRETS_MOST_SAID);
		fail(err, "the server sends no profile, but '%s'", buf_str(&text));
	}
	buf_deinit(&text);
	return false;
}

static struct slice type_of(const struct talk *t)
{
	struct slice given = {"", 0}, heads = {t->heads.data, t->heads.len};
	http_header_find(heads, "Content-Type", &given);
	return given;
}

bool answer_is(const struct talk *t, const char *type, const char *said, size_t n_said, struct err *err)
{
	struct slice given = type_of(t);
	return http_begins(given, type) || fail_type(t, given, said, n_said, err);
}

static size_t read_beginning(int fd, char said[static MOST_LOOKED_AT])
{
	ssize_t n = pread(fd, said, MOST_LOOKED_AT, 0);
	return n > 0 ? (size_t)n : 0;
}

/* {"title":"Not Found","detail":"no such profile"} */
static bool fail_problem(const struct talk *t, const char *said, size_t n, struct err *err)
{
	struct buf text;
	buf_init(&text);
	bool is_known = explain(&text, &t->secrets, &(struct names){"detail", "title"}, said, n);
	fail(err, "the server answers%s%s", is_known ? ": " : " with an error, although its status is that of success",
	     buf_str(&text));
	buf_deinit(&text);
	return false;
}

bool answer_is_good(const struct talk *t, const char *said, size_t n, struct err *err)
{
	if (http_begins(type_of(t), "application/problem+"))
		return fail_problem(t, said, n, err);
	return grpc_status_is_good(t, err);
}

bool answer_file_is(const struct talk *t, const char *type, int fd, struct err *err)
{
	char said[MOST_LOOKED_AT];
	return answer_is(t, type, said, read_beginning(fd, said), err);
}

bool answer_file_is_good(const struct talk *t, int fd, struct err *err)
{
	char said[MOST_LOOKED_AT];
	return answer_is_good(t, said, read_beginning(fd, said), err);
}
