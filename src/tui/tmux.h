/*
 * tmux.h - puts text into tmux's buffer.
 */
#ifndef TUI_TMUX_H
#define TUI_TMUX_H

#include <stdbool.h>
#include <stddef.h>

enum tmux_result {
	TMUX_FAILED,       /* no tmux in PATH, or its server does not answer */
	TMUX_BUFFER,       /* in the buffer; this tmux cannot pass it on to its terminal (before 3.2) */
	TMUX_AND_TERMINAL, /* in the buffer, and sent to the terminal around tmux */
};

/* Do we run inside tmux? */
bool tmux_is_around(void);
/* Runs `tmux load-buffer`, for at most a second. */
enum tmux_result tmux_put(const char *text, size_t len);

#endif
