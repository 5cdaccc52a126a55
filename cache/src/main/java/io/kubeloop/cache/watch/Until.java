/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.watch;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.api.client.WatchStream;
import io.kubeloop.cache.NotObservedException;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.runtime.SafeScheduler;
import io.kubeloop.runtime.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Waits until events of a watch meet conditions, without a cache (upstream: {@code client-go/tools/watch/until.go}).
 * With a cache, use {@link SharedInformer#awaitObserved} or a handler.
 */
public final class Until {

    private Until() {}

    /**
     * Reads a watch until each condition in turn is met, and closes the watch. The next condition is tested first with
     * the event that met the previous one. Blocks until then, for at most the timeout.
     *
     * <p>The calling thread reads the watch. The watch decides how an interrupt ends a read; a {@link RetryWatcher}
     * throws. A {@link RetryWatcher} also survives broken connections; any other watch ends with its connection.
     *
     * @param watch read by this call only; closed in any case
     * @param scheduler measures the timeout; not closed
     * @param timeout maximum time for all conditions together
     * @param conditions called on this thread; their exceptions are thrown
     * @return the event that met the last condition; null if there were no conditions
     * @throws NotObservedException if the time passes, or the watch ends, before all conditions are met; states how
     *     many were met
     * @throws TransportException if the watch breaks
     * @throws DecodeException if a frame of the watch is malformed
     */
    public static <T> @Nullable WatchEvent<T> fulfilled(
            WatchStream<T> watch,
            Scheduler scheduler,
            Duration timeout,
            List<? extends Predicate<? super WatchEvent<T>>> conditions) {
        AtomicBoolean isTimeUp = new AtomicBoolean();
        Scheduler.Task limit = SafeScheduler.of(scheduler).schedule(timeout, () -> {
            isTimeUp.set(true);
            watch.close();
        });
        try (watch) {
            WatchEvent<T> last = null;
            for (int i = 0; i < conditions.size(); i++) {
                while (last == null || !conditions.get(i).test(last)) {
                    last = watch.next();
                    if (last == null) {
                        throw new NotObservedException((isTimeUp.get() ? "not within " + timeout : "the watch ended")
                                + ": " + i + " of " + conditions.size() + " conditions were met");
                    }
                }
            }
            return last;
        } finally {
            limit.cancel();
        }
    }
}
