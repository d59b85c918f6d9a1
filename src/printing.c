/*
 * printing.c - colours and width of a terminal on which a view is printed.
 */
#include "printing.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/number.h"

/* Guesses the colours of the terminal from environment variables, as programs without terminfo do. */
static enum color_depth guess_depth(void)
{
	const char *term = getenv("TERM"), *colorterm = getenv("COLORTERM"), *no_color = getenv("NO_COLOR");
	if ((no_color && *no_color) || !term || !*term || strcmp(term, "dumb") == 0)
		return DEPTH_MONO;
	if (colorterm && (strcmp(colorterm, "truecolor") == 0 || strcmp(colorterm, "24bit") == 0))
		return DEPTH_TRUE;
	return strstr(term, "256color") ? DEPTH_256 : DEPTH_16;
}

enum color_depth printing_depth(const struct options *o, bool is_terminal)
{
	switch (o->color) {
	case COLOR_NEVER:
		return DEPTH_MONO;
	case COLOR_16:
		return DEPTH_16;
	case COLOR_256:
		return DEPTH_256;
	case COLOR_TRUE:
		return DEPTH_TRUE;
	case COLOR_AUTO:
		break;
	}
	return is_terminal ? guess_depth() : DEPTH_MONO;
}

unsigned printing_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	uint64_t v;
	if (columns && number_u64(columns, strlen(columns), &v) && v > 0 && v <= 10000)
		return (unsigned)v;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
