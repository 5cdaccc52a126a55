"""Makes up scenarios for the controllers of workloads: one function for each, which returns the steps.

A step starts when the one before has settled, so that nothing depends on a second more or less. See workloads.py for the steps.
"""
import random

ROLLING = ({"maxSurge": 1, "maxUnavailable": 0}, {"maxSurge": 0, "maxUnavailable": 1}, {"maxSurge": "50%", "maxUnavailable": "25%"},
           {"maxSurge": 2, "maxUnavailable": 2}, {"maxSurge": "34%", "maxUnavailable": "34%"}, {})


def template(rng, app, image=0, ready=True, **spec):
    """A pod template; pods of it run and become ready, or never become ready."""
    meta = {"labels": {"app": app}}
    if not ready:
        meta["annotations"] = {"sim/ready": "false"}
    return {"metadata": meta, "spec": {"containers": [{"name": "c", "image": "example/app:%d" % image}], **spec}}


def workload(kind, name, spec):
    return {"kind": kind, "metadata": {"name": name}, "spec": spec}


def create(*objects):
    return {"do": "create", "objects": list(objects)}


def patch(kind, name, change, **more):
    return {"do": "patch", "kind": kind, "name": name, "patch": change, **more}


def new_image(rng, kind, name, **more):
    ready = rng.random() < 0.7
    return patch(kind, name, {"spec": {"template": {
        "metadata": {"annotations": {"sim/ready": None if ready else "false"}},
        "spec": {"containers": [{"name": "c", "image": "example/app:%d" % rng.randrange(4)}]}}}}, **more)


def spoil_pods(rng):
    """Changes some pods, chosen by their place in the order of their creation."""
    change = rng.choice(({"ready": False}, {"ready": True}, {"phase": "Failed"}, {"phase": "Succeeded"}, {"delete": True},
                         {"labels": {"app": "other"}}, {"labels": {"extra": "x"}}))
    return {"do": "pods", "places": rng.choice(([0], [0, 1], [-1], "all")), **change}


def steps(rng, choices, least=3, most=6):
    return [rng.choice(choices)() for _ in range(rng.randint(least, most))]


def deployment(rng):
    strategy = {"type": "Recreate"} if rng.random() < 0.2 else {"type": "RollingUpdate", "rollingUpdate": rng.choice(ROLLING)}
    spec = {"replicas": rng.randrange(7), "selector": {"matchLabels": {"app": "web"}}, "strategy": strategy,
            "template": template(rng, "web", ready=rng.random() < 0.8)}
    if rng.random() < 0.5:
        spec["revisionHistoryLimit"] = rng.randrange(3)
    if rng.random() < 0.15:
        spec["paused"] = True
    scale = lambda: {"do": "scale", "kind": "Deployment", "name": "web", "replicas": rng.choice((0, 1, 2, 3, 5, 8))}
    return [create(workload("Deployment", "web", spec))] + steps(rng, (
        lambda: new_image(rng, "Deployment", "web"), lambda: new_image(rng, "Deployment", "web"), scale,
        lambda: patch("Deployment", "web", {"spec": {"paused": rng.random() < 0.4}}),
        lambda: patch("Deployment", "web", {"metadata": {"annotations": {"note": str(rng.randrange(3))}}}),
        lambda: patch("Deployment", "web", {"spec": {"minReadySeconds": rng.randrange(2)}}),
        lambda: spoil_pods(rng), lambda: {"do": "pods", "places": "all", "ready": True},
        lambda: {"do": "delete", "kind": "ReplicaSet", "places": [0], "propagation": rng.choice(("Background", "Orphan"))},
        lambda: patch("Deployment", "web", {"spec": {"strategy": {"type": "RollingUpdate", "rollingUpdate": rng.choice(ROLLING)}}})))


def statefulset(rng):
    spec = {"replicas": rng.randrange(4), "serviceName": "db", "selector": {"matchLabels": {"app": "web"}},
            "template": template(rng, "web", ready=rng.random() < 0.85)}
    if rng.random() < 0.4:
        spec["podManagementPolicy"] = "Parallel"
    if rng.random() < 0.2:
        spec["updateStrategy"] = {"type": "OnDelete"}
    if rng.random() < 0.3:
        spec["ordinals"] = {"start": rng.choice((1, 5))}
    if rng.random() < 0.5:
        spec["volumeClaimTemplates"] = [{"metadata": {"name": "data"}, "spec": {
            "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}]
        if rng.random() < 0.5:
            spec["persistentVolumeClaimRetentionPolicy"] = {"whenDeleted": rng.choice(("Retain", "Delete")),
                                                            "whenScaled": rng.choice(("Retain", "Delete"))}
    return [create(workload("StatefulSet", "web", spec))] + steps(rng, (
        lambda: new_image(rng, "StatefulSet", "web"), lambda: new_image(rng, "StatefulSet", "web"),
        lambda: {"do": "scale", "kind": "StatefulSet", "name": "web", "replicas": rng.randrange(5)},
        lambda: patch("StatefulSet", "web", {"spec": {"updateStrategy": {
            "type": "RollingUpdate", "rollingUpdate": {"partition": rng.randrange(4)}}}}),
        lambda: patch("StatefulSet", "web", {"spec": {"revisionHistoryLimit": rng.randrange(3)}}),
        lambda: spoil_pods(rng), lambda: {"do": "pods", "places": "all", "ready": True}))


def daemonset(rng):
    spec = {"selector": {"matchLabels": {"app": "web"}},
            "template": template(rng, "web", ready=rng.random() < 0.85, nodeSelector={"pool": "$NS"})}
    strategies = ({"type": "OnDelete"}, {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 2}},
                  {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "50%"}},
                  {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}, {"type": "RollingUpdate"})
    spec["updateStrategy"] = rng.choice(strategies)
    if rng.random() < 0.3:
        spec["template"]["spec"]["tolerations"] = [{"key": "k", "operator": "Exists"}]
    node = lambda: "n%d" % rng.randrange(4)
    return [{"do": "nodes", "add": ["n0", "n1", "n2"]}, create(workload("DaemonSet", "web", spec))] + steps(rng, (
        lambda: new_image(rng, "DaemonSet", "web"), lambda: new_image(rng, "DaemonSet", "web"),
        lambda: {"do": "nodes", "add": ["n3"]}, lambda: {"do": "nodes", "remove": [node()]},
        lambda: {"do": "nodes", "change": [node()], "labels": {"pool": rng.choice(("$NS", "other"))}},
        lambda: {"do": "nodes", "change": [node()], "taints": rng.choice(
            ([], [{"key": "k", "effect": "NoSchedule"}], [{"key": "k", "effect": "NoExecute"}]))},
        lambda: patch("DaemonSet", "web", {"spec": {"updateStrategy": rng.choice(strategies)}}, type="strategic"),
        lambda: spoil_pods(rng), lambda: {"do": "pods", "places": "all", "ready": True}))


def job(rng):
    spec = {"parallelism": rng.randrange(4), "completions": rng.choice((1, 2, 3, 4)), "backoffLimit": rng.choice((0, 0, 1)),
            "template": template(rng, "web", restartPolicy="Never")}
    del spec["template"]["metadata"]["labels"]
    if rng.random() < 0.45:
        spec["completionMode"] = "Indexed"
        if rng.random() < 0.4:
            del spec["backoffLimit"]
            spec["backoffLimitPerIndex"] = 0
            if rng.random() < 0.5:
                spec["maxFailedIndexes"] = 1
        if rng.random() < 0.3:
            spec["successPolicy"] = {"rules": [{"succeededCount": 1}]}
    if rng.random() < 0.4:
        spec["template"]["metadata"]["annotations"] = {"sim/phase": "Succeeded"}
    if rng.random() < 0.3:
        spec["podReplacementPolicy"] = "Failed"
    if rng.random() < 0.25:
        spec["podFailurePolicy"] = {"rules": [{
            "action": rng.choice(("FailJob", "Ignore", "Count")), "onExitCodes": {"operator": "In", "values": [1]}}]}
        spec["podReplacementPolicy"] = "Failed"
    if rng.random() < 0.2:
        spec["suspend"] = True
    # A failed pod is replaced after ten seconds.
    end = lambda: {"do": "pods", "places": rng.choice(([0], [-1], "all")), "phase": "Succeeded"}
    fail = lambda: {"do": "pods", "places": rng.choice(([0], [-1])), "phase": "Failed", "quiet": 13}
    return [create(workload("Job", "web", spec))] + steps(rng, (
        end, end, fail, lambda: patch("Job", "web", {"spec": {"parallelism": rng.randrange(4)}}),
        lambda: patch("Job", "web", {"spec": {"suspend": rng.random() < 0.5}}),
        lambda: {"do": "pods", "places": [0], "delete": True, "quiet": 13},
        lambda: {"do": "pods", "places": [-1], "ready": False}))


def cronjob(rng):
    spec = {"schedule": rng.choice(("* * * * *", "*/1 * * * *", "0 0 31 2 *", "30 2 * * *")), "suspend": rng.random() < 0.2,
            "concurrencyPolicy": rng.choice(("Allow", "Forbid", "Replace")),
            "jobTemplate": {"metadata": {"labels": {"of": "cron"}, "annotations": {"note": "x"}}, "spec": {
                "template": template(rng, "web", restartPolicy="OnFailure")}}}
    if rng.random() < 0.5:
        spec["jobTemplate"]["spec"]["template"]["metadata"]["annotations"] = {"sim/phase": "Succeeded"}
    if rng.random() < 0.4:
        spec["timeZone"] = rng.choice(("Etc/UTC", "Asia/Kolkata"))
    if rng.random() < 0.3:
        spec["successfulJobsHistoryLimit"] = 0
    return [create(workload("CronJob", "web", spec)), {"do": "minute"}] + steps(rng, (
        lambda: patch("CronJob", "web", {"spec": {"suspend": rng.random() < 0.5}}),
        lambda: {"do": "pods", "places": "all", "phase": "Succeeded"},
        lambda: {"do": "delete", "kind": "Job", "places": [0], "propagation": "Background"}), 1, 2)


def disruption(rng):
    kind = rng.choice(("Deployment", "ReplicaSet", "StatefulSet"))
    spec = {"replicas": rng.randint(1, 6), "selector": {"matchLabels": {"app": "web"}},
            "template": template(rng, "web", ready=rng.random() < 0.85)}
    if kind == "StatefulSet":
        spec.update(serviceName="db", podManagementPolicy="Parallel")
    limit = lambda: rng.choice(({"minAvailable": rng.randrange(5)}, {"minAvailable": rng.choice(("0%", "34%", "50%", "100%"))},
                                {"maxUnavailable": rng.randrange(4)}, {"maxUnavailable": rng.choice(("0%", "30%", "50%", "100%"))}))
    budget = {"selector": {"matchLabels": {"app": "web"}}, **limit()}
    if rng.random() < 0.4:
        budget["unhealthyPodEvictionPolicy"] = rng.choice(("AlwaysAllow", "IfHealthyBudget"))

    def change_limit():
        wanted = limit()
        return patch("PodDisruptionBudget", "web", {"spec": {"minAvailable": None, "maxUnavailable": None, **wanted}})
    return [create(workload(kind, "web", spec)), create(workload("PodDisruptionBudget", "web", budget))] + steps(rng, (
        lambda: {"do": "scale", "kind": kind, "name": "web", "replicas": rng.randrange(7)}, change_limit,
        lambda: {"do": "evict", "places": rng.choice(([0], [0, 1], [0, 1, 2]))}, lambda: {"do": "evict", "places": [0]},
        lambda: spoil_pods(rng), lambda: {"do": "pods", "places": "all", "ready": True}))


def endpointslice(rng):
    spec = {"replicas": rng.randrange(5), "selector": {"matchLabels": {"app": "web"}},
            "template": template(rng, "web", ready=rng.random() < 0.8)}
    spec["template"]["spec"]["containers"][0]["ports"] = [{"name": "http", "containerPort": 8080}]
    port = lambda: [dict(name="p%d" % n, port=80 + n, targetPort=rng.choice((8080, "http", "none")), **rng.choice(
        ({}, {"protocol": "UDP"}, {"appProtocol": "example.com/x"}))) for n in range(rng.randint(1, 3))]
    service = {"selector": {"app": "web"}, "ports": port()}
    if rng.random() < 0.3:
        service["clusterIP"] = "None"
    if rng.random() < 0.25:
        service["publishNotReadyAddresses"] = True
    if rng.random() < 0.25:
        service["trafficDistribution"] = "PreferClose"
    made = workload("Service", "web", service)
    made["metadata"]["labels"] = {"team": "a"}
    objects = [made, workload("ReplicaSet", "web", spec)]
    rng.shuffle(objects)
    return [create(*objects)] + steps(rng, (
        lambda: {"do": "scale", "kind": "ReplicaSet", "name": "web", "replicas": rng.randrange(6)},
        lambda: spoil_pods(rng), lambda: spoil_pods(rng), lambda: {"do": "pods", "places": "all", "ready": True},
        lambda: patch("Service", "web", {"spec": {"ports": port()}}),
        lambda: patch("Service", "web", {"metadata": {"labels": {"team": rng.choice(("a", "b", None))}}}),
        lambda: patch("Service", "web", {"spec": {"selector": {"app": rng.choice(("web", "other"))}}}),
        lambda: patch("Service", "web", {"spec": {"publishNotReadyAddresses": rng.random() < 0.5}}),
        lambda: {"do": "delete", "kind": "EndpointSlice", "places": [0]},
        lambda: {"do": "delete", "kind": "Service", "places": [0]}))


def hpa(rng):
    kind = rng.choice(("Deployment", "ReplicaSet", "StatefulSet"))
    spec = {"replicas": rng.randrange(6) if rng.random() < 0.9 else 9, "selector": {"matchLabels": {"app": "web"}},
            "template": template(rng, "web", ready=rng.random() < 0.9)}
    if rng.random() < 0.95:
        spec["template"]["spec"]["containers"][0]["resources"] = {"requests": {"cpu": "100m", "memory": "64Mi"}}
    if kind == "StatefulSet":
        spec.update(serviceName="db", podManagementPolicy="Parallel")
    web = {"apiVersion": "v1", "kind": "Service", "name": "web"}
    sources = (
        lambda: {"type": "Resource", "resource": {"name": "cpu", "target": {
            "type": "Utilization", "averageUtilization": rng.choice((50, 80))}}},
        lambda: {"type": "Resource", "resource": {"name": "memory", "target": {"type": "AverageValue", "averageValue": "64Mi"}}},
        lambda: {"type": "ContainerResource", "containerResource": {"name": "cpu", "container": rng.choice(("c", "c", "none")), "target": {
            "type": "Utilization", "averageUtilization": 60}}},
        lambda: {"type": "Pods", "pods": {"metric": {"name": "rate"}, "target": {"type": "AverageValue", "averageValue": "10"}}},
        lambda: {"type": "Object", "object": {"describedObject": web, "metric": {"name": "hits"}, "target": rng.choice((
            {"type": "Value", "value": "20"}, {"type": "AverageValue", "averageValue": "15"}))}},
        lambda: {"type": "External", "external": {"metric": {"name": "queue"}, "target": rng.choice((
            {"type": "Value", "value": "30"}, {"type": "AverageValue", "averageValue": "12500m"}))}})
    chosen = lambda: [source() for source in rng.sample(sources, rng.choice((1, 1, 2, 3)))]

    def policy():
        # A period ends between two syncs or not within the scenario, so that nothing depends on its seconds.
        return {"type": rng.choice(("Pods", "Percent")), "value": rng.choice((1, 2, 50)), "periodSeconds": rng.choice((1, 1800))}

    def rules():
        made = {"policies": [policy() for _ in range(rng.choice((1, 2)))], "selectPolicy": rng.choice(("Max", "Max", "Min", "Disabled")),
                "stabilizationWindowSeconds": rng.choice((0, 0, 3600))}
        if rng.random() < 0.3:
            made["tolerance"] = rng.choice(("0", "250m", "1"))
        return made
    # Without a policy of its own 4 pods may be added within 15 seconds: up to 5 there is no limit.
    autoscaler = {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": kind, "name": "web"}, "minReplicas": rng.randint(1, 3),
                  "maxReplicas": rng.randint(3, 5), "metrics": chosen()}
    if rng.random() < 0.5:
        autoscaler["behavior"] = {"scaleUp": rules(), **({"scaleDown": rules()} if rng.random() < 0.7 else {})}
        autoscaler["maxReplicas"] = rng.randint(3, 9)

    def metrics():
        values = lambda *some: [rng.choice(some) for _ in range(rng.choice((1, 1, 2, 3)))]
        given = {"pods": {"cpu": values("10m", "45m", "54m", "90m", "130m", None), "memory": values("8Mi", "64Mi", "70Mi", "100Mi", "200M"),
                          "rate": values("2", "9500m", "10", "17", "40")},
                 "object": {"hits": rng.choice(("0", "5", "21", "33", "60"))},
                 "external": {"queue": values("0", "10", "31", "55")}}
        if rng.random() < 0.2:
            given.pop(rng.choice(("pods", "object", "external")))
        return {"do": "metrics", "values": given}
    autoscale = lambda change: patch("HorizontalPodAutoscaler", "web", {"spec": change})
    made = [metrics(), create(workload("Service", "web", {"selector": {"app": "web"}, "ports": [{"port": 80}]}), workload(kind, "web", spec)),
            create(workload("HorizontalPodAutoscaler", "web", autoscaler))] + steps(rng, (
                metrics, metrics, metrics, lambda: spoil_pods(rng), lambda: {"do": "pods", "places": "all", "ready": True},
                lambda: {"do": "scale", "kind": kind, "name": "web", "replicas": rng.randrange(8)},
                lambda: autoscale({"minReplicas": rng.randint(1, 3)}), lambda: autoscale({"metrics": chosen()})), 2, 5)
    # A sync is due every two seconds.
    return made[:2] + [{"quiet": 5, **step} for step in made[2:]]


KINDS = {f.__name__: f for f in (deployment, statefulset, daemonset, job, cronjob, disruption, endpointslice, hpa)}


def scenario(kind, seed):
    """The steps that this seed makes."""
    return KINDS[kind](random.Random("%s/%s" % (kind, seed)))
