/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectIdentity;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.PreparedCreate;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.cache.CacheProgress;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceVersions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the children of owners, and records each write in a {@link WriteBarrier}. A write whose outcome is unknown,
 * such as one without a response, leaves the owner in doubt: its next syncs read the children from the server, until
 * the cache has caught up with such a list.
 *
 * <p>Thread-safe. Every method that sends a request blocks until the server responds.
 *
 * @param <C> the kind of the children
 */
public final class ChildWrites<C extends KubeObject> {

    private final ResourceClient<C> client;
    private final Lister<C> cache;
    private final CacheProgress progress;
    private final WriteMarks marks;
    private final Consumer<ObjectName> again;

    /** Creates a writer that records its writes in the marks; {@code again} queues an owner's key. */
    ChildWrites(
            ResourceClient<C> client,
            Lister<C> cache,
            CacheProgress progress,
            WriteMarks marks,
            Consumer<ObjectName> again) {
        this.client = client;
        this.cache = cache;
        this.progress = progress;
        this.marks = marks;
        this.again = again;
    }

    /**
     * Returns the children that an owner may claim: those of the cache, or those of the server while the owner is in
     * doubt. O(n); blocks if it lists.
     *
     * @param owner the key of the sync
     * @param cached the children in the cache that the owner may claim
     * @param isCandidate whether the owner may claim an object
     */
    public List<C> latest(ObjectName owner, List<C> cached, Predicate<C> isCandidate) {
        if (!marks.isInDoubt(owner)) {
            return cached;
        }
        KubeList<C> live = client.list(owner.namespace(), ListOptions.NONE);
        List<C> children = live.items().stream().filter(isCandidate).toList();
        marks.listed(owner, live.metadata().resourceVersion(), areSame(children, cached));
        return children;
    }

    /**
     * Returns the children that an owner may claim, as {@link #latest(ObjectName, List, Predicate)} does.
     *
     * @param owner the owner, whose name is the key of the sync
     * @param index returns the children in the cache that the owner may claim
     */
    public List<C> latest(KubeObject owner, ChildIndex<C> index) {
        String uid = owner.metadata().uid();
        return latest(
                owner.objectName(),
                index.candidates(owner.metadata().namespace(), uid),
                child -> ChildIndex.isInReach(uid, child));
    }

    private static <C extends KubeObject> boolean areSame(List<C> live, List<C> cached) {
        Map<String, String> versions = new HashMap<>();
        cached.forEach(
                child -> versions.put(child.metadata().uid(), child.metadata().resourceVersion()));
        return live.size() == cached.size()
                && live.stream()
                        .allMatch(child -> child.metadata()
                                .resourceVersion()
                                .equals(versions.get(child.metadata().uid())));
    }

    /** Creates a child. */
    public C create(ObjectName owner, C child) {
        return write(owner, null, () -> client.create(child));
    }

    /** Creates a child from a prepared request. */
    public ObjectIdentity create(ObjectName owner, PreparedCreate request) {
        try {
            ObjectIdentity created = request.create();
            wrote(owner, created);
            return created;
        } catch (RuntimeException e) {
            failed(owner, null, e);
            throw e;
        }
    }

    /** Updates a child. */
    public C update(ObjectName owner, C child) {
        return write(owner, child, () -> client.update(child));
    }

    /**
     * Changes a child in another way, such as by a patch.
     *
     * @param before the child as it was read; null if it did not exist
     * @param request sends the request, and returns the child that the server returned
     */
    public C write(ObjectName owner, @Nullable C before, Supplier<C> request) {
        try {
            C written = request.get();
            if (isRemoved(written.metadata())) {
                gone(owner, written);
            } else {
                wrote(owner, ObjectIdentity.of(written.metadata()));
            }
            return written;
        } catch (RuntimeException e) {
            failed(owner, before, e);
            throw e;
        }
    }

    /**
     * Deletes a child. The next sync is put off until the cache shows that the child is terminating or gone.
     *
     * @param request sends the request; throws if the server rejects it
     * @throws RuntimeException what the request threw, also if the server does not have the child any more
     */
    public void delete(ObjectName owner, C child, Runnable request) {
        try {
            request.run();
            ended(owner, child, cached -> !cached.metadata().isDeleting());
        } catch (RuntimeException e) {
            failed(owner, child, e);
            throw e;
        }
    }

    /** Reads a child from the server, and puts off the next sync until the cache has this version. */
    public C read(ObjectName owner, ObjectName name) {
        C live = client.get(name);
        marks.wrote(owner, live.metadata().resourceVersion());
        return live;
    }

    /** A child that comes and goes while no watch is open has no event, so its owner is queued without one. */
    private void wrote(ObjectName owner, ObjectIdentity child) {
        marks.wrote(owner, child.resourceVersion());
        if (ResourceVersions.isVersion(child.resourceVersion())) {
            progress.whenObserved(child.resourceVersion(), () -> {
                C cached = cache.get(child.name());
                if (cached == null || !cached.metadata().uid().equals(child.uid())) {
                    again.accept(owner);
                }
            });
        }
    }

    private void failed(ObjectName owner, @Nullable C child, RuntimeException e) {
        if (child != null && e instanceof ApiException refused && refused.isNotFound()) {
            gone(owner, child);
        } else if (Errors.isOutcomeUnknown(e)) {
            marks.doubt(owner);
        }
    }

    /**
     * Records that the server does not have the child. An orphan is skipped, because the event of its deletion queues
     * no owner.
     */
    private void gone(ObjectName owner, C child) {
        if (child.metadata().controller() != null) {
            ended(owner, child, cached -> true);
        }
    }

    private void ended(ObjectName owner, C child, Predicate<C> isShown) {
        ObjectName name = child.objectName();
        String uid = child.metadata().uid();
        OwnerReference controller = child.metadata().controller();
        marks.ended(owner, uid, () -> {
            C cached = cache.get(name);
            return cached != null
                    && cached.metadata().uid().equals(uid)
                    // The event of a child that was released queues its former owner; that of its end does not.
                    && (controller == null
                            || controller.equals(cached.metadata().controller()))
                    && isShown.test(cached);
        });
    }

    /**
     * Returns whether the server removed the object with this write. It then returns the last version of the object.
     */
    private static boolean isRemoved(ObjectMeta metadata) {
        Long grace = metadata.deletionGracePeriodSeconds();
        return metadata.isDeleting() && metadata.finalizers().isEmpty() && (grace == null || grace == 0);
    }
}
