#!/usr/bin/env python3
"""Records hashes of kube-apiserver's OpenAPI documents: of the paths of each document, and of each definition.

    openapi.py --kubeconfig FILE --out FILE

A line is the version, the document or definition, and the first 16 digits of the SHA-256 of its JSON, with sorted members and required
names, without descriptions, and with a lone reference in place of an allOf around it.
"""
import argparse
import hashlib
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import kubeapi  # noqa: E402


def plain(value):
    if isinstance(value, list):
        return [plain(element) for element in value]
    if not isinstance(value, dict):
        return value
    result = {name: plain(member) for name, member in value.items() if name != "description" or not isinstance(member, str)}
    if isinstance(result.get("required"), list):
        result["required"] = sorted(result["required"])
    return result["allOf"][0] if list(result) == ["allOf"] and len(result["allOf"]) == 1 else result


def digest(value):
    text = json.dumps(plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kubeconfig", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    api = kubeapi.Kube(options.kubeconfig, "record-openapi")
    lines = []
    for path in sorted(api.get("/openapi/v3")["paths"]):
        document = api.get("/openapi/v3/" + path)
        lines.append("paths %s %s" % (path, digest(document["paths"])))
        for name, definition in document["components"].get("schemas", {}).items():
            place = path + ":" if name.endswith((".DeleteOptions", ".WatchEvent")) else ""
            lines.append("v3 %s%s %s" % (place, name, digest(definition)))
    for name, definition in api.get("/openapi/v2")["definitions"].items():
        lines.append("v2 %s %s" % (name, digest(definition)))
    with open(options.out, "w", encoding="utf-8") as f:
        f.write("\n".join(sorted(set(lines))) + "\n")


if __name__ == "__main__":
    main()
