/*
 * items.h - stacks of languages as recordings hold them: runs of bytes, each of which is one item.
 *
 *	FUNCTION  u32 kind, number, language, first line, n, n; name NUL file NUL
 *	STACK     u32 kind, flags, interpreter, n; n times {u32 function, u32 line, the highest bit: is an entry}
 *	HOW       u32 kind, how stacks are read
 *	TROUBLE   u32 kind, n; text NUL
 *	HELD      likewise; the text names the process
 *
 * Numbers have the byte order of the machine. A function comes before the stacks in which it is.
 */
#ifndef LANGUAGES_ITEMS_H
#define LANGUAGES_ITEMS_H

#include <sys/types.h>

#include "base/buf.h"
#include "languages/language.h"

#define ITEMS_EVENT "language-stacks" /* the event whose samples they are */

enum item_kind { ITEM_FUNCTION = 1, ITEM_STACK, ITEM_HOW, ITEM_TROUBLE, ITEM_HELD };

/* How stacks are read, from good to bad. */
enum item_how {
	HOW_STOPPED, /* the thread stands still: by priority over it, or stopped by ptrace */
	HOW_LATE,    /* likewise, but maybe a while after its sample */
	HOW_RUNNING, /* the thread may run on another processor meanwhile */
};

/* Why a sample has no stack. LACK_WAKER: it is one of a wake-up, for which no thread is held up. */
enum item_lack { LACK_NOTHING, LACK_FAILED, LACK_SKIPPED, LACK_WAKER };

/* Append an item, whose length is a multiple of 4. */
void item_add_function(struct buf *, uint32_t number, uint32_t language, const struct language_function *);
void item_add_stack(struct buf *, const struct language_stack *);
/* A stack that is not there. */
void item_add_lack(struct buf *, enum item_lack);
void item_add_how(struct buf *, enum item_how);
void item_add_trouble(struct buf *, const char *text);
/* A process holds back its memory; is_last: from here on, stacks of no process are read. */
void item_add_held(struct buf *, pid_t, bool is_last);

/* An item that was read. Pointers lead into the bytes. */
struct item {
	enum item_kind kind;
	uint32_t number, language; /* of a function; language: language_number() */
	struct language_function function;
	enum item_lack lack; /* of a stack */
	enum language_lock lock;
	bool is_cut, has_moved;
	uint32_t interpreter;
	const unsigned char *frames; /* see item_frame() */
	uint32_t n;
	enum item_how how;
	const char *trouble; /* also of ITEM_HELD */
};
/* false: it is no item, or of a later version. */
bool item_parse(struct item *, const unsigned char *bytes, size_t n);
/* Is it a function? n: bytes of the item. */
bool item_is_function(const void *bytes, size_t n);
struct language_frame item_frame(const struct item *, uint32_t i); /* 0: the innermost */

#endif
