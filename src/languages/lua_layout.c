/*
 * lua_layout.c - the layouts of Lua's structures on 64-bit machines.
 *
 * lua_ident has the version: "$LuaVersion: Lua 5.4.6  Copyright (C) 1994-2023 Lua.org, PUC-Rio $", in 5.1
 * "$Lua: Lua 5.1.5 Copyright ...". Releases that are not here had other layouts, or were not looked at.
 */
#include "languages/lua_layout.h"

#include <stdio.h>
#include <string.h>

#define IDENT_MOST 32u

/* clang-format off */
static const struct {
	unsigned first, last; /* releases */
	struct lua_layout layout;
} layouts[] = {
	/* in the order of struct lua_layout, a line for each structure */
	{0, 5, {1, 32, 40, 56, 168, 80, 96, 176,  8, 0, 24, 0, 40, {0, 0, 0, 0, 0},
	        160, 176,  32,  9, 24, 40, 0, 64, 80, 84, 0, 96,  32, 40, 24,  6, 28}},
	{4, 4, {2, 24, 32, 48, 112, 128, 70, 136,  0, 48, 56, 34, 80, {0x4, 0x1, 0x4, 0x40, 0x2},
	        64, 264,  24,  9, 24, 40, 0, 72, 88, 92, 0, 104,  24, 40, 24,  6, 29}},
	{3, 6, {3, 24, 32, 48, 88, 96, 198, 202,  0, 32, 40, 66, 72, {0, 0x2, 0x8, 0x20, 0x104},
	        64, 200,  24,  9, 56, 72, 0, 104, 24, 28, 0, 40,  24, 32, 24,  6, 36}},
	{2, 2, {4, 24, 32, 40, 80, 88, 168, 172,  0, 0, 32, 62, 64, {0x2, 0x2, 0x4, 0x20, 0x88},
	        64, 264,  24,  10, 64, 88, 96, 112, 24, 28, 40, 44,  24, 24, 9,  7, 68}},
	{3, 9, {4, 24, 32, 40, 88, 96, 176, 180,  0, 0, 32, 62, 64, {0x2, 0x2, 0x4, 0x20, 0x88},
	        64, 264,  24,  10, 64, 88, 96, 112, 24, 28, 40, 44,  24, 24, 9,  7, 68}},
};
/* clang-format on */

bool lua_layout_find(struct lua_layout *l, struct memory *m, uint64_t ident, struct err *err)
{
	char text[IDENT_MOST + 1] = "";
	unsigned major = 0, minor = 0, release = 0;
	const char *at = memory_read(m, ident, text, IDENT_MOST) ? strstr(text, ": Lua ") : NULL;
	/* NOLINTNEXTLINE(cert-err34-c): all numbers are fine */
	if (!at || sscanf(at, ": Lua %u.%u.%u", &major, &minor, &release) < 2)
		return fail(err, "Lua: its version cannot be read");
	for (size_t i = 0; major == 5 && i < sizeof layouts / sizeof *layouts; i++) {
		*l = layouts[i].layout;
		if (l->minor == minor && release >= layouts[i].first && release <= layouts[i].last)
			return true;
	}
	return fail(err, "Lua %u.%u.%u: its layout is not known", major, minor, release);
}
