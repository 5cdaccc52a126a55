#!/usr/bin/env bash
# The package manager helm, unmodified, against the server of KUBECONFIG.
#   e2e/clients/helm.sh            the checks
#   e2e/clients/helm.sh --build    builds helm through the Go module proxy and prints its path
set -uo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
version=3.22.0
binary=${XDG_CACHE_HOME:-$HOME/.cache}/kubeloop/clients/helm-$version/helm
if [ ! -x "$binary" ]; then
    echo "building helm $version; this takes minutes" >&2
    (cd / && GOFLAGS=-buildvcs=false CGO_ENABLED=0 GOBIN=$(dirname "$binary") go install "helm.sh/helm/v3/cmd/helm@v$version" >&2) || exit 1
fi
if [ "${1:-}" = --build ]; then
    echo "$binary"
    exit
fi
find_kubectl
work=$(mktemp -d)
ns=helm-$RANDOM$RANDOM
trap '"$KUBECTL" delete namespace "$ns" --wait=false >/dev/null 2>&1; rm -rf "$work"' EXIT
export HELM_CACHE_HOME=$work/cache HELM_CONFIG_HOME=$work/config HELM_DATA_HOME=$work/data HELM_NAMESPACE=$ns
helm() { "$binary" "$@"; }
k() { "$KUBECTL" -n "$ns" "$@"; }
status() { helm status "$1" -o json | python3 -c 'import json, sys; print(json.load(sys.stdin)["info"]["status"])'; }
revision() { helm list -a -o json | python3 -c 'import json, sys; print(*[r["revision"] for r in json.load(sys.stdin) if r["name"] == sys.argv[1]])' "$1"; }
fails() { # PATTERN COMMAND...: the command fails with such a message
    local pattern=$1 output
    shift
    ! output=$("$@" 2>&1) && grep -Eq -- "$pattern" <<<"$output" || { echo "$output"; return 1; }
}
prints() { # PATTERN COMMAND...
    local pattern=$1 output
    shift
    output=$("$@" 2>&1) && grep -Eq -- "$pattern" <<<"$output" || { echo "$output"; return 1; }
}

note "$(helm version --short)"
cd "$work" || exit 1
holds "create" helm create web
holds "lint" helm lint web
holds "template, without a server" prints '^kind: Deployment$' helm template one web
holds "template --validate, with the server's kinds" prints '^kind: Deployment$' helm template one web --validate
holds "install --dry-run=server" prints 'STATUS: pending-install' helm install one web --dry-run=server --create-namespace
holds "install --wait" helm install one web --create-namespace --wait --timeout 2m
eventually "the release is deployed" deployed status one
eventually "its pods run" 1 k get deployment one-web -o 'jsonpath={.status.readyReplicas}'
holds "a second install is refused" fails 'cannot re-use a name' helm install one web
holds "list" prints '^one .*deployed' helm list
holds "get manifest" prints '^kind: Service$' helm get manifest one
holds "test runs the chart's pod" prints 'Phase: +Succeeded' helm test one --timeout 2m
holds "test --logs prints its log" prints 'POD LOGS: one-web-test-connection' helm test one --logs --timeout 2m
holds "upgrade --wait" helm upgrade one web --set replicaCount=3 --wait --timeout 2m
eventually "the deployment has 3 pods" 3 k get deployment one-web -o 'jsonpath={.status.readyReplicas}'
holds "upgrade --reuse-values" helm upgrade one web --reuse-values --set service.type=NodePort --wait --timeout 2m
eventually "the service has changed" NodePort k get service one-web -o 'jsonpath={.spec.type}'
k label service one-web changed=by-hand >/dev/null
holds "upgrade keeps what others wrote" helm upgrade one web --reuse-values --set service.port=81
eventually "the label is still there" by-hand k get service one-web -o 'jsonpath={.metadata.labels.changed}'
holds "history" prints '^4 .*deployed' helm history one
holds "rollback" helm rollback one 1 --wait --timeout 2m
eventually "the deployment has 1 pod again" 1 k get deployment one-web -o 'jsonpath={.status.replicas}'
eventually "a rollback is a revision" 5 revision one
holds "upgrade --atomic of a broken chart fails" fails 'rolled back|has been rolled back' helm upgrade one web --atomic --timeout 5s \
    --set-string 'podAnnotations.sim/ready=false'
eventually "and is rolled back" deployed status one
holds "uninstall --keep-history" helm uninstall one --keep-history --wait --timeout 2m
eventually "the release is uninstalled" uninstalled status one
eventually "its objects are gone, but that of the test" pod/one-web-test-connection k get all -l app.kubernetes.io/instance=one -o name
holds "a rollback brings it back" helm rollback one 5 --wait --timeout 2m
eventually "the release is deployed again" deployed status one
holds "uninstall --cascade foreground" helm uninstall one --cascade foreground --wait --timeout 2m
eventually "no release is left" "" helm list -a -q

note "hooks as Jobs"
mkdir -p jobs/templates jobs/crds
printf 'apiVersion: v2\nname: jobs\nversion: 0.1.0\n' >jobs/Chart.yaml
printf 'fail: false\n' >jobs/values.yaml
cat >jobs/templates/job.yaml <<'Y'
{{- range $i, $hook := list "pre-install" "post-install" "pre-upgrade" "post-upgrade" "pre-rollback" "pre-delete" "test" }}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ $.Release.Name }}-{{ $hook }}
  annotations: {helm.sh/hook: {{ $hook }}, helm.sh/hook-weight: "{{ $i }}", helm.sh/hook-delete-policy: before-hook-creation}
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers:
      - {name: main, image: example.com/job:1, command: [sh, -c, {{ if and $.Values.fail (eq $hook "pre-upgrade") }}exit 1{{ else }}exit 0{{ end }}]}
{{- end }}
Y
cat >jobs/templates/map.yaml <<'Y'
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}}
data: {revision: "{{ .Release.Revision }}"}
Y
cat >jobs/crds/toys.yaml <<Y
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: toys.$ns.example.com}
spec:
  {group: $ns.example.com, scope: Namespaced, names: {kind: Toy, plural: toys}, versions: [{name: v1, served: true, storage: true,
   schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]}
Y
printf 'apiVersion: %s.example.com/v1\nkind: Toy\nmetadata: {name: {{ .Release.Name }}}\n' "$ns" >jobs/templates/toy.yaml
done_jobs() { k get jobs -o 'jsonpath={range .items[?(@.status.succeeded==1)]}{.metadata.name}{" "}{end}' | tr ' ' '\n' | sort | xargs; }
holds "install runs its hooks, after its definitions" helm install two jobs --wait --timeout 2m
eventually "both jobs are complete" "two-post-install two-pre-install" done_jobs
holds "upgrade runs its hooks" helm upgrade two jobs --wait --timeout 2m
eventually "both are complete" "two-post-install two-post-upgrade two-pre-install two-pre-upgrade" done_jobs
holds "a failed hook fails the upgrade" fails 'pre-upgrade hooks failed|BackoffLimitExceeded' helm upgrade two jobs --set fail=true --timeout 1m
eventually "the release has failed" failed status two
eventually "nothing has changed" 2 k get configmap two -o 'jsonpath={.data.revision}'
holds "rollback runs its hook" helm rollback two --wait --timeout 2m
holds "test waits for its job" prints 'Phase: +Succeeded' helm test two --timeout 1m
holds "uninstall runs its hook" helm uninstall two --wait --timeout 2m
eventually "the hook was complete" two-pre-delete bash -c "'$KUBECTL' -n '$ns' get job two-pre-delete -o 'jsonpath={.status.succeeded}' | sed 's/^1\$/two-pre-delete/'"
"$KUBECTL" delete crd "toys.$ns.example.com" >/dev/null

printf 'helm: %s passed, %s failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
