/*
 * config.h - the user's habits: $XDG_CONFIG_HOME/flametop/config.
 */
#ifndef TUI_CONFIG_H
#define TUI_CONFIG_H

#include <stdbool.h>

#include "base/err.h"
#include "options.h"
#include "tui/keymap.h"

enum config_background { BACKGROUND_AUTO, BACKGROUND_DARK, BACKGROUND_LIGHT };

struct config_bind {
	char *key, *command; /* owned */
	unsigned line;
};

struct config {
	char *path;         /* owned; NULL: there is no file */
	bool is_unreadable; /* it is the system that failed, not a line that is wrong */
	enum config_background background;
	struct config_bind *binds;
	size_t n_binds, cap_binds;
};

/*
 * Reads the file if there is one, and puts what it says into the options unless the command line said otherwise. false:
 * a line is wrong; err names it. No file is no error.
 */
bool config_load(struct config *, struct options *, struct err *);
void config_deinit(struct config *);

/* Puts the key bindings into effect. */
bool config_bind_keys(const struct config *, struct keymap *, struct err *);

#endif
