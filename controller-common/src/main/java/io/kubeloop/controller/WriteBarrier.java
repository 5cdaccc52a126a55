/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.cache.CacheProgress;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.SharedInformer;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/**
 * Puts off the syncs of an owner whose own writes the caches do not show yet (upstream: {@code ConsistencyStore} of
 * KEP-5647).
 *
 * <p>A controller that reads its cache before the watch has delivered the controller's last writes would repeat them.
 * The barrier records the version of each write and compares it with the version that the informer has processed;
 * versions are numbers (KEP-5504). A sync begins with {@link #check}. If a cache is behind, the sync returns, and the
 * informer queues the key again when it has caught up. No thread waits.
 *
 * <p>{@link #follow} registers the cache of objects that a controller updates, such as the owner with its status; the
 * controller reports these writes to {@link #wrote}. {@link #children} registers objects that it creates and deletes.
 *
 * <p>Thread-safe; no method blocks. One thread at a time syncs an owner. It may let others write for it, and must wait
 * for them before the next {@link #check}.
 */
public final class WriteBarrier {

    /**
     * The longest time that the cache of children can put off a sync: 1 min. The watch of the cache may be dead, or a
     * restored backup has lost the version. Children are listed from the server then. The caches of other objects,
     * which no sync lists, can put it off for an hour.
     */
    public static final Duration PATIENCE = WriteMarks.PATIENCE;

    /**
     * Writes owners, and records each write. Thread-safe; a write blocks until the server responds.
     *
     * @param type the resource, whose cache the barrier follows
     * @param client sends the requests
     * @param barrier records the versions
     */
    public record Owners<T extends KubeObject>(ResourceType<T> type, ResourceClient<T> client, WriteBarrier barrier) {

        /** Returns whether a sync must be put off; see {@link WriteBarrier#check}. */
        public boolean isBehind(ObjectName owner) {
            return barrier.isBehind(owner);
        }

        /** Writes an owner, and returns it as the server returned it. */
        public T update(T changed) {
            return barrier.wrote(changed.objectName(), type, client.update(changed));
        }

        /** Writes the status of an owner, and returns the owner as the server returned it. */
        public T updateStatus(T changed) {
            return barrier.wrote(changed.objectName(), type, client.updateStatus(changed));
        }

        /** Drops the records of an owner that no longer exists. */
        public void forget(ObjectName owner) {
            barrier.forget(owner);
        }
    }

    private final Clock clock;
    private final Consumer<ObjectName> again;
    private final Consumer<ResourceType<?>> stale;
    private final ConcurrentMap<ResourceType<?>, WriteMarks> resources = new ConcurrentHashMap<>();

    /**
     * Creates a barrier without caches.
     *
     * @param clock measures ages; best a {@link ControllerTime#steady} clock
     * @param again queues a key whose sync was put off; called by the thread that fills a cache
     * @param stale receives the resource whose cache is behind, once for each sync that is put off
     */
    public WriteBarrier(Clock clock, Consumer<ObjectName> again, Consumer<ResourceType<?>> stale) {
        this.clock = clock;
        this.again = again;
        this.stale = stale;
    }

    /**
     * Creates a barrier without caches that counts no syncs.
     *
     * @param clock measures ages; best a {@link ControllerTime#steady} clock
     * @param again queues a key whose sync was put off; called by the thread that fills a cache
     */
    public WriteBarrier(Clock clock, Consumer<ObjectName> again) {
        this(clock, again, resource -> {});
    }

    /** Registers the cache of a resource that the controller updates. */
    public WriteBarrier follow(ResourceType<?> type, CacheProgress cache) {
        resources.put(type, new WriteMarks(cache, clock, false));
        return this;
    }

    /** Registers the cache of the owners, and returns their writer. */
    public <T extends KubeObject> Owners<T> owners(ResourceType<T> type, KubeClient client, CacheProgress cache) {
        return new Owners<>(type, client.resource(type), follow(type, cache));
    }

    /** Registers the cache of a resource whose objects the controller creates and deletes, and returns its writer. */
    public <C extends KubeObject> ChildWrites<C> children(
            ResourceType<C> type, ResourceClient<C> client, SharedInformer<C> cache) {
        return children(type, client, cache.lister(), cache);
    }

    /**
     * Registers the cache of a resource whose objects the controller creates and deletes, and returns its writer.
     *
     * @param cached the cached objects
     * @param progress the version of that cache
     */
    public <C extends KubeObject> ChildWrites<C> children(
            ResourceType<C> type, ResourceClient<C> client, Lister<C> cached, CacheProgress progress) {
        WriteMarks marks = new WriteMarks(progress, clock, true);
        resources.put(type, marks);
        return new ChildWrites<>(client, cached, progress, marks, again);
    }

    /**
     * Records a write of a followed resource, and returns the object.
     *
     * @param owner the key of the sync that wrote it
     * @param written the object as the server returned it
     * @throws IllegalArgumentException if the resource is not followed
     */
    public <T extends KubeObject> T wrote(ObjectName owner, ResourceType<T> type, T written) {
        marksOf(type).wrote(owner, written.metadata().resourceVersion());
        return written;
    }

    /** Records a version that the cache of a followed resource must reach, as {@link #wrote} does. */
    public void wroteVersion(ObjectName owner, ResourceType<?> type, String resourceVersion) {
        marksOf(type).wrote(owner, resourceVersion);
    }

    private WriteMarks marksOf(ResourceType<?> type) {
        WriteMarks marks = resources.get(type);
        if (marks == null) {
            throw new IllegalArgumentException("cannot record a write of " + type + ": its cache is not followed");
        }
        return marks;
    }

    /** Returns whether the caches show all writes for this owner. A sync calls it before it reads a cache. */
    public OwnWrites check(ObjectName owner) {
        OwnWrites state = OwnWrites.CLEAR;
        for (Map.Entry<ResourceType<?>, WriteMarks> resource : resources.entrySet()) {
            OwnWrites of = resource.getValue().check(owner, () -> again.accept(owner));
            if (of == OwnWrites.BEHIND) {
                stale.accept(resource.getKey());
                return of;
            }
            state = of == OwnWrites.CAUGHT_UP ? of : state;
        }
        return state;
    }

    /** Returns whether a sync must be put off; see {@link #check}. */
    public boolean isBehind(ObjectName owner) {
        return check(owner) == OwnWrites.BEHIND;
    }

    /**
     * Queues the owner's key as soon as the caches show all versions that were recorded for it: at once if they do. A
     * sync calls it if no event may follow, such as when an object comes and goes while no watch is open.
     */
    public void queueWhenCaughtUp(ObjectName owner) {
        if (!isBehind(owner)) {
            again.accept(owner);
        }
    }

    /** Drops the records of an owner that no longer exists. */
    public void forget(ObjectName owner) {
        resources.values().forEach(marks -> marks.forget(owner));
    }
}
