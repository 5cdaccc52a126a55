package io.kubeloop.cache;

import io.kubeloop.api.KubeObject;
import java.util.List;

/** The index that every informer of a factory has, and its name (upstream: {@code cache.NamespaceIndex}, IX-08). */
public final class Indexers {

    /** The name of the index by namespace. */
    public static final String NAMESPACE = "namespace";

    private Indexers() {}

    /** Returns the one value of the namespace index; empty for cluster-scoped objects. */
    public static List<String> byNamespace(KubeObject object) {
        return List.of(object.metadata().namespace());
    }
}
