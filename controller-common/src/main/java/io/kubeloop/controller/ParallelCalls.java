package io.kubeloop.controller;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Makes calls side by side and waits for all of them. */
public final class ParallelCalls {

    private ParallelCalls() {}

    /**
     * How it went.
     *
     * @param successes how many calls returned
     * @param error the first failure, or null if there was none
     */
    public record Result(int successes, @Nullable RuntimeException error) {}

    /**
     * Runs every call and blocks until the last has ended. An interrupt does not end it, since the outcome of each call must
     * be known; the flag is set again on return.
     *
     * @param calls throw to say that they failed
     * @param executor runs all calls but one; the caller's thread runs that one, and those that the executor rejects
     */
    public static Result run(List<? extends Runnable> calls, Executor executor) {
        Outcome outcome = new Outcome(calls.size());
        for (Runnable call : calls.subList(Math.min(1, calls.size()), calls.size())) {
            Runnable counted = () -> outcome.count(call);
            try {
                executor.execute(counted);
            } catch (RejectedExecutionException e) {
                // The executor is being shut down: the calls of this sync are still made, as all or none would be.
                counted.run();
            }
        }
        if (!calls.isEmpty()) {
            outcome.count(calls.get(0));
        }
        return outcome.await();
    }

    /** Written by every thread that makes a call, read when all have ended: the latch orders the two. */
    private static final class Outcome {

        private final CountDownLatch running;
        private final AtomicInteger successes = new AtomicInteger();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

        Outcome(int calls) {
            running = new CountDownLatch(calls);
        }

        void count(Runnable call) {
            try {
                call.run();
                successes.incrementAndGet();
            } catch (RuntimeException | Error e) {
                failure.compareAndSet(null, e);
            } finally {
                running.countDown();
            }
        }

        Result await() {
            boolean interrupted = false;
            while (true) {
                try {
                    running.await();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            Throwable first = failure.get();
            if (first instanceof Error error) {
                throw error;
            }
            return new Result(successes.get(), (RuntimeException) first);
        }
    }
}
