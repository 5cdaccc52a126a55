#!/usr/bin/env bash
# Records into controller-common the Go types of pod templates, which the hash of a template covers, and hashes of the templates in
# podtemplate/templates.json as test vectors. A second run writes the same bytes.
#   e2e/record-pod-template.sh
# KUBE_VERSION chooses the release, as for kube.sh. Needs Go. Exits 1 with one line where the modules cannot be had.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
types=$here/../controller-common/src/main/resources/io/kubeloop/controller/history/pod-template.types
vectors=$here/../controller-common/src/test/resources/vectors/pod-template-hash-current.json
. "$here/record-lib.sh"
cp -r "$here/podtemplate/." "$work"
cd "$work"
{
    echo "module kubeloop/podtemplate"
    echo "go $(go env GOVERSION | sed 's/^go\([0-9]*\.[0-9]*\).*/\1/')"
    for module in api apimachinery; do echo "require k8s.io/$module v0.${version#*.}"; done
} >go.mod
tidy_module pod-template
mkdir -p "$(dirname "$types")" "$(dirname "$vectors")"
{
    echo "# The Go types of a pod template in Kubernetes $version. Written by e2e/record-pod-template.sh."
    go run ./types
} >"$types"
go run ./vectors <templates.json >"$vectors"
