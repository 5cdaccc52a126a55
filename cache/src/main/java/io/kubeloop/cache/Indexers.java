package io.kubeloop.cache;

import io.kubeloop.api.KubeObject;
import java.util.List;
import java.util.function.Function;

/** The index function that every informer has, and helpers for others. */
public final class Indexers {

    /** Name of the index by namespace, which every informer has (upstream: {@code cache.NamespaceIndex}). */
    public static final String NAMESPACE = "namespace";

    private Indexers() {}

    /** Returns the one value of the namespace index: the namespace, or an empty string for a cluster-scoped object. */
    public static List<String> byNamespace(KubeObject object) {
        return List.of(object.metadata().namespace());
    }

    /**
     * Turns an index function with exactly one value per object into a key function (upstream:
     * {@code IndexFuncToKeyFuncAdapter}). The key function throws {@link IllegalArgumentException} for an object with
     * no value or several values.
     */
    public static <T> Function<T, String> asKey(Function<? super T, ? extends List<String>> indexFunction) {
        return object -> {
            List<String> values = indexFunction.apply(object);
            if (values.size() != 1) {
                throw new IllegalArgumentException("a key function needs exactly one index value, got " + values);
            }
            return values.get(0);
        };
    }
}
