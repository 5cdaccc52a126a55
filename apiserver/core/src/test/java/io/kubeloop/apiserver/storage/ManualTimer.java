package io.kubeloop.apiserver.storage;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A timer whose time a test advances. Thread-safe. */
final class ManualTimer implements Timer {

    /** Not a record: two tasks that are due at the same time must not be equal. */
    private static final class Pending {

        final Duration due;
        final Runnable task;

        Pending(Duration due, Runnable task) {
            this.due = due;
            this.task = task;
        }
    }

    private final List<Pending> pending = new ArrayList<>();
    private Duration now = Duration.ZERO;

    @Override
    public synchronized Task schedule(Duration delay, Runnable task) {
        Pending entry = new Pending(now.plus(delay), task);
        pending.add(entry);
        return () -> {
            synchronized (this) {
                pending.remove(entry);
            }
        };
    }

    /** Advances the time and runs the tasks that are due, on this thread. */
    void advance(Duration by) {
        List<Pending> due;
        synchronized (this) {
            now = now.plus(by);
            due = pending.stream()
                    .filter(entry -> entry.due.compareTo(now) <= 0)
                    .toList();
            pending.removeAll(due);
        }
        due.forEach(entry -> entry.task.run());
    }

    synchronized int size() {
        return pending.size();
    }

    @Override
    public synchronized void close() {
        pending.clear();
    }
}
