"""A server of profiles that also misbehaves, for fetch.t: fetch_server.py DIR LOG PORT_FILE

It listens on a free port of the loopback, which it writes to PORT_FILE, and appends each request with its headers to LOG.
"""
import base64
import http.server
import json
import os
import ssl
import sys
import time
import urllib.parse

directory, log, port_file = sys.argv[1:4]

INDEX = """<html><body>/debug/pprof/<table>
<tr><td>12</td><td><a href='heap?debug=1'>heap</a></td></tr>
<tr><td>0</td><td><a href='cmdline?debug=1'>cmdline</a></td></tr>
<tr><td>0</td><td><a href='profile?debug=1'>profile</a></td></tr>
<tr><td>0</td><td><a href='trace?debug=1'>trace</a></td></tr>
<tr><td>3</td><td><a href='//elsewhere/heap'>evil</a></td></tr>
<tr><td>3</td><td><a href='../../etc/passwd'>evil</a></td></tr>
<tr><td>3</td><td><a href='javascript:alert(1)'>evil</a></td></tr>
</table><a href="goroutine?debug=2">full goroutine stack dump</a></body></html>
"""


def wait_for(name):
    while not os.path.exists(os.path.join(directory, name)):
        time.sleep(0.02)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self, status, body, headers=(), length=None):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def do_GET(self):
        with open(log, "a") as out:
            out.write(self.path + "\n" + "".join(f"{k}: {v}\n" for k, v in self.headers.items()) + "\n")
        path, _, query = self.path.partition("?")
        try:
            getattr(self, "get_" + path.strip("/").replace("/", "_").replace("-", "_"), self.get_file)(path, query)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def get_file(self, path, query):
        name = os.path.join(directory, os.path.basename(path))
        if not os.path.isfile(name):
            return self.answer(404, b"Unknown profile\n", [("X-Go-Pprof", "1")])
        with open(name, "rb") as f:
            return self.answer(200, f.read())

    def get_echo(self, path, query):
        """A server that sends back what it does not know."""
        self.answer(404, f"no such page: {self.path} {' '.join(f'{k}: {v}' for k, v in self.headers.items())}".encode())

    def get_told_key(self, path, query):
        """The header behind so many bytes."""
        self.answer(403, b"x" * int(query) + self.headers.get("X-Key").encode())

    def get_told_keys(self, path, query):
        self.answer(403, " ".join(f"{k}={v}" for k, v in self.headers.items()).encode())

    def get_told_token(self, path, query):
        self.answer(403, f"bad token {self.headers.get('Authorization').split()[-1]}".encode())

    def get_told_plain(self, path, query):
        self.answer(403, f"no such page: {urllib.parse.unquote_plus(query)}".encode())

    def get_told_json(self, path, query):
        """All that was sent, in JSON, as servers differ: Latin-1 or UTF-8, escaped or not."""
        seen = [urllib.parse.unquote(query)] + [v for k, v in self.headers.items() if k.startswith("X-")]
        kind, _, basic = self.headers.get("Authorization", "").partition(" ")
        seen += [v.encode("latin-1").decode() for v in seen[1:] if not v.isascii()]
        seen += [base64.b64decode(basic).decode()] if kind == "Basic" else []
        body = json.dumps({"error": "invalid: " + " ".join(seen)}) + " " + json.dumps(seen, ensure_ascii=False)
        self.answer(401, body.encode(), [("Content-Type", "application/json")])

    def get_told_good(self, path, query):
        """No profile, behind status 200."""
        self.answer(200, b"x" * int(query) + f" key 'it is {self.headers.get('X-Key')}'\n".encode())

    def get_told_login(self, path, query):
        """The user and the password, with this status."""
        login = base64.b64decode(self.headers.get("Authorization").split()[-1]).decode()
        self.answer(int(query), f"denied for {login}\n".encode())

    def get_told_rest(self, path, query):
        """A profile with a line that is skipped."""
        self.answer(200, f"main;a 1\nmain;b 2\n{self.headers.get('X-Key')}\n".encode())

    def get_told_hop(self, path, query):
        """A token of the server's own, which the next answer repeats with this status."""
        self.answer(302, b"", [("Location", f"/told-hop-end?{query}&token=zauber9")])

    def get_told_hop_end(self, path, query):
        self.answer(int(query.split("&")[0]), f"{query}: main;a 1\n{query}\n".encode())

    def get_told_host(self, path, query):
        self.answer(302, b"", [("Location", f"{query}{self.headers.get('X-Key')}.invalid/")])

    def get_debug_pprof(self, path, query):
        self.answer(200, INDEX.encode())

    def get_debug_pprof_profile(self, path, query):
        wait_for("go")
        self.get_file("/some.pb", query)

    def get_debug_pprof_heap(self, path, query):
        """Each answer has one sample more."""
        self.server.count += 1
        self.answer(200, b"# unit: bytes\nmain;grow %d\n" % self.server.count)

    def get_debug_pprof_allocs(self, path, query):
        """The first answer is of another format than the others."""
        self.server.allocs += 1
        first = b'{"name":"root","value":1,"children":[{"name":"main","value":1,"children":[]}]}'
        self.answer(200, first if self.server.allocs == 1 else b"# unit: bytes\nmain;grow %d\n" % self.server.allocs)

    def get_once(self, path, query):
        """One good answer, and from then on pages of no use."""
        self.server.once += 1
        self.answer(200, b"# unit: bytes\nmain;a 1\n" if self.server.once == 1 else b"\x89PNG\r\n no profile\n")

    def get_hang(self, path, query):
        time.sleep(1000)

    def get_half(self, path, query):
        self.answer(200, b"main;a 1\n", length=100000)
        time.sleep(1000)

    def get_trickle(self, path, query):
        self.send_response(200)
        self.end_headers()
        while True:
            self.wfile.write(b"a")
            self.wfile.flush()
            time.sleep(0.1)

    def get_short(self, path, query):
        self.answer(200, b"main;a 1\n", length=100000)
        self.close_connection = True

    def get_long(self, path, query):
        self.answer(200, b"main;a 1\nmain;b 2\nmain;c 3\n", length=18)
        self.close_connection = True

    def get_huge(self, path, query):
        self.answer(200, b"main;a 1\n", length=5 << 40)

    def get_cut(self, path, query):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"1000\r\nmain;a 1\n")
        self.wfile.flush()
        self.close_connection = True

    def get_garbage(self, path, query):
        self.wfile.write(b"\x00\x01\x02 no HTTP at all\r\n\r\n")
        self.close_connection = True

    def get_nothing(self, path, query):
        self.close_connection = True

    def get_trailed(self, path, query):
        """Trailers after the body: so many bytes."""
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"9\r\nmain;a 1\n\r\n0\r\n")
        self.write_heads(int(query))

    def get_headed(self, path, query):
        """Headers: so many bytes."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n")
        self.write_heads(int(query))

    def get_continued(self, path, query):
        """So many bytes of answers before the answer."""
        self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n" * (int(query) // 25))
        self.answer(200, b"main;a 1\n")

    def write_heads(self, n):
        for _ in range(n // 1000):
            self.wfile.write(b"a: 1\r\nb:  \r\n" + b"b: " + b"x" * 983 + b"\r\n")
        self.wfile.write(b"\r\n")

    def get_typed(self, path, query):
        """Status 200; only the headers tell that it is an error."""
        kinds = {
            "problem": [("Content-Type", "application/problem+json; charset=utf-8")],
            "grpc": [("grpc-status", "7"), ("grpc-message", "no%20entry")],
            "good": [("grpc-status", "0"), ("Content-Type", "image/png")],
        }
        bodies = {
            "problem": b'{"type":"about:blank","title":"Forbidden","status":403,"detail":"no such tenant"}',
            "login": b"<!doctype html>\n<html><body>log in</body></html>\n",
        }
        self.answer(200, bodies.get(query, b"main;a 1\n"), kinds.get(query, [("Content-Type", "text/html")]))

    def get_to(self, path, query):
        self.answer(302, b"", [("Location", query)])

    def get_round(self, path, query):
        self.answer(302, b"", [("Location", "/round")])

    def get_401(self, path, query):
        self.answer(401, b"who are you?\n", [("WWW-Authenticate", "Basic")])

    def get_429(self, path, query):
        self.answer(429, b"slow down\n")

    def get_500(self, path, query):
        self.answer(500, b"\n \x1b[31mCould not enable\x07 CPU profiling\nsecond line\n")

    def get_page(self, path, query):
        self.answer(503, b"<html><body>sorry</body></html>")

    def get_endless_error(self, path, query):
        self.answer(500, b"x" * 100000, length=1 << 30)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    count = 0
    allocs = 0
    once = 0

    def handle_error(self, request, address):
        pass


server = Server(("127.0.0.1", 0), Handler)
if len(sys.argv) > 4:  # a file with certificate and key
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[4])
    server.socket = context.wrap_socket(server.socket, server_side=True)
with open(port_file + ".new", "w") as out:
    out.write(str(server.server_address[1]))
os.rename(port_file + ".new", port_file)
server.serve_forever()
