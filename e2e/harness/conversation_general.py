"""The conversations that are about no kind: documents of the server, bad requests, and what a client finds at the start."""
import json

from conversation_admission import admission
from conversation_kinds import DRY, JSON_PATCH, MERGE, TABLE

AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"


def documents(talk, _):
    """Discovery, versions, health, OpenAPI's index."""
    ask = talk.ask
    _, groups = ask("groups", "GET", "/apis")
    ask("groups with a slash", "GET", "/apis/")
    ask("versions", "GET", "/api")
    ask("versions with a slash", "GET", "/api/")
    for name in unique(["/api/v1"] + ["/apis/" + version["groupVersion"] for group in listed(groups) for version in group["versions"]]):
        ask("resources of " + name, "GET", name)
    for name in unique(group["name"] for group in listed(groups)):
        ask("group " + name, "GET", "/apis/" + name)
    for path in ("/api", "/apis"):
        for words, accept in (("", AGGREGATED), (" or else plain", AGGREGATED + ",application/json"),
                              (" of an old version", AGGREGATED.replace("v2", "v2beta1") + ",application/json"),
                              (" in a bad form", "application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList")):
            ask("aggregated discovery of %s%s" % (path, words), "GET", path, headers={"Accept": accept})
    ask("no group", "GET", "/apis/none.example.com")
    ask("no version", "GET", "/apis/apps/v9")
    ask("no core version", "GET", "/api/v9")
    ask("root", "GET", "/")
    ask("version", "GET", "/version")
    ask("version with a slash", "GET", "/version/")
    for path in ("/healthz", "/livez", "/readyz", "/livez/ping", "/healthz/ping", "/readyz/ping", "/livez/none"):
        ask("health " + path, "GET", path)
    ask("health by POST", "POST", "/livez", "")
    ask("health excluded", "GET", "/livez?exclude=ping")
    ask("health by HEAD", "HEAD", "/livez")
    ask("OpenAPI v3 index", "GET", "/openapi/v3")
    ask("OpenAPI of no group", "GET", "/openapi/v3/apis/none.example.com/v1")
    ask("issuer", "GET", "/.well-known/openid-configuration")
    ask("no path", "GET", "/none")
    ask("no path by POST", "POST", "/none", "{}")
    ask("HEAD of a resource", "HEAD", "/api/v1/namespaces")


def unique(names):
    """The names without repetitions, which a server should not have."""
    return list(dict.fromkeys(names))


def listed(groups):
    return groups.get("groups") or [] if isinstance(groups, dict) else []


def start(talk, resources):
    """The names of each resource's objects in a server that nobody has used."""
    talk.until("/api/v1/namespaces/kube-node-lease", lambda body: True)
    talk.until("/api/v1/namespaces/default/services/kubernetes", lambda body: True)
    for resource in resources:
        if "list" not in resource["verbs"]:
            continue
        root = ("/api/" if "/" not in resource["groupVersion"] else "/apis/") + resource["groupVersion"]
        _, body = talk.ask(None, "GET", root + "/" + resource["name"], keep=False)
        names = sorted("/".join(filter(None, (i["metadata"].get("namespace"), i["metadata"]["name"]))) for i in body.get("items") or []
                       ) if isinstance(body, dict) else []
        # The lease of a server has a name that it makes up.
        names = [name for name in names if not name.startswith("kube-system/apiserver-")]
        talk.steps["objects of %s/%s" % (resource["groupVersion"], resource["name"])] = {
            "request": "GET " + resource["name"], "status": 200, "type": "", "body": names}
    for path in ("namespaces/default", "namespaces/kube-system", "namespaces/default/services/kubernetes",
                 "namespaces/default/endpoints/kubernetes"):
        talk.ask("start: " + path, "GET", "/api/v1/" + path)
    talk.ask("start: endpoint slice", "GET", "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes")


def a_config_map(talk):
    """Creates a ConfigMap named a; returns the path of its collection, and the object."""
    maps = "/api/v1/namespaces/%s/configmaps" % talk.name
    one = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "labels": {"conversation": talk.name}}, "data": {"a": "1"}}
    talk.ask("create", "POST", maps, one)
    return maps, one


def bad_paths(talk, _):
    """Methods and paths that a server refuses, whatever the kind."""
    ask, maps, _ = talk.ask, *a_config_map(talk)
    for method in ("PUT", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "HEAD"):
        ask(method + " of a collection", method, maps, None if method in ("OPTIONS", "HEAD", "TRACE", "PROPFIND") else "{}")
    for method in ("OPTIONS", "TRACE", "PROPFIND", "HEAD"):
        ask(method + " of an object", method, maps + "/a")
    for words, path in (("no resource", "/api/v1/nothings"), ("no resource in a namespace", "/api/v1/namespaces/default/nothings/x"),
                        ("no subresource", maps + "/a/nothing"), ("a path too long", maps + "/a/b/c/d"),
                        ("a namespace without end", "/api/v1/namespaces/default/"),
                        ("double slash", "/api/v1//namespaces"), ("dots", "/api/v1/../v1/namespaces/default"), ("percent", maps + "/%41"),
                        ("bad percent", maps + "/%zz"), ("percent slash", maps + "/a%2Fb"), ("a slash at the end", maps + "/a/"), ("zero", maps + "/%00"),
                        ("nothing after api", "/api/v1/"), ("a group without version", "/apis/apps/deployments"),
                        ("a cluster resource in a namespace", "/api/v1/namespaces/default/nodes"),
                        ("a resource of a namespace at the cluster", "/api/v1/configmaps/a"),
                        ("a capital", "/api/v1/Namespaces"), ("a singular", "/api/v1/namespace")):
        for method in ("GET", "POST", "DELETE"):
            ask("%s: %s" % (words, method), method, path, "{}" if method == "POST" else None)


def negotiation(talk, _):
    """Content types that are sent and accepted."""
    ask, maps, one = talk.ask, *a_config_map(talk)
    for kind in ("text/plain", "application/xml", "application/cbor", "multipart/form-data", "application/json; charset=utf-8",
                 "application/json;q=1", "APPLICATION/JSON", "application/*", "bad", "", "application/vnd.kubernetes.protobuf"):
        ask("create as %r" % kind, "POST", maps, one, query=DRY, content=kind)
        ask("create as %r where no resource is" % kind, "POST", "/api/v1/namespaces/%s/nothings" % talk.name, one, content=kind)
        ask("patch as %r" % kind, "PATCH", maps + "/a", "{}", query=DRY, content=kind)
    for accept in ("*/*", "application/*", "text/html", "text/html,*/*", "application/xml", "application/json;q=0.1,application/yaml;q=0.9",
                   "application/cbor", "application/json;stream=watch", "application/json;as=Table;g=meta.k8s.io;v=v1beta1",
                   "application/json;as=Table;g=meta.k8s.io;v=v2", "application/json;as=Nothing;g=meta.k8s.io;v=v1", "bad", "",
                   "application/json;as=Table;g=meta.k8s.io;v=v9,application/json", "application/json; charset=utf-8",
                   "application/yaml", "application/cbor,application/json", "application/json;pretty=1"):
        ask("get as %r" % accept, "GET", maps + "/a", headers={"Accept": accept})
        ask("error as %r" % accept, "GET", maps + "/none", headers={"Accept": accept})
        ask("list as %r" % accept, "GET", maps, headers={"Accept": accept})
        ask("watch as %r" % accept, "GET", maps + "?watch=1&timeoutSeconds=1", headers={"Accept": accept})


def bodies(talk, _):
    """Bodies that are no object of the resource."""
    ask, maps, one = talk.ask, *a_config_map(talk)
    for words, body in (("null", "null"), ("a number", "7"), ("a text", '"x"'), ("nothing", ""), ("a space", " "), ("deep", "[" * 20000),
                        ("deep objects", '{"a":' * 20000), ("a bad number", '{"a": 01}'), ("a bad escape", '{"a": "\\q"}'),
                        ("bad UTF-8", b'{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":{"a":"\xff"}}'),
                        ("two documents", json.dumps(one) + json.dumps(one)), ("an end without begin", json.dumps(one) + "}"),
                        ("a kind that is a number", '{"apiVersion":"v1","kind":7}'), ("a large number", '{"apiVersion":"v1","kind":"ConfigMap","metadata":'
                                                                                        '{"name":"x","generation":1e400}}'),
                        ("metadata of a wrong type", dict(one, metadata=[])), ("labels of a wrong type", dict(one, metadata={"name": "x", "labels": [1]})),
                        ("data of numbers", dict(one, data={"a": 1})), ("data null", dict(one, data={"a": None}))):
        ask("create of %s" % words, "POST", maps, body, query=DRY)
        ask("update of %s" % words, "PUT", maps + "/a", body, query=DRY)
    ask("create of a list", "POST", maps, {"apiVersion": "v1", "kind": "List", "items": [one]}, query=DRY)
    ask("create of its list", "POST", maps, {"apiVersion": "v1", "kind": "ConfigMapList", "items": [one]}, query=DRY)
    ask("create of 4 MB", "POST", maps, dict(one, data={"a": "x" * (4 << 20)}), query=DRY)
    ask("create of 2 MB", "POST", maps, dict(one, data={"a": "x" * (2 << 20)}), query=DRY)
    ask("patch of 4 MB", "PATCH", maps + "/a", {"data": {"a": "x" * (4 << 20)}}, content=MERGE, query=DRY)
    ask("patch with 10001 operations", "PATCH", maps + "/a", [{"op": "test", "path": "/kind", "value": "ConfigMap"}] * 10001, content=JSON_PATCH)


def queries(talk, _):
    """Parameters of each verb."""
    ask, maps, one = talk.ask, *a_config_map(talk)
    ask("watch of a bad resource", "GET", "/api/v1/nothings?watch=1")
    for query in ("limit=-1", "limit=x", "limit=1.5", "timeoutSeconds=x", "timeoutSeconds=-1",
                  "watch=x&timeoutSeconds=1", "watch=maybe&timeoutSeconds=1", "resourceVersion=-1", "resourceVersion=x",
                  "resourceVersion=99999999999999999999", "continue=%21", "continue=e30", "labelSelector=%3D", "labelSelector=a%3Db%2C%2C", "labelSelector=!a",
                  "labelSelector=a+in+%28b%2Cc%29", "labelSelector=a+gt+1", "labelSelector=a%3E1", "labelSelector=a%3Dbad+value",
                  "fieldSelector=metadata.name%21%3Da",
                  "fieldSelector=metadata.namespace%3Dx", "fieldSelector=a", "fieldSelector=data.a%3D1", "pretty=true", "pretty=false",
                  "pretty=1", "unknown=1", "%zz=1", "a=%zz",
                  "limit=1&limit=2", "allowWatchBookmarks=x", "sendInitialEvents=true", "sendInitialEvents=x&watch=1",
                  "resourceVersionMatch=Exact&resourceVersion=0", "resourceVersionMatch=NotOlderThan", "resourceVersion=1&resourceVersionMatch=Exact",
                  "continue=x&resourceVersionMatch=Exact&resourceVersion=1", "timeout=x", "timeout=-1s", "timeout=10s", "timeout=1000h", "shardSelector=x"):
        ask("list with %s" % query, "GET", maps, query=query)
    for query in ("dryRun=all", "dryRun=", "dryRun=All&dryRun=All", "fieldManager=%00", "fieldManager=", "fieldValidation=strict", "pretty=true", "timeout=x",
                  "dryRun=All&timeout=1s", "unknown=1&dryRun=All"):
        ask("create with %s" % query, "POST", maps, dict(one, metadata={"name": "q"}), query=query)
        ask("patch with %s" % query, "PATCH", maps + "/a", {}, content=MERGE, query=query)
        ask("delete with %s" % query, "DELETE", maps + "/q", query=query)
    for query in ("watch=1&resourceVersion=1", "watch=1&resourceVersion=99999999999", "watch=1&resourceVersion=x", "watch=1&resourceVersion=-1",
                  "watch=1&limit=1",
                  "watch=1&continue=x", "watch=1&fieldSelector=a", "watch=1&resourceVersionMatch=Exact&resourceVersion=1",
                  "watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=1",
                  "watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=Exact"):
        ask("watch with %s" % query, "GET", maps, query=query + "&timeoutSeconds=1")
    ask("table of an error", "GET", maps + "/none", headers=TABLE)
    ask("delete of a namespace that is absent", "DELETE", "/api/v1/namespaces/absent")
    ask("impersonation of nobody", "GET", maps, headers={"Impersonate-Group": "x"})
    for name in ("default", "kube-system", "kube-public"):
        ask("delete of " + name, "DELETE", "/api/v1/namespaces/" + name, query=DRY)


GENERAL = {"start": start, "admission": admission, "documents": documents, "bad-paths": bad_paths, "negotiation": negotiation, "bodies": bodies, "queries": queries}
