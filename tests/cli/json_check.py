"""Checks JSON on standard input: against the schema, which must know every member, and that sums add up.

python3 json_check.py SCHEMA [--part]    --part: of one function, so self weights are not those of everything
"""
import json
import sys

KINDS = {"object": dict, "array": list, "string": str, "number": (int, float), "boolean": bool}


def has_kind(value, kind):
    if kind == "null":
        return value is None
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))


def faults(value, rule, top, where):
    if "$ref" in rule:
        return faults(value, top["$defs"][rule["$ref"].rsplit("/", 1)[1]], top, where)
    if "anyOf" in rule:
        found = [faults(value, r, top, where) for r in rule["anyOf"]]
        return [] if [] in found else found[-1]
    kinds = rule.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    out = []
    if kinds and not any(has_kind(value, k) for k in kinds):
        return [f"{where}: {value!r} is no {kinds}"]
    if value != rule.get("const", value) or value not in rule.get("enum", [value]):
        out.append(f"{where}: {value!r}")
    if value is not None and (value < rule["minimum"] if "minimum" in rule else False):
        out.append(f"{where}: {value} is too small")
    if "maximum" in rule and value > rule["maximum"]:
        out.append(f"{where}: {value} is too large")
    if isinstance(value, dict):
        known = rule.get("properties", {})
        out += [f"{where}: no {k}" for k in rule.get("required", []) if k not in value]
        out += [f"{where}: {k} is not in the schema" for k in value if k not in known]
        for k in value:
            out += faults(value[k], known[k], top, f"{where}.{k}") if k in known else []
    if isinstance(value, list):
        for i, v in enumerate(value):
            out += faults(v, rule.get("items", {}), top, f"{where}[{i}]")
    return out


def unique(pairs):
    names = [k for k, _ in pairs]
    assert len(set(names)) == len(names), f"a member twice: {names}"
    return dict(pairs)


def sums(d):
    side = d.get("comparison", {}).get("widths", "after")
    own = sum(f["self"]["after"] if isinstance(f["self"], dict) else f["self"] for f in d["functions"])
    ends = sum(p["weight"] for p in d["paths"])
    out = []
    if side == "after" and abs(own + d["omitted"]["self"] - d["total"]) > 1e-6 * d["total"]:
        out.append(f"self weights: {own} + {d['omitted']['self']}, not {d['total']}")
    if d["paths"] and abs(ends + d["omitted"]["weight"] - d["total"]) > 1e-6 * d["total"]:
        out.append(f"paths: {ends} + {d['omitted']['weight']}, not {d['total']}")
    return out


with open(sys.argv[1], encoding="utf-8") as f:
    rules = json.load(f)
document = json.loads(sys.stdin.buffer.read().decode("utf-8"), object_pairs_hook=unique)
found = faults(document, rules, rules, "")
if "--part" not in sys.argv:
    found += sums(document)
print("\n".join(found[:20]) if found else "good")
