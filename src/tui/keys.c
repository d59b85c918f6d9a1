/*
 * keys.c - decodes the bytes that a terminal sends.
 *
 * Terminals agree on little but the shape of sequences, so this decoder goes by shape, not by a terminal's
 * description:
 *
 *	a  é          characters, in UTF-8
 *	ESC [ A       CSI: parameters 0-9 ; < ? then a final byte; \e[1;5A is Ctrl-Up, \e[5~ is Page Up
 *	ESC O A       SS3: the same keys in application mode
 *	ESC [ [ A     F1 to F5 of the Linux console
 *	ESC [ < 0 ; 12 ; 7 M    mouse: button, column, row; M pressed, m released
 *	ESC [ 200 ~ ... ESC [ 201 ~    pasted text
 *	ESC ] 11 ; rgb:ffff/ffff/ffff BEL    an answer: the background; other answers are skipped
 *
 * The description (terminfo) names one form of each key where terminals send two; knowing both costs a few lines
 * and saves users from dead arrow keys. Only the silence after a lone ESC identifies it, hence key_flush().
 */
#include "tui/keys.h"

#include <string.h>
#include <strings.h>

#include "base/hex.h"
#include "base/utf8.h"

static bool key_event(struct event *e, uint32_t key, bool is_pasted)
{
	*e = (struct event){.kind = EVENT_KEY, .key = key, .is_pasted = is_pasted};
	return true;
}

static uint32_t letter_key(unsigned char c)
{
	switch (c) {
	case 'A':
		return K_UP;
	case 'B':
		return K_DOWN;
	case 'C':
		return K_RIGHT;
	case 'D':
		return K_LEFT;
	case 'H':
		return K_HOME;
	case 'F':
		return K_END;
	case 'Z':
		return K_BACKTAB;
	case 'M':
		return K_ENTER; /* on the keypad, after ESC O */
	case 'P':
	case 'Q':
	case 'R':
	case 'S':
		return K_F1 + (uint32_t)(c - 'P');
	default:
		return K_NONE;
	}
}

static uint32_t tilde_key(unsigned number)
{
	static const uint32_t low[] = {K_NONE,    K_HOME,      K_INSERT, K_DELETE, K_END,
	                               K_PAGE_UP, K_PAGE_DOWN, K_HOME,   K_END};
	if (number < sizeof low / sizeof *low)
		return low[number];
	/* The numbers of the function keys skip 16 and 22. */
	if (number >= 11 && number <= 15)
		return K_F1 + number - 11;
	if (number >= 17 && number <= 21)
		return K_F1 + 5 + number - 17;
	if (number >= 23 && number <= 24)
		return K_F1 + 10 + number - 23;
	return K_NONE;
}

/* Reads up to three numbers separated by ';'; returns how many there are. */
static unsigned parameters(const unsigned char *p, size_t n, unsigned v[3])
{
	unsigned count = 0;
	v[0] = v[1] = v[2] = 0;
	for (size_t i = 0; i < n && count < 3; i++) {
		if (p[i] >= '0' && p[i] <= '9' && v[count] < 100000)
			v[count] = v[count] * 10 + (unsigned)(p[i] - '0');
		else if (p[i] == ';')
			count++;
	}
	return count < 3 ? count + 1 : 3;
}

static bool mouse_event(struct event *e, const unsigned v[3], unsigned char final)
{
	static const enum mouse_button wheel[] = {MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN, MOUSE_WHEEL_LEFT,
	                                          MOUSE_WHEEL_RIGHT};
	static const enum mouse_button plain[] = {MOUSE_LEFT, MOUSE_MIDDLE, MOUSE_RIGHT, MOUSE_NONE};
	if (v[1] == 0 || v[2] == 0 || v[0] >= 128)
		return false;
	*e = (struct event){.kind = EVENT_MOUSE, .col = (int)v[1] - 1, .row = (int)v[2] - 1};
	e->button = v[0] & 64 ? wheel[v[0] & 3] : plain[v[0] & 3];
	e->action = final == 'm' ? MOUSE_RELEASE : v[0] & 32 ? MOUSE_DRAG : MOUSE_PRESS;
	return true;
}

/* Handles ESC [ ... final, complete in d->pending. */
static bool control_sequence(struct key_decoder *d, struct event *e)
{
	unsigned char final = d->pending[d->n - 1];
	const unsigned char *p = d->pending + 2;
	size_t n = d->n - 3;
	unsigned v[3];
	d->n = 0;
	if (n > 0 && p[0] == '<' && (final == 'M' || final == 'm')) {
		parameters(p + 1, n - 1, v);
		return mouse_event(e, v, final);
	}
	parameters(p, n, v);
	if (final == '~' && (v[0] == 200 || v[0] == 201)) {
		d->is_pasting = v[0] == 200;
		return false;
	}
	uint32_t key = final == '~' ? tilde_key(v[0]) : final == 'M' ? (uint32_t)K_NONE : letter_key(final);
	if (key == K_NONE)
		return false;
	return key_event(e, key, d->is_pasting);
}

static bool is_final(unsigned char c)
{
	return c >= 0x40 && c <= 0x7E;
}

/* Takes another byte of a sequence that began with ESC. */
static bool escape_byte(struct key_decoder *d, struct event *e)
{
	size_t n = d->n;
	unsigned char c = d->pending[n - 1];
	if (n == 2) {
		if (c == '[' || c == 'O')
			return false;
		if (c == K_ESC) { /* two ESC: the first is a key, the second may begin a sequence */
			d->n = 1;
			return key_event(e, K_ESC, d->is_pasting);
		}
		d->n = 0;
		if (c == K_CTRL('c'))
			return key_event(e, c, d->is_pasting);
		d->is_string = c == ']' || c == 'P'; /* nothing that answers with other strings is asked */
		d->opener = (char)c;
		d->n_answer = 0;
		/* Alt and a key: no command uses one, and treating it as ESC plus a key would surprise */
		return false;
	}
	if (d->pending[1] == 'O') {
		d->n = 0;
		uint32_t key = letter_key(c);
		return key != K_NONE && key_event(e, key, d->is_pasting);
	}
	if (n == 3 && c == '[')
		return false;
	if (n == 4 && d->pending[2] == '[') {
		d->n = 0;
		return c >= 'A' && c <= 'E' && key_event(e, K_F1 + (uint32_t)(c - 'A'), d->is_pasting);
	}
	return is_final(c) && control_sequence(d, e);
}

static size_t utf8_length(unsigned char c)
{
	return c < 0xC2 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 1;
}

static bool character(struct key_decoder *d, struct event *e)
{
	uint32_t cp;
	if (d->n < utf8_length(d->pending[0]) && (d->n == 1 || (d->pending[d->n - 1] & 0xC0) == 0x80))
		return false;
	utf8_decode((const char *)d->pending, d->n, &cp);
	d->n = 0;
	if (cp == UTF8_BAD)
		return false;
	if (cp == 8)
		cp = K_BACKSPACE;
	if (cp == '\n' && !d->is_pasting)
		cp = K_ENTER;
	return key_event(e, cp, d->is_pasting);
}

/* A colour component of one to four hexadecimal digits as a share of its maximum; -1: there are none. */
static double color_part(const char **p)
{
	unsigned v = 0, n = 0;
	for (int d; n < 4 && (d = hex_digit(**p)) >= 0; (*p)++, n++)
		v = v << 4 | (unsigned)d;
	return n ? (double)v / ((1u << 4 * n) - 1) : -1;
}

/* "11;rgb:ffff/ffff/ffff" */
static bool background(const char *answer, struct event *e)
{
	static const char begin[] = "11;rgb:";
	const char *p = answer + sizeof begin - 1;
	if (strncmp(answer, begin, sizeof begin - 1) != 0)
		return false;
	double red = color_part(&p), green = *p == '/' ? (p++, color_part(&p)) : -1;
	double blue = *p == '/' ? (p++, color_part(&p)) : -1;
	if (red < 0 || green < 0 || blue < 0)
		return false;
	*e = (struct event){.kind = EVENT_BACKGROUND, .is_light = 0.299 * red + 0.587 * green + 0.114 * blue > 0.5};
	return true;
}

/*
 * Is the byte part of the terminal's answer? Alt and ] or P may have been typed instead: so an answer is short, has
 * no control characters, and OSC begins with a number, DCS with that or a sign.
 */
static bool goes_on(struct key_decoder *d, unsigned char c)
{
	bool is_end = c == 7 || c == K_ESC || d->is_ending;
	if (d->is_ending && c != '\\') { /* ESC began something else */
		d->pending[0] = K_ESC;
		d->n = 1;
		d->is_string = d->is_ending = false;
	} else if (!is_end) {
		bool is_digit = c >= '0' && c <= '9';
		bool fits = d->n_answer ? c >= 0x20 : is_digit || (d->opener == 'P' && memchr("!$+=>", c, 5));
		d->is_string = fits && d->n_answer < sizeof d->answer - 1;
	}
	return d->is_string;
}

/* Takes a byte of the answer, which ends in BEL or ESC \. */
static bool string_byte(struct key_decoder *d, unsigned char c, struct event *e)
{
	bool is_end = c == 7 || d->is_ending;
	d->is_string = !is_end;
	d->is_ending = c == K_ESC;
	if (!is_end && c != K_ESC)
		d->answer[d->n_answer++] = (char)c;
	if (!is_end || d->opener != ']')
		return false;
	d->answer[d->n_answer] = '\0';
	return background(d->answer, e);
}

/* Does the byte belong to no sequence or character that what is pending can begin? */
static bool is_cut_short(const struct key_decoder *d, unsigned char c)
{
	if (!d->n || d->pending[0] == K_ESC)
		return d->n > 1 && (c < 0x20 || c > 0x7E);
	return (c & 0xC0) != 0x80;
}

bool key_decode(struct key_decoder *d, const unsigned char **p, const unsigned char *end, struct event *e)
{
	while (*p < end) {
		unsigned char c = *(*p)++;
		if (d->is_string && goes_on(d, c)) {
			if (string_byte(d, c, e))
				return true;
			continue;
		}
		if (d->n == sizeof d->pending || is_cut_short(d, c)) /* no terminal sends this: drop the sequence */
			d->n = 0;
		d->pending[d->n++] = c;
		if (d->pending[0] == K_ESC) {
			if (d->n > 1 && escape_byte(d, e))
				return true;
		} else if (character(d, e)) {
			return true;
		}
	}
	return false;
}

bool key_flush(struct key_decoder *d, struct event *e)
{
	bool is_escape = d->n == 1 && d->pending[0] == K_ESC;
	d->n = 0;
	d->is_string = d->is_ending = false; /* Alt and a bracket were typed */
	return is_escape && key_event(e, K_ESC, d->is_pasting);
}

struct key_name {
	const char *name;
	uint32_t key;
};

/* A key is shown by the first of its names. */
static const struct key_name key_names[] = {
	{"Enter", K_ENTER},
	{"CR", K_ENTER},
	{"Esc", K_ESC},
	{"Tab", K_TAB},
	{"BackTab", K_BACKTAB},
	{"S-Tab", K_BACKTAB},
	{"BS", K_BACKSPACE},
	{"Backspace", K_BACKSPACE},
	{"Space", ' '},
	{"lt", '<'},
	{"gt", '>'},
	{"Up", K_UP},
	{"Down", K_DOWN},
	{"Left", K_LEFT},
	{"Right", K_RIGHT},
	{"Home", K_HOME},
	{"End", K_END},
	{"PgUp", K_PAGE_UP},
	{"PgDn", K_PAGE_DOWN},
	{"PageUp", K_PAGE_UP},
	{"PageDown", K_PAGE_DOWN},
	{"Ins", K_INSERT},
	{"Del", K_DELETE},
	{"Delete", K_DELETE},
};
#define N_KEY_NAMES (sizeof key_names / sizeof *key_names)

static bool same_name(const char *a, const char *name, size_t len)
{
	return strlen(name) == len && strncasecmp(a, name, len) == 0;
}

static uint32_t key_by_name(const char *s, size_t len)
{
	for (size_t i = 0; i < N_KEY_NAMES; i++)
		if (same_name(s, key_names[i].name, len))
			return key_names[i].key;
	if (len == 3 && (s[0] == 'C' || s[0] == 'c') && s[1] == '-' && s[2] >= '?' && s[2] <= '~')
		return K_CTRL(s[2]);
	if (len >= 2 && len <= 3 && (s[0] == 'F' || s[0] == 'f') && s[1] >= '1' && s[1] <= '9') {
		unsigned n = (unsigned)(s[1] - '0');
		if (len == 3)
			n = s[2] >= '0' && s[2] <= '9' ? n * 10 + (unsigned)(s[2] - '0') : 99;
		return n <= 12 ? K_F1 + n - 1 : (uint32_t)K_NONE;
	}
	return K_NONE;
}

bool key_parse(const char **p, uint32_t *key, struct err *err)
{
	const char *s = *p;
	if (*s == '\0')
		return false;
	const char *close = *s == '<' && s[1] != '\0' ? strchr(s + 1, '>') : NULL;
	if (close) {
		*key = key_by_name(s + 1, (size_t)(close - s - 1));
		if (*key == K_NONE)
			return fail(err,
			            "unknown key '%.*s' (expected a name such as <Enter>, <Esc>, <Tab>, <C-d>, <F1>, <lt>)",
			            (int)(close - s + 1), s);
		*p = close + 1;
		return true;
	}
	*p += utf8_decode(s, strlen(s), key);
	if (*key == UTF8_BAD)
		return fail(err, "keys are not valid UTF-8");
	if (*key == '\n')
		*key = K_ENTER;
	return true;
}

void key_add_name(struct buf *out, uint32_t key)
{
	for (size_t i = 0; i < N_KEY_NAMES; i++) {
		if (key_names[i].key == key && key != '>') {
			buf_addf(out, "<%s>", key_names[i].name);
			return;
		}
	}
	if (key >= K_F1 && key <= K_F12)
		buf_addf(out, "<F%u>", key - K_F1 + 1);
	else if (key < 32)
		buf_addf(out, "<C-%c>", (int)(key < 27 ? key + 'a' - 1 : key + '@'));
	else
		utf8_add(out, key);
}

void key_add_label(struct buf *out, uint32_t key)
{
	size_t from = out->len;
	if (key == K_BACKSPACE) {
		buf_adds(out, "Bksp");
	} else if (key == '<') {
		buf_addc(out, '<');
	} else if (key < 27 && key != K_TAB && key != K_ENTER) {
		buf_addf(out, "^%c", (int)key + '@');
	} else {
		key_add_name(out, key);
		/* <PgUp> without its brackets. */
		if (out->len - from > 2 && out->data[from] == '<') {
			memmove(out->data + from, out->data + from + 1, out->len - from - 2);
			out->len -= 2;
		}
	}
}
