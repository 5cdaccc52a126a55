"""Reads lists of objects, one a line, and prints their objects as record-start.sh stores them."""
import json
import sys

for line in sys.stdin:
    if not line.strip():
        continue
    listed = json.loads(line)
    for item in listed["items"]:
        meta = item["metadata"]
        del meta["resourceVersion"]
        meta.update(uid="@uid", creationTimestamp="@now")
        for entry in meta.get("managedFields", []):
            entry["time"] = "@now"
        for condition in item.get("status", {}).get("conditions", []):
            condition["lastTransitionTime"] = "@now"
        if meta["name"] == "extension-apiserver-authentication" and "data" in item:
            # The server's own certificates; the embedded server writes its own.
            del item["data"], meta["managedFields"]
        kind = {"kind": listed["kind"].removesuffix("List"), "apiVersion": listed["apiVersion"]}
        print(json.dumps({**kind, **item}, separators=(",", ":"), ensure_ascii=False))
