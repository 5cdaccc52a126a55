/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.fake;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.KubeList;
import io.kubeloop.api.ListMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.Status;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ListerWatcher;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.api.client.WatchStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * A small API server for one resource: one version counter, a history that can be trimmed, lists in pages, watches from
 * any version in the history, streaming lists; and random faults until {@link #getWell}. Thread-safe.
 */
public final class FakeServer implements ListerWatcher<Thing> {

    private record Change(int version, WatchEvent<Thing> event) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Random random;

    @GuardedBy("lock")
    private final Map<ObjectName, Thing> objects = new TreeMap<>();

    @GuardedBy("lock")
    private final List<Change> history = new ArrayList<>();

    @GuardedBy("lock")
    private final List<Stream> streams = new ArrayList<>();

    private final Set<Integer> deletions = ConcurrentHashMap.newKeySet();
    private final LongSupplier time;

    @GuardedBy("lock")
    private int version = 1;

    @GuardedBy("lock")
    private int trimmed;

    @GuardedBy("lock")
    private boolean faulty = true;

    @GuardedBy("lock")
    private boolean held;

    @GuardedBy("lock")
    private long failedAt = -1;

    @GuardedBy("lock")
    private int failedInARow;

    @GuardedBy("lock")
    private int mostFailedAtOnce;

    public FakeServer(long seed) {
        this(seed, () -> 0);
    }

    /** The time is that of the client, and shows how often it sends requests. */
    public FakeServer(long seed, LongSupplier time) {
        this.random = new Random(seed);
        this.time = time;
    }

    public void put(String key, String value) {
        lock.lock();
        try {
            Thing thing = Thing.of(key, String.valueOf(++version), value);
            Thing before = objects.put(thing.objectName(), thing);
            record(before == null ? new WatchEvent.Added<>(thing) : new WatchEvent.Modified<>(thing));
        } finally {
            lock.unlock();
        }
    }

    public void delete(String key) {
        lock.lock();
        try {
            Thing before = objects.remove(ObjectName.parse(key));
            if (before != null) {
                deletions.add(++version);
                record(new WatchEvent.Deleted<>(Thing.of(key, String.valueOf(version), before.value())));
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void record(WatchEvent<Thing> event) {
        history.add(new Change(version, event));
        changed.signalAll();
    }

    /** Trims the history: watches from older versions receive 410. */
    public void trim() {
        lock.lock();
        try {
            trimmed = version;
            history.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Sends a bookmark with the current version to every watch. */
    public void bookmark() {
        lock.lock();
        try {
            record(new WatchEvent.Bookmark<>(ObjectMetaBuilder.builder()
                    .resourceVersion(String.valueOf(++version))
                    .build()));
        } finally {
            lock.unlock();
        }
    }

    /** Holds back the events of watches, or delivers them, so other resources can get ahead. */
    public void hold(boolean hold) {
        lock.lock();
        try {
            held = hold;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether an object was deleted in this version. */
    public boolean isDeletion(String atVersion) {
        return deletions.contains(Integer.valueOf(atVersion));
    }

    /** Returns the largest number of consecutive failed requests between which no time passed. */
    public int mostFailedAtOnce() {
        lock.lock();
        try {
            return mostFailedAtOnce;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Trims the history and advances the version without an event: every watch receives 410, even if it is up to date.
     */
    public void expire() {
        lock.lock();
        try {
            version++;
            trim();
        } finally {
            lock.unlock();
        }
    }

    /** Ends every open watch, normally or by breaking the connection. */
    public void dropWatches(boolean orderly) {
        lock.lock();
        try {
            for (Stream stream : streams) {
                stream.ended = true;
                stream.broken = !orderly;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends all faults. */
    public void getWell() {
        lock.lock();
        try {
            faulty = false;
            held = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public Map<ObjectName, Thing> objects() {
        lock.lock();
        try {
            return Map.copyOf(objects);
        } finally {
            lock.unlock();
        }
    }

    public int version() {
        lock.lock();
        try {
            return version;
        } finally {
            lock.unlock();
        }
    }

    public int openWatches() {
        lock.lock();
        try {
            return streams.size();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of open watches that this server has not ended. */
    public long liveWatches() {
        lock.lock();
        try {
            return streams.stream().filter(stream -> !stream.ended).count();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public KubeList<Thing> list(ListOptions options) {
        lock.lock();
        try {
            maybeFail();
            List<Thing> all = new ArrayList<>(objects.values());
            int from = 0;
            int to = all.size();
            String continueToken = "";
            if (faulty
                    && options.limit() > 0
                    && all.size() > 3
                    && options.continueToken().isEmpty()) {
                // A page boundary, whatever the limit. The second page fails if the history was trimmed in between.
                to = 3;
                continueToken = version + "/" + all.get(2).objectName();
            } else if (!options.continueToken().isEmpty()) {
                int slash = options.continueToken().indexOf('/');
                int listVersion = Integer.parseInt(options.continueToken().substring(0, slash));
                if (listVersion != version) {
                    countFailure();
                    throw new ApiException("GET", Status.failure(410, "Expired", "the token is too old"), null);
                }
                from = 3;
            }
            failedInARow = 0;
            return new KubeList<>(
                    new ListMeta(String.valueOf(version), continueToken, null, UnknownFields.NONE),
                    all.subList(from, to));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public WatchStream<Thing> watch(ListOptions options) {
        lock.lock();
        try {
            maybeFail();
            if (faulty
                    && !Boolean.TRUE.equals(options.sendInitialEvents())
                    && Integer.parseInt(options.resourceVersion()) < trimmed
                    && random.nextBoolean()) {
                // The other form of the same answer: some servers refuse the watch, some open it and send an error
                // event.
                countFailure();
                throw new ApiException("GET", Status.failure(410, "Gone", "too old resource version"), null);
            }
            failedInARow = 0;
            Stream stream = new Stream();
            if (Boolean.TRUE.equals(options.sendInitialEvents())) {
                objects.values().forEach(thing -> stream.initial.add(new WatchEvent.Added<>(thing)));
                stream.initial.add(new WatchEvent.Bookmark<>(ObjectMetaBuilder.builder()
                        .resourceVersion(String.valueOf(version))
                        .annotations(Map.of(WatchEvent.Bookmark.INITIAL_EVENTS_END, "true"))
                        .build()));
                stream.seen = version;
            } else {
                stream.seen = Integer.parseInt(options.resourceVersion());
            }
            streams.add(stream);
            return stream;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void maybeFail() {
        if (!faulty) {
            return;
        }
        RuntimeException failure = switch (random.nextInt(16)) {
            case 0 -> refusal(500, "InternalError", "at random");
            case 1 -> refusal(429, "TooManyRequests", "at random");
            case 2 -> new TransportException(TransportException.Kind.CONNECT, "at random", null);
            case 3 -> refusal(504, "Timeout", "Too large resource version: at random");
            case 4 -> refusal(410, "Expired", "at random");
            case 5 -> new TransportException(TransportException.Kind.BROKEN, "at random", null);
            default -> null;
        };
        if (failure != null) {
            countFailure();
            throw failure;
        }
    }

    private static ApiException refusal(int code, String reason, String message) {
        return new ApiException("GET", Status.failure(code, reason, message), null);
    }

    @GuardedBy("lock")
    private void countFailure() {
        long now = time.getAsLong();
        failedInARow = now == failedAt ? failedInARow + 1 : 1;
        failedAt = now;
        mostFailedAtOnce = Math.max(mostFailedAtOnce, failedInARow);
    }

    private final class Stream implements WatchStream<Thing> {

        private final List<WatchEvent<Thing>> initial = new ArrayList<>();
        private int seen;
        private boolean ended;
        private boolean broken;

        @Override
        public WatchEvent<Thing> next() {
            lock.lock();
            try {
                while (true) {
                    if (broken) {
                        throw new TransportException(TransportException.Kind.BROKEN, "connection reset", null);
                    }
                    if (ended) {
                        return null;
                    }
                    if (!initial.isEmpty()) {
                        return initial.remove(0);
                    }
                    if (seen < trimmed) {
                        return new WatchEvent.Failed<>(Status.failure(410, "Expired", "too old resource version"));
                    }
                    for (Change change : held ? List.<Change>of() : history) {
                        if (change.version() > seen) {
                            seen = change.version();
                            return change.event();
                        }
                    }
                    changed.awaitUninterruptibly();
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                ended = true;
                streams.remove(this);
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
