/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.selector.Selector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads an informer's cache. Thread-safe. No method blocks or calls the server.
 *
 * <p>The cache lags behind the server. A program's own write becomes visible only after the watch has delivered it.
 *
 * @param <T> the type of the objects
 */
public interface Lister<T> {

    /** Returns the object, or null if the cache has no object of this name. */
    @Nullable
    T get(ObjectName name);

    /** Returns all objects, as one consistent snapshot in no particular order. O(n). */
    List<T> list();

    /**
     * Returns the objects of one namespace, in no particular order; all objects if it is empty. O(objects of the
     * namespace).
     */
    List<T> list(String namespace);

    /** Returns a view of one namespace; of all namespaces if it is empty. */
    default NamespaceLister<T> namespace(String namespace) {
        return new NamespaceLister<>(this, namespace);
    }

    /**
     * Returns a predicate for {@link #list(String, Predicate)} that accepts objects whose labels match the selector.
     */
    static Predicate<KubeObject> labeled(Selector selector) {
        return object -> selector.matches(object.metadata().labels());
    }

    /** Returns the matching objects of one namespace. O(objects of the namespace). */
    default List<T> list(String namespace, Predicate<? super T> matches) {
        List<T> found = new ArrayList<>();
        for (T object : list(namespace)) {
            if (matches.test(object)) {
                found.add(object);
            }
        }
        return Collections.unmodifiableList(found);
    }

    /**
     * One namespace of a {@link Lister}. Immutable; each call reads the current cache.
     *
     * @param lister the lister of all namespaces
     * @param namespace the namespace to read
     * @param <T> the type of the objects
     */
    record NamespaceLister<T>(Lister<T> lister, String namespace) {

        /** Returns the object, or null if the cache has no object of this name. */
        public @Nullable T get(String name) {
            return lister.get(new ObjectName(namespace, name));
        }

        /** Returns the objects, in no particular order. O(objects of the namespace). */
        public List<T> list() {
            return lister.list(namespace);
        }

        /** Returns the matching objects, in no particular order. O(objects of the namespace). */
        public List<T> list(Predicate<? super T> matches) {
            return lister.list(namespace, matches);
        }
    }
}
