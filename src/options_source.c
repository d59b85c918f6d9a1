/*
 * options_source.c - setters for the options about fetching.
 *
 * Words of the command line are visible to other users of the machine, so those with secrets are copied and then
 * blotted out. They are never repeated in a command or a file.
 */
#include "options.h"

#include <string.h>

#include "base/input.h"
#include "base/slice.h"
#include "options_set.h"
#include "sources/url.h"

#define MOST_GIVEN (64u << 10) /* bytes of a file of headers, or of a query */

static const char *keep(struct options *o, const char *text, size_t n)
{
	return arena_bytes(&o->arena, text, n);
}

/* "Name: value"; libcurl would take "Name:" for the wish to leave a header out. The value is a secret. */
static bool add_header(struct options *o, const char *text, size_t n, struct err *err)
{
	const char *kept = keep(o, text, n), *colon = strchr(kept, ':');
	if (!colon || colon == kept || strcspn(kept, " \t") < (size_t)(colon - kept) ||
	    colon[1 + strspn(colon + 1, " \t")] == '\0' || has_control_byte(kept))
		return fail(err, "expected 'Name: value'");
	o->source.headers = value_add_to_list(o->source.headers, kept);
	return true;
}

static bool add_lines(struct options *o, const char *text, size_t n, struct err *err)
{
	const char *end = text + n;
	while (text < end) {
		const char *nl = memchr(text, '\n', (size_t)(end - text)), *stop = nl ? nl : end;
		size_t len = (size_t)(stop - text);
		if (len > 0 && text[len - 1] == '\r')
			len--;
		if (len > 0 && !add_header(o, text, len, err))
			return false;
		text = nl ? nl + 1 : end;
	}
	return true;
}

typedef bool take_text(struct options *, const char *text, size_t n, struct err *err);

static bool take_file(struct options *o, const char *path, take_text *take, struct err *err)
{
	struct buf text;
	buf_init(&text);
	bool is_good = input_read_file(path, MOST_GIVEN, &text, err) && take(o, buf_str(&text), text.len, err);
	buf_deinit(&text);
	return is_good;
}

bool option_set_header(struct options *o, const char *value, struct err *err)
{
	return value[0] == '@' ? take_file(o, value + 1, add_lines, err) : add_header(o, value, strlen(value), err);
}

static bool take_sql(struct options *o, const char *text, size_t n, struct err *err)
{
	const char *kept = keep(o, text, n);
	if (strlen(kept) != n || !kept[strspn(kept, " \t\r\n;")])
		return fail(err, "expected a query in SQL");
	o->source.sql = kept;
	return true;
}

bool option_set_sql(struct options *o, const char *value, struct err *err)
{
	return value[0] == '@' ? take_file(o, value + 1, take_sql, err) : take_sql(o, value, strlen(value), err);
}

bool option_set_user(struct options *o, const char *value, struct err *err)
{
	if (!strchr(value, ':') || value[0] == ':' || has_control_byte(value))
		return fail(err, "expected NAME:PASSWORD");
	o->source.user = keep(o, value, strlen(value));
	return true;
}

bool option_set_bearer(struct options *o, const char *value, struct err *err)
{
	if (!*value || has_control_byte(value))
		return fail(err, "expected a token");
	o->source.bearer = keep(o, value, strlen(value));
	return true;
}

bool option_set_push(struct options *o, const char *value, struct err *err)
{
	if (!url_is(value))
		return fail(err, "expected an address, such as pyroscope://HOST/?service_name=NAME");
	o->push = value;
	return true;
}

bool option_set_save(struct options *o, const char *value, struct err *err)
{
	if (!*value || strcmp(value, "-") == 0)
		return value_is_bad(err, value, "the name of a file");
	o->source.save = value;
	return true;
}

/* As curl: FILE:PASSWORD, with "\\:" for a colon in FILE, and "\\\\" for a backslash. Returns where FILE ends. */
static const char *file_end(const char *value)
{
	if (strncmp(value, "pkcs11:", 7) == 0)
		return value + strlen(value);
	while (*value && *value != ':')
		value += value[0] == '\\' && (value[1] == ':' || value[1] == '\\') ? 2 : 1;
	return value;
}

bool option_set_cert(struct options *o, const char *value, struct err *err)
{
	const char *end = file_end(value);
	struct buf file;
	if (end == value)
		return fail(err, "expected FILE or FILE:PASSWORD");
	buf_init(&file);
	for (const char *p = value; p < end; p++) {
		p += *p == '\\' && (p[1] == ':' || p[1] == '\\');
		buf_addc(&file, *p);
	}
	o->source.cert = keep(o, file.data, file.len);
	o->source.key_password = *end ? keep(o, end + 1, strlen(end + 1)) : NULL;
	buf_deinit(&file);
	return true;
}

static bool is_secret(const struct option_row *row)
{
	return row->set == option_set_header || row->set == option_set_user || row->set == option_set_bearer;
}

/* An option may be given several times, and each value stays in the list of processes, whichever counts. */
static bool is_of_addresses(const struct option_row *row)
{
	return row->set == option_set_push || row->set == option_set_diff ||
	       (row->name && strcmp(row->name, "perfdata") == 0);
}

void option_blot(const struct option_row *row, char *value)
{
	size_t n = strlen(value), n_file = (size_t)(file_end(value) - value);
	if (is_secret(row) && value[0] != '@')
		memset(value, '*', n);
	else if (row->set == option_set_cert) /* the file stays */
		memset(value + n_file, '\0', n - n_file);
	else if (is_of_addresses(row) && url_is(value))
		url_blot(value);
}

bool options_repeat_source(const struct option_row *row)
{
	return !is_secret(row) && row->set != option_set_save && row->set != option_set_push;
}
