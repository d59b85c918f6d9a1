#!/usr/bin/env python3
"""Writes the *.in files of this directory that are not real recordings.

A chunk is described by its types, the rows of its tables and its events. Numbers, names of fields and the order of
things are those of the JDK and of async-profiler; events get only the fields that matter.
"""
import os
import struct

MAGIC = b"FLR\0"


def number(v):
    """LEB128 of at most nine bytes; the ninth has eight bits."""
    v &= (1 << 64) - 1
    out = bytearray()
    for i in range(9):
        if i == 8:
            out.append(v)
            break
        if v < 0x80:
            out.append(v)
            break
        out.append(v & 0x7F | 0x80)
        v >>= 7
    return bytes(out)


def text(s):
    if s is None:
        return b"\0"
    if isinstance(s, bytes):  # already encoded
        return s
    if s == "":
        return b"\1"
    return b"\3" + number(len(s.encode())) + s.encode()


def utf16(s):
    units = struct.unpack("<%dH" % (len(s.encode("utf-16-le")) // 2), s.encode("utf-16-le"))
    return b"\4" + number(len(units)) + b"".join(number(u) for u in units)


def latin1(s):
    return b"\5" + number(len(s)) + s.encode("latin-1")


def record(body):
    """Puts the size in front, which counts itself."""
    n = len(body) + 1
    while len(number(n)) + len(body) != n:
        n += 1
    return number(n) + body


POOLED, LIST, TICKS, NANOSECONDS, MILLISECONDS = "pooled", "list", "TICKS", "NANOSECONDS", "MILLISECONDS"
BASIC = ["boolean", "char", "float", "double", "byte", "short", "int", "long", "java.lang.String"]
TYPES = {
    "java.lang.Class": [("name", "jdk.types.Symbol", POOLED), ("modifiers", "int")],
    "java.lang.Thread": [("osName", "java.lang.String"), ("osThreadId", "long"), ("javaName", "java.lang.String"),
                         ("javaThreadId", "long"), ("virtual", "boolean")],
    "jdk.types.FrameType": [("description", "java.lang.String")],
    "jdk.types.ThreadState": [("name", "java.lang.String")],
    "jdk.types.StackTrace": [("truncated", "boolean"), ("frames", "jdk.types.StackFrame", LIST)],
    "jdk.types.StackFrame": [("method", "jdk.types.Method", POOLED), ("lineNumber", "int"),
                             ("bytecodeIndex", "int"), ("type", "jdk.types.FrameType", POOLED)],
    "jdk.types.Method": [("type", "java.lang.Class", POOLED), ("name", "jdk.types.Symbol", POOLED),
                         ("descriptor", "jdk.types.Symbol", POOLED), ("hidden", "boolean")],
    "jdk.types.Symbol": [("string", "java.lang.String")],
    "jdk.types.OldObject": [("address", "long"), ("type", "java.lang.Class", POOLED),
                            ("description", "java.lang.String"), ("referrer", "jdk.types.Reference", POOLED)],
    "jdk.types.Reference": [("array", "long"), ("field", "long"), ("object", "jdk.types.OldObject", POOLED),
                            ("skip", "int")],
}
THREAD, STACK = ("eventThread", "java.lang.Thread", POOLED), ("stackTrace", "jdk.types.StackTrace", POOLED)
SAMPLED, STATE = ("sampledThread", "java.lang.Thread", POOLED), ("state", "jdk.types.ThreadState", POOLED)
START, DURATION = ("startTime", "long", TICKS), ("duration", "long", TICKS)
EVENTS = {
    "jdk.ExecutionSample": [START, SAMPLED, STACK, STATE],
    "jdk.NativeMethodSample": [START, SAMPLED, STACK, STATE],
    "jdk.CPUTimeSample": [START, STACK, THREAD, ("failed", "boolean"), ("samplingPeriod", "long", MILLISECONDS)],
    "jdk.CPUTimeSamplesLost": [START, ("lostSamples", "int"), THREAD],
    "profiler.WallClockSample": [START, SAMPLED, STACK, STATE, ("samples", "int"), ("timeSpan", "long", TICKS)],
    "jdk.ObjectAllocationSample": [START, THREAD, STACK, ("objectClass", "java.lang.Class", POOLED),
                                   ("weight", "long")],
    "jdk.ObjectAllocationInNewTLAB": [START, THREAD, STACK, ("objectClass", "java.lang.Class", POOLED),
                                      ("allocationSize", "long"), ("tlabSize", "long")],
    "jdk.ObjectAllocationOutsideTLAB": [START, THREAD, STACK, ("objectClass", "java.lang.Class", POOLED),
                                        ("allocationSize", "long")],
    "profiler.LiveObject": [START, THREAD, STACK, ("objectClass", "java.lang.Class", POOLED),
                            ("allocationSize", "long"), ("allocationTime", "long", TICKS)],
    "jdk.JavaMonitorEnter": [START, DURATION, THREAD, STACK, ("monitorClass", "java.lang.Class", POOLED),
                             ("address", "long")],
    "jdk.ThreadPark": [START, DURATION, THREAD, STACK, ("parkedClass", "java.lang.Class", POOLED)],
    "jdk.JavaMonitorWait": [START, DURATION, THREAD, STACK, ("monitorClass", "java.lang.Class", POOLED)],
    "jdk.OldObjectSample": [START, DURATION, THREAD, STACK, ("allocationTime", "long", TICKS),
                            ("lastKnownHeapUsage", "long"), ("object", "jdk.types.OldObject", POOLED),
                            ("arrayElements", "int"), ("root", "long")],
    "jdk.ThreadSleep": [START, DURATION, THREAD, STACK, ("time", "long", MILLISECONDS)],
    "profiler.NativeLock": [START, DURATION, THREAD, STACK, ("address", "long")],
    "profiler.Malloc": [START, THREAD, STACK, ("address", "long"), ("size", "long")],
    "profiler.Free": [START, THREAD, ("address", "long")],
    "jdk.DataLoss": [START, ("amount", "long"), ("total", "long")],
    "jdk.CPULoad": [START, ("jvmUser", "float"), ("machineTotal", "double")],
}
FRAME_TYPES = ["Interpreted", "JIT compiled", "Inlined", "Native", "C++", "Kernel", "C1 compiled"]


class Chunk:
    """One chunk. Numbers of types and rows begin at `first`."""

    def __init__(self, first=20, types=None, start=1_700_000_000_000_000_000, ticks=1000, frequency=1_000_000_000):
        self.types = dict(TYPES)
        self.types.update(EVENTS)
        self.types.update(types or {})
        self.first, self.start, self.ticks, self.frequency = first, start, ticks, frequency
        self.ids = {name: first + i for i, name in enumerate(BASIC + list(self.types))}
        self.rows = {}
        self.made = {}
        self.body = b""
        for i, name in enumerate(FRAME_TYPES):
            self.row("jdk.types.FrameType", i, text(name))
        for i, name in enumerate(["STATE_DEFAULT", "STATE_RUNNABLE", "STATE_SLEEPING"]):
            self.row("jdk.types.ThreadState", i, text(name))

    # --- rows ---

    def row(self, table, key, value):
        self.rows.setdefault(table, []).append((key, value))
        return key

    def once(self, table, value):
        """The number of a row with this value."""
        if (table, value) not in self.made:
            self.made[table, value] = self.row(table, self.first + len(self.made), value)
        return self.made[table, value]

    def symbol(self, s):
        return self.once("jdk.types.Symbol", text(s))

    def klass(self, name):
        return self.once("java.lang.Class", number(self.symbol(name)) + number(1))

    def method(self, name):
        """"com/acme/Pool.borrow", or ".native"; a pair stays as it is."""
        klass, method = name if isinstance(name, tuple) else name.rsplit(".", 1)
        return self.once("jdk.types.Method", number(self.klass(klass)) + number(self.symbol(method)) +
                         number(self.symbol("()V")) + b"\0")

    def stack(self, *frames, truncated=False):
        """Root first; a frame is a method, its type and its line."""
        items = b""
        for f in reversed(frames):
            name, kind, line = f if isinstance(f, tuple) and len(f) == 3 else (f, "JIT compiled", -1)
            items += number(self.method(name)) + number(line) + number(-1) + number(FRAME_TYPES.index(kind))
        return self.once("jdk.types.StackTrace", bytes([truncated]) + number(len(frames)) + items)

    def thread(self, java, os_name="", tid=0, virtual=False):
        return self.once("java.lang.Thread", text(os_name) + number(tid) + text(java) + number(tid) +
                         bytes([virtual]))

    def old_object(self, klass):
        return self.once("jdk.types.OldObject", number(0x7F20) + number(klass) + text(None) + number(0))

    # --- events ---

    def event(self, kind, *values):
        fields = self.types[kind]
        body = b""
        for (_, of, *how), v in zip(fields, values):
            if isinstance(v, bytes):
                body += v
            elif of in ("float", "double"):
                body += struct.pack(">f" if of == "float" else ">d", v)
            elif of in ("boolean", "byte"):
                body += bytes([v])
            else:
                body += number(v)
        self.raw(record(number(self.ids[kind]) + body))

    def raw(self, bytes_):
        self.body += bytes_

    def checkpoint(self, delta=0):
        """Writes the rows made so far as an event."""
        out = number(1) + number(self.ticks) + number(0) + number(delta) + b"\0" + number(len(self.rows))
        for table, rows in self.rows.items():
            out += number(self.ids[table]) + number(len(rows)) + b"".join(number(k) + v for k, v in rows)
        self.rows = {}
        self.raw(record(out))

    def metadata(self):
        strings, index = [], {}

        def s(x):
            if x not in index:
                index[x] = len(strings)
                strings.append(x)
            return number(index[x])

        def element(name, attributes=(), children=()):
            out = s(name) + number(len(attributes))
            for k, v in attributes:
                out += s(k) + s(v)
            return out + number(len(children)) + b"".join(children)

        classes = []
        for name, i in self.ids.items():
            fields = []
            for field, of, *how in self.types.get(name, []):
                attributes = [("name", field), ("class", str(self.ids[of]))]
                attributes += [("constantPool", "true")] if POOLED in how else []
                attributes += [("dimension", "1")] if LIST in how else []
                units = [element("annotation", [("class", "9"), ("value", u)]) for u in how if u.isupper()]
                fields.append(element("field", attributes, units))
            classes.append(element("class", [("id", str(i)), ("name", name)], fields))
        tree = element("root", (), [element("metadata", (), classes), element("region", [("locale", "en")])])
        return record(number(0) + number(self.ticks) + number(0) + number(1) + number(len(strings)) +
                      b"".join(text(x) for x in strings) + tree)

    def done(self, size=None, major=2, features=1, has_metadata=True):
        self.checkpoint()
        at = 68 + len(self.body)
        body = self.body + (self.metadata() if has_metadata else b"")
        return header(68 + len(body) if size is None else size, at if has_metadata else 0, self, major, features) + body


def header(size, metadata, c, major=2, features=1):
    return MAGIC + struct.pack(">HHqqqqqqqI", major, 1, size, 68, metadata, c.start, 10**9, c.ticks, c.frequency, features)


def all_kinds(c):
    """Every kind of event, as async-profiler and the JDK write them."""
    main, worker = c.thread("main", "java", 41), c.thread("w;2", "w2", 42)
    parse = c.stack(("Main.main", "Interpreted", 10), ("com/acme/Parser.parse", "JIT compiled", 20),
                    ("com/acme/Parser$Lexer.next", "Inlined", 30))
    other = c.stack(("Main.main", "Interpreted", 10), ("com/acme/Parser.parse", "C1 compiled", 21))
    read = c.stack(("Main.main", "Interpreted", 11), (".__libc_read", "Native", 0), (".vfs_read", "Kernel", 0))
    c.event("jdk.ExecutionSample", 3000, main, parse, 1)
    c.event("jdk.ExecutionSample", 2000, worker, parse, 1)
    c.event("jdk.ExecutionSample", 4000, main, other, 1)
    c.event("jdk.NativeMethodSample", 5000, main, read, 2)
    c.event("jdk.CPULoad", 5000, 0.25, 0.5)
    c.event("jdk.CPUTimeSample", 5100, parse, main, 0, 20)
    c.event("jdk.CPUTimeSample", 5200, 0, main, 1, 10)
    c.event("jdk.CPUTimeSamplesLost", 5300, 3, main)
    c.event("profiler.WallClockSample", 6000, worker, read, 2, 7, 700)
    c.event("profiler.WallClockSample", 6100, worker, parse, 1, 1, 100)
    strings, bytes_, buffers = c.klass("java/lang/String"), c.klass("[B"), c.klass("[[Lcom/acme/Buffer;")
    c.event("jdk.ObjectAllocationSample", 7000, main, parse, strings, 4096)
    c.event("jdk.ObjectAllocationInNewTLAB", 7100, main, parse, bytes_, 24, 65536)
    c.event("jdk.ObjectAllocationOutsideTLAB", 7200, main, other, buffers, 1000000)
    c.event("profiler.LiveObject", 7300, main, other, buffers, 400, 7000)
    lock = c.klass("java/lang/Object")
    c.event("jdk.JavaMonitorEnter", 8000, 500, worker, parse, lock, 0x7F00)
    c.event("jdk.ThreadPark", 8100, 1500, worker, other, c.klass("java/util/concurrent/locks/ReentrantLock$NonfairSync"))
    c.event("jdk.ThreadPark", 8200, 1, worker, other, 0)
    c.event("jdk.JavaMonitorWait", 8300, 9000000000, worker, other, lock)
    for stack, object_ in (parse, buffers), (parse, buffers), (other, bytes_):
        c.event("jdk.OldObjectSample", 8350, 0, main, stack, 1000, 1 << 20, c.old_object(object_), 7, 0)
    c.event("jdk.OldObjectSample", 8360, 0, main, read, 1000, 1 << 20, 0, 0, 0)
    c.event("jdk.ThreadSleep", 8370, 20000123, main, parse, 20)
    c.event("profiler.NativeLock", 8400, 77, worker, read, 0x7F10)
    c.event("profiler.Free", 9250, main, 0x1000)  # before its malloc in the file, but later in time
    c.event("profiler.Malloc", 9100, main, read, 0x1000, 64)
    c.event("profiler.Malloc", 9200, main, read, 0x2000, 100)
    c.event("profiler.Malloc", 9300, main, other, 0x1000, 32)
    c.event("profiler.Free", 9400, main, 0x3000)
    return c


FILES = {}


def case(name, data):
    FILES[name] = data


case("all", all_kinds(Chunk()).done())

# Numbers of types, rows and ticks mean something else in each chunk; blocks are freed in a later one.
one, two = Chunk(first=50), Chunk(first=3000, start=1_700_000_001_000_000_000, ticks=7000, frequency=2_000_000_000)
one.event("jdk.ExecutionSample", 2000, one.thread("main", "", 1), one.stack("A.a", "A.b"), 1)
one.event("profiler.Malloc", 3000, 0, one.stack("A.a"), 5, 10)
one.event("profiler.Malloc", 3100, 0, one.stack("A.a"), 6, 20)
two.event("profiler.Free", 8000, 0, 6)
two.event("jdk.ExecutionSample", 9000, two.thread("main", "", 1), two.stack("A.a", "A.b"), 1)
two.event("jdk.JavaMonitorWait", 9000, 3000, 0, two.stack("A.a"), 0)
one, two = one.done(), two.done()
case("chunks", one + two)
case("cut-short", one + two[:len(two) - 40])
case("cut-in-header", one + two[:60])
case("cut-in-first", one[:100])
case("trailing", one + b"\0" * 100)


def unfinished(*stacks):
    """What a process that is killed leaves: no size, no places, and half an event at the end."""
    c = Chunk()
    for s in stacks:
        c.event("jdk.ExecutionSample", 2000, 0, c.stack(*s), 1)
    return c


# Metadata before the end, where a recorder that flushes puts them, too.
c = unfinished(("A.a", "A.b"))
c.checkpoint()
c.raw(c.metadata())
c.event("jdk.ExecutionSample", 2500, 0, c.stack("A.c"), 1)
killed = c.done(size=0, has_metadata=False)
case("unfinished", killed + b"\x30\x01\x02")
case("unfinished-and-more", killed + two)
case("unfinished-without-metadata", unfinished(("A.a",)).done(size=0, has_metadata=False))
case("without-metadata", unfinished(("A.a",)).done(has_metadata=False))
case("old", unfinished(("A.a",)).done(major=1))
case("new-chunk-of-another-version", one + unfinished(("A.a",)).done(major=3))
case("fixed-width", unfinished(("A.a",)).done(features=0))

c = Chunk()
c.event("jdk.CPULoad", 1, 0.5, 0.5)
case("no-samples", c.done())

# Rows come again, and the last one counts; rows of rows come later than those that name them.
c = Chunk()
c.event("jdk.ExecutionSample", 1, 0, c.stack("A.a"), 1)
c.row("jdk.types.Symbol", 900, text("before"))
c.row("java.lang.Class", 901, number(902) + number(0))
c.row("jdk.types.Method", 903, number(901) + number(900) + number(0) + b"\0")
c.row("jdk.types.StackTrace", 904, b"\0" + number(1) + number(903) + number(1) + number(0) + number(0))
c.event("jdk.ExecutionSample", 1, 0, 904, 1)
c.checkpoint()
c.row("jdk.types.Symbol", 900, text("after"))
c.row("jdk.types.Symbol", 902, text("late/Late"))
case("rows", c.done())

# Texts in all encodings, and names that differ from run to run.
c = Chunk()
c.row("java.lang.String", 700, text("pooled"))
c.row("java.lang.String", 701, b"\2" + number(701))
for s in [utf16("\u00e4\u6f22\U0001F600"), utf16("plain"), latin1("\u00fcber"), text("semi;colon"), b"\2" + number(700),
          b"\2" + number(701), b"\2" + number(9999), text(None), text(""), b"\4" + number(2) + number(0xD800) + number(0x41)]:
    c.event("jdk.ExecutionSample", 1, c.thread(s, "os", 5), c.stack(("p/C", s)), 1)
for s in ["Work$$Lambda$88+0x00007f887c007a08/1790421142", "Work$$Lambda$88+0x00007f887c007b00.99",
          "java/lang/invoke/LambdaForm$MH/0x00007f0", "Work$$Lambda/0x000012", "a/b1/C2", "$Proxy12", "a+0xfg", "[[J", "["]:
    c.event("jdk.ExecutionSample", 1, c.thread("", "only-os", 6), c.stack((s, "run")), 1)
for s in ["[", "[X", "[[Z", "[La/B;", "[L;", "I"]:
    c.event("jdk.ObjectAllocationSample", 1, c.thread("", "", 7, True), c.stack("A.a"), c.klass(s), 1)
case("names", c.done())

# A type with strings in tables, and another unit of time.
c = Chunk(types={
    "jdk.types.Symbol": [("string", "java.lang.String", POOLED)],
    "jdk.ThreadPark": [START, ("duration", "long", NANOSECONDS), THREAD, STACK],
    "jdk.JavaMonitorEnter": [START, DURATION, ("extra", "jdk.types.StackFrame"), ("more", "jdk.types.StackTrace", LIST),
                             ("bytes", "byte", LIST), THREAD, STACK],
}, frequency=1_000_000)
c.row("java.lang.String", 700, text("other"))
c.rows["jdk.types.Symbol"] = [(800, number(700))]
c.row("java.lang.Class", 801, number(800) + number(0))
c.row("jdk.types.Method", 802, number(801) + number(800) + number(0) + b"\0")
c.row("jdk.types.StackTrace", 803, b"\1" + number(1) + number(802) + number(1) + number(0) + number(0))
c.event("jdk.ThreadPark", 1, 5, 0, 803)
c.event("jdk.JavaMonitorEnter", 1, 5, b"\1\2\3\4", b"\2\0\1\1\2\3\4\0\0", b"\2\x80\x81", 0, 803)
case("other-types", c.done())

# Damage of all kinds between good events.
c = Chunk(types={"jdk.JavaMonitorWait": [START, ("self", "jdk.JavaMonitorWait"), STACK],
                 "jdk.ThreadPark": [START, THREAD, STACK], "no.Fields": []})
good = c.stack("A.a")
c.event("jdk.ExecutionSample", 1, 0, good, 1)
c.event("jdk.ExecutionSample", 1, 0, 123456, 1)
c.raw(record(number(c.ids["jdk.ExecutionSample"]) + b"\1"))
c.raw(record(number(c.ids["jdk.JavaMonitorWait"]) + b"\1\1\1"))
c.event("jdk.ThreadPark", 1, 0, good)
c.event("jdk.ObjectAllocationSample", 1, 0, good, 0, -5)
c.event("jdk.ObjectAllocationSample", 1, 0, good, 0, (1 << 63) - 1)
c.event("jdk.ObjectAllocationSample", 1, 0, good, 0, (1 << 63) - 1)
c.event("jdk.ObjectAllocationSample", 1, 0, good, 0, (1 << 63) - 1)
c.event("jdk.DataLoss", 1, 100, 100)
c.row("jdk.types.StackTrace", 904, b"\1" + number(2) + (number(77777) + number(1) + number(0) + number(0)) * 2)
c.event("jdk.ExecutionSample", 1, 0, 904, 1)
c.checkpoint()
c.raw(record(number(1) + number(1) + number(0) + number(0) + b"\0" + number(1) + number(c.ids["no.Fields"]) + number(-1)))
c.raw(record(number(1) + number(1) + number(0) + number(0) + b"\0" + number(1) + number(c.ids["jdk.types.Symbol"]) + number(-1)))
c.raw(record(number(1) + number(1) + number(0) + number(0) + b"\0" + number(1) + number(99999) + number(1)))
case("damaged", c.done())

# The rest cannot be found by sizes, but the header knows where the metadata are.
c = Chunk()
c.event("jdk.ExecutionSample", 1, 0, c.stack("A.a"), 1)
c.checkpoint()
c.raw(b"\0\0")
c.event("jdk.ExecutionSample", 1, 0, c.stack("A.b"), 1)
case("damaged-size", c.done() + one)

if __name__ == "__main__":
    os.chdir(os.path.dirname(os.path.abspath(__file__)))
    for name, data in FILES.items():
        with open(name + ".in", "wb") as f:
            f.write(data)
