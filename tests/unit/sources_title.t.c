/*
 * What addresses are called in the header.
 */
#include "sources/title.h"
#include "tests/tap.h"

#define CPU "process_cpu:cpu:nanoseconds:cpu:nanoseconds"

static void is_called(const char *address, const char *title, const char *name)
{
	struct buf out;
	buf_init(&out);
	title_add(&out, address);
	is_str(buf_str(&out), title, "%s", name);
	buf_deinit(&out);
}

int main(void)
{
	is_called("http://host:6060/debug/pprof/profile?seconds=5", "profile at host:6060",
	          "the last part of the path");
	is_called("http://host:6060/profile?path=/a/b", "profile at host:6060",
	          "slashes of the query are none of the path");
	is_called("https://host/", "host", "a host alone");
	is_called("http://host/profile?query=x", "profile at host", "a query means nothing to most servers");
	is_called("pyroscope://host/?query=" CPU, "process_cpu:cpu at host", "a store's query");
	is_called("pyroscope://host/?from=1h&query=" CPU "&until=now", "process_cpu:cpu at host", "wherever it is");
	is_called("pyroscope://host/?query=" CPU "{pod=\"a\"}", "process_cpu:cpu{pod=\"a\"} at host",
	          "with its labels");
	is_called("pyroscope://host/?query=" CPU "{}", "process_cpu:cpu at host", "unless there are none");
	is_called("pyroscope://host/?query=" CPU "{pod=\"a%26b%20c\"}", "process_cpu:cpu{pod=\"a&b c\"} at host",
	          "decoded");
	is_called("parca+https://host/own/path?query=" CPU, "process_cpu:cpu at host", "a path before that of the API");
	is_called("pyroscope://host:4040/?my_query=a&from=1h", "host:4040", "without a query");
	is_called("clickhouse://host/base/table?from=1h", "table at host", "a table of a database");
	is_called("http://", "http://", "what is no address stays as it is");
	return done_testing();
}
