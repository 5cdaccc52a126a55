"""Makes up scenarios: sets, services and pods that are made, changed and deleted in an order that a seed decides.

What happens at the same moment is mostly left out, where the original itself ends now one way, now another: nothing depends on
a second more or less. What is known to differ on purpose is left out as well.
"""
import random

from random_objects import RandomObjects

SETS = ("ReplicaSet", "ReplicaSet", "ReplicationController")
UNDER_TEST = ["endpoints-controller", "replicaset-controller", "replicationcontroller-controller"]
KINDS = ["Deployment", "ReplicaSet", "ReplicationController", "Service", "Pod", "Endpoints"]
DELETION_COST = "controller.kubernetes.io/pod-deletion-cost"
LEADER = "control-plane.alpha.kubernetes.io/leader"


def operations():
    """The names of what can happen."""
    return [name[len("then_"):] for name in sorted(dir(RandomScenario)) if name.startswith("then_")]


class RandomScenario:
    """One scenario; the same seed makes the same. Of the operations that are asked for, it has one for sure."""

    def __init__(self, seed, asked_for=()):
        self.random = random.Random(seed)
        self.dual_stack, self.restarts = self._perhaps(0.1), False
        self.make = RandomObjects(self.random, self.dual_stack)
        self.sets, self.services, self.deployments, self.steps = [], [], [], []
        self.bare_pods, self.ended = 0, False
        self._begin()
        # While one has the controllers away, no other runs: few do.
        often = [operation for operation in operations() if operation != "restart"]
        chosen = [self.random.choice(often) for _ in range(self.random.randint(5, 9))]
        asked_for = asked_for or (["restart"] if self._perhaps(0.05) else [])
        if asked_for:
            chosen[self.random.randrange(len(chosen))] = self.random.choice(asked_for)
        for operation in chosen:
            if not self.ended:
                self._do(operation)

    def _do(self, operation):
        getattr(self, "then_" + operation)()

    def document(self):
        return {"title": "generated", "under_test": UNDER_TEST, "kinds": KINDS, "exclusive": self.restarts, "steps": self.steps}

    # -- chance
    def _perhaps(self, probability):
        return self.random.random() < probability

    def _any(self, things):
        things = list(things)
        return self.random.choice(things) if things else None

    def _a_set_with_pods(self):
        return self._any(s for s in self.sets if s.replicas)

    # -- steps
    def _step(self, do, **more):
        self.steps.append({"do": do, **more})

    def _create(self, *objects, **more):
        self._step("create", objects=list(objects), **more)

    def _patch(self, kind, name, patch, **more):
        self._step("patch", kind=kind, name=name, patch=patch, **more)

    def _patch_set(self, patch, **more):
        changed = self._any(self.sets)
        if changed:
            self._patch(changed.kind, changed.name, patch, **more)
        return changed

    def _patch_service(self, *patches):
        """Changes a service in one of several ways, sometimes at the same time as what comes next."""
        name = self._any(self.services)
        if name:
            self._patch("Service", name, self.random.choice(patches), **({"noSettle": True} if self._perhaps(0.2) else {}))

    def _propagation(self, *kinds):
        chosen = self.random.choice(kinds)
        return "Background" if chosen == "Foreground" and self.make.holds else chosen

    def _pod(self, owner, **change):
        """Changes one pod of a set."""
        place = self.random.randrange(owner.replicas)
        self._step("pod", pick={"owner": owner.name, "index": [place]}, **change)

    def _pods(self, owner, **change):
        """Changes all pods of a set."""
        self._step("pod", pick={"owner": owner.name}, **change)

    def _new_set(self, name):
        kind = self.random.choice(SETS)
        if any(s.kind == kind and s.name == name for s in self.sets):
            return []
        made, remembered = self.make.set(kind, name)
        self.sets.append(remembered)
        return [made]

    def _new_service(self, name):
        self.services.append(name)
        return self.make.service(name)

    def _begin(self):
        if self._perhaps(0.25):
            self.then_bare_pod()
        objects = []
        for app in ("web", "db")[:self.random.choice((1, 1, 2))]:
            objects += self._new_set(app)
            if self._perhaps(0.9):
                objects.append(self._new_service(app))
        if self._perhaps(0.25):
            objects.append(self._new_service("web-two"))
        self.random.shuffle(objects)
        self._create(*objects)

    # -- sets
    def then_scale(self):
        scaled = self._any(self.sets)
        if scaled:
            scaled.replicas = self.random.choice((0, 1, 2, 3, 4, 5, 6, 12))
            self._step("scale", kind=scaled.kind, name=scaled.name, replicas=scaled.replicas)

    def then_scale_quickly(self):
        """In one direction, so that no pod is made in order to be deleted; now through the scale, now not."""
        scaled = self._any(self.sets)
        if scaled:
            sizes = sorted((scaled.replicas, *self.random.sample(range(9), 3)))
            sizes = sizes[sizes.index(scaled.replicas) + 1:] or sizes[-2::-1]
            for size in sizes:
                more = {} if size == sizes[-1] else {"noSettle": True}
                if self._perhaps(0.5):
                    self._step("scale", kind=scaled.kind, name=scaled.name, replicas=size, **more)
                else:
                    self._patch(scaled.kind, scaled.name, {"spec": {"replicas": size}}, **more)
            scaled.replicas = sizes[-1]

    def then_take_replicas_away(self):
        changed = self._patch_set({"spec": {"replicas": None}})
        if changed:
            changed.replicas = 1

    def then_another_set(self):
        objects = self._new_set(self.random.choice(("web", "web-b", "db-b")))
        if objects:
            self._create(*objects)

    def then_delete_set(self):
        gone = self._any(self.sets)
        if not gone:
            return
        propagation = self._propagation("Orphan", "Background", "Foreground")
        self.sets.remove(gone)
        self._step("delete", kind=gone.kind, name=gone.name, propagation=propagation)
        if propagation != "Background" or self._perhaps(0.5):
            self._step("until", kind=gone.kind, name=gone.name)
        else:
            self.steps[-1]["noSettle"] = True
        if self._perhaps(0.5):
            made, remembered = self.make.set(gone.kind, gone.name)
            self.sets.append(remembered)
            self._create(made)

    def then_change_template(self):
        self._patch_set({"spec": {"template": {
            "metadata": {"annotations": {"a": "b"}, "labels": {"x": self.random.choice(("y", "z", None))}},
            "spec": {"containers": [{"name": "c", "image": "example/app:2", "ports": self.random.choice((
                [], [{"containerPort": 8082, "name": "http"}]))}]}}}})

    def then_change_min_ready_seconds(self):
        self._patch_set({"spec": {"minReadySeconds": self.random.choice((0, 1, 3600))}})

    def then_annotate_set(self):
        self._patch_set({"metadata": {"annotations": {"q": "r"}}})

    def then_write_status(self):
        """Somebody else writes it."""
        self._patch_set({"status": self.random.choice((
            {"replicas": 9}, {"replicas": 0, "readyReplicas": 0, "availableReplicas": 0, "fullyLabeledReplicas": 0},
            {"observedGeneration": 0}, {"conditions": [{"type": "Custom", "status": "True"}]},
            {"conditions": [{"type": "ReplicaFailure", "status": "True", "reason": "FailedCreate"}]}))}, sub="status")

    def then_narrow_selector(self):
        narrowed = self._any(s for s in self.sets if s.kind == "ReplicationController")
        if narrowed:
            narrowed.labels["extra"] = "e"
            labels = dict(narrowed.labels)
            self._patch(narrowed.kind, narrowed.name, {
                "spec": {"selector": labels, "template": {"metadata": {"labels": labels}}}})

    def then_refuse_pods(self):
        """For a while the server takes no pods; the next change of the set has it try again."""
        refused = self._any(self.sets)
        if refused:
            kind, limit = self.random.choice((
                ("LimitRange", {"limits": [{"type": "Pod", "max": {"cpu": "1"}}]}),
                ("ResourceQuota", {"hard": {"pods": "0"}})))
            self._create({"kind": kind, "metadata": {"name": "none"}, "spec": limit}, quiet=2)
            refused.replicas += self.random.randint(1, 3)
            self._step("scale", kind=refused.kind, name=refused.name, replicas=refused.replicas, noSettle=True)
            self._step("sleep", seconds=3)
            self._step("delete", kind=kind, name="none", noSettle=True)
            self._step("sleep", seconds=2, noSettle=True)
            self._patch(refused.kind, refused.name, {"metadata": {"annotations": {"try": "again"}}})

    # -- deployments
    def then_deployment(self):
        if not self.deployments:
            self.deployments.append("dep")
            self._create(self.make.deployment("dep"), self._new_service("dep"))

    def then_roll_out(self):
        name = self._any(self.deployments)
        if name:
            image = "example/app:%d" % self.random.randint(2, 4)
            self._patch("Deployment", name, self.random.choice((
                {"spec": {"template": {"metadata": {"labels": {"x": image[-1]}}}}},
                {"spec": {"template": {"spec": {"containers": [{"name": "c", "image": image}]}}}},
                {"spec": {"replicas": self.random.randint(0, 5)}})), quiet=2)

    def then_delete_deployment(self):
        name = self._any(self.deployments)
        if name:
            self.deployments.remove(name)
            self._step("delete", kind="Deployment", name=name, propagation=self._propagation("Background", "Foreground"))
            self._step("until", kind="Deployment", name=name)

    # -- pods
    def then_bare_pod(self):
        self.bare_pods += 1
        self._create(self.make.pod("bare-%d" % self.bare_pods, self._any(self.sets)))

    def then_unready(self):
        owner = self._a_set_with_pods()
        if owner:
            self._pod(owner, ready=False)
            if self._perhaps(0.5):
                self._step("pod", pick={"owner": owner.name, "ready": False}, ready=True)

    def then_turn_all(self):
        owner = self._a_set_with_pods()
        if owner:
            self._pods(owner, ready=self._perhaps(0.7))

    def then_relabel(self):
        owner = self._a_set_with_pods()
        if owner:
            key, other = self._any(owner.labels), self.random.choice(("gone", "gone", "db"))
            self._pod(owner, labels={key: other})
            if other == "gone" and self._perhaps(0.5):
                self._step("pod", pick={"labels": {key: other}}, labels={key: owner.labels[key]})

    def then_unlabel(self):
        owner = self._a_set_with_pods()
        if owner:
            self._pod(owner, labels={self._any(owner.labels): None})

    def then_disown(self):
        owner = self._a_set_with_pods()
        if owner:
            self._pod(owner, owners=[])

    def then_give_away(self):
        """To another set, or to one more that does not control it."""
        owner, other = self._a_set_with_pods(), self._any(self.sets)
        if owner:
            self._pod(owner, owners=[self.make.reference(other)])

    def then_delete_pod(self):
        owner = self._a_set_with_pods()
        if owner:
            self._pod(owner, delete=True, grace=self.random.choice((0, 1, 5, 30)))

    def then_delete_all_pods(self):
        owner = self._a_set_with_pods()
        if owner:
            self._pods(owner, delete=True, grace=0)

    def then_hold_deletion(self):
        owner = self._a_set_with_pods()
        if owner:
            self._pod(owner, finalizers=["example.com/hold"], delete=True, grace=0)
            if self._perhaps(0.5):
                self._step("pod", pick={"owner": owner.name, "terminating": True}, finalizers=None)
            else:
                self.make.holds = True

    def then_finish_pod(self):
        owner = self._a_set_with_pods()
        if owner:
            self._pod(owner, phase=self.random.choice(("Failed", "Succeeded")), ready=self._perhaps(0.2))

    def then_be_choosy(self):
        """Gives reasons to delete one pod before another; what is left of the set tells which counted most."""
        owner = self._a_set_with_pods()
        if not owner or owner.replicas < 2:
            return
        for place, restarts in enumerate(self.random.sample(range(owner.replicas), owner.replicas)):
            annotations = {"mark": str(place)}
            if self._perhaps(0.5):
                annotations[DELETION_COST] = self.random.choice(("-5", "0", "7", "100"))
            change = {"readyFor": self.random.choice((1000, 10000)), "restarts": restarts}
            if self._perhaps(0.2):
                change["ready"] = False
            if self._perhaps(0.1):
                change["phase"] = self.random.choice(("Pending", "Unknown"))
            self.steps.append({"do": "pod", "pick": {"owner": owner.name, "index": [place]}, "annotations": annotations,
                               "quiet": 0.3, "noCheck": True, **change})
        owner.replicas = self.random.randrange(owner.replicas)
        self._step("scale", kind=owner.kind, name=owner.name, replicas=owner.replicas)

    def then_touch_pods(self):
        owner = self._a_set_with_pods()
        if owner:
            self._pods(owner, touch=True)

    def then_change_address(self):
        owner = self._a_set_with_pods()
        if owner:
            four, six = "10.199.%d.%d" % (self.random.randint(1, 9), self.random.randint(1, 9)), "fd00:99::1"
            self._pod(owner, ip=self.random.choice(([four], [four, six], [six, four], [six])) if self.dual_stack else [four])

    # -- services
    def then_another_service(self):
        name = self.random.choice(("web-three", "db-three"))
        if name not in self.services:
            if self._perhaps(0.4):
                metadata = {"name": name, "labels": {"mine": "yes"}}
                if self._perhaps(0.2):
                    metadata["annotations"] = {LEADER: "{}"}
                self._create({"kind": "Endpoints", "metadata": metadata, "subsets": self.make.subsets()})
            self._create(self._new_service(name))

    def then_change_service_selector(self):
        self._patch_service(*({"spec": {"selector": selector}} for selector in (
            {"app": "db"}, {"app": "web", "tier": None}, {"tier": "a"}, {"x": "y"}, {"app": "nobody"}, None)))

    def then_change_service_ports(self):
        self._patch_service({"spec": {"ports": self.make.ports()}}, {"spec": {"ports": self.make.ports()}}, {"spec": {"ports": [
            {"port": self.random.choice((80, 81)), "name": self.random.choice("ab"),
             "targetPort": self.random.choice(("http", 8080, "metrics", "none"))},
            {"port": 90, "name": "z", "targetPort": self.random.choice(("http", 7))}]}})

    def then_change_service_type(self):
        """Away, and perhaps back, with or without an address of its own."""
        name = self._any(self.services)
        if name:
            self._step("update", kind="Service", name=name, set={
                "spec.type": "ExternalName", "spec.externalName": "example.com", "spec.clusterIP": None,
                "spec.clusterIPs": None, "spec.ipFamilies": None, "spec.ipFamilyPolicy": None})
            if self._perhaps(0.7):
                if self._perhaps(0.5):
                    self.then_unready()
                self._step("update", kind="Service", name=name, set={
                    "spec.type": "ClusterIP", "spec.externalName": None,
                    "spec.clusterIP": self.random.choice((None, "None"))})

    def then_change_service_families(self):
        if self.dual_stack:
            self._patch_service({"spec": {"ipFamilyPolicy": "PreferDualStack"}})

    def then_change_service_metadata(self):
        self._patch_service(*({"metadata": metadata} for metadata in (
            {"labels": {"l": "c"}}, {"labels": {"l": None}}, {"labels": None}, {"annotations": {"note": "m"}})))

    def then_publish_not_ready(self):
        self._patch_service(*({"spec": {"publishNotReadyAddresses": on}} for on in (True, False)),
                            {"metadata": {"annotations": {"note": "n"}}})

    def then_delete_service(self):
        name = self._any(self.services)
        if name:
            self.services.remove(name)
            self._step("delete", kind="Service", name=name, **({"noSettle": True} if self._perhaps(0.3) else {}))
            if self._perhaps(0.5):
                self._create(self._new_service(name))

    def then_edit_endpoints(self):
        """Somebody else writes them; the next change of the service or of its pods has them written anew."""
        name = self._any(self.services)
        if name:
            self._step("apply", objects=[{"kind": "Endpoints", "metadata": {"name": name}, **self.random.choice((
                {"subsets": None}, {"subsets": self.make.subsets()}, {"metadata": {"name": name, "labels": {"mine": "yes"}}},
                {"metadata": {"name": name, "annotations": {LEADER: self.random.choice(("{}", None))}}},
                {"metadata": {"name": name, "annotations": {
                    "endpoints.kubernetes.io/last-change-trigger-time": None, "k": "v"}}}))}])
            if self._perhaps(0.7):
                self._patch("Service", name, {"metadata": {"annotations": {"poke": str(self.random.random())}}})
            else:
                self.then_turn_all()

    def then_delete_endpoints(self):
        name = self._any(self.services)
        if name:
            self._step("apply", objects=[{"kind": "Endpoints", "metadata": {"name": name}}], noSettle=True)
            self._step("delete", kind="Endpoints", name=name)

    # -- everything
    def then_restart(self):
        """Something happens while the controllers are away."""
        self.restarts = True
        self._step("controllers", action="stop", noCheck=True)
        before = len(self.steps)
        for _ in range(self.random.randint(1, 3)):
            self._do(self.random.choice([o for o in operations() if o not in ("restart", "end_namespace", "refuse_pods")]))
        for step in self.steps[before:]:
            step.update(noCheck=True, quiet=0.5)
        self._step("controllers", action="start", quiet=3)

    def then_end_namespace(self):
        """Nothing can be created any more."""
        if self.make.holds:
            return
        self._step("delete", kind="Namespace", name="${NS}")
        self.steps[-1]["noCheck"] = True
        self._step("until", kind="Namespace", name="${NS}")
        self.ended = True
