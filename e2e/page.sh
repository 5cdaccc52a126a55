#!/usr/bin/env bash
# Does on the live page of a demo what a person does, in a headless Chromium: every lesson to its end, every fault, pause, step and rewind,
# keyboard only, the tree of a screen reader, 375 px, dark colors. Then the page of a manager, the keys of a terminal, and a load of
# 10,000 pods and 5,000 events/s. Keeps the pictures.
#   e2e/page.sh [PART...]     parts: first lessons lesson-NAME faults time keyboard accessibility narrow dark manager terminal load;
#                             default: all. scenes: takes the pictures of the book, docs/images/scene-*.webp
#   CHROMIUM=chromium         the browser
#   PICTURES=DIR              where the pictures go; default: a new directory
#   PODS=10000 EVENTS=5000    the load
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
. "$here/lib.sh"
browser=${CHROMIUM:-chromium}
command -v "$browser" >/dev/null 2>&1 || install_package chromium
need page "$browser"
"$home/kubeloop" version
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
classes=$home/app/target/kubeloop-app.jar:$home/app/target/lib/*

work=$(mktemp -d)
pictures=${PICTURES:-$work/pictures}
trap 'stop_background; [ -n "${PICTURES:-}" ] && rm -rf "$work"' EXIT
failures=0
PATIENCE=${PATIENCE:-180}

# wants PART: whether the part was chosen, or no part was.
wants() {
    local part
    [ $# -gt 1 ] || return 0
    for part in "${@:2}"; do [ "$part" != "$1" ] || return 0; done
    return 1
}

# check CLASS ARGUMENT...: runs a check.
check() {
    "$java" -cp "$work/classes:$classes" "$@" || failures=$((failures + 1))
}

# free_port: a port on which nothing listens.
free_port() {
    local port
    for port in $(shuf -i 20000-32000 -n 50); do
        (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
    done
}

"${java}c" -d "$work/classes" -cp "$classes" "$here"/page/*.java
chromium=$(command -v "$browser")

in_demo=()
for part; do
    case $part in manager | terminal | load) ;; *) in_demo+=("$part") ;; esac
done
if [ $# = 0 ] || [ ${#in_demo[@]} -gt 0 ]; then
    background demo "$home/kubeloop" demo
    await_line demo 'demo: settled'
    page=$(sed -n 's/.*lessons; \(http[^ ]*\).*/\1/p' "$work/demo.log")
    check PageCheck "$chromium" "$page" "$pictures" ${in_demo[@]+"${in_demo[@]}"}
    stop_background
fi

if wants manager "$@"; then
    background apiserver "$home/kubeloop" apiserver --port 0 --simulate-kubelet --kubeconfig-out "$work/kubeconfig"
    await_line apiserver 'listening on'
    port=$(free_port)
    background manager "$home/kubeloop" controller-manager --kubeconfig "$work/kubeconfig" --http-port "$port"
    await_line manager 'started .*garbage-collector-controller'
    page=$(sed -n 's/.*live page at \(http[^ ]*\).*/\1/p' "$work/manager.log")
    check ManagerCheck "$chromium" "$page" "$pictures" "$(sed -n 's/.*listening on //p' "$work/apiserver.log")"
    stop_background
fi

if wants terminal "$@"; then
    need page script
    check TerminalCheck "$home/kubeloop"
fi

if wants load "$@"; then
    background load nice "$java" -XX:+UseSerialGC -cp "$work/classes:$classes" LoadedLoop "${PODS:-10000}" "${EVENTS:-5000}"
    await_line load 'events/s'
    check LoadCheck "$chromium" "$(sed -n 's/.*page \(http[^ ]*\).*/\1/p' "$work/load.log")" "$pictures"
    grep -o '[0-9]* events/s$' "$work/load.log" | tail -n +3 | sort -n | awk '{ v[NR] = $1 } END { print "       the source delivered " v[int((NR + 1) / 2)] " events/s (median)" }'
    stop_background
fi

echo "pictures: $pictures"
exit $((failures > 0))
