"""Writes small inputs of binary formats that make very many frames, for shared_frames.t: DEED FILE

pprof    one location with a thousand functions, on very many different stacks
otlp     samples that refer to one attribute with very many fields again and again
command  an ordinary profile: each of very many samples has the same long command line
jfr      samples of objects that refer to one very long row again and again
inlined  a recording, FILE, of very many addresses in the program FILE.elf, whose one function has 127 inlined there
"""
import itertools
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(sys.argv[0]), "../cli"))
from protobuf import field, varint  # noqa: E402

deed, name = sys.argv[1], sys.argv[2]


def pprof():
    ids = range(2, 122)
    out = field(1, field(1, 1) + field(2, 2)) + b"".join(field(6, s) for s in ("", "samples", "count"))
    for n in ids:
        out += field(4, field(1, n) + field(4, field(1, n))) + field(5, field(1, n) + field(2, n + 1))
    out += b"".join(field(6, "f%d" % n) for n in ids)
    out += field(4, field(1, 1) + field(4, field(1, 2)) * 1000)
    for a, b, c in itertools.islice(itertools.product(ids, repeat=3), 20000):
        out += field(2, field(1, bytes([1, c, b, a])) + field(2, varint(1)))
    return out


def otlp_of(attribute, samples):
    strings = b"".join(field(5, s) for s in ("", "cpu", "ns", "main", "process.command_line"))
    tables = field(3, b"") + field(3, field(1, 3)) + field(2, b"") + field(2, field(3, field(1, 1)))
    dictionary = strings + tables + field(7, b"") + field(7, field(1, varint(1))) + field(6, b"") + field(6, attribute)
    profile = field(1, field(1, 1) + field(2, 2)) + samples
    return field(1, field(2, field(2, profile))) + field(2, dictionary)


def otlp_sample(attributes):
    return field(2, field(1, 1) + field(2, varint(1) * attributes) + field(4, varint(5)))


def otlp():
    return otlp_of(field(1, 4) + field(15, 1) * 10000 + field(2, field(1, "app")), otlp_sample(1) + otlp_sample(20000))


def command():
    return otlp_of(field(1, 4) + field(2, field(1, "x" * 4000)), otlp_sample(1) * 200000)


def jfr():
    texts = []

    def text(t):
        if t not in texts:
            texts.append(t)
        return varint(texts.index(t))

    def element(kind, attributes, *children):
        pairs = b"".join(text(k) + text(v) for k, v in attributes)
        return text(kind) + varint(len(attributes)) + pairs + varint(len(children)) + b"".join(children)

    def member(n, of, *more):
        return element("field", [("name", n), ("class", str(of))] + [(m, m == "constantPool" and "true" or "1") for m in more])

    def kind(n, number, *members):
        return element("class", [("name", n), ("id", str(number))], *members)

    def event(number, body):
        body = varint(number) + body
        n = len(body) + 1
        while len(varint(n)) + len(body) != n:
            n = len(varint(n)) + len(body)
        return varint(n) + body

    root = element("root", [], element(
        "metadata", [], kind("long", 1), kind("java.lang.String", 2),
        kind("jdk.types.OldObject", 3, member("junk", 1, "dimension"), member("type", 4, "constantPool")),
        kind("java.lang.Class", 4, member("name", 5, "constantPool")),
        kind("jdk.types.Symbol", 5, member("string", 2)),
        kind("jdk.OldObjectSample", 10, member("object", 3, "constantPool"))))
    pool = b"".join(b"\3" + varint(len(t)) + t.encode() for t in texts)
    metadata = event(0, b"\0\0\0" + varint(len(texts)) + pool + root)
    rows = event(1, b"\0\0\0\0\3" + b"\5\1\1\3\1A" + b"\4\1\1\1" + b"\3\1\1" + varint(48000) + b"\1" * 48000 + b"\1")
    body = metadata + rows + event(10, b"\1") * 16000
    sizes = (68 + len(body), 68 + len(metadata), 68, 10 ** 18, 10 ** 9, 0, 10 ** 9)
    return b"FLR\0" + struct.pack(">HH7Q", 2, 1, *sizes) + b"\0\0\0\1" + body


START, SIZE, DEPTH = 0x1000, 0x40000000, 127


def padded(text):
    return text + b"\0" * (8 - len(text) % 8)


def debug_info():
    """Returns .debug_info and .debug_abbrev: a function, and in it calls of two that are inlined, one in the other."""
    def shape(code, tag, has_children, *attributes):
        return bytes([code, tag, has_children]) + bytes(itertools.chain(*attributes)) + b"\0\0"
    place = ((0x11, 1), (0x12, 7))  # low_pc: addr, high_pc: data8
    shapes = (shape(1, 0x11, 1, *place) + shape(2, 0x2E, 0, (3, 8), (0x20, 0xB)) + shape(3, 0x2E, 1, (3, 8), *place)
              + shape(4, 0x1D, 1, (0x31, 0x13), *place, (0x59, 0xB)) + b"\0")
    where = struct.pack("<QQ", START, SIZE)
    info, origins = b"\1" + where, []
    for n in range(2):
        origins.append(11 + len(info))
        info += b"\2inlined%d\0" % n + b"\1"
    info += b"\3outer\0" + where
    for n in range(DEPTH):
        info += b"\4" + struct.pack("<I", origins[n % 2]) + where + b"\7"
    info = struct.pack("<HIB", 4, 0, 8) + info + b"\0" * (DEPTH + 2)
    return struct.pack("<I", len(info)) + info, shapes


def elf():
    info, shapes = debug_info()
    symbols = b"\0" * 24 + struct.pack("<IBBHQQ", 1, 0x12, 0, 1, START, SIZE)
    sections = [(".text", 8, 6, START, b"", 0, 0), (".symtab", 2, 0, 0, symbols, 3, 24),
                (".strtab", 3, 0, 0, b"\0outer\0", 0, 0), (".debug_info", 1, 0, 0, info, 0, 0),
                (".debug_abbrev", 1, 0, 0, shapes, 0, 0)]
    names, body, headers = b"\0", b"", b"\0" * 64
    for title, kind, flags, address, data, link, size in sections + [(".shstrtab", 3, 0, 0, None, 0, 0)]:
        number = len(names)
        names += title.encode() + b"\0"
        data = names if data is None else data
        headers += struct.pack("<IIQQQQIIQQ", number, kind, flags, address, 120 + len(body),
                               SIZE if kind == 8 else len(data), link, 0, 8, size)
        body += padded(data)
    top = b"\x7fELF\2\1\1" + b"\0" * 9 + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, 120 + len(body), 0, 64, 56, 1,
                                                      64, len(sections) + 2, len(sections) + 1)
    return top + struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, SIZE, SIZE, 4096) + body + headers


def inlined():
    program = os.path.abspath(name + ".elf")
    with open(program, "wb") as f:
        f.write(elf())

    def record(kind, data, misc=2):
        data += b"\0" * (-len(data) % 8)
        return struct.pack("<IHH", kind, misc, len(data) + 8) + data
    end = struct.pack("<IIQ", 5, 5, 1)
    out = record(3, struct.pack("<II", 5, 5) + padded(b"x") + end)
    out += record(10, struct.pack("<IIQQQIIQQII", 5, 5, 0x400000, 0x3FFFFFFF, 0, 0, 0, 1, 0, 5, 2)
                  + padded(program.encode()) + end)
    chains = [[0x402000]] + [[0x402000 + 8000 * i + k for k in range(8000)] for i in range(10)]
    for n, chain in enumerate(chains):
        chain = [(1 << 64) - 512] + chain  # of the user
        out += record(9, struct.pack("<QIIQQQ", chain[1], 5, 5, 2 + n, 1, len(chain)) + struct.pack("<%dQ" % len(chain), *chain))
    attr = struct.pack("<IIQQQQQ", 0, 128, 0, 1, 0x127, 0, 1 << 18 | 1 << 8 | 1 << 9).ljust(144, b"\0")
    return b"PERFILE2" + struct.pack("<8Q", 104, 144, 104, 144, 248, len(out), 0, 0) + b"\0" * 32 + attr + out


with open(name, "wb") as out:
    out.write(globals()[deed]())
