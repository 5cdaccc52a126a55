#!/usr/bin/env bash
# Finds or builds a real kube-apiserver with its etcd, and kube-controller-manager to compare with, and prints the directory
# that holds them (the layout that KUBEBUILDER_ASSETS names; kube-controller-manager may be missing there).
#   e2e/kube.sh [--cached]       with --cached nothing is built: it fails if there is none yet
# What KUBEBUILDER_ASSETS names is taken as it is. Otherwise Kubernetes 1.20.2 is built from Debian's source package: root on
# Debian 12 with the package mirror in reach, about 2 GB of room for a while, minutes of compiling. The result is cached. kubectl of the same
# release comes from Debian's package; it may be missing.
set -euo pipefail
version=1.20.2
dir=${XDG_CACHE_HOME:-$HOME/.cache}/kubeloop/kube-$version

say() { echo "kube: $*" >&2; }
cannot() {
    say "$*"
    say "set KUBEBUILDER_ASSETS to a directory with kube-apiserver and etcd"
    exit 1
}
complete() { [ -x "$1/kube-apiserver" ] && [ -x "$1/etcd" ]; }

# Takes kubectl out of Debian's package, which stays uninstalled.
add_kubectl() {
    local folder
    [ ! -x "$dir/kubectl" ] && command -v apt-get >/dev/null 2>&1 && command -v dpkg-deb >/dev/null 2>&1 || return 0
    folder=$(mktemp -d)
    if (cd "$folder" && apt-get download -qq kubernetes-client >/dev/null 2>&1 && dpkg-deb -x ./*.deb . &&
        usr/bin/kubectl version --client 2>/dev/null | grep -q "v$version" && mv usr/bin/kubectl "$dir/kubectl"); then
        say "kubectl $version comes from Debian's package"
    fi
    rm -rf "$folder"
}

if [ -n "${KUBEBUILDER_ASSETS:-}" ]; then
    complete "$KUBEBUILDER_ASSETS" || {
        say "KUBEBUILDER_ASSETS=$KUBEBUILDER_ASSETS does not hold kube-apiserver and etcd"
        exit 1
    }
    echo "$KUBEBUILDER_ASSETS"
    exit 0
fi
if complete "$dir" && [ -x "$dir/kube-controller-manager" ]; then
    add_kubectl
    echo "$dir"
    exit 0
fi
[ "${1:-}" != --cached ] || exit 1

command -v apt-get >/dev/null 2>&1 || cannot "kube-apiserver $version is built from Debian's source package, and this is not Debian"
[ "$(id -u)" = 0 ] || cannot "building kube-apiserver $version installs a compiler and etcd, which needs root"
release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
[ "$release" = bookworm ] || cannot "Kubernetes $version is a package of Debian 12 (bookworm), and this is '$release'"

say "installing a Go compiler and etcd"
apt-get update -qq >/dev/null || say "the package lists could not be refreshed; going on with the old ones"
apt-get install -y -qq --no-install-recommends golang-1.19-go etcd-server xz-utils >/dev/null 2>&1 ||
    cannot "the packages golang-1.19-go and etcd-server could not be installed"

work=$(mktemp -d)
# Go makes its module cache read-only.
trap 'chmod -R u+w "$work" 2>/dev/null || true; rm -rf "$work"' EXIT

say "fetching the source of Kubernetes $version"
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -m 1 '/debian/\{0,1\}$') ||
    cannot "apt knows no Debian mirror"
# Source packages are seldom enabled: lists of our own, so that the machine's stay as they are.
mkdir -p "$work/lists/partial"
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror bookworm main" >"$work/sources.list"
apt_source() {
    (cd "$work" && apt-get -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::State::Lists="$work/lists" -o APT::Sandbox::User=root "$@" >"$work/apt.log" 2>&1)
}
apt_source update -qq || cannot "the source lists cannot be had: $(tail -n 1 "$work/apt.log")"
apt_source source -qq --download-only kubernetes || cannot "the source cannot be had: $(tail -n 1 "$work/apt.log")"

export GOPATH=$work/go GOCACHE=$work/cache GO111MODULE=off CGO_ENABLED=0 PATH=/usr/lib/go-1.19/bin:$PATH
source=$GOPATH/src/k8s.io/kubernetes
mkdir -p "$source"
tar -xzf "$work"/kubernetes_*.orig.tar.gz -C "$source" --strip-components=1
cd "$source"

# The OpenAPI definitions are generated, and not part of the source: of every package that carries the marker.
say "generating the OpenAPI definitions"
go build -o "$work/openapi-gen" ./vendor/k8s.io/kube-openapi/cmd/openapi-gen
marked() { grep -rlE --include='*.go' '^// \+k8s:openapi-gen=' "$@" 2>/dev/null || true; }
packages=$(
    {
        marked pkg cmd
        # vendor/k8s.io holds links, which grep does not follow; the packages go by their vendored names.
        for link in vendor/k8s.io/*; do marked "$(readlink -f "$link")"; done | sed 's#^.*/staging/src/#vendor/#'
    } | grep -vE '_test\.go$|/testing/|code-generator|sample-apiserver|kube-openapi|gengo' |
        xargs -n 1 dirname | sort -u | sed 's#^#k8s.io/kubernetes/#' | paste -sd ,
)
"$work/openapi-gen" --logtostderr -i "$packages" -p k8s.io/kubernetes/pkg/generated/openapi -O zz_generated.openapi \
    -h vendor/k8s.io/code-generator/hack/boilerplate.go.txt -r "$work/violations" -o "$GOPATH/src" >"$work/openapi.log" 2>&1 ||
    cannot "the OpenAPI definitions could not be generated: $(tail -n 1 "$work/openapi.log")"

flags="-s -w"
for package in component-base/version client-go/pkg/version; do
    name=k8s.io/kubernetes/vendor/k8s.io/$package
    flags+=" -X $name.gitVersion=v$version -X $name.gitMajor=1 -X $name.gitMinor=20"
done
mkdir -p "$dir"
cp "$(command -v etcd)" "$dir/etcd"
for binary in kube-controller-manager kube-apiserver; do
    say "building $binary $version; this takes minutes"
    go build -ldflags "$flags" -o "$dir/$binary.part" "./cmd/$binary" >&2 || cannot "$binary did not build"
    mv "$dir/$binary.part" "$dir/$binary"
done
add_kubectl
echo "$dir"
