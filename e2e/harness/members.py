"""Bad and good values of every member of every kind, generated from the schema that kube-apiserver serves. See e2e/members.sh.

A value is put into a small object and into the rich object of the kind. What stands above a member and is absent gets its required members. A member of
a list's elements is set in the first element, and in a new one.
"""
import argparse
import copy
import json
import re
import sys
import tempfile

from conversation import Conversation
from conversation_kinds import MERGE, KindConversation, filled
from conversation_objects import OBJECTS
from conversations import Ours, Real, discovered, namespace_of
from kubeapi import Config
from servers import remove

LONG = "a" * 300
COMMON = ("apiVersion", "kind", "metadata")
# The templates of pods inside of other kinds; v1/podtemplates stands for them.
TEMPLATES = re.compile(r"^spec\.(jobTemplate\.spec\.)?template\.(spec|metadata)(\.|$)")
BY_NAME = {"Quantity": "quantity", "MicroTime": "micro time", "Time": "time", "IntOrString": "int or string", "Duration": "duration"}
SAMPLES = {"quantity": "1", "time": "2020-02-03T04:05:06Z", "micro time": "2020-02-03T04:05:06.123456Z", "int or string": 1, "duration": "1s", "integer": 1,
           "number": 1, "boolean": True, "any": {"a": 1}}
VALUES = {
    "string": ["", "Bad Value!", "new", "a/b", "../x", LONG, "-a", "1.2.3.4", "a" * 64, "A", "a.b"], "bytes": ["", "AAEC", "x!"],
    "integer": [-1, 0, 1, 70000, 2 ** 31, -2 ** 63, 2 ** 63 - 1], "number": [-1, 0, 1.5], "boolean": [True, False],
    "quantity": ["-1", "0", "1", "1500m", "x", "", "1e30", 5, "100Gi"], "time": ["2020-02-03T04:05:06Z", "", "x", "2099-01-01T00:00:00Z", None],
    "micro time": ["2020-02-03T04:05:06.123456Z", "", "x", None], "duration": ["-1s", "1s", "x", "0s", "100h"],
    "int or string": [-1, 0, 1, 70000, "", "x", "50%", "101%", "-5%", "Bad!", "a" * 16], "any": [{}, "x", 1, None]}
UNSTABLE = [(re.compile(pattern), placeholder) for pattern, placeholder in (
    (r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "<uid>"), (r"20(26|27)-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)", "<time>"),
    (r"\b10\.96\.\d+\.\d+|fd00:10:96::[0-9a-f]+", "<address>"), (r'"(nodePort|healthCheckNodePort)": 3[0-2]\d{3}', '"port"'), (r'"uid": "[^"]*"', ""),
    (r"X509SHA256=[0-9a-f]{64}", "<credential>"), (r"template\.spec\.volumes\[\d\]", "template.spec.volumes[]"))]
# Differences that stay, with the reason.
KNOWN = [
    (r"apps/v1/statefulsets .*volumeClaimTemplates\.\[\]\.status\.healthStatus", "upstream keeps a status inside of a template although its feature is off"),
    (r"customresourcedefinitions .*openAPIV3Schema\.(\$schema|\$ref|x-kubernetes-preserve)", "kube-apiserver ends the connection without an answer"),
    (r"selfsubjectrulesreviews ", "upstream lists the rules in no order"), (r"certificatesigningrequests update ", "only one client has a certificate"),
]


class Schema:
    """The schema of one version, as kube-apiserver serves it."""

    def __init__(self, talk, version):
        path = "/openapi/v3/" + ("api/" if "/" not in version else "apis/") + version
        self.types, self.version = talk.ask(None, "GET", path, keep=False)[1]["components"]["schemas"], version

    def kind(self, kind):
        group, _, version = self.version.rpartition("/")
        wanted = {"group": group, "version": version, "kind": kind}
        return next((each for each in self.types.values() if wanted in each.get("x-kubernetes-group-version-kind", [])), None)

    def resolved(self, schema):
        """The name of a type, its form and its schema."""
        name = ""
        while "$ref" in schema or ("allOf" in schema and "properties" not in schema):
            name = (schema if "$ref" in schema else schema["allOf"][0])["$ref"].rsplit("/", 1)[1]
            schema = self.types[name]
        form = BY_NAME.get(name.rpartition(".")[2])
        if form is None:
            form = schema.get("type", "any")
            form = "object" if "properties" in schema else "map" if "additionalProperties" in schema else "any" if form == "object" else form
            form = "int or string" if schema.get("format") == "int-or-string" else "bytes" if schema.get("format") == "byte" else form
        return name, form, schema

    def sample(self, schema, scalars=False, depth=0):
        """A value with the required members; with `scalars`, also with all members that are text, numbers or booleans."""
        _, form, schema = self.resolved(schema)
        if form in ("string", "bytes"):
            return "AAEC" if form == "bytes" else schema.get("enum", ["new"])[0]
        if depth > 6 or form not in ("array", "map", "object"):
            return copy.deepcopy(SAMPLES.get(form, [] if form == "array" else {}))
        if form == "array":
            return [self.sample(schema["items"], scalars, depth + 1)]
        if form == "map":
            return {"k": self.sample(schema["additionalProperties"], False, depth + 1)}
        members = schema.get("properties", {})
        names = set(schema.get("required", [])) | {
            name for name in members if scalars and self.resolved(members[name])[1] in ("string", "integer", "boolean")}
        return {name: self.sample(members[name], False, depth + 1) for name in sorted(names)}

    def values(self, schema):
        _, form, schema = self.resolved(schema)
        if form == "array":
            item, full, of = self.sample(schema["items"]), self.sample(schema["items"], True), self.resolved(schema["items"])[1]
            more = {"object": [[{}], [full], [full] * 2], "integer": [[-1], [70000]], "string": [
                [""], ["Bad Value!"], ["a", "b", "a"], [LONG], ["*"], ["*", "a"], [str(n) for n in range(40)]]}
            return [[], [item], [item, item]] + more.get(of, [])
        if form == "map":
            item = self.sample(schema["additionalProperties"])
            texts = [{"k": ""}, {"k": "Bad Value!"}, {"k": LONG}] if isinstance(item, str) else []
            return [{}] + [{key: item} for key in ("", "bad key!", "k", LONG, "a/b/c", "example.com/a", "cpu")] + texts
        if form == "object":
            return [{}, self.sample(schema), self.sample(schema, True)]
        return VALUES[form] + schema.get("enum", [])

    def members(self, schema, path=(), above=()):
        """The path and the schema of each member; elements of lists are `[]`, those of maps `{}`. A type inside of itself is not entered again."""
        name, _, schema = self.resolved(schema)
        if name and name in above:
            return
        for member, inner in sorted(schema.get("properties", {}).items()):
            if not path and member in COMMON:
                continue
            here = path + (member,)
            yield here, inner
            form = self.resolved(inner)[1]
            if form == "object":
                yield from self.members(inner, here, above + (name,))
            elif form in ("array", "map"):
                element = self.resolved(inner)[2]["items" if form == "array" else "additionalProperties"]
                if isinstance(element, dict) and self.resolved(element)[1] == "object":
                    yield from self.members(element, here + ("[]" if form == "array" else "{}",), above + (name,))

    def put(self, schema, target, path, value, anew):
        """Sets a member of an object; with `anew`, in a new element of the last list or map of the path."""
        last = max([i for i, step in enumerate(path) if step in ("[]", "{}")], default=-1)
        for i, step in enumerate(path[:-1]):
            schema = self.resolved(schema)[2]
            schema = schema["items"] if step == "[]" else schema["additionalProperties"] if step == "{}" else schema["properties"][step]
            sample = self.sample(schema)
            if step == "[]":
                if not target or (anew and i == last):
                    target.append(sample)
                target = target[-1 if anew and i == last else 0]
            else:
                key = step if step != "{}" else "new" if not target or (anew and i == last) else next(iter(target))
                if target.get(key) is None:
                    target[key] = sample if self.resolved(schema)[1] == "object" or step == "{}" else [] if self.resolved(schema)[1] == "array" else {}
                target = target[key]
        target[path[-1]] = value


def cleaned(answer):
    status, body = answer
    if isinstance(body, dict) and isinstance(body.get("metadata"), dict):
        hidden = ("managedFields", "resourceVersion", "creationTimestamp", "uid", "generation")
        body = dict(body, metadata={name: value for name, value in body["metadata"].items() if name not in hidden})
    text = json.dumps([status, body], sort_keys=True)
    for pattern, placeholder in UNSTABLE:
        text = pattern.sub(placeholder, text)
    return text


class Sweep:
    """The requests about one kind, to two servers."""

    def __init__(self, listed, talks, found):
        self.talks, self.found, self.key = talks, found, listed["groupVersion"] + "/" + listed["name"]
        self.talk = KindConversation(talks[0], listed)
        self.has_status = any(each["name"].endswith("/status") for each in listed["subresources"])
        self.is_stored = not OBJECTS[self.key].get("create")
        self.schema = Schema(talks[0], listed["groupVersion"])
        self.root = self.schema.kind(listed["kind"])
        self.requests = self.differing = 0

    def both(self, method, path, bodies, content="application/json"):
        return [talk.ask(None, method, path, body, keep=False, content=content) for talk, body in zip(self.talks, bodies)]

    def compare(self, words, method, path, bodies):
        real, ours = map(cleaned, self.both(method, path + "?dryRun=All", bodies))
        self.requests += 1
        title = self.key + " " + words
        if real != ours and not any(re.search(pattern, title) for pattern, _ in KNOWN):
            self.differing += 1
            self.found.append({"title": title, "method": method, "path": path, "body": bodies[0], "real": real, "ours": ours})

    def run(self):
        """Sends the requests; returns the members that occur in none of them."""
        talk, small, rich = self.talk, self.talk.thing("c"), self.talk.thing("c", "rich")
        stored = [None, None]
        self.both("POST", "/api/v1/namespaces", [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": talk.namespace}}] * 2)
        if self.is_stored:
            self.both("POST", talk.collection, [talk.thing("b", "rich")] * 2)
            if self.has_status and "status" in OBJECTS[self.key]:
                self.both("PATCH", talk.path("b", "status"), [{"status": filled(OBJECTS[self.key]["status"], talk.namespace)}] * 2, MERGE)
            stored = [body for _, body in self.both("GET", talk.path("b"), [None] * 2)]
            for body in stored:
                for name in ("resourceVersion", "uid", "managedFields"):
                    body["metadata"].pop(name, None)
        missed = []
        for path, member in self.schema.members(self.root):
            name, before = ".".join(path), self.requests
            if TEMPLATES.search(name):
                continue
            inside = "[]" in path or "{}" in path
            for value in self.schema.values(member):
                for anew in (False, True) if inside else (False,):
                    words = "%s = %s%s" % (name, json.dumps(value)[:80], " in a new element" if anew else "")
                    if path[0] == "status":
                        if self.has_status and self.is_stored:
                            self.changed("status " + words, "PUT", talk.path("b", "status"), stored, path, value, anew)
                        continue
                    for base in (rich,) if inside else (rich, small):
                        self.changed("create " + words, "POST", talk.collection, [base] * 2, path, value, anew)
                    if self.is_stored:
                        self.changed("update " + words, "PUT", talk.path("b"), stored, path, value, anew)
            if self.requests == before and (path[0] != "status" or self.has_status):
                missed.append(self.key + " " + name)
        return missed

    def changed(self, words, method, path, bases, place, value, anew):
        bodies = copy.deepcopy(list(bases)) if bases[0] is not bases[1] else [copy.deepcopy(bases[0])] * 2
        try:
            for body in bodies[:1] if bodies[0] is bodies[1] else bodies:
                self.schema.put(self.root, body, place, value, anew)
        except (TypeError, AttributeError, KeyError):
            return  # the rich object has something of another form there
        self.compare(words, method, path, bodies)


def main():
    parser = argparse.ArgumentParser(prog="e2e/members.sh", description=__doc__.splitlines()[0])
    parser.add_argument("--kinds", default=".", metavar="REGEX", help="kinds whose title matches, such as apps/v1/deployments")
    parser.add_argument("--real", metavar="KUBECONFIG", help="a kube-apiserver that runs already")
    parser.add_argument("--ours", metavar="KUBECONFIG", help="a Kubeloop API server that runs already")
    parser.add_argument("--out", metavar="FILE", help="writes the differing requests with both answers")
    options = parser.parse_args()
    scratch, servers, found, missed, requests = [tempfile.mkdtemp(prefix="kubeloop-members-") for _ in range(2)], [], [], [], 0
    try:
        if not options.real:
            servers.append(Real(scratch[0]))
        real = Config(options.real) if options.real else servers[-1].config
        if not options.ours:
            servers.append(Ours(scratch[1], []))
        ours = Config(options.ours) if options.ours else servers[-1].config
        for listed in discovered(real):
            key = listed["groupVersion"] + "/" + listed["name"]
            if key not in OBJECTS or not re.search(options.kinds, key):
                continue
            sweep = Sweep(listed, [Conversation(config, ("m" + namespace_of(key))[:50].rstrip("-")) for config in (real, ours)], found)
            missed += sweep.run()
            requests += sweep.requests
            print("%-62s %6d requests, %d differ" % (key, sweep.requests, sweep.differing), flush=True)
    finally:
        for server in servers:
            server.close()
        for directory in scratch:
            remove(directory)
    if options.out:
        with open(options.out, "w", encoding="utf-8") as out:
            out.writelines(json.dumps(each) + "\n" for each in found)
    for each in found[:40]:
        print("%s\n    real: %s\n    ours: %s" % (each["title"], each["real"][:600], each["ours"][:600]))
    for each in missed:
        print("no request has the member " + each)
    print("members: %d requests, %d differ, %d members in no request" % (requests, len(found), len(missed)))
    return 1 if found or missed else 0


if __name__ == "__main__":
    sys.exit(main())
