#!/usr/bin/env bash
# Builds the images of Kubernetes' conformance tests, with the names that the tests use, so that no node pulls them.
#   e2e/conformance/images.sh DIR       leaves the archives in DIR
# The programs are built from Kubernetes' sources through the Go module proxy. The base of all images is busybox instead of alpine; agnhost also has
# curl, bash, dig and nc of this machine. The images nginx contain a server of busybox: the tests need some server that is not agnhost.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../lib.sh"
dir=${1:?images: which directory?}
need images go python3
mkdir -p "$dir"
assets=$("$here/../kube.sh" test/images/agnhost test/images/nonewprivs test/images/regression-issue-74839)
sources=$(go mod download -json "k8s.io/kubernetes@v${KUBE_VERSION:-$(<"$(dirname "${BASH_SOURCE[0]}")/../kubernetes-release")}" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')/test/images
[ -x /bin/busybox ] || install_package busybox-static
[ -x /usr/bin/dig ] || install_package bind9-dnsutils
[ -x /bin/nc.openbsd ] || install_package netcat-openbsd
registry=registry.k8s.io/e2e-test-images
image() { # NAME[,NAME] [OPTION...] -- COMMAND...
    local names=$1 file
    shift
    file=$(basename "${names%%:*}").tar
    python3 -B "$here/../node/image.py" "$(sed "s|^|$registry/|; s|,|,$registry/|g; s|$registry/registry|registry|g" <<<"$names")" "$dir/$file" "$@"
}
agnhost=(--file "agnhost=$assets/agnhost" --file "agnhost-2=$assets/agnhost" --file "coredns=$("$here/with-dns.sh" --build)"
    --file "localhost.crt=$sources/agnhost/porter/localhost.crt"
    --file "localhost.key=$sources/agnhost/porter/localhost.key" --entrypoint /agnhost)
for program in curl bash dig nc.openbsd; do
    agnhost+=(--program "$(readlink -f "$(command -v $program)")")
done
# The shell of busybox would run busybox's nc, whatever the path has.
agnhost+=(--file bin/nc=/bin/nc.openbsd --file "bin/sh=$(readlink -f "$(command -v bash)")")
chmod u+s "$assets/nonewprivs"
image agnhost:2.63.0,agnhost:2.55 "${agnhost[@]}" --account user-defined-in-image:1000:50000 -- pause
image registry.k8s.io/pause:3.10.2 -- sleep infinity
image busybox:1.37.0-1 -- sh
image nginx:1.15-4,nginx:1.27-0 -- sh -c 'mkdir -p /usr/share/nginx/html; hostname >/usr/share/nginx/html/index.html; exec httpd -f -p 80 -h /usr/share/nginx/html'
image nonroot:1.5 --user 1234 -- sleep infinity
image nonewprivs:1.4 --file "usr/local/bin/nnp=$assets/nonewprivs" -- nnp
for cat in kitten nautilus; do
    image $cat:1.8 "${agnhost[@]}" --file "$cat.jpg=$sources/$cat/html/$cat.jpg" --file "data.json=$sources/$cat/html/data.json" -- test-webserver
done
image regression-issue-74839:1.4 --file "regression-issue-74839=$assets/regression-issue-74839" --entrypoint /regression-issue-74839 --
