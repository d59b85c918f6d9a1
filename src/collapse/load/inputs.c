/*
 * inputs.c - reads inputs one by one into one profile: opens each, finds its format, and reads it in the way that
 * suits it (load.h).
 */
#include "collapse/load/inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input.h"
#include "base/mem.h"
#include "base/processors.h"
#include "base/scratch.h"
#include "base/status.h"
#include "collapse/formats.h"
#include "collapse/load/ahead.h"
#include "collapse/load/answers.h"
#include "collapse/load/effect.h"
#include "collapse/load/feeder.h"
#include "collapse/load/head.h"
#include "collapse/load/input_names.h"
#include "collapse/load/message.h"
#include "collapse/load/ranges.h"
#include "collapse/load/two_columns.h"
#include "collapse/perf/perf_bundle.h"
#include "collapse/perf/perf_data.h"
#include "collapse/perf/perf_header.h"
#include "collapse/perf/perf_need.h"
#include "collapse/perf/perf_packed.h"
#include "model/name_sites.h"
#include "model/retain.h"
#include "perfdata/header.h"

#ifndef MOST_ORDERED
#define MOST_ORDERED (8u << 20) /* samples without times, not counting repeats: about 100 MB */
#endif

static bool is_forced(const struct collapse_options *o)
{
	return o->format && strcmp(o->format, "auto") != 0;
}

/* Sets *format to the one that the user named; NULL: none. */
static bool named_format(const struct collapse_options *o, const struct collapse_format **format, struct err *err)
{
	*format = is_forced(o) ? collapse_find(o->format) : NULL;
	return *format || !is_forced(o) || fail(err, "%s: no such format (see --format=help)", o->format);
}

static bool read_body(struct feeder *f, struct input *in, const struct head *head, unsigned jobs, struct err *err)
{
	if (ranges_are_worth_it(f->format, in, jobs))
		return ranges_read(f, in, head, jobs, err);
	/* stacks refer to later input, or are complete only at the end */
	if (f->format->is_text_stream || f->format->waits_for_end)
		input_bound(in);
	if (!feeder_start(f, err))
		return feeder_finish(f, false, err);
	shared_count(f->shared, input_consumed(in));
	memcpy(feeder_room(f, head->len), head->text, head->len);
	if (!feeder_take(f, head->len, err))
		return feeder_finish(f, false, err);
	if (head->is_all)
		return feeder_finish(f, true, err);
	return feeder_finish(f, input_is_plain_file(in) || jobs < 2 ? feeder_read(f, in, err) : ahead_read(f, in, err),
	                     err);
}

static bool is_pipe(const struct load_input *input)
{
	return input->fd >= 0 || strcmp(input->path, "-") == 0;
}

/*
 * May an input that follows others count something other than the first event, although its samples would be added
 * to that event? Many formats name what they count once, if at all, and their samples belong to the first event; in
 * a shared profile that would be another input's event. Folded text that names none has an event without a name.
 * What a baseline without a name is compared with depends on the view (selection.h).
 */
static bool may_mistake_event(const struct profile *p, const struct collapse_format *format, unsigned side)
{
	const struct series *first = &p->series[0];
	bool is_folded = format == &format_folded;
	if (format->names_events)
		return false;
	if (side == 0)
		return first->name || !is_folded;
	return !is_folded && (first->name || p->n_series > 1 || p->log[1].n > 0);
}

/*
 * Must this input, which follows others, first be read into its own profile? Yes, if its weights have another
 * resolution or it may count something else. This is also faster for sorted folded text: neither filling an empty
 * profile nor joining two profiles needs an index, and joining costs less than looking up every line. A waiting
 * viewer, however, wants to show samples as soon as they are read.
 */
static bool is_apart(const struct load_job *job, const struct collapse_format *format, const struct head *head,
                     unsigned side)
{
	const struct profile *p = job->profile;
	if (!inputs_samples(p) || p->decimals != format->decimals)
		return inputs_samples(p) > 0;
	if (may_mistake_event(p, format, side))
		return true;
	return !job->is_background && !profile_has_index(p) && !p->series[0].name && format->share_depth &&
	       !format->share_depth(head, 2);
}

/* Reads the input into its own profile, then appends that to the whole. */
static bool read_apart(struct feeder *f, struct input *in, const struct head *head, unsigned jobs, struct err *err)
{
	struct profile *whole = f->sink.profile, apart;
	bool ok;
	feeder_init_profile(&apart, whole);
	f->sink.profile = &apart;
	ok = read_body(f, in, head, jobs, err);
	f->sink.profile = whole;
	shared_lock(f->shared);
	profile_append(whole, &apart, NULL, 0);
	shared_unlock(f->shared);
	profile_deinit(&apart);
	return ok;
}

/* What samples count whose format does not say: by --unit, or known beforehand. */
static void name_event(struct profile *p, const struct load_input *from, const char *unit)
{
	if (unit && strcmp(unit, "samples") != 0)
		p->bare_unit = symtab_intern(&p->symtab, unit, strlen(unit));
	else if (from->event && !*from->event)
		p->bare_unit = symtab_intern(&p->symtab, from->unit, strlen(from->unit));
	if (from->event && *from->event)
		profile_series(p, symtab_intern(&p->symtab, from->event, strlen(from->event)),
		               symtab_intern(&p->symtab, from->unit, strlen(from->unit)));
}

static void prepare_retention(struct feeder *f)
{
	f->sink.is_endless = f->is_live;
	if (f->is_live)
		mem_return_large();
	retain_init(&f->retention, f->sink.options->window, f->sink.options->half_life);
}

static bool looks_foreign(const struct collapse_format *format, const struct head *head)
{
	const char *why;
	return head->len > 0 && format->sniff && format->sniff(head, &why) == SNIFF_NO;
}

static bool load_bundle(struct load_job *, struct input *, const struct beginning *, const struct load_input *,
                        struct err *);

/* Is it a bundle, and nothing else that the user asks for? There is none in a bundle. */
static bool is_bundle(const struct load_job *job, const struct collapse_options *o, const struct beginning *b)
{
	return !job->options->is_bundle && perf_bundle_is(b->text, b->len) &&
	       (!is_forced(o) || strcmp(o->format, "perf-data") == 0 || strcmp(o->format, "perf") == 0);
}

/* Reads the beginning of the input. false: there is nothing to read on, and *ok says whether that is all right. */
static bool begin_text(struct load_job *job, struct input *in, const struct load_input *from,
                       const struct collapse_options *o, struct beginning *b, const struct collapse_format **format,
                       bool *ok, struct err *err)
{
	bool is_known = named_format(o, format, err) && head_read(b, in, format, err);
	bool is_packed = b->text && is_bundle(job, o, b);
	*ok = is_packed && load_bundle(job, in, b, from, err);
	return is_known && !is_packed && !atomic_load(&job->shared->stop);
}

/*
 * The samples read so far are shown; a note says why some are missing. Without any the input has failed, but the
 * viewer may show those of other inputs, or events without samples.
 */
static bool leave_rest(struct load_job *job, struct input *in, const struct load_input *from, bool has_samples,
                       struct err *err)
{
	struct err why = *err;
	if (!has_samples && !job->is_background)
		return false;
	message_in_file_briefly(&why, input_name(in));
	job->profile->lacks[from->side].is_cut_off = true;
	report_add(&job->profile->report, NOTE_WARN, "the rest could not be read", NULL, 0, why.text, strlen(why.text));
	if (has_samples)
		err->text[0] = '\0';
	return has_samples;
}

static bool load_text(struct load_job *job, struct input *in, const struct load_input *from, struct err *err)
{
	struct collapse_options options = *job->options;
	struct feeder f = {.lock = job->shared, .shared = job->shared};
	struct beginning bytes = {.shared = job->shared};
	struct head head;
	size_t before = inputs_samples(job->profile);
	bool ok;
	options.side = from->side;
	options.events = from->events;
	options.is_one_of_several = job->is_several;
	if (from->format)
		options.format = from->format;
	if (!begin_text(job, in, from, &options, &bytes, &f.format, &ok, err)) {
		free(bytes.text);
		return ok;
	}
	f.first = bytes.mark;
	head = (struct head){bytes.text + bytes.mark, bytes.len - bytes.mark, bytes.is_all, false};
	job->is_foreign |= looks_foreign(f.format, &head);
	f.sink = (struct sink){.profile = job->profile, .options = &options, .head = &head};
	f.sink.stop = &job->shared->stop;
	f.sink.file = input_is_plain_file(in) ? in : NULL;
	f.sink.file_first = bytes.mark;
	shared_lock(job->shared);
	effect_note_missing(&job->profile->report, f.format, &options);
	name_event(job->profile, from, options.unit);
	shared_unlock(job->shared);
	f.is_live = job->is_background && !input_is_plain_file(in) && is_pipe(from) && from->side == 0;
	prepare_retention(&f);
	if (!job->profile->format)
		job->profile->format = f.format->name;
	ok = is_apart(job, f.format, &head, from->side) ? read_apart(&f, in, &head, options.jobs, err)
	                                                : read_body(&f, in, &head, options.jobs, err);
	free(bytes.text);
	if (!ok && err && err->text[0])
		return leave_rest(job, in, from, inputs_samples(job->profile) > before, err);
	return ok;
}

/* A named pipe must be opened only once: its writer fails if one reader leaves before the next one comes. */
static bool is_plain_file(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool load_can_again(const struct load_input *inputs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct load_input *in = &inputs[i];
		bool is_kept =
			in->fetcher ? !in->fetcher->every && !in->fetcher->judge : in->fd < 0 && is_plain_file(in->path);
		if (!is_kept)
			return false;
	}
	return true;
}

static bool is_perf_data(const char *path)
{
	char magic[8] = "";
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : is_plain_file(path) ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	size_t n = 0;
	ssize_t got;
	if (fd < 0)
		return false;
	do {
		got = pread(fd, magic + n, sizeof magic - n, (off_t)n);
		n += got > 0 ? (size_t)got : 0;
	} while ((got > 0 && n < sizeof magic) || (got < 0 && errno == EINTR));
	if (!is_stdin)
		close(fd);
	return perfdata_header_has_magic(magic, n);
}

/* The reader of a recording that the user asks for. */
static enum symbolizer asked_for(const struct collapse_options *o)
{
	if (!is_forced(o) || o->symbolizer == SYMBOLIZER_PERF)
		return o->symbolizer;
	return collapse_find(o->format) == &format_perf_data ? SYMBOLIZER_NATIVE : SYMBOLIZER_PERF;
}

/* Does flametop read the recording itself? */
static bool is_native(const char *path, const struct collapse_options *o)
{
	struct err err = {""};
	enum symbolizer who = asked_for(o);
	if (who != SYMBOLIZER_AUTO)
		return who == SYMBOLIZER_NATIVE;
	enum perf_need need = perf_need_of_file(path, o, &err);
	return need == NEED_NOTHING || need == NEED_MORE;
}

/* A running perf script; fd delivers its text. */
struct script {
	struct perf_data perf;
	int fd;
};

static void name_stage(const struct load_job *job, const char *verb, const char *path)
{
	const struct load_shared *s = job->shared;
	status_enter(
		(struct status_stage){verb, strcmp(path, "-") == 0 ? "stdin" : path, &s->bytes, &s->bytes_all, true});
}

/* The recording is at `path`, which may differ from the input's name. */
static bool load_script(struct load_job *job, const struct load_input *input, const char *path, struct script *s,
                        struct err *err)
{
	struct load_input text = *input;
	struct collapse_options rest = *job->options;
	struct load_job of_text = *job;
	struct err said = {""};
	char *events;
	struct input *in = input_fd(s->fd, input->path, err);
	size_t before = inputs_samples(job->profile);
	bool ok, is_silent;
	enum perf_data_read how;
	name_stage(job, "reading perf script's text of", input->path);
	text.events = events = perf_header_events(path);
	of_text.options = &rest;
	rest.kallsyms = NULL; /* perf has used these */
	rest.symbolizer = SYMBOLIZER_AUTO;
	rest.inlines = INLINES_SHOWN;
	if (rest.debuginfod)
		report_add(&job->profile->report, NOTE_WARN, "perf script has no --debuginfod", NULL, 0, NULL, 0);
	rest.debuginfod = false;
	if (!rest.inline_) {
		if (rest.path_maps)
			report_add(&job->profile->report, NOTE_WARN, "perf script has no --path-map", NULL, 0, NULL, 0);
		rest.symfs = NULL;
		rest.path_maps = NULL;
	}
	ok = in && load_text(&of_text, in, &text, err);
	free(events);
	is_silent = in && input_consumed(in) == 0;
	if (in)
		input_close(in);
	else
		close(s->fd);
	how = atomic_load(&job->shared->stop) ? PERF_DATA_STOPPED : ok ? PERF_DATA_WHOLE : PERF_DATA_FAILED;
	if (perf_data_finish(&s->perf, how, &said) || !said.text[0])
		return ok || !is_silent ? ok
		                        : fail(err, "%s: a recording without samples (too short, or asleep?)", input->path);
	if (inputs_samples(job->profile) == before)
		return fail(err, "%s", said.text);
	report_add(&job->profile->report, NOTE_WARN, "perf script ended with an error", input->path, 0, said.text,
	           strlen(said.text));
	return true;
}

static bool load_native(struct load_job *job, const struct load_input *input, const char *path, struct err *err)
{
	struct load_input recording = *input;
	struct input *in = input_open(path, err);
	bool ok;
	recording.format = format_perf_data.name;
	ok = in && load_text(job, in, &recording, err);
	if (in)
		input_close(in);
	return ok;
}

/*
 * flametop reads the recording itself unless perf script knows more of it, or the user asks for perf script by
 * --symbolizer=perf or by naming the format of its output. If perf is missing, a profile that knows less is better
 * than none.
 */
static bool load_perf_data(struct load_job *job, const struct load_input *input, const char *path, struct err *err)
{
	const struct collapse_options *o = job->options;
	enum symbolizer who = asked_for(o);
	struct err why = {""};
	enum perf_need need = perf_need_of_file(path, o, &why);
	struct script s;
	if (who != SYMBOLIZER_PERF && (need == NEED_MORE || (who == SYMBOLIZER_NATIVE && need == NEED_OTHER)))
		return fail(err, "%s", why.text);
	if (who == SYMBOLIZER_NATIVE || (who == SYMBOLIZER_AUTO && need == NEED_NOTHING))
		return load_native(job, input, path, err);
	s.fd = perf_data_open(path, o, &s.perf, &why);
	if (s.fd >= 0)
		return load_script(job, input, path, &s, err);
	if (who == SYMBOLIZER_PERF || need == NEED_OTHER)
		return fail(err, "%s", why.text);
	report_add(&job->profile->report, NOTE_WARN,
	           "read without perf, which knows more of it (source lines, stacks of other machines)", input->path, 0,
	           why.text, strlen(why.text));
	return load_native(job, input, path, err);
}

static bool load_packed_perf_data(struct load_job *job, const struct load_input *input, const char *packed,
                                  struct err *err)
{
	struct buf path;
	struct collapse_options of_packed = *job->options;
	struct load_job inner = *job;
	int fd = perf_packed_unpack(packed, &job->shared->stop, err);
	bool ok;
	if (fd < 0)
		return false;
	of_packed.is_unpacked = true;
	inner.options = &of_packed;
	buf_init(&path);
	scratch_add_path(&path, fd);
	ok = load_perf_data(&inner, input, buf_str(&path), err);
	buf_deinit(&path);
	close(fd);
	return ok;
}

/* Reads the recording of a bundle with the files in it. A path into the directory tells the user nothing. */
static bool load_unpacked(const struct load_job *job, const struct load_input *input, const struct perf_bundle *b,
                          struct err *err)
{
	const char *path = perf_bundle_recording(b);
	struct collapse_options of_bundle = *job->options;
	struct load_job inner = *job;
	struct err why = {""};
	inner.options = &of_bundle;
	of_bundle.symfs = perf_bundle_root(b);
	of_bundle.is_bundle = of_bundle.is_unpacked = true;
	bool ok = is_perf_data(path) ? load_perf_data(&inner, input, path, &why)
	                             : fail(&why, "its perf.data is no recording of perf record");
	size_t n = strlen(path);
	return ok || fail(err, "%s%s", strncmp(why.text, path, n) == 0 ? "perf.data" : "",
	                  strncmp(why.text, path, n) == 0 ? why.text + n : why.text);
}

static bool load_bundle(struct load_job *job, struct input *in, const struct beginning *head,
                        const struct load_input *input, struct err *err)
{
	struct report report;
	report_init(&report);
	if (err)
		err->text[0] = '\0';
	if (job->options->symfs)
		report_add(&report, NOTE_WARN, "--symfs has no effect on a bundle, which has its files in it", NULL, 0,
		           NULL, 0);
	name_stage(job, "unpacking", input->path);
	struct perf_bundle *b = perf_bundle_unpack(in, head->text, head->len, &job->shared->stop, &report, err);
	name_stage(job, "reading", input->path);
	shared_lock(job->shared);
	report_merge(&job->profile->report, &report, NULL, 0);
	shared_unlock(job->shared);
	report_deinit(&report);
	bool ok = b && load_unpacked(job, input, b, err);
	if (ok && job->options->keeps_bundles)
		perf_bundle_free_late(b);
	else
		perf_bundle_free(b);
	return ok;
}

/* Collects the notes of each file separately, so that they get its name. */
static void begin_file(struct load_job *job, const struct load_input *input, char *name, struct report *before)
{
	struct profile *p = job->profile;
	shared_lock(job->shared);
	mem_push(p->files, p->n_files, p->cap_files,
	         ((struct profile_file){.name = name, .side = input->side, .first = {p->log[0].n, p->log[1].n}}));
	profile_seal(p);
	*before = p->report;
	report_init(&p->report);
	shared_unlock(job->shared);
}

/* perf record --threads writes a directory. */
static bool is_perf_directory(const char *path)
{
	struct buf data;
	struct stat st;
	buf_init(&data);
	buf_addf(&data, "%s/data.0", path);
	bool is_it = stat(path, &st) == 0 && S_ISDIR(st.st_mode) && stat(buf_str(&data), &st) == 0;
	buf_deinit(&data);
	return is_it;
}

static bool load_stream(struct load_job *job, struct input *in, const struct load_input *input, struct err *err)
{
	bool ok = in && load_text(job, in, input, err);
	if (in)
		input_close(in);
	return ok;
}

/* The file is at `path`, which differs from the input's name if it was fetched. */
static bool load_file(struct load_job *job, const struct load_input *input, const char *path, struct err *err)
{
	if (is_perf_data(path))
		return load_perf_data(job, input, path, err);
	if (perf_packed_is(path))
		return load_packed_perf_data(job, input, path, err);
	if (is_perf_directory(path))
		return fail(err, "a directory of perf record --threads (perf script -i DIRECTORY | flametop reads it)");
	if (path == input->path)
		return load_stream(job, input_open(path, err), input, err);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? fail_errno(err, "cannot open") : load_stream(job, input_fd(fd, input->path, err), input, err);
}

static bool load_answer(struct load_job *job, const struct load_input *input, int fd, struct err *err)
{
	struct buf path;
	buf_init(&path);
	scratch_add_path(&path, fd);
	name_stage(job, "reading", input->path);
	bool ok = load_file(job, input, buf_str(&path), err);
	message_hide(input->fetcher, &job->profile->report, err);
	buf_deinit(&path);
	return ok;
}

static bool load_fetched(struct load_job *job, const struct load_input *input, struct err *err)
{
	const struct load_fetcher *f = input->fetcher;
	if (f->judge || (f->every && job->is_background))
		return answers_read(job, input, load_answer, err);
	size_t before = inputs_samples(job->profile);
	int fd = f->fetch(f->arg, &job->shared->stop, err);
	bool ok = fd >= 0 && load_answer(job, input, fd, err);
	if (ok && f->keep && inputs_samples(job->profile) > before)
		ok = f->keep(f->arg, err);
	if (fd >= 0)
		close(fd);
	return ok;
}

/* The profile takes over the name. */
static bool load_one(struct load_job *job, const struct load_input *input, char *name, struct err *err)
{
	struct report mine;
	size_t before = inputs_samples(job->profile);
	bool ok;
	begin_file(job, input, name, &mine);
	name_stage(job, "reading", input->path);
	if (input->fetcher)
		ok = load_fetched(job, input, err);
	else if (input->fd >= 0)
		ok = load_stream(job, input_fd(input->fd, input->path, err), input, err);
	else
		ok = load_file(job, input, input->path, err);
	if (!ok)
		message_in_file(err, strcmp(input->path, "-") == 0 ? "stdin" : input->path);
	shared_count_input(job->shared);
	shared_lock(job->shared);
	two_columns_say(job->profile);
	if (ok && job->is_several && inputs_samples(job->profile) == before && !job->profile->report.n)
		report_add(&job->profile->report, NOTE_WARN, "no stacks found", NULL, 0, NULL, 0);
	report_merge(&mine, &job->profile->report, strcmp(input->path, "-") == 0 ? "stdin" : input->path, 0);
	report_deinit(&job->profile->report);
	job->profile->report = mine;
	shared_unlock(job->shared);
	return ok;
}

/* Fails if an input has no stacks; the first note is the reason. hint: NULL, or what may help. */
static bool fail_empty(struct profile *p, const char *name, const char *hint, struct err *err)
{
	struct buf text;
	for (size_t i = 0; i < p->report.n; i++) {
		if (p->report.notes[i].level < NOTE_WARN)
			continue;
		buf_init(&text);
		note_add(&p->report.notes[i], &text);
		report_deinit(&p->report);
		report_init(&p->report);
		fail(err, "%s; no stacks found", buf_str(&text));
		buf_deinit(&text);
		return false;
	}
	return fail(err, "%s: no stacks found (%s)", name, hint ? hint : "expected at least one sample");
}

/* A baseline, if there are only empty ones; NULL: one has samples, or there is none. */
static const struct load_input *empty_base(const struct profile *p, const struct load_input *inputs, size_t n)
{
	for (size_t i = 0; i < n && p->log[1].n == 0; i++)
		if (inputs[i].side == 1)
			return &inputs[i];
	return NULL;
}

static bool read_each(struct load_job *job, const struct load_input *inputs, size_t n, struct err *err)
{
	char **names = input_names(inputs, n);
	bool ok = true;
	size_t done = 0;
	while (done < n && ok && !atomic_load(&job->shared->stop)) {
		ok = load_one(job, &inputs[done], names[done], err);
		done++;
	}
	for (; done < n; done++)
		free(names[done]);
	free(names);
	return ok;
}

/* --unit changes nothing where every input says what it counts. */
static void say_idle_unit(struct profile *p, const char *unit)
{
	for (size_t i = 0; i < p->n_series; i++)
		if (p->series[i].unit == p->bare_unit && (p->series[i].samples || p->series[i].total[1]))
			return;
	if (unit && inputs_samples(p) > 0)
		report_add(&p->report, NOTE_WARN, "--unit has no effect: the input says what it counts", NULL, 0, NULL, 0);
}

bool inputs_read(struct load_job *job, const struct load_input *inputs, size_t n, struct err *err)
{
	enum order order = job->options->order;
	bool ok;
	job->profile->join = order == ORDER_IS_NOTHING ? JOIN_ALL : JOIN_RUNS;
	job->profile->most_ordered = order == ORDER_MAY_MATTER ? MOST_ORDERED : 0;
	ok = read_each(job, inputs, n, err);
	status_enter((struct status_stage){0}); /* job ends before the line does */
	shared_lock(job->shared);
	two_columns_say_mixed(job->profile);
	say_idle_unit(job->profile, job->options->unit);
	profile_settle_fractions(job->profile);
	profile_settle_units(job->profile);
	profile_suit_factor(job->profile, job->options->factor,
	                    job->options->half_life  ? WEIGHTS_FADE
	                    : job->options->may_fade ? WEIGHTS_MAY_FADE
	                                             : WEIGHTS_STAY);
	if (job->options->wants_sites)
		name_sites_add(job->profile);
	profile_drop_index(job->profile);
	shared_unlock(job->shared);
	if (!ok)
		return false;
	const struct load_input *base = atomic_load(&job->shared->stop) ? NULL : empty_base(job->profile, inputs, n);
	if (inputs_samples(job->profile) > 0)
		return !base || fail_empty(job->profile, base->path, base->hint, err);
	/* An input without stacks is an empty profile if its format is named and it looks like one. */
	if (is_forced(job->options) && !job->profile->report.n && !job->is_foreign) {
		const char *path = n ? inputs[0].path : "-";
		report_add(&job->profile->report, NOTE_WARN, "no stacks found", strcmp(path, "-") == 0 ? "stdin" : path, 0,
		           NULL, 0);
		return true;
	}
	return fail_empty(job->profile, n && strcmp(inputs[0].path, "-") != 0 ? inputs[0].path : "stdin",
	                  n ? inputs[0].hint : NULL, err);
}

uint64_t inputs_bytes(const struct load_input *inputs, size_t n, const struct collapse_options *o, bool *is_live)
{
	uint64_t sum = 0;
	bool is_known = true;
	*is_live = false;
	for (size_t i = 0; i < n; i++) {
		struct input *in;
		if (inputs[i].fetcher) {
			is_known = false;
			*is_live |= inputs[i].fetcher->every > 0 || inputs[i].fetcher->judge;
			continue;
		}
		if (is_pipe(&inputs[i]) || !is_plain_file(inputs[i].path)) {
			*is_live = true;
			continue;
		}
		/* Of these, flametop reads the text of perf script, or another file. */
		is_known = is_known && (!is_perf_data(inputs[i].path) || is_native(inputs[i].path, o)) &&
		           !perf_packed_is(inputs[i].path);
		in = input_open(inputs[i].path, NULL);
		if (!in)
			continue;
		sum += input_size(in);
		input_close(in);
	}
	return *is_live || !is_known ? 0 : sum;
}

struct collapse_options inputs_options(const struct collapse_options *o)
{
	struct collapse_options with = *o;
	if (!with.jobs)
		with.jobs = processors();
	return with;
}

bool load_all(struct profile *p, const struct load_input *inputs, size_t n, const struct collapse_options *o,
              struct err *err)
{
	struct collapse_options options = inputs_options(o);
	struct load_shared shared;
	struct load_job job = {p, &shared, &options, false, n > 1, false};
	bool ok, is_live;
	shared_init(&shared, -1);
	atomic_store(&shared.bytes_all, inputs_bytes(inputs, n, &options, &is_live));
	ok = inputs_read(&job, inputs, n, err);
	shared_deinit(&shared);
	return ok;
}
