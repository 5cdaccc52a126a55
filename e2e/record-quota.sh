#!/usr/bin/env bash
# Records the usage of made-up objects, computed by the evaluators of Kubernetes' quotas, as test vectors of controllers/core. A
# second run writes the same bytes.
#   e2e/record-quota.sh
# KUBE_VERSION chooses the release, as for kube.sh. Needs Go; compiles for some minutes. Exits 1 with one line where the modules cannot be had.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
vectors=$here/../apiserver/quota/src/test/resources/vectors/usage.json
. "$here/record-lib.sh"
kubernetes_module quota "$here/quota/main.go"
tidy_module quota
record_into "$vectors"
