package io.kubeloop.controller;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ResourceClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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
 * Writes the children of owners, and shows each sync what the controller wrote before, even if the cache does not show it yet
 * (upstream: KEP-5647, which makes a sync wait for the cache instead).
 *
 * <p>A write whose outcome is unknown, such as one without an answer, makes the next {@link #latest} list the children from
 * the server. So does a child that the cache has not shown for {@link #PATIENCE}: it is read again.
 *
 * <p>Thread-safe for different owners; one thread at a time syncs an owner. This thread may let others write children for it,
 * and must wait for them before it calls {@link #latest}. Every method except {@link #forget} blocks while it sends requests.
 *
 * @param <C> the kind of the children
 */
public final class OwnedWrites<C extends KubeObject> {

    // Invariant
    //   W1  A child that this controller wrote is part of latest() until the cache shows the written version or a later
    // one, or the server says that the child does not exist.
    //   W2  A child that the server does not have is not part of latest() while the cache shows a version that it had
    // before.
    // No lock: concurrent maps. The entries of an owner are removed only by the thread that syncs it; the work queue
    // orders
    // these threads.

    /** The time after which a child that the cache does not show is read from the server: 1 min. */
    public static final Duration PATIENCE = Duration.ofMinutes(1);

    /**
     * A child that the cache does not show in this version.
     *
     * @param child the child as the server returned it
     * @param older the versions that it replaced; the empty version means that the child did not exist
     * @param gone whether the server does not have it any more
     * @param checked the time at which the server returned it, or reported that it is gone
     */
    private record Entry<C>(C child, Set<String> older, boolean gone, Instant checked) {}

    private final ConcurrentMap<String, Map<ObjectName, Entry<C>>> unseen = new ConcurrentHashMap<>();
    private final Set<String> doubtful = ConcurrentHashMap.newKeySet();
    private final ResourceClient<C> client;
    private final Clock clock;
    private final BiPredicate<String, C> isCandidate;

    /**
     * Creates an empty record of an owner's children whose candidates are all objects of the namespace.
     *
     * @param clock measures ages; best a {@link ControllerTime#steady} clock
     */
    public OwnedWrites(ResourceClient<C> client, Clock clock) {
        this(client, clock, (owner, child) -> true);
    }

    /**
     * Creates an empty record.
     *
     * @param clock measures ages; best a {@link ControllerTime#steady} clock
     * @param isCandidate whether the owner of this UID may claim the object; {@link #latest} then needs only such objects
     */
    public OwnedWrites(ResourceClient<C> client, Clock clock, BiPredicate<String, C> isCandidate) {
        this.client = client;
        this.clock = clock;
        this.isCandidate = isCandidate;
    }

    /**
     * Returns the children in the cache, each replaced by the version that was written later, and those that were created and
     * are not in the cache. O(n).
     *
     * @param ownerUid the UID of the owner that is synced
     * @param namespace the namespace of the children
     * @param cached every candidate of the namespace in the cache
     */
    public List<C> latest(String ownerUid, String namespace, List<C> cached) {
        Map<ObjectName, C> result = new LinkedHashMap<>();
        cached.forEach(child -> result.put(child.objectName(), child));
        if (doubtful.contains(ownerUid)) {
            for (C live : client.list(namespace, ListOptions.NONE).items()) {
                C known = result.get(live.objectName());
                if (known != null || isCandidate.test(ownerUid, live)) {
                    record(ownerUid, version(known), live);
                }
            }
            doubtful.remove(ownerUid);
        }
        Map<ObjectName, Entry<C>> entries = unseen.getOrDefault(ownerUid, Map.of());
        for (ObjectName name : List.copyOf(entries.keySet())) {
            Entry<C> entry = current(ownerUid, entries.get(name), result.get(name));
            if (entry == null) {
                entries.remove(name);
            } else if (entry.gone()) {
                result.remove(name);
            } else {
                result.put(name, entry.child());
            }
        }
        return List.copyOf(result.values());
    }

    /** Returns the entry if the cache does not show it; null if the cache shows this version or a later one. */
    private @Nullable Entry<C> current(String ownerUid, @Nullable Entry<C> entry, @Nullable C cached) {
        if (entry == null) {
            return null;
        }
        // An object with another UID is usually an earlier one of the same name, whose deletion the cache has missed.
        boolean isOlder = entry.older().contains(version(cached))
                || (cached != null
                        && !entry.gone()
                        && !cached.metadata()
                                .uid()
                                .equals(entry.child().metadata().uid()));
        if (!isOlder) {
            return null;
        }
        if (clock.instant().isBefore(entry.checked().plus(PATIENCE))) {
            return entry;
        }
        Entry<C> fresh = check(entry, cached);
        if (fresh != null) {
            entriesOf(ownerUid).put(fresh.child().objectName(), fresh);
        }
        return fresh;
    }

    /** Reads a child that the cache has not shown for long; returns null if the cache is right. */
    private @Nullable Entry<C> check(Entry<C> entry, @Nullable C cached) {
        try {
            C live = client.get(entry.child().objectName());
            return version(live).equals(version(cached))
                    ? null
                    : new Entry<>(live, Set.of(version(cached)), false, clock.instant());
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
            return cached == null ? null : new Entry<>(cached, Set.of(version(cached)), true, clock.instant());
        }
    }

    /** Creates a child. */
    public C create(String ownerUid, C child) {
        return written(ownerUid, "", () -> client.create(child));
    }

    /** Updates a child. */
    public C update(String ownerUid, C child) {
        return written(ownerUid, version(child), () -> client.update(child));
    }

    /**
     * Changes a child in another way, such as by a patch.
     *
     * @param before the child as it was read
     * @param write sends the request and returns the child that the server returns
     */
    public C write(String ownerUid, C before, Supplier<C> write) {
        return written(ownerUid, version(before), write);
    }

    /** Reads a child from the server. */
    public C read(String ownerUid, ObjectName name) {
        C live = client.get(name);
        record(ownerUid, "", live);
        return live;
    }

    private C written(String ownerUid, String before, Supplier<C> write) {
        try {
            C result = write.get();
            record(ownerUid, before, result);
            return result;
        } catch (ApiException e) {
            if (e.code() >= 500) {
                doubtful.add(ownerUid);
            }
            throw e;
        } catch (RuntimeException e) {
            doubtful.add(ownerUid); // the request may have reached the server
            throw e;
        }
    }

    private void record(String ownerUid, String before, C child) {
        if (before.equals(version(child))) {
            return;
        }
        entriesOf(ownerUid)
                .merge(child.objectName(), new Entry<>(child, Set.of(before), false, clock.instant()), (old, added) -> {
                    Set<String> older = new HashSet<>(old.older());
                    older.add(version(old.child()));
                    older.add(before);
                    older.remove(version(child));
                    return new Entry<>(child, older, false, added.checked());
                });
    }

    private Map<ObjectName, Entry<C>> entriesOf(String ownerUid) {
        return unseen.computeIfAbsent(ownerUid, uid -> new ConcurrentHashMap<>());
    }

    /** Drops the record of an owner that no longer exists. */
    public void forget(String ownerUid) {
        unseen.remove(ownerUid);
        doubtful.remove(ownerUid);
    }

    private static String version(@Nullable KubeObject object) {
        return object == null ? "" : object.metadata().resourceVersion();
    }
}
