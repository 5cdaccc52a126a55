"""The Python client kr8s, unmodified, against the server of KUBECONFIG: its asynchronous API, and `kr8s.get` of the synchronous one."""

import asyncio
import threading
import uuid

import httpx
import kr8s
from checks import check, report
from kr8s.asyncio import api as make_api
from kr8s.asyncio.objects import ConfigMap, Deployment, Job, Namespace, Node, Pod, Service, new_class

NAMESPACE = "kr8s-" + uuid.uuid4().hex[:8]
GROUP = NAMESPACE + ".example.com"


def config_map(name, **metadata):
    return {"metadata": dict(metadata, name=name, namespace=NAMESPACE), "data": {"a": "1"}}


def pod_spec(**fields):
    return dict({"containers": [{"name": "main", "image": "example.com/app:1", "ports": [{"containerPort": 8080}]}]}, **fields)


def deployment(name, replicas):
    labels = {"app": name}
    spec = {"replicas": replicas, "selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": pod_spec()}}
    return {"metadata": {"name": name, "namespace": NAMESPACE}, "spec": spec}


async def refused(code, call):
    try:
        await call
    except kr8s.ServerError as e:
        assert e.response.status_code == code, e
        return e.response.json()
    raise AssertionError("not refused")


@check
async def namespace():
    await (await Namespace({"metadata": {"name": NAMESPACE}})).create()


@check
async def version_and_discovery():
    api = await make_api()
    assert (await api.version())["major"] == "1"
    names = {r["name"] for r in await api.api_resources()}
    assert {"pods", "deployments", "leases", "customresourcedefinitions"} <= names
    assert "apps/v1" in [v async for v in api.api_versions()]
    assert (await api.lookup_kind("deploy"))[1] == "deployments"


@check
async def who_am_i():
    assert await (await make_api()).whoami()


@check
async def objects():
    made = await ConfigMap(config_map("crud"))
    await made.create()
    assert made.metadata.uid and await made.exists()
    assert (await refused(409, (await ConfigMap(config_map("crud"))).create()))["reason"] == "AlreadyExists"
    await made.patch({"data": {"b": "2", "a": None}})
    assert dict(made.data) == {"b": "2"}
    await made.patch([{"op": "add", "path": "/data/c", "value": "3"}], type="json")
    assert dict(made.data) == {"b": "2", "c": "3"}
    await made.label({"x": "y"})
    await made.annotate({"note": "text"})
    read = await ConfigMap.get("crud", namespace=NAMESPACE)
    assert read.labels == {"x": "y"} and read.annotations == {"note": "text"}
    await read.remove_label("x")
    await made.delete()
    assert not await made.exists()
    try:
        await ConfigMap.get("crud", namespace=NAMESPACE, timeout=1)
        raise AssertionError("found")
    except kr8s.NotFoundError:
        pass


@check
async def pages_and_selectors():
    api = await make_api()
    for i in range(105):  # a page of this client has 100 objects
        await (await ConfigMap(config_map("page-%d" % i, labels={"set": "page", "odd": str(i % 2)}))).create()
    assert len([m async for m in api.get("configmaps", namespace=NAMESPACE, label_selector={"set": "page"})]) == 105
    assert len([m async for m in api.get("configmaps", namespace=NAMESPACE, label_selector="set=page,odd!=1")]) == 53
    assert [m.name async for m in api.get("cm", "page-3", "page-4", namespace=NAMESPACE)] == ["page-3", "page-4"]
    assert len([m async for m in api.get("configmaps", namespace=kr8s.ALL, field_selector={"metadata.name": "page-5"})]) == 1


@check
async def tables():
    from kr8s.asyncio.objects import Table
    api = await make_api()
    table = [t async for t in api.get("configmaps", namespace=NAMESPACE, as_object=Table)][0]
    assert [c["name"] for c in table.column_definitions][:2] == ["Name", "Data"] and len(table.rows) >= 105


@check
async def watch():
    api = await make_api()
    events = []

    async def follow():
        async for kind, seen in api.watch("configmaps", namespace=NAMESPACE, field_selector={"metadata.name": "watched"}):
            events.append(kind)
            if kind == "DELETED":
                return
    follower = asyncio.ensure_future(follow())
    await asyncio.sleep(0)
    made = await ConfigMap(config_map("watched"))
    await made.create()
    await made.patch({"data": {"a": "2"}})
    while "ADDED" not in events:
        await asyncio.sleep(0.05)
    await made.delete()
    await asyncio.wait_for(follower, 30)
    assert events[0] == "ADDED" and events[-1] == "DELETED", events


@check
async def deployment_scale_and_wait():
    web = await Deployment(deployment("web", 1))
    await web.create()
    await web.wait("condition=Available", timeout=60)
    await web.scale(3)
    await web.wait("jsonpath='{.status.readyReplicas}'=3", timeout=60)
    assert len(await web.pods()) == 3 and await web.ready()
    await web.delete(propagation_policy="Foreground")
    await web.wait("delete", timeout=60)


@check
async def jobs_complete():
    job = await Job({"metadata": {"name": "once", "namespace": NAMESPACE}, "spec": {"template": {"spec": pod_spec(restartPolicy="Never")}}})
    await job.create()
    await job.wait(["condition=Complete", "condition=Failed"], timeout=60)
    await job.refresh()
    assert job.status.succeeded == 1


@check
async def logs_and_exec():
    pod = await Pod({"metadata": {"name": "shell", "namespace": NAMESPACE, "labels": {"app": "shell"}}, "spec": pod_spec()})
    await pod.create()
    await pod.wait("condition=Ready", timeout=60)
    assert await pod.ready() and [line async for line in pod.logs()]
    assert len([line async for line in pod.logs(tail_lines=1, timestamps=True)]) == 1
    answer = await pod.exec(["echo", "hello"])
    assert (answer.stdout, answer.returncode) == (b"hello\n", 0), answer
    assert (await pod.exec(["sh", "-c", "exit 3"], check=False)).returncode == 3


@check
async def port_forward():
    pod = await Pod.get("shell", namespace=NAMESPACE)
    async with pod.portforward(8080, local_port="auto") as port:
        async with httpx.AsyncClient() as http:
            answer = await http.get("http://127.0.0.1:%d/path" % port, timeout=20)
    assert answer.status_code == 200 and "/path" in answer.text, answer.text


@check
async def service_proxy():
    service = await Service({"metadata": {"name": "shell", "namespace": NAMESPACE},
                             "spec": {"selector": {"app": "shell"}, "ports": [{"port": 80, "targetPort": 8080}]}})
    await service.create()
    while not await service.ready_pods():
        await asyncio.sleep(0.1)
    deadline = asyncio.get_running_loop().time() + 30
    while True:
        try:
            answer = await service.proxy_http_get("some/path")
            break
        except kr8s.ServerError as e:  # 503 until there are endpoints
            assert e.response.status_code == 503 and asyncio.get_running_loop().time() < deadline, e
            await asyncio.sleep(0.2)
    assert answer.status_code == 200 and "/some/path" in answer.text, answer.text


@check
async def nodes():
    node = [n async for n in (await make_api()).get("nodes")][0]
    await node.cordon()
    assert (await Node.get(node.name)).unschedulable
    await node.taint("suite", "yes", effect="PreferNoSchedule")
    assert [t.key for t in (await Node.get(node.name)).taints if t.key == "suite"] == ["suite"]
    await node.uncordon()
    assert not (await Node.get(node.name)).unschedulable


@check
async def owners():
    owner = await ConfigMap(config_map("owner"))
    child = await ConfigMap(config_map("child"))
    await owner.create()
    await child.create()
    await owner.adopt(child)
    await owner.delete()
    await child.wait("delete", timeout=60)


@check
async def custom_resources():
    api = await make_api()
    Definition = new_class("CustomResourceDefinition", "apiextensions.k8s.io/v1", namespaced=False)
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"size": {"type": "integer", "minimum": 1}}}}}
    definition = await Definition({
        "metadata": {"name": "toys." + GROUP},
        "spec": {"group": GROUP, "scope": "Namespaced", "names": {"kind": "Toy", "plural": "toys"}, "versions": [
            {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}]}})
    await definition.create()
    await definition.wait("condition=Established", timeout=30)
    Toy = new_class("Toy", GROUP + "/v1", namespaced=True, plural="toys")
    toy = await Toy({"metadata": {"name": "bear", "namespace": NAMESPACE}, "spec": {"size": 2}})
    await toy.create()
    assert (await refused(422, toy.patch({"spec": {"size": 0}})))["reason"] == "Invalid"
    assert [t.spec.size async for t in api.get("toys." + GROUP, namespace=NAMESPACE)] == [2]
    await definition.delete()


@check
def synchronous_api():
    found = []
    thread = threading.Thread(target=lambda: found.extend(m.name for m in kr8s.get("configmaps", "page-1", namespace=NAMESPACE)))
    thread.start()
    thread.join(30)
    assert found == ["page-1"], found


@check
async def namespace_deletion():
    namespace = await Namespace.get(NAMESPACE)
    await namespace.delete()
    await namespace.wait("delete", timeout=120)


report("kr8s")
