/*
 * sample.c - `flametop sample`: takes samples without perf, and writes them as perf record does.
 *
 * `flametop record` starts it as it would start perf record, and treats it in the same way.
 */
#include "sample.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/err.h"
#include "record/own.h"
#include "record/perf.h"
#include "record/sampler/sampler.h"

/* The command has dumped core already. */
static void end_by(int sig)
{
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	signal(sig, SIG_DFL);
	raise(sig);
}

int sample_run(const struct options *o, char *const *words)
{
	struct sampler_options how;
	struct err err = {""};
	int status = 1 << 8; /* as waitpid() gives it */
	own_options(&how, o);
	how.output = o->output ? o->output : "perf.data";
	how.words = words;
	/* `flametop record` has looked before it starts us: what has ended since then is no failure. */
	if ((!o->record.viewer && !perf_check_ids(&o->record, &err)) || !sampler_run(&how, &status, &err))
		err_print(err.text);
	if (WIFSIGNALED(status))
		end_by(WTERMSIG(status));
	return WEXITSTATUS(status);
}
