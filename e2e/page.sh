#!/usr/bin/env bash
# Does on the live page of a demo what a person does, in a headless Chromium: every lesson to its end, every fault, pause, step and rewind,
# keyboard only, 375 px, dark colors. Keeps the pictures.
#   e2e/page.sh [PART...]     parts: first lessons lesson-NAME faults time keyboard narrow dark frames; default: all
#   CHROMIUM=chromium         the browser
#   PICTURES=DIR              where the pictures go; default: a new directory
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

background demo "$home/kubeloop" demo
await_line demo 'demo: settled'
page=$(sed -n 's/.*lessons; \(http[^ ]*\).*/\1/p' "$work/demo.log")

"${java}c" -d "$work/classes" -cp "$classes" "$here"/page/*.java
"$java" -cp "$work/classes:$classes" PageCheck "$(command -v "$browser")" "$page" "$pictures" "$@"
echo "pictures: $pictures"
