#!/usr/bin/env python3
"""Writes the schema of the built-in kinds' protocol buffers, read from the struct tags of Kubernetes' Go types.

   extract-schema.py API APIMACHINERY RELEASE... > src/main/resources/io/kubeloop/json/protobuf/kubernetes.schema

API and APIMACHINERY are clones (bare ones will do) of the repositories kubernetes/api and kubernetes/apimachinery. Releases are tags of
both, such as v0.36.0, newest first: older ones add the fields that were removed since.

Each line that begins with a letter names a message; the lines below it are its fields: number, JSON name (- for a struct whose
members stand in its parent's JSON object), type. Before the type, [] is a list and * may be absent whatever its value; after it, ? is
left out of JSON when it has its zero value.
"""
import re
import subprocess
import sys

META = "meta"
PACKAGES = {META: "pkg/apis/meta/v1", "core": "core/v1", "apps": "apps/v1", "coordination": "coordination/v1", "discovery": "discovery/v1",
            "policy": "policy/v1"}
ROOTS = {"core": ["Pod", "Service", "Endpoints", "Event", "Node", "Namespace", "ServiceAccount", "ReplicationController", "ConfigMap",
                  "Secret"],
         "apps": ["ReplicaSet", "Deployment"], "coordination": ["Lease"], "discovery": ["EndpointSlice"], "policy": ["Eviction"],
         META: ["Status", "PartialObjectMetadata", "DeleteOptions", "ListMeta"]}
SCALARS = {"string": "string", "bool": "bool", "int32": "int32", "int64": "int64", "int": "int64", "byte": "byte"}
SPECIAL = {"Time": "time", "MicroTime": "microTime", "Quantity": "quantity", "IntOrString": "intOrString", "FieldsV1": "raw",
           "RawExtension": "raw", "UID": "string"}


class Types:
    """The structs of all packages of a release, and other names for types."""

    def __init__(self, api, machinery, release):
        self.structs, self.aliases = {}, {}
        for package, path in PACKAGES.items():
            repository = machinery if package == META else api
            show = subprocess.run(["git", "-C", repository, "show", release + ":" + path + "/types.go"], check=False,
                                  capture_output=True, text=True)
            if show.returncode and "exists on disk, but not in" not in show.stderr and "does not exist in" not in show.stderr:
                sys.exit(show.stderr)
            for name, body in re.findall(r"^type (\w+) struct \{\n(.*?)^\}", show.stdout, re.S | re.M):
                self.structs[package, name] = re.findall(r'^\t(?:(\w+)\s+)?(\S+)\s+`(json:"[^`]*)`', body, re.M)
            for name, target in re.findall(r"^type (\w+) ((?:map\[\w+\])?[\w.\[\]]+)$", show.stdout, re.M):
                self.aliases[package, name] = target

    @staticmethod
    def find(table, package, name):
        """What a package means by a name: its own, else the metadata's, else core's."""
        return next(((other, name) for other in (package, META, "core") if (other, name) in table), None)

    def of(self, package, go):
        """(list?, pointer?, type), the type a word of the schema or the key of a struct"""
        pointer = go.startswith("*")
        go = go.lstrip("*")
        is_list = go.startswith("[]")
        go = go[2:].lstrip("*") if is_list else go
        if go.startswith("map["):
            value = go[go.index("]") + 1:].split(".")[-1]
            return False, pointer, {"Quantity": "quantities", "string": "map", "[]byte": "bytesMap"}[value]
        go = go.split(".")[-1]
        if go in SPECIAL:
            return is_list, pointer, SPECIAL[go]
        alias = self.find(self.aliases, package, go)
        if alias:
            inner_list, _, kind = self.of(alias[0], self.aliases[alias])
            return is_list or inner_list, pointer, kind
        if is_list and go == "byte":
            return False, pointer, "bytes"
        return is_list, pointer, SCALARS.get(go) or self.find(self.structs, package, go)

    def fields(self, struct):
        """(number, JSON name, list?, pointer?, type, left out if zero?)"""
        for _, go, tags in self.structs[struct]:
            wire = re.search(r'protobuf:"\w+,(\d+)', tags)
            if wire:
                name, *options = re.search(r'json:"([^"]*)"', tags).group(1).split(",")
                is_list, pointer, kind = self.of(struct[0], go)
                yield int(wire.group(1)), name or "-", is_list, pointer, kind, "omitempty" in options


def main():
    api, machinery, *releases = sys.argv[1:]
    messages = {(package, name): [] for package, names in ROOTS.items() for name in names}
    for types in (Types(api, machinery, release) for release in releases):
        wanted = [struct for struct in messages if struct in types.structs]
        for struct in wanted:
            fields = messages.setdefault(struct, [])
            known = {field[0] for field in fields} | {field[1] for field in fields if field[1] != "-"}
            fields += [field for field in types.fields(struct) if not known & set(field[:2])]
            wanted += {kind: 0 for *_, kind, _ in fields if kind in types.structs and kind not in wanted}
    titles = {}
    for struct in messages:
        titles[struct] = struct[1] if struct[1] not in titles.values() else ".".join(struct)
    for struct, fields in messages.items():
        print(titles[struct])
        for number, name, is_list, pointer, kind, omits in fields:
            print(" %d %s %s%s%s%s" % (number, name, "[]" if is_list else "", "*" if pointer else "", titles.get(kind, kind),
                                      "?" if omits else ""))


main()
