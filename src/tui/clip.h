/*
 * clip.h - sends text to the terminal's clipboard (OSC 52), also through tmux, screen and SSH.
 */
#ifndef TUI_CLIP_H
#define TUI_CLIP_H

#include <stddef.h>

#include "base/buf.h"

/* Most terminals discard longer sequences. */
#define CLIP_MAX 74994u

enum clip_wrap {
	CLIP_PLAIN,
	CLIP_TMUX,        /* for tmux and for the terminal around it */
	CLIP_AROUND_TMUX, /* only for the terminal */
	CLIP_SCREEN,
	CLIP_NONE, /* the terminal is known to have no clipboard */
};

/* Reads $TMUX and $TERM. */
enum clip_wrap clip_wrap_here(void);
/*
 * Appends the escape sequence; nothing for CLIP_NONE. Returns how many bytes of the text are in it: of a text
 * beyond CLIP_MAX only the beginning, with whole characters.
 */
size_t clip_add(struct buf *out, const char *text, size_t len, enum clip_wrap);

#endif
