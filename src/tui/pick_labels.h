/*
 * pick_labels.h - labels in the list of threads: one of a key is picked, which becomes a filter (--tagfocus).
 */
#ifndef TUI_PICK_LABELS_H
#define TUI_PICK_LABELS_H

#include <stdbool.h>
#include <stdint.h>

struct app;
struct pick_lines;

/* Adds a heading for each key, and its labels, the heaviest first; an id is `id` plus the label's number. */
void pick_labels_add(struct app *, const struct pick_lines *, uint64_t id);
/* Keeps only samples with this label, instead of the one of the same key that was picked before. */
void pick_labels_choose(struct app *, uint32_t tag);
/* Undoes all choices. */
void pick_labels_drop(struct app *);
/* The pattern of the label that was picked last, for the caller to free; NULL: none. */
char *pick_labels_now(const struct app *);

#endif
