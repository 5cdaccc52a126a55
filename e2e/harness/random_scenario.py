"""Makes up scenarios: sets, services and pods that are made, changed and deleted in an order that a seed decides.

What happens at the same moment is left out, where the original itself ends now one way, now another: a pod of nobody's stands
there before the set that adopts it, and nothing depends on a second more or less.
"""
import random

SETS = ("ReplicaSet", "ReplicaSet", "ReplicationController")
HTTP = {"containerPort": 8080, "name": "http"}
PORTS = ([], [HTTP], [HTTP, {"containerPort": 9090, "name": "metrics"}],
         [{"containerPort": 53, "name": "dns", "protocol": "UDP"}, HTTP])


class Set:
    """A replica set or replication controller, as far as it matters for what can be done next."""

    def __init__(self, kind, name, labels, replicas):
        self.kind, self.name, self.labels, self.replicas = kind, name, labels, replicas


class RandomScenario:
    """One scenario; the same seed makes the same."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.sets, self.services, self.helpers, self.steps = {}, {}, set(), []
        self._begin()
        operations = [getattr(self, name) for name in sorted(dir(self)) if name.startswith("then_")]
        wanted = len(self.steps) + self.random.randint(4, 8)
        while len(self.steps) < wanted:
            self.random.choice(operations)()

    def document(self):
        return {"title": "made up", "controllers": sorted(self.helpers), "steps": self.steps}

    # -- chance
    def _perhaps(self, probability):
        return self.random.random() < probability

    def _any(self, things):
        things = list(things)
        return self.random.choice(things) if things else None

    def _a_set_with_pods(self):
        return self._any(s for s in self.sets.values() if s.replicas)

    # -- objects
    def _set(self, name):
        kind, replicas = self.random.choice(SETS), self.random.randint(1, 5)
        labels = {"app": name.split("-")[0]}
        if self._perhaps(0.3):
            labels["tier"] = self.random.choice("ab")
        self.sets[name] = Set(kind, name, dict(labels), replicas)
        container = {"name": "c", "image": "example/app:1"}
        ports = self.random.choice(PORTS)
        if ports:
            container["ports"] = ports
        pod = {"containers": [container]}
        if self._perhaps(0.15):
            pod["hostname"] = "one"
        if self._perhaps(0.15):
            pod["subdomain"] = "web"
        more = {"x": "y"} if self._perhaps(0.3) else {}
        spec = {"replicas": replicas, "template": {"metadata": {"labels": {**labels, **more}}, "spec": pod}}
        if kind == "ReplicationController":
            spec["selector"] = labels
        elif self._perhaps(0.2):
            spec["selector"] = {"matchExpressions": [
                {"key": key, "operator": "In", "values": [value, "other"]} for key, value in labels.items()]}
        else:
            spec["selector"] = {"matchLabels": labels}
        if self._perhaps(0.2):
            spec["minReadySeconds"] = 1
        return {"kind": kind, "metadata": {"name": name}, "spec": spec}

    def _service(self, name):
        ports = []
        for number in range(self.random.choice((1, 1, 1, 2))):
            ports.append({"name": "p%d" % number, "port": 80 + number,
                          "targetPort": self.random.choice(("http", "http", 8080, "metrics", 9090))})
        if self._perhaps(0.1):
            ports[0].update(protocol="UDP", targetPort="dns")
        if len(ports) == 1 and self._perhaps(0.7):
            del ports[0]["name"]
        selector = {"app": name.split("-")[0]}
        if self._perhaps(0.2):
            selector["tier"] = "a"
        spec, metadata = {"selector": selector, "ports": ports}, {"name": name}
        if self._perhaps(0.25):
            spec["clusterIP"] = "None"
        if self._perhaps(0.2):
            spec["publishNotReadyAddresses"] = True
        if self._perhaps(0.2):
            metadata["labels"] = {"l": self.random.choice("ab")}
        if self._perhaps(0.15):
            metadata["annotations"] = {"note": "n"}
        self.services[name] = selector
        return {"kind": "Service", "metadata": metadata, "spec": spec}

    # -- steps
    def _create(self, *objects):
        self.steps.append({"do": "create", "objects": list(objects)})

    def _patch(self, kind, name, patch):
        self.steps.append({"do": "patch", "kind": kind, "name": name, "patch": patch})

    def _pod(self, owner, **change):
        """Changes one pod of a set."""
        place = self.random.randrange(owner.replicas)
        self.steps.append({"do": "pod", "pick": {"owner": owner.name, "index": [place]}, **change})

    def _begin(self):
        if self._perhaps(0.25):
            self._create({"kind": "Pod", "metadata": {"name": "bare", "labels": {"app": "web", "tier": "a"}},
                          "spec": {"containers": [{"name": "c", "image": "example/app:1", "ports": [HTTP]}]}})
        objects = []
        for app in ("web", "db")[:self.random.choice((1, 1, 2))]:
            objects.append(self._set(app))
            if self._perhaps(0.9):
                objects.append(self._service(app))
        if self._perhaps(0.25):
            objects.append(self._service("web-two"))
        self.random.shuffle(objects)
        self._create(*objects)

    def then_scale(self):
        scaled = self._any(self.sets.values())
        if scaled:
            scaled.replicas = self.random.randint(0, 6)
            self.steps.append({"do": "scale", "kind": scaled.kind, "name": scaled.name, "replicas": scaled.replicas})

    def then_another_set(self):
        name = self.random.choice(("web-b", "db-b"))
        if name not in self.sets:
            self._create(self._set(name))

    def then_delete_set(self):
        gone = self._any(self.sets.values())
        if gone:
            del self.sets[gone.name]
            self.helpers.add("garbagecollector")
            self.steps += [
                {"do": "delete", "kind": gone.kind, "name": gone.name,
                 "propagation": self.random.choice(("Orphan", "Background", "Foreground"))},
                {"do": "until", "kind": gone.kind, "name": gone.name}]
            if self._perhaps(0.5):
                self._create(self._set(gone.name))

    def then_change_template(self):
        changed = self._any(self.sets.values())
        if changed:
            self._patch(changed.kind, changed.name, {"spec": {"template": {
                "metadata": {"annotations": {"a": "b"}},
                "spec": {"containers": [{"name": "c", "image": "example/app:2"}]}}}})

    def then_change_min_ready_seconds(self):
        changed = self._any(self.sets.values())
        if changed:
            self._patch(changed.kind, changed.name, {"spec": {"minReadySeconds": self.random.choice((0, 1))}})

    def then_annotate_set(self):
        changed = self._any(self.sets.values())
        if changed:
            self._patch(changed.kind, changed.name, {"metadata": {"annotations": {"q": "r"}}})

    def then_narrow_selector(self):
        narrowed = self._any(s for s in self.sets.values() if s.kind == "ReplicationController")
        if narrowed:
            narrowed.labels["extra"] = "e"
            labels = dict(narrowed.labels)
            self._patch(narrowed.kind, narrowed.name, {
                "spec": {"selector": labels, "template": {"metadata": {"labels": labels}}}})

    def then_unready(self):
        owner = self._a_set_with_pods()
        if owner:
            self._pod(owner, ready=False)
            if self._perhaps(0.5):
                self.steps.append({"do": "pod", "pick": {"owner": owner.name, "ready": False}, "ready": True})

    def then_relabel(self):
        owner = self._a_set_with_pods()
        if owner:
            key = self._any(owner.labels)
            self._pod(owner, labels={key: "gone"})
            if self._perhaps(0.5):
                self.steps.append({"do": "pod", "pick": {"labels": {key: "gone"}}, "labels": {key: owner.labels[key]}})

    def then_unlabel(self):
        owner = self._a_set_with_pods()
        if owner:
            self._pod(owner, labels={self._any(owner.labels): None})

    def then_disown(self):
        owner = self._a_set_with_pods()
        if owner:
            self._pod(owner, owners=[])

    def then_delete_pod(self):
        owner = self._a_set_with_pods()
        if owner:
            self._pod(owner, delete=True, grace=self.random.choice((0, 1, 5, 30)))

    def then_hold_deletion(self):
        owner = self._a_set_with_pods()
        if owner:
            self._pod(owner, finalizers=["example.com/hold"], delete=True, grace=0)

    def then_finish_pod(self):
        owner = self._a_set_with_pods()
        if owner:
            self._pod(owner, phase=self.random.choice(("Failed", "Succeeded")))

    def then_touch_pods(self):
        owner = self._a_set_with_pods()
        if owner:
            self.steps.append({"do": "pod", "pick": {"owner": owner.name}, "touch": True})

    def then_change_address(self):
        owner = self._a_set_with_pods()
        if owner:
            self._pod(owner, ip=["10.199.%d.%d" % (self.random.randint(1, 9), self.random.randint(1, 9))])

    def then_change_service_selector(self):
        name = self._any(self.services)
        if name:
            self._patch("Service", name, {"spec": {"selector": self.random.choice((
                {"app": "db"}, {"app": "web", "tier": None}, {"tier": "a"}, {"x": "y"}, {"app": "nobody"}))}})

    def then_change_service_ports(self):
        name = self._any(self.services)
        if name:
            self._patch("Service", name, {"spec": {"ports": [
                {"port": self.random.choice((80, 81)), "name": self.random.choice("ab"),
                 "targetPort": self.random.choice(("http", 8080, "metrics", "none"))},
                {"port": 90, "name": "z", "targetPort": self.random.choice(("http", 7))}]}})

    def then_change_service_metadata(self):
        name = self._any(self.services)
        if name:
            self._patch("Service", name, {"metadata": self.random.choice((
                {"labels": {"l": "c"}}, {"labels": {"l": None}}, {"annotations": {"note": "m"}}))})

    def then_publish_not_ready(self):
        name = self._any(self.services)
        if name:
            self._patch("Service", name, {"spec": {"publishNotReadyAddresses": self._perhaps(0.5)}})

    def then_delete_service(self):
        name = self._any(self.services)
        if name:
            del self.services[name]
            self.steps.append({"do": "delete", "kind": "Service", "name": name})
            if self._perhaps(0.5):
                self._create(self._service(name))

    def then_edit_endpoints(self):
        """Somebody else writes them; the service's next change has them written anew."""
        name = self._any(self.services)
        if name:
            self._patch("Endpoints", name, self.random.choice((
                {"subsets": None}, {"metadata": {"labels": {"mine": "yes"}}}, {"metadata": {"annotations": {
                    "endpoints.kubernetes.io/last-change-trigger-time": None, "k": "v"}}})))
            self._patch("Service", name, {"metadata": {"annotations": {"poke": str(self.random.random())}}})
