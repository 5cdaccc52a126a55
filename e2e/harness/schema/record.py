#!/usr/bin/env python3
"""Writes the types and resources of a running kube-apiserver in the compact form that api-json reads.

    record.py --kubeconfig FILE --gotypes FILE --protos DIR --older DIR --release NUMBER --out DIR

It combines the server's OpenAPI v3 documents and discovery (defaults, list types, merge keys; resources, columns) with the Go types
that gotypes.go prints (numbers of protocol buffers, zero values), and checks them against each other and against the generated.proto
files below DIR. The same files of an older release add the fields that were removed since. api-json's TypeText and ResourceText describe the form. Description texts are left out.
"""
import argparse
import collections
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import kubeapi  # noqa: E402

REF = "#/components/schemas/"
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
META = "io.k8s.apimachinery.pkg.apis.meta.v1."
# Prefixes of OpenAPI names that the short names leave out.
PREFIXES = ["io.k8s.api.", "io.k8s.apimachinery.pkg.apis.", "io.k8s.apimachinery.pkg.util.", "io.k8s.apimachinery.pkg.api.",
            "io.k8s.apimachinery.pkg.", "io.k8s.apiextensions-apiserver.pkg.apis.", "io.k8s.kube-aggregator.pkg.apis."]
# The group and version whose kinds a package holds, where its name does not tell.
META_GROUP_VERSION = "meta.k8s.io/v1"
DISCOVERY_GROUP_VERSION = "apidiscovery.k8s.io/v2"
SCALARS = {"string": "string", "bool": "boolean", "int32": "int32", "int64": "int64", "float64": "number", "interface": "any"}
CUSTOM = {META + "Time": "time", META + "MicroTime": "microTime", META + "Duration": "duration",
          "io.k8s.apimachinery.pkg.api.resource.Quantity": "quantity",
          "io.k8s.apimachinery.pkg.util.intstr.IntOrString": "intOrString"}
ZERO = {"string": "", "boolean": False, "int32": 0, "int64": 0, "number": 0, "any": None}
EXTENSION = "x-kubernetes-"
KNOWN_EXTENSIONS = {EXTENSION + name for name in ("group-version-kind", "list-type", "list-map-keys", "patch-strategy",
                                                  "patch-merge-key", "map-type")}


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def plain(name):
    return re.sub(r"[^a-z0-9]", "", name.lower())


def split_name(name):
    """The package and the name of a type in short form."""
    for prefix in PREFIXES:
        if name.startswith(prefix):
            package, _, simple = name[len(prefix):].rpartition(".")
            return package, simple
    sys.exit("no prefix fits " + name)


def check(condition, what):
    if not condition:
        sys.exit("record: " + what)


class Server:
    """Documents of the server, in the order in which it lists them."""

    def __init__(self, kubeconfig):
        self.api = kubeapi.Kube(kubeconfig, "record-schema")
        groups = self.api.get("/apis")["groups"]
        self.group_versions = ["v1"] + [version["groupVersion"] for group in groups for version in group["versions"]]
        self.schemas = {}
        self.paths = {}
        for path in sorted(self.api.get("/openapi/v3")["paths"]):
            document = self.api.get("/openapi/v3/" + path)
            self.paths.update(document["paths"])
            for schema, definition in document["components"].get("schemas", {}).items():
                if not schema.endswith((".DeleteOptions", ".WatchEvent")):
                    same = self.schemas.setdefault(schema, definition) == definition
                    check(same, "the documents differ in " + schema)
                self.schemas.setdefault(schema, definition)
        v2 = self.api.get("/openapi/v2")["definitions"][META + "DeleteOptions"]["x-kubernetes-group-version-kind"]
        self.all_versions = [(kind["group"] + "/" if kind["group"] else "") + kind["version"] for kind in v2]

    @staticmethod
    def path(group_version):
        return ("/apis/" if "/" in group_version else "/api/") + group_version

    def resources(self, group_version):
        return self.api.get(self.path(group_version))["resources"]

    def returns_deleted(self, group_version, resource):
        """Whether the answer to a delete is the object, not a status."""
        path = self.path(group_version) + ("/namespaces/{namespace}/" if resource["namespaced"] else "/") + resource["name"] + "/{name}"
        answer = self.paths[path]["delete"]["responses"]["200"]["content"]["application/json"]["schema"]
        return answer["$ref"] != REF + META + "Status"

    def columns(self, group_version, plural):
        headers = {**self.api.headers(), "Accept": TABLE}
        connection = self.api.config.connect(60)
        connection.request("GET", self.path(group_version) + "/" + plural, None, headers)
        response = connection.getresponse()
        table = json.loads(response.read())
        connection.close()
        check(response.status == 200 and table["kind"] == "Table", "no table of " + plural)
        return table["columnDefinitions"]


class Types:
    """The Go types that the server's kinds need, joined with their OpenAPI definitions."""

    def __init__(self, go, server, messages, older):
        self.go, self.server, self.messages, self.older = go["types"], server, messages, older
        self.kinds = self._kinds(go["kinds"])
        self.aliases = {}
        self.structs = {}
        pending = sorted(self.kinds) + [name for name in server.schemas if name in self.go]
        pending.append("io.k8s.apimachinery.pkg.version.Info")
        while pending:
            name = pending.pop()
            if name not in self.structs:
                self.structs[name] = None
                self.structs[name] = self._struct(name, pending)

    def _kinds(self, kinds):
        """The group and version of every kind by the name of its type; * for the kinds of every group and version."""
        served = set(self.server.group_versions) | {META_GROUP_VERSION, DISCOVERY_GROUP_VERSION}
        found = collections.defaultdict(set)
        for kind, name in kinds.items():
            group_version, _, simple = kind.rpartition("/")
            check(name.endswith("." + simple), "the type of %s is %s" % (kind, name))
            if group_version in served:
                found[name].add(group_version)
        return {name: "*" if len(versions) > 1 else versions.pop() for name, versions in found.items()}

    def _struct(self, name, pending):
        schema = self.server.schemas.get(name, {})
        properties = schema.get("properties", {})
        fields = {field["name"]: field for field in self.go[name]}
        if name in self.server.schemas:
            check(set(fields) == set(properties), "fields of %s: %s" % (name, set(fields) ^ set(properties)))
        words = []
        meta = [fields.get(member) for member in ("apiVersion", "kind")]
        if all(field and not field["path"] and field["omitEmpty"] for field in meta):
            words.append("object")
            for field in meta:
                check(field["in"] == ["TypeMeta"], name)
                check(compact(properties.get(field["name"], {}).get("type", "string")) == '"string"', name)
                del fields[field["name"]]
        if schema.get(EXTENSION + "map-type"):
            words.append(schema[EXTENSION + "map-type"])
        lines = []
        for extension, value in sorted(schema.items()):
            if extension.startswith(EXTENSION) and extension not in KNOWN_EXTENSIONS:
                lines.append(" %s %s" % (extension, compact(value)))
        required = schema.get("required", [])
        for member in fields:  # in the order of Go, in which a server encodes them
            lines.append(self._field(name, fields[member], properties.get(member), member in required, pending))
        self._check_proto(name, self.go[name])
        return words, lines + self._removed(name)

    def _removed(self, name):
        lines = []
        for number, (field, label, kind) in sorted(self.older.get(name, {}).items()):
            if number not in self.messages.get(name, {}):
                check(kind in ("string", "bool"), "the type of %s.%s" % (name, field))
                lines.append(" ~%s %s? %s%s" % (number, field, "[]" if label == "repeated" else "", SCALARS[kind]))
        return lines

    def _field(self, owner, field, schema, required, pending):
        where = owner + "." + field["name"]
        kind = field["type"]
        token, wrapped = self._token(kind, schema, split_name(owner)[0], pending, where)
        flags = "".join(flag for flag, on in (("*", field["pointer"]), ("?", field["omitEmpty"]), ("0", field["omitZero"]),
                                              ("!", required)) if on)
        words = [".".join(field["path"]) or "-", field["name"] + flags, token]
        if wrapped:
            words.append("wrapped")
        if field["in"]:
            words.append("in=" + ".".join(field["in"]))
        if schema is None:
            return " " + " ".join(words)
        if schema.get(EXTENSION + "map-type"):
            words.append(schema[EXTENSION + "map-type"])
        if EXTENSION + "patch-strategy" in schema or EXTENSION + "patch-merge-key" in schema:
            key = schema.get(EXTENSION + "patch-merge-key", "")
            words.append("patch=" + schema.get(EXTENSION + "patch-strategy", "") + (":" + key if key else ""))
        expected = self._zero(kind, field)
        if "default" not in schema:
            if expected is not None:
                words.append("default=-")
        elif schema["default"] != expected or isinstance(schema["default"], bool) != isinstance(expected, bool):
            words.append("default=" + compact(schema["default"]))
        return " " + " ".join(words)

    @staticmethod
    def _zero(kind, field):
        """The default that OpenAPI documents show for Go's zero value; None if they show none."""
        if field["pointer"]:
            return None
        if kind["kind"] == "struct":
            return {} if kind["name"] not in CUSTOM and not kind.get("custom") else None
        return None if field["omitEmpty"] else ZERO.get(SCALARS.get(kind["kind"], ""))

    def _token(self, kind, schema, package, pending, where):
        """The word for a type, and whether protocol buffers put a list into a message of its own."""
        if kind["kind"] == "struct":
            if kind["name"] in CUSTOM:
                return CUSTOM[kind["name"]], False
            if kind.get("custom"):
                self._alias(kind["name"], "any", where)
            else:
                pending.append(kind["name"])
            return self._relative(kind["name"], package), False
        if kind["kind"] in SCALARS:
            check(not schema or kind["kind"] == "interface" or "type" in schema, where)
            if not kind.get("name"):
                check(not (schema or {}).get("enum"), "values of the unnamed type of " + where)
                return SCALARS[kind["kind"]], False
            values = (schema or {}).get("enum")
            check(not values or not any("," in value for value in values), "values of " + where)
            text = SCALARS[kind["kind"]] + (" " + ",".join(values) if values else "")
            self._alias(kind["name"], text, where if schema else None)
            return self._relative(kind["name"], package), False
        if kind["kind"] == "slice" and kind["of"]["kind"] == "uint8":
            check(not schema or schema["format"] == "byte", where)
            return "bytes", False
        outer, package = package, split_name(kind["name"])[0] if kind.get("name") else package
        if kind["kind"] == "slice":
            items = (schema or {}).get("items")
            token = "[%s]%s" % (self._list_type(schema or {}), self._token(kind["of"], items, package, pending, where + "[]")[0])
        else:
            check(kind["kind"] == "map", "the type of " + where)
            key = kind["key"]
            if key.get("name"):
                self._alias(key["name"], SCALARS[key["kind"]], None)
            values, wrapped = self._token(kind["of"], (schema or {}).get("additionalProperties"), package, pending, where + "{}")
            token = "{%s}%s" % (self._relative(key["name"], package) if key.get("name") else "", values)
            if wrapped:
                return token, True
        if not kind.get("name"):
            return token, False
        # A list type is declared at the field: a named list in a field has it there, too.
        self._alias(kind["name"], token, where)
        return self._relative(kind["name"], outer), kind.get("message", False)

    @staticmethod
    def _list_type(schema):
        kind = schema.get(EXTENSION + "list-type", "")
        check(kind in ("", "atomic", "set", "map"), "the list type " + kind)
        return ",".join(schema[EXTENSION + "list-map-keys"]) if kind == "map" else kind

    def _alias(self, name, text, where):
        """Notes a named type. Without a place it may be noted already with more words."""
        present = self.aliases.get(name)
        if where is None:
            self.aliases.setdefault(name, text)
        elif present is None or text.startswith(present):
            self.aliases[name] = text
        else:
            check(present == text or present.startswith(text + " ") and where is None,
                  "%s is %s and %s at %s" % (name, present, text, where))

    @staticmethod
    def _relative(name, package):
        other, simple = split_name(name)
        return simple if other == package else other + "." + simple

    def _check_proto(self, name, fields):
        """The numbers in Go's tags are those of generated.proto."""
        message = self.messages.get(name)
        own = {field["path"][0]: field["name"] for field in fields if len(field["path"]) == 1}
        outer = {field["path"][0] for field in fields if len(field["path"]) > 1}
        if message is None:
            check(not own and not outer, "no message of " + name)
            return
        check(set(message) == set(own) | outer, "numbers of %s: %s" % (name, set(message) ^ (set(own) | outer)))
        for number, json_name in own.items():
            if plain(message[number][0]) != plain(json_name):
                print("record: %s.%s is called %s in protocol buffers" % (name, json_name, message[number][0]), file=sys.stderr)

    def write(self, release, out):
        packages = collections.defaultdict(dict)
        for name, text in self.aliases.items():
            package, simple = split_name(name)
            packages[package][simple] = (name, ["%s = %s" % (simple, text)])
        for name, (words, lines) in self.structs.items():
            package, simple = split_name(name)
            kind = self.kinds.get(name)
            packages[package][simple] = (name, [" ".join([simple] + words + (["kind=" + kind] if kind else []))] + lines)
        out.write("# The types of Kubernetes %s. Written by e2e/record-schema.sh.\n" % release)
        out.write("versions " + " ".join(self.server.all_versions) + "\n")
        for package in sorted(packages):
            members = packages[package]
            full = {name.rpartition(".")[0] for name, _ in members.values()}
            check(len(full) == 1, "the packages " + str(full))
            out.write("package %s %s\n" % (package, full.pop()))
            for simple in sorted(members):
                out.write("\n".join(members[simple][1]) + "\n")


def write_resources(server, release, out):
    out.write("# The resources of Kubernetes %s. Written by e2e/record-schema.sh.\n" % release)
    for group_version in server.group_versions:
        out.write("version %s\n" % group_version)
        for resource in server.resources(group_version):
            words = [resource["name"].rpartition("/")[2]]
            known = {"name", "singularName", "namespaced", "kind", "verbs", "shortNames", "storageVersionHash", "categories",
                     "group", "version"}
            check(set(resource) <= known, "members of %s: %s" % (resource["name"], set(resource) - known))
            if "/" in resource["name"]:
                check(resource["name"].startswith(parent + "/"), "the parent of " + resource["name"])
                other = resource.get("version", "")
                if resource.get("group"):
                    other = resource["group"] + "/" + other
                words = [" " + words[0], resource["kind"], ",".join(resource["verbs"])] + ([other] if other else [])
                out.write(" ".join(words) + "\n")
                continue
            parent = resource["name"]
            check("group" not in resource and "version" not in resource, "the group of " + parent)
            words += [resource["singularName"], resource["kind"], ",".join(resource["verbs"]),
                      "namespaced" if resource["namespaced"] else "cluster",
                      ",".join(resource.get("shortNames", [])) or "-", ",".join(resource.get("categories", [])) or "-",
                      resource.get("storageVersionHash", "-")]
            if "delete" in resource["verbs"] and server.returns_deleted(group_version, resource):
                words.append("returns-deleted")
            out.write(" ".join(words) + "\n")
            if "list" in resource["verbs"]:
                columns = server.columns(group_version, parent)
                out.write(" =" + "|".join(";".join([column["name"], column["type"], column["format"], str(column["priority"])])
                                          for column in columns) + "\n")


def read_messages(directory):
    """The fields of every message of the generated.proto files under the names that OpenAPI gives to their types: by number the name,
    the label and the type."""
    messages = {}
    for folder, _, files in sorted(os.walk(directory, followlinks=True)):
        if "generated.proto" in files:
            with open(os.path.join(folder, "generated.proto"), encoding="utf-8") as f:
                text = re.sub(r"//.*", "", f.read())
            package = re.search(r"^package k8s\.io\.(\S+);", text, re.M).group(1).replace("apiextensions_apiserver",
                                                                                        "apiextensions-apiserver")
            package = package.replace("kube_aggregator", "kube-aggregator")
            for message, body in re.findall(r"^message (\w+) \{(.*?)^\}", text, re.S | re.M):
                fields = re.findall(r"(optional|repeated|required|map<\w+, \S+>)\s+(?:(\S+)\s+)?(\w+) = (\d+);", body)
                messages["io.k8s.%s.%s" % (package, message)] = {
                    number: (name, label, kind) for label, kind, name, number in fields}
    return messages


def main():
    parser = argparse.ArgumentParser()
    for name in ("kubeconfig", "gotypes", "protos", "older", "release", "out"):
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()
    server = Server(options.kubeconfig)
    with open(options.gotypes, encoding="utf-8") as f:
        go = json.load(f)
    types = Types(go, server, read_messages(options.protos), read_messages(options.older))
    with open(os.path.join(options.out, "kubernetes.types"), "w", encoding="utf-8") as f:
        types.write(options.release, f)
    with open(os.path.join(options.out, "kubernetes.resources"), "w", encoding="utf-8") as f:
        write_resources(server, options.release, f)


if __name__ == "__main__":
    main()
