/*
 * input.h - dispatches keys, clicks and pasted text.
 */
#ifndef TUI_INPUT_H
#define TUI_INPUT_H

#include <stdint.h>

#include "tui/app.h"

/* Handles one key, click or pasted character. */
void input_event(struct app *, const struct event *, uint64_t now_ms);
/* Handles the events that waited for results, as far as these have come. */
void input_replay(struct app *);

#endif
