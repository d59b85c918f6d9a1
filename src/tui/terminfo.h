/*
 * terminfo.h - descriptions of common terminals, for systems that have none: a container, a chroot, another Unix.
 */
#ifndef TUI_TERMINFO_H
#define TUI_TERMINFO_H

/*
 * For a terminal that the system does not describe: makes curses use our description of it, or of one that it is
 * compatible with, as its name tells; then standard error says so. Returns the name to give to curses; NULL: we
 * know none. Changes TERMINFO until terminfo_restore().
 */
const char *terminfo_use(const char *term);
/* Programs that we start get the TERMINFO that the user gave us. May be called without terminfo_use(). */
void terminfo_restore(void);

#endif
