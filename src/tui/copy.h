/*
 * copy.h - copies text, and shows it with the place where it went.
 */
#ifndef TUI_COPY_H
#define TUI_COPY_H

#include <stddef.h>

struct app;

/*
 * Sends the text to tmux or to the terminal's clipboard, and opens an overlay with all of it. title: what it is, as
 * "The stack"; remark: a line below it, NULL: none.
 */
void copy_text(struct app *, const char *text, size_t len, const char *title, const char *remark);

#endif
