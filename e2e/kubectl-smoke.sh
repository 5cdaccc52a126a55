#!/usr/bin/env bash
# Every kubectl verb that the embedded API server promises, against `./kubeloop apiserver`, each with an assertion.
#
#   e2e/kubectl-smoke.sh               starts a server of its own and ends it
#   e2e/kubectl-smoke.sh all           with the kubectl on the path and that of kube.sh, one after the other
#   SERVER_URL=http://... e2e/kubectl-smoke.sh   uses one that runs already, with --simulate-kubelet and nothing in it
#
# KUBECTL names the kubectl to test with; the one on the path by default. Needs no cluster.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. e2e/lib.sh

if [ "${1:-}" = all ]; then
    failures=0
    for kubectl in kubectl "$(e2e/kube.sh)/kubectl"; do
        command -v "$kubectl" >/dev/null 2>&1 || continue
        KUBECTL=$kubectl "$0" || failures=$((failures + 1))
    done
    exit $((failures > 0))
fi

work=$(mktemp -d)
trap 'stop_background; rm -rf "$work"' EXIT
find_kubectl

if [ -z "${SERVER_URL:-}" ]; then
    background apiserver ./kubeloop apiserver --port 0 --simulate-kubelet --kubeconfig-out "$work/kubeconfig"
    PATIENCE=600 await_line apiserver '^listening on '
else
    cat >"$work/kubeconfig" <<EOF
apiVersion: v1
kind: Config
clusters: [{name: kubeloop, cluster: {server: "$SERVER_URL"}}]
contexts: [{name: kubeloop, context: {cluster: kubeloop, user: kubeloop}}]
users: [{name: kubeloop, user: {}}]
current-context: kubeloop
EOF
fi
export KUBECONFIG=$work/kubeconfig HOME=$work
k() { "$KUBECTL" "$@"; }
minor=$(k version --client -o json | sed -n 's/.*"minor": "\([0-9]*\).*/\1/p' | head -n 1)
note "kubectl 1.$minor"

# says WHAT PATTERN COMMAND...: the command succeeds and its output has a line that matches.
says() {
    local what=$1 pattern=$2 output
    shift 2
    if output=$("$@" 2>&1) && grep -Eq -- "$pattern" <<<"$output"; then
        passed=$((passed + 1))
        printf 'ok    %s\n' "$what"
    else
        failed=$((failed + 1))
        printf 'FAIL  %s\n      wanted a line like: %s\n      got: %s\n' "$what" "$pattern" "$output"
    fi
}

# refuses WHAT PATTERN COMMAND...: the command fails and says why.
refuses() {
    local what=$1 pattern=$2 output
    shift 2
    if output=$("$@" 2>&1); then
        failed=$((failed + 1))
        printf 'FAIL  %s\n      it succeeded: %s\n' "$what" "$output"
    elif grep -Eq -- "$pattern" <<<"$output"; then
        passed=$((passed + 1))
        printf 'ok    %s\n' "$what"
    else
        failed=$((failed + 1))
        printf 'FAIL  %s\n      wanted an error like: %s\n      got: %s\n' "$what" "$pattern" "$output"
    fi
}

cat >"$work/web.yaml" <<'EOF'
apiVersion: v1
kind: Pod
metadata: {name: web-1, labels: {app: web}}
spec:
  containers:
  - {name: main, image: example.com/web:1, ports: [{containerPort: 8080}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  selector: {app: web}
  ports: [{port: 80, targetPort: 8080}]
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: api, labels: {app: api}}
spec:
  replicas: 0
  selector: {matchLabels: {app: api}}
  template:
    metadata: {labels: {app: api}}
    spec:
      containers:
      - {name: main, image: example.com/api:1}
EOF

note "discovery"
says "version names the server" 'v1\.[0-9]+\.[0-9]+\+kubeloop' k version -o json
says "api-resources lists short names" '^replicasets +rs ' k api-resources --no-headers
says "api-versions lists groups" '^coordination.k8s.io/v1$' k api-versions
if [ "$minor" -ge 27 ]; then
    says "explain" '^ +hostNetwork.*boolean' k explain pod.spec
fi
says "api-resources lists what it serves" '^validatingadmissionpolicies .* ValidatingAdmissionPolicy' k api-resources --no-headers
says "api-resources by group" '^ingresses +ing ' k api-resources --api-group=networking.k8s.io
says "api-resources by verb" '^serviceaccounts ' k api-resources --verbs=deletecollection --namespaced
says "api-resources with verbs and categories" '^pods +po .*deletecollection.*( all)?$' k api-resources -o wide
if [ "$minor" -ge 27 ]; then
    says "explain --recursive" '^ +rollingUpdate' k explain deployments --recursive
    says "explain a field" '^FIELD: strategy' k explain deployments.spec.strategy
    says "explain of another version" '^VERSION: +v1$' k explain horizontalpodautoscalers --api-version=autoscaling/v1
    enumerated() { k explain "$1" | sed -n '/^ENUM:/,/^$/s/^ \{1,\}//p' | tr '\n' ' '; }
    eventually "explain an enumeration" "ClusterIP ExternalName LoadBalancer NodePort " enumerated services.spec.type
    eventually "explain a field that is none" "" enumerated services.spec.clusterIP
fi
says "raw readyz" '^ok$' k get --raw /readyz

note "create of each kind that kubectl creates"
creates() { # RESOURCE NAME ARGUMENT...
    says "create $1" ' created$|^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.' k create "$@"
}
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=x -keyout "$work/x.key" -out "$work/x.crt" 2>/dev/null
creates namespace made
k config set-context --current --namespace=made >/dev/null
creates clusterrole reader --verb=get,list --resource=pods,deployments.apps
creates clusterrole visitor --verb=get --non-resource-url=/livez
creates clusterrolebinding readers --clusterrole=reader --user=someone --serviceaccount=made:robot
creates role writer --verb=create --resource=pods --resource-name=a
creates rolebinding writers --role=writer --group=some
creates serviceaccount robot
creates configmap pairs --from-literal=a=b --from-file="$work/x.crt"
creates secret generic pairs --from-literal=a=b
creates secret tls pair --cert="$work/x.crt" --key="$work/x.key"
creates secret docker-registry pull --docker-username=u --docker-password=p --docker-email=e@example.com
creates service clusterip cluster --tcp=80:8080
creates service nodeport node --tcp=80:8080
creates service loadbalancer balancer --tcp=80:8080
creates service externalname outside --external-name=example.com
creates deployment web --image=example.com/web:1 --replicas=2 --port=80
creates job once --image=example.com/job:1
creates quota limits --hard=pods=20,services=9 --scopes=
creates priorityclass high --value=1000 --description=high
creates ingress rules --rule=example.com/path=web:80
if [ "$minor" -ge 21 ]; then # earlier ones use versions that are gone
    creates cronjob every --image=example.com/job:1 --schedule='*/5 * * * *'
    creates poddisruptionbudget some --selector=app=web --min-available=1
fi
if [ "$minor" -ge 24 ]; then
    creates token robot
fi
says "create job from a file" 'created$' sh -c "'$KUBECTL' create job again --image=example.com/job:1 --dry-run=client -o yaml | '$KUBECTL' create -f -"
says "expose" 'exposed$' k expose deployment web --port=80 --name=exposed
says "run with a port" 'created$' k run lone --image=example.com/lone:1 --port=80 --expose=false
says "autoscale" 'autoscaled$' k autoscale deployment web --min=1 --max=3
says "get of all of them" '^service/exposed ' k get all
says "get in wide columns" '^NAME ' k get cm,secrets,sa,roles,rolebindings,ingresses,pdb,hpa,quota,jobs,cronjobs -o wide
says "set resources" 'resource requirements updated$' k set resources deployment web --limits=cpu=1
says "set env" 'env updated$' k set env deployment/web A=b
says "set selector" 'selector updated$' k set selector service cluster app=other
says "set serviceaccount" 'serviceaccount updated$' k set serviceaccount deployment web robot
says "set subject" 'updated$' k set subject rolebinding writers --user=another
says "rollout history" '^deployment.apps/web' k rollout history deployment/web
says "rollout restart" 'restarted$' k rollout restart deployment/web
says "rollout pause" 'paused$' k rollout pause deployment/web
says "rollout resume" 'resumed$' k rollout resume deployment/web
says "taint" 'tainted$' k taint nodes --all tainted=yes:PreferNoSchedule
says "untaint" 'untainted$' k taint nodes --all tainted-
says "cordon" 'cordoned$' k cordon "$(k get nodes -o name | head -n 1 | cut -d/ -f2)"
says "uncordon" 'uncordoned$' k uncordon "$(k get nodes -o name | head -n 1 | cut -d/ -f2)"
says "auth can-i" '^yes$' k auth can-i create pods
says "auth can-i for all" '^yes$' k auth can-i '*' '*' --all-namespaces
says "auth can-i of a path" '^yes$' k auth can-i get /livez
says "auth can-i --list" '^\*\.\* ' k auth can-i --list
says "auth reconcile" 'reconciled' sh -c "'$KUBECTL' get role writer -o yaml | '$KUBECTL' auth reconcile -f -"
if [ "$minor" -ge 28 ]; then
    says "auth whoami" '^Username ' k auth whoami
fi
says "describe of several kinds" '^Name: +rules$' k describe ingress,quota,job,role,secret,sa
k config set-context --current --namespace=default >/dev/null
holds "delete of them" k delete namespace made --timeout=60s
holds "delete of the cluster's" k delete clusterrole/reader clusterrole/visitor clusterrolebinding/readers priorityclass/high

note "create and get"
says "create from a file" '^replicaset.apps/api created$' k create -f "$work/web.yaml"
refuses "create twice" 'AlreadyExists' k create -f "$work/web.yaml"
says "create a namespace" '^namespace/other created$' k create namespace other
says "create a config map" '^configmap/settings created$' k create configmap settings --from-literal=a=b
k run idle --image=example.com/idle:1 --labels=app=idle >/dev/null
holds "wait for a condition" k wait --for=condition=Ready pod/web-1 --timeout=60s
says "get shows kubectl's columns" '^NAME +READY +STATUS +RESTARTS +AGE$' k get pods
says "get shows a running pod" '^web-1 +1/1 +Running +0 ' k get pods
says "get -o wide adds columns" '^NAME .* AGE +IP +NODE +NOMINATED NODE +READINESS GATES$' k get pods -o wide
says "get -o wide shows the address" '^web-1 .* 10\.244\.[0-9]+\.[0-9]+ +[a-z]' k get pods -o wide
says "get services" '^web +ClusterIP +[0-9.]+ +<none> +80/TCP ' k get services
says "get replica sets" '^api +0 +0 +0 ' k get rs
says "get nodes" ' Ready ' k get nodes
says "get namespaces" '^other +Active ' k get ns
says "get several kinds at once" '^replicaset.apps/api ' k get all
says "get -A has a namespace column" '^default +web-1 ' k get pods -A
says "get -o yaml" '^  name: web-1$' k get pod web-1 -o yaml
says "get -o json" '"phase": "Running"' k get pod web-1 -o json
says "get -o name" '^pod/web-1$' k get pods -o name
says "get -l selects" '^web-1$' k get pods -l 'app in (web,api)' -o custom-columns=N:.metadata.name --no-headers
eventually "get -l leaves others out" "1" sh -c "'$KUBECTL' get pods -l app=web --no-headers | wc -l"
eventually "get --field-selector" "pod/web-1" k get pods --field-selector metadata.name=web-1 -o name
says "get --sort-by" '^NAME ' k get pods --sort-by=.metadata.name
says "get in pages" '^pod/web-1$' k get pods --chunk-size=1 -o name
refuses "get of an absent pod" 'Error from server \(NotFound\): pods "none" not found' k get pod none

note "deployments, which nobody acts on here"
says "create a deployment" '^deployment.apps/front created$' k create deployment front --image=example.com/front:1
says "get shows its columns" '^NAME +READY +UP-TO-DATE +AVAILABLE +AGE$' k get deploy
says "get -o wide shows its images" '^front +0/1 +0 +0 +[0-9]+s +front +example.com/front:1 +app=front$' k get deploy -o wide
says "scale a deployment" 'scaled$' k scale deployment front --replicas=2
says "set its image" 'image updated$' k set image deployment/front front=example.com/front:2
says "pause its rollout" 'paused$' k rollout pause deployment/front
says "describe it" '^StrategyType: +RollingUpdate$' k describe deployment front
refuses "a rollout that cannot move" 'may not be 0 when' k patch deployment front -p \
    '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":0,"maxUnavailable":0}}}}'
says "delete a deployment" 'deleted( from default namespace)?$' k delete deployment front

note "watch"
k get pods -w --no-headers >"$work/watched" 2>&1 &
started+=($!)
eventually "get -w begins with what is there" "1" grep -c '^web-1 ' "$work/watched"
k run watched --image=example.com/w:1 >/dev/null
eventually "get -w shows a new pod" "yes" sh -c "grep -q '^watched .*Running' '$work/watched' && echo yes"
k get pods -w -o name --watch-only >"$work/names" 2>&1 &
started+=($!)
eventually "get --watch-only shows changes" "yes" sh -c \
    "'$KUBECTL' annotate pod watched touched=\$(date +%s%N) --overwrite >/dev/null; grep -q '^pod/watched' '$work/names' && echo yes"

note "describe and events"
says "describe a pod" '^Status: +Running' k describe pod web-1
says "describe a service" '^Selector: +app=web$' k describe service web
says "describe a replica set" '^Replicas: +0 current / 0 desired' k describe rs api
says "describe a node" '^Name: ' k describe nodes
k create -f - >/dev/null <<EOF
apiVersion: v1
kind: Event
metadata: {name: web-1.1, namespace: default}
involvedObject: {kind: Pod, namespace: default, name: web-1, uid: "$(k get pod web-1 -o 'jsonpath={.metadata.uid}')"}
reason: Smoke
message: seen by the smoke test
type: Normal
source: {component: smoke}
firstTimestamp: "2026-01-01T00:00:00Z"
lastTimestamp: "2026-01-01T00:00:00Z"
count: 1
EOF
says "get events" 'Smoke +pod/web-1 +seen by the smoke test' k get events
says "describe shows events" 'Smoke .*smoke +seen by' k describe pod web-1
if [ "$minor" -ge 26 ]; then
    says "events" 'Smoke +Pod/web-1 +seen by the smoke test' k events
fi

note "label, annotate, patch"
says "label" 'labeled$' k label pod web-1 tier=front
eventually "label is there" "front" k get pod web-1 -o 'jsonpath={.metadata.labels.tier}'
refuses "label again needs --overwrite" 'overwrite' k label pod web-1 tier=back
holds "label --overwrite" k label --overwrite pod web-1 tier=back
holds "label removed" k label pod web-1 tier-
eventually "label is gone" '{"app":"web"}' k get pod web-1 -o 'jsonpath={.metadata.labels}'
holds "annotate" k annotate pod web-1 note=hello
eventually "annotation is there" "hello" k get pod web-1 -o 'jsonpath={.metadata.annotations.note}'
holds "patch, strategic" k patch rs api -p \
    '{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"example.com/side:1"}]}}}}'
eventually "strategic patch merged by name" "side main" \
    k get rs api -o 'jsonpath={.spec.template.spec.containers[*].name}'
holds "patch, merge" k patch rs api --type=merge -p '{"metadata":{"labels":{"app":null,"kind":"merge"}}}'
eventually "merge patch replaced and removed" '{"kind":"merge"}' k get rs api -o 'jsonpath={.metadata.labels}'
holds "patch, json" k patch rs api --type=json -p \
    '[{"op":"test","path":"/metadata/labels/kind","value":"merge"},{"op":"replace","path":"/metadata/labels/kind","value":"json"}]'
eventually "json patch replaced" 'json' k get rs api -o 'jsonpath={.metadata.labels.kind}'
refuses "json patch whose test fails" 'test|request is invalid' k patch rs api --type=json -p \
    '[{"op":"test","path":"/metadata/labels/kind","value":"other"}]'
refuses "invalid change" 'is invalid|Forbidden|Invalid' k patch pod web-1 -p '{"spec":{"nodeName":"elsewhere"}}'

note "scale and replace"
says "scale" 'scaled$' k scale rs api --replicas=2
eventually "scale is there" "2" k get rs api -o 'jsonpath={.spec.replicas}'
refuses "scale with a wrong expectation" 'Expected replicas' k scale rs api --current-replicas=7 --replicas=1
k get configmap settings -o yaml | sed 's/a: b/a: c/' >"$work/settings.yaml"
says "replace" 'replaced$' k replace -f "$work/settings.yaml"
refuses "replace of an old version" 'Conflict|modified' k replace -f "$work/settings.yaml"
eventually "replaced" "c" k get configmap settings -o 'jsonpath={.data.a}'
printf '#!/bin/sh\nsed -i "s/a: c/a: d/" "$1"\n' >"$work/editor"
chmod +x "$work/editor"
KUBE_EDITOR="$work/editor" "$KUBECTL" edit configmap settings >/dev/null || true
eventually "edit" "d" k get configmap settings -o 'jsonpath={.data.a}'

note "apply"
cat >"$work/applied.yaml" <<'EOF'
apiVersion: v1
kind: Service
metadata: {name: applied, labels: {a: "1", b: "2"}}
spec:
  selector: {app: applied}
  ports: [{name: http, port: 80}, {name: https, port: 443}]
EOF
says "apply creates" 'created$' k apply -f "$work/applied.yaml"
says "apply again changes nothing" 'unchanged$' k apply -f "$work/applied.yaml"
sed -i 's/, b: "2"//; s/port: 443/port: 8443/' "$work/applied.yaml"
says "apply changes" 'configured$' k apply -f "$work/applied.yaml"
eventually "apply removed a label" '{"a":"1"}' k get service applied -o 'jsonpath={.metadata.labels}'
eventually "apply merged ports by key" '80 8443' k get service applied -o 'jsonpath={.spec.ports[*].port}'
if [ "$minor" -ge 18 ]; then
    says "diff sees nothing" '^none$' sh -c "'$KUBECTL' diff -f '$work/applied.yaml' && echo none"
fi
sed 's/port: 80}/port: 81}/' "$work/applied.yaml" >"$work/different.yaml"
if [ "$minor" -ge 18 ]; then
    refuses "diff sees a difference" '^\+ +(- )?port: 81$' k diff -f "$work/different.yaml"
fi
cat >"$work/serverside.yaml" <<'EOF'
apiVersion: v1
kind: ConfigMap
metadata: {name: serverside}
data: {a: "1"}
EOF
says "apply --server-side creates" 'serverside-applied$' k apply --server-side -f "$work/serverside.yaml"
sed -i 's/a: "1"/a: "2", b: "3"/' "$work/serverside.yaml"
says "apply --server-side changes" 'serverside-applied$' k apply --server-side -f "$work/serverside.yaml"
eventually "apply --server-side is there" '{"a":"2","b":"3"}' k get configmap serverside -o 'jsonpath={.data}'
cat >"$work/taken.yaml" <<'EOF'
apiVersion: v1
kind: ConfigMap
metadata: {name: serverside}
data: {a: "9"}
EOF
refuses "apply --server-side of another's field" 'conflict' k apply --server-side --field-manager=other -f "$work/taken.yaml"
says "apply --server-side --force-conflicts" 'serverside-applied$' k apply --server-side --field-manager=other --force-conflicts -f "$work/taken.yaml"
eventually "it has taken the field" 9 k get configmap serverside -o 'jsonpath={.data.a}'
if [ "$minor" -ge 21 ]; then
    says "get --show-managed-fields" 'manager: other' k get configmap serverside -o yaml --show-managed-fields
fi
says "diff --server-side" '^none$' sh -c "'$KUBECTL' diff --server-side --field-manager=other --force-conflicts -f '$work/taken.yaml' && echo none"
if [ "$minor" -ge 27 ]; then # earlier ones look for versions that are gone
    says "apply --prune" 'pruned|unchanged' sh -c \
        "printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: pruned, labels: {prune: me}}\n' | '$KUBECTL' apply -f - >/dev/null; printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept, labels: {prune: me}}\n' | '$KUBECTL' apply -f - --prune -l prune=me"
fi
says "apply --dry-run=server changes nothing" 'dry run' k apply --dry-run=server -f "$work/web.yaml"
if [ "$minor" -ge 27 ]; then
    refuses "a field that nobody knows" 'unknown field|strict decoding' k create -f - <<'EOF'
apiVersion: v1
kind: Pod
metadata: {name: typo}
spec: {containres: []}
EOF
fi

note "delete"
k annotate pod watched sim/stop-ms=2000 >/dev/null
holds "wait --for=delete" sh -c "'$KUBECTL' delete pod watched --wait=false && '$KUBECTL' wait --for=delete pod/watched --timeout=60s"
says "delete waits for the end" 'deleted' k delete pod idle --timeout=60s
refuses "deleted pod is gone" 'NotFound' k get pod idle
k create -f - >/dev/null <<EOF
apiVersion: v1
kind: Pod
metadata:
  name: dependent
  labels: {app: dependent}
  ownerReferences:
  - {apiVersion: apps/v1, kind: ReplicaSet, name: api, uid: "$(k get rs api -o 'jsonpath={.metadata.uid}')", controller: true, blockOwnerDeletion: true}
spec: {containers: [{name: main, image: example.com/d:1}]}
EOF
if [ "$minor" -ge 20 ]; then
    holds "delete --cascade=orphan" k delete rs api --cascade=orphan --timeout=60s
    eventually "orphan lost its owner" '' k get pod dependent -o 'jsonpath={.metadata.ownerReferences}'
    k create -f "$work/web.yaml" >/dev/null 2>&1 || true
    k patch pod dependent --type=merge -p "{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":\"ReplicaSet\",\"name\":\"api\",\"uid\":\"$(k get rs api -o 'jsonpath={.metadata.uid}')\",\"controller\":true,\"blockOwnerDeletion\":true}]}}" >/dev/null
    holds "delete --cascade=foreground" k delete rs api --cascade=foreground --timeout=60s
    refuses "foreground took the dependent first" 'NotFound' k get pod dependent
fi
says "delete by selector" 'pod "web-1"' k delete pods -l app=web --timeout=60s
says "delete by file" 'service "applied"' k delete -f "$work/applied.yaml"
refuses "delete of nothing" 'NotFound' k delete configmap none
holds "delete of nothing, on purpose" k delete configmap none --ignore-not-found
holds "delete a namespace" k delete namespace other --timeout=60s
refuses "the namespace is gone" 'NotFound' k get namespace other

note "logs, commands and ports of a container"
cat >"$work/inside.yaml" <<'EOF'
apiVersion: v1
kind: Pod
metadata: {name: inside}
spec:
  containers:
    - {name: app, image: nginx, ports: [{containerPort: 80}]}
    - {name: side, image: busybox, command: [sleep, infinity]}
EOF
k create -f "$work/inside.yaml" >/dev/null
holds "the pod is ready" k wait --for=condition=Ready pod/inside --timeout=60s
says "logs" '^app started in pod inside$' k logs inside -c app
says "logs --tail --timestamps" '^20[0-9T:.-]+Z side image busybox$' k logs inside -c side --tail=1 --timestamps
says "logs --all-containers" '^side started in pod inside$' k logs inside --all-containers
refuses "logs --previous" 'previous terminated container "app" in pod "inside" not found' k logs inside -c app --previous
refuses "logs of another container" 'container none is not valid for pod inside' k logs inside -c none
status() { "$@" >/dev/null 2>&1 && echo 0 || echo $?; }
mkdir -p "$work/sent/below"
echo text >"$work/sent/a"
head -c 300000 /dev/urandom >"$work/sent/below/b"
# The two protocols of kubectl: WebSockets, and SPDY as in its releases before 1.30.
for websockets in true false; do
    export KUBECTL_REMOTE_COMMAND_WEBSOCKETS=$websockets KUBECTL_PORT_FORWARD_WEBSOCKETS=$websockets
    says "exec (WebSockets: $websockets)" '^hello$' k exec inside -c app -- echo hello
    says "exec with input" '^given$' k exec -i inside -c app -- cat <<<given
    says "exec of a shell" '^inside$' k exec -i inside -c app -- sh <<<hostname
    says "exec passes the exit code" '^3$' status k exec inside -c app -- sh -c 'exit 3'
    refuses "exec of an unknown program" 'executable file not found' k exec inside -c app -- none
    holds "cp into the container" k cp "$work/sent" "inside:/tmp/$websockets" -c app
    holds "cp out of it" k cp "inside:/tmp/$websockets" "$work/back-$websockets" -c app
    holds "the files are the same" diff -r "$work/sent" "$work/back-$websockets"
    "$KUBECTL" attach inside -c app >"$work/attached" 2>&1 &
    attached=$!
    "$KUBECTL" port-forward pod/inside :80 >"$work/forwarded" 2>&1 &
    forwarded=$!
    eventually "port-forward" 1 grep -c '^Forwarding from 127' "$work/forwarded"
    port=$(sed -n 's/^Forwarding from 127.0.0.1:\([0-9]*\) .*/\1/p' "$work/forwarded")
    if command -v curl >/dev/null 2>&1; then
        says "a request to the port" '^pod inside, port 80: GET /path$' curl -sS --max-time 20 "http://127.0.0.1:$port/path"
        says "another one" '^pod inside, port 80: GET /$' curl -sS --max-time 20 "http://127.0.0.1:$port/"
    fi
    holds "attach stays open" kill -0 "$attached"
    kill "$attached" "$forwarded" 2>/dev/null || true
    wait "$attached" "$forwarded" 2>/dev/null || true
done
unset KUBECTL_REMOTE_COMMAND_WEBSOCKETS KUBECTL_PORT_FORWARD_WEBSOCKETS
timeout 60 "$KUBECTL" logs -f inside -c app >"$work/followed" 2>&1 &
followed=$!
eventually "logs -f" 1 grep -c '^app started' "$work/followed"
k annotate pod inside sim/complete-after-ms=0 >/dev/null
wait "$followed" && ended=0 || ended=$?
says "logs -f ends with the container" '^0$' echo "$ended"
says "the log has the end" '^app exited with code 0$' cat "$work/followed"
cat >"$work/once.yaml" <<'EOF'
apiVersion: v1
kind: Pod
metadata: {name: hook, annotations: {helm.sh/hook: post-install}}
spec:
  restartPolicy: Never
  containers: [{name: c, image: busybox, command: [sh, -c, exit 4]}]
EOF
k create -f "$work/once.yaml" >/dev/null
eventually "a hook of helm ends by itself" Failed k get pod hook -o 'jsonpath={.status.phase}'
says "with the exit code of its command" '^4$' k get pod hook -o 'jsonpath={.status.containerStatuses[0].state.terminated.exitCode}'
k delete pod inside hook --timeout=60s >/dev/null

if [ -z "${SERVER_URL:-}" ] && command -v openssl >/dev/null 2>&1; then
    note "TLS and tokens"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=kubeloop \
        -addext basicConstraints=critical,CA:FALSE -addext subjectAltName=IP:127.0.0.1 -keyout "$work/tls.key" -out "$work/tls.crt" 2>/dev/null
    echo 'a-token-of-the-smoke-test,admin,1' >"$work/tokens.csv"
    background secure ./kubeloop apiserver --port 0 --kubeconfig-out "$work/secure" \
        --tls-cert-file "$work/tls.crt" --tls-private-key-file "$work/tls.key" --token-auth-file "$work/tokens.csv"
    await_line secure '^listening on https://'
    url=$(sed -n 's/^listening on //p' "$work/secure.log")
    eventually "the kubeconfig is for its owner alone" 600 stat -c %a "$work/secure"
    says "create with the written kubeconfig" 'created$' k --kubeconfig "$work/secure" create configmap secured
    says "get" '^configmap/secured$' k --kubeconfig "$work/secure" get configmaps -o name
    k --kubeconfig "$work/secure" get configmaps -w -o name >"$work/secured" 2>&1 &
    started+=($!)
    eventually "get -w" "1" grep -c '^configmap/secured' "$work/secured"
    refuses "a request with a wrong token" 'Unauthorized|logged in' k --kubeconfig /dev/null --server "$url" \
        --certificate-authority "$work/tls.crt" --token=wrong get --raw /api/v1/configmaps
    if command -v curl >/dev/null 2>&1; then # kubectl asks for a name and password where it has no token
        bare() { curl -sS --cacert "$work/tls.crt" "$url$1"; }
        says "health needs no token" '^ok$' bare /readyz
        says "all else does" '"reason": *"Unauthorized"' bare /api/v1/configmaps
    fi
    refuses "a client that does not trust the certificate" 'certificate' \
        k --kubeconfig /dev/null --server "$url" --token=a-token-of-the-smoke-test get --raw /api/v1/configmaps
fi

stop_background
printf -- '-- kubectl 1.%s: %d passed, %d failed\n' "$minor" "$passed" "$failed"
[ "$failed" = 0 ]
