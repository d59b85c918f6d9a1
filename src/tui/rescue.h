/*
 * rescue.h - signals, and giving the terminal back on every way out.
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
	int spare_fd;         /* the same terminal, non-blocking, for the last words; -1: none */
	struct termios found; /* the modes as they were */
	char reset[256];      /* text that undoes everything */
	size_t reset_len;
};

/* Installs the handlers and starts the guardian. false: nothing was done. */
bool rescue_begin(const struct rescue_terminal *, struct err *);
void rescue_end(void);
/* Is there something to restore? Not while another program has the terminal, or when it was restored already. */
void rescue_arm(bool is_armed);
/* The modes that are to be found again have changed: the shell had the terminal. */
void rescue_found(const struct termios *);
/* A thread found no memory, gave the terminal back, and is about to end the process. */
bool rescue_is_lost(void);

/* A descriptor for poll(): signals are announced there. */
int rescue_signal_fd(void);
enum rescue_signal {
	TERM_RESIZED = 1,
	TERM_SUSPEND = 2, /* we are asked to stop */
	TERM_CONTINUED = 4,
	TERM_INTERRUPT = 8, /* ^C was typed */
	TERM_END = 16,      /* TERM, HUP or an INT that was sent: leave with rescue_end_signal() */
};
unsigned rescue_take_signals(void); /* those since the last call */
int rescue_end_signal(void);
/* An interrupt was dealt with otherwise: do not end the program for not ending. */
void rescue_forgive(void);
/* These are no news any more. */
void rescue_forget(unsigned flags);
/* In a child that becomes another program: signals mean what they meant before. */
void rescue_restore_actions(void);

#endif
