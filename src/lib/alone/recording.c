/*
 * recording.c - in the place of options_set_record.c: the library does not record, so it refuses options about that
 * before it would set them (settings.c). The table of options names their setters all the same.
 */
#include "options_set.h"

#define REFUSED(name)                                                             \
	bool option_set_##name(struct options *o, const char *value, struct err *err) \
	{                                                                             \
		(void)o, (void)value;                                                     \
		return fail(err, "only the program records");                             \
	}

REFUSED(pid)
REFUSED(thread_id)
REFUSED(frequency)
REFUSED(record_event)
REFUSED(call_graph)
REFUSED(duration)
REFUSED(compression)
REFUSED(cmd)
REFUSED(post_process)
REFUSED(root)
