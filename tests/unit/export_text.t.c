/* export_text - flame graphs drawn in characters, and compared. */
#include "tests/tap.h"

#include "base/utf8.h"
#include "stacks.h"

static const char stacks[] = "main;parse;read 40\n"
							 "main;parse 10\n"
							 "main;write 30\n"
							 "idle 20\n";

/* The text up to the heaviest functions, which test_heaviest() checks. */
static char *drawn(const struct view *v, const struct export_options *o)
{
	char *got = export_text_of(&export_text, v, o), *end = got ? strstr(got, "heaviest by self: ") : NULL;

	if (end)
		*end = '\0';
	return got;
}

static void is_drawn(const struct view *v, const struct export_options *o, const char *expected, const char *name)
{
	char *got = drawn(v, o);

	is_str(got, expected, "%s", name);
	free(got);
}

static bool says(const struct view *v, const struct export_options *o, const char *what)
{
	char *got = export_text_of(&export_text, v, o);
	bool found = got && strstr(got, what);

	if (!found)
		diag("%s", got);
	free(got);
	return found;
}

static void test_orientation(void)
{
	struct profile p;
	struct view v;
	struct export_options o = {.width = 40, .ascii = true, .factor = 1};

	view_of(&v, &p, stacks, NULL);
	is_drawn(&v, &o,
	         "cycles  100 samples\n"
	         "            [read 40.0%----]\n"
	         "        [parse 50.0%-------][write-----]\n"
	         "[idle--][main 80.0%--------------------]\n"
	         "[all 100%------------------------------]\n",
	         "flames grow upwards, and a parent's own time stays empty");
	v.is_inverted = true;
	is_drawn(&v, &o,
	         "cycles  100 samples\n"
	         "[all 100%------------------------------]\n"
	         "[idle--][main 80.0%--------------------]\n"
	         "        [parse 50.0%-------][write-----]\n"
	         "            [read 40.0%----]\n",
	         "an icicle hangs down");
	o.ascii = false;
	o.width = 20;
	is_drawn(&v, &o,
	         "cycles  100 samples\n"
	         "├all 100%──────────┤\n"
	         "├──┤├main 80.0%────┤\n"
	         "    ├parse───┤├wri…┤\n"
	         "      ├read──┤\n",
	         "with lines where there is UTF-8");
	o.factor = 2.5;
	ok(says(&v, &o, "250 samples"), "counts are multiplied");
	view_deinit(&v);
	profile_deinit(&p);
}

static void test_zoom_and_search(void)
{
	struct profile p;
	struct view v;
	struct export_options o = {.width = 30, .ascii = true, .factor = 1};

	view_of(&v, &p, stacks, NULL);
	view_search(&v, "read", MATCH_REGEX, NULL);
	view_zoom_path(&v, "main;parse");
	is_drawn(&v, &o,
	         "cycles  100 samples  /read/ 80.0% of zoom matched in 1 frame\n"
	         "zoom: main;parse  50.0% of all\n"
	         "      [*read 40.0%-----------]\n"
	         "[parse 50.0%-----------------]\n"
	         "* matches the search\n",
	         "zoomed, the frame fills the width, and matches are marked");
	recipe_add_filter(&v.recipe, FILTER_IGNORE, MATCH_REGEX, "idle");
	v.recipe.sort = SORT_WEIGHT;
	view_update(&v, DIRTY_TREE, NULL, NULL);
	ok(says(&v, &o, "cycles  80 samples  20.0% excluded  without idle  by weight"),
	   "the weight that a filter took out is reported, and the order");
	v.recipe.reverse = true;
	view_update(&v, DIRTY_TREE, NULL, NULL);
	ok(says(&v, &o, "callers of each function"), "the heading names a tree of callers");
	view_deinit(&v);
	profile_deinit(&p);
}

static void test_thin(void)
{
	struct profile p;
	struct view v;
	struct export_options o = {.width = 20, .ascii = true, .factor = 1};

	view_of(&v, &p, "a 970\nb 10\nc 9\nd 1\ne 10\n", NULL);
	is_drawn(&v, &o,
	         "cycles  1,000 samples\n"
	         "[a 97.0%----------]:\n"
	         "[all 100%----------]\n"
	         ": frames thinner than a column, drawn together\n",
	         "thin neighbours are drawn together, with a message");
	v.min_share = 1.5;
	is_drawn(&v, &o,
	         "cycles  1,000 samples\n"
	         "[a 97.0%----------]\n"
	         "[all 100%----------]\n"
	         "4 frames narrower than 1.5% are left out\n",
	         "frames below the smallest share are left out, with a message");
	view_deinit(&v);
	profile_deinit(&p);
	view_of(&v, &p, "a;b 9223372036854775818\na;c 9223372036854775787\n", NULL);
	v.min_share = 100;
	is_drawn(&v, &o,
	         "cycles  18,446,744,073,709,551,605 samples\n"
	         "[a 100%------------]\n"
	         "[all 100%----------]\n"
	         "2 frames narrower than 100% are left out\n",
	         "a share of nearly 2^64 is no more than that");
	view_deinit(&v);
	profile_deinit(&p);
	view_of(&v, &p, "a;b;c 1\nx 60\n", NULL);
	is_drawn(&v, &o,
	         "cycles  61 samples\n"
	         ":x 98.4%-----------]\n"
	         "[all 100%----------]\n"
	         ": frames thinner than a column, drawn together\n",
	         "a speck lies within its neighbour's edge");
	view_deinit(&v);
	profile_deinit(&p);
	view_of(&v, &p, "a;b;c 2\na 4\nx 30\n", NULL);
	is_drawn(&v, &o,
	         "cycles  36 samples\n"
	         "[a][x 83.3%--------]\n"
	         "[all 100%----------]\n"
	         "2 deeper rows left out: nothing in them is wide enough to be read\n",
	         "unreadable rows are left out, with a message");
	view_deinit(&v);
	profile_deinit(&p);
	view_of(&v, &p, "a;b 2\na 4\nx 30\n", NULL);
	ok(says(&v, &o, "1 deeper row left out: nothing in it is wide enough to be read\n"), "one row is an it");
	view_deinit(&v);
	profile_deinit(&p);
	view_of(&v, &p, "a 0\n", NULL);
	ok(says(&v, &o, "no samples\n"), "a profile without weight gets a message");
	view_deinit(&v);
	profile_deinit(&p);
}

static void test_aggregate(void)
{
	struct profile p;
	struct view v;
	struct export_options o = {.width = 50, .ascii = true, .factor = 1};
	struct buf in;

	buf_init(&in);
	for (int i = 0; i < 100; i++)
		buf_addf(&in, "f%02d %d\n", i, i == 42 ? 15 : 10);
	view_of(&v, &p, buf_str(&in), NULL);
	is_drawn(&v, &o,
	         "cycles  1,005 samples\n"
	         ":100 frames 100%: f42 1.5%.......................:\n"
	         "[all 100%----------------------------------------]\n"
	         ": frames thinner than a column, drawn together\n",
	         "frames drawn together are counted, and the widest is named");
	buf_deinit(&in);
	view_deinit(&v);
	profile_deinit(&p);
}

static void test_diff(void)
{
	struct profile p;
	struct view v;
	struct export_options o = {.width = 40, .ascii = true, .factor = 1};

	view_of(&v, &p, "a 6000\nb 4000\n", "a 5000\nb 5000\n");
	is_drawn(&v, &o,
	         "cycles  10,000 samples  diff of shares\n"
	         "[a 60.0% +10.0---------][b 40.0% -10.0-]\n"
	         "[all 100%------------------------------]\n"
	         "+ and - change of the share of all, in percentage points, of the frame without what it calls; "
	         "~ within 2 standard errors: may be chance\n",
	         "a difference says how shares changed");
	o.depth = DEPTH_TRUE;
	ok(says(&v, &o, ";48;2;255;80;80m|a"), "growth is red");
	ok(says(&v, &o, ";48;2;80;80;255m|b"), "shrinkage is blue");
	view_deinit(&v);
	profile_deinit(&p);
	view_of(&v, &p, "a 60\nb 40\n", "a 50\nb 50\n");
	ok(says(&v, &o, ";48;2;255;230;230m|a 60.0% +10.0~"), "noise is pale, and marked");
	view_deinit(&v);
	profile_deinit(&p);
	view_of(&v, &p, "a;b 9000\nx 5000\n", "a;b 1000\nx 5000\n");
	v.recipe.quantity = DIFF_OF_WEIGHTS;
	ok(says(&v, &o, ";48;2;255;80;80m|b 64.3% +8 k"), "the frame that gained weight of its own is red");
	ok(says(&v, &o, ";48;2;250;250;250m|a 64.3%  "), "its caller is not, and has no number");
	ok(says(&v, &o, ";48;2;250;250;250m|x 35.7%       \033"), "and an unchanged weight is not blue");
	v.recipe.quantity = DIFF_OF_SHARES;
	ok(says(&v, &o, ";48;2;80;80;255m|x 35.7% -47.6"), "unless shares are compared");
	o.negate = true;
	ok(says(&v, &o, ";48;2;255;80;80m|x 35.7% -47.6"), "--negate swaps the colours, and no numbers");
	view_deinit(&v);
	profile_deinit(&p);
}

/* Removes the escape sequences. */
static void strip(char *s)
{
	char *to = s;

	for (; *s; s++) {
		if (*s == '\033')
			s += strcspn(s, "m");
		else
			*to++ = *s;
	}
	*to = '\0';
}

static void test_colors(void)
{
	struct profile p;
	struct view v;
	struct export_options o = {.width = 40, .factor = 1, .palette = PALETTE_HOT};

	view_of(&v, &p, stacks, NULL);
	o.depth = DEPTH_TRUE;
	struct rgb c = palette_terminal(PALETTE_HOT, &p.symtab, symtab_find(&p.symtab, "main", 4), 0.8);
	char want[60];
	snprintf(want, sizeof want, "\033[38;5;16;48;2;%u;%u;%um\xE2\x96\x8Fmain", c.r, c.g, c.b);
	ok(says(&v, &o, want), "a frame has its colour");
	o.depth = DEPTH_256;
	snprintf(want, sizeof want, ";48;5;%um\xE2\x96\x8Fmain", palette_256(c));
	ok(says(&v, &o, want), "the nearest of 256");
	o.depth = DEPTH_16;
	ok(says(&v, &o, "\033[30;"), "or of 16");
	char *got = drawn(&v, &o);
	ok(!strstr(got, "m\n") || strstr(got, "\033[0m\n"), "colours end with the line");
	strip(got);
	is_str(got,
	       "cycles  100 samples\n"
	       "            ▏read 40.0%     \n"
	       "        ▏parse 50.0%        ▏write 30.0%\n"
	       "▏idle   ▏main 80.0%                     \n"
	       "▏all 100%                               \n",
	       "bars need no lines");
	free(got);
	view_search(&v, "read", MATCH_REGEX, NULL);
	o.depth = DEPTH_TRUE;
	ok(says(&v, &o, ";48;2;230;0;230m\xE2\x96\x8Fread"), "matches stand out");
	view_deinit(&v);
	profile_deinit(&p);
}

/* The output contains only text and, on request, colours. */
static void test_hostile(void)
{
	struct profile p;
	struct view v;
	struct export_options o = {.width = 60, .ascii = true, .factor = 1};

	view_of(&v, &p, "ev\033[31mil\x07;\xE6\xBC\xA2\xE5\xAD\x97;\xFF 5\n", NULL);
	view_search(&v, "x\033\x01", MATCH_TEXT, NULL);
	char *got = export_text_of(&export_text, &v, &o);
	bool is_clean = got != NULL;
	for (char *s = got; s && *s; s++)
		is_clean = is_clean && (*s == '\n' || (*s >= ' ' && *s <= '~'));
	ok(is_clean, "no byte of a name reaches the output uncleaned, and ASCII is ASCII");
	free(got);
	o.ascii = false;
	got = export_text_of(&export_text, &v, &o);
	ok(got && utf8_is_valid(got, strlen(got)) && !strchr(got, '\033'), "UTF-8 is UTF-8");
	free(got);
	view_deinit(&v);
	profile_deinit(&p);
}

static void is_end(const struct view *v, const struct export_options *o, const char *expected, const char *name)
{
	char *got = export_text_of(&export_text, v, o), *end = got ? strstr(got, "heaviest by self: ") : NULL;

	is_str(end ? end : "", expected, "%s", name);
	free(got);
}

static void test_heaviest(void)
{
	struct profile p;
	struct view v;
	struct export_options o = {.width = 40, .ascii = true, .factor = 1};

	view_of(
		&v, &p,
		"main;parse;read 400\nmain;parse;old 3\nmain;write;parse 80\nmain 1\nidle;a\\long_name_for_40_columns 516\n",
		"main;parse;read 900\nidle 100\n");
	v.recipe.leaves_base = true;
	view_update(&v, DIRTY_TREE, NULL, NULL);
	is_end(&v, &o,
	       "heaviest by self: 51.6% a\\long_name_fo..\n"
	       "                  40.0% read\n"
	       "                   8.0% parse\n",
	       "the text ends with the three functions of most self weight, as wide as the rest");
	o.width = 10;
	is_end(&v, &o,
	       "heaviest by self: 51.6% a\\long..\n"
	       "                  40.0% read\n"
	       "                   8.0% parse\n",
	       "where there is no room, some of the name remains");
	v.recipe.leaves_base = false;
	view_update(&v, DIRTY_TREE, NULL, NULL);
	o.width = 80;
	is_end(&v, &o,
	       "heaviest by self: 51.6% +51.6 a\\long_name_for_40_columns\n"
	       "                  40.0% -50.0 read\n"
	       "                    8.0% +8.0 parse\n",
	       "in a comparison with their changes");
	view_zoom(&v, node_at(&v, "main;write"));
	is_end(&v, &o, "heaviest by self: 8.0% +8.0 parse\n", "of a zoom with those in it, as shares of all");
	view_reset(&v);
	recipe_add_filter(&v.recipe, FILTER_IGNORE, MATCH_REGEX, "a|i");
	view_update(&v, DIRTY_TREE, NULL, NULL);
	is_end(&v, &o, "", "of nothing with none");
	view_deinit(&v);
	profile_deinit(&p);
}

/* Each row is at most as wide as requested, for every width. */
static void test_widths(void)
{
	struct profile p;
	struct view v;
	bool good = true;
	struct buf in;

	buf_init(&in);
	for (uint64_t i = 0, dice = 3; i < 300; i++) {
		for (uint32_t d = chance(&dice, 9) + 1; d; d--)
			buf_addf(&in, "function_%u%s", chance(&dice, 6), d > 1 ? ";" : "");
		buf_addf(&in, " %u\n", 1 + chance(&dice, 90) * chance(&dice, 90));
	}
	view_of(&v, &p, buf_str(&in), NULL);
	for (unsigned w = 1; w < 130; w++) {
		struct export_options o = {
			.width = w, .ascii = w & 1, .factor = 1, .depth = w % 3 ? DEPTH_MONO : DEPTH_256};
		char *got = drawn(&v, &o), *line = strchr(got, '\n') + 1;
		strip(line);
		for (char *end; (end = strchr(line, '\n')) && !strstr(line, "left out") == !strstr(end, "left out");
		     line = end + 1)
			if (strncmp(line, ": frames", 8) != 0 && strncmp(line, "\xE2\x94\x8A frames", 10) != 0)
				good = good && utf8_columns(line, (size_t)(end - line)) <= w;
		free(got);
	}
	ok(good, "no row is wider than asked for");
	buf_deinit(&in);
	view_deinit(&v);
	profile_deinit(&p);
}

int main(void)
{
	test_orientation();
	test_zoom_and_search();
	test_thin();
	test_aggregate();
	test_diff();
	test_colors();
	test_hostile();
	test_heaviest();
	test_widths();
	return done_testing();
}
