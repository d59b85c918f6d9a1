/*
 * app.h - the viewer, on a terminal or without one.
 */
#ifndef TUI_APP_H
#define TUI_APP_H

#include <stddef.h>

#include "base/err.h"
#include "collapse/load.h"
#include "options.h"

/* There is no terminal that can show it; err says why. Nothing was read yet. */
#define APP_NO_SCREEN (-1)

/*
 * Loads the inputs beside the interface and runs it until somebody leaves. Returns the exit status: 0; 1 with err when
 * nothing could be read; 2 with err for keys or a configuration that make no sense; 128 + number of the signal that ended
 * it; or APP_NO_SCREEN. err may hold a message for standard error in every case.
 */
int app_run(struct options *, struct load_input *inputs, size_t n, struct err *);

/* --screen: loads completely, types --keys, prints what the screen would show. Returns 0, 1 or 2 as above. */
int app_script(struct options *, struct load_input *inputs, size_t n, struct err *);

#endif
