package io.kubeloop.cache.reflector;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.api.client.WatchStream;
import io.kubeloop.cache.Timers;
import io.kubeloop.cache.runtime.SafeLog;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A watch that is being read. Read by the reflector thread; closed by any. */
public final class ActiveWatch<T> implements AutoCloseable {

    /*
     * Who sets the deadline looks at closed afterwards, who closes looks at the deadline afterwards: one of the two sees the
     * other. What a stream throws when it is closed ends there, as the one who closes has more to close.
     */

    private static final Logger log = LoggerFactory.getLogger(ActiveWatch.class);

    private final WatchStream<T> stream;
    private final Timers timers;
    private boolean unordered;
    private long startNanos;
    private long events;
    private volatile Timers.Timeout deadline = () -> {};
    private volatile boolean closed;

    /**
     * Wraps a stream.
     *
     * @param startNanos when the request was sent (RE-47)
     * @param unordered whether it began at no particular version: its first events are in no order of versions
     */
    ActiveWatch(WatchStream<T> stream, Timers timers, long startNanos, boolean unordered) {
        this.stream = stream;
        this.timers = timers;
        this.startNanos = startNanos;
        this.unordered = unordered;
    }

    /** Ends the stream when this time has passed, unless the watch is closed before. */
    void endAfter(Duration time) {
        deadline = timers.schedule(time, this::closeStream);
        if (closed) {
            deadline.cancel();
        }
    }

    /** Returns whether its next events may come in no order of versions (RE-55). */
    boolean isUnordered() {
        return unordered;
    }

    /** Begins to count anew: the initial events are complete, and the stream goes on as a watch from a version. */
    void restart() {
        unordered = false;
        startNanos = timers.nanoTime();
        events = 0;
    }

    /**
     * Passes each event on until the sink has enough. Blocks.
     *
     * @param wantsMore takes an event and returns whether to go on
     * @return how the watch ended; null if the sink had enough, the watch is then still open
     */
    @Nullable
    public WatchEnd read(Predicate<? super WatchEvent<T>> wantsMore) {
        while (true) {
            WatchEvent<T> event;
            try {
                event = stream.next();
            } catch (TransportException e) {
                return new WatchEnd.Lost(e, isVeryShort());
            } catch (DecodeException e) {
                return new WatchEnd.Malformed(e);
            }
            if (event == null) {
                return new WatchEnd.Closed(isVeryShort());
            }
            if (event instanceof WatchEvent.Failed<T> failed) {
                return new WatchEnd.Failed(failed.status());
            }
            events++;
            if (!wantsMore.test(event)) {
                return null;
            }
        }
    }

    private boolean isVeryShort() {
        return events == 0 && isShort();
    }

    /** Returns how many events came since the watch was opened or restarted. */
    long events() {
        return events;
    }

    /** Returns how long the watch has lasted so far. */
    Duration age() {
        return Duration.ofNanos(timers.nanoTime() - startNanos);
    }

    /** Returns whether the watch has lasted for less than a second so far. */
    boolean isShort() {
        return timers.nanoTime() - startNanos < WatchEnd.SHORT_NANOS;
    }

    @Override
    public void close() {
        closed = true;
        deadline.cancel();
        closeStream();
    }

    private void closeStream() {
        try {
            stream.close();
        } catch (Throwable e) {
            SafeLog.log(
                    () -> log.warn("closing a watch failed; its connection may stay open until the server ends it", e));
        }
    }
}
