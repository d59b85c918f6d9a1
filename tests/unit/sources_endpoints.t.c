/* The page that lists profiles, and what addresses of pprof mean. */
#include "sources/endpoints.h"

#include "tests/tap.h"

static void lists(const char *html, const char *expected, const char *name)
{
	struct endpoints e = {0};
	struct menu m = {0};
	struct url u;
	struct buf out;
	buf_init(&out);
	if (!url_read(&u, "http://h/debug/pprof/", NULL))
		bail_out("%s", name);
	endpoints_read(&e, html, strlen(html));
	endpoints_make_menu(&m, &u, &e);
	menu_add_names(&out, &m);
	is_str(buf_str(&out), expected, "%s", name);
	buf_deinit(&out);
	menu_deinit(&m);
	endpoints_deinit(&e);
	url_deinit(&u);
}

static void leads(const char *list, const char *name, const char *expected)
{
	struct endpoints e = {0};
	struct menu m = {0};
	struct url u;
	char html[64];
	snprintf(html, sizeof html, "<a href='%s'>", name);
	if (!url_read(&u, list, NULL))
		bail_out("%s", list);
	endpoints_read(&e, html, strlen(html));
	endpoints_make_menu(&m, &u, &e);
	is_str(m.n ? m.v[0].address : "", expected, "%s of %s", name, list);
	menu_deinit(&m);
	endpoints_deinit(&e);
	url_deinit(&u);
}

static void means(const char *address, enum endpoint_kind kind, unsigned seconds)
{
	struct url u;
	if (!url_read(&u, address, NULL))
		bail_out("%s", address);
	is_int(endpoint_kind(&u), kind, "%s: its kind", address);
	is_int(endpoint_seconds(&u), seconds, "%s: its seconds", address);
	ok(!endpoint_advice(&u) == (kind != ENDPOINT_REFUSED), "%s: advice", address);
	url_deinit(&u);
}

static void test_page(void)
{
	lists("<tr><td>12</td><td><a href='heap?debug=1'>heap</a></td></tr>\n"
	      "<tr><td>0</td><td><a href=\"block?debug=1\">block</a></td></tr>\n"
	      "<tr><td>5</td><td><a href='cmdline?debug=1'>c</a><a href='trace'>t</a><a href='profile'>p</a>\n"
	      "<a href=\"heap?debug=2\">twice</a> <a href='own%20one/x?debug=1'>own</a>",
	      "heap (12), block, profile, own%20one/x", "profiles, once each, with counts");
	lists("<a href='http://elsewhere/heap'><a href='//elsewhere/heap'><a href='/heap'><a href='../x'><a href='.'>"
	      "<a href='a/../../x'><a href='a//b'><a href='javascript:x'><a href='a b'><a href='\x1b[31m'><a href='?x'>"
	      "<a href=''><a href='x",
	      "", "links that lead elsewhere");
	lists("<td>99999999999999999999999</td><td><a href='a'><td>x7</td><td><a href='b'>8<a href='c'>", "a, b, c",
	      "numbers that are no counts");
	lists("", "", "nothing");
	lists("<a href=", "", "the end in a link");
	struct endpoints e = {0};
	struct buf html;
	buf_init(&html);
	for (int i = 0; i < 1000; i++)
		buf_addf(&html, "<a href='n%d'>", i);
	endpoints_read(&e, html.data, html.len);
	is_int((long long)e.n, 256, "a list has a bound");
	endpoints_deinit(&e);
	buf_deinit(&html);
}

int main(void)
{
	test_page();
	leads("http://h/debug/pprof/", "heap", "http://h/debug/pprof/heap");
	leads("http://h/a/debug/pprof?x=1", "heap", "http://h/a/debug/pprof/heap?x=1");
	means("http://h/debug/pprof/profile", ENDPOINT_CPU, 30);
	means("http://h/debug/pprof/profile?seconds=5", ENDPOINT_CPU, 5);
	means("http://h/debug/pprof/profile?seconds=x", ENDPOINT_CPU, 30);
	means("http://h/debug/pprof/profile?seconds=0", ENDPOINT_CPU, 30);
	means("http://h/debug/pprof/profile?seconds=99999999999", ENDPOINT_CPU, 86400);
	means("http://h/api/v1/proxy/debug/pprof/heap", ENDPOINT_STATE, 0);
	means("http://h/debug/pprof/heap?seconds=3", ENDPOINT_STATE, 3);
	means("http://h/debug/pprof/", ENDPOINT_LIST, 0);
	means("http://h/debug/pprof", ENDPOINT_LIST, 0);
	means("http://h/debug/pprof/trace?seconds=1", ENDPOINT_REFUSED, 1);
	means("http://h/debug/pprof/symbol", ENDPOINT_REFUSED, 0);
	means("http://h/a.folded?x=/debug/pprof/", ENDPOINT_OTHER, 0);
	means("http://h/debug/pprofx", ENDPOINT_OTHER, 0);
	means("http://h/custom?seconds=4", ENDPOINT_OTHER, 4);
	return done_testing();
}
