/*
 * call.c - what all calls have in common.
 */
#include <stdio.h>
#include <string.h>

#include "lib/lib.h"

static void begin(void *arg)
{
	struct call *c = arg;
	c->profile->err.text[0] = '\0';
	c->body(c);
}

int call_run(struct call *c, void (*body)(struct call *))
{
	c->status = FLAMETOP_OK;
	c->body = body;
	if (!c->profile)
		return FLAMETOP_USAGE;
	switch (guard_run(c->profile->guard, begin, c)) {
	case GUARD_DONE:
		return c->status;
	case GUARD_BUSY:
		return FLAMETOP_USAGE;
	case GUARD_BROKEN:
		break;
	}
	const char *bug = guard_bug(c->profile->guard);
	c->profile->is_broken = true;
	snprintf(c->profile->err.text, sizeof c->profile->err.text, "%s%s", bug ? "internal error: " : "out of memory",
	         bug ? bug : "");
	return bug ? FLAMETOP_FAILED : FLAMETOP_NO_MEMORY;
}

void call_failed(struct call *c, int status)
{
	c->status = status;
}

bool call_give(void *to, const void *filled, size_t size)
{
	size_t room;
	memcpy(&room, to, sizeof room); /* `size` is the first member of each structure */
	if (room <= sizeof room)
		return false;
	memcpy((char *)to + sizeof room, (const char *)filled + sizeof room, (room < size ? room : size) - sizeof room);
	return true;
}
