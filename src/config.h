/*
 * config.h - the user's habits, $XDG_CONFIG_HOME/flametop/config, and the command line over them.
 */
#ifndef CONFIG_H
#define CONFIG_H

#include "base/err.h"
#include "options.h"

/*
 * As options_parse(), but the viewer begins with what the configuration file says, unless --no-config is given.
 * Files are written without it, so that a script gets the same bytes for every user; but a line that is wrong is an
 * error there, too (OPTIONS_USAGE; err names file and line). No file is no error; one that cannot be read is
 * OPTIONS_FAILED.
 */
enum options_result config_parse(struct options *, int argc, char **argv, struct err *);

#endif
