#!/usr/bin/env bash
# Records certificates and rejections, made by the functions of Kubernetes, as test vectors of controllers/certificates. A second run writes
# the same bytes.
#   e2e/record-certificates.sh
# KUBE_VERSION chooses the release, as for kube.sh. Needs Go; compiles for a minute. Exits 1 with one line where the modules cannot be had.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
vectors=$here/../controllers/certificates/src/test/resources/vectors/certificates.json
. "$here/record-lib.sh"
kubernetes_module certificates "$here/certificates/main.go"
tidy_module certificates
record_into "$vectors"
