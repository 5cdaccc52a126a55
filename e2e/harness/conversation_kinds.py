"""The conversation about one resource: each verb that the real server's discovery lists, with good and with bad input.

Most requests are made up from the rich object of the kind: each of its members is left out, gets a value of another type, a bad value, or another good value.
"""
import base64
import copy
import json
import time

from conversation_objects import OBJECTS

TABLE = {"Accept": "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"}
PARTIAL = {"Accept": "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json"}
PARTIAL_LIST = {"Accept": "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json"}
MERGE, STRATEGIC = "application/merge-patch+json", "application/strategic-merge-patch+json"
JSON_PATCH, APPLY = "application/json-patch+json", "application/apply-patch+yaml"
DRY = {"dryRun": "All"}


def filled(value, namespace):
    """The value with the name of the conversation's namespace in place of `{namespace}`."""
    return json.loads(json.dumps(value).replace("{namespace}", namespace))


def merged(target, patch):
    """A JSON merge patch."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result


def places(value, path=()):
    """The path of each value inside an object, parents first."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield path + (key,)
        yield from places(item, path + (key,))


def shown(path):
    return "".join("[%d]" % key if isinstance(key, int) else "." + key for key in path).lstrip(".")


def found(value, path):
    for key in path:
        value = value[key]
    return value


def replaced(value, path, item):
    """A copy with another item at a path."""
    result = copy.deepcopy(value)
    found(result, path[:-1])[path[-1]] = item
    return result


def without(value, path):
    result = copy.deepcopy(value)
    del found(result, path[:-1])[path[-1]]
    return result


def of_another_type(value):
    if isinstance(value, bool) or value is None:
        return "yes"
    if isinstance(value, int):
        return "seven"
    if isinstance(value, str):
        return {"a": 1}
    return "text"


def bad_values(value):
    """(words, value) of the same type that most fields refuse."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int):
        yield from (("negative", -1), ("zero", 0), ("large", 70000))
    elif isinstance(value, str):
        yield from (("empty", ""), ("bad", "Bad Value!"))
    elif isinstance(value, list) and value:
        yield from (("empty", []), ("repeated", value + [value[0]]))
    elif isinstance(value, dict):
        yield "empty", {}


def other_value(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value + "x"
    return None


class KindConversation:
    """Talks about one resource of the discovery: `listed` is its APIResource, with group and version, and its subresources."""

    def __init__(self, talk, listed):
        self.talk, self.listed = talk, listed
        self.key = listed["groupVersion"] + "/" + listed["name"]
        self.entry = OBJECTS[self.key]
        prefix = "/api/" if "/" not in listed["groupVersion"] else "/apis/"
        self.namespace = talk.name
        self.root = prefix + listed["groupVersion"]
        self.collection = self.root + ("/namespaces/" + self.namespace if listed["namespaced"] else "") + "/" + listed["name"]
        self.verbs = listed["verbs"]
        # Objects of the cluster share their collection with those of the system and of other conversations.
        self.mine = {} if listed["namespaced"] else {"labelSelector": "conversation=" + talk.name}

    def name(self, letter):
        if "names" in self.entry:
            return self.entry["names"]["abcdef".index(letter)]
        if "name" in self.entry:
            return self.entry["name"].format(letter)
        return self.talk.name + "-" + letter if not self.listed["namespaced"] else letter

    def path(self, letter, sub=None):
        return self.collection + "/" + self.name(letter) + ("/" + sub if sub else "")

    def thing(self, letter, member="minimal", **metadata):
        """An object of the table."""
        body = self.entry.get(member) or self.entry["minimal"]
        if callable(body):
            body = body(letter)
        body = filled(body, self.namespace)
        # Reviews are not stored, and some refuse metadata.
        meta = {} if "Review" in self.listed["kind"] else {"name": self.name(letter), "labels": {"conversation": self.talk.name}}
        meta.update(body.pop("metadata", {}))
        meta.update(metadata)
        return {"apiVersion": self.listed["groupVersion"], "kind": self.listed["kind"], "metadata": meta, **body}

    def run(self):
        self.creations()
        if not self.entry.get("create"):
            self.reads()
            self.updates()
            self.patches()
            self.subresources()
            self.applies()
            self.fields()
            self.finalizers()
            self.deletions()
        self.made_up()
        if not self.entry.get("create"):
            self.watches()
            self.at_last()

    def ask(self, step, method, path, body=None, query=None, **more):
        """A request of the conversation. A controller inside the real server may react to it: such a kind is left alone until it is quiet."""
        answer = self.talk.ask(step, method, path, body, query, **more)
        if self.entry.get("settled") and method != "GET" and "dryRun" not in (query or ()) and answer[0] < 300:
            for letter in "abcdef":
                self.quiet(letter)
        return answer

    def quiet(self, letter):
        """Waits until an object stays as it is for a moment."""
        for _ in range(30):
            before = self.stored(letter).get("metadata", {}).get("resourceVersion")
            if before is None:
                return
            time.sleep(0.06)
            if self.stored(letter).get("metadata", {}).get("resourceVersion") == before:
                return

    def settle(self, letter):
        """Waits for the condition that a controller inside the real server sets."""
        wanted = self.entry.get("settled")
        if wanted:
            self.talk.until(self.path(letter), lambda body: any(
                c.get("type") == wanted for c in (body.get("status") or {}).get("conditions") or []))
            self.quiet(letter)

    def creations(self):
        ask, post = self.ask, self.collection
        _, listed = ask("list of nothing", "GET", self.collection, query=self.mine)
        self.first = (listed.get("metadata") or {}).get("resourceVersion") if isinstance(listed, dict) else None
        ask("create minimal, dry run", "POST", post, self.thing("a"), query=DRY)
        ask("create minimal", "POST", post, self.thing("a"))
        self.settle("a")
        ask("create minimal again", "POST", post, self.thing("a"))
        ask("create rich", "POST", post, self.thing("b", "rich"))
        self.settle("b")
        ask("create with generated name", "POST", post, self.thing("c", name=None, generateName="made-"), query=DRY)
        ask("create without name", "POST", post, self.thing("c", name=None), query=DRY)
        for words, name in (("with capitals", "Bad"), ("with underscore", "a_b"), ("with slash", "a/b"), ("too long", "a" * 254),
                            ("with percent", "a%b"), ("with dot", "a.b"), ("of 64 letters", "a" * 64), ("that is empty", "")):
            ask("create with name " + words, "POST", post, self.thing("c", name=name), query=DRY)
        ask("create with bad generateName", "POST", post, self.thing("c", name=None, generateName="Bad_"), query=DRY)
        ask("create with bad label", "POST", post, self.thing("c", labels={"bad key!": "bad value!"}), query=DRY)
        ask("create with bad annotation", "POST", post, self.thing("c", annotations={"bad key!": "x"}), query=DRY)
        ask("create with bad finalizer", "POST", post, self.thing("c", finalizers=["bad finalizer!"]), query=DRY)
        ask("create with bad owner", "POST", post, self.thing("c", ownerReferences=[{"apiVersion": "v1", "kind": "", "name": "", "uid": ""}]),
            query=DRY)
        ask("create with two controllers", "POST", post, self.thing("c", ownerReferences=[
            {"apiVersion": "v1", "kind": "Pod", "name": n, "uid": n, "controller": True} for n in ("x", "y")]), query=DRY)
        ask("create with resourceVersion", "POST", post, self.thing("c", resourceVersion="7"), query=DRY)
        ask("create with the server's own metadata", "POST", post, self.thing(
            "c", uid="11111111-2222-3333-4444-555555555555", creationTimestamp="2020-01-01T00:00:00Z", generation=7, selfLink="/x",
            deletionTimestamp="2020-01-01T00:00:00Z", deletionGracePeriodSeconds=5), query=DRY)
        ask("create in another namespace than the path", "POST", post, self.thing("c", namespace="other"), query=DRY)
        ask("create of another kind", "POST", post, dict(self.thing("c"), kind="Nothing"), query=DRY)
        ask("create of another version", "POST", post, dict(self.thing("c"), apiVersion="none.example.com/v9"), query=DRY)
        ask("create without kind and version", "POST", post,
            {k: v for k, v in self.thing("c").items() if k not in ("kind", "apiVersion")}, query=DRY)
        ask("create of metadata alone", "POST", post, {
            "apiVersion": self.listed["groupVersion"], "kind": self.listed["kind"], "metadata": {"name": self.name("c")}}, query=DRY)
        ask("create with an empty spec", "POST", post, dict(self.thing("c"), spec={}), query=DRY)
        ask("create with bad JSON", "POST", post, "{not json", query=DRY)
        ask("create of a list", "POST", post, "[]", query=DRY)
        ask("create without body", "POST", post, query=DRY)
        ask("create with bad dryRun", "POST", post, self.thing("c"), query={"dryRun": "Some"})
        ask("create with bad fieldManager", "POST", post, self.thing("c"), query={"fieldManager": "x" * 129, "dryRun": "All"})
        ask("create with another fieldManager", "POST", post, self.thing("c"), query={"fieldManager": "mine", "dryRun": "All"})
        ask("create in YAML", "POST", post, json.dumps(self.thing("c"), indent=1), query=DRY, content="application/yaml")
        ask("create in text", "POST", post, self.thing("c"), query=DRY, content="text/plain")
        for words, members in self.entry.get("invalid", []):
            ask("create " + words, "POST", post, merged(self.thing("c"), filled(members, self.namespace)), query=DRY)
        if self.listed["namespaced"]:
            ask("create in an absent namespace", "POST", self.root + "/namespaces/absent/" + self.listed["name"], self.thing("c"))
            ask("create without namespace in the path", "POST", self.root + "/" + self.listed["name"], self.thing("c"), query=DRY)

    def reads(self):
        ask, all_of = self.ask, self.collection
        for letter in "ab":
            ask("get " + letter, "GET", self.path(letter))
            ask("get %s as table" % letter, "GET", self.path(letter), headers=TABLE)
            ask("get %s as partial object" % letter, "GET", self.path(letter), headers=PARTIAL)
        ask("get of nothing", "GET", self.path("f"))
        ask("get as YAML", "GET", self.path("a"), headers={"Accept": "application/yaml"})
        ask("get as text", "GET", self.path("a"), headers={"Accept": "text/plain"})
        ask("get with bad pretty", "GET", self.path("a"), query="pretty=yes&unknown=1")
        ask("list", "GET", all_of, query=self.mine)
        ask("list as table", "GET", all_of, query=self.mine, headers=TABLE)
        ask("list as table with objects", "GET", all_of, query=dict(self.mine, includeObject="Object", limit=1), headers=TABLE)
        ask("list as table without objects", "GET", all_of, query=dict(self.mine, includeObject="None"), headers=TABLE)
        ask("list as partial objects", "GET", all_of, query=self.mine, headers=PARTIAL_LIST)
        if self.listed["namespaced"]:
            ask("list of all namespaces by label", "GET", self.root + "/" + self.listed["name"],
                query={"labelSelector": "conversation=" + self.talk.name})
        _, page = ask("list, first page", "GET", all_of, query=dict(self.mine, limit=1))
        token = (page.get("metadata") or {}).get("continue") if isinstance(page, dict) else None
        if token:
            ask("list, second page", "GET", all_of, query=dict(self.mine, limit=1, **{"continue": token}))
        ask("list by name", "GET", all_of, query=dict(self.mine, fieldSelector="metadata.name=" + self.name("a")))
        ask("list by no such name", "GET", all_of, query=dict(self.mine, fieldSelector="metadata.name=none"))
        for words, query in (("bad field", {"fieldSelector": "spec.nothing=x"}), ("bad field selector", {"fieldSelector": "a,b"}),
                             ("bad label selector", {"labelSelector": "a in b"}), ("bad limit", {"limit": "x"}),
                             ("bad continue", {"continue": "x"}), ("bad version", {"resourceVersion": "x"}),
                             ("match without version", {"resourceVersionMatch": "Exact"}),
                             ("bad match", {"resourceVersion": "1", "resourceVersionMatch": "Some"}),
                             ("version 0", dict(self.mine, resourceVersion="0"))):
            ask("list with " + words, "GET", all_of, query=query)

    def stored(self, letter):
        _, body = self.talk.ask(None, "GET", self.path(letter), keep=False)
        return body if isinstance(body, dict) else {}

    def updates(self):
        ask, path = self.ask, self.path("a")
        change = filled(self.entry.get("change", {}), self.namespace)
        now = self.stored("a")
        ask("update without change", "PUT", path, now)
        ask("update, dry run", "PUT", path, merged(now, change), query=DRY)
        now = self.stored("a")
        ask("update", "PUT", path, merged(now, change))
        ask("update of an old version", "PUT", path, merged(now, {"metadata": {"labels": {"old": "yes"}}}))
        self.settle("a")
        now = self.stored("a")
        free = merged(now, {"metadata": {"resourceVersion": None, "uid": None, "labels": {"free": "yes"}}})
        ask("update without version", "PUT", path, free)
        ask("update with another uid", "PUT", path, merged(free, {"metadata": {"uid": "11111111-2222-3333-4444-555555555555"}}))
        ask("update with another name", "PUT", path, merged(free, {"metadata": {"name": "other"}}))
        ask("update with another namespace", "PUT", path, merged(free, {"metadata": {"namespace": "other"}}))
        ask("update without name", "PUT", path, merged(free, {"metadata": {"name": None}}))
        ask("update with another kind", "PUT", path, dict(free, kind="Nothing"))
        ask("update with the server's own metadata", "PUT", path, merged(free, {"metadata": {
            "creationTimestamp": "2020-01-01T00:00:00Z", "generation": 70, "deletionTimestamp": "2020-01-01T00:00:00Z"}}))
        ask("update of status with the rest", "PUT", path, merged(free, {"status": filled(self.entry.get("status", {}), self.namespace)}))
        ask("update with bad version", "PUT", path, merged(free, {"metadata": {"resourceVersion": "x"}}))
        ask("update of nothing", "PUT", self.path("f"), self.thing("f"), query=DRY)
        ask("update of nothing with version", "PUT", self.path("f"), self.thing("f", resourceVersion="7"), query=DRY)
        ask("update with bad JSON", "PUT", path, "{")
        ask("update of all", "PUT", self.collection, self.thing("a"))
        ask("create at a name", "POST", path, self.thing("a"))

    def patches(self):
        ask, path = self.ask, self.path("a")
        change = filled(self.entry.get("change", {}), self.namespace)
        for words, kind in (("merge", MERGE), ("strategic", STRATEGIC)):
            ask("%s patch" % words, "PATCH", path, {"metadata": {"labels": {words: "yes"}, "annotations": {words: "x"}}}, content=kind)
            ask("%s patch without change" % words, "PATCH", path, {"metadata": {"labels": {words: "yes"}}}, content=kind)
            ask("%s patch of the spec" % words, "PATCH", path, change, content=kind, query=DRY)
            ask("%s patch that removes" % words, "PATCH", path, {"metadata": {"annotations": None, "labels": {words: None}}}, content=kind)
            ask("%s patch with old version" % words, "PATCH", path, {"metadata": {"resourceVersion": "1"}}, content=kind)
            ask("%s patch with another name" % words, "PATCH", path, {"metadata": {"name": "other"}}, content=kind)
            ask("%s patch with another uid" % words, "PATCH", path, {"metadata": {"uid": "x"}}, content=kind)
            ask("%s patch of a wrong type" % words, "PATCH", path, {"metadata": {"labels": "x"}}, content=kind)
            ask("%s patch that is a list" % words, "PATCH", path, "[]", content=kind)
            ask("%s patch with bad JSON" % words, "PATCH", path, "{", content=kind)
            ask("%s patch of nothing" % words, "PATCH", self.path("f"), {"metadata": {"labels": {"a": "b"}}}, content=kind)
            ask("%s patch with a bad label" % words, "PATCH", path, {"metadata": {"labels": {"bad key!": "x"}}}, content=kind)
            ask("%s patch with an unknown field" % words, "PATCH", path, {"nothing": 1}, content=kind, query={"fieldValidation": "Strict"})
            ask("%s patch with force" % words, "PATCH", path, {}, content=kind, query={"force": "true"})
        ask("strategic patch with directive", "PATCH", path, {"metadata": {"labels": {"$patch": "replace", "conversation": self.talk.name}}},
            content=STRATEGIC)
        ask("strategic patch with bad directive", "PATCH", path, {"metadata": {"labels": {"$patch": "nothing"}}}, content=STRATEGIC)
        label = "/metadata/labels/conversation"
        for words, operations in (
                ("add", [{"op": "add", "path": "/metadata/labels/added", "value": "yes"}]),
                ("test", [{"op": "test", "path": label, "value": self.talk.name}, {"op": "remove", "path": "/metadata/labels/added"}]),
                ("failing test", [{"op": "test", "path": label, "value": "other"}]),
                ("missing path", [{"op": "remove", "path": "/metadata/labels/none"}]),
                ("missing parent", [{"op": "add", "path": "/nothing/x", "value": 1}]),
                ("bad op", [{"op": "nothing", "path": "/metadata"}]), ("no op", [{"path": "/metadata"}]), ("nothing", []),
                ("copy", [{"op": "copy", "from": label, "path": "/metadata/labels/copied"}]),
                ("move", [{"op": "move", "from": "/metadata/labels/copied", "path": "/metadata/labels/moved"}]),
                ("wrong type", [{"op": "replace", "path": "/metadata/labels", "value": "x"}]),
                ("name", [{"op": "replace", "path": "/metadata/name", "value": "other"}])):
            ask("json patch: " + words, "PATCH", path, operations, content=JSON_PATCH)
        ask("json patch that is an object", "PATCH", path, {}, content=JSON_PATCH)
        ask("json patch of nothing", "PATCH", self.path("f"), [], content=JSON_PATCH)
        ask("patch of a bad type", "PATCH", path, {}, content="application/json")
        ask("patch without type", "PATCH", path, "{}", content=None)
        ask("patch of all", "PATCH", self.collection, {}, content=MERGE)
        ask("get a after patches", "GET", path)

    def subresources(self):
        ask = self.ask
        for sub in self.listed["subresources"]:
            word = sub["name"].split("/")[1]
            if word in ("proxy", "attach", "exec", "portforward", "log"):
                continue
            path = self.path("a", word)
            ask("get %s" % word, "GET", path)
            ask("get %s of nothing" % word, "GET", self.path("f", word))
            ask("get %s as table" % word, "GET", path, headers=TABLE)
            ask("delete %s" % word, "DELETE", path)
            ask("list below %s" % word, "GET", path + "/more")
            getattr(self, "about_" + word, lambda: None)()

    def about_status(self):
        ask, path = self.ask, self.path("a", "status")
        status = filled(self.entry.get("status", {}), self.namespace)
        now = self.stored("a")
        ask("put status", "PUT", path, merged(now, {"status": status}))
        ask("put status again", "PUT", path, merged(self.stored("a"), {"status": status}))
        ask("put status of an old version", "PUT", path, merged(now, {"status": status, "metadata": {"resourceVersion": "1"}}))
        ask("put status with the rest", "PUT", path, merged(self.stored("a"), merged(
            filled(self.entry.get("change", {}), self.namespace), {"metadata": {"labels": {"with": "status"}, "resourceVersion": None}})))
        ask("put status of nothing", "PUT", self.path("f", "status"), self.thing("f"))
        ask("merge patch of status", "PATCH", path, {"status": status}, content=MERGE)
        ask("strategic patch of status", "PATCH", path, {"status": status}, content=STRATEGIC)
        ask("json patch of status", "PATCH", path, [{"op": "add", "path": "/status", "value": status}], content=JSON_PATCH)
        ask("apply of status", "PATCH", path, {"apiVersion": self.listed["groupVersion"], "kind": self.listed["kind"], "status": status},
            content=APPLY, query={"fieldManager": "status", "force": "true"})
        ask("get a with status", "GET", self.path("a"))
        ask("get a with status as table", "GET", self.path("a"), headers=TABLE)
        whole = {"status": status}
        for place in places(whole):
            value = found(whole, place)
            for words, other in [("of another type", of_another_type(value))] + list(bad_values(value)):
                ask("status with %s %s" % (shown(place), words), "PATCH", path, replaced(whole, place, other), content=MERGE, query=DRY)
        ask("get a with the last status", "GET", self.path("a"))

    def about_scale(self):
        ask, path = self.ask, self.path("a", "scale")
        _, now = ask("get scale again", "GET", path)
        now = now if isinstance(now, dict) else {}
        ask("put scale", "PUT", path, merged(now, {"spec": {"replicas": 5}}))
        ask("put scale of an old version", "PUT", path, merged(now, {"spec": {"replicas": 6}}))
        ask("put scale without version", "PUT", path, merged(now, {"spec": {"replicas": 6}, "metadata": {"resourceVersion": None}}))
        ask("put negative scale", "PUT", path, merged(now, {"spec": {"replicas": -1}, "metadata": {"resourceVersion": None}}))
        ask("put scale of another name", "PUT", path, merged(now, {"metadata": {"name": "other", "resourceVersion": None}}))
        ask("merge patch of scale", "PATCH", path, {"spec": {"replicas": 3}}, content=MERGE)
        ask("strategic patch of scale", "PATCH", path, {"spec": {"replicas": 2}}, content=STRATEGIC)
        ask("json patch of scale", "PATCH", path, [{"op": "replace", "path": "/spec/replicas", "value": 4}], content=JSON_PATCH)
        ask("apply of scale", "PATCH", path, {"apiVersion": "autoscaling/v1", "kind": "Scale", "spec": {"replicas": 1}}, content=APPLY,
            query={"fieldManager": "scaler", "force": "true"})
        ask("scale of a wrong type", "PATCH", path, {"spec": {"replicas": "x"}}, content=MERGE)
        ask("put an object at scale", "PUT", path, self.thing("a"))
        ask("get a after scale", "GET", self.path("a"))

    def about_binding(self):
        ask, path = self.ask, self.path("a", "binding")
        binding = {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "a"}, "target": {"kind": "Node", "name": "node"}}
        ask("bind without target", "POST", path, merged(binding, {"target": None}))
        ask("bind to another kind", "POST", path, merged(binding, {"target": {"kind": "Pod"}}))
        ask("bind another name", "POST", path, merged(binding, {"metadata": {"name": "x"}}))
        ask("bind a gated pod", "POST", self.path("b", "binding"), merged(binding, {"metadata": {"name": "b"}}))
        ask("bind with uid of another", "POST", path, merged(binding, {"metadata": {"uid": "x"}}))
        ask("bind, dry run", "POST", path, binding, query=DRY)
        ask("bind", "POST", path, binding)
        ask("bind again", "POST", path, binding)
        ask("bind nothing", "POST", self.path("f", "binding"), merged(binding, {"metadata": {"name": "f"}}))
        ask("get after bind", "GET", self.path("a"))

    def about_eviction(self):
        ask, path = self.ask, self.path("a", "eviction")
        eviction = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "a"}}
        ask("evict, dry run", "POST", path, eviction, query=DRY)
        ask("evict with options", "POST", path, dict(eviction, deleteOptions={"dryRun": ["All"], "gracePeriodSeconds": 3}))
        ask("evict with a precondition", "POST", path, dict(eviction, deleteOptions={"preconditions": {"uid": "x"}}))
        ask("evict another name", "POST", path, merged(eviction, {"metadata": {"name": "x"}}))
        ask("evict nothing", "POST", self.path("f", "eviction"), merged(eviction, {"metadata": {"name": "f"}}))
        ask("evict in the old version", "POST", path, dict(eviction, apiVersion="policy/v1beta1"), query=DRY)
        ask("create the evicted", "POST", self.collection, self.thing("e"))
        ask("evict", "POST", self.path("e", "eviction"), merged(eviction, {"metadata": {"name": "e"}}))
        ask("get evicted", "GET", self.path("e"))
        budgets = "/apis/policy/v1/namespaces/%s/poddisruptionbudgets" % self.namespace
        budget = {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "budget"},
                  "spec": {"minAvailable": 1, "selector": {"matchLabels": {"held": "yes"}}}}
        ask("create a budget", "POST", budgets, budget)
        ask("create the held", "POST", self.collection, self.thing("e", labels={"held": "yes", "conversation": self.talk.name}))
        self.talk.ask(None, "PATCH", self.path("e", "status"), {"status": {"phase": "Running", "conditions": [
            {"type": "Ready", "status": "True"}]}}, keep=False, content=MERGE)
        ask("evict before the budget has a status", "POST", self.path("e", "eviction"), merged(eviction, {"metadata": {"name": "e"}}))
        for allowed in (0, 1):
            ask("allow %d disruptions" % allowed, "PATCH", budgets + "/budget/status", {"status": {
                "observedGeneration": 1, "disruptionsAllowed": allowed, "currentHealthy": 1 + allowed, "desiredHealthy": 1, "expectedPods": 2}},
                content=MERGE)
            ask("evict with %d allowed" % allowed, "POST", self.path("e", "eviction"), merged(eviction, {"metadata": {"name": "e"}}))
            ask("get the budget with %d allowed" % allowed, "GET", budgets + "/budget")
        ask("delete the held", "DELETE", self.path("e"), query={"gracePeriodSeconds": 0})

    def about_ephemeralcontainers(self):
        ask, path = self.ask, self.path("a", "ephemeralcontainers")
        debug = {"spec": {"ephemeralContainers": [{"name": "debug", "image": "example.com/d", "targetContainerName": "main"}]}}
        ask("debug without name", "PATCH", path, {"spec": {"ephemeralContainers": [{"image": "x"}]}}, content=MERGE)
        ask("debug with ports", "PATCH", path, {"spec": {"ephemeralContainers": [{"name": "d", "image": "x", "ports": [{"containerPort": 1}]}]}},
            content=MERGE)
        ask("debug", "PATCH", path, debug, content=STRATEGIC)
        ask("debug again", "PATCH", path, debug, content=STRATEGIC)
        ask("debug changed", "PATCH", path, {"spec": {"ephemeralContainers": [{"name": "debug", "image": "example.com/e"}]}}, content=STRATEGIC)
        ask("debug removed", "PATCH", path, {"spec": {"ephemeralContainers": []}}, content=MERGE)
        ask("debug with the rest", "PATCH", path, {"metadata": {"labels": {"d": "e"}}, "spec": {"activeDeadlineSeconds": 1}}, content=MERGE)

    def about_resize(self):
        ask, path = self.ask, self.path("a", "resize")
        for words, resources in (("", {"requests": {"cpu": "1"}}), (" with limits", {"limits": {"cpu": "2", "memory": "1Gi"}}),
                                 (" with a bad amount", {"requests": {"cpu": "-1"}})):
            ask("resize" + words, "PATCH", path, {"spec": {"containers": [{"name": "main", "resources": resources}]}}, content=STRATEGIC)
        ask("resize of the image", "PATCH", path, {"spec": {"containers": [{"name": "main", "image": "other"}]}}, content=STRATEGIC)

    def about_finalize(self):
        ask, path = self.ask, self.path("b", "finalize")
        ask("finalize without finalizers", "PUT", path, merged(self.stored("b"), {"spec": {"finalizers": []}}))
        ask("finalize with a bad one", "PUT", path, merged(self.stored("b"), {"spec": {"finalizers": ["bad one!"]}}))
        ask("finalize with own one", "PUT", path, merged(self.stored("b"), {"spec": {"finalizers": ["example.com/x", "kubernetes"]}}))
        ask("finalize of nothing", "PUT", self.path("f", "finalize"), self.thing("f"))

    def about_token(self):
        ask, path = self.ask, self.path("a", "token")
        request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"audiences": ["a"], "expirationSeconds": 3600}}
        ask("token", "POST", path, request)
        ask("token by default", "POST", path, merged(request, {"spec": None}))
        ask("token for a short time", "POST", path, merged(request, {"spec": {"expirationSeconds": 5}}))
        ask("token for a long time", "POST", path, merged(request, {"spec": {"expirationSeconds": 1 << 33}}))
        ask("token for an absent pod", "POST", path, merged(request, {"spec": {"boundObjectRef": {"kind": "Pod", "apiVersion": "v1", "name": "x"}}}))
        ask("token for another kind", "POST", path, merged(request, {"spec": {"boundObjectRef": {"kind": "Service", "apiVersion": "v1", "name": "x"}}}))
        ask("token of nothing", "POST", self.path("f", "token"), request)

    def about_approval(self):
        ask, path = self.ask, self.path("a", "approval")
        for words, conditions in (("", [{"type": "Approved", "status": "True", "reason": "R", "message": "m"}]),
                                  (" and denial", [{"type": "Approved", "status": "True"}, {"type": "Denied", "status": "True"}]),
                                  (" removed", []), (" false", [{"type": "Approved", "status": "False"}])):
            ask("approval" + words, "PUT", path, merged(self.stored("a"), {"status": {"conditions": conditions}}))
        ask("certificate", "PATCH", self.path("a", "status"), {"status": {"certificate": base64.b64encode(b"none").decode()}}, content=MERGE)
        ask("get a approved as table", "GET", self.path("a"), headers=TABLE)

    def applies(self):
        ask, path = self.ask, self.path("d")
        wanted = self.thing("d")
        ask("apply without manager", "PATCH", path, wanted, content=APPLY)
        ask("apply without kind", "PATCH", path, {k: v for k, v in wanted.items() if k != "kind"}, content=APPLY, query={"fieldManager": "one"})
        ask("apply of an unknown field", "PATCH", path, dict(wanted, nothing=1), content=APPLY, query={"fieldManager": "one"})
        ask("apply of an unknown field, ignored", "PATCH", path, dict(wanted, nothing=1), content=APPLY,
            query={"fieldManager": "one", "fieldValidation": "Ignore", "dryRun": "All"})
        ask("apply with managedFields", "PATCH", path, merged(wanted, {"metadata": {"managedFields": []}}), content=APPLY,
            query={"fieldManager": "one", "dryRun": "All"})
        ask("apply, dry run", "PATCH", path, wanted, content=APPLY, query={"fieldManager": "one", "dryRun": "All"})
        ask("apply creates", "PATCH", path, merged(wanted, {"metadata": {"labels": {"one": "1", "left": "out"}}}), content=APPLY,
            query={"fieldManager": "one"})
        self.settle("d")
        ask("apply again", "PATCH", path, merged(wanted, {"metadata": {"labels": {"one": "1", "left": "out"}}}), content=APPLY,
            query={"fieldManager": "one"})
        ask("apply leaves out", "PATCH", path, merged(wanted, {"metadata": {"labels": {"one": "1"}}}), content=APPLY, query={"fieldManager": "one"})
        bare = {k: wanted[k] for k in ("apiVersion", "kind")}
        ask("apply by another in conflict", "PATCH", path, dict(bare, metadata={"labels": {"one": "2"}}), content=APPLY, query={"fieldManager": "two"})
        ask("apply by another, shared", "PATCH", path, dict(bare, metadata={"labels": {"one": "1"}}), content=APPLY, query={"fieldManager": "two"})
        ask("apply by another with force", "PATCH", path, dict(bare, metadata={"labels": {"one": "2"}}), content=APPLY,
            query={"fieldManager": "two", "force": "true"})
        ask("apply of the rich one", "PATCH", path, self.thing("d", "rich"), content=APPLY,
            query={"fieldManager": "three", "force": "true", "dryRun": "All"})
        change = filled(self.entry.get("change", {}), self.namespace)
        ask("apply of a change", "PATCH", path, merged(bare, change), content=APPLY, query={"fieldManager": "three"})
        ask("apply of a change with force", "PATCH", path, merged(bare, change), content=APPLY, query={"fieldManager": "three", "force": "true"})
        ask("update after apply", "PATCH", path, merged({"metadata": {"labels": {"one": "3"}}}, {}), content=MERGE)
        ask("managed fields reset", "PATCH", path, {"metadata": {"managedFields": [{}]}}, content=MERGE)
        ask("apply after reset", "PATCH", path, dict(bare, metadata={"labels": {"one": "4"}}), content=APPLY, query={"fieldManager": "two"})
        ask("apply with another version", "PATCH", path, dict(bare, metadata={"resourceVersion": "1"}), content=APPLY, query={"fieldManager": "two"})
        ask("apply with another uid", "PATCH", self.path("f"), dict(wanted, metadata={"uid": "x"}), content=APPLY, query={"fieldManager": "two"})
        ask("apply with another name", "PATCH", path, dict(bare, metadata={"name": "other"}), content=APPLY, query={"fieldManager": "two"})
        ask("apply of another kind", "PATCH", path, dict(bare, kind="Nothing"), content=APPLY, query={"fieldManager": "two"})
        ask("apply of bad YAML", "PATCH", path, "{a: b: c", content=APPLY, query={"fieldManager": "two"})
        ask("get d after applies", "GET", path)

    def fields(self):
        ask, post = self.ask, self.collection
        unknown = dict(self.thing("e"), nothing=1)
        unknown["metadata"]["strange"] = "x"
        text = json.dumps(self.thing("e"))
        twice = text[:-1] + ', "kind": "%s", "metadata": %s}' % (self.listed["kind"], json.dumps(self.thing("e")["metadata"]))
        for mode in ("Strict", "Warn", "Ignore", "Some", None):
            query = dict(DRY, **({"fieldValidation": mode} if mode else {}))
            ask("unknown fields, %s" % mode, "POST", post, unknown, query=query)
            ask("a field twice, %s" % mode, "POST", post, twice, query=query)
        ask("a field of another case, Strict", "POST", post, dict(self.thing("e"), Metadata={}), query=dict(DRY, fieldValidation="Strict"))
        ask("update with unknown fields, Strict", "PUT", self.path("a"), dict(self.stored("a"), nothing=1), query=dict(DRY, fieldValidation="Strict"))
        ask("update with unknown fields, Warn", "PUT", self.path("a"), dict(self.stored("a"), nothing=1), query=dict(DRY, fieldValidation="Warn"))

    def finalizers(self):
        ask, path = self.ask, self.path("c")
        ask("create with a finalizer", "POST", self.collection, self.thing("c", finalizers=["example.com/hold"]))
        self.settle("c")
        ask("delete with a finalizer", "DELETE", path, query={"gracePeriodSeconds": 0})
        self.talk.until(path, lambda body: "deletionTimestamp" in body.get("metadata", {}), 0.1)
        ask("get while it waits", "GET", path)
        ask("get while it waits as table", "GET", path, headers=TABLE)
        ask("delete while it waits", "DELETE", path)
        ask("add a finalizer while it waits", "PATCH", path, {"metadata": {"finalizers": ["example.com/hold", "example.com/more"]}}, content=MERGE)
        ask("create again while it waits", "POST", self.collection, self.thing("c"))
        ask("remove the finalizer", "PATCH", path, {"metadata": {"finalizers": None}}, content=MERGE)
        ask("get after its finalizer", "GET", path)

    def deletions(self):
        ask, path = self.ask, self.path("e")
        options = {"apiVersion": "v1", "kind": "DeleteOptions"}
        ask("create for deletion", "POST", self.collection, self.thing("e"))
        self.settle("e")
        ask("delete, dry run", "DELETE", path, query=DRY)
        ask("delete, dry run in the body", "DELETE", path, dict(options, dryRun=["All"]))
        ask("delete with bad dryRun", "DELETE", path, dict(options, dryRun=["Some"]))
        ask("delete with another uid", "DELETE", path, dict(options, preconditions={"uid": "11111111-2222-3333-4444-555555555555"}))
        ask("delete with another version", "DELETE", path, dict(options, preconditions={"resourceVersion": "1"}))
        ask("delete with bad policy", "DELETE", path, dict(options, propagationPolicy="Some"))
        ask("delete with two policies", "DELETE", path, dict(options, propagationPolicy="Orphan", orphanDependents=True))
        ask("delete with negative grace", "DELETE", path, dict(options, gracePeriodSeconds=-1), query=DRY)
        ask("delete with bad grace", "DELETE", path, query={"gracePeriodSeconds": "x"})
        ask("delete with options of another kind", "DELETE", path, {"apiVersion": "v1", "kind": "Pod"})
        ask("delete with bad JSON", "DELETE", path, "{")
        ask("delete with unknown option", "DELETE", path, dict(options, nothing=1), query=DRY)
        ask("delete in the background, dry run", "DELETE", path, dict(options, propagationPolicy="Background"), query=DRY)
        ask("delete in the foreground", "DELETE", path, dict(options, propagationPolicy="Foreground", gracePeriodSeconds=0))
        ask("get after the foreground", "GET", path)
        ask("end of the foreground", "PATCH", path, {"metadata": {"finalizers": None}}, content=MERGE)
        ask("delete of nothing", "DELETE", self.path("f"))
        ask("create to orphan", "POST", self.collection, self.thing("f"))
        ask("delete and orphan", "DELETE", self.path("f"), dict(options, propagationPolicy="Orphan", gracePeriodSeconds=0))
        ask("get after orphan", "GET", self.path("f"))
        ask("end of orphan", "PATCH", self.path("f"), {"metadata": {"finalizers": None}}, content=MERGE)

    def made_up(self):
        """Creates, and updates, with one member of the rich object changed."""
        ask = self.ask
        for which in ("rich",) if "rich" in self.entry else ("minimal",):
            whole = self.thing("f", which)
            body = {k: v for k, v in whole.items() if k not in ("apiVersion", "kind", "metadata")}
            for place in places(body):
                value, words = found(body, place), "create with %s " % shown(place)
                ask(words + "left out", "POST", self.collection, dict(whole, **absent(body, place)), query=DRY)
                ask(words + "of another type", "POST", self.collection, dict(whole, **replaced(body, place, of_another_type(value))), query=DRY)
                for how, other in bad_values(value):
                    ask(words + how, "POST", self.collection, dict(whole, **replaced(body, place, other)), query=DRY)
        if self.entry.get("create"):
            return
        now = self.stored("b")
        body = {k: v for k, v in now.items() if k not in ("apiVersion", "kind", "metadata", "status")}
        for place in places(body):
            other, words = other_value(found(body, place)), "update with %s " % shown(place)
            if other is not None:
                ask(words + "changed", "PUT", self.path("b"), dict(now, **replaced(body, place, other)), query=DRY)
            ask(words + "left out", "PUT", self.path("b"), dict(now, **absent(body, place)), query=DRY)

    def watches(self):
        ask, query = self.talk.ask, dict(self.mine, watch="1", timeoutSeconds="1")
        since = dict(query, resourceVersion=self.first or "1")
        ask("watch", "GET", self.collection, query=since)
        ask("watch as table", "GET", self.collection, query=dict(since, fieldSelector="metadata.name=" + self.name("a")), headers=TABLE)
        ask("watch as partial objects", "GET", self.collection, query=since, headers=PARTIAL)
        ask("watch a label", "GET", self.collection, query=dict(since, labelSelector="free=yes,conversation=" + self.talk.name))
        ask("watch from now", "GET", self.collection, query=query)
        ask("watch with an initial list", "GET", self.collection, query=dict(
            query, sendInitialEvents="true", allowWatchBookmarks="true", resourceVersionMatch="NotOlderThan"))
        ask("watch with an initial list, bad", "GET", self.collection, query=dict(query, sendInitialEvents="true"))
        ask("watch with bad version", "GET", self.collection, query=dict(query, resourceVersion="x"))
        ask("watch by the old path", "GET", self.collection.replace(self.root, self.root + "/watch"), query=dict(
            self.mine, timeoutSeconds="1", resourceVersion=self.first or "1", fieldSelector="metadata.name=" + self.name("b")))
        ask("watch one", "GET", self.path("b"), query={"watch": "1", "timeoutSeconds": "1"})

    def at_last(self):
        ask = self.ask
        ask("delete all, dry run", "DELETE", self.collection, query=dict(self.mine, dryRun="All"))
        ask("delete all with a bad selector", "DELETE", self.collection, query={"labelSelector": "a in b"})
        ask("delete all by label", "DELETE", self.collection, query={"labelSelector": "none=none"})
        ask("delete a", "DELETE", self.path("a"))
        ask("delete a again", "DELETE", self.path("a"))
        ask("delete all", "DELETE", self.collection, query=dict(self.mine, gracePeriodSeconds=0))
        ask("list at last", "GET", self.collection, query=self.mine)


def absent(body, place):
    """The members of a body without one place; a member at the top becomes null, which a server treats as absent."""
    return {place[0]: None} if len(place) == 1 else without(body, place)
