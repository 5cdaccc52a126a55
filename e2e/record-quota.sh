#!/usr/bin/env bash
# Records the usage of made-up objects, computed by the evaluators of Kubernetes' quotas, as test vectors of controller-resourcequota. A
# second run writes the same bytes.
#   e2e/record-quota.sh
# KUBE_VERSION chooses the release (1.36.3). Needs Go; compiles for some minutes. Exits 1 with one line where the modules cannot be had.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
vectors=$here/../controller-resourcequota/src/test/resources/vectors/usage.json
version=${KUBE_VERSION:-1.36.3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/quota/main.go" "$work"
cd "$work"
export GOFLAGS='-mod=mod -buildvcs=false' CGO_ENABLED=0
mod=$(go mod download -json "k8s.io/kubernetes@v$version" | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p')
{
    echo "module kubeloop/quota"
    echo "go $(sed -n 's/^go \([0-9.]*\).*/\1/p' "$mod")"
    echo "require k8s.io/kubernetes v$version"
    sed -n 's/^[[:space:]]*\(k8s\.io\/[a-z0-9-]*\) v0\.0\.0\( .*\)\{0,1\}$/\1/p' "$mod" | sort -u |
        sed "s/.*/replace & => & v0.${version#*.}/"
} >go.mod
go mod tidy >tidy.log 2>&1 || {
    echo "record-quota: resolving modules failed: $(tail -n 1 tidy.log)" >&2
    exit 1
}
mkdir -p "$(dirname "$vectors")"
go run . >"$vectors"
