#!/usr/bin/env bash
# Records the objects that kube-apiserver of a current release creates at its start, as the embedded server restores them: one object
# a line, without resource versions, with @uid and @now for what differs between servers. A second run writes the same bytes.
#   e2e/record-start.sh [DIR]     takes start-objects.jsonl and start-roles.jsonl; default: the resources of apiserver/kinds
# KUBE_VERSION chooses the release, as for kube.sh.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:-$here/../apiserver/kinds/src/main/resources/io/kubeloop/apiserver/kinds}
work=$(mktemp -d)
trap '"$here/down.sh" --dir "$work/server" >&2; rm -rf "$work"' EXIT
KUBEBUILDER_ASSETS=$("$here/kube.sh")
export KUBEBUILDER_ASSETS
"$here/up.sh" --dir "$work/server" >&2
export KUBECONFIG=$work/server/admin.kubeconfig

# objects PATH...: prints the objects of these lists
objects() {
    local path
    for path in "$@"; do
        "${KUBECTL:-kubectl}" get --raw "$path"
        echo
    done | python3 "$here/harness/start_objects.py"
}
objects /api/v1/namespaces /apis/scheduling.k8s.io/v1/priorityclasses \
    /apis/flowcontrol.apiserver.k8s.io/v1/{prioritylevelconfigurations,flowschemas} \
    '/api/v1/namespaces/kube-system/configmaps?fieldSelector=metadata.name=extension-apiserver-authentication' \
    /apis/apiregistration.k8s.io/v1/apiservices >"$work/objects"
objects /apis/rbac.authorization.k8s.io/v1/{clusterroles,clusterrolebindings,roles,rolebindings} >"$work/roles"
cp "$work/objects" "$out/start-objects.jsonl"
cp "$work/roles" "$out/start-roles.jsonl"
