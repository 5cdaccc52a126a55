/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

/**
 * A handle to the objects of one kind, created by {@link Storage#bucket} and valid for that storage only.
 *
 * <p>Thread-safe. Everything but the callback is immutable; the event log is thread-safe.
 */
public final class Bucket {

    private final String name;
    private final int index;
    private final EventLog log;
    private volatile Runnable listener = () -> {};

    Bucket(String name, int index, EventLog log) {
        this.name = name;
        this.index = index;
        this.log = log;
    }

    /** Returns the name: the resource, such as {@code replicasets.apps}. */
    public String name() {
        return name;
    }

    int index() {
        return index;
    }

    EventLog log() {
        return log;
    }

    void onWrite(Runnable callback) {
        listener = callback;
    }

    void written() {
        listener.run();
    }

    @Override
    public String toString() {
        return name;
    }
}
