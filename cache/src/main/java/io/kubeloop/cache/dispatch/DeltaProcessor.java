package io.kubeloop.cache.dispatch;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.DeletedFinalStateUnknown;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.EventCause;
import io.kubeloop.cache.IndexException;
import io.kubeloop.cache.Timers;
import io.kubeloop.cache.queue.Delta;
import io.kubeloop.cache.queue.DeltaConsumer;
import io.kubeloop.cache.queue.DeltaType;
import io.kubeloop.cache.runtime.UserCode;
import io.kubeloop.cache.store.StoreState;
import io.kubeloop.cache.store.StoreTransaction;
import io.kubeloop.cache.store.ThreadSafeStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes changes to the store and makes notifications of them (upstream: {@code processDeltas} and its batch form).
 *
 * <p>The store decides what a change is, not the event: what is there already is updated, what is not is added (CT-05), and
 * of what was never there no deletion is told (I4; upstream tells it, CT-06). Of an object that comes again as it was, nothing
 * is told either, unless the configuration asks for that (DI-06). The changes of a batch become visible together,
 * so a handler may find the store ahead of what it is told (CT-07).
 *
 * <p>Confined to the processing thread.
 */
public final class DeltaProcessor<T extends KubeObject> implements DeltaConsumer<ObjectName, T> {

    private static final Logger log = LoggerFactory.getLogger(DeltaProcessor.class);

    private final String informer;
    private final ThreadSafeStore<ObjectName, T> store;
    private final SharedProcessor<T> processor;
    private final boolean announceUnchanged;
    private final Runnable whenSynced;
    private final UserCode indexFunctions;

    /**
     * Whether the version of the store says that everything up to it has been processed. False after a list without a version,
     * until the first change that cannot be part of the initial events of the watch that follows: those come in no order of
     * versions. Set to false before the list is visible in the store, and to true after that change is.
     */
    private volatile boolean versionsInOrder;

    public DeltaProcessor(
            String informer,
            ThreadSafeStore<ObjectName, T> store,
            SharedProcessor<T> processor,
            Timers timers,
            boolean announceUnchanged,
            Runnable whenSynced) {
        this.informer = informer;
        this.store = store;
        this.processor = processor;
        this.announceUnchanged = announceUnchanged;
        this.whenSynced = whenSynced;
        this.indexFunctions = new UserCode(timers);
    }

    @Override
    public void deltas(List<Delta<ObjectName, T>> deltas, boolean isInInitialList) {
        StoreTransaction<ObjectName, T> transaction;
        List<Notification<T>> notifications = new ArrayList<>(deltas.size());
        do {
            notifications.clear();
            transaction = StoreTransaction.change(store, store.snapshot());
            for (Delta<ObjectName, T> delta : deltas) {
                Notification<T> notification = apply(transaction, delta, isInInitialList);
                if (notification != null) {
                    notifications.add(notification);
                }
            }
        } while (!processor.publish(transaction, notifications));
        if (!versionsInOrder) {
            versionsInOrder = deltas.stream().anyMatch(delta -> delta.type() != DeltaType.ADDED);
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
            StoreState<ObjectName, T> before = store.snapshot();
            transaction = StoreTransaction.rebuild(store, before);
            List<Notification<T>> changes = new ArrayList<>(objects.size());
            for (T object : objects) {
                ObjectName key = store.keyOf(object);
                T twin = transaction.put(key, object);
                T last = twin == null ? before.items().get(key) : twin;
                Notification<T> change =
                        stored(last, object, isInInitialList, cause(DeltaType.REPLACED, isInInitialList));
                if (change != null) {
                    changes.add(change);
                }
            }
            transaction.resourceVersion(resourceVersion);
            notifications = deletions(before, transaction);
            notifications.addAll(changes);
        } while (!processor.publish(transaction, notifications));
        versionsInOrder = hasVersion;
        logFailure(transaction.indexFailure());
    }

    /** Returns a deletion for each object that was there and is not in the list: nobody saw how it ended (I2). */
    private List<Notification<T>> deletions(
            StoreState<ObjectName, T> before, StoreTransaction<ObjectName, T> transaction) {
        List<Notification<T>> deletions = new ArrayList<>();
        before.items().forEach((key, lastKnown) -> {
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
            case ADDED, UPDATED, DELETED -> EventCause.WATCH;
        };
    }

    /** Returns what to tell of a stored object; null if there is nothing to tell. */
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
        // One version with two contents: a server without versions, or one that was set back. What differs is told.
        return before.equals(object) ? null : new Notification.Updated<>(before, object, cause);
    }

    @Override
    public void syncAll() {
        processor.resync();
    }

    @Override
    public void bookmark(String resourceVersion) {
        StoreTransaction<ObjectName, T> transaction;
        do {
            transaction = StoreTransaction.change(store, store.snapshot());
            transaction.resourceVersion(resourceVersion);
        } while (!transaction.tryCommit());
        versionsInOrder = true;
    }

    /**
     * Returns the version up to which everything was processed; empty if that is not known. Any thread may call this.
     */
    public String processedUpTo() {
        String version = store.resourceVersion(); // before the flag, see there
        return versionsInOrder ? version : "";
    }

    @Override
    public void synced() {
        processor.synced();
        whenSynced.run();
    }

    private void logFailure(@Nullable IndexException failure) {
        if (failure != null) {
            indexFunctions.failed(
                    failure, e -> log.warn("{}: an object is stored but not in every index", informer, e));
        }
    }
}
