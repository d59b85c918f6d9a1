/*
 * choice.c - is it dtrace or xctrace that takes the samples?
 *
 * On Linux flametop or perf takes the samples (own.c). The user chooses dtrace or xctrace by setting DTRACE or
 * XCTRACE, on any system, as PERF chooses perf.
 */
#include "record/choice.h"

#include <stdlib.h>

#include "base/platform.h"
#include "record/words.h"

/* Of this system. */
static enum record_with usual_tracer(void)
{
#if ON_LINUX
	return WITH_AUTO;
#elif defined(__APPLE__)
	return words_is_program("xctrace") ? WITH_XCTRACE : WITH_DTRACE;
#else
	return WITH_DTRACE;
#endif
}

enum record_with choice_of_tracer(const struct record_options *r)
{
	if (!r->is_record || r->perfdata)
		return WITH_AUTO;
	if (r->with != WITH_AUTO)
		return r->with >= WITH_DTRACE ? r->with : WITH_AUTO;
	if (getenv("PERF") || r->ptrace || r->memory || r->io)
		return WITH_AUTO;
	if (getenv("XCTRACE"))
		return WITH_XCTRACE;
	return getenv("DTRACE") ? WITH_DTRACE : usual_tracer();
}
