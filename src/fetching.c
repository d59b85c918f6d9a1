/*
 * fetching.c - connects addresses among the inputs with the loader.
 */
#include "fetching.h"

#include <signal.h>
#include <string.h>

#include "base/core_file.h"
#include "base/output.h"
#include "base/status.h"
#include "session.h"
#include "sources/receiver.h"
#include "sources/source.h"

/* ---- what others send ---------------------------------------------------------------------------------------- */

static volatile sig_atomic_t is_interrupted;

static void on_interrupt(int sig)
{
	(void)sig;
	is_interrupted = 1;
}

/* What has come is still shown; a second signal ends the program. The viewer has handlers of its own. */
static void end_by_signal(int sig)
{
	struct sigaction now, ours = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
	if (sigaction(sig, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler != SIG_IGN)
		sigaction(sig, &ours, NULL);
}

const char *fetching_note(const struct options *o)
{
	if (!o->receiver || receiver_is_local(o->receiver))
		return NULL;
	return "other machines can send profiles to this address, too: nobody is asked for a password";
}

static void say_place(const struct options *o)
{
	if (o->quiet)
		return;
	err_printf("listening at %s", receiver_name(o->receiver));
	if (fetching_note(o))
		err_print(fetching_note(o));
}

/* The receiver is an input. */
static bool begin_listening(struct options *o, struct err *err)
{
	o->receiver = receiver_open(o->listen, err);
	if (!o->receiver)
		return false;
	receiver_set_end(o->receiver, o->listen_seconds);
	receiver_heed(o->receiver, &is_interrupted);
	o->files[o->n_files++] = receiver_name(o->receiver);
	end_by_signal(SIGINT);
	end_by_signal(SIGTERM);
	say_place(o);
	return true;
}

static int receive(void *receiver, const atomic_bool *stop, struct err *err)
{
	status_detail("listening at", receiver_place(receiver));
	int fd = receiver_next(receiver, stop, err);
	status_detail(NULL, NULL);
	return fd;
}

static void judge(void *receiver, enum load_verdict verdict, const char *why)
{
	static const int statuses[] = {[LOAD_TAKEN] = 200, [LOAD_BAD] = 400, [LOAD_FULL] = 429, [LOAD_LATE] = 503};
	receiver_answer(receiver, statuses[verdict], why);
}

static bool serve(void *receiver)
{
	return receiver_serve(receiver);
}

static void connect_receiver(struct load_input *in, struct options *o)
{
	struct load_fetcher *f = arena_alloc(&o->arena, sizeof *f);
	*f = (struct load_fetcher){
		.arg = o->receiver, .fetch = receive, .judge = judge, .meanwhile = serve, .is_passing = true};
	in->fetcher = f;
	in->format = "otlp";
}

/* ---- addresses ----------------------------------------------------------------------------------------------- */

/* A server's bytes are kept as they are. */
static bool check_save(const char *path, struct err *err)
{
	if (output_names_terminal(path))
		return fail(err, "a terminal shows no profile that is kept (name a file with --save)");
	return output_check(path, err);
}

bool fetching_begin(struct options *o, bool *is_usage, struct err *err)
{
	*is_usage = true;
	if (!options_take_sources(o, err))
		return false;
	*is_usage = false;
	if (!o->quiet)
		options_say_idle_sources(o);
	if (o->listen && !begin_listening(o, err))
		return false;
	if (o->sources.n == 0)
		return true;
	if (!o->record.is_record || o->record.perfdata) /* else a recorded command would inherit it */
		core_file_forbid();
	/* What is fetched once may not come again. */
	return (!o->source.save || check_save(o->source.save, err)) && sources_ready(&o->sources, err);
}

void fetching_say_unsaved(const struct options *o)
{
	for (size_t i = 0; i < o->sources.n && !o->quiet; i++)
		if (source_is_unsaved(o->sources.v[i]))
			err_printf("--save keeps nothing: the answer could not be read, or has no stacks");
}

void fetching_end(struct options *o)
{
	sources_deinit(&o->sources);
	receiver_free(o->receiver);
	o->receiver = NULL;
}

static int fetch(void *source, const atomic_bool *stop, struct err *err)
{
	return source_fetch(source, stop, err);
}

static bool keep(void *source, struct err *err)
{
	return source_save(source, err);
}

static void hide(void *source, char *text, size_t n)
{
	source_hide(source, text, n);
}

/* Unless the user asks for more, the last answer alone. Answers begin more than this apart. */
static void show_newest(struct options *o, unsigned seconds)
{
	if (!o->recipe.last && !o->recipe.half_life)
		o->collapse.window = o->recipe.last = seconds * UINT64_C(1000000000);
}

void fetching_connect(struct load_input *in, struct options *o)
{
	if (o->receiver && in->path == receiver_name(o->receiver)) {
		connect_receiver(in, o);
		return;
	}
	struct source *s = source_find(&o->sources, in->path);
	if (!s)
		return;
	struct load_fetcher *f = arena_alloc(&o->arena, sizeof *f);
	unsigned seconds = source_seconds(s), every = o->source.every;
	bool is_state = seconds == 0;
	*f = (struct load_fetcher){.arg = s,
	                           .fetch = fetch,
	                           .keep = keep,
	                           .hide = hide,
	                           .every = every,
	                           .is_state = is_state,
	                           .is_passing = !is_state && !every && !o->source.save};
	in->fetcher = f;
	in->format = source_format(s);
	in->hint = source_hint(s);
	if (every && !is_state)
		show_newest(o, every > seconds ? every : seconds);
}
