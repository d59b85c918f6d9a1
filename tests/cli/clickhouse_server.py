"""A strict stand-in for ClickHouse's HTTP interface, for clickhouse.t: clickhouse_server.py LOG PORT_FILE

It checks each request as the server would, appends it to LOG, and answers by what the address says: the value of
`type` chooses the answer. No SQL is run.
"""
import http.server
import os
import re
import sys
import time
import urllib.parse

log, port_file = sys.argv[1:3]

ERRORS = {
    "forbidden": (500, "Code: 446. DB::Exception: Introspection functions are disabled, because setting 'allow_introspection_functions' is set to 0. (FUNCTION_NOT_ALLOWED) (version 24.3.1.2672 (official build))"),
    "ungranted": (403, "Code: 497. DB::Exception: reader: Not enough privileges. To execute this query, it's necessary to have the grant demangle, addressToSymbol ON *.*. (ACCESS_DENIED) (version 24.3.1)"),
    "unreadable": (403, "Code: 497. DB::Exception: reader: Not enough privileges. To execute this query, it's necessary to have the grant SELECT(trace, trace_type) ON system.trace_log. (ACCESS_DENIED)"),
    "remote": (403, "Code: 497. DB::Exception: reader: Not enough privileges. To execute this query, it's necessary to have the grant REMOTE ON *.*. (ACCESS_DENIED)"),
    "readonly": (500, "Code: 164. DB::Exception: Cannot modify 'allow_introspection_functions' setting in readonly mode. (READONLY)"),
    "missing": (404, "Code: 60. DB::Exception: Table system.trace_log does not exist. (UNKNOWN_TABLE) (version 24.3.1)"),
    "stranger": (401, "Code: 516. DB::Exception: default: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED)"),
    "memory": (500, "Code: 241. DB::Exception: Memory limit (for query) exceeded. (MEMORY_LIMIT_EXCEEDED)"),
    "page": (502, "<html>bad gateway</html>"),
    "evil": (500, "Code: 999. DB::Exception: \x1b[31mred\x07\nsecond line"),
}
BODIES = {
    "CPU": b"main;a\t3\nmain;b \\\\ \\t c\t2\n",
    "both": b"main;a\t3\t1\nmain;b\t0\t2\n",
    "late": b"main;a\t3\nmain;bCode: 241. DB::Exception: Memory limit (total) exceeded. (MEMORY_LIMIT_EXCEEDED)\n",
    "marked": b"main;a\t3\n__exception__\r\nabcdef\r\nCode: 395. DB::Exception: Value passed. (FUNCTION_THROW_IF)\r\n",
    "inside": b"main;a\t3\nmain;b\tCode: 241. DB::Exception: Memory limit (total) exceeded.",
    "login": b"<html><body>log in</body></html>\n",
    "columns": b"a\tb\tc\td\n",
    "words": b"main;a\tmany\n",
    "nothing": b"",
    "cut": b"main;a\t3\nmain;b\t1",
    "names": b"worker 12\t3\nworker 13\t4\n# event=e unit=b\t5\n# 9 samples lost\t2\n",
    "numbers": b"a\t1e3\nb\t2.50\nc\tnan\nd\t-7\n",
    "lines": b"a\\nb;c\td\t1\n",
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self, status, body, length=None):
        self.send_response(status)
        self.send_header("Content-Type", "text/tab-separated-values; charset=UTF-8")
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def do_GET(self):
        self.answer(500, b"Code: 62. DB::Exception: only POST is expected here\n")

    def fault(self, query, sql):
        """What a strict server would refuse."""
        names = [name for name, _ in query]
        for name in set(names):
            if names.count(name) > 1:
                return "Code: 36. DB::Exception: %s is there twice" % name
        given = {name[6:] for name in names if name.startswith("param_")}
        used = set(re.findall(r"\{(\w+):", sql))
        if used - given:
            return "Code: 456. DB::Exception: Substitution `%s` is not set" % (used - given).pop()
        if sql.count("(") != sql.count(")") or sql.count("'") % 2 or not sql.endswith("FORMAT TabSeparated"):
            return "Code: 62. DB::Exception: Syntax error"
        if "wait_end_of_query" not in names:
            return "Code: 1. DB::Exception: an error would come late"
        return None

    def do_POST(self):
        sql = self.rfile.read(int(self.headers["Content-Length"])).decode()
        with open(log, "a") as out:
            out.write(self.path + "\n" + "".join(f"{k}: {v}\n" for k, v in self.headers.items()) + sql + "\n\n")
        query = urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query, keep_blank_values=True)
        kind = dict(query).get("param_type", "CPU")
        fault = self.fault(query, sql)
        try:
            if fault:
                self.answer(400, fault.encode())
            elif sql.startswith("DESCRIBE"):
                self.describe(sql)
            elif kind in ERRORS:
                self.answer(ERRORS[kind][0], ERRORS[kind][1].encode() + b"\n")
            elif kind in BODIES:
                self.answer(200, BODIES[kind])
            else:
                getattr(self, "get_" + kind)()
        except (BrokenPipeError, ConnectionResetError):
            pass

    def describe(self, sql):
        if "broken" in sql:
            self.answer(200, b"Code: 62. DB::Exception: Syntax error: broken\n")
        elif "strange" in sql:
            self.answer(200, b"<html>\n")
        else:
            self.answer(200, b"stack\\t\\`\tLowCardinality(String)\t\t\t\t\t\nn\tNullable(UInt64)\t\t\t\t\t\n")

    def get_hang(self):
        time.sleep(1000)

    def get_trickle(self):
        self.send_response(200)
        self.end_headers()
        while True:
            self.wfile.write(b"a")
            self.wfile.flush()
            time.sleep(0.1)

    def get_short(self):
        self.answer(200, b"main;a\t3\n", length=100000)
        self.close_connection = True

    def get_huge(self):
        self.answer(200, b"main;a\t3\n", length=5 << 40)

    def get_chunk(self):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"1000\r\nmain;a\t3\n")
        self.wfile.flush()
        self.close_connection = True

    def get_row(self):
        """A row without end."""
        self.send_response(200)
        self.end_headers()
        for _ in range(80):
            self.wfile.write(b"a" * (1 << 20))
        self.close_connection = True

    def get_away(self):
        self.send_response(307)
        self.send_header("Location", "http://127.0.0.1:1/")
        self.send_header("Content-Length", "0")
        self.end_headers()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        pass


server = Server(("127.0.0.1", 0), Handler)
with open(port_file + ".new", "w") as out:
    out.write(str(server.server_address[1]))
os.rename(port_file + ".new", port_file)
server.serve_forever()
