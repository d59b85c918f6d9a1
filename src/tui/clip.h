/*
 * clip.h - text for the terminal's clipboard (OSC 52), also through tmux and screen, and so through SSH.
 */
#ifndef TUI_CLIP_H
#define TUI_CLIP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Most terminals throw longer sequences away. */
#define CLIP_MAX 74994u

enum clip_wrap { CLIP_PLAIN, CLIP_TMUX, CLIP_SCREEN };

/* What $TMUX and $TERM say. */
enum clip_wrap clip_wrap_here(void);
/* Appends the bytes to send; text beyond CLIP_MAX is cut, and false says so. */
bool clip_add(struct buf *out, const char *text, size_t len, enum clip_wrap);

#endif
