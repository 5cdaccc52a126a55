/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.api.client.WatchStream;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.UserCallbacks;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An open watch. The reflector thread reads it; any thread may close it. */
public final class ActiveWatch<T> implements AutoCloseable {

    /*
     * A thread that sets the deadline reads closed afterwards; a thread that closes cancels the deadline afterwards. So
     * one of the two sees the other's write. This class logs and drops an exception of a stream that is being closed,
     * because the closing thread has more to close.
     */

    private static final Logger LOG = LoggerFactory.getLogger(ActiveWatch.class);

    private final WatchStream<T> stream;
    private final Supplier<@Nullable WatchEvent<T>> next;
    private final Scheduler scheduler;
    private boolean unordered;
    private long startNanos;
    private long events;
    private volatile Scheduler.Task deadline = () -> {};
    private volatile boolean closed;

    /**
     * Wraps a stream.
     *
     * @param startNanos when the request was sent
     * @param unordered whether the watch started at no particular version, so its first events are not in the
     *     order of their versions
     */
    ActiveWatch(WatchStream<T> stream, Scheduler scheduler, long startNanos, boolean unordered) {
        this.stream = stream;
        this.next = scheduler.blocking(stream::next);
        this.scheduler = scheduler;
        this.startNanos = startNanos;
        this.unordered = unordered;
    }

    /** Ends the stream when this time has passed, unless the watch is closed before. */
    void endAfter(Duration time) {
        deadline = scheduler.schedule(time, this::closeStream);
        if (closed) {
            deadline.cancel();
        }
    }

    /** Returns whether the next events may not be in the order of their versions. */
    boolean isUnordered() {
        return unordered;
    }

    /**
     * Resets the counters after the initial events of a streaming list; the stream then continues as an ordinary watch.
     */
    void restart() {
        unordered = false;
        startNanos = scheduler.nanoTime();
        events = 0;
    }

    /**
     * Passes events on until the sink stops or the watch ends. Blocks until then; {@link #close} by another thread ends
     * it.
     *
     * @param wantsMore receives an event, and returns whether to continue
     * @return how the watch ended; null if the sink stopped, so the watch is still open
     */
    @Nullable
    public WatchEnd read(Predicate<? super WatchEvent<T>> wantsMore) {
        while (true) {
            WatchEvent<T> event;
            try {
                event = next.get();
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

    /** Returns the number of events since the watch was opened or reset. */
    long events() {
        return events;
    }

    /** Returns how long the watch has been open. */
    Duration age() {
        return Duration.ofNanos(scheduler.nanoTime() - startNanos);
    }

    /** Returns whether the watch has been open for less than a second. */
    boolean isShort() {
        return scheduler.nanoTime() - startNanos < WatchEnd.SHORT_NANOS;
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
            UserCallbacks.run(
                    () -> LOG.warn("Cannot close a watch; its connection may stay open until the server ends it", e));
        }
    }
}
