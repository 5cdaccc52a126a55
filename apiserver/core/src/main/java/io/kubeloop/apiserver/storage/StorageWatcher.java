/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

import io.kubeloop.apiserver.storage.SleepingWatchers.Sleeper;
import io.kubeloop.runtime.Scheduler;
import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One watch: optionally the current state, then every later event (upstream: {@code
 * apiserver/pkg/storage/cacher/cache_watcher.go}).
 *
 * <p>One thread calls {@link #next}; any thread may call {@link #close}. A watcher has neither a queue nor a
 * thread. It reads the event log of its kind at its own pace, and expires when the log has discarded events that it
 * has not read.
 */
public final class StorageWatcher implements AutoCloseable {

    /*
     * Invariants:
     *   W1  Every event after seen that matches the watch is in batch, or in the log at or after position.
     *   W2  The revisions of the events that next() returns grow. The revisions of bookmarks grow too, and are
     *       never below the revision of an earlier event.
     *
     * Confined to the reading thread: initial, batch, batchWeight, pending, position, seen, initialEventsEndDue,
     *   beginning.
     * Written under the log's lock (EventLog.updateAndWake), so no wake-up is lost; volatile, so they can be
     * read without it: over, bookmarkDue.
     */

    private final Storage storage;
    private final EventLog log;
    private final int generation;
    private final WatchStart start;
    private final Scheduler scheduler;
    private final Sleeper sleeper;

    private final InitialObjects initial;
    private Iterator<StorageEvent> batch = Collections.emptyIterator();
    private long batchWeight;
    private @Nullable WatchNotification pending;
    private long position;
    private long seen;
    private boolean initialEventsEndDue;
    private boolean beginning;

    private volatile boolean over;
    private volatile boolean bookmarkDue;

    private final AtomicBoolean closed = new AtomicBoolean();
    private final Scheduler.@Nullable Task end;
    private volatile Scheduler.@Nullable Task bookmarkTask;

    /**
     * Opens a watch.
     *
     * @throws ExpiredException if events after the start have been discarded
     */
    public StorageWatcher(Storage storage, Bucket bucket, WatchStart start, Scheduler scheduler) {
        this.storage = storage;
        this.log = bucket.log();
        this.generation = log.generation();
        this.start = start;
        this.scheduler = scheduler;
        this.sleeper = log.sleeper(start.trigger());
        if (start.after() == null) {
            Snapshot now = storage.snapshot();
            seen = now.revision();
            position = log.positionAfter(seen);
            initial = new InitialObjects(position, now.of(bucket).range(start.from(), start.until()));
            log.begin(initial);
            beginning = true;
            initialEventsEndDue = start.initialEventsEnd();
        } else {
            seen = start.after();
            position = log.positionAfter(seen);
            initial = new InitialObjects(position, Collections.emptyIterator());
        }
        end = start.timeout() == null ? null : scheduler.schedule(start.timeout(), this::finish);
        scheduleBookmark();
    }

    /**
     * Returns the next notification, or null when the watch has timed out or was closed. Blocks until one of the
     * two happens.
     *
     * @throws ExpiredException if the log has discarded events that this watcher has not read
     * @throws InterruptedException if the thread is interrupted while it waits; the watch stays open
     */
    public @Nullable WatchNotification next() throws InterruptedException {
        while (!over) {
            if (isEnded()) {
                return null;
            }
            WatchNotification notification = hasMore() ? pending : event();
            pending = null;
            if (notification != null) {
                return notification;
            }
        }
        return null;
    }

    /** Sets the observer of the reader's waits; before the first call of {@link #next}. */
    public void observe(SleepObserver observer) {
        log.updateAndWake(sleeper, () -> sleeper.observe(observer));
    }

    /** Returns whether {@link #next} returns without waiting. Called by the reading thread. */
    public boolean hasMore() {
        for (StoredObject object = nextInitial(); object != null; object = nextInitial()) {
            pending = initialState(object);
        }
        while (pending == null && batch.hasNext()) {
            pending = seen(batch.next());
            batch = batch.hasNext() ? batch : Collections.emptyIterator(); // a blocked watcher holds no event
        }
        return pending != null;
    }

    private @Nullable StoredObject nextInitial() {
        return pending == null ? initial.next() : null;
    }

    /** Returns whether the watches of the bucket were ended, and this one has delivered all events before. */
    private boolean isEnded() {
        return log.generation() != generation && !hasMore() && position >= log.endedAt();
    }

    /** Ends the watch; a blocked {@link #next} returns null at once. Does not block. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            finish();
            log.end(initial);
            if (end != null) {
                end.cancel();
            }
            Scheduler.Task bookmark = bookmarkTask;
            if (bookmark != null) {
                bookmark.cancel();
            }
        }
    }

    private void finish() {
        log.updateAndWake(sleeper, () -> over = true);
    }

    private @Nullable WatchNotification initialState(StoredObject object) {
        return start.filter().test(object)
                ? new WatchNotification.Change(WatchNotification.Type.ADDED, object, new SharedForms(), object.weight())
                : null;
    }

    /** Removes the next events from the log. The caller must have delivered all earlier ones. */
    private @Nullable WatchNotification event() throws InterruptedException {
        if (beginning) {
            beginning = false;
            log.end(initial);
        }
        if (initialEventsEndDue && !initial.hasExpired()) {
            initialEventsEndDue = false;
            return new WatchNotification.Bookmark(seen, true);
        }
        EventLog.Taken taken =
                log.take(position, seen, sleeper, () -> over || bookmarkDue || log.generation() != generation);
        long revision = seen;
        if (taken.events().isEmpty()) {
            // read after the wait and before the second look into the log: see S3 of Storage
            revision = storage.revision();
            taken = log.takeNow(taken.next(), seen);
        }
        position = taken.next();
        batch = taken.events().iterator();
        batchWeight = taken.weight();
        if (bookmarkDue && !over) {
            return bookmark(taken.events().isEmpty() ? revision : seen);
        }
        return null;
    }

    /** Returns what the watch shows of an event; null if nothing. */
    private @Nullable WatchNotification seen(StorageEvent event) {
        if (event.revision() <= seen) {
            return null; // the watch starts at a future revision
        }
        seen = event.revision();
        return change(event);
    }

    private WatchNotification bookmark(long revision) {
        log.updateAndWake(sleeper, () -> bookmarkDue = false);
        scheduleBookmark();
        seen = Math.max(seen, revision);
        return new WatchNotification.Bookmark(seen, false);
    }

    /**
     * Translates an event for this filter: an object that starts to match is ADDED, an object that ceases to match
     * is DELETED.
     */
    private @Nullable WatchNotification change(StorageEvent event) {
        StoredObject previous = event.previous();
        boolean before = previous != null && start.shows(previous);
        boolean now = !event.deleted() && start.shows(event.object());
        if (now) {
            return new WatchNotification.Change(
                    before ? WatchNotification.Type.MODIFIED : WatchNotification.Type.ADDED,
                    event.object(),
                    event.forms(),
                    batchWeight);
        }
        if (!before || previous == null) {
            return null;
        }
        StoredObject last = event.deleted() ? event.object() : previous.at(event.revision());
        return new WatchNotification.Change(WatchNotification.Type.DELETED, last, event.forms(), batchWeight);
    }

    private void scheduleBookmark() {
        if (start.bookmarkInterval() == null || over) {
            return;
        }
        Scheduler.Task task = scheduler.scheduleAround(
                start.bookmarkInterval(), () -> log.updateAndWake(sleeper, () -> bookmarkDue = true));
        bookmarkTask = task;
        if (over) {
            task.cancel(); // a concurrent close may have missed this task
        }
    }
}
