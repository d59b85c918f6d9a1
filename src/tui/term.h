/*
 * term.h - the terminal, and the only user of curses.
 *
 * There can be one terminal at a time. It is restored on every way out on which the process can still act, and
 * otherwise (SIGKILL) by a small guardian process.
 */
#ifndef TUI_TERM_H
#define TUI_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"
#include "lib/cells.h"
#include "options.h"
#include "tui/grid.h"

/*
 * Takes over the controlling terminal, independent of standard input and output. false: there is none, or it cannot
 * address its cursor (TERM=dumb); err says which.
 */
bool term_open(enum color_when, bool with_mouse, struct err *err);
/*
 * Restores the terminal as it was found. Does nothing if it is not open. A terminal that takes no output gets two
 * seconds; after that, standard output and standard error go nowhere if they lead to a terminal.
 */
void term_close(void);

enum color_depth term_depth(void);
void term_size(int *cols, int *rows);

/* A descriptor for poll(): keys. For signals see rescue.h. */
int term_fd(void);

/* Reads typed bytes; 0: nothing; -1: the terminal is gone. */
ssize_t term_read(unsigned char *bytes, size_t n);

/* Is output still waiting for the terminal? Writes what it takes now; never blocks. */
bool term_is_behind(void);
/* Would the terminal take output now? Draw only then: frames would queue up behind a slow line. */
bool term_is_ready(void);
/* Makes the screen show the grid. Writes only changes. */
void term_draw(const struct grid *);
void term_forget(void); /* the next draw writes everything */
/*
 * Asks the terminal for its background (OSC 11), if its kind ignores unknown sequences. The answer comes among the
 * keys; call term_answered() then, as term_close() waits a moment for an outstanding answer: the shell would take
 * it for typed text.
 */
void term_ask_background(void);
void term_answered(void);
/* Sends bytes to the terminal, past curses. */
void term_send(const char *bytes, size_t n);

void term_suspend(void); /* returns when continued */
void term_resume(void);  /* after another process stopped and continued us */
/* Runs a program on the terminal in our place; returns its wait status, -1: not started. */
int term_run(char *const argv[]);

#endif
