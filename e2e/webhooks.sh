#!/usr/bin/env bash
# Lets an API server call the webhooks of e2e/webhooks/SiteWebhooks.java: admission that allows, denies and changes, conversion between
# two versions, and a certificate that is renewed meanwhile.
#   e2e/webhooks.sh              kube-apiserver
#   e2e/webhooks.sh --embedded   ./kubeloop apiserver
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
. "$here/lib.sh"
need webhooks openssl mvn
find_kubectl
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
work=$(mktemp -d)
kube=$work/kube
trap 'stop_background; "$here/down.sh" --dir "$kube" >/dev/null 2>&1 || true; rm -rf "$work"' EXIT

"$home/kubeloop" version
(cd "$home" && mvn -B -ntp -q -Pquick -DskipTests -pl integrations/webhooks -am compile)
"$here/up.sh" --dir "$kube" "$@"
k() { "$KUBECTL" --kubeconfig "$kube/admin.kubeconfig" --request-timeout=20s "$@"; }

# authority N: a certificate authority and a certificate of this machine that it issues. Both come into place by a rename.
authority() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=webhooks $1" -days 2 \
        -addext subjectAltName=IP:127.0.0.1 -keyout "$work/new.key" -out "$work/new.crt" 2>/dev/null
    mv "$work/new.key" "$work/tls.key"
    mv "$work/new.crt" "$work/tls.crt"
}
config() { printf '{url: "https://127.0.0.1:%s%s", caBundle: %s}' "$port" "$1" "$(base64 <"$work/tls.crt" | tr -d '\n')"; }
install_webhooks() {
    k apply -f - <<Y
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: sites.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Site, plural: sites, singular: site}
  conversion:
    strategy: Webhook
    webhook: {conversionReviewVersions: [v1], clientConfig: $(config /convert)}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: sites.example.com}
webhooks:
- name: sites.example.com
  clientConfig: $(config /sites)
  admissionReviewVersions: [v1]
  sideEffects: None
  rules: [{apiGroups: [example.com], apiVersions: [v1], resources: [sites], operations: [CREATE, UPDATE]}]
Y
}
site() { # NAME VERSION SPEC
    k create -f - <<Y
apiVersion: example.com/$2
kind: Site
metadata: {name: $1, namespace: default}
spec: $3
Y
}
field() { k get "sites.$2.example.com" "$1" -o jsonpath="{.spec.$3}"; }
denial() { site big v1 '{image: "a:1", replicas: 10}' 2>&1 | tee /dev/stderr | grep -o 'denied the request: .*'; }
warning() { site bare v1 '{image: a, replicas: 3, later: kept}' 2>&1 | tee /dev/stderr | grep -o '^Warning: .*'; }

port=$(free_ports 1)
authority 1
background webhooks "$java" -cp "$home/integrations/webhooks/target/classes:$home/app/target/kubeloop-app.jar:$home/app/target/lib/*" \
    "$here/webhooks/SiteWebhooks.java" "$port" "$work/tls.crt" "$work/tls.key"
await_line webhooks '^listening on'
install_webhooks >/dev/null
eventually "the definition is served" Site k get crd sites.example.com -o 'jsonpath={.status.acceptedNames.kind}'
eventually "a handler denies with its message" "denied the request: a site has at most 9 replicas" denial
eventually "a handler changes a record, with a warning" "Warning: the image has no tag" warning
eventually "the change is stored" a:latest field bare v1 image
eventually "a member without a component stays" kept field bare v1 later
eventually "an object is read in another version" 3 field bare v2 copies
holds "an object is written in another version" site new v2 '{image: "b:1", copies: 2}'
eventually "it is stored in the first version" 2 field new v1 replicas

note "the manifests of docs/write-a-controller.md"
manifests() {
    k create namespace cards --save-config
    awk '/^<!-- file: .*deploy.yaml -->$/ { found = 1; next } /^```/ && found { if (inside) exit; inside = 1; next } inside' \
        "$home/docs/write-a-controller.md" | k apply --dry-run=server --validate=strict -f - | wc -l
}
holds "they are accepted" [ "$(manifests | tail -n 1)" = 9 ]

note "a renewed certificate"
authority 2
install_webhooks >/dev/null
eventually "webhooks are called with the renewed certificate" 3 field bare v2 copies
eventually "admission too" "denied the request: a site has at most 9 replicas" denial
printf 'webhooks: ' && summary
