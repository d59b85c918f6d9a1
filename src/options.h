/*
 * options.h - the command line. One table makes the parser, --help, the manual's OPTIONS and the completions.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "collapse/collapse.h"
#include "export/export.h"
#include "model/fold.h"

enum color_when { COLOR_AUTO, COLOR_NEVER, COLOR_16, COLOR_256, COLOR_TRUE };

struct record_options {
	bool is_record;        /* `flametop record` */
	const char *frequency, *event, *call_graph, *duration, *record_args, *sudo_flags, *perfdata, *post_process, *compression;
	const char **pids, **tids; /* NULL-terminated or NULL */
	bool all_cpus, no_inline, root, open, verbose, ignore_status, keep_data;
	double window, decay;  /* seconds; 0: everything since the start */
	char **command;        /* NULL-terminated, points into argv; NULL: none */
};

struct options {
	/* input */
	const char **files; /* n_files, owned array */
	size_t n_files;
	const char **diffs; /* --diff=BASE, n_diffs */
	size_t n_diffs;
	struct collapse_options collapse;
	bool no_demangle;
	/* view */
	struct recipe recipe;     /* everything but event, thread, times, which need the profile */
	const char *event, *thread, *time;
	bool inverted;
	const char *zoom, *search;
	double min_share;         /* --minwidth for screen and text */
	/* output */
	const char *output, *to;
	struct export_options export_;
	/* terminal */
	enum color_when color;
	bool ascii, no_mouse, no_config;
	const char *keys, *screen;
	struct record_options record;
	const char *completions;  /* shell */
};

/* What parsing asks main() to do next. */
enum options_result { OPTIONS_GO, OPTIONS_DONE /* --help and the like, printed */, OPTIONS_USAGE /* err: exit 2 */ };

enum options_result options_parse(struct options *, int argc, char **argv, struct err *);
void options_deinit(struct options *);

/* Shell words that reproduce the view (the `C` key); appends to out. See options.c. */
struct view;
void options_add_command(struct buf *out, const struct options *, const struct view *);

#endif
