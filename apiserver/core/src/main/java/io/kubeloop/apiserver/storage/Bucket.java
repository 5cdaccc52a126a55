/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A handle to the objects of one kind, created by {@link Storage#bucket} and valid for that storage only.
 *
 * <p>Thread-safe. Everything but the callbacks is immutable; the event log is thread-safe.
 */
public final class Bucket {

    private final String name;
    private final int index;
    private final EventLog log;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

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
        listeners.add(callback);
    }

    void written() {
        listeners.forEach(Runnable::run);
    }

    @Override
    public String toString() {
        return name;
    }
}
