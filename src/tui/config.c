/*
 * config.c - a few lines of habits.
 *
 *	# ~/.config/flametop/config
 *	colors = safe
 *	background = light
 *	inverted = yes
 *	sort = weight
 *	minwidth = 0.1
 *	ascii = no
 *	mouse = yes
 *	bind <C-n> next
 *
 * The names are those of the command line's options, and the command line wins. A line that is not understood stops the
 * program: a habit that silently does not work is worse than none.
 */
#include "tui/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "base/mem.h"
#include "base/number.h"

#define CHUNK 4096u

static char *config_path(void)
{
	const char *dir = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	struct buf path;
	buf_init(&path);
	if (dir && *dir == '/')
		buf_addf(&path, "%s/flametop/config", dir);
	else if (home && *home)
		buf_addf(&path, "%s/.config/flametop/config", home);
	else
		return NULL;
	return buf_take(&path);
}

static bool is_given(const struct options *o, const char *name)
{
	for (size_t i = 0; i < o->n_given; i++)
		if (o->given[i].row->name && strcmp(o->given[i].row->name, name) == 0)
			return true;
	return false;
}

static bool set_bool(const char *value, bool *v)
{
	bool yes = strcmp(value, "yes") == 0 || strcmp(value, "true") == 0 || strcmp(value, "on") == 0;
	bool no = strcmp(value, "no") == 0 || strcmp(value, "false") == 0 || strcmp(value, "off") == 0;
	if (yes || no)
		*v = yes;
	return yes || no;
}

static bool set_palette(struct options *o, const char *value)
{
	int p = palette_by_name(value);
	if (p < 0)
		return false;
	o->export_.palette = (enum palette)p;
	o->export_.has_palette = true;
	return true;
}

static bool set_sort(struct options *o, const char *value)
{
	static const char *const names[] = {"name", "weight", "input"};
	for (unsigned i = 0; i < 3; i++) {
		if (strcmp(value, names[i]) != 0)
			continue;
		o->recipe.sort = (enum sort_order)i;
		return true;
	}
	return false;
}

static bool set_background(struct config *c, const char *value)
{
	static const char *const names[] = {"auto", "dark", "light"};
	for (unsigned i = 0; i < 3; i++) {
		if (strcmp(value, names[i]) != 0)
			continue;
		c->background = (enum config_background)i;
		return true;
	}
	return false;
}

static bool set_color(struct options *o, const char *value)
{
	static const char *const names[] = {"auto", "never", "16", "256", "truecolor"};
	for (unsigned i = 0; i < 5; i++) {
		if (strcmp(value, names[i]) != 0)
			continue;
		o->color = (enum color_when)i;
		return true;
	}
	return false;
}

static bool set_share(struct options *o, const char *value)
{
	double v;
	if (!number_double(value, strlen(value), &v) || v < 0 || v > 100)
		return false;
	o->min_share = v;
	return true;
}

enum setting_kind {
	SETTING_COLORS,
	SETTING_COLOR,
	SETTING_BACKGROUND,
	SETTING_INVERTED,
	SETTING_SORT,
	SETTING_MINWIDTH,
	SETTING_ASCII,
	SETTING_MOUSE
};

static const struct setting {
	const char *name, *option; /* option: what on the command line overrides it */
	const char *expected;
} settings[] = {
	[SETTING_COLORS] = {"colors", "colors", "a palette (--colors=help lists them)"},
	[SETTING_COLOR] = {"color", "color", "auto, never, 16, 256 or truecolor"},
	[SETTING_BACKGROUND] = {"background", "", "auto, dark or light"},
	[SETTING_INVERTED] = {"inverted", "inverted", "yes or no"},
	[SETTING_SORT] = {"sort", "sort", "name, weight or input"},
	[SETTING_MINWIDTH] = {"minwidth", "minwidth", "a percentage from 0 to 100"},
	[SETTING_ASCII] = {"ascii", "ascii", "yes or no"},
	[SETTING_MOUSE] = {"mouse", "no-mouse", "yes or no"},
};
#define N_SETTINGS (sizeof settings / sizeof *settings)

static bool set_value(struct config *c, struct options *o, enum setting_kind kind, const char *value)
{
	bool mouse;
	switch (kind) {
	case SETTING_COLORS:
		return set_palette(o, value);
	case SETTING_COLOR:
		return set_color(o, value);
	case SETTING_BACKGROUND:
		return set_background(c, value);
	case SETTING_INVERTED:
		return set_bool(value, &o->inverted);
	case SETTING_SORT:
		return set_sort(o, value);
	case SETTING_MINWIDTH:
		return set_share(o, value);
	case SETTING_ASCII: {
		/* In a locale without UTF-8 ASCII is no habit but a must. */
		bool ascii;
		if (!set_bool(value, &ascii))
			return false;
		o->ascii |= ascii;
		return true;
	}
	case SETTING_MOUSE:
		if (!set_bool(value, &mouse))
			return false;
		o->no_mouse = !mouse;
		return true;
	}
	return false;
}

static char *trim(char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	size_t n = strlen(s);
	while (n > 0 && strchr(" \t\r\n", s[n - 1]))
		s[--n] = '\0';
	return s;
}

static bool add_bind(struct config *c, char *text, unsigned line, struct err *err)
{
	char *key = trim(text), *end = key + strcspn(key, " \t");
	if (*end == '\0')
		return fail(err, "%s:%u: bind what? (expected 'bind KEY COMMAND')", c->path, line);
	*end = '\0';
	struct config_bind b = {mem_strdup(key), mem_strdup(trim(end + 1)), line};
	mem_push(c->binds, c->n_binds, c->cap_binds, b);
	return true;
}

static bool take_setting(struct config *c, struct options *o, char *name, char *value, unsigned line,
                         struct err *err)
{
	for (size_t i = 0; i < N_SETTINGS; i++) {
		if (strcmp(name, settings[i].name) != 0)
			continue;
		if (is_given(o, settings[i].option))
			return true;
		if (set_value(c, o, (enum setting_kind)i, value))
			return true;
		return fail(err, "%s:%u: bad value '%s' for %s (expected %s)", c->path, line, value, name,
		            settings[i].expected);
	}
	return fail(err, "%s:%u: unknown setting '%s'", c->path, line, name);
}

static bool take_line(struct config *c, struct options *o, char *text, unsigned line, struct err *err)
{
	char *s = trim(text);
	if (*s == '\0' || *s == '#')
		return true;
	if (strncmp(s, "bind ", 5) == 0 || strncmp(s, "bind\t", 5) == 0)
		return add_bind(c, s + 5, line, err);
	char *equals = strchr(s, '=');
	if (equals == NULL)
		return fail(err, "%s:%u: '%s' is not a setting (expected 'name = value' or 'bind KEY COMMAND')", c->path,
		            line, s);
	*equals = '\0';
	return take_setting(c, o, trim(s), trim(equals + 1), line, err);
}

/* The whole file at the end of text. */
static bool read_all(const char *path, struct buf *text, struct err *err)
{
	struct input *in = input_open_whole(path, err);
	ssize_t got = -1;
	while (in && (got = input_read(in, buf_reserve(text, CHUNK), CHUNK, err)) > 0)
		text->len += (size_t)got;
	input_close(in);
	return got == 0;
}

static bool take_lines(struct config *c, struct options *o, const struct buf *text, struct err *err)
{
	bool ok = true;
	unsigned n = 0;
	for (size_t at = 0, len; ok && at < text->len; at += len + 1) {
		const char *newline = memchr(text->data + at, '\n', text->len - at);
		len = newline ? (size_t)(newline - text->data) - at : text->len - at;
		n++;
		if (len && memchr(text->data + at, '\0', len))
			return fail(err, "%s:%u: a NUL byte", c->path, n);
		char *line = mem_strndup(text->data + at, len);
		ok = take_line(c, o, line, n, err);
		free(line);
	}
	return ok;
}

bool config_load(struct config *c, struct options *o, struct err *err)
{
	struct buf text;
	*c = (struct config){0};
	if (o->no_config)
		return true;
	c->path = config_path();
	if (c->path == NULL || (access(c->path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)))
		return true;
	buf_init(&text);
	c->is_unreadable = !read_all(c->path, &text, err);
	bool ok = !c->is_unreadable && take_lines(c, o, &text, err);
	buf_deinit(&text);
	return ok;
}

void config_deinit(struct config *c)
{
	for (size_t i = 0; i < c->n_binds; i++) {
		free(c->binds[i].key);
		free(c->binds[i].command);
	}
	free(c->binds);
	free(c->path);
	*c = (struct config){0};
}

bool config_bind_keys(const struct config *c, struct keymap *keymap, struct err *err)
{
	for (size_t i = 0; i < c->n_binds; i++) {
		struct err why = {0};
		if (!keymap_bind(keymap, c->binds[i].key, c->binds[i].command, &why))
			return fail(err, "%s:%u: %s", c->path, c->binds[i].line, why.text);
	}
	return true;
}
