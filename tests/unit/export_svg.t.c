/* export_svg - which frames are drawn, in which order, and with which text. */
#include "tests/tap.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "export/svg.h"
#include "stacks.h"

static const char basic[] = "a;b 5\na;b;d 2\na;c 3\ne 10\n";

/* All frames of a drawing as "title|fill|fg:x|fg:w|label" lines, in file order; free() it. */
static char *frames_of(const char *svg)
{
	static const char *const marks[][2] = {
		{"<title>", "<"}, {"fill=\"", "\""}, {"fg:x=\"", "\""}, {"fg:w=\"", "\""}, {"<text", "<"}};
	struct buf out;

	buf_init(&out);
	for (const char *p = strstr(svg, "id=\"frames\""); p && (p = strstr(p, "<title>"));) {
		for (size_t i = 0; i < 5 && p; i++) {
			const char *mark = strstr(p, marks[i][0]), *end = strstr(p, "</g>");
			if (i == 4 && (!mark || (end && end < mark))) { /* too narrow for a label */
				buf_addc(&out, '\n');
				break;
			}
			p = mark;
			if (!p)
				break;
			p += strlen(marks[i][0]);
			if (i == 4)
				p = strchr(p, '>') + 1;
			buf_add(&out, p, strcspn(p, marks[i][1]));
			buf_addc(&out, i == 4 ? '\n' : '|');
		}
	}
	return buf_take(&out);
}

struct drawing {
	struct profile profile;
	struct view view;
	char *text;
};

static struct export_options defaults(void)
{
	return (struct export_options){.min_width = -1, .source = COLOR_HASH, .fail_above = -1};
}

static void draw(struct drawing *d, const char *stacks, const char *base, const struct export_options *o)
{
	view_of(&d->view, &d->profile, stacks, base);
	d->view.recipe.quantity = DIFF_OF_WEIGHTS;
	d->view.is_classic = true;
	d->view.min_share = o->min_width > 0 ? o->min_width : 0; /* --minwidth is both */
	d->text = export_text_of(&export_svg, &d->view, o);
}

static void drop(struct drawing *d)
{
	free(d->text);
	view_deinit(&d->view);
	profile_deinit(&d->profile);
}

static void draws(const char *stacks, const char *base, const struct export_options *o, const char *expected,
                  const char *name)
{
	struct drawing d;
	char *frames;

	draw(&d, stacks, base, o);
	frames = frames_of(d.text ? d.text : "");
	is_str(frames, expected, "%s", name);
	free(frames);
	drop(&d);
}

static void holds(const struct export_options *o, const char *words, const char *name)
{
	struct drawing d;

	draw(&d, basic, NULL, o);
	if (!ok(d.text && strstr(d.text, words), "%s", name))
		diag("not found: %s", words);
	drop(&d);
}

static void test_numbers(void)
{
	static const double some[] = {
		0,      0.5,           1.5,           2.5,      0.00005, 0.125,        0.03125, 99.99995,
		100,    36.0824742268, 3.41880341880, 0.015625, 1e-9,    123456.78905, 1e8,     987654321.4375,
		-0.001, -24.395};
	static const unsigned places[] = {0, 2, 4, 6};
	bool good = true;
	char expected[64];
	uint64_t dice = 3;
	struct buf b;

	buf_init(&b);
	for (size_t i = 0; i < 20000; i++) {
		double v = i < sizeof some / sizeof *some ? some[i]
		                                          : 100.0 * chance(&dice, 1u << 20) / (1 + chance(&dice, 1u << 20));
		unsigned n = places[i % 4];

		b.len = 0;
		svg_add_fixed(&b, v, n);
		snprintf(expected, sizeof expected, "%.*f", (int)n, v);
		if (strcmp(buf_str(&b), expected) != 0) {
			good = false;
			diag("%.17g with %u places: got %s, expected %s", v, n, buf_str(&b), expected);
		}
	}
	ok(good, "numbers are written as printf writes them");
	b.len = 0;
	svg_add_fixed(&b, 1e30, 2);
	is_str(buf_str(&b), "1000000000000000000.00", "a number beyond all reason ends somewhere");
	b.len = 0;
	svg_add_decimal(&b, 0.590, 6);
	svg_add_pixels(&b, -12);
	svg_add_pixels(&b, 14.25);
	is_str(buf_str(&b), "0.59-1214.25", "no zeros at the end of pixels");
	buf_deinit(&b);
}

static void test_text(void)
{
	struct buf b;

	buf_init(&b);
	svg_add_text(&b, "<&'\">\x01\n", 7);
	is_str(buf_str(&b), "&lt;&amp;&apos;&quot;&gt;\xEF\xBF\xBD\xEF\xBF\xBD",
	       "text is escaped, control characters are made visible");
	b.len = 0;
	svg_add_comment(&b, "a--b---c->-");
	ok(!strstr(buf_str(&b), "--") && b.data[b.len - 1] != '-', "no two hyphens meet in a comment");
	b.len = 0;
	svg_add_js_string(&b, "it's \\ ]]> \xC3\xBC \xF0\x9F\x98\x80\n</script>");
	is_str(buf_str(&b), "'it\\'s \\\\ ]]\\u003e \\u00fc \\ud83d\\ude00\\ufffd\\u003c/script\\u003e'",
	       "a string of the script cannot be left");
	b.len = 0;
	svg_add_as_ascii(&b, "gr\xC3\xBC\xC3\x9F", 6);
	is_str(buf_str(&b), "gr&#252;&#223;", "characters beyond ASCII can be references");
	buf_deinit(&b);
}

static void test_order(void)
{
	struct export_options o = defaults();

	draws(basic, NULL, &o,
	      "b (7 samples, 35.00%)|rgb(232,127,30)|0|7|b\n"
	      "d (2 samples, 10.00%)|rgb(255,230,55)|5|2|d\n"
	      "a (10 samples, 50.00%)|rgb(235,140,33)|0|10|a\n"
	      "c (3 samples, 15.00%)|rgb(230,115,27)|7|3|c\n"
	      "all (20 samples, 100%)|rgb(255,230,55)|0|20|\n"
	      "e (10 samples, 50.00%)|rgb(252,217,51)|10|10|e\n",
	      "frames are drawn as they close, from the root to the leaf");
	o.source = COLOR_RANDOM;
	draws("x 1\n", NULL, &o,
	      "all (1 samples, 100%)|rgb(227,0,7)|0|1|\nx (1 samples, 100.00%)|rgb(217,0,24)|0|1|x\n",
	      "random colours come from one seed, in the order of drawing");
	o.factor = 2.5;
	o.count_name = "<ms>";
	o.source = COLOR_HASH;
	draws("-- 3\n- 4\n", NULL, &o,
	      "- (10 &lt;ms&gt;, 55.56%)|rgb(200,200,200)|0|4|-\n"
	      "all (18 &lt;ms&gt;, 100%)|rgb(255,230,55)|0|7|\n"
	      "-- (8 &lt;ms&gt;, 44.44%)|rgb(160,160,160)|4|3|--\n",
	      "--factor changes the numbers shown, not the drawing");
	o = defaults();
	o.factor = 1.5;
	draws("a;b 1\na;c 2\n", NULL, &o,
	      "b (2 samples, 40.00%)|rgb(232,127,30)|0|1|b\n"
	      "all (5 samples, 100%)|rgb(255,230,55)|0|3|\n"
	      "a (5 samples, 100.00%)|rgb(235,140,33)|0|3|a\n"
	      "c (3 samples, 60.00%)|rgb(230,115,27)|1|2|c\n",
	      "shares are of rounded counts, and none exceeds 100 %");
}

static void test_diff(void)
{
	struct export_options o = defaults();

	draws("a;b 30\na;c 10\n", "a;b 10\na;c 10\na;gone 50\n", &o,
	      "b (30 samples, 75.00%; +50.00%)|rgb(255,190,190)|0|30|b\n"
	      "c (10 samples, 25.00%; 0.00%)|rgb(250,250,250)|30|10|c\n"
	      "all (40 samples, 100%)|rgb(250,250,250)|0|40|\n"
	      "a (40 samples, 100.00%; 0.00%)|rgb(250,250,250)|0|40|a\n",
	      "a frame has the change of its own stack, on a scale that includes vanished ones");
	o.negate = true;
	draws(
		"b 30\n", "b 10\n", &o,
		"all (30 samples, 100%)|rgb(250,250,250)|0|30|\nb (30 samples, 100.00%; -66.67%)|rgb(100,100,255)|0|30|b\n",
		"--negate swaps sign and hue");
}

/* A function with more weight and a smaller share: in a comparison of shares it is blue, and the words agree. */
static void test_shares(void)
{
	struct export_options o = defaults();
	struct drawing d;

	draw(&d, "a 300\nb 700\n", "a 200\nb 100\n", &o);
	ok(strstr(d.text, "<title>a (300 samples, 30.00%; +10.00%)</title>"), "of weights it grew");
	free(d.text);
	d.view.recipe.quantity = DIFF_OF_SHARES;
	d.view.is_classic = false;
	d.text = export_text_of(&export_svg, &d.view, &o);
	char *frames = frames_of(d.text);
	is_str(
		frames,
		"a (300 samples, 30.00%; before 66.67%, after 30.00%, -36.67 points; self -36.67 points)|rgb(80,80,255)|0|300|a\n"
		"all (1,000 samples, 100%)|rgb(250,250,250)|0|1000|\n"
		"b (700 samples, 70.00%; before 33.33%, after 70.00%, +36.67 points; self +36.67 points)|rgb(255,80,80)|300|700|b\n",
		"of shares it shrank");
	ok(strstr(d.text, ">diff of shares</text>"), "and the drawing says so");
	free(frames);
	free(d.text);
	o.negate = true;
	d.text = export_text_of(&export_svg, &d.view, &o);
	frames = frames_of(d.text);
	ok(strstr(
		   frames,
		   "a (300 samples, 30.00%; before 66.67%, after 30.00%, -36.67 points; self -36.67 points)|rgb(255,80,80)"),
	   "--negate swaps colours, and no number");
	free(frames);
	free(d.text);
	o.negate = false;
	o.factor = 10;
	d.view.recipe.quantity = DIFF_OF_WEIGHTS;
	d.text = export_text_of(&export_svg, &d.view, &o);
	frames = frames_of(d.text);
	is_str(frames,
	       "a (3,000 samples, 30.00%; before 2,000, after 3,000, +1,000; self +1,000)|rgb(255,151,151)|0|300|a\n"
	       "all (10,000 samples, 100%)|rgb(250,250,250)|0|1000|\n"
	       "b (7,000 samples, 70.00%; before 1,000, after 7,000, +6,000; self +6,000)|rgb(255,80,80)|300|700|b\n",
	       "changes of weights are weights, times --factor");
	ok(strstr(d.text, ">diff of weights</text>"), "and the drawing names them");
	free(frames);
	drop(&d);
}

/* Widths from the baseline show vanished frames; growth since then is still red. */
static void test_swapped(void)
{
	struct export_options o = defaults();
	struct drawing d;
	char *svg, *frames;

	draw(&d, "b 30\n", "b 10\ngone 10\n", &o);
	d.view.recipe.swap_sides = true;
	view_update(&d.view, DIRTY_TREE, NULL, NULL);
	svg = export_text_of(&export_svg, &d.view, &o);
	frames = frames_of(svg);
	is_str(frames,
	       "b (10 samples, 50.00%; +100.00%)|rgb(255,100,100)|0|10|b\n"
	       "all (20 samples, 100%)|rgb(250,250,250)|0|20|\n"
	       "gone (10 samples, 50.00%; -50.00%)|rgb(175,175,255)|10|10|gone\n",
	       "widths from the baseline keep red for growth");
	free(frames);
	free(svg);
	drop(&d);
}

/* Pruning draws as many frames as a scan of all nodes finds. */
static void test_pruning(void)
{
	struct export_options o = defaults();
	struct drawing d;
	struct buf stacks;
	uint64_t dice = 11;
	size_t drawn = 0;
	char *frames, wanted[64];
	uint32_t wide = 0, least;

	buf_init(&stacks);
	for (int i = 0; i < 3000; i++)
		buf_addf(&stacks, "r%u;f%u;g%u %u\n", chance(&dice, 3), chance(&dice, 400), chance(&dice, 3),
		         chance(&dice, 50) ? 1 + chance(&dice, 3) : 500u);
	o.min_width = 0.5;
	draw(&d, buf_str(&stacks), NULL, &o);
	least = (uint32_t)((double)view_total(&d.view) * 0.005 + 0.999999);
	for (uint32_t i = 0; i < d.view.tree.n; i++)
		wide += tree_total(&d.view.tree, i) >= least;
	frames = frames_of(d.text);
	for (const char *p = frames; (p = strchr(p, '\n')); p++)
		drawn++;
	is_int(drawn, wide, "every frame that is wide enough is drawn, behind any number of narrow ones");
	ok(wide > 50 && wide < d.view.tree.n / 2, "(the profile has both kinds)");
	snprintf(wanted, sizeof wanted, ",%03u frames narrower than 0.5%% are left out<",
	         (d.view.tree.n - wide) % 1000);
	ok(strstr(d.text, wanted) != NULL, "and the drawing says how many are not");
	free(frames);
	buf_deinit(&stacks);
	drop(&d);
}

static void test_zoom(void)
{
	struct export_options o = defaults();
	struct drawing d;
	char *frames, *zoomed;

	draw(&d, basic, NULL, &o);
	view_zoom(&d.view, node_at(&d.view, "a;b"));
	zoomed = export_text_of(&export_svg, &d.view, &o);
	frames = frames_of(zoomed);
	is_str(frames,
	       "all (20 samples, 100%)|rgb(255,230,55)|0|7|\n"
	       "a (10 samples, 50.00%)|rgb(235,140,33)|0|7|a\n"
	       "b (7 samples, 35.00%)|rgb(232,127,30)|0|7|b\n"
	       "d (2 samples, 10.00%)|rgb(255,230,55)|5|2|d\n",
	       "a zoomed view has its callers in full width, and the shares of the whole");
	ok(strstr(zoomed, "total_samples=\"7\"") != NULL, "the width of the drawing is that of the zoomed frame");
	ok(strstr(zoomed, "<g class=\"parent\"><title>a ") != NULL, "its callers are marked");
	free(frames);
	free(zoomed);
	drop(&d);
}

static void test_options(void)
{
	struct export_options o = defaults();
	struct drawing d;

	holds(&o, "<text id=\"title\" fill=\"rgb(0,0,0)\" x=\"50.0000%\" y=\"24.00\">Flame Graph</text>",
	      "the title has a default");
	holds(&o, "width=\"1200\" height=\"134\" onload=\"init(evt)\" viewBox=\"0 0 1200 134\"",
	      "the height follows from the depth");
	o.title = "<&";
	o.subtitle = "below";
	o.font_size = 10;
	o.height = 20;
	o.width = 640;
	o.font_type = "My \"Font\"\\";
	o.ui_color = "#102030";
	o.stroke_color = "#ff0000";
	o.encoding = "ISO-8859-1";
	holds(&o, "y=\"20.00\">&lt;&amp;</text>", "--title");
	holds(&o, "<text id=\"subtitle\" x=\"50.0000%\" y=\"40.00\">below</text>", "--subtitle");
	holds(&o, "font-family:\"My \\\"Font\\\"\\\\\"; font-size:10px", "--fonttype and --fontsize");
	holds(&o, "fill=\"rgb(16,32,48)\"", "--uicolor");
	holds(&o, "#frames > g > rect { stroke:rgb(255,0,0); stroke-width:1; }", "--stroke-color");
	holds(&o, "<?xml version=\"1.0\" encoding=\"ISO-8859-1\" standalone=\"no\"?>", "--encoding");
	holds(&o, "<svg version=\"1.1\" width=\"640\" height=\"160\"", "--width and --height");
	holds(&o, "var fluiddrawing = false;", "a fixed width is not fluid");
	o.count_name = "a (b) (c";
	holds(&o, "\nvar unitparens = 2;\n", "the script learns how many parentheses belong to the unit");
	o = defaults();
	o.total = 40;
	holds(&o, "<title>all (40 samples, 100%)</title>", "--total widens the root");
	holds(&o, "<title>e (10 samples, 25.00%)</title>", "and everything is a share of it");
	o = defaults();
	o.color_diffusion = true;
	holds(&o, "fill=\"rgb(255,100,100)\" fg:x=\"0\" fg:w=\"20\"", "--colordiffusion: wide is red");
	o = defaults();
	o.pretty_xml = true;
	holds(&o, "\n        <g>\n            <title>b (7 samples, 35.00%)</title>\n            <rect ",
	      "--pretty-xml breaks and indents");
	o = defaults();
	o.encoding = "UTF-16";
	draw(&d, basic, NULL, &o);
	ok(!d.text, "an encoding that the output would not have is refused");
	drop(&d);
	draw(&d, "", NULL, &o);
	ok(!d.text, "no samples are no drawing");
	drop(&d);
}

static char *file_of_bytes(const char *bytes, size_t n)
{
	char *path = mem_strdup("/tmp/flametop-svg-XXXXXX");
	int fd = mkstemp(path);

	if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
		bail_out("cannot write %s", path);
	close(fd);
	return path;
}

static char *file_of(const char *text)
{
	return file_of_bytes(text, strlen(text));
}

static void forget(char *path)
{
	unlink(path);
	free(path);
}

static void test_map(void)
{
	char *path = file_of("b->rgb(1, 2 ,3)\noperator->->rgb(4,5,6)\n\nbad\nworse->rgb(1,2,256)\nc->rgb(1,2)\n");
	struct export_options o = defaults();
	struct svg_map map;
	struct report report;
	struct rgb c = {0};
	struct err err = {0};

	report_init(&report);
	ok(svg_map_read(&map, path, &report, &err), "a palette file is read");
	ok(svg_map_get(&map, "b", 1, &c) && c.r == 1 && c.g == 2 && c.b == 3, "blanks around numbers are allowed");
	ok(svg_map_get(&map, "operator->", 10, &c) && c.g == 5, "the last arrow divides a line");
	ok(!svg_map_get(&map, "worse", 5, &c), "a colour beyond 255 is invalid");
	is_int(report.n ? report.notes[0].count : 0, 3, "lines that are no colours are counted");
	svg_map_deinit(&map);
	report_deinit(&report);
	forget(path);

	path = file_of("b->rgb(1,2,3)\nunused->rgb(9,9,9)\n");
	o.palette_map = path;
	holds(&o, "fill=\"rgb(1,2,3)\" fg:x=\"0\" fg:w=\"7\"", "a name keeps its colour");
	report_init(&report);
	ok(svg_map_read(&map, path, &report, &err) && svg_map_get(&map, "e", 1, &c) && c.r == 252,
	   "new names are learnt");
	ok(svg_map_get(&map, "unused", 6, &c) && svg_map_get(&map, "", 0, &c),
	   "old ones are kept, and the root has its place");
	svg_map_deinit(&map);
	report_deinit(&report);
	forget(path);
}

/* Content of a palette file after a drawing that used it; free() it. */
static char *map_after(const char *text, bool is_drawn, const char *name)
{
	char *path = file_of(text);
	struct export_options o = defaults();
	struct drawing d;
	struct buf after;
	FILE *f;

	o.palette_map = path;
	draw(&d, "e 1\n", NULL, &o);
	ok((d.text != NULL) == is_drawn, "%s", name);
	drop(&d);
	buf_init(&after);
	f = fopen(path, "rb");
	for (int c; f && (c = getc(f)) != EOF;)
		buf_addc(&after, (char)c);
	if (f)
		fclose(f);
	forget(path);
	return buf_take(&after);
}

static void test_foreign_map(void)
{
	static const char diary[] = "a diary\nof mine\n";
	char *after = map_after(diary, false, "a file without a colour is refused as a palette");

	is_str(after, diary, "and it stays as it is");
	free(after);
	after = map_after(" ", false, "a blank is no colour either");
	is_str(after, " ", "and not lost");
	free(after);
	after = map_after("\n\n", true, "empty lines are nothing that could be lost");
	free(after);
	after = map_after("# mine\nz->rgb(1,2,3)\ne->rgb(252,217,5l)\n\nlast", true,
	                  "a line that is no colour is no error");
	is_str(after, "# mine\ne->rgb(252,217,5l)\nlast\n->rgb(255,230,55)\ne->rgb(252,217,51)\nz->rgb(1,2,3)\n",
	       "and is kept, before those that are");
	free(after);
}

/* Opening does not block: neither on a pipe without a writer, nor on an endless device. */
static void test_pipes(void)
{
	char *path = file_of("");
	struct svg_map map;
	struct svg_attrs attrs;
	struct report report;
	struct err err = {""};

	report_init(&report);
	if (unlink(path) != 0 || mkfifo(path, 0600) != 0)
		bail_out("cannot make %s", path);
	alarm(20);
	ok(!svg_map_read(&map, path, &report, &err) && strstr(err.text, "not a regular file"), "a palette is no pipe");
	svg_map_deinit(&map);
	ok(!svg_attrs_read(&attrs, path, &report, &err) && strstr(err.text, "not a regular file"),
	   "nor is a file of attributes");
	svg_attrs_deinit(&attrs);
	ok(!svg_map_read(&map, "/dev/zero", &report, &err), "nor a device that never ends");
	svg_map_deinit(&map);
	ok(svg_attrs_read(&attrs, "/dev/null", &report, &err), "/dev/null is an empty file");
	svg_attrs_deinit(&attrs);

	int ends[2];
	char name[32];
	if (pipe(ends) != 0 || write(ends[1], "c\tid=x\n", 7) != 7)
		bail_out("cannot make a pipe");
	close(ends[1]);
	snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
	ok(svg_attrs_read(&attrs, name, &report, &err) && attrs.keys.n > 1, "a pipe from the shell is read");
	svg_attrs_deinit(&attrs);
	close(ends[0]);
	alarm(0);
	report_deinit(&report);
	forget(path);
}

static void test_attrs(void)
{
	char *path = file_of("b\ttitle=\"<T>\"\thref=https://example.org/?a&b\tclass=mine\n\n"
	                     "c\tg_extra=stroke-width=\"1 2\" rel=x bad y:z=1 stroke=\"green\n"
	                     "d\tid=\"one\"\tid=two\tstyle=x\thref=javascript:alert(1)\n");
	struct export_options o = defaults();

	o.name_attr = path;
	int saved = dup(2), nowhere = open("/dev/null", O_WRONLY); /* warnings are expected, and not tested here */
	dup2(nowhere, 2);
	holds(&o,
	      "<a xlink:href=\"https://example.org/?a&amp;b\" class=\"mine\" target=\"_top\"><title>&lt;T&gt;</title>",
	      "a link makes the frame an anchor with a target");
	holds(&o, " fg:w=\"7\" fg:name=\"b\"/><text", "a frame with another tooltip keeps its name");
	holds(&o, " fg:w=\"2\"/><text", "others have it in theirs");
	holds(&o, "<g stroke-width=\"1 2\" rel=\"x\"><title>c ", "extra attributes up to an open quote are taken");
	holds(&o, "<g id=\"two\"><title>d ", "a repeated attribute has its last value, a script link none");
	dup2(saved, 2);
	close(saved);
	close(nowhere);
	o.name_attr = "/nonexistent/attrs";
	struct drawing d;
	draw(&d, basic, NULL, &o);
	ok(!d.text, "a file that cannot be read is an error");
	drop(&d);
	forget(path);
}

/* Draws with a file of attributes for the frame `c`: checks the result, and how many lines were refused. */
static void bytes_give(const char *attributes, size_t n, const char *expected, unsigned refused, const char *name)
{
	struct buf line;
	struct svg_attrs attrs;
	struct report report;
	struct err err = {""};
	unsigned notes = 0;

	buf_init(&line);
	buf_adds(&line, "x\nc\t");
	buf_add(&line, attributes, n);
	buf_addc(&line, '\n');
	char *path = file_of_bytes(line.data, line.len);
	report_init(&report);
	bool is_read = svg_attrs_read(&attrs, path, &report, &err);
	uint32_t id = is_read ? symtab_find(&attrs.functions, "c", 1) : UINT32_MAX;
	line.len = 0;
	for (size_t i = 0; id != UINT32_MAX && i < attrs.sets[id].n; i++)
		buf_addf(&line, "%s[%s=%s]", i ? " " : "", attrs.keys.symbols[attrs.sets[id].list[i].key].name,
		         attrs.sets[id].list[i].value);
	if (id != UINT32_MAX && attrs.sets[id].title)
		buf_addf(&line, "(%s)", attrs.sets[id].title);
	for (size_t i = 0; i < report.n; i++)
		notes += report.notes[i].line == 2 && report.notes[i].file ? (unsigned)report.notes[i].count : 0;
	is_str(buf_str(&line), expected, "%s", name);
	if (notes != refused)
		ok(false, "%s: refused %u, expected %u", name, notes, refused);
	svg_attrs_deinit(&attrs);
	report_deinit(&report);
	buf_deinit(&line);
	forget(path);
}

static void attrs_give(const char *attributes, const char *expected, unsigned refused, const char *name)
{
	bytes_give(attributes, strlen(attributes), expected, refused, name);
}

/* Text behind a NUL would be lost silently. */
static void test_nul(void)
{
#define GIVE(text, ...) bytes_give(text, sizeof(text) - 1, __VA_ARGS__)
	GIVE("title=a\0b", "", 1, "a title with a NUL is left out");
	GIVE("title=good\ttitle=a\0", "(good)", 1, "and takes no other's place");
	GIVE("href=/x\0y\tclass=mine", "[class=mine]", 1, "so is a link, and valid attributes next to it are kept");
	GIVE("href=java\0script:alert(1)", "", 1, "also one that would run a script without it");
	GIVE("id=a\0b\tclass=\0\ttarget=x\0", "", 1, "and every other attribute; the line counts once");
	GIVE("a_extra=rel=\"a\0b\" hreflang=de xlink:href=/\0", "[hreflang=de]", 1, "in a list of extra ones");
	GIVE("g_extra=fill=red\0 data-x\0=1 stroke=green", "[stroke=green]", 2, "in values and names");
	GIVE("title\0=x", "", 1, "a name with a NUL is invalid");
#undef GIVE
}

static void test_handlers(void)
{
	static const char *const handlers[] = {
		"g_extra=onload=alert(1)",
		"a_extra=onload=alert(1)",
		"g_extra=onload=\"alert(1)\"",
		"g_extra=OnLoad='alert(1)'",
		"g_extra=ONCLICK=x",
		"g_extra=/onload=x",
		"g_extra=fill/onload=x",
		"g_extra=\fonload=x",
		"g_extra=\vonload=x",
		"g_extra=&#111;nload=x",
		"g_extra=on\001load=x",
		"g_extra=svg:onload=x",
		"g_extra=xlink:onload=x",
		"g_extra=ev:event=load",
		"g_extra=xml:base=javascript:",
		"g_extra=xmlns:xlink=x",
		"g_extra=begin=0s",
		"g_extra=attributeName=href",
		"g_extra=requiredExtensions=x",
		"g_extra=fg:x=1",
		"a_extra=ping=http://example.org",
		"a_extra=download=x",
		"a_extra=data-=x",
		"a_extra=data-X=x",
		"onload=alert(1)",
		"style=fill:red",
		"href=javascript:alert(1)",
		"href= JaVaScript:alert(1)",
		"href=java\001script:alert(1)",
		"href=\"java\vscript:alert(1)\"",
		"href=javascript&colon;x:alert(1)",
		"href=vbscript:x",
		"href=data:text/html,<script>alert(1)</script>",
		"href=blob:x",
		"href=view-source:javascript:alert(1)",
		"href=feed:javascript:alert(1)",
		"href=httphttphttphttphttphttphttp://x",
		"href=:x",
		"a_extra=xlink:href=javascript:alert(1)",
		"a_extra=href=\"javascript:alert(1)\"",
		"a_extra=Href=\"javascript:alert(1)\"",
		"g_extra=fill=url(http://example.org/#x)",
		"g_extra=fill=\"URL (x)\"",
		"g_extra=cursor=\"image-set('x' 1x)\"",
		"g_extra=fill=u\\72l(x)",
		"g_extra=style=\"fill:u\\72 l(x)\"",
		"g_extra=style=\"background:url(javascript:alert(1))\"",
		"g_extra=style=\"width:expression(alert(1))\"",
		"g_extra=style=\"fill:xrgb(1,2,3)\"",
		"g_extra=style=\"@import 'x'\"",
	};

	for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++)
		attrs_give(handlers[i], "", 1, handlers[i]);
	attrs_give("g_extra=stroke='green' onload=x stroke-width=2", "[stroke=green] [stroke-width=2]", 1,
	           "valid attributes next to a handler are kept");
	attrs_give("g_extra=fill=\"rgb(1, 2,3)\" style=\"fill:hsl(1 2% 3%);stroke:rgba(1,2,3,4)\"",
	           "[fill=rgb(1, 2,3)] [style=fill:hsl(1 2% 3%);stroke:rgba(1,2,3,4)]", 0, "colours may be computed");
	attrs_give("a_extra=rel=\"external\" hreflang=\"en-us\" data-line=\"12\" aria-label='a b' xml:lang=de",
	           "[rel=external] [hreflang=en-us] [data-line=12] [aria-label=a b] [xml:lang=de]", 0,
	           "attributes that only describe a frame are taken");
	attrs_give("id=a\" onload=\"x\tclass=b\" onload=\"y\ttarget=_blank\"><script>",
	           "[id=a\" onload=\"x] [class=b\" onload=\"y] [target=_blank\"><script>]", 0,
	           "values are values, and escaped when they are written");
	attrs_give("href=&#106;avascript:alert(1)", "[xlink:href=&#106;avascript:alert(1)] [target=_top]", 0,
	           "a reference is text, and written as text");
	attrs_give("href=#x:y", "[xlink:href=#x:y] [target=_top]", 0, "a link within the page is good");
	attrs_give("href=../a/b:c.html", "[xlink:href=../a/b:c.html] [target=_top]", 0, "so is a relative one");
	attrs_give("href=vscode://file/a.c:7", "[xlink:href=vscode://file/a.c:7] [target=_top]", 0,
	           "one to a line in an editor");
	attrs_give("href=HTTPS://x", "[xlink:href=HTTPS://x] [target=_top]", 0, "and one to the web");
}

static void test_encodings(void)
{
	static const char *const bad[] = {"utf-7",   "UTF-16", "hz-gb-2312", "ISO-2022-JP", "ebcdic-us", "cp037",
	                                  "unicode", "x",      "",           "utf-8\"?><x", "latin1 x"};
	struct drawing d;
	struct export_options o = defaults();

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		o.encoding = bad[i];
		draw(&d, basic, NULL, &o);
		ok(!d.text, "'%s' is no encoding for a drawing", bad[i]);
		drop(&d);
	}
	o.encoding = "ISO-8859-15";
	holds(&o, "<?xml version=\"1.0\" encoding=\"ISO-8859-15\"", "one that extends ASCII is");
}

int main(void)
{
	test_numbers();
	test_text();
	test_order();
	test_diff();
	test_shares();
	test_swapped();
	test_pruning();
	test_zoom();
	test_options();
	test_map();
	test_foreign_map();
	test_pipes();
	test_attrs();
	test_handlers();
	test_nul();
	test_encodings();
	return done_testing();
}
