/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.fake;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.CacheProgress;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceVersions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cache with the given objects, in the given order. It has observed every version until {@link #observed} says
 * otherwise. Thread-safe.
 *
 * @param <T> the type of the objects
 */
public final class FakeLister<T extends KubeObject> implements Lister<T>, CacheProgress {

    @GuardedBy("this")
    private final Map<ObjectName, T> objects = new LinkedHashMap<>();

    /** The highest version that was processed; empty for all versions. */
    @GuardedBy("this")
    private String observed = "";

    @GuardedBy("this")
    private final List<Waiting> waiting = new ArrayList<>();

    /** An action that waits for a version. */
    private record Waiting(String version, Runnable action) {}

    /** Shows the object, in place of any of its name. */
    public synchronized FakeLister<T> with(T object) {
        objects.put(object.objectName(), object);
        return this;
    }

    /** Shows the object no longer. */
    public synchronized void remove(ObjectName name) {
        objects.remove(name);
    }

    /** Has processed everything up to this version, and nothing later; runs the actions that wait for it. */
    public void observed(String version) {
        List<Waiting> due;
        synchronized (this) {
            observed = version;
            due = waiting.stream().filter(each -> hasObserved(each.version())).toList();
            waiting.removeAll(due);
        }
        due.forEach(each -> each.action().run());
    }

    @Override
    public synchronized boolean hasObserved(String resourceVersion) {
        return ResourceVersions.isVersion(resourceVersion)
                && (observed.isEmpty() || ResourceVersions.isAtLeast(observed, resourceVersion));
    }

    @Override
    public synchronized void whenObserved(String resourceVersion, Runnable action) {
        waiting.add(new Waiting(resourceVersion, action));
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
