/*
 * term.h - the terminal: the only door to curses.
 *
 * There can be one terminal at a time. It is restored on every way out that leaves a process the time to do so, and
 * by a small guardian process on those that do not (SIGKILL).
 */
#ifndef TUI_TERM_H
#define TUI_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"
#include "export/export.h"
#include "options.h"
#include "tui/grid.h"

/*
 * Takes the controlling terminal over, independent of standard input and output. false: there is none, or it cannot
 * address its cursor (TERM=dumb); err says which.
 */
bool term_open(enum color_when, bool with_mouse, struct err *err);
/*
 * Leaves it as it was found. Harmless when it is not open. A terminal that takes no output gets two seconds; after
 * that standard output and standard error, where they lead to a terminal, lead nowhere any more.
 */
void term_close(void);

enum color_depth term_depth(void);
void term_size(int *cols, int *rows);

/* A descriptor for poll(): keys. Signals have theirs in rescue.h. */
int term_fd(void);

/* What was typed: bytes; 0: nothing; -1: the terminal is gone. */
ssize_t term_read(unsigned char *bytes, size_t n);

/* Is there output that the terminal has not taken yet? Writes what it takes now; never waits. */
bool term_is_behind(void);
/* Would the terminal take output now? Never draw when it would not: frames would queue up behind a slow line. */
bool term_is_ready(void);
/* Makes the screen look like the grid. Writes only what changed. */
void term_draw(const struct grid *);
void term_forget(void); /* the next draw writes everything */
/*
 * Asks the terminal what its background looks like (OSC 11), if it is of a kind that passes over what it does not
 * know. The answer comes among the keys; term_answered() says that it came, as term_close() waits a moment for one
 * that is due: the shell would take it for something typed.
 */
void term_ask_background(void);
void term_answered(void);
/* Bytes for the terminal itself, past curses. */
void term_send(const char *bytes, size_t n);

void term_suspend(void); /* returns when continued */
void term_resume(void);  /* after another process stopped and continued us */
/* Runs a program on the terminal in our place; its wait status, -1: not started. */
int term_run(char *const argv[]);

#endif
