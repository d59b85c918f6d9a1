/*
 * luajit.h - the stacks of LuaJIT, which are those of the language Lua (lua.c).
 */
#ifndef LANGUAGES_LUAJIT_H
#define LANGUAGES_LUAJIT_H

#include "languages/language.h"
#include "languages/luajit_layout.h"

struct luajit;

/* As attach, detach and walk of struct language, for a program that has luaJIT_setmode. */
struct luajit *luajit_attach(const struct program *, struct memory *, struct err *);
void luajit_detach(struct luajit *);
enum language_walk luajit_walk(struct luajit *, struct memory *, pid_t tid, const struct language_names *,
                               struct language_stack *);

#endif
