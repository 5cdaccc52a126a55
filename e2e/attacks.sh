#!/usr/bin/env bash
# Attacks `./kubeloop apiserver` with a heap of 256 MB from this machine: expressions that backtrack, bodies that repeat, requests that never
# end. Every attack is answered in bounded time, and /readyz stays 200 meanwhile. Loopback only, one server of its own; half a minute.
#   e2e/attacks.sh
# Needs Python 3 with its standard library.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
need attacks python3
work=$(mktemp -d)
trap 'stop_background; rm -rf "$work"' EXIT
home=$(dirname "$here")
"$home/kubeloop" version >/dev/null
umask 077
echo 'attacks-admin,admin,1,"system:masters"' >"$work/tokens.csv"
KUBELOOP_JAVA_OPTS="-Xmx256m -XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError" background server "$home/kubeloop" apiserver --port 0 \
    --token-auth-file "$work/tokens.csv"
await_line server 'listening on'
exec 3< <(python3 -B "$here/harness/attacks.py" "$(sed -n 's/.*listening on http:\/\///p' "$work/server.log")" attacks-admin; echo "exit $?")
result=1
while read -r line <&3; do
    case $line in 'exit '*) result=${line#exit } ;; *) echo "$line" ;; esac
done
holds "the server still runs" kill -0 "$(cat "$work/server.pid")"
[ "$failed" = 0 ] || exit 1
exit "$result"
