#!/usr/bin/env bash
# Records into apiserver/kinds the fields of Kubernetes' internal types, whose JSON the messages of kube-apiserver show. A second run writes
# the same bytes.
#   e2e/record-internal-forms.sh
# KUBE_VERSION chooses the release, as for kube.sh. Needs Go. Exits 1 with one line where the modules cannot be had.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$here/../apiserver/kinds/src/main/resources/io/kubeloop/apiserver/kinds/validation/internal.types
. "$here/record-lib.sh"
kubernetes_module internal-forms "$here/internalforms/main.go"
tidy_module internal-forms
record_into "$out"
