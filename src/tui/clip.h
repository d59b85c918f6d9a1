/*
 * clip.h - copies text to the terminal's clipboard (OSC 52), also through tmux, screen and SSH.
 */
#ifndef TUI_CLIP_H
#define TUI_CLIP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Most terminals discard longer sequences. */
#define CLIP_MAX 74994u

enum clip_wrap { CLIP_PLAIN, CLIP_TMUX, CLIP_SCREEN };

/* Reads $TMUX and $TERM. */
enum clip_wrap clip_wrap_here(void);
/* Appends the escape sequence; text beyond CLIP_MAX is truncated, and the return is false. */
bool clip_add(struct buf *out, const char *text, size_t len, enum clip_wrap);

#endif
