/*
 * editor.c - opens a source file in the user's editor.
 *
 * $VISUAL and $EDITOR may contain arguments, so they are split at blanks; all words come from the user.
 */
#include "tui/editor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "tui/term.h"

void editor_open(struct app *app)
{
	const char *editor = getenv("VISUAL");
	char *argv[16], line[32], *save = NULL, *path = app->edit_file;
	size_t n = 0;
	if (!editor || *editor == '\0')
		editor = getenv("EDITOR");
	char *words = mem_strdup(editor && *editor ? editor : "vi");
	app->edit_file = NULL;
	for (char *w = strtok_r(words, " \t", &save); w && n < 12; w = strtok_r(NULL, " \t", &save))
		argv[n++] = w;
	if (app->edit_line > 0) {
		snprintf(line, sizeof line, "+%llu", (unsigned long long)app->edit_line);
		argv[n++] = line;
	}
	argv[n++] = path;
	argv[n] = NULL;
	if (access(path, R_OK) != 0)
		app_complain(app, "%s: %s", path, strerror(errno));
	else if (term_run(argv) != 0)
		app_complain(app, "%s failed", argv[0]);
	free(words);
	free(path);
}
