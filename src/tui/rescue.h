/*
 * rescue.h - handles signals, and restores the terminal on every way out.
 */
#ifndef TUI_RESCUE_H
#define TUI_RESCUE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

#include "base/err.h"

struct rescue_terminal {
	int fd;
	int spare_fd;         /* the same terminal, non-blocking, for the reset text; -1: none */
	struct termios found; /* the modes to restore */
	char reset[256];      /* escape sequences that undo all changes */
	size_t reset_len;
};

/* Installs the handlers and starts the guardian. false: nothing was done. */
bool rescue_begin(const struct rescue_terminal *, struct err *);
/* Limits the time that later messages wait for the terminal. */
void rescue_end(void);
/*
 * Sets whether there is anything to restore: not while another program has the terminal, nor after it was restored.
 */
void rescue_arm(bool is_armed);
/* Replaces the modes to restore: the shell had the terminal. */
void rescue_found(const struct termios *);
/* Has a thread run out of memory, restored the terminal, and begun to end the process? */
bool rescue_is_lost(void);

/* A descriptor for poll() that announces signals. */
int rescue_signal_fd(void);
enum rescue_signal {
	TERM_RESIZED = 1,
	TERM_SUSPEND = 2, /* a stop signal */
	TERM_CONTINUED = 4,
	TERM_INTERRUPT = 8, /* ^C was typed */
	TERM_END = 16,      /* TERM, HUP or an INT from a process: leave with rescue_end_signal() */
};
unsigned rescue_take_signals(void); /* those since the last call */
int rescue_end_signal(void);
/* The interrupt was handled in another way: do not end the program for not ending. */
void rescue_forgive(void);
/* Drops these pending signals. */
void rescue_forget(unsigned flags);
/* For a child before exec: restores the signal actions from before. */
void rescue_restore_actions(void);

#endif
