package io.kubeloop.controller;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.ResourceClient;
import java.time.Clock;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/**
 * Writes owners, shows each sync what was written before, and ends the records of an owner when it is gone or another one has
 * its name.
 *
 * <p>Thread-safe for different owners; one thread at a time syncs an owner. {@link #updateStatus} blocks until the server
 * responds.
 *
 * @param <O> the kind of the owners
 */
public final class OwnerWrites<O extends KubeObject> {

    private final ResourceClient<O> client;
    private final RecentWrites<O> written;
    private final Consumer<String> forgotten;
    private final Runnable stale;

    /** The UID of each owner that was synced, by key: the next one of its name is another owner. */
    private final ConcurrentMap<ObjectName, String> uids = new ConcurrentHashMap<>();

    /**
     * Creates empty records.
     *
     * @param clock measures the age of writes; best a {@link ControllerTime#steady} clock
     * @param forgotten receives the UID of each owner whose records end
     */
    public OwnerWrites(ResourceClient<O> client, Clock clock, Consumer<String> forgotten) {
        this(client, clock, forgotten, () -> {});
    }

    /**
     * Creates empty records.
     *
     * @param clock measures the age of writes; best a {@link ControllerTime#steady} clock
     * @param forgotten receives the UID of each owner whose records end
     * @param stale counts a sync that begins while the cache shows an older version than the last one written
     */
    public OwnerWrites(ResourceClient<O> client, Clock clock, Consumer<String> forgotten, Runnable stale) {
        this.client = client;
        this.forgotten = forgotten;
        this.stale = stale;
        written = new RecentWrites<>(clock);
    }

    /** Returns the owner as cached or, if that is newer, as last written. A sync begins with this call. */
    public O latest(O cached) {
        String uid = cached.metadata().uid();
        String before = uids.put(cached.objectName(), uid);
        if (before != null && !before.equals(uid)) {
            written.forget(cached.objectName());
            forgotten.accept(before);
        }
        O latest = written.latest(cached);
        if (latest != cached) { // an entry, not the cached object
            stale.run();
        }
        return latest;
    }

    /** Writes the status of an owner, and returns the owner as stored. */
    public O updateStatus(O changed) {
        RecentWrites.Entry<O> begun = written.begin(changed.objectName());
        try {
            O result = client.updateStatus(changed);
            written.done(begun, changed.metadata().resourceVersion(), result);
            return result;
        } catch (RuntimeException e) {
            written.forget(changed.objectName());
            throw e;
        }
    }

    /** Ends the records of an owner that no longer exists. */
    public void forget(ObjectName key) {
        written.forget(key);
        String uid = uids.remove(key);
        if (uid != null) {
            forgotten.accept(uid);
        }
    }
}
