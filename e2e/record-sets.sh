#!/usr/bin/env bash
# Records test vectors of StatefulSets and DaemonSets, computed by Kubernetes' own functions: revisions, the owners of claims, the nodes that
# fit, the form of pods, and the limits of a rolling update. A second run writes the same bytes.
#   e2e/record-sets.sh
# KUBE_VERSION chooses the release (1.36.3). Needs Go; compiles for some minutes. Exits 1 with one line where the modules cannot be had.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
version=${KUBE_VERSION:-1.36.3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/sets/* "$work"
cd "$work"
export GOFLAGS='-mod=mod -buildvcs=false' CGO_ENABLED=0
mod=$(go mod download -json "k8s.io/kubernetes@v$version" | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p')
{
    echo "module kubeloop/sets"
    echo "go $(sed -n 's/^go \([0-9.]*\).*/\1/p' "$mod")"
    echo "require k8s.io/kubernetes v$version"
    sed -n 's/^[[:space:]]*\(k8s\.io\/[a-z0-9-]*\) v0\.0\.0\( .*\)\{0,1\}$/\1/p' "$mod" | sort -u |
        sed "s/.*/replace & => & v0.${version#*.}/"
} >go.mod
go mod tidy >tidy.log 2>&1 || {
    echo "record-sets: resolving modules failed: $(tail -n 1 tidy.log)" >&2
    exit 1
}
go run . "$here/podtemplate/templates.json" "$here/.."
