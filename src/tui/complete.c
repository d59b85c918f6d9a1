/*
 * complete.c - completes names in prompts for patterns: functions, and after "module:", "file:" or "package:"
 * these.
 *
 *	module:libp<Tab>    module:libpython3.11.so.1.0
 *	file:pars<Tab>      file:parser.c, also for /src/parser.c: a pattern matches anywhere in a path
 *	mo<Tab>             module:
 *
 * As in a shell, the text grows to what all names have in common; if that is no more than it has, the names are
 * listed. Names are inserted as patterns that match them, so brackets and the like get a backslash.
 */
#include "tui/complete.h"

#include <stdlib.h>
#include <string.h>

#include "lib/cells.h"
#include "tui/app.h"

/* Displaying a mangled name takes microseconds. */
#define MOST_MANGLED 20000u
#define MOST_LISTED 12u
/* Telling names apart takes a fraction of a microsecond: of more names, the number is not told. */
#define MOST_COUNTED 20000u

struct completion {
	struct app *app;
	enum group_by by;
	struct buf typed; /* without the prefix, and without backslashes */
	bool ignores_case;
	struct symtab found; /* the names that fit, each once; symbol 0 is none */
	struct buf common;   /* what they have in common */
};

static bool is_special(char c)
{
	return strchr("\\()[]{}*+?^$|", c) && c;
}

static char folded(const struct completion *c, char letter)
{
	return c->ignores_case && letter >= 'A' && letter <= 'Z' ? (char)(letter + 32) : letter;
}

static bool begins_as_typed(const struct completion *c, const char *name, size_t len)
{
	if (len < c->typed.len)
		return false;
	for (size_t i = 0; i < c->typed.len; i++)
		if (folded(c, name[i]) != folded(c, c->typed.data[i]))
			return false;
	return true;
}

static bool is_full(const struct completion *c)
{
	return c->found.n > MOST_COUNTED;
}

/* No further name changes what is inserted or listed. */
static bool is_settled(const struct completion *c)
{
	return is_full(c) && c->common.len <= c->typed.len;
}

/* Does a further name leave everything as it is? */
static bool is_known(const struct completion *c, const char *name, size_t len)
{
	size_t n = c->common.len;
	return is_full(c) && n > 0 && len >= n && memcmp(name, c->common.data, n) == 0;
}

static void add(struct completion *c, const char *name, size_t len)
{
	size_t before = c->found.n, n = 0;
	if (!len || is_known(c, name, len) || !begins_as_typed(c, name, len) || memchr(name, '\n', len))
		return;
	if (!is_full(c))
		symtab_intern(&c->found, name, len);
	if (!is_full(c) && c->found.n == before)
		return;
	if (before == 1)
		buf_add(&c->common, name, len);
	while (n < len && n < c->common.len && name[n] == c->common.data[n])
		n++;
	while (n > 0 && n < len && ((unsigned char)name[n] & 0xC0) == 0x80) /* not within a character */
		n--;
	c->common.len = n;
}

static void add_function(struct completion *c, uint32_t sym, size_t *n_mangled)
{
	const struct symbol *s = &c->app->profile->symtab.symbols[sym];
	bool is_mangled = c->app->view.display.demangle && s->len > 2 && s->name[0] == '_' &&
	                  (s->name[1] == 'Z' || s->name[1] == 'R');
	if (!is_mangled) {
		add(c, s->name, symbol_bare_length(s->name, s->len));
	} else if (++*n_mangled < MOST_MANGLED) {
		const struct display_name *d = display_name(&c->app->view.display, sym);
		add(c, d->text, d->len);
	}
}

static void add_functions(struct completion *c)
{
	const struct totals *t = &c->app->totals;
	size_t n_mangled = 0;
	for (size_t i = 0; i < t->n_sums && !is_settled(c); i++)
		add_function(c, t->sums[i].sym, &n_mangled);
	for (enum group_by by = BY_MODULE; by < N_GROUPS && c->typed.len; by++) {
		char prefix[16];
		add(c, prefix, (size_t)snprintf(prefix, sizeof prefix, "%s:", group_name(by)));
	}
}

/* Functions of one module follow each other mostly. */
static void add_labels(struct completion *c)
{
	const struct symtab *t = &c->app->profile->symtab;
	struct buf label;
	uint32_t last = 0;
	buf_init(&label);
	for (uint32_t i = 1; i < t->n && !is_settled(c); i++) {
		uint32_t key = group_key(t, i, c->by, OF_ORIGIN);
		size_t n;
		if (key && key == last && c->by != BY_PACKAGE)
			continue;
		last = key;
		label.len = 0;
		if (!group_add_label(t, i, c->by, OF_ORIGIN, &label) || label.data[0] == '[')
			continue;
		const char *base = origin_base(label.data, label.len, &n);
		if (begins_as_typed(c, label.data, label.len))
			add(c, label.data, label.len);
		else
			add(c, base, n);
	}
	buf_deinit(&label);
}

/* Takes the text before the cursor apart. */
static void read_typed(struct completion *c, const char *text)
{
	const char *rest = text;
	c->by = match_subject_of(text, MATCH_REGEX, &rest);
	c->ignores_case = true;
	for (; *rest; rest++) {
		if (*rest == '\\' && rest[1])
			rest++;
		c->ignores_case = c->ignores_case && !(*rest >= 'A' && *rest <= 'Z');
		buf_addc(&c->typed, *rest);
	}
}

static void insert(const struct completion *c)
{
	struct buf text;
	buf_init(&text);
	if (c->by != BY_FUNCTION)
		buf_addf(&text, "%s:", group_name(c->by));
	for (size_t i = 0; i < c->common.len; i++) {
		if (is_special(c->common.data[i]))
			buf_addc(&text, '\\');
		buf_addc(&text, c->common.data[i]);
	}
	prompt_replace(&c->app->prompt, c->app, buf_str(&text));
	buf_deinit(&text);
}

static void list(const struct completion *c)
{
	struct buf names;
	size_t n = c->found.n - 1, shown = n < MOST_LISTED ? n : MOST_LISTED;
	buf_init(&names);
	for (size_t i = 1; i <= shown; i++) {
		buf_adds(&names, i > 1 ? "  " : "");
		app_add_clean(c->app, &names, c->found.symbols[i].name);
	}
	if (n > shown)
		buf_addf(&names, "  and %s%zu more", is_full(c) ? "at least " : "", n - shown);
	app_say(c->app, "%s", buf_str(&names));
	buf_deinit(&names);
}

unsigned complete(struct app *app)
{
	enum prompt_id id = app->prompt.kind->id;
	struct completion c = {.app = app};
	if (id != PROMPT_SEARCH && id != PROMPT_TABLE && id != PROMPT_KEEP && id != PROMPT_HIDE)
		return 0;
	buf_init(&c.typed);
	buf_init(&c.common);
	symtab_init(&c.found);
	read_typed(&c, buf_str(&app->prompt.text));
	if (c.by == BY_FUNCTION)
		add_functions(&c);
	else
		add_labels(&c);
	if (c.found.n == 1)
		app_say(app, "no %s begins like this", group_name(c.by));
	else if (c.common.len > c.typed.len)
		insert(&c);
	else if (c.found.n > 2)
		list(&c);
	symtab_deinit(&c.found);
	buf_deinit(&c.typed);
	buf_deinit(&c.common);
	return DIRTY_SCREEN;
}
