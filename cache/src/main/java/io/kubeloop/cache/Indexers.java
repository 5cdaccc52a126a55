package io.kubeloop.cache;

import io.kubeloop.api.KubeObject;
import java.util.List;
import java.util.function.Function;

/** Index functions: the one that every informer has, and what can be made of others. */
public final class Indexers {

    /** The name of the index by namespace, which every informer has (upstream: {@code cache.NamespaceIndex}, IX-08). */
    public static final String NAMESPACE = "namespace";

    private Indexers() {}

    /** Returns the one value of the namespace index; empty for cluster-scoped objects. */
    public static List<String> byNamespace(KubeObject object) {
        return List.of(object.metadata().namespace());
    }

    /**
     * Makes a key function of an index function that gives every object exactly one value (upstream:
     * {@code IndexFuncToKeyFuncAdapter}, IX-09). The key function throws {@link IllegalArgumentException} for an object with
     * no value or several.
     */
    public static <T> Function<T, String> asKey(Function<? super T, ? extends List<String>> indexFunction) {
        return object -> {
            List<String> values = indexFunction.apply(object);
            if (values.size() != 1) {
                throw new IllegalArgumentException("a key is one value, but the index gives " + values);
            }
            return values.get(0);
        };
    }
}
