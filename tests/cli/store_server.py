"""Strict fakes of Pyroscope and Parca, for stores.t: store_server.py DIR LOG PORT_FILE

It knows the messages of both APIs. A question with an unknown field, the wrong method, type of contents or frame is
answered with status 400, and its fault is appended to LOG.faults. Profiles are files of DIR, chosen by the selector:
{version="1"} is 1.pb, any other one is all.pb. Each question is appended to LOG as one line of JSON, without its
secrets; those with wrong credentials get 401.

A word in the address's path, or in the selector, makes it misbehave.
"""
import base64
import calendar
import gzip
import http.server
import json
import os
import re
import struct
import sys
import time
import urllib.parse

from protobuf import field, varint

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
    "/parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw": {
        2: ("*series", {1: ("labels", {1: ("*labels", PAIR)}), 2: ("*samples", {1: ("raw_profile", "bytes")})}),
        3: ("normalized", "varint")},
    "/parca.query.v1alpha1.QueryService/ProfileTypes": {},
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


def check(condition, what):
    if not condition:
        raise Fault(what)


def check_selector(selector):
    check(re.fullmatch(r'\{( *[A-Za-z_][\w.]*(=|!=|=~|!~)"([^"\\]|\\.)*" *,?)*\}', selector), f"selector {selector}")


def check_type(kind):
    check(re.fullmatch(r"\w+(:\w+){4}(:delta)?", kind), f"type {kind}")


VALUE_TYPE = {1: ("type", "varint"), 2: ("unit", "varint")}
PPROF = {1: ("*sample_type", VALUE_TYPE), 2: ("*sample", "bytes"), 3: ("*mapping", "bytes"), 4: ("*location", "bytes"),
         5: ("*function", "bytes"), 6: ("*string", "text"), 9: ("time", "varint"), 10: ("duration", "varint"),
         11: ("period_type", VALUE_TYPE), 12: ("period", "varint"), 13: ("*comment", "varint")}


def type_of(pprof):
    """A profile that a store can file: its type, and the time it takes."""
    p = read_message(gzip.decompress(pprof), PPROF)
    check(len(p["sample_type"]) == 1 and p["period"] == 1, "one type and its period")
    check(abs(time.time() - (p["time"] + p.get("duration", 0)) / 1e9) < 3600, "it ends now")
    return ":".join(p["string"][kind[part]] for kind in (p["sample_type"][0], p["period_type"]) for part in ("type", "unit"))


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
        elif how.startswith("to-"):
            self.answer(307, b"", None, [("Location", "http://127.0.0.1:" + how[3:] + self.path[len(how) + 1:])])
        elif how == "moved":
            self.answer(307, b"", None, [("Location", self.path.replace("/moved", ""))])
        elif how == "bomb":
            with open(os.path.join(directory, "bomb.gz"), "rb") as f:
                self.answer(200, f.read())
        elif how == "garbage":
            self.answer(200, b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")
        elif how == "slow-menu" and "LabelNames" in self.path:
            time.sleep(1000)
        elif how == "broken-menu" and "LabelNames" in self.path:
            self.error(500, "internal", "the labels are broken")
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
            return Parca(self).ask(path[4:], body)
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
                self.note(method="Push", labels=labels, type=type_of(sample["raw_profile"]))
        self.answer(200, b"")


# ---- Parca -------------------------------------------------------------------------------------------------------

GATEWAY = {  # path below /api/profiles/ -> method, parameters
    "types": ("ProfileTypes", ()),
    "labels": ("Labels", ("start", "end")),
    "query_range": ("QueryRange", ("query", "start", "end", "step")),
    "query": ("Query", ("mode", "report_type", "merge.query", "merge.start", "merge.end")),
}


def seconds_of(stamp):
    if isinstance(stamp, dict):
        return stamp.get("seconds", 0) + stamp.get("nanos", 0) / 1e9
    check(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", stamp), f"moment {stamp}")
    at = calendar.timegm(time.strptime(stamp[:19], "%Y-%m-%dT%H:%M:%S"))
    return at + float("0" + stamp[19:-1]) if len(stamp) > 20 else at


def iso(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def frame(flag, data):
    return bytes([flag]) + struct.pack(">I", len(data)) + data


def trailer(status, message=""):
    return frame(0x80, f"grpc-status: {status}\r\ngrpc-message: {urllib.parse.quote(message)}\r\n".encode())


class Parca:
    """One question to Parca. `how`, a label of the query, makes it misbehave."""

    def __init__(self, handler):
        self.handler = handler

    def ask(self, path, body):
        if path.startswith("/profiles/"):
            return self.ask_gateway(path)
        headers = self.handler.headers
        check(self.handler.command == "POST", f"method {self.handler.command}")
        check(path in MESSAGES, f"no such method: {path}")
        check(headers.get("Content-Type") == "application/grpc-web+proto", "Content-Type")
        check(headers.get("X-Grpc-Web") == "1", "X-Grpc-Web")
        check(len(body) >= 5 and body[0] == 0 and struct.unpack(">I", body[1:5])[0] == len(body) - 5, "frame")
        self.is_json = False
        self.method(path.rpartition("/")[2], read_message(body[5:], MESSAGES[path]))

    def ask_gateway(self, path):
        check(self.handler.command == "GET", f"method {self.handler.command}")
        path, _, query = path[len("/profiles/"):].partition("?")
        values = re.fullmatch(r"labels/(\w+)/values", path)
        method, names = ("Values", ("start", "end")) if values else GATEWAY[path]
        q = dict(urllib.parse.parse_qsl(query, strict_parsing=True)) if query else {}
        check(set(q) == set(names), f"parameters {sorted(q)}")
        if method == "Query":
            check(q.pop("mode") == "MODE_MERGE" and q.pop("report_type") == "REPORT_TYPE_PPROF", "mode")
            q = {"mode": 2, "report_type": 1, "merge": {k[6:]: v for k, v in q.items()}}
        if values:
            q["label_name"] = values[1]
        if "step" in q:
            check(re.fullmatch(r"\d+s", q["step"]), "step")
            q["step"] = {"seconds": int(q["step"][:-1])}
        self.is_json = True
        self.method(method, q)

    def WriteRaw(self, q):
        labels = {pair["name"]: pair["value"] for pair in q["series"][0]["labels"]["labels"]}
        pprof = q["series"][0]["samples"][0]["raw_profile"]
        self.handler.note(method="WriteRaw", labels=labels, type=type_of(pprof))
        with open(os.path.join(directory, "pushed.pb.gz"), "wb") as out:
            out.write(pprof)
        if not self.misbehave(labels.get("how")):
            self.send(b"", {})

    def method(self, method, q):
        if method == "WriteRaw":
            return self.WriteRaw(q)
        span = q.get("merge", q)
        if method != "ProfileTypes":
            check(1e9 < seconds_of(span["start"]) < seconds_of(span["end"]) < 1e11, "start and end")
            q["seconds"] = seconds_of(span["end"]) - seconds_of(span["start"])
        query = span.get("query", "")
        if method in ("Query", "QueryRange"):
            kind, brace, selector = query.partition("{")
            check_type(kind)
            check_selector(brace + selector)
        self.handler.note(method=method, api="json" if self.is_json else "grpc-web", query=query, seconds=q.get("seconds"),
                          label=q.get("label_name"))
        how = re.search(r'how="([\w-]+)"', query)
        if not how or not self.misbehave(how[1]):
            getattr(self, method)(q)

    def misbehave(self, how):
        kind = "application/json" if self.is_json else "application/grpc-web+proto"
        data = frame(0, field(6, pprof_of("")))
        faults = {
            "missing": trailer(5, "could not find profile \x1b[31m"),
            "late": data + trailer(13, "broken"),
            "open": data,
            "twice": data + data + trailer(0),
            "after": data + trailer(0) + data,
            "cut": data[:-7],
            "long": b"\0\xff\xff\xff\xff" + data[5:],
            "packed": b"\1" + data[1:] + trailer(0),
            "empty": trailer(0),
            "nothing": b"",
            "other": frame(0, field(9, 5)) + trailer(0),
            "wild": frame(0, b"\xff" * 40) + trailer(0),
            "status": data + frame(0x80, b"grpc-status: many\r\n"),
            "flood": data + frame(0x80, b"x" * 100000),
        }
        json_faults = {
            "missing": b'{"code":5,"message":"could not find profile","details":[]}',
            "other": b'{"total":"5"}',
            "cut": b'{"pprof":"AAAA',
            "digits": b'{"pprof":"A*AA"}',
            "nothing": b"",
        }
        if how == "headers":
            self.handler.answer(200, b"", kind, [("grpc-status", "16"), ("grpc-message", "who%20are%20you")])
        elif how == "old" and not self.is_json:
            self.handler.answer(404, b"404 page not found\n", "text/plain")
        elif how in (json_faults if self.is_json else faults):
            self.handler.answer(200, (json_faults if self.is_json else faults)[how], kind)
        else:
            return False
        return True

    def send(self, message, document):
        if self.is_json:
            self.handler.answer(200, json.dumps(document).encode(), "application/json")
        else:
            self.handler.answer(200, frame(0, message) + trailer(0), "application/grpc-web+proto")

    def ProfileTypes(self, q):
        keys = ("name", "sampleType", "sampleUnit", "periodType", "periodUnit")
        kinds = [kind.split(":") for kind in TYPES]
        message = b"".join(field(1, b"".join(field(i + 1, part) for i, part in enumerate(kind)) +
                                 (field(6, 1) if kind[0] == "process_cpu" else b"")) for kind in kinds)
        self.send(message, {"types": [{**dict(zip(keys, kind)), "delta": kind[0] == "process_cpu"} for kind in kinds]})

    def Labels(self, q):
        self.send(b"".join(field(1, name) for name in LABELS), {"labelNames": list(LABELS), "warnings": []})

    def Values(self, q):
        values = LABELS[q["label_name"]]
        self.send(b"".join(field(1, value) for value in values), {"labelValues": values, "warnings": []})

    def QueryRange(self, q):
        step, begin, end = int(seconds_of(q["step"])), int(seconds_of(q["start"])), int(seconds_of(q["end"]))
        check((end - begin) % step == 0, "a whole number of steps")
        samples = [(at, i % 4 * 1000) for i, at in enumerate(range(begin, end, step))]
        labels = {"labels": [{"name": "job", "value": "7"}]}
        message = field(1, field(1, field(1, field(1, "job") + field(2, "7"))) + b"".join(
            field(2, field(1, field(1, at)) + field(2, value)) for at, value in samples))
        self.send(message, {"series": [{"labelset": labels, "samples": [
            {"timestamp": iso(at), "value": str(value), "valuePerSecond": 1.5} for at, value in samples]}]})

    def Query(self, q):
        check(q["mode"] == 2 and q["report_type"] == 1, "mode and report type")
        pprof = gzip.compress(pprof_of(q["merge"]["query"]), mtime=0)
        self.send(field(6, pprof) + field(9, 5), {"pprof": base64.b64encode(pprof).decode(), "total": "5",
                                                  "filtered": "0"})


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        if isinstance(sys.exc_info()[1], ConnectionError):
            return  # a client that refuses an answer, or is killed, hangs up
        with open(log + ".faults", "a") as out:
            out.write(repr(sys.exc_info()[1]) + "\n")


server = Server(("127.0.0.1", 0), Handler)
port = str(server.server_address[1])
with open(port_file + ".new", "w") as out:
    out.write(port)
os.rename(port_file + ".new", port_file)
server.serve_forever()
