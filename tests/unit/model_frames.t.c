/*
 * Which frames of stacks with functions of an interpreted language are shown (recipe.frames).
 *
 * A letter is a frame: P and Q are functions of the language, E is the interpreter's loop, i and j are native functions
 * of the interpreter, u one without a symbol, n is one of a library, x one that functions of the language replace, k is
 * the kernel's. Another interpreter has no symbols but for l: r is replaced, v is not.
 */
#include "tests/tap.h"

#include "loading.h"
#include "model/origin.h"
#include "stacks.h"

#define MOST 12

static const struct {
	char letter;
	const char *name; /* NULL: the letter */
	enum frame_kind kind;
	const char *module;
} frames[] = {
	{'P', NULL, KIND_LANGUAGE, ""},
	{'Q', NULL, KIND_LANGUAGE, ""},
	{'E', NULL, KIND_LOOP, "/usr/bin/python3"},
	{'i', NULL, KIND_USER, "python3"},
	{'j', NULL, KIND_INLINED, "/opt/bin/python3"},
	{'u', "[python3]", KIND_USER, "/usr/bin/python3"},
	{'n', NULL, KIND_USER, "/lib/libz.so"},
	{'m', "[libz.so]", KIND_USER, "/lib/libz.so"},
	{'x', NULL, KIND_REPLACED, "libc.so"},
	{'k', NULL, KIND_KERNEL, "[kernel]"},
	{'r', "[lua5.4]", KIND_REPLACED, "/usr/bin/lua5.4"},
	{'v', "[lua5.4]", KIND_USER, "/usr/bin/lua5.4"},
	{'l', NULL, KIND_USER, "/usr/bin/lua5.4"},
};
#define N_FRAMES (sizeof frames / sizeof *frames)

static uint32_t intern(struct symtab *t, const char *name)
{
	return symtab_intern(t, name, strlen(name));
}

static size_t place_of(char letter)
{
	for (size_t i = 0; i < N_FRAMES; i++)
		if (frames[i].letter == letter)
			return i;
	bail_out("no such frame");
	return 0;
}

/* The plain symbol. */
static uint32_t name_of(struct symtab *t, char letter)
{
	const char *name = frames[place_of(letter)].name;
	return name ? intern(t, name) : symtab_intern(t, &letter, 1);
}

static uint32_t frame(struct symtab *t, char letter)
{
	size_t i = place_of(letter);
	uint32_t module = frames[i].module[0] ? intern(t, frames[i].module) : 0;
	return symtab_frame(t, name_of(t, letter), (struct origin){frames[i].kind, module, 0, 0});
}

static void add(struct profile *p, const char *stack, uint64_t weight)
{
	uint32_t path = PATH_ROOT;
	for (const char *s = stack; *s; s++)
		path = profile_child(p, path, frame(&p->symtab, *s));
	profile_add(p, 0, path, &(struct sample){.weight = weight, .time = NO_TIME, .cpu = NO_CPU});
}

/* Of one stack, what is to be shown. */
static void choose(enum frames_shown shown, const char *stack, char *out)
{
	const char *first = strpbrk(stack, "PQ"), *last = NULL;
	for (const char *s = stack; *s; s++)
		last = strchr("PQ", *s) ? s : last;
	for (const char *s = stack; *s; s++) {
		bool is_language = strchr("PQ", *s), is_replaced = strchr("Exr", *s);
		bool is_between = strchr("ijuvl", *s) && last && s < last;
		bool is_nameless = strchr("uv", *s) && first && s > first;
		bool is_shown = shown == FRAMES_LANGUAGE ? is_language
		                : shown == FRAMES_NATIVE ? !is_language
		                : shown == FRAMES_ALL    ? !is_replaced
		                                         : !is_replaced && !is_between && !is_nameless;
		if (is_shown)
			*out++ = *s;
	}
	*out = '\0';
}

static char *tree_of(struct profile *p, enum frames_shown shown)
{
	struct recipe r;
	struct err err = {""};
	recipe_init(&r);
	r.frames = shown;
	char *text = fold_text(p, &r, &err);
	recipe_deinit(&r);
	return text;
}

/* The tree of the same stacks after the choice: in a profile whose frames are all plain. */
static char *tree_expected(const char (*stacks)[MOST + 1], size_t n, enum frames_shown shown)
{
	struct profile p;
	profile_init(&p);
	for (size_t i = 0; i < n; i++) {
		char chosen[MOST + 1];
		uint32_t path = PATH_ROOT;
		choose(shown, stacks[i], chosen);
		for (const char *s = chosen; *s; s++)
			path = profile_child(&p, path, name_of(&p.symtab, *s));
		profile_add(&p, 0, path, &(struct sample){.weight = i + 1, .time = NO_TIME, .cpu = NO_CPU});
	}
	profile_seal(&p);
	char *text = tree_of(&p, FRAMES_ALL);
	profile_deinit(&p);
	return text;
}

static void test_one(const char *stack, const char *program, const char *all, const char *language,
                     const char *native)
{
	const char *const expected[] = {program, all, language, native};
	for (enum frames_shown shown = FRAMES_PROGRAM; shown <= FRAMES_NATIVE; shown++) {
		char chosen[MOST + 1];
		choose(shown, stack, chosen);
		is_str(chosen, expected[shown], "%s: way %d", stack, (int)shown);
	}
}

/* Random stacks, with many common beginnings, all ways to choose. */
static void test_many(void)
{
	static char stacks[40][MOST + 1];
	uint64_t seed = 7;
	unsigned wrong = 0;
	for (unsigned round = 0; round < 400; round++) {
		struct profile p;
		profile_init(&p);
		size_t n = 1 + chance(&seed, 39);
		memcpy(stacks[0], "ErP", 4); /* so that there is a language, a loop, and one without a symbol */
		for (size_t i = 0; i < n; i++) {
			size_t len = i ? 1 + chance(&seed, MOST) : 3;
			for (size_t j = 0; i && j < len; j++)
				stacks[i][j] = frames[chance(&seed, N_FRAMES)].letter;
			stacks[i][len] = '\0';
			add(&p, stacks[i], i + 1);
		}
		profile_seal(&p);
		for (enum frames_shown shown = FRAMES_PROGRAM; shown <= FRAMES_NATIVE; shown++) {
			char *text = tree_of(&p, shown);
			char *expected = tree_expected((const char(*)[MOST + 1]) stacks, n, shown);
			wrong += !text || strcmp(text, expected) != 0;
			free(text);
			free(expected);
		}
		profile_deinit(&p);
	}
	is_int(wrong, 0, "400 profiles are shown as each of their stacks alone");
}

int main(void)
{
	test_one("iEPiEQnk", "PQnk", "iPiQnk", "PQ", "iEiEnk");
	test_one("niEPij", "nPij", "niPij", "P", "niEij");
	test_one("xxPi", "Pi", "Pi", "P", "xxi");
	test_one("iEn", "in", "in", "", "iEn");
	test_one("iuEPuiuQumu", "PQm", "iuPuiuQumu", "PQ", "iuEuiuumu");
	test_one("rPvlvQvnlv", "PQnl", "PvlvQvnlv", "PQ", "rvlvvnlv");
	test_many();
	return done_testing();
}
