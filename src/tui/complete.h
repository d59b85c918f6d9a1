/*
 * complete.h - completes names in prompts for patterns.
 */
#ifndef TUI_COMPLETE_H
#define TUI_COMPLETE_H

struct app;

/* Completes the prompt's text as far as it is certain, else says what fits. Returns enum dirty. */
unsigned complete(struct app *);

#endif
