/*
 * config.c - reads the configuration file.
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
 * Each line is the option of that name: the table of options marks those allowed here, and the option parser reads
 * their values. The command line is read afterwards, so it wins over a line even under another name of the option.
 * A bad line ends the program: a setting that silently does not work is worse than none.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "base/mem.h"
#include "tui/command.h"
#include "tui/keymap.h"
#include "tui/keys.h"

/* The parser's position and results. */
struct config {
	char *path; /* owned; NULL: no file */
	unsigned line;
	bool warns; /* if it may not be read */
	struct options *options;
	struct keymap keymap; /* only checks whether keys can be bound */
};

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

static char *trim(char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	size_t n = strlen(s);
	while (n > 0 && strchr(" \t\r\n", s[n - 1]))
		s[--n] = '\0';
	return s;
}

/* In a terminal these never arrive as keys. */
static bool check_key(const char *text, const char *command, struct err *err)
{
	static const struct {
		uint32_t key;
		const char *command;
	} signals[] = {{K_CTRL('c'), "interrupt"}, {K_CTRL('z'), "suspend"}, {K_CTRL('\\'), ""}};
	const char *p = text;
	uint32_t key;
	if (!key_parse(&p, &key, NULL) || *p)
		return true; /* keymap_bind() says what is wrong */
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		if (signals[i].key == key && strcmp(command, signals[i].command) != 0)
			return fail(err, "'%s' is a signal in a terminal and cannot be bound", text);
	return true;
}

static bool add_bind(struct config *c, char *text, struct err *err)
{
	struct options *o = c->options;
	struct err why = {0};
	char *key = trim(text), *end = key + strcspn(key, " \t");
	if (*end == '\0')
		return fail(err, "%s:%u: bind what? (expected 'bind KEY COMMAND')", c->path, c->line);
	*end = '\0';
	const char *command = trim(end + 1);
	if (!check_key(key, command, &why) || !keymap_bind(&c->keymap, key, command, &why))
		return fail(err, "%s:%u: %s", c->path, c->line, why.text);
	struct key_binding b = {arena_bytes(&o->arena, key, strlen(key)),
	                        arena_bytes(&o->arena, command, strlen(command))};
	mem_push(o->bindings, o->n_bindings, o->cap_bindings, b);
	return true;
}

/* Finds the option of a setting; --no-mouse is the setting `mouse`. NULL: unknown. */
static const struct option_row *find_setting(const char *name)
{
	for (const struct option_row *row = option_table; row->name || row->letter; row++)
		if (row->modes & OPTION_IN_CONFIG && strcmp(option_setting(row), name) == 0)
			return row;
	return NULL;
}

static bool take_setting(struct config *c, const char *name, const char *value, struct err *err)
{
	const struct option_row *row = find_setting(name);
	struct err why = {0};
	if (!row)
		return fail(err, "%s:%u: unknown setting '%s'", c->path, c->line, name);
	return option_set(c->options, row, arena_bytes(&c->options->arena, value, strlen(value)), &why) ||
	       fail(err, "%s:%u: %s: %s", c->path, c->line, name, why.text);
}

static bool take_line(struct config *c, char *text, struct err *err)
{
	char *s = trim(text);
	if (*s == '\0' || *s == '#')
		return true;
	if (strncmp(s, "bind ", 5) == 0 || strncmp(s, "bind\t", 5) == 0)
		return add_bind(c, s + 5, err);
	char *equals = strchr(s, '=');
	if (!equals)
		return fail(err, "%s:%u: '%s' is not a setting (expected 'name = value' or 'bind KEY COMMAND')", c->path,
		            c->line, s);
	*equals = '\0';
	return take_setting(c, trim(s), trim(equals + 1), err);
}

static bool take_lines(struct config *c, const struct buf *text, struct err *err)
{
	bool ok = true;
	for (size_t at = 0, len; ok && at < text->len; at += len + 1) {
		const char *newline = memchr(text->data + at, '\n', text->len - at);
		len = newline ? (size_t)(newline - text->data) - at : text->len - at;
		c->line++;
		if (len && memchr(text->data + at, '\0', len))
			return fail(err, "%s:%u: a NUL byte", c->path, c->line);
		char *line = mem_strndup(text->data + at, len);
		ok = take_line(c, line, err);
		free(line);
	}
	return ok;
}

/* sudo and the like may leave a HOME that is another user's: the settings are not ours then. */
static bool may_be_read(const struct config *c)
{
	struct err why;
	if (!c->path)
		return false;
	if (access(c->path, R_OK) == 0 || (errno != ENOENT && errno != ENOTDIR && errno != EACCES))
		return true;
	if (errno == EACCES && c->warns && !fail_errno(&why, "%s: settings are not read: cannot open", c->path))
		err_print(why.text);
	return false;
}

/* Reads the file into freshly initialized options. */
static enum options_result read_file(struct config *c, struct err *err)
{
	struct buf text;
	if (!may_be_read(c))
		return OPTIONS_GO;
	buf_init(&text);
	keymap_init(&c->keymap, commands);
	enum options_result result = !input_read_file(c->path, SIZE_MAX, &text, err) ? OPTIONS_FAILED
	                             : !take_lines(c, &text, err)                    ? OPTIONS_USAGE
	                                                                             : OPTIONS_GO;
	keymap_deinit(&c->keymap);
	buf_deinit(&text);
	return result;
}

/* Parses the command line twice: first for --no-config, then over the configuration. */
enum options_result config_parse(struct options *o, int argc, char **argv, struct err *err)
{
	enum options_result result = options_parse(o, argc, argv, err);
	bool has_habits = !o->no_config && !o->is_bundle && !o->record.is_sample && !o->completions && !o->is_manual;
	if (result != OPTIONS_GO || !has_habits)
		return result;
	struct options habits;
	struct config c = {.path = config_path(), .warns = !o->quiet && !options_ask_for_file(o), .options = &habits};
	options_init(&habits);
	result = read_file(&c, err);
	free(c.path);
	if (result != OPTIONS_GO || options_ask_for_file(o)) {
		options_deinit(&habits);
		return result;
	}
	options_deinit(o);
	*o = habits;
	return options_read(o, argc, argv, err);
}
