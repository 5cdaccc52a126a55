#!/usr/bin/env bash
# Records how kube-apiserver answers to custom resource definitions and to custom resources, as vectors of apiserver-kinds and, for
# rules in CEL, of apiserver-cel.
#   e2e/record-custom-resources.sh [DIR [CEL-DIR]]     take the files; default: the test resources of the two modules
# KUBE_VERSION chooses the release, as for kube.sh. harness/customresources/cases.py and cel_cases.py hold the requests.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:-$here/../apiserver/kinds/src/test/resources/vectors/custom}
cel=${2:-$here/../apiserver/cel/src/test/resources/vectors/cel}

work=$(mktemp -d)
finish() {
    "$here/down.sh" --dir "$work/server"
    rm -rf "$work"
}
trap finish EXIT
mkdir -p "$work/server" "$out" "$cel"
KUBEBUILDER_ASSETS=$("$here/kube.sh")
export KUBEBUILDER_ASSETS
"$here/up.sh" --dir "$work/server"
python3 "$here/harness/customresources/record.py" --kubeconfig "$work/server/admin.kubeconfig" --out "$out"
python3 "$here/harness/customresources/record.py" --kubeconfig "$work/server/admin.kubeconfig" --out "$cel" --cases cel_cases
