/*
 * chrome_fields.c - the keys of the members of events, and a report of those that are of the wrong kind.
 */
#include "collapse/formats/chrome_fields.h"
#include "collapse/text/lines.h"

#define KEY(name)              \
	{                          \
		name, sizeof(name) - 1 \
	}

const struct slice chrome_field_keys[N_FIELDS] = {
	[OTHER] = KEY(""),
	[NAME] = KEY("name"),
	[PHASE] = KEY("ph"),
	[TIME] = KEY("ts"),
	[DURATION] = KEY("dur"),
	[THREAD_DURATION] = KEY("tdur"),
	[PID] = KEY("pid"),
	[TID] = KEY("tid"),
	[ID] = KEY("id"),
	[ARGS] = KEY("args"),
	[STACK_FRAME] = KEY("sf"),
	[PARENT] = KEY("parent"),
	[ARGS_NAME] = KEY("args.name"),
	[ARGS_DATA] = KEY("args.data"),
};

void chrome_fields_skip(struct sink *sink, unsigned fields, uint64_t line)
{
	for (unsigned i = NAME; i < N_FIELDS; i++)
		if (fields & FIELD(i))
			sink_skip(sink, ODD_MEMBER, line, chrome_field_keys[i].s, chrome_field_keys[i].n);
}
