/*
 * tight.c - scripts and style sheets for a file that carries a copy of them.
 */
#include "tight.h"

#include <string.h>

/* Characters around which blanks mean nothing: in a style sheet "a *" is not "a*". */
#define TIGHT_CSS "{};,>"
#define TIGHT_JS "=+-*/<>!&|?:,;(){}[]"

/* Appends a line of a script or style sheet without insignificant blanks; quoted text stays as it is. */
static void add_tight(struct buf *b, const char *line, size_t n, const char *tight)
{
	char quote = '\0';
	for (size_t i = 0; i < n; i++) {
		char c = line[i];
		if (quote && c == '\\' && i + 1 < n)
			buf_addc(b, line[i++]);
		else if (quote)
			quote = c == quote ? '\0' : quote;
		else if (c == '\'' || c == '"')
			quote = c;
		else if (c == ' ' && i && i + 1 < n && (strchr(tight, line[i - 1]) || strchr(tight, line[i + 1])))
			continue;
		buf_addc(b, line[i]);
	}
}

/* Appends a source file without indentation, empty lines and comment lines: every drawing carries a copy. */
static void add_source(struct buf *b, const char *text, const char *comment, const char *tight)
{
	while (*text) {
		size_t n = strcspn(text, "\n"), indent = strspn(text, "\t ");
		if (indent < n && strncmp(text + indent, comment, 2) != 0) {
			add_tight(b, text + indent, n - indent, tight);
			buf_addc(b, '\n');
		}
		text += n + (text[n] == '\n');
	}
}

void tight_add_js(struct buf *b, const char *text)
{
	add_source(b, text, "//", TIGHT_JS);
}

void tight_add_css(struct buf *b, const char *text)
{
	add_source(b, text, "/*", TIGHT_CSS);
}
