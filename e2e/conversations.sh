#!/usr/bin/env bash
# Asks kube-apiserver and `./kubeloop apiserver` the same requests about every kind, and prints where the answers differ.
#   e2e/conversations.sh                        all conversations, on both servers; some minutes
#   e2e/conversations.sh --kinds 'apps/v1/'     those whose title matches
#   e2e/conversations.sh --real-only --record DIR    stores the real answers
#   e2e/conversations.sh --against DIR          compares with stored answers; needs no real server
# --help lists the options. Needs Python 3 with its standard library.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
need conversations python3
find_kubectl
export KUBECTL
"$(dirname "$here")/kubeloop" version >/dev/null
exec python3 -B "$here/harness/conversations.py" "$@"
