/*
 * editor.h - opens a source file in the user's editor.
 */
#ifndef TUI_EDITOR_H
#define TUI_EDITOR_H

#include "tui/app.h"

/* Runs the editor on app->edit_file, which it frees, at app->edit_line; waits for its end. */
void editor_open(struct app *);

#endif
