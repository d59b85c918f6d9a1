/*
 * perf_event.c - parses event lines, or recognises them by cached parts.
 */
#include "collapse/perf/perf_event.h"

#include <string.h>

#include "base/hash.h"
#include "base/number.h"
#include "base/scan.h"
#include "model/profile.h"

void perf_event_init(struct perf_event *e)
{
	*e = (struct perf_event){0};
	buf_init(&e->name);
	buf_init(&e->wanted);
	buf_reserve(&e->name, 64); /* it may be empty, but not NULL */
}

void perf_event_deinit(struct perf_event *e)
{
	buf_deinit(&e->name);
	buf_deinit(&e->wanted);
}

/* "1234" or "1234/1235", or perf's "-1" for an unknown task, whose name is ":-1". */
static bool is_task_word(struct slice word, struct slice comm)
{
	size_t slash;
	if (!word.n)
		return false;
	if (*word.s == '-')
		return *comm.s == ':' && (slice_is(word, "-1") || slice_is(word, "-1/-1"));
	slash = slice_find_byte(word, '/');
	if (slash == SIZE_MAX)
		return slice_is_digits(word);
	return slash && slash + 1 < word.n && slice_is_digits(slice_head(word, slash)) &&
	       slice_is_digits(slice_from(word, slash + 1));
}

/* Is this the word after the task's numbers, "[001]" or "72.176760:"? */
static bool follows_task(struct slice rest)
{
	rest = slice_ltrim(rest);
	if (slice_take(&rest, "["))
		return slice_take_digits(&rest).n && slice_starts(rest, "]");
	return slice_take_digits(&rest).n && slice_take(&rest, ".") && slice_take_digits(&rest).n &&
	       slice_starts(rest, ":");
}

/* "72.176760:" */
static bool is_time_word(struct slice word)
{
	return slice_take_digits(&word).n && slice_take(&word, ".") && slice_take_digits(&word).n &&
	       slice_is(word, ":");
}

/* Splits a line without task numbers: perf script -F comm,cpu,time,event,ip,sym,dso. Its time begins at `at`. */
static bool split_at_time(struct slice line, size_t at, struct slice *comm, struct slice *id, struct slice *rest)
{
	struct slice name = slice_trim(slice_head(line, at));
	size_t open = slice_ends(name, "]") ? slice_find_last(name, '[') : SIZE_MAX;
	if (open != SIZE_MAX && slice_is_digits((struct slice){name.s + open + 1, name.n - open - 2}))
		name = slice_head(name, open);
	*comm = slice_rtrim(name);
	*rest = slice_from(line, (size_t)(name.s + name.n - line.s));
	*id = slice_head(*rest, 0);
	return comm->n > 0;
}

static size_t word_end(struct slice line, size_t at)
{
	while (at < line.n && line.s[at] != ' ' && line.s[at] != '\t')
		at++;
	return at;
}

/*
 * Finds the word with the task's numbers and splits the line there. A name may end in a number ("DOM Worker 12"),
 * so the word before a processor or a time is preferred to the first. simpleperf's report_sample.py separates words
 * by tabs.
 */
static bool find_task(struct slice line, struct slice *comm, struct slice *id, struct slice *rest)
{
	const struct slice trimmed = slice_ltrim(line);
	bool is_found = false;
	for (size_t at = 0; at < line.n;) {
		size_t end = word_end(line, at);
		struct slice word = {line.s + at, end - at};
		if (!is_found && at && is_time_word(word))
			return split_at_time(line, at, comm, id, rest);
		if (end == line.n)
			break;
		if (at && is_task_word(word, trimmed)) {
			bool is_sure = follows_task(slice_from(line, end + 1));
			if (is_sure || !is_found) {
				*comm = slice_trim(slice_head(line, at));
				*id = word;
				*rest = slice_from(line, end + 1);
			}
			is_found = true;
			if (is_sure)
				break;
		} else if (is_found && slice_ends(word, ":")) {
			break; /* the time or the event: no task follows */
		}
		at = end + 1;
	}
	return is_found;
}

static int64_t parse_id(struct slice digits)
{
	uint64_t v;
	return number_u64(digits.s, digits.n, &v) && v <= INT64_MAX ? (int64_t)v : -1;
}

bool perf_event_task(struct perf_event *e, struct slice line, struct slice *rest)
{
	size_t slash;
	if (!find_task(line, &e->comm, &e->id, rest))
		return false;
	slash = slice_find_byte(e->id, '/');
	e->has_pid = slash != SIZE_MAX;
	e->pid = e->has_pid ? parse_id(slice_head(e->id, slash)) : -1;
	e->tid = parse_id(e->has_pid ? slice_from(e->id, slash + 1) : e->id);
	return true;
}

/* "4794564.109216" in ns; NO_TIME if it is none. */
static uint64_t parse_time(struct slice word)
{
	size_t dot = slice_find_byte(word, '.');
	uint64_t seconds, fraction;
	if (dot == SIZE_MAX || word.n - dot - 1 > 9 || !number_u64(word.s, dot, &seconds) ||
	    !number_u64(word.s + dot + 1, word.n - dot - 1, &fraction) || seconds > UINT64_MAX / 1000000000 - 1)
		return NO_TIME;
	for (size_t i = word.n - dot - 1; i < 9; i++)
		fraction *= 10;
	return seconds * 1000000000 + fraction;
}

static struct slice last_word(struct slice text)
{
	size_t n;
	text = slice_rtrim(text);
	for (n = text.n; n && text.s[n - 1] != ' ' && text.s[n - 1] != '\t'; n--)
		;
	return slice_from(text, n);
}

static uint32_t parse_cpu(struct slice text)
{
	size_t open = slice_find_byte(text, '['), close = slice_find_byte(text, ']');
	uint64_t cpu;
	if (open == SIZE_MAX || close == SIZE_MAX || close < open ||
	    !number_u64(text.s + open + 1, close - open - 1, &cpu) || cpu >= NO_CPU)
		return NO_CPU;
	return (uint32_t)cpu;
}

/* Modifiers of an event, as in "cycles:uppp". */
static bool is_modifier(struct slice word)
{
	for (size_t i = 0; i < word.n; i++)
		if (!word.s[i] || !strchr(EVENT_RESTRICTIONS "pPSDWebx", word.s[i]))
			return false;
	return word.n > 0;
}

/* Adds what an event line has after the first colon of the event: "sched_switch" of a tracepoint, or modifiers. */
static void add_rest_of_name(struct buf *name, struct slice word)
{
	bool is_probe = slice_starts((struct slice){name->data, name->len}, "probe");
	bool has_colon = false;
	if (is_probe || !is_modifier(word)) {
		buf_addc(name, ':');
		buf_add(name, word.s, word.n);
		return;
	}
	for (const char *r = EVENT_RESTRICTIONS; *r; r++) {
		if (!memchr(word.s, *r, word.n))
			continue;
		buf_adds(name, has_colon ? "" : ":");
		buf_addc(name, *r);
		has_colon = true;
	}
}

struct slice perf_event_base(struct slice name)
{
	size_t n = name.n;
	while (n && strchr(EVENT_RESTRICTIONS, name.s[n - 1]))
		n--;
	return n && n < name.n && name.s[n - 1] == ':' && !slice_starts(name, "probe") ? slice_head(name, n - 1) : name;
}

void perf_event_join(struct perf_event *e)
{
	e->name.len = perf_event_base((struct slice){e->name.data, e->name.len}).n;
}

/*
 * Where the event's name begins in the text before its first colon: with its last word, but for what perf calls
 * events that it does not know: "raw 0x1a8", "unknown tracepoint", "unknown attr type: 7".
 */
static size_t name_start(struct slice text)
{
	static const char *const with_blanks[][2] = {
		{"raw ", "0x"}, {"unknown ", "tracepoint"}, {"unknown attr ", "type"}};
	struct slice word = last_word(text);
	size_t at = (size_t)(word.s - text.s);
	struct slice before = slice_head(text, at);
	for (size_t i = 0; i < sizeof with_blanks / sizeof *with_blanks; i++) {
		if (slice_ends(before, with_blanks[i][0]) && slice_starts(word, with_blanks[i][1]))
			return at - strlen(with_blanks[i][0]);
	}
	return at;
}

/* Does it begin like a number, though perhaps it is none? */
static bool is_number_like(struct slice word)
{
	return word.n && (is_digit_byte(*word.s) || *word.s == '-' || *word.s == '+');
}

/* "   250000 cycles", up to the event's first colon. Without a time, other fields are before it. */
static void take_period_and_name(struct perf_event *e, struct slice text)
{
	if (e->time == NO_TIME && e->cpu != NO_CPU && !e->is_bad_time)
		text = slice_from(text, slice_find_byte(text, ']') + 1);
	text = slice_rtrim(text);
	size_t at = name_start(text);
	struct slice name = slice_from(text, at), before = slice_rtrim(slice_head(text, at)), word = last_word(before);
	if (name.n && slice_is_digits(name) && !word.n) { /* perf script -F without the event */
		word = name;
		name = slice_from(name, name.n);
	}
	bool is_first = !slice_trim(slice_head(text, (size_t)(word.s - text.s))).n;
	bool is_number = number_u64(word.s, word.n, &e->weight);
	bool is_bare = e->time != NO_TIME; /* nothing else is before the period */
	e->is_bad_period = is_bare ? word.n && (!is_number || !is_first) : !is_number && is_number_like(word);
	e->has_period = is_number || e->is_bad_period;
	if (!is_number || e->is_bad_period)
		e->weight = 1;
	e->name.len = 0;
	buf_add(&e->name, name.s, name.n);
}

/*
 * Is it an event line whose time cannot be read? `first` is its text up to the first colon, `second` that up to the
 * next, a period and an event; without a time, the first would be the event's.
 */
static bool lacks_time(struct slice first, struct slice second, struct slice rest)
{
	size_t close = slice_find_byte(first, ']');
	struct slice time = slice_trim(close == SIZE_MAX ? first : slice_from(first, close + 1)), digits, name;
	digits = slice_take_word(&second);
	name = slice_trim(second);
	return digits.n && slice_is_digits(digits) && name.n && last_word(time).n == time.n &&
	       (is_number_like(time) || slice_ends(rest, ":"));
}

/* The number of "unknown attr type: 7:" belongs to the name. */
static void take_type(struct perf_event *e, struct slice *rest)
{
	struct slice after = *rest, digits;
	if (!slice_ends((struct slice){e->name.data, e->name.len}, "unknown attr type") || !slice_take(&after, " "))
		return;
	digits = slice_take_digits(&after);
	if (!digits.n || (after.n && !slice_take(&after, ":")))
		return;
	buf_addf(&e->name, ": %.*s", (int)digits.n, digits.s);
	*rest = after;
}

struct slice perf_event_parse(struct perf_event *e, struct slice rest)
{
	struct slice line = rest, text = slice_take_until(&rest, ':'), after = rest,
				 second = slice_take_until(&after, ':'), head;
	size_t cut;
	e->time = parse_time(last_word(text));
	e->cpu = parse_cpu(text);
	e->is_bad_time = e->time == NO_TIME && lacks_time(text, second, line);
	if (e->time != NO_TIME || e->is_bad_time) {
		text = second;
		rest = after;
	}
	e->tail_len = 0;
	take_period_and_name(e, text);
	take_type(e, &rest);
	/* "sched:sched_switch: prev_comm=..": a tracepoint's name contains the first colon. */
	for (cut = 0; cut < rest.n && rest.s[cut] != ':' && rest.s[cut] != ' '; cut++)
		;
	head = slice_head(rest, cut);
	if (cut < rest.n && rest.s[cut] == ':' && cut)
		add_rest_of_name(&e->name, head);
	return slice_trim(cut < rest.n ? slice_from(rest, cut + 1) : slice_from(rest, rest.n));
}

/* --- from memory --- */

/* " [000] 4794564.109216:   10101010 cpu-clock:" with an optional processor; no other form. */
struct middle {
	uint64_t time, weight;
	uint32_t cpu;
	bool has_period;
	const char *tail; /* after the period and its blanks */
};

/* Reads 1 to max digits, which fit 64 bits. Returns how many; 0: there is no such number. */
static size_t take_number(const char **text, size_t max, uint64_t *value)
{
	const char *s = *text;
	uint64_t v = 0;
	size_t n;
	for (; is_digit_byte(*s); s++)
		v = v * 10 + (uint64_t)(*s - '0');
	n = (size_t)(s - *text);
	*value = v;
	*text = s;
	return n <= max ? n : 0;
}

static const char *skip_blanks(const char *s)
{
	while (*s == ' ')
		s++;
	return s;
}

/* The line's newline ends every loop. */
static bool scan_middle(const char *s, struct middle *m)
{
	static const uint32_t tens[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
	uint64_t cpu = NO_CPU, seconds, fraction;
	size_t digits;
	s = skip_blanks(s);
	if (*s == '[') {
		s++;
		if (!take_number(&s, 9, &cpu) || *s++ != ']')
			return false;
		s = skip_blanks(s);
	}
	if (!take_number(&s, 10, &seconds) || *s++ != '.')
		return false;
	digits = take_number(&s, 9, &fraction);
	if (!digits || *s++ != ':')
		return false;
	s = skip_blanks(s);
	m->cpu = (uint32_t)cpu;
	m->time = seconds * 1000000000 + fraction * tens[9 - digits];
	m->weight = 1;
	m->has_period = is_digit_byte(*s);
	if (m->has_period && (!take_number(&s, 18, &m->weight) || *s != ' '))
		return false;
	m->tail = skip_blanks(s);
	return true;
}

static const char *back_over_digits(const char *s, const char *begin)
{
	while (s > begin && is_digit_byte(s[-1]))
		s--;
	return s;
}

static const char *back_over_blanks(const char *s, const char *begin)
{
	while (s > begin && s[-1] == ' ')
		s--;
	return s;
}

/*
 * Length of the line's beginning, up to after the task's numbers: before the time with the first ':'. 0: another
 * form.
 */
static size_t head_length(const char *text)
{
	uint64_t mask = scan_mask(text, ':') | (uint64_t)scan_mask(text + 32, ':') << 32;
	const char *s = text + (mask ? __builtin_ctzll(mask) : 0);
	s = back_over_digits(s, text);
	if (s == text || s[-1] != '.')
		return 0;
	s = back_over_blanks(back_over_digits(s - 1, text), text);
	if (s > text && s[-1] == ']') {
		s = back_over_digits(s - 1, text);
		s = s > text && s[-1] == '[' ? back_over_blanks(s - 1, text) : text;
	}
	return s - text >= 8 && s - text <= PERF_HEAD_MAX ? (size_t)(s - text) : 0;
}

static struct perf_head *head_slot(struct perf_event *e, const char *text, size_t len)
{
	uint64_t name, ids;
	memcpy(&name, text, sizeof name);
	memcpy(&ids, text + len - sizeof ids, sizeof ids);
	return &e->heads[hash_mix(name ^ hash_seed[0], ids ^ hash_seed[1]) % PERF_HEADS];
}

void perf_event_learn(struct perf_event *e, const char *text, size_t len)
{
	const char *end = text + len;
	size_t at = head_length(text);
	struct perf_head *h;
	struct middle m;
	/* The fast path must give the same result as the full parser. */
	if (!at || at >= len || e->id.s < text || e->id.s + e->id.n != text + at || !scan_middle(text + at, &m) ||
	    m.time != e->time || m.cpu != e->cpu || m.has_period != e->has_period || m.weight != e->weight ||
	    m.tail >= end || (size_t)(end - m.tail) > PERF_TAIL_MAX)
		return;
	e->tail_len = (size_t)(end - m.tail);
	memcpy(e->tail, m.tail, e->tail_len);
	h = head_slot(e, text, at);
	*h = (struct perf_head){.len = at, .pid = e->pid, .tid = e->tid, .has_pid = e->has_pid};
	h->comm_at = (size_t)(e->comm.s - text);
	h->comm_len = e->comm.n;
	h->id_at = (size_t)(e->id.s - text);
	h->id_len = e->id.n;
	memcpy(h->text, text, at);
}

size_t perf_event_again(struct perf_event *e, const char *text)
{
	size_t at = e->tail_len ? head_length(text) : 0;
	const struct perf_head *h = at ? head_slot(e, text, at) : NULL;
	struct middle m;
	if (!h || h->len != at || scan_common(h->text, text, at) != at || !scan_middle(text + at, &m) ||
	    m.has_period != e->has_period || scan_common(e->tail, m.tail, e->tail_len) != e->tail_len)
		return 0;
	e->comm = (struct slice){text + h->comm_at, h->comm_len};
	e->id = (struct slice){text + h->id_at, h->id_len};
	e->has_pid = h->has_pid;
	e->pid = h->pid;
	e->tid = h->tid;
	e->time = m.time;
	e->cpu = m.cpu;
	e->weight = m.weight;
	return (size_t)(m.tail - text) + e->tail_len;
}

/* --- other questions --- */

bool perf_event_has_callers(struct slice rest)
{
	size_t at = slice_find(rest, ": DEFERRED CALLCHAIN [cookie: ");
	return at != SIZE_MAX && parse_time(last_word(slice_head(rest, at))) != NO_TIME;
}

bool perf_event_is_record(struct slice rest, uint64_t *lost)
{
	size_t at, number;
	*lost = 0;
	if (!rest.n || rest.s[rest.n - 1] == ':') /* as event lines end, unless they are tracepoints */
		return false;
	if (perf_event_has_callers(rest))
		return true;
	at = slice_find(rest, ": PERF_RECORD_");
	if (at == SIZE_MAX || parse_time(last_word(slice_head(rest, at))) == NO_TIME)
		return false;
	rest = slice_from(rest, at + 14);
	number = slice_rfind(rest, "lost ");
	if (slice_starts(rest, "LOST") && number != SIZE_MAX &&
	    !slice_u64(slice_trim(slice_from(rest, number + 5)), lost))
		*lost = 0;
	return true;
}

bool perf_event_has_time(struct slice line)
{
	struct slice comm, id, rest;
	size_t colon;
	if (!find_task(line, &comm, &id, &rest))
		return false;
	colon = slice_find_byte(rest, ':');
	return colon != SIZE_MAX && parse_time(last_word(slice_head(rest, colon))) != NO_TIME;
}

enum sniff perf_event_sniff(struct slice line)
{
	struct slice comm, id, rest;
	uint64_t lost;
	if (!find_task(line, &comm, &id, &rest) || slice_find_byte(rest, ':') == SIZE_MAX)
		return SNIFF_NO;
	return perf_event_is_record(rest, &lost) ? SNIFF_YES : SNIFF_MAYBE;
}

void perf_event_normalize(struct slice event, struct buf *name)
{
	size_t colon = slice_find_last(event, ':');
	struct slice rest = colon == SIZE_MAX ? slice_head(event, 0) : slice_from(event, colon + 1);
	name->len = 0;
	buf_add(name, event.s, rest.n ? colon : event.n);
	if (rest.n)
		add_rest_of_name(name, rest);
}

static bool is_text(struct slice a, const struct buf *b)
{
	return a.n == b->len && memcmp(a.s, b->data, a.n) == 0;
}

/* wanted: normalized. Without restrictions it stands for all that have some. */
static bool is_asked_for(struct slice name, const struct buf *wanted)
{
	return is_text(name, wanted) || is_text(perf_event_base(name), wanted);
}

void perf_event_want(struct perf_event *e, const char *event)
{
	perf_event_normalize(slice_of(event ? event : ""), &e->wanted);
}

bool perf_event_is_wanted(const struct perf_event *e)
{
	return !e->wanted.len || is_asked_for((struct slice){e->name.data, e->name.len}, &e->wanted);
}
