/*
 * gecko_members.c - finds members of raw profiles of Firefox that are of the wrong kind.
 */
#include "collapse/formats/gecko_members.h"

bool gecko_is_odd(enum place place, struct slice key, enum json_token t)
{
	enum { OBJECT = JSON_SET(JSON_OBJECT), LIST = JSON_SET(JSON_ARRAY) };
	enum { TEXT = JSON_SET(JSON_STRING), NUMBER = JSON_SET(JSON_NUMBER), ID = TEXT | NUMBER };
	static const struct {
		enum place place;
		unsigned wanted;
		const char *key;
	} members[] = {
		{PROFILE, OBJECT, "meta"},
		{PROFILE, OBJECT, "profile"},
		{PROFILE, LIST, "threads"},
		{PROFILE, LIST, "processes"},
		{PROFILE, LIST, "libs"},
		{META, OBJECT, "sampleUnits"},
		{META, NUMBER, "startTime"},
		{UNITS, TEXT, "threadCPUDelta"},
		{LIB, TEXT, "name"},
		{LIB, NUMBER, "start"},
		{LIB, NUMBER, "end"},
		{THREAD, TEXT, "name"},
		{THREAD, TEXT, "processName"},
		{THREAD, ID, "pid"},
		{THREAD, ID, "tid"},
		{THREAD, OBJECT, "samples"},
		{THREAD, OBJECT, "stackTable"},
		{THREAD, OBJECT, "frameTable"},
		{THREAD, OBJECT, "markers"},
		{THREAD, LIST, "stringTable"},
		{TABLE, OBJECT, "schema"},
		{TABLE, LIST, "data"},
	};
	for (size_t i = 0; i < sizeof members / sizeof *members && t != JSON_NULL; i++)
		if (members[i].place == place && !(members[i].wanted & JSON_SET(t)) && slice_is(key, members[i].key))
			return true;
	return false;
}
