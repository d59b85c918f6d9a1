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

bool call_is_loaded(struct call *c)
{
	if (c->profile->state == PROFILE_LOADED)
		return true;
	call_fail(c, FLAMETOP_USAGE, "the profile has not been read");
	return false;
}

bool call_has_place(struct call *c, const void *to)
{
	if (!to)
		call_fail(c, FLAMETOP_USAGE, "there is no place for the result");
	return to;
}

bool call_is_below(struct call *c, size_t i, size_t n, const char *what)
{
	if (i >= n)
		call_fail(c, FLAMETOP_USAGE, "there is no %s %zu, only %zu", what, i, n);
	return i < n;
}

void call_give(struct call *c, void *to, const void *filled, size_t size)
{
	if (!lib_fill(to, filled, size))
		call_fail(c, FLAMETOP_USAGE, "the structure says no size");
}

bool lib_fill(void *to, const void *filled, size_t size)
{
	size_t room = 0;
	if (to)
		memcpy(&room, to, sizeof room); /* `size` is the first member of each structure */
	if (room <= sizeof room)
		return false;
	memcpy((char *)to + sizeof room, (const char *)filled + sizeof room, (room < size ? room : size) - sizeof room);
	return true;
}
