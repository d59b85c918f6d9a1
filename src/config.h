/*
 * config.h - the user's settings, $XDG_CONFIG_HOME/flametop/config, overridden by the command line.
 */
#ifndef CONFIG_H
#define CONFIG_H

#include "base/err.h"
#include "options.h"

/*
 * As options_parse(), but unless --no-config is given, the configuration file sets the viewer's defaults. Exports
 * ignore these, so that a script gets the same bytes for every user; but a bad line is an error there, too
 * (OPTIONS_USAGE; err names file and line). A missing file is no error; an unreadable one is OPTIONS_FAILED.
 */
enum options_result config_parse(struct options *, int argc, char **argv, struct err *);

#endif
