/*
 * keys.h - decodes events from the bytes of a terminal, or from names such as <Enter>.
 *
 * A key is a number: a character's code point (control keys are 1..31), or one of the codes below for keys without
 * a character. The decoder keeps the beginning of an unfinished sequence, so a read may end anywhere.
 */
#ifndef TUI_KEYS_H
#define TUI_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

enum key {
	K_NONE = 0,
	K_TAB = 9,
	K_ENTER = 13,
	K_ESC = 27,
	K_BACKSPACE = 127,
	K_UP = 0x110000, /* beyond Unicode */
	K_DOWN,
	K_LEFT,
	K_RIGHT,
	K_HOME,
	K_END,
	K_PAGE_UP,
	K_PAGE_DOWN,
	K_INSERT,
	K_DELETE,
	K_BACKTAB,
	K_F1,
	K_F12 = K_F1 + 11,
};
#define K_CTRL(c) ((uint32_t)(c)&31u)

enum mouse_button {
	MOUSE_LEFT,
	MOUSE_MIDDLE,
	MOUSE_RIGHT,
	MOUSE_WHEEL_UP,
	MOUSE_WHEEL_DOWN,
	MOUSE_WHEEL_LEFT,
	MOUSE_WHEEL_RIGHT,
	MOUSE_NONE
};
enum mouse_action { MOUSE_PRESS, MOUSE_RELEASE, MOUSE_DRAG };

enum event_kind { EVENT_KEY, EVENT_MOUSE, EVENT_BACKGROUND };

struct event {
	enum event_kind kind;
	uint32_t key;
	bool is_pasted; /* text of a bracketed paste: never a command */
	enum mouse_button button;
	enum mouse_action action;
	int row, col;
	bool is_light; /* EVENT_BACKGROUND: the terminal reports a light background (OSC 11) */
};

struct key_decoder {
	unsigned char pending[64]; /* an unfinished sequence */
	size_t n;
	bool is_pasting;
	bool is_string, is_ending; /* inside an answer of the terminal (OSC, DCS); inside its ESC \ */
	char opener;               /* ']': OSC, 'P': DCS */
	char answer[64];           /* none is longer: then keys are typed */
	size_t n_answer;
};

/*
 * Takes bytes from *p up to end until an event is complete; false: none yet (all bytes are consumed). Skips unknown
 * sequences as a whole.
 */
bool key_decode(struct key_decoder *, const unsigned char **p, const unsigned char *end, struct event *);
/* A sequence is unfinished: after a short silence, key_flush() interprets it as it is. */
static inline bool key_is_pending(const struct key_decoder *d)
{
	return d->n > 0 || d->is_string;
}
bool key_flush(struct key_decoder *, struct event *);
/* ESC alone could be the key; with more bytes, it is certainly a sequence whose rest is on its way. */
static inline bool key_is_escape_alone(const struct key_decoder *d)
{
	return d->n == 1 && d->pending[0] == 0x1b && !d->is_string;
}

/*
 * The next key of a text such as "/foo<Enter>j<C-d>"; advances *p. false: at the end, or at an unknown <Name>
 * (err).
 */
bool key_parse(const char **p, uint32_t *key, struct err *err);
/* Is it a character that can be typed into text? */
static inline bool key_is_text(uint32_t key)
{
	return key >= 32 && key < K_UP && key != K_BACKSPACE;
}
/* Appends the name that key_parse() reads. */
void key_add_name(struct buf *out, uint32_t key);
/* Appends the readable form: ^D, PgUp, Bksp, x. */
void key_add_label(struct buf *out, uint32_t key);

#endif
