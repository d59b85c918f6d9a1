/*
 * gecko_members.c - finds members of raw profiles of Firefox that are of the wrong kind.
 */
#include "collapse/formats/gecko_members.h"

bool gecko_is_odd(enum place place, struct slice key, enum json_token t)
{
	enum { OBJECT = JSON_SET(JSON_OBJECT), LIST = JSON_SET(JSON_ARRAY) };
	enum { TEXT = JSON_SET(JSON_STRING), NUMBER = JSON_SET(JSON_NUMBER), ID = TEXT | NUMBER };
	static const struct json_member members[] = {
		{JSON_SET(PROFILE), OBJECT, "meta"},
		{JSON_SET(PROFILE), OBJECT, "profile"},
		{JSON_SET(PROFILE), LIST, "threads"},
		{JSON_SET(PROFILE), LIST, "processes"},
		{JSON_SET(PROFILE), LIST, "libs"},
		{JSON_SET(META), OBJECT, "sampleUnits"},
		{JSON_SET(META), NUMBER, "startTime"},
		{JSON_SET(UNITS), TEXT, "threadCPUDelta"},
		{JSON_SET(LIB), TEXT, "name"},
		{JSON_SET(LIB), NUMBER, "start"},
		{JSON_SET(LIB), NUMBER, "end"},
		{JSON_SET(THREAD), TEXT, "name"},
		{JSON_SET(THREAD), TEXT, "processName"},
		{JSON_SET(THREAD), ID, "pid"},
		{JSON_SET(THREAD), ID, "tid"},
		{JSON_SET(THREAD), OBJECT, "samples"},
		{JSON_SET(THREAD), OBJECT, "stackTable"},
		{JSON_SET(THREAD), OBJECT, "frameTable"},
		{JSON_SET(THREAD), OBJECT, "markers"},
		{JSON_SET(THREAD), LIST, "stringTable"},
		{JSON_SET(TABLE), OBJECT, "schema"},
		{JSON_SET(TABLE), LIST, "data"},
	};
	return json_is_odd_member(members, sizeof members / sizeof *members, place, key, t);
}
