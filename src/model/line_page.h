/*
 * line_page.h - the lines of a function as rows to show: files, the text of lines where it is at hand, weights.
 *
 *	heading    /home/me/hot.c
 *	line       15    4.1%  93.7%   sum += table[i] / (i + 3);
 *	gap        12 lines without samples
 */
#ifndef MODEL_LINE_PAGE_H
#define MODEL_LINE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/source_text.h"
#include "base/utf8.h"
#include "lines.h"

enum page_row_kind {
	PAGE_HEADING, /* a file, or that lines are not known */
	PAGE_LINE,
	PAGE_GAP,     /* lines left out between two */
	PAGE_CALL,    /* a function called at the line above, while that is open */
	PAGE_CALLERS, /* heading of the callers */
	PAGE_CALLER,
	PAGE_SOURCE, /* of instructions: the line that the next ones are of */
	PAGE_CODE,
};

struct page_row {
	enum page_row_kind kind;
	uint32_t section;
	uint32_t line;                /* gap: how many; instruction: its number in codes */
	const struct line_row *row;   /* NULL: no samples */
	const struct line_call *call; /* of calls and callers, else NULL */
	bool is_open;                 /* of a line: its calls follow */
};

/* A source file. */
struct page_section {
	char *file;               /* owned; NULL: samples of which the line is unknown */
	struct source_text *text; /* NULL: see why */
	char *why;                /* owned; NULL: not looked for, or found */
	bool is_copy;             /* the text is not that of a file of the user's */
	const char *remark;       /* on the text: another version, or a copy; NULL: nothing to say */
	uint64_t self, total;     /* totals of lines overlap: the largest */
};

/* An instruction, and the line that it is of. */
struct page_code {
	uint64_t address;
	uint64_t target;  /* of a jump or a call; PAGE_NO_TARGET: none */
	const char *text; /* owned by the page */
	const char *file; /* the same; NULL: unknown */
	uint32_t line;    /* 0: unknown */
};
#define PAGE_NO_TARGET UINT64_MAX

struct line_page {
	/* Instructions: owned, with their texts; n_codes is 0 for lines. */
	struct page_code *codes;
	size_t n_codes;
	uint64_t start;         /* of the function */
	char *function;         /* owned; its name in the file; NULL: unknown */
	uint64_t elsewhere;     /* self in other code: compiled twice, inlined, or split */
	struct line_sums lines; /* whose files are names of the reader; only the callers' are copies */
	bool owns_callers;
	struct page_row *rows;
	size_t n, cap;
	struct page_section *sections; /* the heaviest first */
	size_t n_sections, cap_sections;
	uint32_t *hot; /* rows with samples, the heaviest by self first, then by total */
	size_t n_hot;
};

/* How much of the source is shown. */
struct page_wish {
	const struct source_places *places; /* NULL: no text */
	const char *why_hidden;             /* what to say of files then; NULL: nothing */
	bool has_callers;                   /* also show who calls the function */
	uint32_t context;                   /* lines around those with samples; UINT32_MAX: all lines */
	const struct line_reader *reader;   /* knows what debug information tells of files; NULL: nothing */
	const char *why_unknown;            /* what to say of samples without a line; NULL: nothing */
};

/* Takes the lines over, which must be those of a function. The reader may go from now on. */
void line_page_make(struct line_page *, struct line_sums *, const struct page_wish *);
void line_page_deinit(struct line_page *);

/*
 * The same of instructions, whose sums are by address; copies the codes. Jumps within the function have the row of
 * their target, see line_page_target().
 */
void line_page_make_code(struct line_page *, struct line_sums *, const struct page_code *, size_t n, uint64_t start,
                         const struct page_wish *);
/* The row to which the instruction of a row jumps; SIZE_MAX: it does not, or not within the page. */
size_t line_page_target(const struct line_page *, size_t row);

/* Does the line of a row call anything, and shows or hides it. */
bool line_page_has_calls(const struct line_page *, size_t row);
void line_page_toggle(struct line_page *, size_t row);

/* The text of a row; NULL: unknown. */
const char *line_page_text(const struct line_page *, size_t row, size_t *len);
/* Appends source text with its tabs as blanks, safe to show. */
void page_text_add(struct buf *out, const char *text, size_t len, enum utf8_clean_mode);
/*
 * The file that a heading names: the one whose text is shown, which may be at another place than the recorded one,
 * or the recorded one, of which a copy or nothing is shown. NULL: the line of the samples is unknown.
 */
const char *page_section_file(const struct page_section *);
/* "newer than the program: lines may have moved", "not found here"; nothing if all is well. */
void page_section_add_remark(struct buf *out, const struct page_section *, enum utf8_clean_mode);

#endif
