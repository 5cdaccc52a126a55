package io.kubeloop.cache;

import io.kubeloop.api.ObjectName;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One namespace of a {@link Lister}. Immutable; each call reads the current cache.
 *
 * @param lister the lister of all namespaces
 * @param namespace the namespace to read
 * @param <T> the type of the objects
 */
public record NamespaceLister<T>(Lister<T> lister, String namespace) {

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
