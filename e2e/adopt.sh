#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Records again, with another release of Kubernetes, everything that this project has recorded, and reports what changed upstream.
#   e2e/adopt.sh VERSION [--out DIR] [STEP...]
#     VERSION      such as 1.37.2
#     --out DIR    takes the report, the logs, and in DIR/tree a clone of the last commit with a branch adopt-VERSION, on which each
#                  step commits what it has recorded; default target/adopt-VERSION. A second call goes on in the same directory
#     STEP...      default: all, in this order:
#       binaries       builds the release
#       NAME           what e2e/record-NAME.sh records: schema, start, manager, custom-resources, certificates, jobs and so on
#       refusals       the answers to requests that a server must refuse
#       members        compares the answers to values of every member of the schema; fails if a member occurs in no request
#       kinds          the answers about a small and a large object of each kind: defaults, validation, messages
#       world          runs the release's kube-controller-manager in the scenarios of e2e/world, and records those that differ
#       conformance    the names of the conformance tests
# The other steps still run if one fails; the report names those that failed, and the command then exits with 1. Docs: adopt-a-release.md.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
. "$here/lib.sh"
need adopt git go python3
recorders=$(cd "$here" && for script in record-*.sh; do name=${script#record-} && echo "${name%.sh}"; done | grep -v '^lib$')
all="binaries $(echo $recorders) refusals members kinds world conformance"

usage() {
    sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" >&2
    exit 2
}
version=
out=
steps=()
while [ $# -gt 0 ]; do
    case $1 in
        --out)
            out=${2:?adopt: --out needs a directory}
            shift 2
            ;;
        -*) usage ;;
        *)
            if [ -z "$version" ]; then
                version=$1
            elif [[ " $all " == *" $1 "* ]]; then
                steps+=("$1")
            else
                echo "adopt: there is no step $1; the steps are: $all" >&2
                exit 2
            fi
            shift
            ;;
    esac
done
[[ $version =~ ^1\.[0-9]+\.[0-9]+$ ]] || usage
[ "${#steps[@]}" -gt 0 ] || read -r -a steps <<<"$all"
out=${out:-$home/target/adopt-$version}
mkdir -p "$out/logs"
out=$(cd "$out" && pwd)
tree=$out/tree
old=$(<"$here/kubernetes-release")
export KUBE_VERSION=$version

if [ ! -d "$tree" ]; then
    git clone -q "$home" "$tree"
    git -C "$tree" switch -q -c "adopt-$version"
    git -C "$tree" tag adopt-base
    echo "$version" >"$tree/e2e/kubernetes-release"
fi

binaries() { e2e/kube.sh kube-scheduler; }

# The script also compares, and this project may still differ.
refusals() {
    local file=apiserver/http/src/test/resources/io/kubeloop/apiserver/http/refusals.json
    { e2e/refusals.sh --record "$file" || true; } | tee "$out/refusals.txt"
    tail -n 1 "$out/refusals.txt" | grep -q ' differ$'
}

# This project may differ, but no member may be left out.
members() {
    { e2e/members.sh --out "$out/members.jsonl" || true; } | tee "$out/members.txt"
    tail -n 1 "$out/members.txt" | grep -q ' 0 members in no request$'
}

kinds() {
    local folder=apiserver/kinds/src/test/resources/io/kubeloop/apiserver/kinds/strategy keys=() file
    for file in "$folder"/*.json; do
        file=$(basename "$file" .json)
        keys+=("${file//_//}")
    done
    rm -rf "$out/answers"
    # The schema names the new kinds, for which there are no objects yet.
    e2e/conversations.sh --real-only --record "$out/answers" --kinds "^($(IFS='|' && echo "${keys[*]}"))\$"
    python3 e2e/harness/kind_vectors.py --recorded "$out/answers" --out "$folder" "${keys[@]}"
}

# Without a manager of ours, the release's own runs.
world() {
    local name names=()
    e2e/world/world.sh run | tee "$out/world.txt" || true
    for name in $(sed -n 's/^failed: //p' "$out/world.txt"); do names+=("e2e/world/scenarios/$name.json"); done
    [ "${#names[@]}" = 0 ] || e2e/world/world.sh record "${names[@]}"
}

# The names are compared without their labels, which move between releases.
conformance() {
    local release sources
    for release in "$old" "$version"; do
        sources=$(go mod download -json "k8s.io/kubernetes@v$release" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
        python3 -c '
import re, sys
for name in re.findall(r"^  codename: (.*?)\n  \w", sys.stdin.read(), re.S | re.M):
    first, *rest = re.split(r"(?<=\])", " ".join(name.split()).strip("\x27"), maxsplit=1)
    print(first + re.sub(r" ?\[[^\]]*\]", "", "".join(rest)))' \
            <"$sources/test/conformance/testdata/conformance.yaml" | sort -u >"$out/conformance-$release.txt"
    done
}

failed=()
cd "$tree"
for step in "${steps[@]}"; do
    began=$SECONDS
    note "$step"
    command=$step
    [ ! -x "e2e/record-$step.sh" ] || command=e2e/record-$step.sh
    # Not in a condition, in which a function would go on after a failed command.
    set +e
    (set -e; "$command") >"$out/logs/$step" 2>&1
    code=$?
    set -e
    ok=yes
    if [ "$code" -ne 0 ]; then
        ok=
        failed+=("$step")
        note "$step failed; the end of $out/logs/$step: $(tail -n 1 "$out/logs/$step")"
    fi
    echo "$step $((SECONDS - began)) ${ok:-no}" >>"$out/times"
    git add -A
    git diff --cached --quiet || git commit -q -m "Record $step of Kubernetes $version"
done
python3 -B "$here/harness/adoption.py" --tree "$tree" --out "$out" --old "$old" --new "$version" >"$out/report.md"
note "the report: $out/report.md; the recordings: branch adopt-$version of $tree"
if [ "${#failed[@]}" -gt 0 ]; then
    echo "adopt: failed: ${failed[*]}"
    exit 1
fi
echo "adopt: $(sed -n 's/^In total: //p' "$out/report.md")"
