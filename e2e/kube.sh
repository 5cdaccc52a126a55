#!/usr/bin/env bash
# Builds kube-apiserver, kube-controller-manager and kubectl of a current Kubernetes release, and the etcd that belongs to it,
# through the Go module proxy, and prints the directory that contains them (the layout that KUBEBUILDER_ASSETS names).
#   e2e/kube.sh [BINARY...]     also builds these commands of Kubernetes, such as kubectl-convert, or test/images/agnhost
# KUBE_VERSION selects the release; default: that of the file kubernetes-release. A directory that KUBEBUILDER_ASSETS names is taken as it is.
# The first run compiles for some minutes; later runs use the cache. Exits 1 with one line if it cannot build: no Go, no proxy,
# no space.
set -euo pipefail
version=${KUBE_VERSION:-$(<"$(dirname "${BASH_SOURCE[0]}")/kubernetes-release")}
dir=${XDG_CACHE_HOME:-$HOME/.cache}/kubeloop/kube-$version

say() { echo "kube: $*" >&2; }
cannot() {
    say "$*"
    exit 1
}

if [ -n "${KUBEBUILDER_ASSETS:-}" ]; then
    for binary in etcd kube-apiserver "$@"; do
        [ -x "$KUBEBUILDER_ASSETS/${binary##*/}" ] || cannot "KUBEBUILDER_ASSETS=$KUBEBUILDER_ASSETS does not contain $binary"
    done
    echo "$KUBEBUILDER_ASSETS"
    exit 0
fi
complete=yes
# package COMMAND: most are in the directory cmd.
package() {
    case $1 in
        */*) echo "k8s.io/kubernetes/$1" ;;
        *) echo "k8s.io/kubernetes/cmd/$1" ;;
    esac
}
commands=(kube-apiserver kube-controller-manager kubectl "$@")
for binary in etcd "${commands[@]}"; do
    [ -x "$dir/${binary##*/}" ] || complete=
done
if [ -n "$complete" ]; then
    echo "$dir"
    exit 0
fi
command -v go >/dev/null 2>&1 || cannot "Go is not installed"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export GOFLAGS='-mod=mod -buildvcs=false' CGO_ENABLED=0
mod=$(go mod download -json "k8s.io/kubernetes@v$version" 2>/dev/null | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p') || true
[ -n "$mod" ] || cannot "k8s.io/kubernetes v$version cannot be had from the Go module proxy"
needed=$(sed -n 's/^go \([0-9]*\.[0-9]*\).*/\1/p' "$mod")
have=$(go env GOVERSION | sed 's/^go\([0-9]*\.[0-9]*\).*/\1/')
[ "$(printf '%s\n%s\n' "$needed" "$have" | sort -V | head -n 1)" = "$needed" ] ||
    cannot "Kubernetes $version needs Go $needed, this is $have"

# The release module asks for its staging modules at v0.0.0 and replaces them with folders; outside its tree they are the
# published modules of the same number.
{
    echo "module kubeloop/kube"
    echo "go $needed"
    echo "require k8s.io/kubernetes v$version"
    sed -n 's/^[[:space:]]*\(k8s\.io\/[a-z0-9-]*\) v0\.0\.0\( .*\)\{0,1\}$/\1/p' "$mod" | sort -u |
        sed "s/.*/replace & => & v0.${version#*.}/"
} >go.mod
{
    printf '//go:build tools\n\npackage tools\n\nimport (\n\t_ "go.etcd.io/etcd/server/v3"\n'
    for command in "${commands[@]}"; do printf '\t_ "%s"\n' "$(package "$command")"; done
    echo ")"
} >tools.go
say "resolving modules"
go mod tidy >tidy.log 2>&1 || cannot "resolving modules failed: $(tail -n 1 tidy.log)"

flags="-s -w"
for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
    flags+=" -X $package.gitVersion=v$version -X $package.gitMajor=1 -X $package.gitMinor=$(cut -d. -f2 <<<"$version")"
done
mkdir -p "$dir"
build() { # BINARY PACKAGE
    [ ! -x "$dir/$1" ] || return 0
    say "building $1 for Kubernetes $version; this takes minutes"
    go build -ldflags "$flags" -o "$dir/$1.part$$" "$2" >&2 || cannot "$1 did not build"
    mv "$dir/$1.part$$" "$dir/$1"
}
# Debian's etcd will not do: a current kube-apiserver asks it for the progress of watches, which 3.4 does not report.
build etcd go.etcd.io/etcd/server/v3
for command in "${commands[@]}"; do build "${command##*/}" "$(package "$command")"; done
echo "$dir"
