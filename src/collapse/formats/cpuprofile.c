/*
 * cpuprofile.c - parses V8's CPU profiles: node --cpu-prof, and "Save profile" in Chrome's developer tools.
 *
 *	{"nodes":[
 *	  {"id":1,"callFrame":{"functionName":"(root)",...},"children":[2]},
 *	  {"id":2,"callFrame":{"functionName":"run","url":"file:///a.js","lineNumber":3},"hitCount":5}],
 *	 "startTime":1000,"endTime":2000,"samples":[2,2],"timeDeltas":[100,250]}
 *
 * Files without samples have hit counts. v8_profile.h describes the members.
 */
#include "collapse/formats.h"
#include "collapse/text/v8_profile.h"

struct cpuprofile {
	struct sink *sink;
	struct json json;
	struct v8_reader reader;
	struct v8_profile profile;
};

static void *cpuprofile_start(struct sink *sink, struct err *err)
{
	(void)err;
	struct cpuprofile *c = mem_zalloc(1, sizeof *c);
	c->sink = sink;
	json_init(&c->json);
	v8_reader_init(&c->reader, sink, &c->profile);
	return c;
}

static bool cpuprofile_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct cpuprofile *c = state;
	enum json_token t;
	json_feed(&c->json, text, len, false);
	while ((t = json_next(&c->json)) > JSON_MORE)
		v8_reader_take(&c->reader, &c->json, t, 0);
	return t != JSON_ERROR || fail(err, "%s", c->json.err.text);
}

static void emit(struct cpuprofile *c)
{
	struct v8_target target = {.sink = c->sink, .unit = 1};
	if (c->profile.n_samples) {
		profile_series(c->sink->profile, sink_sym(c->sink, "time", 4), sink_sym(c->sink, "us", 2));
		v8_profile_emit_samples(&c->profile, &target);
	} else {
		profile_series(c->sink->profile, sink_sym(c->sink, "hits", 4), 0);
		v8_profile_emit_hits(&c->profile, &target);
	}
}

static bool cpuprofile_finish(void *state, bool ok, struct err *err)
{
	struct cpuprofile *c = state;
	if (ok) {
		json_feed(&c->json, "", 0, true);
		ok = json_next(&c->json) != JSON_ERROR && !json_is_cut(&c->json);
		if (!ok)
			fail(err, "%s", c->json.err.text[0] ? c->json.err.text : "the input ends within the document");
	}
	if (ok)
		emit(c);
	json_deinit(&c->json);
	v8_reader_deinit(&c->reader);
	v8_profile_deinit(&c->profile);
	free(c);
	return ok;
}

static enum sniff cpuprofile_sniff(const struct head *head, const char **why)
{
	struct slice text = slice_ltrim((struct slice){head->text, head->len});
	*why = "not a JSON object with \"nodes\" and \"callFrame\"";
	if (!slice_starts(text, "{") || !slice_has(text, "\"nodes\""))
		return SNIFF_NO;
	return slice_has(text, "\"callFrame\"") ? SNIFF_YES : SNIFF_NO;
}

const struct collapse_format format_cpuprofile = {
	.name = "cpuprofile",
	.help = "CPU profile of V8: node --cpu-prof, Chrome developer tools",
	.sniff = cpuprofile_sniff,
	.start = cpuprofile_start,
	.feed = cpuprofile_feed,
	.finish = cpuprofile_finish,
	.is_text_stream = true,
	.has_spans = true,
};
