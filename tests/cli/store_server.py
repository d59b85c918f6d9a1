"""Strict fakes of Pyroscope and Parca, for stores.t: store_server.py DIR LOG PORT_FILE

It knows the messages of both APIs. A question with an unknown field, the wrong method, type of contents or frame is
answered with status 400, and its fault is appended to LOG.faults. Profiles are files of DIR, chosen by the selector:
{version="1"} is 1.pb, any other one is all.pb. Each question is appended to LOG as one line of JSON, without its
secrets; those with wrong credentials get 401.

A word in the address's path, or in the selector, makes it misbehave.
"""
import base64
import gzip
import http.server
import json
import os
import re
import struct
import sys
import time
import urllib.parse

directory, log, port_file = sys.argv[1:4]

TYPES = ["process_cpu:cpu:nanoseconds:cpu:nanoseconds", "memory:inuse_space:bytes:space:bytes"]
LABELS = {"service_name": ["shop", "a \"quoted\\one", "\x1b[31mred"], "version": ["1", "2"], "__name__": ["x"]}

# Fields of messages: number -> (name, kind). A list is a message; "*" in front: it may come again.
STAMP = {1: ("seconds", "varint"), 2: ("nanos", "varint")}
SELECTION = {1: ("type", "text"), 2: ("selector", "text"), 3: ("start", "varint"), 4: ("end", "varint")}
MERGE = {1: ("query", "text"), 2: ("start", STAMP), 3: ("end", STAMP)}
PAIR = {1: ("name", "text"), 2: ("value", "text")}
MESSAGES = {
    "/querier.v1.QuerierService/ProfileTypes": {1: ("start", "varint"), 2: ("end", "varint")},
    "/querier.v1.QuerierService/LabelNames": {1: ("*matchers", "text"), 2: ("start", "varint"), 3: ("end", "varint")},
    "/querier.v1.QuerierService/LabelValues": {1: ("name", "text"), 2: ("*matchers", "text"),
                                              3: ("start", "varint"), 4: ("end", "varint")},
    "/querier.v1.QuerierService/SelectMergeProfile": {**SELECTION, 5: ("max_nodes", "varint")},
    "/querier.v1.QuerierService/SelectSeries": {**SELECTION, 5: ("*group_by", "text"), 6: ("step", "double"),
                                               7: ("aggregation", "varint")},
    "/push.v1.PusherService/Push": {1: ("*series", {1: ("*labels", PAIR),
                                                  2: ("*samples", {1: ("raw_profile", "bytes"), 2: ("ID", "text")})})},
    "/parca.query.v1alpha1.QueryService/ProfileTypes": {1: ("start", STAMP), 2: ("end", STAMP)},
    "/parca.query.v1alpha1.QueryService/Labels": {1: ("*match", "text"), 2: ("start", STAMP), 3: ("end", STAMP),
                                                 4: ("profile_type", "text")},
    "/parca.query.v1alpha1.QueryService/Values": {1: ("label_name", "text"), 2: ("*match", "text"), 3: ("start", STAMP),
                                                 4: ("end", STAMP), 5: ("profile_type", "text")},
    "/parca.query.v1alpha1.QueryService/QueryRange": {
        1: ("query", "text"), 2: ("start", STAMP), 3: ("end", STAMP), 4: ("limit", "varint"), 5: ("step", STAMP)},
    "/parca.query.v1alpha1.QueryService/Query": {1: ("mode", "varint"), 3: ("merge", MERGE), 5: ("report_type", "varint")},
}


class Fault(Exception):
    pass


# ---- protocol buffers --------------------------------------------------------------------------------------------

def take_varint(data, at):
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise Fault("a varint is cut")
        byte = data[at]
        value |= (byte & 127) << shift
        at += 1
        shift += 7
        if byte < 128:
            return value, at


def read_message(data, fields):
    out = {}
    at = 0
    while at < len(data):
        key, at = take_varint(data, at)
        number, wire = key >> 3, key & 7
        if number not in fields:
            raise Fault(f"unknown field {number}")
        name, kind = fields[number]
        expected = {"varint": 0, "double": 1}.get(kind if isinstance(kind, str) else "", 2)
        if wire != expected:
            raise Fault(f"field {name} has wire type {wire}")
        if wire == 0:
            value, at = take_varint(data, at)
        elif wire == 1:
            value, at = struct.unpack_from("<d", data, at)[0], at + 8
        else:
            n, at = take_varint(data, at)
            if at + n > len(data):
                raise Fault(f"field {name} is cut")
            value, at = data[at:at + n], at + n
            if kind == "text":
                value = value.decode("utf-8")
            elif kind != "bytes":
                value = read_message(value, kind)
        if name.startswith("*"):
            out.setdefault(name[1:], []).append(value)
        elif name in out:
            raise Fault(f"field {name} comes twice")
        else:
            out[name] = value
    return out


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 1) + struct.pack("<d", value)
    if isinstance(value, str):
        value = value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


def check(condition, what):
    if not condition:
        raise Fault(what)


def check_selector(selector):
    check(re.fullmatch(r'\{( *[A-Za-z_][\w.]*(=|!=|=~|!~)"([^"\\]|\\.)*" *,?)*\}', selector), f"selector {selector}")


def check_type(kind):
    check(re.fullmatch(r"\w+(:\w+){4}(:delta)?", kind), f"type {kind}")


def pprof_of(selector):
    names = re.findall(r'version="(\d)"', selector)
    with open(os.path.join(directory, (names[0] if names else "all") + ".pb"), "rb") as f:
        return f.read()


# ---- the server --------------------------------------------------------------------------------------------------

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def note(self, **what):
        what["tenant"] = self.headers.get("X-Scope-OrgID")
        what["authorization"] = self.headers.get("Authorization")
        with open(log, "a") as out:
            out.write(json.dumps({k: v for k, v in what.items() if v is not None}, sort_keys=True) + "\n")

    def answer(self, status, body, kind="application/proto", headers=(), length=None):
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def error(self, status, code, message):
        self.answer(status, json.dumps({"code": code, "message": message}).encode(), "application/json")

    def misbehave(self, how):
        """Does what a word says; True: that is all."""
        if how == "hang":
            time.sleep(1000)
        elif how == "trickle":
            self.send_response(200)
            self.send_header("Content-Type", "application/proto")
            self.end_headers()
            while True:
                self.wfile.write(b"\x0a")
                self.wfile.flush()
                time.sleep(0.1)
        elif how == "short":
            self.answer(200, b"\x0a\x04", length=1000)
            self.close_connection = True
        elif how == "huge":
            self.answer(200, b"\x0a\x04", length=5 << 40)
        elif how == "401":
            self.error(401, "unauthenticated", "no org id")
        elif how == "429":
            self.error(429, "resource_exhausted", "slow \x1b[31mdown")
        elif how == "inside":
            self.answer(200, b'{"code":"internal","message":"the store is broken"}', "application/json")
        elif how == "page":
            self.answer(200, b"<html>log in</html>", "text/html; charset=utf-8")
        elif how == "text":
            self.answer(200, b"main;evil 5\n", "text/plain")
        elif how == "untyped":
            self.answer(200, b"main;evil 5\n", None)
        elif how == "elsewhere":
            self.answer(302, b"", None, [("Location", "http://localhost:" + port + self.path)])
        elif how == "moved":
            self.answer(307, b"", None, [("Location", self.path.replace("/moved", ""))])
        elif how == "bomb":
            with open(os.path.join(directory, "bomb.gz"), "rb") as f:
                self.answer(200, f.read())
        elif how == "garbage":
            self.answer(200, b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")
        else:
            return False
        return True

    def reply(self):
        parts = self.path.partition("?")[0].split("/")
        how = parts[1] if len(parts) > 2 else ""
        try:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if not self.misbehave(how):
                self.ask(self.path if "." in how or how == "api" else self.path[len(how) + 1:], body)
        except (BrokenPipeError, ConnectionResetError):
            pass
        except Fault as fault:
            with open(log + ".faults", "a") as out:
                out.write(f"{self.command} {self.path}: {fault}\n")
            self.error(400, "invalid_argument", str(fault))

    do_GET = do_POST = reply

    def ask(self, path, body):
        check("user-agent" in self.headers and self.headers["User-Agent"].startswith("flametop/"), "no User-Agent")
        if "geheim" in (self.headers.get("X-Wrong") or ""):
            raise Fault("X-Wrong")
        if path.startswith("/api/"):
            return PARCA.ask(self, path[4:], body)
        check(self.command == "POST", f"method {self.command}")
        check(path in MESSAGES and not path.startswith("/parca"), f"no such method: {path}")
        check(self.headers.get("Content-Type") == "application/proto", "Content-Type")
        check(self.headers.get("Connect-Protocol-Version") == "1", "Connect-Protocol-Version")
        question = read_message(body, MESSAGES[path])
        method = path.rpartition("/")[2]
        self.pyroscope(method, question)

    # ---- Pyroscope ----

    def pyroscope(self, method, q):
        if method != "Push":
            check(q.get("start", 0) < q.get("end", 0) < 1 << 44 and q["start"] > 1 << 40, "a time in milliseconds")
            self.note(method=method, **{k: v for k, v in q.items() if k not in ("start", "end")},
                      seconds=(q["end"] - q["start"]) / 1000)
        for selector in q.get("matchers", [q["selector"]] if "selector" in q else []):
            check_selector(selector)
        if method in ("SelectMergeProfile", "SelectSeries"):
            check_type(q["type"])
            check("selector" in q, "no selector")
        getattr(self, method)(q)

    def ProfileTypes(self, q):
        out = b""
        for kind in TYPES + ["bad\x1b:a:b:c:d", "no type"]:
            name, sample, unit, *period = (kind + ":x:x:x:x").split(":")
            out += field(1, field(1, kind) + field(2, name) + field(4, sample) + field(5, unit) +
                         field(6, period[0]) + field(7, period[1]))
        self.answer(200, out)

    def LabelNames(self, q):
        check("__profile_type__" in q["matchers"][0], "no type in the matcher")
        self.answer(200, b"".join(field(1, name) for name in [*LABELS, "9bad", "a b"]))

    def LabelValues(self, q):
        self.answer(200, b"".join(field(1, value) for value in LABELS[q["name"]]))

    def SelectSeries(self, q):
        check(q["step"] > 0 and (q["end"] - q["start"]) % (q["step"] * 1000) == 0, "a whole number of steps")
        step = int(q["step"] * 1000)
        points = b""
        for i, at in enumerate(range(q["start"], q["end"] + 1, step)):
            points += field(2, field(1, float(i % 4) * 1e9) + field(2, at))
        self.answer(200, field(1, points))

    def SelectMergeProfile(self, q):
        if 'version="none"' in q["selector"]:
            return self.answer(200, b"")
        self.answer(200, pprof_of(q["selector"]))

    def Push(self, q):
        for series in q["series"]:
            labels = {pair["name"]: pair["value"] for pair in series["labels"]}
            check(labels.get("service_name"), "no service_name")
            check(labels.get("__name__"), "no __name__")
            for sample in series["samples"]:
                with open(os.path.join(directory, "pushed.pb.gz"), "wb") as out:
                    out.write(sample["raw_profile"])
                gzip.decompress(sample["raw_profile"])
            self.note(method="Push", labels=labels)
        self.answer(200, b"")


class PARCA:
    pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        with open(log + ".faults", "a") as out:
            out.write(repr(sys.exc_info()[1]) + "\n")


server = Server(("127.0.0.1", 0), Handler)
port = str(server.server_address[1])
with open(port_file + ".new", "w") as out:
    out.write(port)
os.rename(port_file + ".new", port_file)
server.serve_forever()
