/*
 * send.h - commands by which something leaves the viewer: each returns what became stale (enum dirty).
 */
#ifndef TUI_SEND_H
#define TUI_SEND_H

struct app;

/* In a list: the line under the cursor. */
unsigned send_name(struct app *);
unsigned send_stack(struct app *);
/* The command line that makes this view. */
unsigned send_command(struct app *);
/* A prompt for the file that the view is written to. */
unsigned send_to_file(struct app *);
/* The source of the selected function. */
unsigned send_to_editor(struct app *);

#endif
