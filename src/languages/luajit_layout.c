/*
 * luajit_layout.c - is it the layout that we know?
 *
 * LuaJIT has no number of its layout: 2.1.0-beta3 was the name of five years of changes. But functions of its API
 * that return a field are two or three instructions, which tell where the field is:
 *
 *	lua_status       movzx eax, [rdi+11]                      lua_State: 32-bit pointers have it elsewhere
 *	lua_gettop       mov rax, [rdi+40]; sub rax, [rdi+32]
 *	lua_gethook      mov rax, [rdi+16]; mov rax, [rax+336]    global_State, near its end
 *	lua_gethookmask  mov rax, [rdi+16]; movzx eax, [rax+145]  near its beginning
 *	lua_newstate     mov ecx, 6240                            bytes of what is allocated at once: the main state,
 *	                                                          what all share, the compiler's, addresses of code
 *
 * So builds with other fields are told apart, as those of OpenResty are.
 *
 * What else is read is checked where it is read: objects have types, and lead back to each other.
 */
#include "languages/luajit_layout.h"

#include <string.h>

#include "base/find.h"
#include "symbols/elf_file.h"

#define CODE_SIZE 24u
#define SEARCH_SIZE 512u /* bytes of lua_newstate */
#define MACHINE_X86_64 62u

static const unsigned char landing[] = {0xf3, 0x0f, 0x1e, 0xfa}; /* endbr64 */

/* Has a function this code? One that may be called indirectly can begin with a mark. */
static bool has_code(const struct program *p, struct memory *m, const char *name, const unsigned char *code,
                     size_t n)
{
	unsigned char bytes[CODE_SIZE], *at = bytes;
	uint64_t address = program_symbol(p, name);
	if (!address || !memory_read(m, address, bytes, sizeof bytes))
		return false;
	if (memcmp(at, landing, sizeof landing) == 0)
		at += sizeof landing;
	return memcmp(at, code, n) == 0;
}

#define LOW(offset) (unsigned char)(offset)
#define WORD(offset) LOW(offset), LOW((offset) >> 8), 0, 0

/* Does lua_newstate allocate as many bytes? */
static bool has_size(const struct program *p, struct memory *m)
{
	static const unsigned char size[] = {0xb9, WORD(LUAJIT_ALL_SIZE)};
	unsigned char code[SEARCH_SIZE];
	uint64_t address = program_symbol(p, "lua_newstate");
	return address && memory_read(m, address, code, sizeof code) &&
	       find_bytes(code, sizeof code, size, sizeof size);
}

static bool has_fields(const struct program *p, struct memory *m)
{
	static const unsigned char status[] = {0x0f, 0xb6, 0x47, LUAJIT_STATE_STATUS};
	static const unsigned char top[] = {0x48, 0x8b, 0x47, LUAJIT_STATE_TOP, 0x48, 0x2b, 0x47, LUAJIT_STATE_BASE};
	static const unsigned char hook[] = {0x48, 0x8b, 0x47, LUAJIT_STATE_GLOBAL,
	                                     0x48, 0x8b, 0x80, WORD(LUAJIT_GLOBAL_HOOK)};
	static const unsigned char mask[] = {0x48, 0x8b, 0x47, LUAJIT_STATE_GLOBAL,
	                                     0x0f, 0xb6, 0x80, WORD(LUAJIT_GLOBAL_HOOK_MASK)};
	return has_code(p, m, "lua_status", status, sizeof status) && has_code(p, m, "lua_gettop", top, sizeof top) &&
	       has_code(p, m, "lua_gethook", hook, sizeof hook) &&
	       has_code(p, m, "lua_gethookmask", mask, sizeof mask) && has_size(p, m);
}

bool luajit_layout_check(const struct program *p, struct memory *m, struct err *err)
{
	char version[32] = "";
	if (p->elf && p->elf->machine != MACHINE_X86_64)
		return fail(err, "LuaJIT: its layout is not known for this kind of machine");
	if (!program_text(p, "LuaJIT 2.", version, sizeof version))
		return fail(err, "LuaJIT: its version cannot be read");
	if (strcmp(version, "1.0-beta3") != 0 || !has_fields(p, m))
		return fail(err, "LuaJIT 2.%s: its layout is not known", version);
	return true;
}
