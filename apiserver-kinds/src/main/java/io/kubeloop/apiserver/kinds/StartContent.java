package io.kubeloop.apiserver.kinds;

import io.kubeloop.apiserver.registry.ServerContent;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/** The objects that clients find when the server starts (upstream: {@code pkg/controlplane/controller}). */
final class StartContent {

    private static final List<String> NAMESPACES = List.of("default", "kube-system", "kube-public", "kube-node-lease");

    private StartContent() {}

    static void write(ServerContent content) {
        for (String namespace : NAMESPACES) {
            content.ensure(
                    JsonObject.EMPTY
                            .with("apiVersion", "v1")
                            .with("kind", "Namespace")
                            .with("metadata", JsonObject.EMPTY.with("name", namespace)),
                    current -> current);
        }
    }
}
