#!/usr/bin/env python3
"""top_ten.py - the ten heaviest functions of a profile, and an SVG of it, by libflametop and ctypes.

    ./top_ten.py ../waits.folded.gz waits.svg
"""
import ctypes
import sys

WRITE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
NOTE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)
NEW = 0  # enum flametop_side


class Function(ctypes.Structure):
    """struct flametop_function"""
    _fields_ = [("size", ctypes.c_size_t), ("name", ctypes.c_char_p), ("symbol", ctypes.c_uint32),
                ("frames", ctypes.c_uint32), ("self_weight", ctypes.c_uint64), ("total", ctypes.c_uint64),
                ("base_self", ctypes.c_uint64), ("base_total", ctypes.c_uint64)]


def load_library():
    library = ctypes.CDLL("libflametop.so.1")
    pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
    for name, result, arguments in [
            ("profile_new", pointer, []),
            ("profile_free", None, [pointer]),
            ("profile_error", text, [pointer]),
            ("profile_on_note", None, [pointer, NOTE, pointer]),
            ("profile_add_file", ctypes.c_int, [pointer, text, ctypes.c_int]),
            ("profile_load", ctypes.c_int, [pointer]),
            ("view_new", pointer, [pointer]),
            ("view_free", None, [pointer]),
            ("view_set", ctypes.c_int, [pointer, text, text]),
            ("view_functions", ctypes.c_int, [pointer, ctypes.POINTER(number)]),
            ("view_function", ctypes.c_int, [pointer, number, ctypes.POINTER(Function)]),
            ("view_export", ctypes.c_int, [pointer, text, WRITE, pointer])]:
        function = getattr(library, "flametop_" + name)
        function.restype, function.argtypes = result, arguments
    return library


def main(path, svg):
    library = load_library()
    profile = library.flametop_profile_new()

    def check(status):
        if status:
            sys.exit("top_ten.py: " + library.flametop_profile_error(profile).decode(errors="replace"))

    # Python must keep the callbacks as long as the library may call them.
    note = NOTE(lambda arg, line: print("top_ten.py:", line.decode(), file=sys.stderr))
    library.flametop_profile_on_note(profile, note, None)
    check(library.flametop_profile_add_file(profile, path.encode(), NEW))
    check(library.flametop_profile_load(profile))
    view = library.flametop_view_new(profile)

    n = ctypes.c_size_t()
    check(library.flametop_view_functions(view, ctypes.byref(n)))
    for i in range(min(n.value, 10)):
        f = Function(size=ctypes.sizeof(Function))
        check(library.flametop_view_function(view, i, ctypes.byref(f)))
        print(f"{f.self_weight:12}  {f.total:12}  {f.name.decode()}")

    with open(svg, "wb") as file:
        def write(arg, data, size):
            file.write(ctypes.string_at(data, size))
            return 0
        check(library.flametop_view_set(view, b"title", b"The same as a picture"))
        check(library.flametop_view_export(view, b"svg", WRITE(write), None))
    library.flametop_view_free(view)
    library.flametop_profile_free(profile)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("Usage: top_ten.py PROFILE SVG")
    main(sys.argv[1], sys.argv[2])
