"""Makes up a conversation about one object: several managers create, apply, update and patch it. A seed gives always the same conversation."""
import copy
import json
import random

from apply_kinds import KINDS, META, merge

APPLY = "application/apply-patch+yaml"
MERGE = "application/merge-patch+json"
STRATEGIC = "application/strategic-merge-patch+json"
JSON_PATCH = "application/json-patch+json"
MANAGERS = ["one", "two", "three", "kubectl"]
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


class Step:
    """One request. The body may be a function of the object as the server last returned it."""

    def __init__(self, method, path, query=None, body=None, content="application/json", agent=None):
        self.method, self.path, self.query, self.body, self.content = method, path, query or {}, body, content
        self.agent = agent or "agent/1.0 (linux)"

    def __str__(self):
        return "%s %s %s" % (self.method, self.path, self.query)


class Maker:
    """The source of one conversation."""

    def __init__(self, seed, namespace, kinds, paced):
        self.rng = random.Random("apply %s" % seed)
        self.kind = self.rng.choices(kinds, [kind.weight for kind in kinds])[0]
        self.name = "x%s" % seed
        self.collection = self.kind.path(namespace)
        self.path = self.kind.path(namespace, self.name)
        self.paced = paced
        self.last = {}

    # --- objects

    def parts(self, low, high, pieces):
        part = {}
        for _ in range(self.rng.randint(low, high)):
            part = merge(part, self.rng.choice(pieces)(self.rng))
        return part

    def main_parts(self, low=0, high=4):
        pieces = self.kind.pieces * 3 + META if self.kind.pieces else META
        return self.parts(low, high, pieces)

    def whole(self):
        return merge(merge(self.kind.object(self.name), self.kind.base), self.main_parts())

    def config(self, manager):
        """A configuration: a new one, or the last one of the manager with a change."""
        roll = self.rng.random()
        last = self.last.get(manager)
        if last is not None and roll < .15:
            config = copy.deepcopy(last)
        elif last is not None and roll < .45:
            config = merge(last, self.main_parts(1, 2))
        elif last is not None and roll < .6:
            config = self.less(last)
        elif roll < .85:
            config = self.whole()
        else:
            config = merge(self.kind.object(self.name), self.main_parts(1, 3))
        self.last[manager] = config
        return config

    def less(self, config):
        """A configuration without one of its fields or list elements."""
        result = copy.deepcopy(config)
        places = []

        def visit(value, depth):
            if isinstance(value, dict):
                for name, member in value.items():
                    if depth > 0 and not (depth == 1 and name == "name"):
                        places.append((value, name))
                    visit(member, depth + 1 if name not in ("apiVersion", "kind") else depth)
            elif isinstance(value, list):
                for index, member in enumerate(value):
                    places.append((value, index))
                    visit(member, depth + 1)
        for name, member in result.items():
            if name not in ("apiVersion", "kind"):
                visit(member, 1)
                if name != "metadata":
                    places.append((result, name))
        if places:
            holder, name = self.rng.choice(places)
            del holder[name]
        return result

    # --- steps

    def apply(self, manager=None, sub=None, config=None, **query):
        manager = manager or self.rng.choice(MANAGERS[:3] if self.rng.random() < .9 else MANAGERS)
        query["fieldManager"] = manager
        if self.rng.random() < .35:
            query["force"] = self.rng.choice(["true", "true", "false"])
        if self.rng.random() < .04:
            query["dryRun"] = "All"
        path = self.path + ("/" + sub if sub else "")
        return Step("PATCH", path, query, self.config(manager) if config is None else config, APPLY)

    def writer(self):
        """The query and user agent of a write that is no apply."""
        if self.rng.random() < .5:
            return {}, self.rng.choice(["one/v1.2", "two", "kubectl/v1.36 (x)", "a/b/c"])
        return {"fieldManager": self.rng.choice(MANAGERS[:3] + ["upd", "kubectl-edit"])}, None

    def create(self):
        query, agent = self.writer()
        body = self.whole()
        if self.rng.random() < .15:
            body = self.annotated(body)
            query = {"fieldManager": "kubectl-client-side-apply"}
        return Step("POST", self.collection, query, body, agent=agent)

    @staticmethod
    def annotated(body):
        """The object as kubectl's client-side apply sends it."""
        annotation = json.dumps(body, sort_keys=True, separators=(",", ":")) + "\n"
        return merge(body, {"metadata": {"annotations": {LAST_APPLIED: annotation}}})

    def update(self, sub=None):
        query, agent = self.writer()
        change = self.parts(1, 2, self.kind.status) if sub == "status" else self.main_parts(1, 2)
        removal = self.rng.random() < .3
        managed = self.rng.random()
        unversioned = self.rng.random() < .5
        seed = self.rng.random()

        def body(current):
            result = merge(current, change)
            if removal:
                result = self.remove_one(result, seed)
            if unversioned:
                result.get("metadata", {}).pop("resourceVersion", None)
            return self.managed(result, managed)
        return Step("PUT", self.path + ("/" + sub if sub else ""), query, body, agent=agent)

    @staticmethod
    def managed(result, roll):
        """Mostly as read; sometimes without managed fields, or with others."""
        meta = result.get("metadata", {})
        if roll < .5:
            meta.pop("managedFields", None)
        elif roll < .53:
            meta["managedFields"] = [{}]
        elif roll < .56:
            meta["managedFields"] = []
        elif roll < .6 and meta.get("managedFields"):
            meta["managedFields"] = meta["managedFields"][1:]
        elif roll < .63 and meta.get("managedFields"):
            meta["managedFields"] = [dict(meta["managedFields"][0], operation="Nothing")]
        elif roll < .66 and meta.get("managedFields"):
            meta["managedFields"] = [dict(meta["managedFields"][0], manager="other", fieldsV1={"f:metadata": {"f:labels": {"f:a": {}}}})]
        return result

    @staticmethod
    def remove_one(value, seed):
        """The object without one label, annotation, or optional field."""
        rng = random.Random(seed)
        result = copy.deepcopy(value)
        places = []
        for holder in (result.get("metadata", {}).get("labels"), result.get("metadata", {}).get("annotations"), result.get("data"),
                       result.get("spec"), result.get("spec", {}).get("template", {}).get("metadata", {}).get("labels")):
            if isinstance(holder, dict):
                places += [(holder, name) for name in sorted(holder) if name not in ("template", "selector", "containers", "app", "serviceName")]
        if places:
            holder, name = rng.choice(places)
            del holder[name]
        return result

    def patch(self, sub=None):
        query, agent = self.writer()
        change = self.parts(1, 2, self.kind.status) if sub == "status" else self.main_parts(1, 2)
        roll = self.rng.random()
        path = self.path + ("/" + sub if sub else "")
        if roll < .4:
            return Step("PATCH", path, query, change, STRATEGIC, agent)
        if roll < .7:
            return Step("PATCH", path, query, change, MERGE, agent)
        if roll < .85:
            gone = self.rng.choice([{"metadata": {"labels": None}}, {"metadata": {"annotations": None}}, {"metadata": {"labels": {self.rng.choice("abc"): None}}},
                                    {"metadata": {"managedFields": [{}]}}, {"metadata": {"managedFields": None}}, {"metadata": {"finalizers": None}}])
            return Step("PATCH", path, query, gone, MERGE, agent)
        operations = self.rng.choice([
            [{"op": "add", "path": "/metadata/labels", "value": {"a": "9"}}],
            [{"op": "remove", "path": "/metadata/labels"}],
            [{"op": "replace", "path": "/metadata/managedFields", "value": [{}]}],
            [{"op": "add", "path": "/metadata/annotations", "value": {"x/a": "9"}}, {"op": "test", "path": "/metadata/name", "value": self.name}]])
        return Step("PATCH", path, query, operations, JSON_PATCH, agent)

    def status(self):
        roll = self.rng.random()
        if roll < .35:
            return self.update("status")
        if roll < .65:
            return self.patch("status")
        config = merge(self.kind.object(self.name), self.parts(1, 2, self.kind.status + [META[0]]))
        return self.apply(sub="status", config=config)

    def scale(self):
        query, agent = self.writer()
        replicas = self.rng.randint(0, 4)
        roll = self.rng.random()
        path = self.path + "/scale"
        scale = {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": self.name}, "spec": {"replicas": replicas}}
        if roll < .3:
            return Step("PUT", path, query, scale, agent=agent)
        if roll < .6:
            return Step("PATCH", path, query, {"spec": {"replicas": replicas}}, self.rng.choice([MERGE, STRATEGIC]), agent)
        if roll < .7:
            return Step("GET", path)
        return self.apply(sub="scale", config=scale)

    def wrong(self):
        """A request that is refused, or at least unusual."""
        rng = self.rng
        config = self.kind.object(self.name)
        choice = rng.randint(0, 15)
        if choice == 0:
            config["unknown"] = 1
        elif choice == 1:
            config = merge(config, {"metadata": {"unknown": {"a": 1}}})
        elif choice == 2:
            config = merge(config, {"metadata": {"labels": {"a": rng.choice([1, True, 1.5, ["x"], {"y": "z"}])}}})
        elif choice == 3:
            config = merge(config, {"metadata": {"labels": rng.choice([["a"], "a", 1])}})
        elif choice == 4:
            config["metadata"]["finalizers"] = rng.choice([["x.io/a", "x.io/a"], "a", [1], [{}], [["a"]], [None]])
        elif choice == 5:
            config["metadata"]["managedFields"] = rng.choice([[], None, [{}], [{"manager": "a"}]])
        elif choice == 6:
            config["metadata"] = rng.choice([{"name": "other"}, {}, {"name": self.name, "namespace": "other"}, None])
        elif choice == 7:
            config["metadata"]["resourceVersion"] = rng.choice(["1", ""])
        elif choice == 8:
            config["metadata"]["uid"] = rng.choice(["no", ""])
        elif choice == 9:
            config["apiVersion"] = rng.choice(["v2", "", "a/b/c", "other/v1", None])
        elif choice == 10:
            config["kind"] = rng.choice(["Other", "", None])
        elif choice == 11:
            return Step("PATCH", self.path, {"fieldManager": "one"}, rng.choice(["a: 1\n", "", "- a\n", "null", "3"]), APPLY)
        elif choice == 12:
            return Step("PATCH", self.path, rng.choice([{}, {"fieldManager": ""}, {"fieldManager": "x" * 129}]), config, APPLY)
        elif choice == 13:
            return Step("PATCH", self.path, {"force": "true"}, {}, MERGE)
        elif choice == 14:
            config["metadata"]["ownerReferences"] = [{"apiVersion": "v1", "kind": "A", "name": "a", "uid": "u"}] * 2
        else:
            config = merge(config, {"metadata": {"labels": None, "annotations": {"b": None}}})
        return self.apply(rng.choice(MANAGERS[:3]), config=config)

    def steps(self):
        """The requests in order; the last ones clean up."""
        rng = self.rng
        steps = [self.create() if rng.random() < .5 else self.apply(config=self.first())]
        for _ in range(rng.randint(2, 9)):
            roll = rng.random()
            if roll < .48:
                steps.append(self.apply())
            elif roll < .60:
                steps.append(self.update())
            elif roll < .74:
                steps.append(self.patch())
            elif roll < .84 and self.kind.status:
                steps.append(self.status())
            elif roll < .90 and self.kind.scale:
                steps.append(self.scale())
            elif roll < .95:
                steps.append(self.wrong())
            elif roll < .96:
                steps.append(Step("DELETE", self.path))
            else:
                steps.append(Step("GET", self.path))
        if self.paced and rng.random() < .3:
            steps += [Step("PATCH", self.path, {"fieldManager": "m%d" % i}, {"metadata": {"labels": {"m%d" % (i % 13): str(i)}}}, MERGE) for i in range(14)]
        steps.append(Step("GET", self.path))
        return steps

    def first(self):
        manager = self.rng.choice(MANAGERS)
        self.last[manager] = self.whole()
        return self.last[manager]

    def cleanup(self):
        steps = [Step("PATCH", self.path, {}, {"metadata": {"finalizers": None}}, MERGE), Step("DELETE", self.path, {"gracePeriodSeconds": "0", "propagationPolicy": "Background"})]
        if self.kind.kind == "Namespace":  # neither server has a controller that would let it go
            steps.append(Step("PUT", self.path + "/finalize", {}, dict(self.kind.object(self.name), spec={})))
        return steps


def encoded(step, current):
    """The bytes of a request's body."""
    body = step.body(current) if callable(step.body) else step.body
    if body is None or isinstance(body, bytes):
        return body
    return body.encode() if isinstance(body, str) else json.dumps(body).encode()


def available(names):
    """The kinds with these names; all for none."""
    return [kind for kind in KINDS if kind.weight > 0 and (not names or kind.kind in names)]
