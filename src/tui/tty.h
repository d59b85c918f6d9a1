/*
 * tty.h - finds the terminal.
 */
#ifndef TUI_TTY_H
#define TUI_TTY_H

/*
 * Opens the controlling terminal, or the one that is standard output, with O_RDWR, O_WRONLY | O_NONBLOCK, ...
 * -1: there is none, or for O_NONBLOCK none that can be opened anew.
 */
int tty_open(int flags);

#endif
