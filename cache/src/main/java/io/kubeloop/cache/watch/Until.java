package io.kubeloop.cache.watch;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.api.client.WatchStream;
import io.kubeloop.cache.NotObservedException;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.Timers;
import io.kubeloop.cache.runtime.SafeTimers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Waits for something to happen to objects, without a cache (upstream: {@code client-go/tools/watch/until.go}, UN-01). With a
 * cache {@link SharedInformer#awaitObserved} and handlers do it.
 */
public final class Until {

    private Until() {}

    /**
     * Reads a watch until each condition in turn is fulfilled. The next condition is first asked about the event that fulfilled
     * the one before it. Blocks; closes the watch in the end, whatever that is.
     *
     * <p>A {@link RetryWatcher} outlives broken connections; any other watch is over when its connection is.
     *
     * @param watch read by nobody else
     * @param timers what limits the time; not closed
     * @param timeout for all conditions together
     * @param conditions asked on the calling thread; what they throw is thrown
     * @return the event that fulfilled the last condition; null if there were no conditions
     * @throws NotObservedException if the time is up, or the watch ends, before all conditions are fulfilled; says how many were
     * @throws TransportException if the watch breaks
     * @throws DecodeException if a frame of it makes no sense
     */
    public static <T> @Nullable WatchEvent<T> fulfilled(
            WatchStream<T> watch,
            Timers timers,
            Duration timeout,
            List<? extends Predicate<? super WatchEvent<T>>> conditions) {
        AtomicBoolean isTimeUp = new AtomicBoolean();
        Timers.Timeout limit = SafeTimers.of(timers).schedule(timeout, () -> {
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
                                + ": " + i + " of " + conditions.size() + " conditions were fulfilled");
                    }
                }
            }
            return last;
        } finally {
            limit.cancel();
        }
    }
}
