/*
 * two_columns.c - inputs whose stacks have two counts, or mix these with stacks of one.
 */
#include "collapse/load/two_columns.h"

/* A line of one count among lines of two means a stack that is new, which may be a mistake. */
void two_columns_say(struct profile *p)
{
	const struct profile_file *file = &p->files[p->n_files - 1];
	struct columns c = file->columns;
	if (file->side == 1 && c.two)
		report_add_times(&p->report, NOTE_WARN, "lines of two counts in a baseline (the last one is taken)", NULL,
		                 0, c.two);
	if (file->side == 0 && c.two && c.one)
		report_add_times(&p->report, NOTE_WARN, "lines of one count among lines of two (there was nothing before)",
		                 NULL, 0, c.one);
}

/* The same for whole files: one column next to a file of two, and two columns in addition to a baseline. */
void two_columns_say_mixed(struct profile *p)
{
	size_t two = 0, bases = 0;
	for (size_t i = 0; i < p->n_files; i++) {
		two += p->files[i].side == 0 && p->files[i].columns.two > 0;
		bases += p->files[i].side == 1;
	}
	for (size_t i = 0; two && i < p->n_files; i++) {
		const struct profile_file *file = &p->files[i];
		if (file->side == 0 && !file->columns.two)
			report_add(&p->report, NOTE_WARN, "one column beside a file of two: there was nothing of it before",
			           file->name, 0, NULL, 0);
		else if (file->side == 0 && bases)
			report_add(&p->report, NOTE_WARN, "two columns: the first is added to the baseline", file->name, 0,
			           NULL, 0);
	}
}

bool two_columns_are_shares(const struct profile *p)
{
	for (size_t i = 0; i < p->n_files; i++)
		if (p->files[i].side == 0 && p->files[i].columns.are_shares)
			return true;
	return false;
}
