/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.admission;

import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.storage.Storage;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Finds service accounts, and waits a moment for the account {@code default}: a controller creates it after its
 * namespace, and a client may create a pod before that.
 *
 * <p>Thread-safe. {@link #find} blocks for at most the patience of the constructor, and only while the account {@code
 * default} is missing. An interrupt ends the wait, and the interrupt flag stays set.
 */
final class AccountLookup {

    /*
     * Invariant:
     *   A1  A waiting thread checks the storage between taking the lock and waiting for written. Every write of an
     *       account is visible in the storage before its writer signals. Therefore no thread misses the account it
     *       waits for.
     *
     * Waiting threads take the lock, and for one signal the writers of service accounts. It guards no field.
     */

    static final String DEFAULT = "default";

    /** Held to wait for a service account, and to signal that one was written. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition written = lock.newCondition();
    private final Storage storage;
    private final ResourceStore accounts;
    private final Duration patience;

    /**
     * Creates a lookup.
     *
     * @param accounts the store of the service accounts
     * @param patience how long a request waits for the account {@code default}; zero for not at all
     */
    AccountLookup(Storage storage, ResourceStore accounts, Duration patience) {
        this.storage = storage;
        this.accounts = accounts;
        this.patience = patience;
        storage.onWrite(accounts.bucket(), this::signal);
    }

    private void signal() {
        lock.lock();
        try {
            written.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the account; null if it does not exist and was not created while this method waited. */
    @Nullable
    JsonObject find(String namespace, String name) {
        String key = accounts.key(namespace, name);
        StoredObject found = storage.snapshot().get(accounts.bucket(), key);
        if (found == null && name.equals(DEFAULT)) {
            found = await(key);
        }
        return found == null ? null : found.tree();
    }

    private @Nullable StoredObject await(String key) {
        lock.lock();
        try {
            long left = patience.toNanos();
            StoredObject found = storage.snapshot().get(accounts.bucket(), key);
            while (found == null && left > 0) {
                left = written.awaitNanos(left);
                found = storage.snapshot().get(accounts.bucket(), key);
            }
            return found;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } finally {
            lock.unlock();
        }
    }
}
