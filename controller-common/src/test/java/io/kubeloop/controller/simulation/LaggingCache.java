/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.simulation;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.DeletedFinalStateUnknown;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A cache and the watch that feeds it, for one thread. The watch delivers each change when the test triggers it; it can
 * lose changes, and find by a new list what it has lost.
 *
 * @param <T> the type of the objects
 */
public final class LaggingCache<T extends KubeObject> implements Lister<T> {

    /** A change that the cache does not show yet: the new state, or null if the object is gone. */
    private record Change<T>(
            ObjectName name, @Nullable T state, @Nullable T before) {}

    private final Map<ObjectName, T> cached = new LinkedHashMap<>();
    private final Map<ObjectName, T> server = new LinkedHashMap<>();
    private final List<Change<T>> pending = new ArrayList<>();
    private ResourceEventHandler<T> handler;

    /**
     * Fills the cache, and notifies the handler of every object of the initial list.
     *
     * @param listed what the server has
     */
    public void start(List<T> listed, ResourceEventHandler<T> told) {
        handler = told;
        listed.forEach(object -> {
            server.put(object.objectName(), object);
            cached.put(object.objectName(), object);
        });
        listed.forEach(object -> told.onAdd(object, true));
    }

    /** Lets the watch know what the server has now; what differs is shown later. */
    public void serverHas(List<T> listed) {
        Map<ObjectName, T> now = new LinkedHashMap<>();
        listed.forEach(object -> now.put(object.objectName(), object));
        List.copyOf(server.values()).forEach(object -> {
            T current = now.get(object.objectName());
            if (current == null || !sameUid(current, object)) {
                server.remove(object.objectName());
                pending.add(new Change<>(object.objectName(), null, object));
            }
        });
        now.forEach((name, object) -> {
            T before = server.put(name, object);
            if (before == null || !sameVersion(before, object)) {
                pending.add(new Change<>(name, object, before));
            }
        });
    }

    /** Shows the oldest change; returns false if there is none. */
    public boolean deliver() {
        if (pending.isEmpty()) {
            return false;
        }
        Change<T> change = pending.remove(0);
        T state = change.state();
        if (state != null) {
            set(state);
        } else {
            T last = cached.remove(change.name());
            if (last != null) {
                handler.onDelete(new DeletedObject.Observed<>(change.name(), Objects.requireNonNull(change.before())));
            }
        }
        return true;
    }

    private void set(T state) {
        T before = cached.put(state.objectName(), state);
        if (before == null) {
            handler.onAdd(state, false);
        } else {
            handler.onUpdate(before, state);
        }
    }

    /** The watch breaks and loses some changes, the newest ones; until the next list the cache does not know. */
    public void loseChanges(Random random) {
        if (!pending.isEmpty()) {
            pending.subList(random.nextInt(pending.size()), pending.size()).clear();
        }
    }

    /** The cache jumps to what the server has; what came and went since is never seen. */
    public void relist() {
        pending.clear();
        List.copyOf(cached.values()).forEach(object -> {
            if (!server.containsKey(object.objectName())) {
                cached.remove(object.objectName());
                handler.onDelete(new DeletedFinalStateUnknown<>(object.objectName(), object));
            }
        });
        List.copyOf(server.values()).forEach(this::set);
    }

    private static boolean sameUid(KubeObject a, KubeObject b) {
        return a.metadata().uid().equals(b.metadata().uid());
    }

    private static boolean sameVersion(KubeObject a, KubeObject b) {
        return a.metadata().resourceVersion().equals(b.metadata().resourceVersion());
    }

    @Override
    public @Nullable T get(ObjectName name) {
        return cached.get(name);
    }

    @Override
    public List<T> list() {
        return List.copyOf(cached.values());
    }

    @Override
    public List<T> list(String namespace) {
        return list().stream()
                .filter(object -> object.metadata().namespace().equals(namespace))
                .toList();
    }
}
