/*
 * perl_lines.h - the lines of statements.
 */
#ifndef LANGUAGES_PERL_LINES_H
#define LANGUAGES_PERL_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "languages/memory.h"
#include "languages/perl_layout.h"

/* What is at work in a statement. */
struct perl_operation {
	uint64_t address; /* 0: unknown */
	bool is_next;     /* it is the one that comes next, where the call returns to */
};

/*
 * Searches the operations of a statement for the one at work, and for a line that is nearer to it: Perl leaves
 * out the statement that begins a block, but not its line. type: of statements. *line, 0: the statement's own
 * line is the nearest. false: it is not a part of the statement, or cannot be found.
 */
bool perl_line_near(struct memory *, uint64_t statement, uint32_t type, const struct perl_operation *,
                    uint32_t *line);

#endif
