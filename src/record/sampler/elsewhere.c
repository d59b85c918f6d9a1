/*
 * elsewhere.c - in place of all other files here, on systems that are not Linux.
 */
#include "record/sampler/records.h"
#include "record/sampler/sampler.h"

static bool refuse(struct err *err)
{
	return fail(err,
	            "only on Linux can flametop take samples itself; here `flametop record` uses dtrace or xctrace");
}

bool sampler_run(const struct sampler_options *o, int *status, struct err *err)
{
	(void)o;
	*status = 1 << 8; /* as waitpid() tells the exit status 1 */
	return refuse(err);
}

bool sampler_probe(const struct sampler_options *o, struct sampler_lacks *lacks, struct err *err)
{
	(void)o;
	(void)lacks;
	return refuse(err);
}

bool sampler_knows(const char *events, struct err *err)
{
	(void)events;
	return refuse(err);
}

bool records_have_ended(const char *bytes, size_t n)
{
	(void)bytes;
	(void)n;
	return false;
}
