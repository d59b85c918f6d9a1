/*
 * manual_texts.h - longer texts of the manual page, by section: the title, paragraphs, NULL.
 */
#ifndef MANUAL_TEXTS_H
#define MANUAL_TEXTS_H

extern const char *const manual_callers[];
extern const char *const manual_fetching[], *const manual_recording[];
extern const char *const manual_cargo[];
extern const char *const manual_off_cpu[];
extern const char *const manual_io[];
extern const char *const manual_memory[];
extern const char *const manual_views[];
extern const char *const manual_lines[];
extern const char *const manual_json[];
extern const char *const manual_pages[];
extern const char *const manual_time_axis[];
extern const char *const manual_bundles[];
extern const char manual_escapes[];
extern const char *const manual_folded[]; /* no title */

#endif
