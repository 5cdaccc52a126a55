/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.fake;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.Lister;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cache with the given objects, in the given order. Thread-safe.
 *
 * @param <T> the type of the objects
 */
public final class FakeLister<T extends KubeObject> implements Lister<T> {

    @GuardedBy("this")
    private final Map<ObjectName, T> objects = new LinkedHashMap<>();

    /** Shows the object, in place of any of its name. */
    public synchronized FakeLister<T> with(T object) {
        objects.put(object.objectName(), object);
        return this;
    }

    /** Shows the object no longer. */
    public synchronized void remove(ObjectName name) {
        objects.remove(name);
    }

    @Override
    public synchronized @Nullable T get(ObjectName name) {
        return objects.get(name);
    }

    @Override
    public synchronized List<T> list() {
        return List.copyOf(objects.values());
    }

    @Override
    public synchronized List<T> list(String namespace) {
        return objects.values().stream()
                .filter(object -> object.metadata().namespace().equals(namespace))
                .toList();
    }
}
