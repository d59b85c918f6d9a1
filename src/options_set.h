/*
 * options_set.h - setters for the values of options, used only by the table.
 */
#ifndef OPTIONS_SET_H
#define OPTIONS_SET_H

#include "options.h"

/* Values that are words; the first is number 0. */
#define SPLIT_WORDS "file event comm pid tid cpu module label:" /* enum split_key; a label's key follows */
#define COLOR_WORDS "auto never 16 256 truecolor"               /* enum color_when */
#define SORT_WORDS "name weight input"                          /* enum sort_order */
#define FRAMES_WORDS "program all language native"              /* enum frames_shown */
#define AXIS_WORDS "time samples"                               /* enum chart_axis */
#define UNIT_WORDS "ns us ms s bytes samples cycles instructions calls objects"
#define IDLE_WORDS "always never"
#define WIDTHS_WORDS "after before"
#define SHELL_WORDS "bash zsh fish powershell elvish"
/* As views are called on the screen; the first ones in the order of enum shown_view. */
#define VIEW_WORDS "flame table sandwich calls lines chart heat instructions"
/* In the order of enum top_column. */
#define TABLE_SORT_WORDS                                                                                       \
	"self total frames self-before self-after self-change self-percent total-before total-after total-change " \
	"total-percent name"

/* "'x' is not WHAT"; the caller puts the name of the option before it. Returns false. */
bool value_is_bad(struct err *, const char *value, const char *expected);
/* Index of the value among words separated by blanks; below 0: none, err is set. */
int value_find_word(const char *words, const char *value, struct err *);
/* Is it a colour like #rrggbb? */
bool value_is_rgb(const char *value);
/* Frees the buffer and returns a copy of its text that lives as long as the options. */
const char *value_keep(struct options *, struct buf *text);
/* Appends to a NULL-terminated list (NULL if empty) and returns it; the caller frees it. */
const char **value_add_to_list(const char **list, const char *value);
/*
 * Reads back a name or text that `C` wrote as a pattern; the caller frees the text. false: not a pattern.
 */
bool value_read_pattern(const char *value, struct buf *text, enum match_mode *, struct err *err);
/* Adds a filter; value NULL: it has no pattern. */
bool value_add_filter(struct options *, enum filter_kind, const char *value, struct err *);

/* Overwrites what is secret in a value, once it was read. */
void option_blot(const struct option_row *, char *value);

/* Value NULL: none given. false: bad value; err does not name the option. */
typedef bool option_setter(struct options *, const char *value, struct err *);

option_setter option_set_format;
option_setter option_set_unit;
option_setter option_set_all;
option_setter option_set_tid;
option_setter option_set_skip_after;
option_setter option_set_path_map, option_set_source_path;
option_setter option_set_idle;
option_setter option_set_off_cpu;
option_setter option_set_io;
option_setter option_set_widths;
option_setter option_set_diff;
option_setter option_set_absolute;
option_setter option_set_normalize;
option_setter option_set_split;
option_setter option_set_tagroot;
option_setter option_set_search;
option_setter option_set_time;
option_setter option_set_window;
option_setter option_set_decay;
option_setter option_set_minwidth;
option_setter option_set_no_inverted;
option_setter option_set_view;
option_setter option_set_function;
option_setter option_set_fold_lanes;
option_setter option_set_zoom_time;
option_setter option_set_cursor;
option_setter option_set_scroll;
option_setter option_set_table_sort;
option_setter option_set_table_filter;
option_setter option_set_expand;
option_setter option_set_heat_at;
option_setter option_set_to;
option_setter option_set_colors;
option_setter option_set_bgcolors;
option_setter option_set_stroke;
option_setter option_set_hash;
option_setter option_set_deterministic;
option_setter option_set_cp;
option_setter option_set_encoding;
option_setter option_set_budget;
option_setter option_set_total;
option_setter option_set_sort;
option_setter option_set_no_sort;
option_setter option_set_color;
option_setter option_set_screen;
option_setter option_set_completions;
option_setter option_set_push, option_set_save, option_set_header, option_set_user, option_set_bearer,
	option_set_cert, option_set_sql;
option_setter option_set_pid;
option_setter option_set_thread_id;
option_setter option_set_frequency;
option_setter option_set_record_event;
option_setter option_set_call_graph;
option_setter option_set_duration;
option_setter option_set_compression;
option_setter option_set_cmd;
option_setter option_set_post_process;
option_setter option_set_root;
option_setter option_set_inline;
option_setter option_set_no_inline;
option_setter option_set_unit_test, option_set_unit_bench;
option_setter option_set_features;

#endif
