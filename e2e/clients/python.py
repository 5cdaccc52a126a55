"""The official Python client, unmodified, against the server of KUBECONFIG. Prints a line per check and a summary; exits with 1 if a check failed."""

import datetime
import threading
import time
import uuid

import yaml
from checks import check, eventually, report
from kubernetes import client, config, dynamic, utils, watch
from kubernetes.client.exceptions import ApiException
from kubernetes.leaderelection import electionconfig, leaderelection
from kubernetes.leaderelection.resourcelock.leaselock import LeaseLock

config.load_kube_config()
core, apps, batch = client.CoreV1Api(), client.AppsV1Api(), client.BatchV1Api()
NAMESPACE = "python-" + uuid.uuid4().hex[:8]
def refused(status, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except ApiException as e:
        assert e.status == status, "%s: %s" % (e.status, e.body)
        return yaml.safe_load(e.body)
    raise AssertionError("not refused")


def raw(method, path, headers=None, body=None):
    """A request beside the typed methods, through the client's own connection and credentials."""
    api = client.ApiClient()
    headers = dict(headers or {}, **{k: v for k, v in core.api_client.default_headers.items()})
    for setting in api.configuration.auth_settings().values():
        headers[setting["key"]] = setting["value"]
    answer = api.call_api(method, api.configuration.host + path, headers, body)
    data = answer.read() or answer.data
    if answer.status >= 300:
        raise ApiException(status=answer.status, body=data.decode())
    return yaml.safe_load(data)


def config_map(name, data=None, labels=None):
    return client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name, labels=labels), data=data or {"a": "1"})


def template(labels):
    container = client.V1Container(name="main", image="example.com/app:1", ports=[client.V1ContainerPort(container_port=80)])
    return client.V1PodTemplateSpec(metadata=client.V1ObjectMeta(labels=labels), spec=client.V1PodSpec(containers=[container]))


def deployment(name, replicas=1):
    labels = {"app": name}
    selector = client.V1LabelSelector(match_labels=labels)
    spec = client.V1DeploymentSpec(replicas=replicas, selector=selector, template=template(labels))
    return client.V1Deployment(metadata=client.V1ObjectMeta(name=name, labels=labels), spec=spec)


@check
def version():
    answer = client.VersionApi().get_code()
    assert answer.major == "1" and answer.git_version.startswith("v1.") and answer.platform, answer


@check
def discovery():
    names = {g.name for g in client.ApisApi().get_api_versions().groups}
    assert {"apps", "batch", "coordination.k8s.io", "apiextensions.k8s.io", "rbac.authorization.k8s.io"} <= names, names
    kinds = {r.name: r for r in core.get_api_resources().resources}
    assert "po" in kinds["pods"].short_names and "pods/eviction" in kinds and kinds["pods/binding"].kind == "Binding"
    assert kinds["pods"].storage_version_hash, "no storageVersionHash"


@check
def openapi_v3():
    paths = raw("GET", "/openapi/v3", {"Accept": "application/json"})["paths"]
    assert "apis/apps/v1" in paths and paths["api/v1"]["serverRelativeURL"].startswith("/openapi/v3/api/v1?hash=")


@check
def config_map_crud():
    made = core.create_namespaced_config_map(NAMESPACE, config_map("crud"))
    assert made.metadata.uid and made.metadata.creation_timestamp.tzinfo is not None
    refused(409, core.create_namespaced_config_map, NAMESPACE, config_map("crud"))
    made.data["b"] = "2"
    replaced = core.replace_namespaced_config_map("crud", NAMESPACE, made)
    assert replaced.data == {"a": "1", "b": "2"}
    assert refused(409, core.replace_namespaced_config_map, "crud", NAMESPACE, made)["reason"] == "Conflict"
    patched = core.patch_namespaced_config_map("crud", NAMESPACE, {"data": {"a": None, "c": "3"}})
    assert patched.data == {"b": "2", "c": "3"}
    status = core.delete_namespaced_config_map("crud", NAMESPACE)
    assert status["status"] == "Success" and status["details"]["name"] == "crud", status
    assert refused(404, core.read_namespaced_config_map, "crud", NAMESPACE)["reason"] == "NotFound"


@check
def binary_data():
    core.create_namespaced_secret(NAMESPACE, client.V1Secret(metadata=client.V1ObjectMeta(name="s"), string_data={"k": "value"}))
    read = core.read_namespaced_secret("s", NAMESPACE)
    assert read.data == {"k": "dmFsdWU="} and read.type == "Opaque" and read.string_data is None


@check
def json_patch():
    core.create_namespaced_config_map(NAMESPACE, config_map("jp"))
    ops = [{"op": "test", "path": "/data/a", "value": "1"}, {"op": "replace", "path": "/data/a", "value": "x"}]
    assert core.patch_namespaced_config_map("jp", NAMESPACE, ops).data == {"a": "x"}
    assert refused(422, core.patch_namespaced_config_map, "jp", NAMESPACE, ops)["reason"] == "Invalid"


@check
def pretty_and_dry_run():
    core.create_namespaced_config_map(NAMESPACE, config_map("dry"), dry_run="All", pretty="true", field_validation="Strict")
    refused(404, core.read_namespaced_config_map, "dry", NAMESPACE)
    path = "/api/v1/namespaces/%s/configmaps?fieldValidation=Strict" % NAMESPACE
    bad = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "dry"}, "daat": {}}
    answer = refused(400, raw, "POST", path, {"Content-Type": "application/json"}, bad)
    assert 'unknown field "daat"' in answer["message"], answer


@check
def list_pages_and_selectors():
    for i in range(5):
        core.create_namespaced_config_map(NAMESPACE, config_map("page-%d" % i, labels={"set": "page", "odd": str(i % 2)}))
    page = core.list_namespaced_config_map(NAMESPACE, label_selector="set=page", limit=2)
    assert len(page.items) == 2 and page.metadata._continue and page.metadata.remaining_item_count is None
    more = core.list_namespaced_config_map(NAMESPACE, label_selector="set=page", limit=10, _continue=page.metadata._continue)
    assert len(more.items) == 3 and more.metadata.resource_version == page.metadata.resource_version
    assert len(core.list_namespaced_config_map(NAMESPACE, label_selector="set in (page),odd!=1").items) == 3
    assert len(core.list_namespaced_config_map(NAMESPACE, field_selector="metadata.name=page-3").items) == 1
    exact = core.list_namespaced_config_map(
        NAMESPACE, label_selector="set", resource_version=page.metadata.resource_version, resource_version_match="Exact")
    assert exact.metadata.resource_version == page.metadata.resource_version
    assert core.list_namespaced_config_map(NAMESPACE, resource_version="0", resource_version_match="NotOlderThan").items
    refused(400, core.list_namespaced_config_map, NAMESPACE, field_selector="spec.nothing=1")


@check
def delete_collection():
    status = core.delete_collection_namespaced_config_map(NAMESPACE, label_selector="set=page")
    assert status.kind in ("Status", "ConfigMapList"), status
    assert not core.list_namespaced_config_map(NAMESPACE, label_selector="set=page").items


@check
def watch_sees_each_change():
    core.create_namespaced_config_map(NAMESPACE, config_map("w0", labels={"w": "1"}))
    listed = core.list_namespaced_config_map(NAMESPACE, label_selector="w=1")
    threading.Timer(0.2, lambda: (
        core.patch_namespaced_config_map("w0", NAMESPACE, {"data": {"a": "2"}}),
        core.patch_namespaced_config_map("w0", NAMESPACE, {"metadata": {"labels": {"w": None}}}))).start()
    seen = []
    w = watch.Watch()
    for event in w.stream(core.list_namespaced_config_map, NAMESPACE, label_selector="w=1",
                          resource_version=listed.metadata.resource_version, timeout_seconds=30):
        seen.append((event["type"], event["object"].metadata.name))
        if event["type"] == "DELETED":
            w.stop()
    assert seen == [("MODIFIED", "w0"), ("DELETED", "w0")], seen


@check
def watch_without_version_begins_with_the_present():
    seen = []
    for event in watch.Watch().stream(core.list_namespaced_config_map, NAMESPACE, field_selector="metadata.name=w0", timeout_seconds=2):
        seen.append(event["type"])
    assert seen == ["ADDED"], seen


@check
def watch_bookmarks():
    types = []
    for event in watch.Watch().stream(core.list_namespaced_config_map, NAMESPACE, send_initial_events=True, allow_watch_bookmarks=True,
                                      resource_version_match="NotOlderThan", timeout_seconds=3):
        types.append(event["type"])
    assert "BOOKMARK" in types and types[0] == "ADDED", types


@check
def version_of_the_future():
    answer = refused(504, core.list_namespaced_config_map, NAMESPACE, resource_version="9999999999999999")
    assert answer["details"]["causes"][0]["reason"] == "ResourceVersionTooLarge", answer


@check
def deployment_rolls_out():
    apps.create_namespaced_deployment(NAMESPACE, deployment("web", 2))
    eventually(lambda: apps.read_namespaced_deployment_status("web", NAMESPACE).status.available_replicas == 2)
    apps.patch_namespaced_deployment("web", NAMESPACE, {"spec": {"template": {"spec": {"containers": [{"name": "main", "image": "example.com/app:2"}]}}}})
    eventually(lambda: apps.read_namespaced_deployment("web", NAMESPACE).status.observed_generation == 2)
    eventually(lambda: apps.read_namespaced_deployment("web", NAMESPACE).status.updated_replicas == 2)
    assert len(apps.list_namespaced_replica_set(NAMESPACE, label_selector="app=web").items) == 2


@check
def scale_subresource():
    scale = apps.read_namespaced_deployment_scale("web", NAMESPACE)
    assert scale.kind == "Scale" and scale.spec.replicas == 2 and scale.status.selector == "app=web"
    scale.metadata.resource_version = None  # the controller writes too
    scale.spec.replicas = 3
    assert apps.replace_namespaced_deployment_scale("web", NAMESPACE, scale).spec.replicas == 3
    assert apps.patch_namespaced_deployment_scale("web", NAMESPACE, {"spec": {"replicas": 1}}).spec.replicas == 1
    eventually(lambda: apps.read_namespaced_deployment("web", NAMESPACE).status.replicas == 1)


@check
def status_subresource():
    body = {"status": {"conditions": [{"type": "Progressing", "status": "Unknown", "reason": "x", "message": "y"}]}}
    patched = apps.patch_namespaced_deployment_status("web", NAMESPACE, body)
    assert any(c.reason == "x" for c in patched.status.conditions), patched.status


@check
def pod_lifecycle():
    spec = template({"app": "one"}).spec
    core.create_namespaced_pod(NAMESPACE, client.V1Pod(metadata=client.V1ObjectMeta(name="one", labels={"app": "one"}), spec=spec))
    pod = eventually(lambda: (lambda p: p if p.status.phase == "Running" else None)(core.read_namespaced_pod("one", NAMESPACE)))
    assert pod.spec.node_name and pod.status.pod_ip and pod.spec.dns_policy == "ClusterFirst" and pod.status.qos_class == "BestEffort"
    refused(422, core.patch_namespaced_pod, "one", NAMESPACE, {"spec": {"restartPolicy": "Never"}})
    eviction = client.V1Eviction(metadata=client.V1ObjectMeta(name="one", namespace=NAMESPACE))
    assert core.create_namespaced_pod_eviction("one", NAMESPACE, eviction, _preload_content=False).status == 201
    eventually(lambda: not core.list_namespaced_pod(NAMESPACE, field_selector="metadata.name=one").items)


@check
def pod_binding():
    spec = template({"app": "bound"}).spec
    spec.scheduling_gates = [client.V1PodSchedulingGate(name="example.com/hold")]
    core.create_namespaced_pod(NAMESPACE, client.V1Pod(metadata=client.V1ObjectMeta(name="bound"), spec=spec))
    node = core.list_node().items[0].metadata.name
    binding = client.V1Binding(metadata=client.V1ObjectMeta(name="bound"), target=client.V1ObjectReference(kind="Node", name=node))
    bind = (core.create_namespaced_pod_binding, "bound", NAMESPACE, binding)
    assert "has non-empty .spec.schedulingGates" in refused(409, *bind)["message"]
    core.patch_namespaced_pod("bound", NAMESPACE, [{"op": "remove", "path": "/spec/schedulingGates"}])
    try:
        bind[0](*bind[1:], _preload_content=False)
    except ApiException as e:  # a scheduler was faster
        assert e.status == 409 and b"is already assigned to node" in e.body.encode(), e
    assert core.read_namespaced_pod("bound", NAMESPACE).spec.node_name


@check
def service_and_endpoints():
    spec = client.V1ServiceSpec(selector={"app": "web"}, ports=[client.V1ServicePort(port=80, target_port=80)])
    made = core.create_namespaced_service(NAMESPACE, client.V1Service(metadata=client.V1ObjectMeta(name="web"), spec=spec))
    assert made.spec.cluster_ip and made.spec.type == "ClusterIP" and made.spec.ports[0].target_port == 80
    slices = client.DiscoveryV1Api()
    eventually(lambda: [e for s in slices.list_namespaced_endpoint_slice(NAMESPACE, label_selector="kubernetes.io/service-name=web").items
                        for e in s.endpoints or []])


@check
def job_completes_its_object():
    spec = template(None)
    spec.spec.restart_policy = "Never"
    job = client.V1Job(metadata=client.V1ObjectMeta(name="once"), spec=client.V1JobSpec(template=spec, backoff_limit=1))
    made = batch.create_namespaced_job(NAMESPACE, job)
    assert made.spec.completions == 1 and made.spec.completion_mode == "NonIndexed"
    eventually(lambda: batch.read_namespaced_job("once", NAMESPACE).status.active == 1)
    batch.delete_namespaced_job("once", NAMESPACE, propagation_policy="Foreground")
    eventually(lambda: not batch.list_namespaced_job(NAMESPACE).items)
    eventually(lambda: not core.list_namespaced_pod(NAMESPACE, label_selector="job-name=once").items)


@check
def events():
    reference = client.V1ObjectReference(kind="ConfigMap", name="w0", namespace=NAMESPACE, api_version="v1")
    now = datetime.datetime.now(datetime.timezone.utc)
    event = client.CoreV1Event(metadata=client.V1ObjectMeta(name="e1"), involved_object=reference, reason="R", message="m", type="Normal",
                               first_timestamp=now, last_timestamp=now, count=1, source=client.V1EventSource(component="python"))
    core.create_namespaced_event(NAMESPACE, event)
    other = raw("GET", "/apis/events.k8s.io/v1/namespaces/%s/events/e1" % NAMESPACE)
    assert other["regarding"]["name"] == "w0" and other["note"] == "m" and other["deprecatedCount"] == 1 and other["eventTime"] is None
    assert core.list_namespaced_event(NAMESPACE, field_selector="involvedObject.name=w0,reason=R").items
    newer = client.EventsV1Event(metadata=client.V1ObjectMeta(name="e2"), event_time=now, reporting_controller="example.com/c",
                                 reporting_instance="i", action="A", reason="R", type="Warning", regarding=reference, note="n")
    assert client.EventsV1Api().create_namespaced_event(NAMESPACE, newer).event_time.microsecond == now.microsecond


@check
def leases():
    api = client.CoordinationV1Api()
    now = datetime.datetime(2026, 1, 2, 3, 4, 5, 678901, datetime.timezone.utc)
    spec = client.V1LeaseSpec(holder_identity="me", lease_duration_seconds=15, acquire_time=now, renew_time=now)
    api.create_namespaced_lease(NAMESPACE, client.V1Lease(metadata=client.V1ObjectMeta(name="l"), spec=spec))
    assert api.read_namespaced_lease("l", NAMESPACE).spec.renew_time == now


@check
def leader_election():
    led = threading.Event()
    lock = LeaseLock("leader", NAMESPACE, "candidate-1")
    setup = electionconfig.Config(lock, lease_duration=4, renew_deadline=3, retry_period=1, onstarted_leading=led.set, onstopped_leading=None)
    threading.Thread(target=leaderelection.LeaderElection(setup).run, daemon=True).start()
    assert led.wait(30), "nobody leads"
    assert client.CoordinationV1Api().read_namespaced_lease("leader", NAMESPACE).spec.holder_identity == "candidate-1"


@check
def self_reviews():
    attributes = client.V1ResourceAttributes(verb="create", resource="pods", namespace=NAMESPACE)
    review = client.V1SelfSubjectAccessReview(spec=client.V1SelfSubjectAccessReviewSpec(resource_attributes=attributes))
    assert client.AuthorizationV1Api().create_self_subject_access_review(review).status.allowed
    rules = client.V1SelfSubjectRulesReview(spec=client.V1SelfSubjectRulesReviewSpec(namespace=NAMESPACE))
    assert client.AuthorizationV1Api().create_self_subject_rules_review(rules).status.resource_rules
    me = client.AuthenticationV1Api().create_self_subject_review(client.V1SelfSubjectReview())
    assert me.status.user_info.username and "system:authenticated" in me.status.user_info.groups


@check
def service_account_token():
    core.create_namespaced_service_account(NAMESPACE, client.V1ServiceAccount(metadata=client.V1ObjectMeta(name="robot")))
    request = client.AuthenticationV1TokenRequest(spec=client.V1TokenRequestSpec(audiences=[], expiration_seconds=600))
    token = core.create_namespaced_service_account_token("robot", NAMESPACE, request).status.token
    review = client.V1TokenReview(spec=client.V1TokenReviewSpec(token=token))
    answer = client.AuthenticationV1Api().create_token_review(review).status
    assert answer.authenticated and answer.user.username == "system:serviceaccount:%s:robot" % NAMESPACE, answer


@check
def wrong_token():
    other = client.Configuration.get_default_copy()
    other.cert_file = other.key_file = None
    other.refresh_api_key_hook = None
    other.api_key = {"authorization": "Bearer wrong", "BearerToken": "Bearer wrong"}
    answer = refused(401, client.CoreV1Api(client.ApiClient(other)).list_namespace)
    assert answer["reason"] == "Unauthorized" and answer["message"] == "Unauthorized", answer


@check
def quota_and_limits():
    core.create_namespaced_limit_range(NAMESPACE, {"metadata": {"name": "lr"}, "spec": {"limits": [{"type": "Container", "default": {"cpu": "100m"}}]}})
    core.create_namespaced_resource_quota(NAMESPACE, {"metadata": {"name": "q"}, "spec": {"hard": {"secrets": "20"}}})
    quota = eventually(lambda: (lambda q: q if q.status.hard else None)(core.read_namespaced_resource_quota("q", NAMESPACE)))
    assert quota.status.hard == {"secrets": "20"}
    core.delete_namespaced_limit_range("lr", NAMESPACE)
    core.delete_namespaced_resource_quota("q", NAMESPACE)


GROUP = "python-%s.example.com" % uuid.uuid4().hex[:6]


def definition():
    schema = {"type": "object", "properties": {
        "spec": {"type": "object", "required": ["size"], "properties": {"size": {"type": "integer", "minimum": 1}, "color": {"type": "string", "default": "red"}, "weight": {"type": "number"}}},
        "status": {"type": "object", "properties": {"ready": {"type": "boolean"}, "replicas": {"type": "integer"}}}}}
    v1 = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema},
          "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.replicas"}},
          "additionalPrinterColumns": [{"name": "Size", "type": "integer", "jsonPath": ".spec.size"}]}
    names = {"plural": "toys", "singular": "toy", "kind": "Toy", "shortNames": ["ty"], "categories": ["all"]}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "toys." + GROUP},
            "spec": {"group": GROUP, "scope": "Namespaced", "names": names, "versions": [v1]}}


def toy(name, **spec):
    return {"apiVersion": GROUP + "/v1", "kind": "Toy", "metadata": {"name": name}, "spec": spec}


@check
def custom_resources():
    extensions = client.ApiextensionsV1Api()
    extensions.create_custom_resource_definition(definition())
    eventually(lambda: [c for c in extensions.read_custom_resource_definition("toys." + GROUP).status.conditions or []
                        if c.type == "Established" and c.status == "True"])
    api = client.CustomObjectsApi()
    where = (GROUP, "v1", NAMESPACE, "toys")
    made = eventually_made(api, where)
    assert made["spec"] == {"size": 2, "color": "red"} and made["metadata"]["generation"] == 1
    assert "should be greater than or equal to 1" in refused(422, api.create_namespaced_custom_object, *where, toy("bad", size=0))["message"]
    made["status"] = {"ready": True}
    assert api.replace_namespaced_custom_object_status(*where, "t", made)["status"] == {"ready": True}
    patched = api.patch_namespaced_custom_object(*where, "t", {"spec": {"size": 5, "weight": 2.0}})
    assert patched["metadata"]["generation"] == 2 and isinstance(patched["spec"]["weight"], int)
    assert api.get_namespaced_custom_object_scale(*where, "t")["spec"]["replicas"] == 5
    assert len(api.list_namespaced_custom_object(*where)["items"]) == 1
    api.delete_namespaced_custom_object(*where, "t")


def eventually_made(api, where):
    def attempt():
        try:
            return api.create_namespaced_custom_object(*where, toy("t", size=2))
        except ApiException as e:
            assert e.status == 404, e
    return eventually(attempt)


@check
def finalizers():
    body = config_map("held")
    body.metadata.finalizers = ["example.com/hold"]
    core.create_namespaced_config_map(NAMESPACE, body)
    core.delete_namespaced_config_map("held", NAMESPACE)
    assert core.read_namespaced_config_map("held", NAMESPACE).metadata.deletion_timestamp
    core.patch_namespaced_config_map("held", NAMESPACE, {"metadata": {"finalizers": None}})
    refused(404, core.read_namespaced_config_map, "held", NAMESPACE)


@check
def preconditions():
    core.create_namespaced_config_map(NAMESPACE, config_map("pre"))
    options = client.V1DeleteOptions(preconditions=client.V1Preconditions(uid="other"))
    answer = refused(409, core.delete_namespaced_config_map, "pre", NAMESPACE, body=options)
    assert "the UID in the precondition" in answer["message"], answer


@check
def dynamic_client():
    dyn = dynamic.DynamicClient(client.ApiClient())
    maps = dyn.resources.get(api_version="v1", kind="ConfigMap")
    maps.create(namespace=NAMESPACE, body={"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "dyn"}, "data": {"a": "1"}})
    assert maps.get(name="dyn", namespace=NAMESPACE).data.a == "1"
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "dyn", "namespace": NAMESPACE}, "data": {"a": "2"}}
    applied = maps.server_side_apply(body=body, field_manager="python", force_conflicts=True)
    assert applied.data.a == "2" and any(m.operation == "Apply" for m in applied.metadata.managedFields)
    assert maps.patch(name="dyn", namespace=NAMESPACE, body={"data": {"b": "3"}}, content_type="application/merge-patch+json").data.b == "3"
    seen = [e["type"] for e in maps.watch(namespace=NAMESPACE, name="dyn", timeout=2)]
    assert seen and seen[0] == "ADDED", seen
    toys = dyn.resources.get(api_version=GROUP + "/v1", kind="Toy")
    toys.create(namespace=NAMESPACE, body=toy("dynamic", size=1))
    assert toys.subresources["status"].patch(name="dynamic", namespace=NAMESPACE, body={"status": {"ready": True}},
                                             content_type="application/merge-patch+json").status.ready
    deployments = dyn.resources.get(api_version="apps/v1", kind="Deployment")
    assert deployments.scale.get(name="web", namespace=NAMESPACE).spec.replicas == 1


@check
def server_side_apply_conflict():
    def apply(manager, value, force=""):
        path = "/api/v1/namespaces/%s/configmaps/ssa?fieldManager=%s%s" % (NAMESPACE, manager, force)
        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "ssa"}, "data": {"a": value}}
        return raw("PATCH", path, {"Content-Type": "application/apply-patch+yaml", "Accept": "application/json"}, body)
    apply("one", "1")
    answer = refused(409, apply, "two", "2")
    assert answer["details"]["causes"][0]["reason"] == "FieldManagerConflict" and "one" in answer["message"], answer
    assert apply("two", "2", "&force=true")["data"] == {"a": "2"}


@check
def tables_and_metadata():
    def get(accept):
        return raw("GET", "/api/v1/namespaces/%s/configmaps" % NAMESPACE, {"Accept": accept})
    assert get("application/json;as=Table;v=v1;g=meta.k8s.io,application/json")["kind"] == "Table"
    listed = get("application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io")
    assert listed["kind"] == "PartialObjectMetadataList" and "data" not in listed["items"][0]
    assert get("application/cbor;q=0.1,application/json")["kind"] == "ConfigMapList"


@check
def create_from_yaml():
    text = """
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: y1}}
- {apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: y2}, rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]}
"""
    utils.create_from_yaml(client.ApiClient(), yaml_objects=[yaml.safe_load(text)], namespace=NAMESPACE)
    assert client.RbacAuthorizationV1Api().read_namespaced_role("y2", NAMESPACE).rules[0].resources == ["pods"]


@check
def service_account_of_the_namespace():
    eventually(lambda: [s for s in core.list_namespaced_service_account(NAMESPACE).items if s.metadata.name == "default"])


@check
def namespace_deletion():
    core.delete_namespace(NAMESPACE)
    assert core.read_namespace(NAMESPACE).status.phase == "Terminating"
    eventually(lambda: NAMESPACE not in [n.metadata.name for n in core.list_namespace().items], 120)
    client.ApiextensionsV1Api().delete_custom_resource_definition("toys." + GROUP)


core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name=NAMESPACE)))
report("python")
