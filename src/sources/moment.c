/*
 * moment.c - moments as users of stores of profiles write them.
 */
#include "sources/moment.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/number.h"
#include "sources/url.h"

#define USUAL_FROM "now-1h"
#define MOST_MS INT64_C(253402300799000) /* the end of the year 9999 */

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- reading ------------------------------------------------------------------------------------------------- */

static size_t count_digits(const char *text)
{
	size_t n = 0;
	while (text[n] >= '0' && text[n] <= '9')
		n++;
	return n;
}

static int64_t unit_ms(char c)
{
	switch (c) {
	case 's':
		return 1000;
	case 'm':
		return 60000;
	case 'h':
		return 3600000;
	case 'd':
		return 86400000;
	case 'w':
		return 7 * INT64_C(86400000);
	default:
		return 0;
	}
}

/* "-1h", "-1h30m", "" after "now". */
static bool read_distance(const char *text, int64_t *ms)
{
	*ms = 0;
	if (*text == '\0')
		return true;
	if (*text++ != '-' || *text == '\0')
		return false;
	while (*text) {
		uint64_t v;
		size_t n = count_digits(text);
		int64_t unit = unit_ms(text[n]);
		if (!n || !unit || !number_u64(text, n, &v) || v > (uint64_t)(MOST_MS / unit))
			return false;
		*ms += (int64_t)v * unit;
		if (*ms > MOST_MS)
			return false;
		text += n + 1;
	}
	return true;
}

/* Takes exactly n digits off. */
static bool take_digits(const char **text, size_t n, int *v)
{
	*v = 0;
	for (size_t i = 0; i < n; i++, (*text)++) {
		if (**text < '0' || **text > '9')
			return false;
		*v = *v * 10 + (**text - '0');
	}
	return true;
}

static bool take(const char **text, char c)
{
	if (**text != c)
		return false;
	(*text)++;
	return true;
}

/* "", "Z", "+01:00": seconds to the east of Greenwich. */
static bool take_zone(const char *text, int *seconds)
{
	int hours, minutes, sign = *text == '-' ? -1 : 1;
	*seconds = 0;
	if (*text == '\0' || strcmp(text, "Z") == 0 || strcmp(text, "z") == 0)
		return true;
	if (*text++ != (sign < 0 ? '-' : '+') || !take_digits(&text, 2, &hours))
		return false;
	take(&text, ':');
	if (!take_digits(&text, 2, &minutes) || *text || hours > 23 || minutes > 59)
		return false;
	*seconds = sign * (hours * 3600 + minutes * 60);
	return true;
}

/* ".250", ".25", ".250000": milliseconds. */
static int take_fraction(const char **text)
{
	int ms = 0, unit = 100;
	if (!take(text, '.'))
		return 0;
	for (; **text >= '0' && **text <= '9'; (*text)++, unit /= 10)
		ms += (**text - '0') * unit;
	return ms;
}

static bool take_clock(const char **text, struct tm *t, int *ms)
{
	*ms = 0;
	if (**text != 'T' && **text != 't' && **text != ' ')
		return true;
	(*text)++;
	if (!take_digits(text, 2, &t->tm_hour) || !take(text, ':') || !take_digits(text, 2, &t->tm_min))
		return false;
	if (take(text, ':')) {
		if (!take_digits(text, 2, &t->tm_sec))
			return false;
		*ms = take_fraction(text);
	}
	return t->tm_hour < 24 && t->tm_min < 60 && t->tm_sec <= 60;
}

static bool has_day(const struct tm *t)
{
	static const int days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	return t->tm_year >= 70 && t->tm_mon >= 0 && t->tm_mon < 12 && t->tm_mday >= 1 && t->tm_mday <= days[t->tm_mon];
}

/* Seconds since 1970 began: a day belongs to the year that begins in March, so that leap days are the last ones. */
static int64_t seconds_of(const struct tm *t)
{
	int64_t year = 1900 + t->tm_year - (t->tm_mon < 2), month = (t->tm_mon + 10) % 12;
	int64_t day = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + t->tm_mday - 1;
	return (((day - 719468) * 24 + t->tm_hour) * 60 + t->tm_min) * 60 + t->tm_sec;
}

static bool read_date(const char *text, bool has_dashes, int64_t *ms)
{
	struct tm t = {0};
	int zone, fraction;
	if (!take_digits(&text, 4, &t.tm_year) || (has_dashes && !take(&text, '-')) ||
	    !take_digits(&text, 2, &t.tm_mon) || (has_dashes && !take(&text, '-')) ||
	    !take_digits(&text, 2, &t.tm_mday))
		return false;
	t.tm_year -= 1900;
	t.tm_mon--;
	if (!has_day(&t) || !take_clock(&text, &t, &fraction) || !take_zone(text, &zone))
		return false;
	*ms = (seconds_of(&t) - zone) * 1000 + fraction;
	return true;
}

bool moment_read_iso(const char *text, size_t n, int64_t *ms)
{
	char copy[64];
	if (n >= sizeof copy)
		return false;
	memcpy(copy, text, n);
	copy[n] = '\0';
	return read_date(copy, true, ms);
}

/* A number's size tells its unit until the year 5138. */
static bool read_number(const char *text, size_t n, int64_t *ms)
{
	uint64_t v;
	if (!number_u64(text, n, &v))
		return false;
	if (v < UINT64_C(100000000000))
		v *= 1000;
	else if (v >= UINT64_C(100000000000000000))
		v /= 1000000;
	else if (v >= UINT64_C(100000000000000))
		v /= 1000;
	*ms = (int64_t)v;
	return true;
}

static bool read_moment(const char *text, int64_t now, int64_t *ms)
{
	int64_t distance;
	size_t n = count_digits(text);
	if (strncmp(text, "now", 3) == 0) {
		if (!read_distance(text + 3, &distance) || distance > now)
			return false;
		*ms = now - distance;
		return true;
	}
	if (text[n] == '\0' && n > 0)
		return (n == 8 && read_date(text, false, ms)) || read_number(text, n, ms);
	return read_date(text, true, ms);
}

static bool read_parameter(const struct url *u, const char *name, const char *usual, int64_t now, int64_t *ms,
                           struct err *err)
{
	char *text = url_value(u, name);
	bool is_good = text && read_moment(*text ? text : usual, now, ms);
	free(text);
	return is_good || fail(err, "%s: '%s' is not a time (such as now-1h or 2026-11-22T07:00:00Z)", u->shown, name);
}

bool moment_read_span(const struct url *u, struct span *span, struct err *err)
{
	int64_t now = now_ms();
	if (!read_parameter(u, "from", USUAL_FROM, now, &span->from, err) ||
	    !read_parameter(u, "until", "now", now, &span->until, err))
		return false;
	return span->from < span->until || fail(err, "%s: 'from' is not before 'until'", u->shown);
}

bool moment_read(const struct url *u, const char *name, int64_t usual, int64_t *ms, struct err *err)
{
	size_t n;
	*ms = usual;
	return !url_parameter(u, name, &n) || n == 0 || read_parameter(u, name, "now", now_ms(), ms, err);
}

int64_t moment_now(void)
{
	return now_ms();
}

/* ---- showing ------------------------------------------------------------------------------------------------- */

static bool split(int64_t ms, struct tm *t)
{
	time_t seconds = (time_t)(ms / 1000);
	return gmtime_r(&seconds, t) != NULL;
}

static void add_date(struct buf *out, int64_t ms)
{
	struct tm t;
	if (split(ms, &t))
		buf_addf(out, "%04d-%02d-%02d", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday);
}

static void add_clock(struct buf *out, int64_t ms)
{
	struct tm t;
	if (split(ms, &t))
		buf_addf(out, "%02d:%02d:%02d", t.tm_hour, t.tm_min, t.tm_sec);
	if (ms % 1000 > 0)
		buf_addf(out, ".%03d", (int)(ms % 1000));
}

static void add_moment(struct buf *out, int64_t ms)
{
	add_date(out, ms);
	buf_addc(out, ' ');
	add_clock(out, ms);
}

void moment_add_iso(struct buf *out, int64_t ms)
{
	add_date(out, ms);
	buf_addc(out, 'T');
	add_clock(out, ms);
	buf_addc(out, 'Z');
}

void moment_add_span(struct buf *out, const struct span *s)
{
	const int64_t day = 86400000;
	add_moment(out, s->from);
	buf_adds(out, " to ");
	if (s->from / day == s->until / day)
		add_clock(out, s->until);
	else
		add_moment(out, s->until);
	buf_adds(out, " UTC");
}
