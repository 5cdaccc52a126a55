/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Retries an operation on the calling thread (upstream: {@code client-go/util/retry}). {@link ResourceClient#edit} and
 * {@link ResourceClient#createOrUpdate} retry by it. Use it for small changes that conflict with other writers, such as
 * an annotation. A controller returns its key to the queue instead.
 *
 * <p>Thread-safe. Both methods block: for the operation, and for the pauses between tries, which the backoff bounds. An
 * interrupt ends a pause with an {@link InterruptedException}.
 *
 * @param backoff the number of tries and the pauses between them; reaching the cap ends the tries early
 * @param pause waits on the calling thread; tests replace it
 * @param random values from 0 to 1, for the random part; tests replace it
 */
public record Retry(BackoffSteps backoff, Pause pause, DoubleSupplier random) {

    /** Five tries with pauses of 10 ms plus up to 10 %: for objects that others change now and then. */
    public static final Retry DEFAULT_RETRY = of(new BackoffSteps(Duration.ofMillis(10), 1.0, 0.1, 5, Duration.ZERO));

    /** Four tries with pauses of 10, 50 and 250 ms plus up to 10 %: for objects that others change all the time. */
    public static final Retry DEFAULT_BACKOFF = of(new BackoffSteps(Duration.ofMillis(10), 5.0, 0.1, 4, Duration.ZERO));

    /**
     * Five tries. The pauses are 10, 20, 40 and 80 ms, and up to twice as long with the random part, so clients
     * that collided do not collide again.
     */
    public static final Retry DEFAULT_EDIT = of(new BackoffSteps(Duration.ofMillis(10), 2.0, 1.0, 5, Duration.ZERO));

    /** Blocks the calling thread for a time. */
    @FunctionalInterface
    public interface Pause {

        /**
         * Blocks for this long.
         *
         * @throws InterruptedException if the calling thread is interrupted
         */
        void await(Duration duration) throws InterruptedException;
    }

    /** Requires one try at least. */
    public Retry {
        Objects.requireNonNull(pause, "pause");
        Objects.requireNonNull(random, "random");
        if (backoff.steps() < 1) {
            throw new IllegalArgumentException(
                    "an operation is tried at least once, not " + backoff.steps() + " times");
        }
    }

    /** Returns a retry with this backoff. */
    public static Retry of(BackoffSteps backoff) {
        return new Retry(
                backoff,
                duration -> TimeUnit.NANOSECONDS.sleep(TimeUnit.NANOSECONDS.convert(duration)),
                () -> ThreadLocalRandom.current().nextDouble());
    }

    /**
     * Runs an operation until it succeeds, fails with anything but a conflict, or has used its tries. The operation
     * must read the object again on each try; otherwise every try conflicts.
     *
     * @param operation called on this thread
     * @throws ApiException the last conflict, or the first other rejection
     * @throws InterruptedException if interrupted between two tries; the last conflict is suppressed in it
     */
    public <T> T onConflict(Supplier<T> operation) throws InterruptedException {
        return onError(e -> e instanceof ApiException refused && refused.isConflict(), operation);
    }

    /**
     * Runs an operation until it succeeds, fails with an error that is not retriable, or has used its tries.
     *
     * @param retriable whether another try can help
     * @param operation called on this thread; its last exception is thrown
     * @throws InterruptedException if interrupted between two tries; the last try's exception is suppressed in it
     */
    public <T> T onError(Predicate<? super RuntimeException> retriable, Supplier<T> operation)
            throws InterruptedException {
        BackoffSteps left = backoff;
        while (true) {
            try {
                return operation.get();
            } catch (RuntimeException e) {
                Duration delay = left.delay(random);
                left = left.next(); // has no more steps if it has reached the cap, either
                if (left.steps() < 1 || !retriable.test(e)) {
                    throw e;
                }
                await(delay, e);
            }
        }
    }

    private void await(Duration delay, RuntimeException failure) throws InterruptedException {
        try {
            pause.await(delay);
        } catch (InterruptedException e) {
            e.addSuppressed(failure);
            throw e;
        }
    }
}
