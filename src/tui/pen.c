/*
 * pen.c - filters curses' output, so that colours and attributes are sent only where they change.
 *
 *	ESC[38;5;16m ESC[48;5;231m lex ESC[39;49m ESC(B ESC[m  main      from curses
 *	ESC[38;5;16;48;5;231m      lex ESC[m                   main      to the terminal
 *
 * Curses selects foreground and background again whenever one of them changes, and switches everything off twice.
 * This is a tenth of the bytes for a step of the cursor on a slow line, and a fifth of a whole picture. So its
 * selections are only remembered, and sent when text is written: the difference, or everything from the beginning,
 * whichever is shorter. A blank shows no foreground: between two letters of one colour, the colour stays. The
 * sequences are those of the terminal's description, and only those with the same meaning everywhere are changed:
 * SGR, the selection of ASCII that accompanies switching attributes off, and moves of the cursor. After anything
 * unknown in an SGR, nothing is left out until everything is off.
 *
 * Curses goes to a distant place by row and column, also in the same row, where the column is enough.
 */
#include "tui/pen.h"

#include <string.h>

void pen_forget(struct pen *p)
{
	*p = (struct pen){.has_column = p->has_column};
}

/* ---- reading ------------------------------------------------------------------------------------------------- */

/* Reads a number; empty text is 0. -1: not a number. */
static int value_of(const char *s, size_t len)
{
	int value = 0;
	for (size_t i = 0; i < len; i++) {
		if (s[i] < '0' || s[i] > '9' || value > 999)
			return -1;
		value = value * 10 + s[i] - '0';
	}
	return value;
}

static size_t parameter_length(const char *s, const char *end)
{
	const char *semicolon = memchr(s, ';', (size_t)(end - s));
	return (size_t)((semicolon ? semicolon : end) - s);
}

/* Length of a colour with several parameters, "38;5;208"; 0: it is none. */
static size_t color_length(const char *s, const char *end)
{
	size_t len = parameter_length(s, end);
	if (s + len == end)
		return 0;
	int kind = value_of(s + len + 1, parameter_length(s + len + 1, end)), more = kind == 5 ? 2 : kind == 2 ? 4 : 0;
	for (int i = 0; i < more; i++) {
		if (s + len == end)
			return 0;
		len += 1 + parameter_length(s + len + 1, end);
	}
	return more ? len : 0;
}

static bool set_color(char *color, const char *s, size_t len)
{
	if (len >= PEN_COLOR)
		return false;
	memcpy(color, s, len);
	color[len] = '\0';
	return true;
}

static bool is_ink(int v)
{
	return (v >= 30 && v <= 37) || (v >= 90 && v <= 97);
}

static bool is_ground(int v)
{
	return (v >= 40 && v <= 47) || (v >= 100 && v <= 107);
}

/* Takes one parameter of SGR; its length, 0: unknown. */
static size_t take_parameter(struct pen_style *style, const char *s, const char *end)
{
	size_t len = parameter_length(s, end);
	int value = value_of(s, len);
	bool is_long = len > 3 && s[2] == ':' && (value_of(s, 2) == 38 || value_of(s, 2) == 48);
	if (value == 38 || value == 48)
		len = color_length(s, end);
	if (value == 38 || is_ink(value) || (is_long && s[0] == '3'))
		return set_color(style->fg, s, len) ? len : 0;
	if (value == 48 || is_ground(value) || is_long)
		return set_color(style->bg, s, len) ? len : 0;
	if (value == 39)
		style->fg[0] = '\0';
	else if (value == 49)
		style->bg[0] = '\0';
	else if (value > 0 && value <= 9)
		style->attrs |= 1u << value;
	else
		return 0;
	return len;
}

/* Takes the text between ESC[ and m. */
static bool take_sgr(struct pen_style *style, const char *s, const char *end)
{
	for (;; s++) {
		size_t len = parameter_length(s, end);
		if (value_of(s, len) == 0)
			*style = (struct pen_style){.attrs = 0};
		else if ((len = take_parameter(style, s, end)) == 0)
			return false;
		s += len;
		if (s == end)
			return true;
	}
}

/* The end of the parameters of an SGR that begins here; NULL: it is none. */
static const char *sgr_end(const char *s, const char *end)
{
	if (end - s < 3 || s[0] != '\x1b' || s[1] != '[')
		return NULL;
	for (s += 2; s < end && ((*s >= '0' && *s <= '9') || *s == ';' || *s == ':'); s++)
		;
	return s < end && *s == 'm' ? s : NULL;
}

/* ---- writing ------------------------------------------------------------------------------------------------- */

static void add_parameter(struct buf *out, const char *text)
{
	if (out->data[out->len - 1] != '[')
		buf_addc(out, ';');
	buf_adds(out, text);
}

static bool is_same(const struct pen_style *a, const struct pen_style *b)
{
	return a->attrs == b->attrs && strcmp(a->fg, b->fg) == 0 && strcmp(a->bg, b->bg) == 0;
}

/* Appends the change from one style to another; from no style if attributes must be switched off. */
static void add_style(struct buf *out, const struct pen_style *from, const struct pen_style *to, bool is_reset)
{
	buf_adds(out, is_reset ? "\x1b[0" : "\x1b[");
	for (unsigned i = 1; i <= 9; i++)
		if (to->attrs & ~from->attrs & 1u << i)
			add_parameter(out, (char[]){(char)('0' + i), '\0'});
	if (strcmp(from->fg, to->fg) != 0)
		add_parameter(out, to->fg[0] ? to->fg : "39");
	if (strcmp(from->bg, to->bg) != 0)
		add_parameter(out, to->bg[0] ? to->bg : "49");
	buf_addc(out, 'm');
}

static void choose(struct pen *p, struct buf *out)
{
	static const struct pen_style nothing;
	size_t first = out->len;
	if (is_same(&p->is, &p->to))
		return;
	if (is_same(&nothing, &p->to))
		buf_adds(out, "\x1b[m");
	else
		add_style(out, &nothing, &p->to, true);
	size_t second = out->len, len = second - first;
	if ((p->is.attrs & ~p->to.attrs) == 0)
		add_style(out, &p->is, &p->to, false);
	if (out->len > second && out->len - second < len) {
		len = out->len - second;
		memmove(out->data + first, out->data + second, len);
	}
	out->len = first + len;
	p->is = p->to;
}

/* ---- both ---------------------------------------------------------------------------------------------------- */

/*
 * Length of the sequence that accompanies switching attributes off on terminals with line drawing: ESC(B or SI. 0:
 * it is another one.
 */
static size_t ascii_length(const char *s, const char *end)
{
	if (*s == '\x0f')
		return 1;
	return end - s >= 3 && memcmp(s, "\x1b(B", 3) == 0 ? 3 : 0;
}

static bool is_set_chosen(const char *s, const char *end)
{
	return *s == '\x0e' || (end - s >= 2 && *s == '\x1b' && strchr("()*+no", s[1]));
}

/* Length of text up to a possible sequence; at least one byte. */
static size_t text_length(const char *s, const char *end)
{
	const char *from = s++;
	while (s < end && *s != '\x1b' && *s != '\x0e' && *s != '\x0f')
		s++;
	return (size_t)(s - from);
}

static size_t blank_length(const char *s, const char *end)
{
	const char *from = s;
	while (s < end && *s == ' ')
		s++;
	return (size_t)(s - from);
}

/* Length of a control sequence, ESC[ up to its last byte; 0: it is none, or not whole. */
static size_t control_length(const char *s, const char *end)
{
	const char *from = s;
	if (end - s < 3 || s[0] != '\x1b' || s[1] != '[')
		return 0;
	for (s += 2; s < end && *s >= ' ' && *s <= '?'; s++)
		;
	return s < end && *s >= '@' && *s <= '~' ? (size_t)(s + 1 - from) : 0;
}

#define UNKNOWN_STYLE 1u /* one of the attributes, until they are switched off */

static void add_sgr(struct pen *p, struct buf *out, const char *s, const char *end)
{
	struct pen_style next = p->is_known ? p->to : (struct pen_style){.attrs = UNKNOWN_STYLE};
	bool is_understood = take_sgr(&next, s + 2, end - 1);
	if (p->is_known && is_understood) {
		p->to = next;
		return;
	}
	if (p->is_known)
		choose(p, out);
	buf_add(out, s, (size_t)(end - s));
	p->is_known = is_understood && !(next.attrs & UNKNOWN_STYLE);
	p->is = p->to = next;
}

/* Bits of attributes that a blank does not show: bold, dim, italic. */
#define OF_LETTERS (1u << 1 | 1u << 2 | 1u << 3)
#define REVERSE (1u << 7)

/* Do blanks, and what is erased, look the same in both? */
static bool is_same_ground(const struct pen_style *a, const struct pen_style *b)
{
	return ((a->attrs ^ b->attrs) & ~OF_LETTERS) == 0 && !(a->attrs & REVERSE) && strcmp(a->bg, b->bg) == 0;
}

/* Follows the row; appends the move without it where it stays the same. */
static void add_move(struct pen *p, struct buf *out, const char *s, size_t len)
{
	size_t digits = strspn(s + 2, "0123456789");
	int row = value_of(s + 2, digits);
	bool is_place = s[len - 1] == 'H' && digits > 0 && s[2 + digits] == ';';
	bool stays = strchr("GXKP@", s[len - 1]);
	bool is_row = is_place || (s[len - 1] == 'd' && digits > 0 && digits + 3 == len);
	if (is_place && p->has_column && row > 0 && row == p->row) {
		buf_adds(out, "\x1b[");
		buf_add(out, s + 3 + digits, len - 4 - digits);
		buf_addc(out, 'G');
		return;
	}
	if (!stays)
		p->row = is_row ? row : 0;
	buf_add(out, s, len);
}

/* Appends blanks, or a sequence that shows no foreground. Returns the length; 0: there are none here. */
static size_t add_ground(struct pen *p, struct buf *out, const char *s, const char *end)
{
	size_t control = control_length(s, end), len = control ? control : blank_length(s, end);
	if (len == 0)
		return 0;
	if (p->is_known && !is_same_ground(&p->is, &p->to))
		choose(p, out);
	if (control)
		add_move(p, out, s, len);
	else
		buf_add(out, s, len);
	return len;
}

/* Appends text and other sequences. Returns the length. */
static size_t add_rest(struct pen *p, struct buf *out, const char *s, const char *end)
{
	size_t ascii = ascii_length(s, end), len = ascii ? ascii : text_length(s, end);
	if (ascii && p->ascii == *s)
		return len;
	if (ascii)
		p->ascii = *s;
	else if (is_set_chosen(s, end))
		p->ascii = '\0';
	if (!ascii && (*s == '\x1b' || memchr(s, '\n', len)))
		p->row = 0;
	if (p->is_known && !ascii)
		choose(p, out);
	buf_add(out, s, len);
	return len;
}

void pen_add(struct pen *p, struct buf *out, const char *bytes, size_t n)
{
	const char *end = bytes + n;
	for (const char *s = bytes; s < end;) {
		const char *sgr = sgr_end(s, end);
		size_t len = sgr ? (size_t)(sgr + 1 - s) : add_ground(p, out, s, end);
		if (sgr)
			add_sgr(p, out, s, sgr + 1);
		s += len ? len : add_rest(p, out, s, end);
	}
	if (p->is_known)
		choose(p, out);
}
