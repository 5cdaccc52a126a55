/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.Time;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.cache.ResourceVersions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the children of owners, and shows each sync what the controller wrote before, even if the cache does not show
 * it yet (upstream: KEP-5647, which makes a sync wait for the cache instead).
 *
 * <p>A write whose outcome is unknown, such as one without an answer, makes the next {@link #latest} list the children
 * from the server. So does a child that the cache has not shown for {@link #PATIENCE}: it is read again.
 *
 * <p>Thread-safe for different owners; one thread at a time syncs an owner. This thread may let others write children
 * for it, and must wait for them before it calls {@link #latest}. Every method except {@link #forget} blocks while it
 * sends requests.
 *
 * @param <C> the kind of the children
 */
public final class ChildWriteOverlay<C extends KubeObject> {

    /*
     * Invariant
     *   W1  A child that this controller wrote is part of latest() until the cache shows the written version or a later
     * one (versions are numbers, KEP-5504), or the server does not have it any more.
     *   W2  A child that the server does not have any more is not part of latest() while the cache shows any version
     * of it, or has not shown it yet.
     *   W3  A child that this controller deleted is terminating in latest() until the cache shows that it is
     * terminating or gone, also if the cache has not shown it before.
     * No lock: concurrent maps. The entries of an owner are removed only by the thread that syncs it; the work queue
     * orders these threads.
     */

    /** The time after which a child that the cache does not show is read from the server: 1 min. */
    public static final Duration PATIENCE = Duration.ofMinutes(1);

    /** The knowledge of a child that the cache does not show. */
    private enum Known {
        /** The server has it in another version. */
        CHANGED,
        /** The controller has deleted it; the server may still have it. */
        DELETED,
        /** The server does not have it any more. */
        GONE
    }

    /**
     * A child that the cache does not show in this version.
     *
     * @param child the child as the server returned it, or as it was last known before it was deleted
     * @param isNew whether the cache has not shown its UID yet
     * @param known what is known of it
     * @param checked the time at which the server returned it, or reported that it is gone
     */
    private record Entry<C>(C child, boolean isNew, Known known, Instant checked) {}

    private final ConcurrentMap<String, Map<ObjectName, Entry<C>>> unseen = new ConcurrentHashMap<>();
    private final Set<String> doubtful = ConcurrentHashMap.newKeySet();
    private final ResourceClient<C> client;
    private final Clock clock;
    private final BiPredicate<String, C> isCandidate;
    private final Runnable stale;

    /**
     * Creates an empty record of an owner's children whose candidates are all objects of the namespace.
     *
     * @param clock measures ages; best a {@link ControllerTime#steady} clock
     */
    public ChildWriteOverlay(ResourceClient<C> client, Clock clock) {
        this(client, clock, (owner, child) -> true);
    }

    /**
     * Creates an empty record.
     *
     * @param clock measures ages; best a {@link ControllerTime#steady} clock
     * @param isCandidate whether the owner of this UID may claim the object; {@link #latest} then needs only such
     *     objects
     */
    public ChildWriteOverlay(ResourceClient<C> client, Clock clock, BiPredicate<String, C> isCandidate) {
        this(client, clock, isCandidate, () -> {});
    }

    /**
     * Creates an empty record.
     *
     * @param clock measures ages; best a {@link ControllerTime#steady} clock
     * @param isCandidate whether the owner of this UID may claim the object; {@link #latest} then needs only such
     *     objects
     * @param stale counts a sync that begins while the cache does not show all writes; see {@link #begin}
     */
    public ChildWriteOverlay(
            ResourceClient<C> client, Clock clock, BiPredicate<String, C> isCandidate, Runnable stale) {
        this.client = client;
        this.clock = clock;
        this.isCandidate = isCandidate;
        this.stale = stale;
    }

    /**
     * Counts the sync that begins if the cache does not show all writes. O(n) if some were not shown to the sync
     * before.
     *
     * @param cached every candidate of the namespace in the cache
     */
    public void begin(String ownerUid, List<C> cached) {
        Map<ObjectName, Entry<C>> entries = unseen.getOrDefault(ownerUid, Map.of());
        if (entries.isEmpty()) {
            return;
        }
        Map<ObjectName, C> shown = new HashMap<>();
        cached.forEach(child -> shown.put(child.objectName(), child));
        if (entries.entrySet().stream().anyMatch(entry -> isWrong(entry.getValue(), shown.get(entry.getKey())))) {
            stale.run();
        }
    }

    /**
     * Returns the children in the cache, each replaced by the version that was written later, and those that were
     * created and are not in the cache. O(n).
     *
     * @param ownerUid the UID of the owner that is synced
     * @param namespace the namespace of the children
     * @param cached every candidate of the namespace in the cache
     */
    public List<C> latest(String ownerUid, String namespace, List<C> cached) {
        Map<ObjectName, C> result = new LinkedHashMap<>();
        cached.forEach(child -> result.put(child.objectName(), child));
        if (doubtful.contains(ownerUid)) {
            readAgain(ownerUid, namespace, result);
            doubtful.remove(ownerUid);
        }
        Map<ObjectName, Entry<C>> entries = unseen.getOrDefault(ownerUid, Map.of());
        for (ObjectName name : List.copyOf(entries.keySet())) {
            Entry<C> entry = current(ownerUid, entries.get(name), result.get(name));
            if (entry == null) {
                entries.remove(name);
            } else if (entry.known() == Known.GONE) {
                result.remove(name);
            } else {
                result.put(name, entry.child());
            }
        }
        return List.copyOf(result.values());
    }

    /** Lists the children from the server, and records how the cache differs from it. */
    private void readAgain(String ownerUid, String namespace, Map<ObjectName, C> cached) {
        Set<ObjectName> existing = new HashSet<>();
        for (C live : client.list(namespace, ListOptions.NONE).items()) {
            existing.add(live.objectName());
            C shown = cached.get(live.objectName());
            if (shown == null || !isSame(shown, live)) {
                if (shown != null || isCandidate.test(ownerUid, live)) {
                    record(ownerUid, live, Known.CHANGED, true);
                }
            } else if (isNewer(live, shown)) {
                record(ownerUid, live, Known.CHANGED, false);
            }
        }
        Map<ObjectName, C> missing = new HashMap<>(cached);
        unseen.getOrDefault(ownerUid, Map.of()).forEach((name, entry) -> missing.put(name, entry.child()));
        missing.keySet().removeAll(existing);
        missing.values().forEach(child -> recordGone(ownerUid, child));
    }

    /** Returns the entry if the cache does not show it; null if the cache shows this version or a later one. */
    private @Nullable Entry<C> current(String ownerUid, @Nullable Entry<C> entry, @Nullable C cached) {
        if (entry == null || !isHidden(entry, cached)) {
            return null;
        }
        Entry<C> current = entry;
        boolean isFinal = entry.known() == Known.GONE; // no later object has its UID
        if (!isFinal && !clock.instant().isBefore(entry.checked().plus(PATIENCE))) {
            current = check(entry, cached);
        } else if (entry.isNew() && cached != null && isSame(cached, entry.child())) {
            current = new Entry<>(entry.child(), false, entry.known(), entry.checked());
        }
        if (current != null && current != entry) {
            entriesOf(ownerUid).put(current.child().objectName(), current);
        }
        return current;
    }

    /** Returns whether the cache shows an earlier state than the entry. */
    private static <C extends KubeObject> boolean isHidden(Entry<C> entry, @Nullable C cached) {
        if (cached == null) {
            return entry.isNew();
        }
        boolean isEarlier = isNewer(entry.child(), cached);
        boolean isSame = isSame(cached, entry.child());
        return switch (entry.known()) {
            case CHANGED -> isEarlier;
            case DELETED -> isEarlier || (isSame && !cached.metadata().isDeleting());
            case GONE -> isSame || isEarlier;
        };
    }

    /** Returns whether the cache must still change. It need not show a child that is gone. */
    private static <C extends KubeObject> boolean isWrong(Entry<C> entry, @Nullable C cached) {
        return isHidden(entry, cached) && (cached != null || entry.known() != Known.GONE);
    }

    /** Reads a child that the cache has not shown for long; returns null if the cache is right. */
    private @Nullable Entry<C> check(Entry<C> entry, @Nullable C cached) {
        try {
            C live = client.get(entry.child().objectName());
            if (cached == null || !isSame(cached, live)) {
                return new Entry<>(live, true, Known.CHANGED, clock.instant());
            }
            return isNewer(live, cached) ? new Entry<>(live, false, Known.CHANGED, clock.instant()) : null;
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
            C last = cached == null ? entry.child() : newest(entry.child(), cached);
            return new Entry<>(last, entry.isNew(), Known.GONE, clock.instant());
        }
    }

    /** Creates a child. */
    public C create(String ownerUid, C child) {
        return written(ownerUid, null, () -> client.create(child));
    }

    /** Updates a child. */
    public C update(String ownerUid, C child) {
        return written(ownerUid, child, () -> client.update(child));
    }

    /**
     * Changes a child in another way, such as by a patch.
     *
     * @param before the child as it was read
     * @param write sends the request and returns the child that the server returns
     */
    public C write(String ownerUid, C before, Supplier<C> write) {
        return written(ownerUid, before, write);
    }

    /**
     * Deletes a child. It is terminating for later syncs, until the cache shows that it is terminating or gone.
     *
     * @param request sends the request; throws if the server rejects it
     * @throws RuntimeException what the request threw, also if the server has no such child any more
     */
    public void delete(String ownerUid, C child, Runnable request) {
        try {
            request.run();
            recordDeleted(ownerUid, child);
        } catch (RuntimeException e) {
            if (e instanceof ApiException refused && refused.isNotFound()) {
                recordGone(ownerUid, child);
            } else if (isOpen(e)) {
                doubtful.add(ownerUid);
            }
            throw e;
        }
    }

    /** The time of the deletion has no meaning; it only marks the child. */
    @SuppressWarnings("unchecked") // a copy has the class of its original
    private void recordDeleted(String ownerUid, C child) {
        Entry<C> former = entryOfSame(ownerUid, child);
        C last = former == null ? child : newest(former.child(), child);
        C terminating = (C) last.withMetadata(ObjectMetaBuilder.builder(last.metadata())
                .deletionTimestamp(new Time(clock.instant()))
                .build());
        // A child that the cache has not shown before its deletion may still be terminating at the server.
        record(ownerUid, terminating, Known.DELETED, former != null && former.isNew());
    }

    /** Returns whether the request may have been carried out although it failed. */
    private static boolean isOpen(RuntimeException failure) {
        Throwable cause = failure instanceof ControllerException ? failure.getCause() : failure;
        return !(cause instanceof ApiException refused) || refused.code() >= 500;
    }

    /** Reads a child from the server. */
    public C read(String ownerUid, ObjectName name) {
        C live = client.get(name);
        record(ownerUid, live, Known.CHANGED, wasNew(ownerUid, live, true));
        return live;
    }

    /**
     * Writes a child.
     *
     * @param before the child as it was read; null if it did not exist
     */
    private C written(String ownerUid, @Nullable C before, Supplier<C> write) {
        try {
            C result = write.get();
            if (isRemoved(result.metadata())) {
                recordGone(ownerUid, result);
            } else {
                record(ownerUid, result, Known.CHANGED, wasNew(ownerUid, result, before == null));
            }
            return result;
        } catch (RuntimeException e) {
            if (before != null && e instanceof ApiException refused && refused.isNotFound()) {
                recordGone(ownerUid, before);
            } else if (isOpen(e)) {
                doubtful.add(ownerUid);
            }
            throw e;
        }
    }

    /** Returns whether the server removed the object with this write. It then returns it in the version before. */
    private static boolean isRemoved(ObjectMeta metadata) {
        Long grace = metadata.deletionGracePeriodSeconds();
        return metadata.isDeleting() && metadata.finalizers().isEmpty() && (grace == null || grace == 0);
    }

    /** Returns whether the cache had nothing of this UID when it was last asked. */
    private boolean wasNew(String ownerUid, C child, boolean otherwise) {
        Entry<C> entry = entryOfSame(ownerUid, child);
        return entry == null ? otherwise : entry.isNew();
    }

    private @Nullable Entry<C> entryOfSame(String ownerUid, C child) {
        Entry<C> entry = unseen.getOrDefault(ownerUid, Map.of()).get(child.objectName());
        return entry != null && isSame(entry.child(), child) ? entry : null;
    }

    private void record(String ownerUid, C child, Known known, boolean isNew) {
        entriesOf(ownerUid).put(child.objectName(), new Entry<>(child, isNew, known, clock.instant()));
    }

    /** Records that the server has no child of this name. */
    private void recordGone(String ownerUid, C child) {
        entriesOf(ownerUid)
                .merge(
                        child.objectName(),
                        new Entry<>(child, false, Known.GONE, clock.instant()),
                        (old, gone) ->
                                new Entry<>(newest(old.child(), child), old.isNew(), Known.GONE, gone.checked()));
    }

    private Map<ObjectName, Entry<C>> entriesOf(String ownerUid) {
        return unseen.computeIfAbsent(ownerUid, uid -> new ConcurrentHashMap<>());
    }

    /**
     * Returns whether the cache does not show all children yet. The owner must then be synced again after {@link
     * #PATIENCE}: a child that was deleted before the cache showed it leads to no event.
     */
    public boolean isAheadOfCache(String ownerUid) {
        return doubtful.contains(ownerUid)
                || unseen.getOrDefault(ownerUid, Map.of()).values().stream()
                        .anyMatch(entry -> entry.known() != Known.GONE);
    }

    /** Drops the record of an owner that no longer exists. */
    public void forget(String ownerUid) {
        unseen.remove(ownerUid);
        doubtful.remove(ownerUid);
    }

    private static boolean isSame(KubeObject one, KubeObject other) {
        return one.metadata().uid().equals(other.metadata().uid());
    }

    private static <C extends KubeObject> C newest(C one, C other) {
        return isNewer(one, other) ? one : other;
    }

    private static boolean isNewer(KubeObject one, KubeObject other) {
        return ResourceVersions.isNewer(
                one.metadata().resourceVersion(), other.metadata().resourceVersion());
    }
}
