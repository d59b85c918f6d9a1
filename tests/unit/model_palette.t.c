/*
 * model_palette - colours computed by hand from the formulas of the classic renderers, and requirements on our own.
 */
#include "tests/tap.h"

#include "model/palette.h"

static void is_rgb(struct rgb c, int r, int g, int b, const char *name)
{
	ok(c.r == r && c.g == g && c.b == b, "%s: rgb(%d,%d,%d)", name, c.r, c.g, c.b);
}

static struct rgb hashed(enum palette p, const char *name)
{
	return palette_color(p, COLOR_HASH, name, strlen(name), NULL);
}

static bool same(struct rgb a, struct rgb b)
{
	return a.r == b.r && a.g == b.g && a.b == b.b;
}

static void test_generator(void)
{
	struct color_rng rng = {1234};

	is_near(color_rng_next(&rng), 7.238139e-08, 1e-13, "the generator starts where inferno's does");
	is_near(color_rng_next(&rng), 0.12971127, 1e-7, "and goes on as it does");
	rng.state = 1234;
	is_rgb(palette_color(PALETTE_HOT, COLOR_RANDOM, "a", 1, &rng), 227, 0, 7, "the first random hot colour");
	is_rgb(palette_color(PALETTE_HOT, COLOR_RANDOM, "a", 1, &rng), 217, 0, 24, "the second one");
	uint64_t state = rng.state;
	is_rgb(palette_color(PALETTE_HOT, COLOR_RANDOM, "--", 2, &rng), 160, 160, 160, "a divider is grey");
	is_rgb(palette_color(PALETTE_HOT, COLOR_RANDOM, "-", 1, &rng), 200, 200, 200, "a dash is lighter");
	ok(rng.state == state, "and neither draws a number");
}

static void test_hashes(void)
{
	is_rgb(hashed(PALETTE_HOT, "main"), 247, 83, 46, "hot main by hash");
	is_rgb(palette_color(PALETTE_HOT, COLOR_DETERMINISTIC, "main", 4, NULL), 238, 28, 47, "hot main by FNV");
	is_rgb(palette_color(PALETTE_HOT, COLOR_DETERMINISTIC, "", 0, NULL), 206, 183, 37, "hot for no name by FNV");
	ok(same(hashed(PALETTE_AQUA, "mod`run"), hashed(PALETTE_AQUA, "other`run")),
	   "a module does not count in the first hash");
	ok(hashed(PALETTE_MEM, "main").r == 0, "mem has no red");
	struct rgb io = hashed(PALETTE_IO, "main");
	ok(io.r == io.g && io.b >= 190, "io is blue");
	for (int p = PALETTE_HOT; p <= PALETTE_CHAIN; p++)
		ok(palette_is_for_svg((enum palette)p), "%s is one of the classic palettes", palette_name((enum palette)p));
}

static void takes(enum palette p, const char *name, enum palette basic)
{
	ok(same(hashed(p, name), hashed(basic, name)), "%s: '%s' is %s", palette_name(p), name, palette_name(basic));
}

static void test_by_name(void)
{
	takes(PALETTE_JAVA, "do_work_[k]", PALETTE_ORANGE);
	takes(PALETTE_JAVA, "run_[i]", PALETTE_AQUA);
	takes(PALETTE_JAVA, "run_[j]", PALETTE_GREEN);
	takes(PALETTE_JAVA, "_[k]_[j]", PALETTE_GREEN);
	takes(PALETTE_JAVA, "run_[jk]", PALETTE_RED);
	takes(PALETTE_JAVA, "GC::mark", PALETTE_YELLOW);
	takes(PALETTE_JAVA, "-[NSObject init]", PALETTE_YELLOW);
	takes(PALETTE_JAVA, "Ljava/lang/Object", PALETTE_GREEN);
	takes(PALETTE_JAVA, "Ljdk", PALETTE_RED);
	takes(PALETTE_JAVA, "[test.event]", PALETTE_RED);
	takes(PALETTE_JAVA, "Compile", PALETTE_GREEN);
	takes(PALETTE_JAVA, "", PALETTE_RED);
	takes(PALETTE_JS, " ", PALETTE_GREEN);
	takes(PALETTE_JS, "", PALETTE_RED);
	takes(PALETTE_JS, "a/b_[j]", PALETTE_GREEN);
	takes(PALETTE_JS, "b_[j]", PALETTE_AQUA);
	takes(PALETTE_JS, "node::Start", PALETTE_YELLOW);
	takes(PALETTE_JS, "x:1", PALETTE_AQUA);
	takes(PALETTE_JS, "a/node_modules/b.js", PALETTE_PURPLE);
	takes(PALETTE_JS, "a/b.js", PALETTE_GREEN);
	takes(PALETTE_JS, "a/b", PALETTE_RED);
	takes(PALETTE_PERL, "Perl_run", PALETTE_GREEN);
	takes(PALETTE_PERL, "a::b", PALETTE_YELLOW);
	takes(PALETTE_PERL, "read_[k]", PALETTE_ORANGE);
	takes(PALETTE_PYTHON, "lib/site-packages/x.py", PALETTE_AQUA);
	takes(PALETTE_PYTHON, "lib/python3.11/os.py", PALETTE_YELLOW);
	takes(PALETTE_PYTHON, "lib/pythonic/os.py", PALETTE_RED);
	takes(PALETTE_PYTHON, "<frozen importlib>", PALETTE_YELLOW);
	takes(PALETTE_RUST, "bin`std::rt::lang_start", PALETTE_ORANGE);
	takes(PALETTE_RUST, "<core::iter::Map as Iterator>::next", PALETTE_ORANGE);
	takes(PALETTE_RUST, "<core::future::from_generator::GenFuture<T> as Future>::poll", PALETTE_AQUA);
	takes(PALETTE_RUST, "main", PALETTE_YELLOW);
	takes(PALETTE_WAKEUP, "anything", PALETTE_AQUA);
	takes(PALETTE_CHAIN, "try_to_wake_up_[w]", PALETTE_AQUA);
	takes(PALETTE_CHAIN, "schedule", PALETTE_BLUE);
}

static void test_diff(void)
{
	is_rgb(palette_diff(0, 10), 250, 250, 250, "no change is near white");
	is_rgb(palette_diff(10, 10), 255, 100, 100, "the greatest growth is the deepest red");
	is_rgb(palette_diff(-10, 10), 100, 100, 255, "the greatest shrinking is the deepest blue");
	is_rgb(palette_diff(5, 10), 255, 175, 175, "half of it is half as deep");
	is_rgb(palette_diff(INT64_MIN, UINT64_MAX), 174, 174, 255, "huge changes do not overflow");
	is_rgb(palette_diffusion(1), 255, 100, 100, "the whole is the deepest red");
	is_rgb(palette_diffusion(0), 250, 250, 250, "nothing is near white");
}

/* WCAG relative luminance. */
static double luminance(struct rgb c)
{
	double v[3] = {c.r / 255.0, c.g / 255.0, c.b / 255.0};

	for (int i = 0; i < 3; i++)
		v[i] = v[i] <= 0.03928 ? v[i] / 12.92 : __builtin_pow((v[i] + 0.055) / 1.055, 2.4);
	return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2];
}

static void test_terminal(void)
{
	struct symtab t;
	char name[40];
	bool readable = true, differ = true, steady = true;

	symtab_init(&t);
	for (int i = 0; i < 500; i++) {
		snprintf(name, sizeof name, "ns%d::function_%d", i % 20, i * 7);
		symtab_intern(&t, name, strlen(name));
	}
	for (enum palette p = 0; p < N_PALETTES; p++) {
		for (uint32_t i = 1; i <= 500 && !palette_is_for_svg(p); i++) {
			struct rgb c = palette_terminal(p, &t, i, i / 500.0);
			readable = readable && (luminance(c) + 0.05) / 0.05 >= 4.5;
			steady = steady && same(c, palette_terminal(p, &t, i, i / 500.0));
		}
	}
	ok(readable, "black text has a contrast of 4.5 or more on every colour of the terminal's palettes");
	ok(steady, "a name always has the same colour");
	ok(same(palette_terminal(PALETTE_HOT, &t, 1, 0), hashed(PALETTE_HOT, t.symbols[1].name)),
	   "a classic palette has the same colours in the terminal as in an SVG with --hash");
	for (uint32_t i = 1; i + 20 <= 40; i++)
		differ = differ &&
		         !same(palette_terminal(PALETTE_MODULE, &t, i, 0), palette_terminal(PALETTE_MODULE, &t, i + 1, 0));
	ok(differ, "neighbouring modules differ");
	for (int p = 0; p < N_PALETTES; p++)
		is_int(palette_by_name(palette_name((enum palette)p)), p, "%s is found by its name",
		       palette_name((enum palette)p));
	is_int(palette_by_name("nosuch"), -1, "an unknown palette is not found");
	symtab_deinit(&t);
}

/* Why a thread is off the CPU is seen in any palette, and both reasons differ. */
static void test_states(void)
{
	struct symtab t;
	bool is_same = true;
	symtab_init(&t);
	uint32_t blocked = symtab_intern(&t, FRAME_BLOCKED, strlen(FRAME_BLOCKED));
	uint32_t runnable = symtab_intern(&t, FRAME_RUNNABLE, strlen(FRAME_RUNNABLE));
	for (int p = 0; p < N_PALETTES; p++) {
		struct rgb a = palette_terminal((enum palette)p, &t, blocked, 0.5);
		struct rgb b = palette_terminal((enum palette)p, &t, runnable, 0.5);
		struct rgb svg = palette_color((enum palette)p, COLOR_RANDOM, FRAME_BLOCKED, strlen(FRAME_BLOCKED), NULL);
		is_same &= a.b == 255 && a.r < 150 && b.b == 255 && b.r > a.r &&
		           (!palette_is_for_svg((enum palette)p) || svg.r == a.r);
	}
	ok(is_same, "blocked is blue and runnable is violet in each palette");
	symtab_deinit(&t);
}

static void test_fewer(void)
{
	is_int(palette_256((struct rgb){255, 0, 0}), 196, "red in 256 colours");
	is_int(palette_256((struct rgb){128, 128, 128}), 244, "grey in 256 colours");
	is_int(palette_256((struct rgb){0, 0, 0}), 16, "black in 256 colours");
	is_int(palette_256((struct rgb){255, 255, 255}), 231, "white in 256 colours");
	is_int(palette_16((struct rgb){250, 250, 10}), 11, "yellow in 16 colours");
	is_int(palette_16((struct rgb){200, 10, 10}), 1, "red in 16 colours");
}

int main(void)
{
	test_generator();
	test_hashes();
	test_by_name();
	test_diff();
	test_terminal();
	test_states();
	test_fewer();
	return done_testing();
}
