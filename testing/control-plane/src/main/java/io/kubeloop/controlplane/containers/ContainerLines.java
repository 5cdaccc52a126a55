/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane.containers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.ObjectName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The scripted lines of all containers. Thread-safe. */
final class ContainerLines {

    /** The most lines that the log of a container keeps; older ones are dropped. */
    private static final int MOST_LINES = 10_000;

    private final ReentrantLock lock = new ReentrantLock();

    /** Signaled when a line is added. */
    private final Condition changed = lock.newCondition();

    /** The lock also guards the lists in it. */
    @GuardedBy("lock")
    private final Map<Key, Scripted> lines = new HashMap<>();

    private final Clock clock;

    /** The log of one container. */
    private record Key(ObjectName pod, String container) {}

    /**
     * A line.
     *
     * @param time when it was written
     * @param stream {@code Stdout} or {@code Stderr}
     * @param text the line without its end
     */
    record Line(Instant time, String stream, String text) {}

    /** Lines, and how many were dropped before them. */
    private static final class Scripted {

        private final Deque<Line> kept = new ArrayDeque<>();
        private long dropped;
    }

    ContainerLines(Clock clock) {
        this.clock = clock;
    }

    void add(ObjectName pod, String container, String stream, String text) {
        lock.lock();
        try {
            Scripted scripted = lines.computeIfAbsent(new Key(pod, container), key -> new Scripted());
            text.lines().forEach(line -> scripted.kept.add(new Line(clock.instant(), stream, line)));
            while (scripted.kept.size() > MOST_LINES) {
                scripted.kept.remove();
                scripted.dropped++;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the lines from a number on, counted from 0 since the first. */
    List<Line> from(ObjectName pod, String container, long number) {
        lock.lock();
        try {
            Scripted scripted = lines.get(new Key(pod, container));
            if (scripted == null) {
                return List.of();
            }
            List<Line> kept = new ArrayList<>(scripted.kept);
            long skipped = Math.min(kept.size(), Math.max(0, number - scripted.dropped));
            return kept.subList(Math.toIntExact(skipped), kept.size());
        } finally {
            lock.unlock();
        }
    }

    Instant now() {
        return clock.instant();
    }

    /** Returns the number of lines so far. */
    long count(ObjectName pod, String container) {
        lock.lock();
        try {
            Scripted scripted = lines.get(new Key(pod, container));
            return scripted == null ? 0 : scripted.dropped + scripted.kept.size();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until a line is added, at most for this time. */
    void awaitChange(ObjectName pod, String container, long known, Duration time) throws InterruptedException {
        lock.lock();
        try {
            long left = time.toNanos();
            while (left > 0 && count(pod, container) == known) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
