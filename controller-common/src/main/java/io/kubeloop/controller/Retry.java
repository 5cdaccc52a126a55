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
 * Tries an operation again on the spot (upstream: {@code client-go/util/retry}). For small things that others get in the way of,
 * such as adding an annotation; a controller that failed puts its key back into its queue instead.
 *
 * <p>Thread-safe.
 */
public final class Retry {

    /** Five tries, 10 ms and up to a tenth more apart: for objects that others change now and then. */
    public static final BackoffSteps DEFAULT_RETRY =
            new BackoffSteps(Duration.ofMillis(10), 1.0, 0.1, 5, Duration.ZERO);

    /** Four tries, 10 ms, 50 ms and 250 ms and up to a tenth more apart: for objects that somebody keeps changing. */
    public static final BackoffSteps DEFAULT_BACKOFF =
            new BackoffSteps(Duration.ofMillis(10), 5.0, 0.1, 4, Duration.ZERO);

    private static final Retry ON_THE_CLOCK = new Retry(
            pause -> TimeUnit.NANOSECONDS.sleep(TimeUnit.NANOSECONDS.convert(pause)),
            () -> ThreadLocalRandom.current().nextDouble());

    private final Sleep sleep;
    private final DoubleSupplier random;

    /** Lets the thread wait. */
    @FunctionalInterface
    interface Sleep {
        void sleep(Duration pause) throws InterruptedException;
    }

    Retry(Sleep sleep, DoubleSupplier random) {
        this.sleep = sleep;
        this.random = random;
    }

    /**
     * Runs an operation until it succeeds, fails with something else than a conflict, or was tried often enough. It reads the
     * object anew each time; a conflict with what was read once is a conflict for ever. Blocks.
     *
     * @param backoff its steps are the number of tries; fewer where a cap is reached before, as upstream has it; such as
     *     {@link #DEFAULT_RETRY}
     * @param operation called on this thread
     * @throws ApiException the last conflict, if there was one each time; or another refusal
     * @throws InterruptedException if interrupted between two tries; the conflict is suppressed in it
     * @throws IllegalArgumentException if the backoff has no steps
     */
    public static <T> T onConflict(BackoffSteps backoff, Supplier<T> operation) throws InterruptedException {
        return onError(backoff, e -> e instanceof ApiException refused && refused.isConflict(), operation);
    }

    /**
     * Runs an operation until it succeeds, fails with something that another try does not help against, or was tried often
     * enough. Blocks.
     *
     * @param backoff its steps are the number of tries; fewer where a cap is reached before
     * @param retriable says whether another try can help
     * @param operation called on this thread; what it throws in the end is thrown (RT-01)
     * @throws InterruptedException if interrupted between two tries; what the last try threw is suppressed in it
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
