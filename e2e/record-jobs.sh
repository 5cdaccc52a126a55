#!/usr/bin/env bash
# Records what Kubernetes' own functions make of schedules, delays and indexes, as test vectors of controller-job. A second run writes
# the same bytes.
#   e2e/record-jobs.sh
# KUBE_VERSION chooses the release (1.36.3). Needs Go; compiles for some minutes. Exits 1 with one line where the modules cannot be had.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
vectors=$here/../controller-job/src/test/resources/vectors/jobs.json
version=${KUBE_VERSION:-1.36.3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/jobs/main.go" "$work"
cd "$work"
export GOFLAGS='-mod=mod -buildvcs=false' CGO_ENABLED=0
mod=$(go mod download -json "k8s.io/kubernetes@v$version" | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p')
{
    echo "module kubeloop/jobs"
    echo "go $(sed -n 's/^go \([0-9.]*\).*/\1/p' "$mod")"
    echo "require k8s.io/kubernetes v$version"
    sed -n 's/^[[:space:]]*\(k8s\.io\/[a-z0-9-]*\) v0\.0\.0\( .*\)\{0,1\}$/\1/p' "$mod" | sort -u |
        sed "s/.*/replace & => & v0.${version#*.}/"
} >go.mod
# The files beside main.go export functions of two packages of Kubernetes. They are compiled with copies of these packages.
packages=$(go list -m -f '{{.Dir}}' k8s.io/kubernetes)/pkg/controller
for package in job cronjob; do
    mkdir "$package"
    find "$packages/$package" -maxdepth 1 -name '*.go' ! -name '*_test.go' -exec cp {} "$package" \;
    chmod u+w "$package"/*
    cp "$here/jobs/${package}_export.go" "$package/zz_export.go"
done
go mod tidy >tidy.log 2>&1 || {
    echo "record-jobs: resolving modules failed: $(tail -n 1 tidy.log)" >&2
    exit 1
}
mkdir -p "$(dirname "$vectors")"
go run . >"$vectors"
