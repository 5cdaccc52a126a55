"""Operators on the Python framework kopf, unmodified, against the server of KUBECONFIG. SERVING_CERT and SERVING_KEY are files of 127.0.0.1."""

import asyncio
import contextlib
import os
import threading
import uuid

import kopf
from checks import check, eventually, report
from kubernetes import client, config
from kubernetes.client.exceptions import ApiException

config.load_kube_config()
NAMESPACE = "kopf-" + uuid.uuid4().hex[:8]
GROUP = NAMESPACE + ".example.com"
core, custom = client.CoreV1Api(), client.CustomObjectsApi()
definitions, registrations = client.ApiextensionsV1Api(), client.AdmissionregistrationV1Api()
calls = []


def define(plural, kind, group=GROUP, scope="Namespaced"):
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version = {"name": "v1", "served": True, "storage": True, "subresources": {"status": {}}, "schema": {"openAPIV3Schema": schema}}
    names = {"kind": kind, "plural": plural, "singular": kind.lower()}
    spec = {"group": group, "scope": scope, "names": names, "versions": [version]}
    definitions.create_custom_resource_definition({"metadata": {"name": plural + "." + group}, "spec": spec})
    eventually(lambda: "Established" in [
        c.type for c in definitions.read_custom_resource_definition(plural + "." + group).status.conditions or []])


def make(plural, name, spec, **metadata):
    body = {"apiVersion": GROUP + "/v1", "kind": plural.title()[:-1], "metadata": dict(metadata, name=name), "spec": spec}
    return custom.create_namespaced_custom_object(GROUP, "v1", NAMESPACE, plural, body)


def read(plural, name):
    return custom.get_namespaced_custom_object(GROUP, "v1", NAMESPACE, plural, name)


def change(plural, name, body):
    return custom.patch_namespaced_custom_object(GROUP, "v1", NAMESPACE, plural, name, body)


def is_gone(plural, name):
    try:
        read(plural, name)
        return False
    except ApiException as e:
        return e.status == 404


@contextlib.contextmanager
def operator(*declare, **options):
    """Runs an operator in a thread; each function declares handlers in a registry of its own."""
    registry = kopf.OperatorRegistry()
    kopf.on.login(registry=registry)(kopf.login_with_kubeconfig)
    for function in declare:
        function(registry)
    ready, stop = threading.Event(), threading.Event()
    settings = kopf.OperatorSettings()
    settings.posting.level = 20
    settings.process.ultimate_exiting_timeout = 0
    options.setdefault("standalone", True)
    options.setdefault("namespaces", [NAMESPACE])

    def work():
        asyncio.run(kopf.operator(registry=registry, settings=settings, ready_flag=ready, stop_flag=stop, **options))
    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert ready.wait(30), "the operator is not ready"
        yield settings
    finally:
        stop.set()
        thread.join(60)
        assert not thread.is_alive(), "the operator does not end"


def sites(registry):
    @kopf.on.create(GROUP, "v1", "sites", registry=registry, id="create")
    def create(spec, name, body, **_):
        manifest = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"text": spec["text"]}}
        kopf.adopt(manifest, owner=body)
        core.create_namespaced_config_map(NAMESPACE, manifest)
        kopf.info(body, reason="Published", message="The site is published.")
        return {"published": spec["text"]}

    @kopf.on.update(GROUP, "v1", "sites", field="spec.text", registry=registry)
    def update(name, new, patch, **_):
        core.patch_namespaced_config_map(name, NAMESPACE, {"data": {"text": new}})
        patch.status["create"] = {"published": new}

    @kopf.on.delete(GROUP, "v1", "sites", registry=registry)
    def delete(name, **_):
        calls.append("deleted " + name)

    @kopf.on.resume(GROUP, "v1", "sites", registry=registry)
    def resume(name, **_):
        calls.append("resumed " + name)


@check
def creation_status_and_events():
    define("sites", "Site")
    with operator(sites):
        make("sites", "one", {"text": "hello"})
        eventually(lambda: read("sites", "one").get("status", {}).get("create") == {"published": "hello"})
        stored = core.read_namespaced_config_map("one", NAMESPACE)
        assert stored.data == {"text": "hello"} and stored.metadata.owner_references[0].kind == "Site"
        assert read("sites", "one")["metadata"]["finalizers"] == ["kopf.zalando.org/KopfFinalizerMarker"]
        eventually(lambda: [e for e in core.list_namespaced_event(NAMESPACE).items if e.reason == "Published"])


@check
def resume_and_update():
    change("sites", "one", {"spec": {"text": "changed while away"}})
    with operator(sites):
        eventually(lambda: core.read_namespaced_config_map("one", NAMESPACE).data["text"] == "changed while away")
        eventually(lambda: "resumed one" in calls)
        change("sites", "one", {"spec": {"text": "again"}})
        eventually(lambda: read("sites", "one")["status"]["create"]["published"] == "again")


@check
def deletion_waits_for_the_handler():
    custom.delete_namespaced_custom_object(GROUP, "v1", NAMESPACE, "sites", "one")
    assert read("sites", "one")["metadata"]["deletionTimestamp"]
    with operator(sites):
        eventually(lambda: is_gone("sites", "one"))
    assert calls.count("deleted one") == 1
    eventually(lambda: not core.list_namespaced_config_map(NAMESPACE, field_selector="metadata.name=one").items)


@check
def retries():
    tries = []

    def declare(registry):
        @kopf.on.create(GROUP, "v1", "sites", registry=registry, id="create", backoff=0.2)
        def create(name, retry, **_):
            tries.append((name, retry))
            if name == "hopeless":
                raise kopf.PermanentError("never")
            if retry < 2:
                raise kopf.TemporaryError("not yet", delay=0.2)
            return "done"
    with operator(declare):
        make("sites", "slow", {})
        make("sites", "hopeless", {})
        eventually(lambda: read("sites", "slow").get("status", {}).get("create") == "done")
    assert [r for n, r in tries if n == "slow"] == [0, 1, 2] and [r for n, r in tries if n == "hopeless"] == [0], tries


@check
def timers_and_daemons():
    ticks, states = [], []

    def declare(registry):
        @kopf.timer(GROUP, "v1", "sites", interval=0.2, registry=registry)
        def tick(name, **_):
            ticks.append(name)

        @kopf.daemon(GROUP, "v1", "sites", registry=registry, cancellation_timeout=5)
        async def stay(name, stopped, **_):
            states.append("on " + name)
            await stopped.wait(60)
            states.append("off " + name)
    with operator(declare):
        make("sites", "lively", {})
        eventually(lambda: ticks.count("lively") >= 3 and "on lively" in states)
        custom.delete_namespaced_custom_object(GROUP, "v1", NAMESPACE, "sites", "lively")
        eventually(lambda: "off lively" in states and is_gone("sites", "lively"))


@check
def built_in_resources_and_indexes():
    seen = {}

    def declare(registry):
        @kopf.index("pods", labels={"app": kopf.PRESENT}, registry=registry, id="by_app")
        def by_app(labels, name, **_):
            return {labels["app"]: name}

        @kopf.on.event("pods", registry=registry)
        def event(name, status, by_app, **_):
            seen[name] = (status.get("phase"), {app: sorted(names) for app, names in by_app.items()})
    with operator(declare):
        for name in "a", "b":
            core.create_namespaced_pod(NAMESPACE, {"metadata": {"name": name, "labels": {"app": "x"}}, "spec": {
                "containers": [{"name": "main", "image": "example.com/app:1"}]}})
        eventually(lambda: seen.get("b") == ("Running", {"x": ["a", "b"]}))


@check
def peering_pauses_the_lower_priority():
    for plural, kind, scope in ("kopfpeerings", "KopfPeering", "Namespaced"), ("clusterkopfpeerings", "ClusterKopfPeering", "Cluster"):
        define(plural, kind, "kopf.dev", scope)
    custom.create_namespaced_custom_object(
        "kopf.dev", "v1", NAMESPACE, "kopfpeerings", {"apiVersion": "kopf.dev/v1", "kind": "KopfPeering", "metadata": {"name": "suite"}})
    handled = []

    def declare(who):
        def inner(registry):
            @kopf.on.event(GROUP, "v1", "sites", registry=registry)
            def event(name, **_):
                handled.append((who, name))
        return inner
    peers = dict(standalone=False, peering_name="suite")
    with operator(declare("low"), priority=1, **peers):
        eventually(lambda: ("low", "slow") in handled)
        with operator(declare("high"), priority=2, **peers):
            eventually(lambda: ("high", "slow") in handled)
            eventually(lambda: len(custom.get_namespaced_custom_object(
                "kopf.dev", "v1", NAMESPACE, "kopfpeerings", "suite").get("status", {})) == 2)
            make("sites", "contended", {})
            eventually(lambda: ("high", "contended") in handled)
            assert ("low", "contended") not in handled
        eventually(lambda: ("low", "contended") in handled)


@check
def admission():
    def declare(registry):
        @kopf.on.startup(registry=registry)
        def configure(settings, **_):
            settings.admission.server = kopf.WebhookServer(
                addr="127.0.0.1", certfile=os.environ["SERVING_CERT"], pkeyfile=os.environ["SERVING_KEY"],
                cafile=os.environ["SERVING_CERT"])
            settings.admission.managed = GROUP

        @kopf.on.validate(GROUP, "v1", "sites", registry=registry)
        def validate(spec, warnings, **_):
            warnings.append("a warning")
            if spec.get("text") == "bad":
                raise kopf.AdmissionError("bad text", code=400)

        @kopf.on.mutate(GROUP, "v1", "sites", registry=registry)
        def mutate(spec, patch, **_):
            if "text" not in spec:
                patch.spec["text"] = "default"
    with operator(declare):
        for listed in registrations.list_validating_webhook_configuration, registrations.list_mutating_webhook_configuration:
            eventually(lambda: [c for c in listed().items if c.metadata.name == GROUP and c.webhooks])
        made = make("sites", "defaulted", {"more": 1})
        assert made["spec"] == {"more": 1, "text": "default"}, made["spec"]
        try:
            make("sites", "bad", {"text": "bad"})
            raise AssertionError("admitted")
        except ApiException as e:
            assert e.status == 400 and "bad text" in e.body, e
    for kind in "validating", "mutating":
        getattr(registrations, "delete_%s_webhook_configuration" % kind)(GROUP)


@check
def namespace_deletion():
    for site in custom.list_namespaced_custom_object(GROUP, "v1", NAMESPACE, "sites")["items"]:
        change("sites", site["metadata"]["name"], {"metadata": {"finalizers": []}})
    core.delete_namespace(NAMESPACE)
    eventually(lambda: NAMESPACE not in [n.metadata.name for n in core.list_namespace().items], 120)
    for name in "sites." + GROUP, "kopfpeerings.kopf.dev", "clusterkopfpeerings.kopf.dev":
        definitions.delete_custom_resource_definition(name)


core.create_namespace({"metadata": {"name": NAMESPACE}})
report("kopf")
