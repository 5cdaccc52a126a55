#!/usr/bin/env bash
# Gives each member of each kind's schema bad and good values, on create, update and status, and compares the answers of kube-apiserver and of
# `./kubeloop apiserver`. Every request is a dry run. Exits 1 if an answer differs, or if a member of the schema occurs in no request.
#   e2e/members.sh                      all kinds, 100,000 requests: half an hour on two cores
#   e2e/members.sh --kinds '^v1/pods'   the kinds whose title matches
#   e2e/members.sh --out FILE           also writes the differing requests, one a line
# Needs Python 3 with its standard library.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
need members python3
find_kubectl
export KUBECTL
"$(dirname "$here")/kubeloop" version >/dev/null
exec python3 -B "$here/harness/members.py" "$@"
