/*
 * terminal.h - is a terminal restored? Tracks modes set by escape sequences, and the modes that `stty -g` shows.
 */
#ifndef TORTURE_TERMINAL_H
#define TORTURE_TERMINAL_H

#include <pty.h>
#include <termios.h>
#include <unistd.h>

#include "tap.h"

#define SEQUENCE_MAX 64

/* Is there a pseudo terminal? A container may lack /dev/pts. */
TAP_FN bool has_terminals(void)
{
	int master, slave;
	if (openpty(&master, &slave, NULL, NULL, NULL) != 0)
		return false;
	close(master);
	close(slave);
	return true;
}

/* Modes switched on by the output so far; starts as zeros. */
struct screen_modes {
	bool is_alternate, has_mouse, has_sgr, has_paste, is_cursor_hidden;
	char sequence[SEQUENCE_MAX]; /* unfinished sequence */
	size_t n;
};

TAP_FN void switch_mode(struct screen_modes *m, int mode, bool on)
{
	switch (mode) {
	case 47:
	case 1047:
	case 1049:
		m->is_alternate = on;
		break;
	case 1000:
	case 1002:
	case 1003:
		m->has_mouse = on;
		break;
	case 1006:
		m->has_sgr = on;
		break;
	case 2004:
		m->has_paste = on;
		break;
	case 25:
		m->is_cursor_hidden = !on;
		break;
	default:
		break;
	}
}

/* ESC [ ? 1 ; 2 h */
TAP_FN void take_sequence(struct screen_modes *m)
{
	char last = m->sequence[m->n - 1];
	if (m->n < 4 || memcmp(m->sequence, "\x1b[?", 3) != 0 || (last != 'h' && last != 'l'))
		return;
	for (char *s = m->sequence + 3; s < m->sequence + m->n; s++) {
		switch_mode(m, (int)strtol(s, &s, 10), last == 'h');
		if (*s != ';')
			break;
	}
}

TAP_FN void screen_watch(struct screen_modes *m, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char c = bytes[i];
		if (c == '\x1b')
			m->n = 0;
		else if (m->n == 0)
			continue;
		if (m->n < SEQUENCE_MAX - 1)
			m->sequence[m->n++] = c;
		if (m->n > 2 && c >= '@' && c <= '~') {
			m->sequence[m->n] = '\0';
			take_sequence(m);
			m->n = 0;
		}
	}
}

TAP_FN bool screen_has_modes(const struct screen_modes *m)
{
	return m->is_alternate || m->has_mouse || m->has_sgr || m->has_paste || m->is_cursor_hidden;
}

TAP_FN bool termios_are_same(const struct termios *a, const struct termios *b)
{
	return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_cflag == b->c_cflag &&
	       a->c_lflag == b->c_lflag && memcmp(a->c_cc, b->c_cc, sizeof a->c_cc) == 0;
}

#endif
