"""A hostile client for listen.t: listen_client.py HOST PORT DEED

Each deed has bounds in bytes and time. It prints what the server answers: the status, and words of the message.
"""
import gzip
import itertools
import os
import re
import select
import signal
import socket
import sys
import time

from protobuf import field, varint

host, port, deed = sys.argv[1], int(sys.argv[2]), sys.argv[3]
PATH = "/v1development/profiles"


def connect():
    return socket.create_connection((host, port), timeout=30)


def head(*headers, path=PATH, method="POST"):
    kind = () if any(h.lower().startswith("content-type") for h in headers) else ("Content-Type: application/x-protobuf",)
    return ("%s %s HTTP/1.1\r\nHost: h\r\n" % (method, path) + "".join(h + "\r\n" for h in headers + kind) + "\r\n").encode()


def answer(s):
    """The first line of what comes until the end of the connection, and whether it ended."""
    data = b""
    try:
        while True:
            more = s.recv(65536)
            if not more:
                break
            data += more
    except (ConnectionResetError, BrokenPipeError):
        pass
    except socket.timeout:
        return "silence"
    return data.split(b"\r\n")[0].decode("latin1") if data else "nothing"


def send(*parts, wait=True):
    s = connect()
    try:
        for part in parts:
            s.sendall(part)
    except (ConnectionResetError, BrokenPipeError):
        pass
    return answer(s) if wait else s


def body_of(name):
    with open(name, "rb") as f:
        return f.read()


def make():
    """LENGTH FILE: writes a profile, "main 5", whose resource_profiles have this many bytes."""
    length = int(sys.argv[4])
    sample = field(1, 1) + field(4, varint(5))
    scope = field(2, field(1, field(1, 2) + field(2, 3)) + field(2, sample))
    strings = b"".join(field(5, s) for s in ("", "main", "samples", "count"))
    tables = (field(2, b"") + field(2, field(3, field(1, 1))) + field(3, b"") + field(3, field(1, 1)) + strings
              + field(7, b"") + field(7, field(1, varint(1))))
    for n in range(length):
        resource = field(1, field(1, "service.name") + field(2, field(1, "y" * n)))
        profiles = field(1, resource) + field(2, scope)
        if len(profiles) == length:
            with open(sys.argv[5], "wb") as f:
                f.write(field(1, profiles) + field(2, tables))
            return
    sys.exit("no such length")


def make_many():
    """VALUES TIMES EMPTY FILE: one sample with so many values and times, and so many samples with neither."""
    n_values, n_times, n_empty = (int(n) for n in sys.argv[4:7])
    numbers = (field(4, b"\1" * n_values) if n_values else b"") + (field(5, bytes(8 * n_times)) if n_times else b"")
    samples = field(2, field(1, 1) + numbers) + field(2, b"") * n_empty
    tables = (field(2, b"") + field(2, field(3, field(1, 1))) + field(3, b"") + field(3, field(1, 1))
              + b"".join(field(5, s) for s in ("", "main", "samples", "count"))
              + field(7, b"") + field(7, field(1, varint(1))))
    kind = field(1, field(1, 2) + field(2, 3))
    with open(sys.argv[7], "wb") as f:
        f.write(field(1, field(2, field(2, kind + samples))) + field(2, tables))


def make_swollen():
    """STACKS FILE: writes a profile with one location of a thousand functions, on that many different stacks."""
    callers = range(2, 122)
    function = field(3, field(1, 1) + field(2, 1))
    stacks, samples = [], []
    for n, (a, b, c) in enumerate(itertools.islice(itertools.product(callers, repeat=3), int(sys.argv[4]))):
        stacks.append(field(7, field(1, bytes([1, c, b, a]))))
        samples.append(field(2, field(1, n + 1) + field(4, b"\1")))
    names = [""] + ["f%d" % n for n in range(130)] + ["samples", "count"]
    tables = (field(2, b"") + field(2, function * 1000) + b"".join(field(2, field(3, field(1, n))) for n in callers)
              + field(3, b"") + b"".join(field(3, field(1, n)) for n in range(1, 125))
              + b"".join(field(5, name) for name in names) + field(7, b"") + b"".join(stacks))
    kind = field(1, field(1, len(names) - 2) + field(2, len(names) - 1))
    with open(sys.argv[5], "wb") as f:
        f.write(field(1, field(2, field(2, kind + b"".join(samples)))) + field(2, tables))


def heavy():
    """Begins to send a profile of very many elements that say nothing, which takes long to read."""
    body = (b'{"dictionary":{"stringTable":["","samples","count"]},"resourceProfiles":[{"scopeProfiles":[{"profiles":'
            b'[{"sampleType":{"typeStrindex":1,"unitStrindex":2},"samples":[{}' + b",{}" * 4000000 + b"],"
            b'"others":[{}' + b",{}" * 12000000 + b"]}]}]}]}")
    packed = gzip.compress(body, 1)
    return send(head("Content-Type: application/json", "Content-Encoding: gzip", "Connection: close",
                     "Content-Length: %d" % len(packed)), packed, wait=False)


def others():
    """While one profile is read, others are answered: no answer takes as long as half of the reading."""
    reading = heavy()
    began, longest = time.time(), 0
    while not select.select([reading], [], [], 0)[0] and time.time() - began < 50:
        sent = time.time()
        send(head("Content-Length: 0", "Connection: close"))
        longest = max(longest, time.time() - sent)
    all_of_it = time.time() - began
    print(answer(reading), "others wait" if longest > all_of_it / 2 else "others do not wait")


def ends():
    """PID: the server gets SIGTERM while it reads."""
    reading = heavy()
    while len(os.listdir("/proc/%s/task" % sys.argv[4])) < 2:
        time.sleep(0.001)
    os.kill(int(sys.argv[4]), signal.SIGTERM)
    print(answer(reading))


def within():
    """PID: the server gets SIGTERM within a body."""
    s = connect()
    s.sendall(head("Content-Length: 100000", "Expect: 100-continue"))
    s.recv(65536)
    s.sendall(b"abc")
    os.kill(int(sys.argv[4]), signal.SIGTERM)
    print(answer(s))


def slow():
    """One byte of a header a second: the request takes too long."""
    s = connect()
    began = time.time()
    try:
        for c in head("Content-Length: 5"):
            s.sendall(bytes([c]))
            time.sleep(1)
            if time.time() - began > 25:
                break
            s.setblocking(False)
            try:
                s.recv(1, socket.MSG_PEEK)
                break
            except BlockingIOError:
                pass
            finally:
                s.setblocking(True)
                s.settimeout(30)
    except (ConnectionResetError, BrokenPipeError):
        pass
    print(answer(s))


def short():
    """Less than was announced, and then the end of the connection."""
    s = send(head("Content-Length: 100000"), b"abc", wait=False)
    s.shutdown(socket.SHUT_WR)
    print(answer(s))


def large():
    print(send(head("Content-Length: %d" % (1 << 40)), b"abc"))


def chunks():
    """More than is allowed, without announcing it."""
    piece = b"%x\r\n" % (1 << 20) + b"a" * (1 << 20) + b"\r\n"
    print(send(head("Transfer-Encoding: chunked"), *([piece] * 70)))


def bomb():
    packed = gzip.compress(b"\x0a" * (300 << 20), 1)
    print(send(head("Content-Encoding: gzip", "Connection: close", "Content-Length: %d" % len(packed)), packed))


def not_gzip():
    print(send(head("Content-Encoding: gzip", "Connection: close", "Content-Length: 5"), b"abcde"))


def garbage():
    print(send(os.urandom(100000)))


def tls():
    print(send(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(512)))


def asks():
    """METHOD, PATH, more headers: a small body under these."""
    s = connect()
    s.sendall(head("Connection: close", "Content-Length: 2", *sys.argv[6:], path=sys.argv[5], method=sys.argv[4]) + b"{}")
    print(answer(s))


def at_once():
    """NUMBER: so many connections, each with a body that is refused, before the server sees any."""
    held = [connect() for _ in range(int(sys.argv[4]))]
    for s in held:
        s.sendall(head("Connection: close", "Content-Length: 2") + b"{}")
    print(" ".join(answer(s).split()[1] for s in held))


def pages():
    print(send(head("Origin: http://evil.example", "Content-Length: 2"), b"{}"))


def many():
    """
    More connections than there is room for, all within a request; a good one among them is told to wait. A connection
    gives way if its words have not been seen yet, so more follow until none does.
    """
    held = []
    answer = ""
    while "429" not in answer and len(held) < 2000:
        for _ in range(20 if held else 140):
            held.append(connect())
            held[-1].sendall(b"POST ")
        time.sleep(0.5)
        answer = send(head("Content-Length: 0", "Connection: close"))
    print(answer)


def idle():
    """More connections than there is room for, all silent: they give way."""
    held = [connect() for _ in range(140)]
    time.sleep(0.5)
    print(send(head("Content-Length: 0", "Connection: close")))
    del held


def files():
    """
    WORDS COUNT PID LIMIT: more connections than the server, which may open LIMIT files, can hold; each says WORDS. If
    they say nothing, a good one follows; else the server is watched for a second once it has no file left. It ends
    those whose words it has not seen yet, so more follow until it cannot end any.
    """
    words, count, pid, limit = sys.argv[4].encode(), int(sys.argv[5]), sys.argv[6], int(sys.argv[7])
    held = [connect() for _ in range(count)]
    for s in held:
        s.sendall(words)
    if not words:
        print(send(head("Content-Length: 0", "Connection: close")))
        return
    while len(os.listdir("/proc/%s/fd" % pid)) < limit:
        held.append(connect())
        held[-1].sendall(words)
        time.sleep(0.01)
    before = processor_time(pid)
    time.sleep(1)
    print("%d%% of a processor" % ((processor_time(pid) - before) * 100))
    del held


def processor_time(pid):
    """Seconds of a processor that the process has used."""
    with open("/proc/%s/stat" % pid) as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def waste():
    """Bodies that are announced, and never come: all together have a limit, too."""
    held = [send(head("Content-Length: %d" % (60 << 20)), b"a", wait=False) for _ in range(4)]
    time.sleep(0.5)
    print(send(head("Content-Length: %d" % (60 << 20)), b"a"))
    del held


def pipelined():
    """Three requests at once, and the answers in their order."""
    body = body_of(sys.argv[4])
    one = head("Content-Length: %d" % len(body)) + body
    bad = head("Content-Length: 3") + b"abc"
    last = head("Content-Length: %d" % len(body), "Connection: close") + body
    s = connect()
    s.sendall(one + bad + last)
    data = b""
    while True:
        more = s.recv(65536)
        if not more:
            break
        data += more
    print(" ".join(status.decode() for status in re.findall(rb"HTTP/1.1 (\d+) ", data)))


def empties():
    """NUMBER: requests with empty bodies, as fast as the server takes them, of lengths that cross its pieces."""
    n = int(sys.argv[4])
    todo = b"".join(head("Content-Length: 0", "X: " + "a" * (i % 50)) for i in range(n - 1))
    todo += head("Content-Length: 0", "Connection: close")
    s = connect()
    got = []
    left = b""
    while True:
        readable, writable, _ = select.select([s], [s] if todo else [], [], 30)
        if writable:
            todo = todo[s.send(todo[:1 << 20]):]
        if readable:
            more = s.recv(1 << 20)
            if not more:
                break
            left += more
            whole = left.rfind(b"\r\n") + 2
            got += re.findall(rb"HTTP/1.1 (\d+) ", left[:whole])
            left = left[whole:]
    print(" ".join("%s: %d" % (status.decode(), got.count(status)) for status in sorted(set(got))))


def expects():
    """A body that is sent only when the server asks for it."""
    body = body_of(sys.argv[4])
    s = connect()
    s.sendall(head("Expect: 100-continue", "Connection: close", "Content-Length: %d" % len(body)))
    first = s.recv(65536)
    s.sendall(body)
    print(first.split(b"\r\n")[0].decode(), answer(s))


def leaves():
    """Sends a whole request and does not wait for the answer."""
    body = body_of(sys.argv[4])
    s = connect()
    s.sendall(head("Content-Length: %d" % len(body)) + body)
    s.close()
    print("left")


def plain():
    """FILE, TYPE, more headers"""
    body = body_of(sys.argv[4])
    s = connect()
    s.sendall(head("Content-Type: " + sys.argv[5], "Connection: close", "Content-Length: %d" % len(body), *sys.argv[6:]) + body)
    data = b""
    while True:
        more = s.recv(65536)
        if not more:
            break
        data += more
    top, _, rest = data.partition(b"\r\n\r\n")
    kind = [h for h in top.split(b"\r\n") if h.lower().startswith(b"content-type")][0].split(b" ")[1]
    print(top.split(b" ")[1].decode(), kind.decode(), repr(rest)[2:-1])


globals()[deed]()
