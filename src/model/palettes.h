/*
 * palettes.h - every palette of colours, one row each.
 *
 *	ROW(kind, name, help, whose, page, turn)
 *
 * whose: CLASSIC palettes are those of flamegraph.pl and inferno, and --hash, --deterministic and --random
 * say where their colours come from; OWN are for the terminal. page: the background of an SVG, unless
 * --bgcolors names one. turn: when the viewer's key comes to it, the lowest first; of equal ones the upper
 * row comes first. The order of rows is that of --colors=help. The colours are in palette.c.
 */
#ifndef MODEL_PALETTES_H
#define MODEL_PALETTES_H

/* clang-format off */
#define PALETTES(ROW) \
	ROW(HOT, "hot", "red to yellow", CLASSIC, "yellow", 1) \
	ROW(MEM, "mem", "greens, for memory", CLASSIC, "green", 11) \
	ROW(IO, "io", "blues, for input and output", CLASSIC, "blue", 12) \
	ROW(RED, "red", "reds", CLASSIC, "grey", 19) \
	ROW(GREEN, "green", "greens", CLASSIC, "grey", 14) \
	ROW(BLUE, "blue", "blues", CLASSIC, "grey", 15) \
	ROW(AQUA, "aqua", "blue-greens", CLASSIC, "grey", 13) \
	ROW(YELLOW, "yellow", "yellows", CLASSIC, "grey", 18) \
	ROW(PURPLE, "purple", "purples", CLASSIC, "grey", 16) \
	ROW(ORANGE, "orange", "oranges", CLASSIC, "grey", 17) \
	ROW(JAVA, "java", "Java green, C++ yellow, kernel orange, inlined aqua, other red", CLASSIC, "yellow", 6) \
	ROW(JS, "js", "JavaScript green, modules purple, built-in aqua, C++ yellow, kernel orange", \
	    CLASSIC, "yellow", 7) \
	ROW(PERL, "perl", "Perl green, C++ yellow, kernel orange, other red", CLASSIC, "yellow", 8) \
	ROW(PYTHON, "python", "packages aqua, standard library and built-ins yellow, other red", CLASSIC, "yellow", 9) \
	ROW(RUST, "rust", "standard library orange, other Rust aqua, native yellow", CLASSIC, "yellow", 10) \
	ROW(WAKEUP, "wakeup", "blue-greens, for wake-up stacks", CLASSIC, "blue", 20) \
	ROW(CHAIN, "chain", "blocked stacks blue, wakers' stacks aqua", CLASSIC, "blue", 21) \
	ROW(SAFE, "safe", "blue over grey to yellow, told apart with any colour vision", OWN, "grey", 2) \
	ROW(MODULE, "module", "one hue for each library or namespace", OWN, "grey", 3) \
	ROW(SHARE, "share", "pale to red, by share of the whole", OWN, "grey", 5) \
	ROW(KIND, "kind", "kernel orange, user yellow, JIT green, inlined aqua, process purple, rest red", \
	    OWN, "grey", 4) \
	ROW(MONO, "mono", "greys", OWN, "grey", 22)
/* clang-format on */

#endif
