"""What made-up scenarios are made of: sets, services, pods and deployments, each with what chance gives it."""

HTTP = {"containerPort": 8080, "name": "http"}
OTHER_HTTP = {"containerPort": 8081, "name": "http"}
DNS = [{"containerPort": 53, "name": "dns", "protocol": "UDP"}, {"containerPort": 53, "name": "dns-tcp"}]
PORTS = ([], [HTTP], [HTTP], [OTHER_HTTP], [HTTP, {"containerPort": 9090, "name": "metrics"}], DNS + [HTTP],
         [{"containerPort": 8080, "name": "http", "protocol": "SCTP"}])
TARGETS = ("http", "http", "http", 8080, "metrics", 9090)


class Set:
    """A replica set or replication controller, as far as it matters for what can be done next."""

    def __init__(self, kind, name, labels, replicas):
        self.kind, self.name, self.labels, self.replicas = kind, name, labels, replicas


class RandomObjects:
    """Makes objects."""

    def __init__(self, random, dual_stack):
        self.random, self.dual_stack = random, dual_stack
        # Whether a pod may stay after its deletion: who waits for it then waits for ever.
        self.holds = False

    def perhaps(self, probability):
        return self.random.random() < probability

    def labels(self, name):
        labels = {"app": name.split("-")[0]}
        if self.perhaps(0.3):
            labels["tier"] = self.random.choice("ab")
        return labels

    def template(self, labels):
        container = {"name": "c", "image": "example/app:1"}
        ports = self.random.choice(PORTS)
        if ports:
            container["ports"] = ports
        spec, metadata = {"containers": [container]}, {"labels": dict(labels)}
        if self.perhaps(0.15):
            spec["initContainers"] = [self.init_container()]
        if self.perhaps(0.15):
            spec["hostname"] = "one"
        if self.perhaps(0.15):
            spec["subdomain"] = "web"
        if self.perhaps(0.15):
            spec["terminationGracePeriodSeconds"] = 0
        if self.perhaps(0.3):
            metadata["labels"]["x"] = "y"
        if self.perhaps(0.1):
            metadata["annotations"] = self.random.choice(({"note": "n"}, {"world/hold": "true"}, {"world/start": "never"}))
        elif self.perhaps(0.1):
            metadata["annotations"] = {"world/ready": "false"}
        if self.dual_stack:
            metadata.setdefault("annotations", {})["world/dual-stack"] = "true"
        if self.perhaps(0.05):
            metadata["finalizers"] = ["example.com/hold"]
            self.holds = True
        return {"metadata": metadata, "spec": spec}

    def init_container(self):
        init = {"name": "init", "image": "example/init:1"}
        if self.perhaps(0.7):
            init["ports"] = [{"containerPort": 15001, "name": self.random.choice(("http", "metrics", "dns"))}]
        if self.perhaps(0.7):
            init["restartPolicy"] = "Always"
        return init

    def selector(self, labels):
        """A replica set's: what chooses these labels, and sometimes a bit more or less."""
        if self.perhaps(0.75):
            return {"matchLabels": labels}
        expressions = [{"key": key, "operator": "In", "values": [value, "other"]} for key, value in labels.items()]
        more = self.random.choice((None, None, ("gone", "DoesNotExist"), ("app", "Exists"), ("app", "NotIn", ["gone"])))
        if more:
            expressions.append(dict(zip(("key", "operator", "values"), more)))
        return {"matchExpressions": expressions}

    def set(self, kind, name):
        """The object, and what is to be remembered of it."""
        replicas, labels = self.random.randint(1, 5), self.labels(name)
        spec = {"replicas": replicas, "template": self.template(labels)}
        if kind == "ReplicaSet":
            spec["selector"] = self.selector(labels)
        elif self.perhaps(0.8):
            spec["selector"] = labels
        if self.perhaps(0.2):
            spec["minReadySeconds"] = self.random.choice((1, 1, 3600))
        return {"kind": kind, "metadata": {"name": name}, "spec": spec}, Set(kind, name, dict(labels), replicas)

    def deployment(self, name):
        labels = {"app": name}
        spec = {"replicas": self.random.randint(1, 4), "selector": {"matchLabels": labels}, "template": self.template(labels)}
        if self.perhaps(0.3):
            spec["strategy"] = {"type": "Recreate"}
        return {"kind": "Deployment", "metadata": {"name": name}, "spec": spec}

    def reference(self, owner):
        """That names a set as owner, mostly as its controller; who reads it looks at kind, name and UID, not at the group."""
        version = "apps/v1" if owner.kind == "ReplicaSet" else "v1"
        if self.perhaps(0.1):
            version = self.random.choice(("extensions/v1beta1", "example.com/v1"))
        reference = {"apiVersion": version, "kind": owner.kind, "name": owner.name,
                     "uid": "@%s/%s" % (owner.kind, owner.name)}
        if self.perhaps(0.9):
            reference["controller"] = self.perhaps(0.7)
        return reference

    def pod(self, name, owner=None):
        """One that a set or service may choose, and that nobody controls yet, but perhaps for this set."""
        pod = self.template(self.labels(self.random.choice(("web", "db"))))
        pod["metadata"].update(name=name)
        if owner and self.perhaps(0.3):
            pod["metadata"]["ownerReferences"] = [self.reference(owner)]
        if self.perhaps(0.3):
            pod["spec"]["restartPolicy"] = self.random.choice(("Never", "OnFailure"))
            pod["metadata"].setdefault("annotations", {})["world/phase"] = self.random.choice(("Failed", "Succeeded"))
        return {"kind": "Pod", **pod}

    def ports(self):
        choice = self.random.random()
        if choice < 0.1:
            return [{"name": "u", "port": 53, "protocol": "UDP", "targetPort": "dns"},
                    {"name": "t", "port": 53, "targetPort": self.random.choice(("dns-tcp", 53))}]
        if choice < 0.2:
            return [{"port": 80, "protocol": self.random.choice(("UDP", "SCTP")),
                     "targetPort": self.random.choice(("http", "dns", 8080))}]
        ports = [{"name": "p%d" % number, "port": 80 + number, "targetPort": self.random.choice(TARGETS)}
                 for number in range(self.random.choice((1, 1, 1, 2)))]
        if len(ports) == 1 and self.perhaps(0.7):
            del ports[0]["name"]
        if self.perhaps(0.1):
            ports[0]["appProtocol"] = "example.com/p"
        return ports

    def service(self, name):
        selector = {"app": name.split("-")[0]}
        if self.perhaps(0.2):
            selector["tier"] = "a"
        spec, metadata = {"selector": selector, "ports": self.ports()}, {"name": name}
        if self.perhaps(0.25):
            spec["clusterIP"] = "None"
            if self.perhaps(0.15):
                spec["ports"] = []
        elif self.perhaps(0.1):
            spec["type"] = self.random.choice(("NodePort", "LoadBalancer"))
        if self.perhaps(0.05):
            del spec["selector"]
        if self.dual_stack:
            spec.update(self.random.choice((
                {}, {"ipFamilies": ["IPv4"]}, {"ipFamilies": ["IPv6"]}, {"ipFamilyPolicy": "PreferDualStack"},
                {"ipFamilyPolicy": "RequireDualStack", "ipFamilies": ["IPv6", "IPv4"]})))
        if self.perhaps(0.2):
            spec["publishNotReadyAddresses"] = True
        if self.perhaps(0.2):
            metadata["labels"] = {"l": self.random.choice("ab")}
        if self.perhaps(0.15):
            metadata["annotations"] = {"note": "n"}
        return {"kind": "Service", "metadata": metadata, "spec": spec}

    def subsets(self):
        """Endpoints' that somebody wrote by hand."""
        return [{"addresses": [{"ip": "192.0.2.%d" % self.random.randint(1, 3)}],
                 "ports": [{"name": "by-hand", "port": self.random.choice((7, 8080))}]}]
