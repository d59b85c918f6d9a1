/*
 * svg_attr.c - the file of --nameattr: attributes, links and tooltips for functions.
 *
 *	main<TAB>title=the entry point<TAB>class=mine<TAB>href=https://example.org/main
 *	read<TAB>id="reader"<TAB>g_extra=stroke="green" stroke-width="1"
 *
 * Functions are named exactly, annotation included. `title` replaces the tooltip but not the name, `href` makes the
 * frame a link, and g_extra or a_extra add other attributes, separated by blanks. If an attribute occurs twice, the
 * later value replaces the earlier one, with a warning: XML forbids two attributes of one name.
 *
 * The file may come from elsewhere, together with a profile, so it must not run scripts or load anything. Only
 * attributes and kinds of links listed here pass, and only styles without url().
 */
#include "svg.h"

#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/mem.h"

#define KINDS 16u /* of messages; there are fewer */

/* Position of the parser, for messages. */
struct place {
	const char *path;
	uint64_t line;
	struct report *report;
	const char *said[KINDS]; /* about the line */
	size_t n_said;
};

struct slice {
	const char *s;
	size_t n;
};

void svg_attrs_deinit(struct svg_attrs *attrs)
{
	for (size_t i = 0; i < attrs->n_sets; i++) {
		for (size_t j = 0; j < attrs->sets[i].n; j++)
			free(attrs->sets[i].list[j].value);
		free(attrs->sets[i].list);
		free(attrs->sets[i].title);
	}
	free(attrs->sets);
	symtab_deinit(&attrs->functions);
	symtab_deinit(&attrs->keys);
}

/* Once for each kind in a line: lines are counted. */
static void warn(struct place *at, const char *kind, struct slice what)
{
	for (size_t i = 0; i < at->n_said; i++)
		if (strcmp(at->said[i], kind) == 0)
			return;
	if (at->n_said < KINDS)
		at->said[at->n_said++] = kind;
	report_add(at->report, NOTE_SKIP, kind, at->path, at->line, what.s, what.n);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static struct slice trim(struct slice t)
{
	while (t.n && is_blank(t.s[0])) {
		t.s++;
		t.n--;
	}
	while (t.n && is_blank(t.s[t.n - 1]))
		t.n--;
	return t;
}

static struct slice unquote(struct slice t)
{
	if (t.n >= 2 && t.s[0] == '"' && t.s[t.n - 1] == '"')
		return (struct slice){t.s + 1, t.n - 2};
	return t;
}

static bool is_text(struct slice t, const char *text)
{
	return t.n == strlen(text) && memcmp(t.s, text, t.n) == 0;
}

/* Attributes for the appearance of a frame; their values are CSS. */
static const char *const looks[] = {
	"color",           "cursor",          "display",           "fill",
	"fill-opacity",    "fill-rule",       "font-family",       "font-size",
	"font-stretch",    "font-style",      "font-variant",      "font-weight",
	"letter-spacing",  "opacity",         "paint-order",       "pointer-events",
	"shape-rendering", "stroke",          "stroke-dasharray",  "stroke-dashoffset",
	"stroke-linecap",  "stroke-linejoin", "stroke-miterlimit", "stroke-opacity",
	"stroke-width",    "style",           "text-anchor",       "text-decoration",
	"text-rendering",  "vector-effect",   "visibility",        "word-spacing",
};

/* Attributes for the meaning of a frame and its link; their values are names, numbers and plain text. */
static const char *const facts[] = {
	"class",    "hreflang", "id",   "lang",        "referrerpolicy", "rel",       "role",
	"tabindex", "target",   "type", "xlink:title", "xml:lang",       "xml:space",
};

/* Kinds of links: to the web, to files, and to lines in an editor. */
static const char *const schemes[] = {
	"http",      "https", "ftp",  "file",   "mailto",          "cursor",   "emacs", "idea",
	"jetbrains", "subl",  "txmt", "vscode", "vscode-insiders", "vscodium", "zed",
};

#define LISTED(name, list) is_listed(name, list, sizeof(list) / sizeof *(list))

static bool is_listed(struct slice name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_text(name, list[i]))
			return true;
	return false;
}

/* data-* and aria-* attributes have no effect of their own. */
static bool is_free_name(struct slice key)
{
	if (key.n <= 5 || (memcmp(key.s, "data-", 5) != 0 && memcmp(key.s, "aria-", 5) != 0))
		return false;
	for (size_t i = 5; i < key.n; i++)
		if (!((key.s[i] >= 'a' && key.s[i] <= 'z') || (key.s[i] >= '0' && key.s[i] <= '9') || key.s[i] == '-'))
			return false;
	return true;
}

/* Is a colour function in front of this parenthesis? */
static bool is_color_call(struct slice before)
{
	static const char *const names[] = {"rgb", "rgba", "hsl", "hsla"};
	size_t start = before.n;
	while (start && ((before.s[start - 1] | 32) >= 'a' && (before.s[start - 1] | 32) <= 'z'))
		start--;
	return (!start || strchr(" \t,:;", before.s[start - 1])) &&
	       LISTED(((struct slice){before.s + start, before.n - start}), names);
}

/* Is this CSS that loads nothing? Its only functions make colours, and no escape can spell another. */
static bool is_plain_css(struct slice value)
{
	for (size_t i = 0; i < value.n; i++) {
		char c = value.s[i];
		if (c == '\\' || c == '@' || c == '<' || c == '\0')
			return false;
		if (c == '(' && !is_color_call((struct slice){value.s, i}))
			return false;
	}
	return true;
}

/*
 * Is this a relative link, or one of a listed kind? Browsers ignore blanks and control characters within the
 * scheme, so the comparison does, too.
 */
static bool is_good_link(struct slice link)
{
	char scheme[24];
	size_t n = 0, i = 0;
	for (; i < link.n && !strchr(":/?#", link.s[i]); i++) {
		if ((unsigned char)link.s[i] <= ' ')
			continue;
		if (n == sizeof scheme)
			n--; /* longer than any scheme: stays too long */
		scheme[n++] = link.s[i] >= 'A' && link.s[i] <= 'Z' ? (char)(link.s[i] | 32) : link.s[i];
	}
	return i == link.n || link.s[i] != ':' || LISTED(((struct slice){scheme, n}), schemes);
}

/* NUL would end the value early. */
static bool has_nul(struct slice value, struct place *at)
{
	if (!value.n || !memchr(value.s, '\0', value.n))
		return false;
	warn(at, "a value with a NUL byte (left out)", value);
	return true;
}

static void set_attr(struct svg_attrs *attrs, struct svg_attr_set *set, struct slice key, struct slice value,
                     struct place *at)
{
	uint32_t id;
	if (has_nul(value, at))
		return;
	id = symtab_intern(&attrs->keys, key.s, key.n);
	for (size_t i = 0; i < set->n; i++) {
		if (set->list[i].key != id)
			continue;
		warn(at, "duplicate attribute (the last value counts)", key);
		free(set->list[i].value);
		set->list[i].value = mem_strndup(value.s, value.n);
		return;
	}
	mem_push(set->list, set->n, set->cap, ((struct svg_attr){id, mem_strndup(value.s, value.n)}));
}

static void set_link(struct svg_attrs *attrs, struct svg_attr_set *set, struct slice value, struct place *at)
{
	static const struct slice key = {"xlink:href", 10};
	if (has_nul(value, at))
		return;
	if (!is_good_link(value)) {
		warn(at,
		     "a link that may run a script (left out; expected a relative one, http:, https:, file:, mailto:, "
		     "or an editor's)",
		     value);
		return;
	}
	set_attr(attrs, set, key, value, at);
	set->is_link = true;
}

static void set_title(struct svg_attr_set *set, struct slice value, struct place *at)
{
	if (has_nul(value, at))
		return;
	if (set->title)
		warn(at, "duplicate attribute (the last value counts)", (struct slice){"title", 5});
	free(set->title);
	set->title = mem_strndup(value.s, value.n);
}

static void add_extra(struct svg_attrs *attrs, struct svg_attr_set *set, struct slice key, struct slice value,
                      struct place *at)
{
	if (is_text(key, "xlink:href") || is_text(key, "href"))
		set_link(attrs, set, value, at);
	else if (LISTED(key, facts) || is_free_name(key))
		set_attr(attrs, set, key, value, at);
	else if (!LISTED(key, looks))
		warn(at, "an attribute that may do more than change the looks (left out, see --nameattr in the manual)",
		     key);
	else if (is_plain_css(value))
		set_attr(attrs, set, key, value, at);
	else
		warn(at, "a value that may load something (left out; expected one without url() and backslashes)", value);
}

/* Reads k=v k="v w" k='v w' ... */
static void read_extras(struct svg_attrs *attrs, struct svg_attr_set *set, struct slice text, struct place *at)
{
	const char *p = text.s, *end = text.s + text.n;
	while (p < end) {
		const char *from = p, *equals, *value;
		while (p < end && *p != '=' && !is_blank(*p))
			p++;
		equals = p;
		if (p == end || *p != '=') {
			if (p > from)
				warn(at, "invalid attribute (expected name=value)", (struct slice){from, (size_t)(p - from)});
			p++;
			continue;
		}
		value = ++p;
		if (p < end && (*p == '"' || *p == '\'')) {
			char quote = *p;
			value = ++p;
			while (p < end && *p != quote)
				p++;
			if (p == end) {
				warn(at, "unterminated quote", (struct slice){from, (size_t)(end - from)});
				return;
			}
		} else {
			while (p < end && !is_blank(*p))
				p++;
		}
		add_extra(attrs, set, (struct slice){from, (size_t)(equals - from)},
		          (struct slice){value, (size_t)(p - value)}, at);
		p++;
	}
}

static void read_field(struct svg_attrs *attrs, struct svg_attr_set *set, struct slice field, struct place *at)
{
	const char *equals = memchr(field.s, '=', field.n);
	struct slice key, value;
	if (!equals) {
		if (trim(field).n)
			warn(at, "invalid attribute (expected name=value)", field);
		return;
	}
	key = trim((struct slice){field.s, (size_t)(equals - field.s)});
	value = unquote(trim((struct slice){equals + 1, field.n - (size_t)(equals + 1 - field.s)}));
	if (is_text(key, "title"))
		set_title(set, value, at);
	else if (is_text(key, "href"))
		set_link(attrs, set, value, at);
	else if (is_text(key, "id") || is_text(key, "class") || is_text(key, "target"))
		set_attr(attrs, set, key, value, at);
	else if (is_text(key, "g_extra") || is_text(key, "a_extra"))
		read_extras(attrs, set, value, at);
	else
		warn(at, "invalid attribute (expected title, href, id, class, target, g_extra or a_extra)", key);
}

static struct svg_attr_set *set_of(struct svg_attrs *attrs, struct slice function)
{
	uint32_t id = symtab_intern(&attrs->functions, function.s, function.n);
	while (attrs->n_sets <= id)
		mem_push(attrs->sets, attrs->n_sets, attrs->cap_sets, (struct svg_attr_set){0});
	return &attrs->sets[id];
}

static void read_line(struct svg_attrs *attrs, struct slice line, struct place *at)
{
	struct svg_attr_set *set = NULL;
	at->n_said = 0;
	line = trim(line);
	if (!line.n)
		return;
	for (size_t from = 0, n; from <= line.n; from += n + 1) {
		const char *tab = memchr(line.s + from, '\t', line.n - from);
		struct slice field = {line.s + from, n = tab ? (size_t)(tab - line.s) - from : line.n - from};
		if (!set)
			set = set_of(attrs, field);
		else
			read_field(attrs, set, field, at);
	}
}

/* Links open in the whole window unless the file gives a target. */
static void add_targets(struct svg_attrs *attrs)
{
	uint32_t target = symtab_intern(&attrs->keys, "target", 6);
	for (size_t i = 0; i < attrs->n_sets; i++) {
		struct svg_attr_set *set = &attrs->sets[i];
		bool has_target = !set->is_link;
		for (size_t j = 0; j < set->n; j++)
			has_target |= set->list[j].key == target;
		if (!has_target)
			mem_push(set->list, set->n, set->cap, ((struct svg_attr){target, mem_strdup("_top")}));
	}
}

static void read_lines(struct svg_attrs *attrs, const struct buf *text, struct place *at)
{
	size_t from = text->len >= 3 && memcmp(text->data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
	for (size_t n; from < text->len; from += n + 1, at->line++) {
		const char *newline = memchr(text->data + from, '\n', text->len - from);
		n = newline ? (size_t)(newline - text->data) - from : text->len - from;
		read_line(attrs, (struct slice){text->data + from, n}, at);
	}
	add_targets(attrs);
}

bool svg_attrs_read(struct svg_attrs *attrs, const char *path, struct report *report, struct err *err)
{
	struct place at = {.path = path, .line = 1, .report = report};
	struct buf text;
	*attrs = (struct svg_attrs){0};
	symtab_init(&attrs->functions);
	symtab_init(&attrs->keys);
	buf_init(&text);
	bool is_read = input_read_file(path, SIZE_MAX, &text, err);
	if (is_read)
		read_lines(attrs, &text, &at);
	buf_deinit(&text);
	return is_read;
}
