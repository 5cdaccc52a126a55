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
 * Reads an informer's cache. Thread-safe; never calls the server.
 *
 * <p>What it returns is the past: a write of one's own shows up only after it has come back through the watch.
 *
 * @param <T> the type of the objects
 */
public interface Lister<T> {

    /** Returns the object, or null if the cache has none of this name. */
    @Nullable
    T get(ObjectName name);

    /** Returns every object, as one consistent snapshot in no particular order. O(n). */
    List<T> list();

    /** Returns the objects of one namespace, in no particular order. O(objects of the namespace). */
    List<T> list(String namespace);

    /** Returns a view of one namespace; empty for all. */
    default NamespaceLister<T> namespace(String namespace) {
        return new NamespaceLister<>(this, namespace);
    }

    /**
     * Returns a predicate for {@link #list(String, Predicate)}: objects with labels that the selector selects (LI-01).
     */
    static Predicate<KubeObject> labeled(Selector selector) {
        return object -> selector.matches(object.metadata().labels());
    }

    /** Returns the objects of one namespace that match. O(objects of the namespace). */
    default List<T> list(String namespace, Predicate<? super T> matches) {
        List<T> found = new ArrayList<>();
        for (T object : list(namespace)) {
            if (matches.test(object)) {
                found.add(object);
            }
        }
        return Collections.unmodifiableList(found);
    }
}
