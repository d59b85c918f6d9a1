/*
 * unprobed.c - says which calls of allocators a recording of memory lacks.
 */
#include "record/sampler/unprobed.h"

#include <inttypes.h>

#include "base/buf.h"
#include "base/err.h"
#include "perfdata/event.h"

#define FILES_SHOWN 3u

static void tell_files(const struct words *files)
{
	struct buf list;
	buf_init(&list);
	for (size_t i = 0; i < files->n && i < FILES_SHOWN; i++)
		buf_addf(&list, "%s%s", i ? ", " : "", files->v[i]);
	if (files->n > FILES_SHOWN)
		buf_addf(&list, " and %zu more", files->n - FILES_SHOWN);
	if (files->n)
		err_printf("--memory: calls of malloc are not counted in what was loaded after the beginning: %s",
		           buf_str(&list));
	buf_deinit(&list);
}

static void tell_calls(const struct counters *c)
{
	if (c->n_impossible)
		err_printf("calls for 2^48 bytes or more, which fail, are left out: %" PRIu64, c->n_impossible);
	if (c->allocators->lacks_some)
		err_print("--memory: not all functions that allocate can be probed: the calls of the others are missing");
	if (c->allocators->lacks_process)
		err_printf("--memory: process %ld has no allocator that is known: its calls of malloc are not counted",
		           (long)c->allocators->lacks_process);
	if (!c->n_calls)
		err_print(EVENT_OF_MALLOC " has no sample: no function that is known to allocate was called");
}

void unprobed_tell(const struct counters *c, const struct words *files, bool has_children, bool has_viewer)
{
	if (!c->allocators)
		return;
	if (has_children && !has_viewer)
		err_print(EVENT_OF_MALLOC_MISSES);
	if (!c->lacks_probes) {
		tell_files(files);
		tell_calls(c);
	} else if (!has_viewer) {
		err_printf(PAGES_ALONE "%s", c->allocators->n ? ONLY_ROOT_PROBES : NO_ALLOCATOR);
	}
}
