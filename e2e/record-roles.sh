#!/usr/bin/env bash
# Records the roles and role bindings that kube-apiserver of a current release creates at its start, as the embedded server restores
# them: one object a line, without resource versions, with @uid and @now for what differs between servers.
#   e2e/record-roles.sh >apiserver/kinds/src/main/resources/io/kubeloop/apiserver/kinds/start-roles.jsonl
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap '"$here/down.sh" --dir "$work/server" >&2; rm -rf "$work"' EXIT
KUBEBUILDER_ASSETS=$("$here/kube.sh")
export KUBEBUILDER_ASSETS
"$here/up.sh" --dir "$work/server" >&2
export KUBECONFIG=$work/server/admin.kubeconfig
for path in clusterroles clusterrolebindings roles rolebindings; do
    "${KUBECTL:-kubectl}" get --raw "/apis/rbac.authorization.k8s.io/v1/$path"
done | python3 -c '
import json, sys
for line in sys.stdin:
    listed = json.loads(line)
    for item in listed["items"]:
        meta = item["metadata"]
        del meta["resourceVersion"]
        meta.update(uid="@uid", creationTimestamp="@now")
        for entry in meta.get("managedFields", []):
            entry["time"] = "@now"
        kind = {"kind": listed["kind"].removesuffix("List"), "apiVersion": listed["apiVersion"]}
        print(json.dumps({**kind, **item}, separators=(",", ":"), ensure_ascii=False))
'
