/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import io.kubeloop.api.KubeObject;
import io.kubeloop.cache.store.ThreadSafeStore;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The namespace index, which every informer has, and helpers for other index functions. */
public final class Indexers {

    /** Name of the index by namespace, which every informer has (upstream: {@code cache.NamespaceIndex}). */
    public static final String NAMESPACE = "namespace";

    private Indexers() {}

    /**
     * Returns an empty store without indices. A read by key never waits. A read of several objects is repeated if a
     * write overlapped it, and a write that overlaps another write is repeated, too.
     *
     * @param keyOf returns an object's key; throws if the object has none
     * @param versionOf returns an object's resource version; null leaves the version of the store unchanged
     * @param <K> the type of the keys
     * @param <T> the type of the objects
     */
    public static <K extends Comparable<? super K>, T> Indexer<K, T> create(
            Function<? super T, ? extends K> keyOf, Function<? super T, @Nullable String> versionOf) {
        return new ThreadSafeStore<>(keyOf, versionOf);
    }

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
