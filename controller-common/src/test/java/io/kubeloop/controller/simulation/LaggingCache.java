/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.simulation;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ListMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.cache.CacheProgress;
import io.kubeloop.cache.DeletedFinalStateUnknown;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.ResourceVersions;
import io.kubeloop.controller.ChildIndex;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A cache and the watch that feeds it, for one thread. The watch delivers each change when the test triggers it; it can
 * lose changes, and find by a new list what it has lost. Until that list it does not know its version.
 *
 * @param <T> the type of the objects
 */
public final class LaggingCache<T extends KubeObject> implements Lister<T>, CacheProgress {

    /**
     * A change that the cache does not show yet.
     *
     * @param state the new state; null if the object is gone
     * @param version the version up to which the cache has processed everything afterwards
     */
    private record Change<T>(
            ObjectName name, @Nullable T state, @Nullable T before, String version) {}

    /** An action that waits for a version. */
    private record Waiting(String version, Runnable action) {}

    private final Map<ObjectName, T> cached = new LinkedHashMap<>();
    private final Map<ObjectName, T> server = new LinkedHashMap<>();
    private final List<Change<T>> pending = new ArrayList<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private ResourceEventHandler<T> handler;

    /** The version of the last list of the server. */
    private String serverVersion = "";

    /** The version up to which everything was processed; empty if changes were lost. */
    private String processed = "";

    private boolean hasLost;

    /** Fills a cache that does not know its version. */
    public void start(List<T> objects, ResourceEventHandler<T> told) {
        start(withoutVersion(objects), told);
    }

    /** Lets the watch know what the server has now, without a version. */
    public void serverHas(List<T> objects) {
        serverHas(withoutVersion(objects));
    }

    private static <T> KubeList<T> withoutVersion(List<T> objects) {
        return new KubeList<>(new ListMeta("", "", null, UnknownFields.NONE), objects);
    }

    /**
     * Fills the cache, and notifies the handler of every object of the initial list.
     *
     * @param list what the server has
     */
    public void start(KubeList<T> list, ResourceEventHandler<T> told) {
        List<T> listed = list.items();
        handler = told;
        serverVersion = list.metadata().resourceVersion();
        processed = serverVersion;
        listed.forEach(object -> {
            server.put(object.objectName(), object);
            cached.put(object.objectName(), object);
        });
        listed.forEach(object -> told.onAdd(object, true));
    }

    /** Lets the watch know what the server has now; what differs is shown later. */
    public void serverHas(KubeList<T> list) {
        Map<ObjectName, T> now = new LinkedHashMap<>();
        String earlier = serverVersion;
        serverVersion = list.metadata().resourceVersion();
        list.items().forEach(object -> now.put(object.objectName(), object));
        List.copyOf(server.values()).forEach(object -> {
            T current = now.get(object.objectName());
            if (current == null || !sameUid(current, object)) {
                server.remove(object.objectName());
                pending.add(new Change<>(object.objectName(), null, object, earlier));
            }
        });
        now.forEach((name, object) -> {
            T last = server.put(name, object);
            if (last == null || !sameVersion(last, object)) {
                pending.add(new Change<>(name, object, last, earlier));
            }
        });
        // What came and went since is not in this list; a watch would have shown it, and so the version.
        if (!pending.isEmpty()) {
            Change<T> last = pending.remove(pending.size() - 1);
            pending.add(new Change<>(last.name(), last.state(), last.before(), serverVersion));
        } else if (!hasLost) {
            progress(serverVersion);
        }
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
        if (!hasLost) {
            progress(change.version());
        }
        return true;
    }

    private void progress(String version) {
        processed = version;
        List<Waiting> due =
                waiting.stream().filter(each -> hasObserved(each.version())).toList();
        waiting.removeAll(due);
        due.forEach(each -> each.action().run());
    }

    @Override
    public boolean hasObserved(String resourceVersion) {
        return ResourceVersions.isAtLeast(processed, resourceVersion);
    }

    @Override
    public void whenObserved(String resourceVersion, Runnable action) {
        waiting.add(new Waiting(resourceVersion, action));
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
            hasLost = true;
            processed = "";
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
        hasLost = false;
        progress(serverVersion);
    }

    private static boolean sameUid(KubeObject a, KubeObject b) {
        return a.metadata().uid().equals(b.metadata().uid());
    }

    private static boolean sameVersion(KubeObject a, KubeObject b) {
        return a.metadata().resourceVersion().equals(b.metadata().resourceVersion());
    }

    /** Returns the objects by owner, as an index of an informer has them. */
    public ChildIndex<T> children() {
        return (namespace, owner) -> list(namespace, object -> ChildIndex.isInReach(owner, object));
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
