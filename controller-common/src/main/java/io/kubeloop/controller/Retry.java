/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.workqueue.BackoffSteps;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Retries an operation on the calling thread (upstream: {@code client-go/util/retry}). Use it for small changes that
 * conflict with other writers, such as an annotation. A controller returns its key to the queue instead.
 *
 * <p>Thread-safe. Both methods block: for the operation, and for the pauses between tries, which the backoff bounds. An
 * interrupt ends a pause with an {@link InterruptedException}.
 */
public final class Retry {

    /** Five tries with pauses of 10 ms plus up to 10 %: for objects that others change now and then. */
    public static final BackoffSteps DEFAULT_RETRY =
            new BackoffSteps(Duration.ofMillis(10), 1.0, 0.1, 5, Duration.ZERO);

    /** Four tries with pauses of 10, 50 and 250 ms plus up to 10 %: for objects that others change all the time. */
    public static final BackoffSteps DEFAULT_BACKOFF =
            new BackoffSteps(Duration.ofMillis(10), 5.0, 0.1, 4, Duration.ZERO);

    private static final Retry ON_THE_CLOCK = new Retry(
            pause -> TimeUnit.NANOSECONDS.sleep(TimeUnit.NANOSECONDS.convert(pause)),
            () -> ThreadLocalRandom.current().nextDouble());

    private final Sleep sleep;
    private final DoubleSupplier random;

    /** Pauses the thread. */
    @FunctionalInterface
    interface Sleep {
        void sleep(Duration pause) throws InterruptedException;
    }

    Retry(Sleep sleep, DoubleSupplier random) {
        this.sleep = sleep;
        this.random = random;
    }

    /**
     * Runs an operation until it succeeds, fails with anything but a conflict, or has used its tries. The operation
     * must read the object again on each try; otherwise every try conflicts.
     *
     * @param backoff the number of tries and the pauses between them, such as {@link #DEFAULT_RETRY}; as upstream,
     * reaching the cap ends the tries early
     * @param operation called on this thread
     * @throws ApiException the last conflict, or the first other rejection
     * @throws InterruptedException if interrupted between two tries; the last conflict is suppressed in it
     * @throws IllegalArgumentException if the backoff has no steps
     */
    public static <T> T onConflict(BackoffSteps backoff, Supplier<T> operation) throws InterruptedException {
        return onError(backoff, e -> e instanceof ApiException refused && refused.isConflict(), operation);
    }

    /**
     * Runs an operation until it succeeds, fails with an error that is not retriable, or has used its tries.
     *
     * @param backoff the number of tries and the pauses between them; reaching the cap ends the tries early
     * @param retriable whether another try can help
     * @param operation called on this thread; its last exception is thrown
     * @throws InterruptedException if interrupted between two tries; the last try's exception is suppressed in it
     * @throws IllegalArgumentException if the backoff has no steps
     */
    public static <T> T onError(
            BackoffSteps backoff, Predicate<? super RuntimeException> retriable, Supplier<T> operation)
            throws InterruptedException {
        return ON_THE_CLOCK.run(backoff, retriable, operation);
    }

    <T> T run(BackoffSteps backoff, Predicate<? super RuntimeException> retriable, Supplier<T> operation)
            throws InterruptedException {
        if (backoff.steps() < 1) {
            throw new IllegalArgumentException(
                    "an operation is tried at least once, not " + backoff.steps() + " times");
        }
        BackoffSteps left = backoff;
        while (true) {
            try {
                return operation.get();
            } catch (RuntimeException e) {
                Duration pause = left.delay(random);
                left = left.next(); // has no more steps if it has reached the cap, either
                if (left.steps() < 1 || !retriable.test(e)) {
                    throw e;
                }
                sleep(pause, e);
            }
        }
    }

    private void sleep(Duration pause, RuntimeException failure) throws InterruptedException {
        try {
            sleep.sleep(pause);
        } catch (InterruptedException e) {
            e.addSuppressed(failure);
            throw e;
        }
    }
}
