#!/usr/bin/env bash
# Records the arithmetic of rollouts, computed by Kubernetes' own functions, as test vectors of controllers/apps. A second run writes
# the same bytes.
#   e2e/record-rollout.sh
# KUBE_VERSION chooses the release, as for kube.sh. Needs Go; compiles for some minutes. Exits 1 with one line where the modules cannot be had.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
vectors=$here/../controllers/apps/src/test/resources/vectors/rollout-arithmetic.json
. "$here/record-lib.sh"
kubernetes_module rollout "$here/rollout/main.go"
tidy_module rollout
record_into "$vectors"
