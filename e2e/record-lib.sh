# For the scripts that record what Kubernetes' own functions compute (sourced, not run). They choose the release with KUBE_VERSION, need Go,
# and exit 1 with one line where the modules cannot be had.
version=${KUBE_VERSION:-$(<"$here/kubernetes-release")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GOFLAGS='-mod=mod -buildvcs=false' CGO_ENABLED=0

# kubernetes_module NAME FILE...: goes into an empty directory with these files, which becomes a Go module that requires Kubernetes.
kubernetes_module() {
    local name=$1 mod
    shift
    cp "$@" "$work"
    cd "$work"
    mod=$(go mod download -json "k8s.io/kubernetes@v$version" | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p')
    {
        echo "module kubeloop/$name"
        echo "go $(sed -n 's/^go \([0-9.]*\).*/\1/p' "$mod")"
        echo "require k8s.io/kubernetes v$version"
        sed -n 's/^[[:space:]]*\(k8s\.io\/[a-z0-9-]*\) v0\.0\.0\( .*\)\{0,1\}$/\1/p' "$mod" | sort -u |
            sed "s/.*/replace & => & v0.${version#*.}/"
    } >go.mod
}

# tidy_module NAME: resolves what the files import.
tidy_module() {
    go mod tidy >tidy.log 2>&1 || {
        echo "record-$1: resolving modules failed: $(tail -n 1 tidy.log)" >&2
        exit 1
    }
}

# record_into FILE: runs the module, and writes what it prints.
record_into() {
    mkdir -p "$(dirname "$1")"
    go run . >"$1"
}
