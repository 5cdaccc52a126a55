#!/usr/bin/env bash
# Tells whether a change made something slower, or made it allocate more.
#   jmh/compare.sh [--base COMMIT] [OPTIONS] [PATTERN]   this tree beside a commit, in turns; default: the hot path beside HEAD, or,
#                                                        if nothing has been changed since, beside the commit before it
#   jmh/compare.sh check [OPTIONS] [PATTERN]             this tree beside jmh/baseline.tsv: what is allocated
#   jmh/compare.sh record [OPTIONS] [PATTERN]            measures, and writes that file
#   jmh/compare.sh --jars OLD NEW [OPTIONS] [PATTERN]    one build beside another, both made before
# jmh/compare.sh duel --help and check --help list the OPTIONS. Ends with 3 if something got worse.
# Needs what the build needs. Let nothing else run beside it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
java=${JAVA_HOME:+$JAVA_HOME/bin/}java

build() {
    (cd "$1" && mvn -B -ntp -q -pl jmh -am -DskipTests -Pquick package)
}

compare() {
    "$java" -cp "$work/after.jar" io.kubeloop.jmh.compare.CompareMain "$@"
}

work=$(mktemp -d)
trap 'git -C "$home" worktree remove --force "$work/base" 2>/dev/null || true; rm -rf "$work"' EXIT

command=duel
case ${1:-} in
    -h | --help) sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit ;;
    duel | check | record) command=$1; shift ;;
esac
base=
jars=
if [ "${1:-}" = --base ]; then
    [ $# -ge 2 ] || { echo "compare: --base needs a commit" >&2; exit 2; }
    base=$2
    shift 2
elif [ "${1:-}" = --jars ]; then
    [ $# -ge 3 ] || { echo "compare: --jars needs two files" >&2; exit 2; }
    jars=given
    cp "$2" "$work/before.jar"
    cp "$3" "$work/after.jar"
    shift 3
fi

if [ -z "$jars" ]; then
    build "$home"
    cp "$here/target/benchmarks.jar" "$work/after.jar"
fi
for argument in "$@"; do
    case $argument in
        -h | --help)
            if [ "$command" = record ]; then command=check; fi
            compare "$command" --help
            echo "This script makes and names the builds itself: --base instead of --before, nothing else of JARs."
            exit ;;
    esac
done
if [ "$command" = record ]; then set -- --record "$@"; fi
if [ "$command" != duel ]; then
    compare check --jar "$work/after.jar" --baseline "$here/baseline.tsv" "$@"
    exit
fi

if [ -z "$jars" ]; then
    if [ -z "$base" ]; then
        base=HEAD
        [ -n "$(git -C "$home" status --porcelain)" ] || base=HEAD^
    fi
    commit=$(git -C "$home" rev-parse --verify --quiet "$base^{commit}") || {
        echo "compare: $base is no commit" >&2
        exit 2
    }
    echo "beside $(git -C "$home" log -1 --format='%h %s' "$commit")"
    git -C "$home" worktree add --quiet --detach "$work/base" "$commit"
    build "$work/base"
    cp "$work/base/jmh/target/benchmarks.jar" "$work/before.jar"
fi

# The meter of the new build measures both.
mkdir "$work/meter"
(cd "$work/meter" && "${java%java}jar" xf "$work/after.jar" io/kubeloop/jmh/meter org/objectweb/asm)
echo 'Premain-Class: io.kubeloop.jmh.meter.CodeAgent' >"$work/manifest"
"${java%java}jar" cfm "$work/meter.jar" "$work/manifest" -C "$work/meter" .
compare duel --before "$work/before.jar" --after "$work/after.jar" --meter "$work/meter.jar" "$@"
