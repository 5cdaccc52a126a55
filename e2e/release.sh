#!/usr/bin/env bash
# Makes a release in a temporary copy of the tree and checks it as Maven Central would: e2e/release.sh [--keep DIR] [VERSION]
# It signs with a key that is made for this run. The copy is built a second time, and both builds must have equal files. The suite
# compares the API with this release, starts the run-time image and the container image, and prints the sizes of docs/release.md.
#   --keep DIR   leaves the repository, the images and the log there
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. e2e/lib.sh
keep=
if [ "${1:-}" = --keep ]; then
    keep=${2:?release: --keep needs a directory}
    shift 2
fi
version=${1:-0.1.0}
need release mvn java gpg jlink python3

work=$(mktemp -d)
log=$work/log
leave() {
    gpgconf --kill gpg-agent 2>/dev/null || true
    if [ -n "$keep" ]; then
        mkdir -p "$keep"
        cp -R "$log" "$work/release" "$keep/"
        cp -R "$work"/first/app/target/{runtime,kubeloop-image.tar} "$keep/" 2>/dev/null || true
    fi
    rm -rf "$work"
}
trap leave EXIT

export GNUPGHOME=$work/gnupg
mkdir -m 700 "$GNUPGHOME"
gpg --batch --quiet --passphrase '' --quick-generate-key 'A release that is not published <release@example.invalid>' ed25519 sign never 2>/dev/null

borrow_repository "$work/repository"

maven() { # DIR ARGUMENT...
    local dir=$1
    shift
    (cd "$dir" && mvn -B -ntp -q -Pquick -DskipTests -Dmaven.repo.local="$work/repository" -Djib.disableUpdateChecks=true "$@") 2>&1 |
        sed $'s/\e\\[[0-9;]*m//g; /^$/d' >>"$log"
}
copy() { # DIR VERSION: the tracked files of the tree, in another version
    mkdir "$1"
    git ls-files -z | xargs -0 cp --parents -t "$1"
    maven "$1" versions:set -DnewVersion="$2" -DupdateBuildOutputTimestamp=false
}

# lines COMMAND...: each line "ok ..." or "FAIL ..." of a command is a check.
lines() {
    local output
    output=$("$@" 2>&1) || [[ $output == *FAIL* ]] || output+=$'\nFAIL '"$*: no result"
    printf '%s\n' "$output"
    passed=$((passed + $(grep -c '^ok ' <<<"$output" || true)))
    failed=$((failed + $(grep -c '^FAIL ' <<<"$output" || true)))
}

note "building version $version, with sources, javadoc, lists of dependencies, signatures and images"
copy "$work/first" "$version"
maven "$work/first" -Prelease,image deploy -DaltDeploymentRepository="release::file://$work/release" || {
    tail -n 40 "$log"
    exit 1
}

note "the repository"
lines java e2e/release/CheckRelease.java "$work/release" "$version"
lines python3 -B e2e/release/sboms.py "$work/first" "$work/release" "$version"

note "the same again"
copy "$work/second" "$version"
maven "$work/second" -Prelease package -Dmaven.javadoc.skip || {
    tail -n 40 "$log"
    exit 1
}
is_equal() { # every jar and list of dependencies of both builds
    local n=0 file other
    while read -r file; do
        other=$work/second${file#"$work/first"}
        cmp "$file" "$other" || return 1
        n=$((n + 1))
    done < <(find "$work/first" -path '*/target/*' \( -path '*/target/kubeloop-*.jar' -o -path '*/target/bom.json' \) ! -name '*-javadoc.jar' ! -path '*/target/lib/*')
    [ $n -gt 80 ] || {
        echo "only $n files"
        return 1
    }
}
holds "two builds make equal jars and lists of dependencies" is_equal

note "the API of the next version beside the release"
copy "$work/next" "$version-next-SNAPSHOT"
queue() { maven "$work/next" -Pjapicmp -pl workqueue -am verify "$@"; }
needs_baseline() { ! queue && grep -q 'Before the first release there is none' "$log"; }
finds_change() { # makes a method private to its package
    sed -i 's/public WorkQueueConfig withMetrics(/WorkQueueConfig withMetrics(/' \
        "$work/next/workqueue/src/main/java/io/kubeloop/workqueue/WorkQueueConfig.java"
    ! queue -Djapicmp.baseline="$version" &&
        grep -q 'METHOD_LESS_ACCESSIBLE' "$log"
}
holds "the comparison requires a release to compare with" needs_baseline
holds "an unchanged module is compatible with the release" queue -Djapicmp.baseline="$version"
holds "a method that callers lose is found" finds_change

note "the images"
app=$work/first/app/target
runs() { # PATTERN COMMAND...
    local pattern=$1 output
    shift
    output=$(env -i PATH=/nonexistent "$@" 2>&1) || {
        echo "$output"
        return 1
    }
    grep -q -- "$pattern" <<<"$output" || {
        echo "$output"
        return 1
    }
}
holds "the run-time image prints the version" runs "^kubeloop $version " "$(command -v env)" PATH=/usr/bin:/bin "$app/runtime/bin/kubeloop" version
holds "the run-time image runs the demo" runs "Where to look next" "$(command -v env)" PATH=/usr/bin:/bin timeout 120 \
    "$app/runtime/bin/kubeloop" demo --exit-when-settled --controllers-over-http
lines python3 -B e2e/release/container.py "$app/kubeloop-image.tar" "$work/container"
# As a container runtime does: a root of its own, with the processes' file system, in which the JVM looks for its files.
entry() { # PATTERN ARGUMENT...
    runs "$1" "$(command -v unshare)" -m "$(command -v sh)" -c '
        PATH=/usr/sbin:/usr/bin:/sbin:/bin
        mount --rbind /proc "$0/proc" && exec chroot --userspec=65532:65532 "$0" "$@"' "$work/container/root" "${command[@]}" "${@:2}"
}
mapfile -t command <"$work/container/command"
mkdir "$work/container/root/proc"
if unshare -m true 2>/dev/null; then
    holds "the container image runs the demo, as a user without rights" entry "Where to look next" demo --exit-when-settled --controllers-over-http
    holds "the container image prints the flags of its default command" entry "--leader-elect" controller-manager --help
else
    note "only root may make a root for a container: the image is not started"
fi

note "the sizes"
lines python3 -B e2e/release/sizes.py "$work/first" "$version"
return_repository "$work/repository"
printf 'release: ' && summary
