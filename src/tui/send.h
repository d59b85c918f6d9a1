/*
 * send.h - commands that export from the viewer: each returns what became stale (enum dirty).
 */
#ifndef TUI_SEND_H
#define TUI_SEND_H

struct app;

/* Copies the selected name; in a list: the line under the cursor. */
unsigned send_name(struct app *);
unsigned send_stack(struct app *);
/* Copies the command line that makes this view. */
unsigned send_command(struct app *);
/* Prompts for the file to write the view to. */
unsigned send_to_file(struct app *);
/* Tells of the file, if it is written; also, after a moment, that it is being written. */
void send_take_write(struct app *);
/* Stops that: the file stays as it was. */
void send_stop_write(struct app *);
/* Opens the source of the selected function. */
unsigned send_to_editor(struct app *);

#endif
