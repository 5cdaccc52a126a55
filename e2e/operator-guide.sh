#!/usr/bin/env bash
# Executes the commands of docs/run-an-operator.md as printed, in a directory of its own: e2e/operator-guide.sh. A comment before a block
# of the page says what the block is:
#     <!-- file: PATH -->         a file
#     <!-- terminal[: TEXT] -->   a command that keeps running; the next block waits until its output has the text
#     <!-- run -->                commands, all of which succeed
#     <!-- output -->             the output of the block before, which runs until it prints that, for at most two minutes
# kube-scheduler comes from kube.sh, and helm from the suite of clients.sh if it is not on the path.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
. "$here/lib.sh"
need operator-guide jq python3 openssl go
find_kubectl
work=$(mktemp -d)
set -m # each terminal is a process group
trap 'stop; rm -rf "$work"' EXIT
stop() {
    local pid
    for pid in ${started[@]+"${started[@]}"}; do kill -- "-$pid"; done 2>/dev/null
    for pid in ${started[@]+"${started[@]}"}; do wait "$pid"; done 2>/dev/null
    started=()
}
assets=$("$here/kube.sh" kube-scheduler) || exit 1
"$home/kubeloop" version
mkdir "$work/bin" "$work/page"
ln -s "$(command -v "$KUBECTL")" "$work/bin/kubectl"
ln -s "$assets/kube-scheduler" "$work/bin/"
command -v helm >/dev/null 2>&1 || ln -s "$("$here/clients/helm.sh" --build)" "$work/bin/" || exit 1
export PATH=$work/bin:$PATH HELM_CACHE_HOME=$work/helm HELM_CONFIG_HOME=$work/helm HELM_DATA_HOME=$work/helm
cd "$work/page" || exit 1
printf '#!/bin/sh\nexec "%s" "$@"\n' "$home/kubeloop" >kubeloop
chmod +x kubeloop

awk -v steps="$work/step" '
    /^<!-- (file|terminal|run|output).* -->$/ { kind = substr($0, 6, length($0) - 9); next }
    /^```/ && inside { inside = 0; kind = ""; close(path); next }
    /^```/ && kind != "" {
        inside = 1
        if (kind ~ /^file: /) { path = substr(kind, 7) } else {
            path = sprintf("%s-%02d", steps, ++count)
            print kind >(path ".kind")
            close(path ".kind")
        }
        printf "" >path
        next
    }
    inside { print >path }' "$home/docs/run-an-operator.md"

# The environment of the next block is that which a block leaves behind.
block() { ( set -e; . "$work/environment"; . "$1"; export -p >"$work/environment" ) 2>&1; }
export -p >"$work/environment"
PATIENCE=120
for step in "$work"/step-[0-9][0-9]; do
    kind=$(cat "$step.kind") title=$(head -n 1 "$step" | cut -c1-110) next=$(printf '%s-%02d' "$work/step" $((10#${step##*-} + 1)))
    case $kind in
        terminal*)
            background "terminal-${step##*-}" bash -c ". '$work/environment'; . '$step'"
            [ "$kind" = terminal ] || await_line "terminal-${step##*-}" "${kind#terminal: }"
            ;;
        run)
            if [ "$(cat "$next.kind" 2>/dev/null)" = output ]; then
                eventually "$title" "$(cat "$next")" block "$step"
            else
                holds "$title" block "$step"
            fi
            ;;
    esac
done
stop
printf 'operator-guide: ' && summary
