"""The Python client lightkube, unmodified, against the server of KUBECONFIG."""

import asyncio
import threading
import uuid

from checks import check, eventually, report
from lightkube import ALL_NS, ApiError, AsyncClient, Client
from lightkube import codecs, operators
from lightkube.core.exceptions import ConditionError, ObjectDeleted
from lightkube.generic_resource import create_namespaced_resource, load_in_cluster_generic_resources
from lightkube.models.apps_v1 import DeploymentSpec
from lightkube.models.autoscaling_v1 import ScaleSpec
from lightkube.models.core_v1 import Container, PodSpec, PodTemplateSpec
from lightkube.models.meta_v1 import LabelSelector, ObjectMeta
from lightkube.resources.apiextensions_v1 import CustomResourceDefinition
from lightkube.resources.apps_v1 import Deployment
from lightkube.resources.batch_v1 import Job
from lightkube.resources.core_v1 import ConfigMap, Namespace, Pod, Secret
from lightkube.types import CascadeType, PatchType

NAMESPACE = "lightkube-" + uuid.uuid4().hex[:8]
GROUP = NAMESPACE + ".example.com"
client = Client(namespace=NAMESPACE, field_manager="suite")


def config_map(name, data=None, labels=None):
    return ConfigMap(metadata=ObjectMeta(name=name, labels=labels), data=data or {"a": "1"})


def pod_spec(**fields):
    return PodSpec(containers=[Container(name="main", image="example.com/app:1", **fields)])


def refused(code, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except ApiError as e:
        assert e.status.code == code, e.status
        return e.status
    raise AssertionError("not refused")


@check
def objects():
    made = client.create(config_map("crud"))
    assert made.metadata.uid and made.metadata.creationTimestamp.tzinfo is not None
    assert refused(409, client.create, config_map("crud")).reason == "AlreadyExists"
    made.data["b"] = "2"
    assert client.replace(made).data == {"a": "1", "b": "2"}
    assert refused(409, client.replace, made).reason == "Conflict"
    client.delete(ConfigMap, "crud")
    assert refused(404, client.get, ConfigMap, "crud").reason == "NotFound"


@check
def dry_run():
    assert client.create(config_map("dry"), dry_run=True).metadata.uid
    refused(404, client.get, ConfigMap, "dry")


@check
def pages_and_selectors():
    for i in range(7):
        client.create(config_map("page-%d" % i, labels={"set": "page", "odd": str(i % 2)}))
    listed = client.list(ConfigMap, labels={"set": "page"}, chunk_size=3)
    assert [m.metadata.name for m in listed] == ["page-%d" % i for i in range(7)]
    assert len(list(client.list(ConfigMap, labels={"set": ["page", "x"], "odd": operators.not_equal("1")}))) == 4
    assert len(list(client.list(ConfigMap, labels={"odd": operators.exists()}))) == 7
    assert len(list(client.list(ConfigMap, fields={"metadata.name": "page-3"}))) == 1
    assert len([m for m in client.list(ConfigMap, namespace=ALL_NS, labels={"set": "page"})]) == 7
    client.deletecollection(ConfigMap)
    eventually(lambda: not list(client.list(ConfigMap, labels={"set": "page"})))


@check
def patches():
    client.create(config_map("patched"))
    assert client.patch(ConfigMap, "patched", {"data": {"a": None, "b": "2"}}, patch_type=PatchType.MERGE).data == {"b": "2"}
    operations = [{"op": "test", "path": "/data/b", "value": "2"}, {"op": "add", "path": "/data/c", "value": "3"}]
    assert client.patch(ConfigMap, "patched", operations, patch_type=PatchType.JSON).data == {"b": "2", "c": "3"}
    assert client.patch(ConfigMap, "patched", {"data": {"c": "4"}}).data == {"b": "2", "c": "4"}
    operations[0]["value"] = "x"
    assert refused(422, client.patch, ConfigMap, "patched", operations, patch_type=PatchType.JSON).reason == "Invalid"
    assert client.set(ConfigMap, "patched", labels={"x": "y"}).metadata.labels == {"x": "y"}


@check
def server_side_apply():
    wanted = ConfigMap(apiVersion="v1", kind="ConfigMap", metadata=ObjectMeta(name="applied"), data={"a": "1"})
    applied = client.apply(wanted)
    assert [f.manager for f in applied.metadata.managedFields] == ["suite"]
    wanted.data = {"a": "2"}
    assert "suite" in refused(409, client.apply, wanted, field_manager="other").message
    forced = client.apply(wanted, field_manager="other", force=True)
    assert forced.data == {"a": "2"} and {f.manager for f in forced.metadata.managedFields} == {"other"}


@check
def watch():
    listed = client.list(ConfigMap)
    assert "watched" not in [m.metadata.name for m in listed]
    start, events = listed.resourceVersion, []

    def follow():
        for op, seen in client.watch(ConfigMap, resource_version=start, fields={"metadata.name": "watched"}, server_timeout=30):
            events.append((op, seen.data))
            if op == "DELETED":
                return
    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    client.create(config_map("watched"))
    client.patch(ConfigMap, "watched", {"data": {"a": "2"}})
    client.delete(ConfigMap, "watched")
    thread.join(30)
    assert events == [("ADDED", {"a": "1"}), ("MODIFIED", {"a": "2"}), ("DELETED", {"a": "2"})], events


@check
def deployment_scale_and_wait():
    labels = {"app": "web"}
    spec = DeploymentSpec(
        replicas=1, selector=LabelSelector(matchLabels=labels),
        template=PodTemplateSpec(metadata=ObjectMeta(labels=labels), spec=pod_spec()))
    client.create(Deployment(metadata=ObjectMeta(name="web"), spec=spec))
    assert client.wait(Deployment, "web", for_conditions=["Available"]).status.readyReplicas == 1
    scale = client.get(Deployment.Scale, "web")
    scale.spec = ScaleSpec(replicas=3)
    assert client.replace(scale, "web").spec.replicas == 3
    eventually(lambda: client.get(Deployment, "web").status.readyReplicas == 3)
    assert client.get(Deployment.Status, "web").status.replicas == 3
    client.delete(Deployment, "web", cascade=CascadeType.FOREGROUND)
    eventually(lambda: not list(client.list(Pod, labels=labels)))


@check
def wait_that_fails():
    job = codecs.from_dict({
        "apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "broken", "namespace": NAMESPACE},
        "spec": {"backoffLimit": 0, "template": {"spec": {"restartPolicy": "Never", "containers": [
            {"name": "main", "image": "example.com/app:1", "command": ["false"]}]}}}})
    client.create(job)
    try:
        client.wait(Job, "broken", for_conditions=["Complete"], raise_for_conditions=["Failed"])
        raise AssertionError("the job is complete")
    except ConditionError as e:
        assert "BackoffLimitExceeded" in str(e) or "backoff limit" in str(e), e


@check
def wait_for_a_deleted_pod():
    client.create(Pod(metadata=ObjectMeta(name="short"), spec=pod_spec()))
    client.wait(Pod, "short", for_conditions=["Ready"])
    threading.Timer(0.5, lambda: client.delete(Pod, "short", grace_period=0)).start()
    try:
        client.wait(Pod, "short", for_conditions=["never"])
        raise AssertionError("the wait has ended")
    except ObjectDeleted:
        pass


@check
def log_and_exec():
    client.create(Pod(metadata=ObjectMeta(name="shell"), spec=pod_spec()))
    client.wait(Pod, "shell", for_conditions=["Ready"])
    assert "".join(client.log("shell")).count("\n") >= 1
    assert len(list(client.log("shell", tail_lines=1, timestamps=True))) == 1
    assert refused(400, lambda: list(client.log("shell", container="absent"))).reason == "BadRequest"
    answer = client.exec("shell", command=["echo", "hello"], stdout=True)
    assert (answer.stdout, answer.exit_code) == ("hello\n", 0), answer
    assert client.exec("shell", command=["cat"], stdin="through", stdout=True, timeout=20).stdout == "through"
    answer = client.exec("shell", command=["sh", "-c", "exit 3"], stdout=True, stderr=True)
    assert answer.exit_code == 3, answer


@check
def generic_resources():
    definition = codecs.from_dict({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "toys." + GROUP},
        "spec": {"group": GROUP, "scope": "Namespaced", "names": {"kind": "Toy", "plural": "toys"}, "versions": [{
            "name": "v1", "served": True, "storage": True, "subresources": {"status": {}}, "schema": {"openAPIV3Schema": {
                "type": "object", "properties": {
                    "spec": {"type": "object", "properties": {"size": {"type": "integer", "minimum": 1}}},
                    "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}}}}]}})
    client.create(definition)
    client.wait(CustomResourceDefinition, "toys." + GROUP, for_conditions=["Established"])
    load_in_cluster_generic_resources(client)
    Toy = create_namespaced_resource(GROUP, "v1", "Toy", "toys")
    toy = Toy(metadata=ObjectMeta(name="bear"), spec={"size": 2}, status={"state": "lost"})
    assert client.create(toy).status is None
    assert client.patch(Toy.Status, "bear", {"status": {"state": "found"}}, patch_type=PatchType.MERGE).status == {"state": "found"}
    bad = Toy(metadata=ObjectMeta(name="bad"), spec={"size": 0})
    assert "should be greater than or equal to 1" in refused(422, client.create, bad).message
    assert refused(415, client.patch, Toy, "bear", {"spec": {}}).reason == "UnsupportedMediaType"
    assert [t.spec["size"] for t in client.list(Toy)] == [2]
    client.delete(CustomResourceDefinition, "toys." + GROUP)


@check
def async_client():
    async def work():
        asynchronous = AsyncClient(namespace=NAMESPACE)
        await asynchronous.create(config_map("async", labels={"async": "yes"}))
        names = [m.metadata.name async for m in asynchronous.list(ConfigMap, labels={"async": "yes"})]
        await asynchronous.delete(ConfigMap, "async")
        await asynchronous.close()
        return names
    result = []
    thread = threading.Thread(target=lambda: result.extend(asyncio.run(work())))
    thread.start()
    thread.join(30)
    assert result == ["async"], result


@check
def manifests():
    text = "apiVersion: v1\nkind: Secret\nmetadata: {name: loaded}\nstringData: {k: value}\n---\n" + \
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: loaded}\ndata: {k: v}\n"
    for loaded in codecs.load_all_yaml(text):
        client.create(loaded)
    assert client.get(Secret, "loaded").data == {"k": "dmFsdWU="}


@check
def namespace_deletion():
    client.delete(Namespace, NAMESPACE)
    eventually(lambda: NAMESPACE not in [n.metadata.name for n in client.list(Namespace)], 120)


client.create(Namespace(metadata=ObjectMeta(name=NAMESPACE)))
report("lightkube")
