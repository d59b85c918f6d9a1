/* What addresses of stores of profiles say: schemes and ports, moments, queries and labels. */
#include <stdlib.h>

#include "sources/catalog.h"
#include "sources/moment.h"
#include "sources/query.h"
#include "sources/url.h"
#include "tests/tap.h"

static void reads(const char *word, const char *request, const char *shown)
{
	struct url u;
	struct err err = {""};
	if (!url_read_given(&u, word, &err)) {
		ok(false, "%s: %s", word, err.text);
		return;
	}
	is_str(u.request, request, "%s: what it stands for", word);
	is_str(u.shown, shown, "%s: what is shown", word);
	url_deinit(&u);
}

static void refuses(const char *word, const char *why)
{
	struct url u;
	struct err err = {""};
	ok(!url_read_given(&u, word, &err) && err.text[0] && !strstr(err.text, "geheim"), "%s is refused", why);
}

static void test_addresses(void)
{
	reads("pyroscope://h", "http://h:4040/", "pyroscope://h/");
	reads("PyroScope://h:80/x", "http://h:80/x", "pyroscope://h:80/x");
	reads("pyroscope+http://h", "http://h:4040/", "pyroscope://h/");
	reads("pyroscope+https://h/a", "https://h/a", "pyroscope+https://h/a");
	reads("parca://[::1]", "http://[::1]:7070/", "parca://[::1]/");
	reads("parca://me:geheim@h?query=a{b=\"c d\",e=~\"\\\\/\"}#x",
	      "http://h:7070/?query=a{b=\"c%20d\",e=~\"%5C%5C%2F\"}",
	      "parca://h/?query=a{b=\"c%20d\",e=~\"%5C%5C%2F\"}");
	reads("pyroscope://h?token=geheim", "http://h:4040/?token=geheim", "pyroscope://h/?token=***");
	refuses("pyroscope://", "an address without a host");
	refuses("pyroscope://h\\x/?query=a", "a backslash before the query");
	refuses("pyroscope://h/a b?query=a", "a blank before the query");
	refuses("pyroscope://h/?query=\n", "a control character");
	refuses("pyroscopes://h", "another scheme");
	refuses("pyroscope+ftp://me:geheim@h", "another end of a scheme");
	struct url u;
	ok(!url_read(&u, "pyroscope://h", NULL), "a server cannot redirect to a store");
}

static void is_span(const char *parameters, long long from, long long until)
{
	struct buf word;
	struct url u;
	struct span s = {0};
	struct err err = {""};
	buf_init(&word);
	buf_addf(&word, "parca://h?%s", parameters);
	if (!url_read_given(&u, buf_str(&word), NULL))
		bail_out("%s", parameters);
	bool is_good = moment_read_span(&u, &s, &err);
	if (from < 0) {
		ok(!is_good && err.text[0], "%s: no time", parameters);
	} else {
		is_int(s.from, from, "%s: from", parameters);
		is_int(s.until, until, "%s: until", parameters);
	}
	url_deinit(&u);
	buf_deinit(&word);
}

static void test_moments(void)
{
	is_span("from=2026-11-22T07:00:00Z&until=2026-11-22T08:30:00.125%2B01:00", 1795330800000, 1795332600125);
	is_span("from=20261122&until=20261123", 1795305600000, 1795392000000);
	is_span("from=2024-02-29&until=2024-02-29T00:00:01", 1709164800000, 1709164801000);
	is_span("from=1&until=99999999999", 1000, 99999999999000);
	is_span("from=100000000000&until=1795330800000000", 100000000000, 1795330800000);
	is_span("from=1795330800000000000&until=20991231", 1795330800000, 4102358400000);
	is_span("from=2026-11-22T25:00&until=now", -1, 0);
	is_span("from=2026-13-01&until=now", -1, 0);
	is_span("from=2026-04-31&until=now", -1, 0);
	is_span("from=now-1y", -1, 0);
	is_span("from=now-", -1, 0);
	is_span("from=now-99999999999999999999h", -1, 0);
	is_span("from=now-99999w", -1, 0);
	is_span("from=now%2B1h", -1, 0);
	is_span("from=99999999999999999999999", -1, 0);
	is_span("from=now&until=now", -1, 0);
	struct buf text;
	buf_init(&text);
	moment_add_span(&text, &(struct span){1795330800000, 1795334400250});
	buf_addc(&text, ' ');
	moment_add_iso(&text, 1795330800050);
	is_str(buf_str(&text), "2026-11-22 07:00:00 to 08:00:00.250 UTC 2026-11-22T07:00:00.050Z",
	       "how they are shown");
	buf_deinit(&text);
}

static void is_query(const char *parameters, const char *expected)
{
	struct buf word, out;
	struct url u;
	struct query q;
	buf_init(&word);
	buf_init(&out);
	buf_addf(&word, "parca://h?%s", parameters);
	if (!url_read_given(&u, buf_str(&word), NULL))
		bail_out("%s", parameters);
	if (query_read(&q, &u, NULL)) {
		query_add_with(&out, &q, "pod", "a\"\\\n", 4);
		query_deinit(&q);
	}
	is_str(buf_str(&out), expected, "%s with one more label", parameters);
	url_deinit(&u);
	buf_deinit(&word);
	buf_deinit(&out);
}

static void test_queries(void)
{
	is_query("query=a:b:c:d:e", "a:b:c:d:e{pod=\"a\\\"\\\\\\n\"}");
	is_query("query=a:b:c:d:e:delta{ }", "a:b:c:d:e:delta{pod=\"a\\\"\\\\\\n\"}");
	is_query("query=a:b:c:d:e{x=\"%26\"}", "a:b:c:d:e{x=\"&\",pod=\"a\\\"\\\\\\n\"}");
	is_query("query=a:b:c:d", "");
	is_query("query=a:b:c:d:e:f:g", "");
	is_query("query=a:b:c:d:e{", "");
	is_query("query=%01", "");
	ok(query_is_label("service_name", 12) && query_is_label("k8s.pod", 7), "names of labels");
	ok(!query_is_label("", 0) && !query_is_label("9a", 2) && !query_is_label("a b", 3), "and what is none");
}

static void test_totals(void)
{
	struct totals t = {.from = 1000, .step = 100, .n = 3, .v = (uint64_t[3]){0}};
	totals_add(&t, 999, 1);
	totals_add(&t, 1000, 2);
	totals_add(&t, 1299, 4);
	totals_add(&t, 1300, 8);
	totals_add(&t, 1100, -5);
	totals_add(&t, 1100, 1e300);
	is_int((long long)t.v[0], 2, "a slot begins with its time");
	is_int((long long)t.v[1], 0, "numbers that are no weights are left out");
	is_int((long long)t.v[2], 4, "and ends before the next one's");
}

int main(void)
{
	test_addresses();
	test_moments();
	test_queries();
	test_totals();
	return done_testing();
}
