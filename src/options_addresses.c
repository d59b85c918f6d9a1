/*
 * options_addresses.c - addresses among the inputs, and which options about fetching go together.
 *
 * The library has no sources, and is linked without this file.
 */
#include "options.h"

#include <string.h>

#include "options_set.h"

/* ---- what goes together -------------------------------------------------------------------------------------- */

static size_t count_addresses(const struct options *o)
{
	size_t n = o->record.perfdata && source_is(o->record.perfdata);
	for (size_t i = 0; i < o->n_files; i++)
		n += source_is(o->files[i]);
	for (size_t i = 0; i < o->n_diffs; i++)
		n += source_is(o->diffs[i]);
	return n;
}

/* addresses: how many there are among the inputs. */
static bool check_listen(const struct options *o, size_t addresses, struct err *err)
{
	if (o->n_files)
		return fail(err, "--listen shows what is sent, and no file");
	if (o->source.every || (o->source.save && addresses != 1))
		return fail(err, "--listen and --%s do not go together", o->source.every ? "every" : "save");
	return !o->is_script || o->listen_seconds > 0 || fail(err, "--listen with --screen needs --duration");
}

bool options_check_sources(const struct options *o, struct err *err)
{
	const struct source_options *s = &o->source;
	size_t n = count_addresses(o);
	if (o->listen)
		return check_listen(o, n, err);
	if (o->listen_seconds > 0)
		return fail(err, "--duration needs --listen here (flametop record --duration=SECONDS ends a recording)");
	if (s->key && !s->cert)
		return fail(err, "--key needs --cert");
	if (s->user && s->bearer)
		return fail(err, "--user and --oauth2-bearer do not go together");
	if (o->push && o->is_script)
		return fail(err, "--push sends a profile once it is recorded, and does not go with --screen");
	if (o->push && o->n_diffs)
		return fail(err, "--push sends one profile, and no comparison");
	if (s->save && n > 1)
		return fail(err, "--save keeps what one address sends, not %zu", n);
	if (s->every && (n != 1 || o->n_files != 1 || o->n_diffs))
		return fail(err, "--every shows one address, and nothing else");
	return !s->every || o->is_script || !options_ask_for_file(o) ||
	       fail(err, "--every shows a live view, which needs a terminal and no --output or --to");
}

/* ---- addresses ----------------------------------------------------------------------------------------------- */

static bool take(struct options *o, const char **word, struct err *err)
{
	struct source *s;
	if (!*word || !source_is(*word))
		return true;
	/* Words are in argv, which belongs to us. */
	s = source_add(&o->sources, (char *)(uintptr_t)*word, &o->source, err);
	if (s)
		*word = source_name(s);
	return s;
}

static bool take_target(struct options *o, struct err *err)
{
	if (!o->push)
		return true;
	struct source *s = source_add_target(&o->sources, (char *)(uintptr_t)o->push, &o->source, err);
	o->push = s ? source_name(s) : NULL;
	return s;
}

static void blot_given(const struct options *o)
{
	for (size_t i = 0; i < o->n_given; i++)
		if (o->given[i].value)
			option_blot(o->given[i].row, (char *)(uintptr_t)o->given[i].value);
}

bool options_take_sources(struct options *o, struct err *err)
{
	bool is_good = take(o, &o->record.perfdata, err) && take_target(o, err);
	for (size_t i = 0; i < o->n_files; i++)
		is_good = is_good && take(o, &o->files[i], err);
	for (size_t i = 0; i < o->n_diffs; i++)
		is_good = is_good && take(o, &o->diffs[i], err);
	blot_given(o); /* last: it also blots the addresses that were taken above */
	if (is_good && o->source.sql && o->sources.n && !sources_take_sql(&o->sources))
		return fail(err, "--sql asks a database: it needs an address such as clickhouse://host");
	if (is_good && o->is_bundle && o->sources.n)
		return fail(err, "%s: a bundle is made of a file (fetch it first)", o->files[0]);
	return is_good;
}

static bool is_about_listening(const struct options *o, const struct option_row *row)
{
	return o->listen && (strcmp(row->name, "listen") == 0 || strcmp(row->name, "duration") == 0);
}

void options_say_idle_sources(const struct options *o)
{
	if (o->listen && o->collapse.format && strcmp(o->collapse.format, "otlp") != 0)
		err_print("--format has no effect: --listen takes profiles of OpenTelemetry");
	for (size_t i = 0; i < o->n_given && !o->sources.n; i++) {
		const struct option_row *row = o->given[i].row;
		if (row->group == GROUP_SOURCE && !is_about_listening(o, row))
			err_printf("--%s has no effect: no profile is fetched", row->name);
	}
}

bool options_fetch(const struct options *o)
{
	return o->receiver || o->sources.n > (o->push != NULL); /* which is a source, but no input */
}
