/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.dispatch;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.DeletedFinalStateUnknown;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.EventCause;
import io.kubeloop.cache.IndexException;
import io.kubeloop.cache.queue.Delta;
import io.kubeloop.cache.queue.DeltaConsumer;
import io.kubeloop.cache.queue.DeltaType;
import io.kubeloop.cache.store.StoreTransaction;
import io.kubeloop.cache.store.ThreadSafeStore;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.UserCallbacks;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes changes to the store and creates the notifications of handlers (upstream: {@code processDeltas} and its batch
 * form).
 *
 * <p>The store decides the kind of a notification, not the event. A stored object is updated, any other is added. The
 * deletion of an object that was never stored is not notified; upstream notifies it. An object that arrives again
 * unchanged is not notified either, unless the configuration requests it. All changes of a batch become visible
 * together, so a handler may find the store ahead of its notifications.
 *
 * <p>Confined to the processing thread, except {@link #processedUpTo}.
 */
public final class DeltaProcessor<T extends KubeObject> implements DeltaConsumer<ObjectName, T> {

    private static final Logger LOG = LoggerFactory.getLogger(DeltaProcessor.class);

    private final String informer;
    private final ThreadSafeStore<ObjectName, T> store;
    private final Distributor<T> distributor;
    private final boolean announceUnchanged;
    private final Runnable whenSynced;
    private final UserCallbacks indexFunctions;

    /**
     * True if the version of the store implies that everything up to it was processed. A list without a version sets it
     * to false: the watch that follows starts with the current objects, in no order of versions. The first change that
     * cannot be one of them sets it to true. It becomes false before the list is visible in the store, and true after
     * that change is.
     */
    private volatile boolean versionsInOrder;

    public DeltaProcessor(
            String informer,
            ThreadSafeStore<ObjectName, T> store,
            Distributor<T> distributor,
            Scheduler scheduler,
            boolean announceUnchanged,
            Runnable whenSynced) {
        this.informer = informer;
        this.store = store;
        this.distributor = distributor;
        this.announceUnchanged = announceUnchanged;
        this.whenSynced = whenSynced;
        this.indexFunctions = new UserCallbacks(scheduler);
    }

    @Override
    public void deltas(List<Delta<ObjectName, T>> deltas, boolean isInInitialList) {
        StoreTransaction<ObjectName, T> transaction;
        List<Notification<T>> changes = new ArrayList<>(deltas.size());
        do {
            changes.clear();
            transaction = store.change();
            for (Delta<ObjectName, T> delta : deltas) {
                Notification<T> change = apply(transaction, delta, isInInitialList);
                if (change != null) {
                    changes.add(change);
                }
            }
        } while (!store.tryCommit(transaction));
        committed(transaction, changes);
        versionsInOrder = versionsInOrder || deltas.stream().anyMatch(delta -> delta.type() != DeltaType.ADDED);
    }

    /** Passes the changes of a commit to the handlers. */
    private void committed(StoreTransaction<ObjectName, T> transaction, List<Notification<T>> changes) {
        if (!changes.isEmpty()) {
            distributor.distribute(new Notification.Batch<>(transaction.commit(), changes));
        }
        logFailure(transaction.indexFailure());
    }

    private @Nullable Notification<T> apply(
            StoreTransaction<ObjectName, T> transaction, Delta<ObjectName, T> delta, boolean isInInitialList) {
        T object = delta.object();
        if (object != null && !delta.finalStateUnknown()) {
            transaction.resourceVersion(object.metadata().resourceVersion());
        }
        if (!delta.isDeletion()) {
            T before = transaction.put(delta.key(), delta.present());
            return stored(before, delta.present(), isInInitialList, cause(delta.type(), isInInitialList));
        }
        T last = transaction.remove(delta.key());
        if (last == null) {
            return null;
        }
        return new Notification.Deleted<>(
                object == null || delta.finalStateUnknown()
                        ? new DeletedFinalStateUnknown<>(delta.key(), object == null ? last : object)
                        : new DeletedObject.Observed<>(delta.key(), object));
    }

    @Override
    public void replacedAll(List<T> objects, String resourceVersion, boolean isInInitialList) {
        StoreTransaction<ObjectName, T> transaction;
        List<Notification<T>> notifications;
        boolean hasVersion = !resourceVersion.isEmpty() && !resourceVersion.equals("0");
        if (!hasVersion) {
            versionsInOrder = false;
        }
        do {
            transaction = store.rebuild();
            List<Notification<T>> changes = new ArrayList<>(objects.size());
            for (T object : objects) {
                ObjectName key = store.keyOf(object);
                T twin = transaction.put(key, object);
                T last = twin == null ? transaction.stored(key) : twin;
                Notification<T> change =
                        stored(last, object, isInInitialList, cause(DeltaType.REPLACED, isInInitialList));
                if (change != null) {
                    changes.add(change);
                }
            }
            transaction.resourceVersion(resourceVersion);
            notifications = deletions(transaction);
            notifications.addAll(changes);
        } while (!store.tryCommit(transaction));
        committed(transaction, notifications);
        versionsInOrder = hasVersion;
    }

    /** Returns a deletion for each stored object that the list lacks. No watch observed its end. */
    private List<Notification<T>> deletions(StoreTransaction<ObjectName, T> transaction) {
        List<Notification<T>> deletions = new ArrayList<>();
        transaction.forEachStored((key, lastKnown) -> {
            if (transaction.get(key) == null) {
                deletions.add(new Notification.Deleted<>(new DeletedFinalStateUnknown<>(key, lastKnown)));
            }
        });
        return deletions;
    }

    private static EventCause cause(DeltaType type, boolean isInInitialList) {
        return switch (type) {
            case REPLACED -> isInInitialList ? EventCause.INITIAL_LIST : EventCause.RELIST;
            case SYNC -> EventCause.RESYNC;
            case ADDED, UPDATED, DELETED, DELETED_UNSEEN -> EventCause.WATCH;
        };
    }

    /** Returns the notification for a stored object; null if there is none. */
    private @Nullable Notification<T> stored(@Nullable T before, T object, boolean isInInitialList, EventCause cause) {
        if (before == null) {
            return new Notification.Added<>(object, isInInitialList, cause);
        }
        if (!before.metadata().resourceVersion().equals(object.metadata().resourceVersion())) {
            return new Notification.Updated<>(before, object, cause);
        }
        if (announceUnchanged || cause == EventCause.RESYNC) {
            return new Notification.Unchanged<>(before, object, cause);
        }
        // One version with two contents: a server without versions, or one that was reset. A difference is notified.
        return before.equals(object) ? null : new Notification.Updated<>(before, object, cause);
    }

    @Override
    public void syncAll() {
        distributor.resync();
    }

    @Override
    public void bookmark(String resourceVersion) {
        store.bookmark(resourceVersion);
        versionsInOrder = true;
    }

    /** Returns the version up to which everything was processed; empty if it is not known. Any thread may call this. */
    public String processedUpTo() {
        String version = store.resourceVersion(); // must be read before the flag, see its comment
        return versionsInOrder ? version : "";
    }

    @Override
    public void synced() {
        distributor.synced();
        whenSynced.run();
    }

    private void logFailure(@Nullable IndexException failure) {
        if (failure != null) {
            indexFunctions.failed(
                    failure,
                    e -> LOG.warn(
                            "{}: an index function failed; the object is stored, but not in that index", informer, e));
        }
    }
}
