package io.kubeloop.apiserver.storage;

/**
 * A handle to the objects of one kind, created by {@link Storage#bucket} and valid for that storage only.
 *
 * <p>Immutable; its event log is thread-safe.
 */
public final class Bucket {

    private final String name;
    private final int index;
    private final EventLog log;

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

    @Override
    public String toString() {
        return name;
    }
}
