/*
 * input.h - keys, clicks and pasted text: to whom they go.
 */
#ifndef TUI_INPUT_H
#define TUI_INPUT_H

#include <stdint.h>

#include "tui/app.h"

/* One key, click or pasted character. */
void input_event(struct app *, const struct event *, uint64_t now_ms);
/* Events that waited for what has been done by now. */
void input_replay(struct app *);

#endif
