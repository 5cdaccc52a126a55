/**
 * Kubernetes' own kinds as plug-ins of the API server: defaults, validation, allocation, subresources and columns.
 *
 * <p>Start at {@link io.kubeloop.apiserver.kinds.BuiltInKinds}.
 */
@SuppressWarnings("module") // the modules that see the qualified exports are built after this one
module io.kubeloop.apiserver.kinds {
    requires transitive io.kubeloop.apiserver;
    requires static transitive org.jspecify;

    exports io.kubeloop.apiserver.kinds;
    exports io.kubeloop.apiserver.kinds.quota to
            io.kubeloop.controlplane;
}
