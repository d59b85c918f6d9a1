/*
 * catalog.c - leads from the address of a store of profiles to one profile.
 *
 * Names come from the server. One that cannot be part of an address is not offered.
 */
#include "sources/catalog.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/slice.h"
#include "base/sort.h"

#define MOST_NAMES 20000u
#define MOST_SLOTS 60
#define CHOOSE_LABEL "label:"

void names_add(struct names *l, const char *s, size_t n)
{
	if (l->n < MOST_NAMES)
		mem_push(l->v, l->n, l->cap, mem_strndup(s, n));
}

static void names_deinit(struct names *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i]);
	free(l->v);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void names_sort(struct names *l)
{
	sort_array(l->v, l->n, sizeof *l->v, by_name);
}

void totals_add(struct totals *t, int64_t ms, double v)
{
	if (ms < t->from || !(v > 0) || v > 1e18)
		return;
	uint64_t slot = (uint64_t)(ms - t->from) / (uint64_t)t->step;
	if (slot < t->n && t->v[slot] <= UINT64_MAX / 4)
		t->v[slot] += (uint64_t)v;
}

/* ---- what an address says ------------------------------------------------------------------------------------ */

static bool asked_init(struct asked *a, const struct url *u, struct talk *t, struct err *err)
{
	*a = (struct asked){.url = u, .talk = t};
	return moment_read_span(u, &a->span, err) && query_read(&a->query, u, err);
}

static void asked_deinit(struct asked *a)
{
	query_deinit(&a->query);
}

static bool asked_is_nothing(const struct asked *a, int fd, struct err *err)
{
	struct stat info;
	struct buf text;
	if (fstat(fd, &info) != 0 || info.st_size > 0)
		return false;
	buf_init(&text);
	buf_addf(&text, "nothing matches %s%s, ", a->query.type, a->query.selector);
	moment_add_span(&text, &a->span);
	fail(err, "%s", buf_str(&text));
	buf_deinit(&text);
	return true;
}

static bool is_choice(const char *choose)
{
	static const char *const words[] = {"", "labels", "time", "until"};
	size_t n = sizeof CHOOSE_LABEL - 1;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(choose, words[i]) == 0)
			return true;
	return strncmp(choose, CHOOSE_LABEL, n) == 0 && query_is_label(choose + n, strlen(choose + n));
}

static bool check_choice(const struct url *u, struct err *err)
{
	char *choose = url_value(u, "choose");
	bool is_good = choose && is_choice(choose);
	free(choose);
	return is_good || fail(err, "%s: 'choose' has to be labels, label:NAME, time or until", u->shown);
}

bool catalog_check(const struct url *u, const char *const *more, struct err *err)
{
	static const char *const common[] = {"query", "from", "until", "choose"};
	const char *names[16] = {NULL};
	size_t n = 0;
	struct asked a;
	for (; n < sizeof common / sizeof *common; n++)
		names[n] = common[n];
	while (more && *more && n + 1 < sizeof names / sizeof *names)
		names[n++] = *more++;
	bool is_good = url_has_only(u, names, err) && check_choice(u, err) && asked_init(&a, u, NULL, err);
	if (is_good)
		asked_deinit(&a);
	return is_good;
}

bool catalog_is_menu(const struct url *u)
{
	char *query = url_value(u, "query"), *choose = url_value(u, "choose");
	bool is_menu = (query && !*query) || (choose && *choose);
	free(query);
	free(choose);
	return is_menu;
}

/* ---- items --------------------------------------------------------------------------------------------------- */

/* The address with these parameters: name, value, ..., NULL; value NULL: without it. The caller frees. */
static char *address_with(const struct url *u, const char *const *pairs)
{
	struct buf address, value;
	char *now = NULL;
	buf_init(&value);
	for (; *pairs; pairs += 2) {
		struct url step;
		bool is_read = now && url_read_given(&step, now, NULL);
		value.len = 0;
		if (pairs[1])
			url_add_encoded(&value, pairs[1], strlen(pairs[1]));
		buf_init(&address);
		url_add_with(&address, is_read ? &step : u, pairs[0], pairs[1] ? buf_str(&value) : NULL);
		if (is_read)
			url_deinit(&step);
		free(now);
		now = buf_take(&address);
	}
	buf_deinit(&value);
	return now;
}

static void add_item(struct menu *m, const struct asked *a, const char *name, const char *text, uint64_t value,
                     const char *const *pairs)
{
	struct url u;
	char *address = address_with(a->url, pairs);
	bool is_good = url_read_given(&u, address, NULL); /* not too long, for one */
	if (is_good) {
		menu_add(m, name, text, address, value);
		url_deinit(&u);
	}
	free(address);
}

static void set_title(struct menu *m, const struct asked *a, const char *question)
{
	struct buf title;
	buf_init(&title);
	buf_adds(&title, question);
	if (*a->query.type)
		buf_addf(&title, " of %s%s", a->query.type, a->query.selector);
	buf_adds(&title, ", ");
	moment_add_span(&title, &a->span);
	m->title = buf_take(&title);
}

/* ---- the menus ----------------------------------------------------------------------------------------------- */

static bool list_types(const struct catalog *c, struct asked *a, struct menu *m, struct err *err)
{
	struct names types = {0};
	bool is_there = c->list_types(a, &types, err);
	names_sort(&types);
	set_title(m, a, "Types of profiles");
	m->what = mem_strdup("has several types of profiles; add query= and one");
	for (size_t i = 0; i < types.n; i++)
		if (query_is_type(types.v[i]) && !has_control_byte(types.v[i]))
			add_item(m, a, types.v[i], types.v[i], 0,
			         (const char *const[]){"query", types.v[i], "choose", "labels", NULL});
	names_deinit(&types);
	return is_there && (m->n > 0 || fail(err, "%s: there is no profile in this time", a->url->shown));
}

static void add_label(struct menu *m, const struct asked *a, const char *name)
{
	struct buf choose, text;
	if (!query_is_label(name, strlen(name)) || strncmp(name, "__", 2) == 0)
		return;
	buf_init(&choose);
	buf_init(&text);
	buf_addf(&choose, CHOOSE_LABEL "%s", name);
	buf_addf(&text, "only one %s", name);
	add_item(m, a, name, buf_str(&text), 0, (const char *const[]){"choose", buf_str(&choose), NULL});
	buf_deinit(&choose);
	buf_deinit(&text);
}

static bool list_labels(const struct catalog *c, struct asked *a, struct menu *m, struct err *err)
{
	struct names labels = {0};
	bool is_there = c->list_labels(a, &labels, err);
	names_sort(&labels);
	set_title(m, a, "Which part");
	m->what = mem_strdup("asks which labels; leave choose= out, or choose label:NAME with one");
	add_item(m, a, NULL, "all of it", 0, (const char *const[]){"choose", NULL, NULL});
	add_item(m, a, NULL, "a part of the time", 0, (const char *const[]){"choose", "time", NULL});
	for (size_t i = 0; i < labels.n; i++)
		add_label(m, a, labels.v[i]);
	names_deinit(&labels);
	return is_there;
}

static void add_value(struct menu *m, const struct asked *a, const char *label, const char *value)
{
	struct buf query;
	if (has_control_byte(value))
		return;
	buf_init(&query);
	query_add_with(&query, &a->query, label, value, strlen(value));
	add_item(m, a, value, value, 0, (const char *const[]){"query", buf_str(&query), "choose", "labels", NULL});
	buf_deinit(&query);
}

static bool list_values(const struct catalog *c, struct asked *a, const char *label, struct menu *m,
                        struct err *err)
{
	struct names values = {0};
	struct buf what;
	bool is_there = c->list_values(a, label, &values, err);
	names_sort(&values);
	buf_init(&what);
	buf_addf(&what, "Values of %s", label);
	set_title(m, a, buf_str(&what));
	what.len = 0;
	buf_addf(&what, "asks for a value of %s; add {%s=\"...\"} with one", label, label);
	m->what = buf_take(&what);
	for (size_t i = 0; i < values.n; i++)
		add_value(m, a, label, values.v[i]);
	names_deinit(&values);
	return is_there && (m->n > 0 || fail(err, "%s: the label has no values in this time", a->url->shown));
}

/* ---- the total over time ------------------------------------------------------------------------------------- */

/* The least step that people count in, so that there are not too many slots. */
static int64_t step_of(const struct span *s)
{
	static const unsigned steps[] = {1,   2,    5,    10,   15,    30,    60,    120,   300,    600,
	                                 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800};
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		if ((s->until - s->from) / ((int64_t)steps[i] * 1000) < MOST_SLOTS)
			return (int64_t)steps[i] * 1000;
	return (s->until - s->from) / MOST_SLOTS + 1;
}

static void totals_init(struct totals *t, const struct span *s)
{
	t->step = step_of(s);
	t->from = s->from - s->from % t->step;
	t->n = (size_t)((s->until - t->from + t->step - 1) / t->step);
	t->v = mem_zalloc(t->n + 1, sizeof *t->v);
}

static void add_slot(struct menu *m, const struct asked *a, const struct span *s, uint64_t value, bool is_last)
{
	struct buf text, from, until;
	buf_init(&text);
	buf_init(&from);
	buf_init(&until);
	moment_add_span(&text, s);
	buf_addf(&from, "%lld", (long long)s->from);
	buf_addf(&until, "%lld", (long long)s->until);
	if (is_last)
		add_item(m, a, NULL, buf_str(&text), value,
		         (const char *const[]){"until", buf_str(&until), "choose", NULL, NULL});
	else
		add_item(m, a, NULL, buf_str(&text), value,
		         (const char *const[]){"from", buf_str(&from), "choose", "until", NULL});
	buf_deinit(&text);
	buf_deinit(&from);
	buf_deinit(&until);
}

/* is_last: the beginning is chosen, and each item is the time from there on. */
static void add_slots(struct menu *m, const struct asked *a, const struct totals *t, bool is_last)
{
	for (size_t i = 0; i < t->n; i++) {
		int64_t from = t->from + (int64_t)i * t->step;
		add_slot(m, a, &(struct span){is_last ? t->from : from, from + t->step}, t->v[i], is_last);
	}
}

static bool list_time(const struct catalog *c, struct asked *a, bool is_last, struct menu *m, struct err *err)
{
	struct totals t;
	totals_init(&t, &a->span);
	bool is_there = c->list_totals(a, &t, err);
	set_title(m, a, is_last ? "Until when" : "From when");
	m->what = mem_strdup("asks for a time; add from= and until=");
	m->has_values = true;
	if (!is_last)
		add_item(m, a, NULL, "all of it", 0, (const char *const[]){"choose", NULL, NULL});
	add_slots(m, a, &t, is_last);
	free(t.v);
	return is_there;
}

static bool list(const struct catalog *c, struct asked *a, struct menu *m, struct err *err)
{
	char *choose = url_value(a->url, "choose");
	bool is_there;
	if (!*a->query.type)
		is_there = list_types(c, a, m, err);
	else if (strcmp(choose, "labels") == 0)
		is_there = list_labels(c, a, m, err);
	else if (strncmp(choose, CHOOSE_LABEL, sizeof CHOOSE_LABEL - 1) == 0)
		is_there = list_values(c, a, choose + sizeof CHOOSE_LABEL - 1, m, err);
	else
		is_there = list_time(c, a, strcmp(choose, "until") == 0, m, err);
	free(choose);
	return is_there;
}

bool catalog_list(const struct catalog *c, const struct url *u, struct talk *t, struct menu *m, struct err *err)
{
	struct asked a;
	if (!asked_init(&a, u, t, err))
		return false;
	bool is_there = list(c, &a, m, err);
	asked_deinit(&a);
	return is_there;
}

int catalog_fetch(const struct url *u, struct talk *t, int (*ask)(struct asked *, struct err *err), struct err *err)
{
	struct asked a;
	if (!asked_init(&a, u, t, err))
		return -1;
	int fd = ask(&a, err);
	if (fd >= 0 && asked_is_nothing(&a, fd, err)) {
		close(fd);
		fd = -1;
	}
	asked_deinit(&a);
	return fd;
}
