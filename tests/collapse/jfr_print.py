#!/usr/bin/env python3
"""jfr_print.py EVENT[,EVENT...] FILE - folded stacks of a recording by `jfr print` of the JDK, as flametop names them."""
import collections
import json
import re
import subprocess
import sys

BASIC = {"B": "byte", "C": "char", "D": "double", "F": "float", "I": "int", "J": "long", "S": "short", "Z": "boolean"}
WEIGHTS = {"jdk.ObjectAllocationSample": "weight", "jdk.ObjectAllocationInNewTLAB": "tlabSize",
           "jdk.ObjectAllocationOutsideTLAB": "allocationSize"}


def class_name(name):
    name = re.sub(r"\+0x[0-9a-f]+$", "", re.sub(r"[/.]\d[^/.]*$", "", name))
    dimensions = len(name) - len(name.lstrip("["))
    name = name[dimensions:]
    if dimensions:
        name = name[1:-1] if name[0] == "L" else BASIC[name]
    return name.replace("/", ".") + "[]" * dimensions


def nanoseconds(duration):
    hours, minutes, seconds, fraction = re.fullmatch(
        r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?", duration).groups()
    whole = int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(seconds or 0)
    return whole * 10**9 + int((fraction or "0").ljust(9, "0"))


def weight(event):
    values = event["values"]
    if event["type"] == "jdk.OldObjectSample":
        return 1
    if event["type"] in WEIGHTS:
        return values[WEIGHTS[event["type"]]]
    return nanoseconds(values["duration"]) if "duration" in values else 1


def frames(values):
    stack = values.get("stackTrace")
    names = [class_name(f["method"]["type"]["name"]) + "." + f["method"]["name"]
             for f in reversed(stack["frames"] if stack else [])] or ["[empty]"]
    for key in "objectClass", "monitorClass", "parkedClass":
        if values.get(key):
            names.append(class_name(values[key]["name"]))
    if values.get("object"):
        names.append(class_name(values["object"]["type"]["name"]))
    return ";".join(names)


text = subprocess.run(["jfr", "print", "--json", "--stack-depth", "2000", "--events", sys.argv[1], sys.argv[2]],
                      check=True, stdout=subprocess.PIPE).stdout
sums = collections.Counter()
for e in json.loads(text)["recording"]["events"]:
    sums[frames(e["values"])] += weight(e)
for line in sorted("%s %d" % s for s in sums.items() if s[1]):
    print(line)
