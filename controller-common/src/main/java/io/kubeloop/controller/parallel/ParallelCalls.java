/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.parallel;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Makes calls in parallel and waits for all of them. Stateless. */
public final class ParallelCalls {

    private ParallelCalls() {}

    /**
     * The outcome of all calls.
     *
     * @param successes the number of calls that returned normally
     * @param error the first failure, or null if there was none
     */
    public record Result(int successes, @Nullable RuntimeException error) {}

    /**
     * Runs every call and blocks until the last has ended, without limit. An interrupt does not end the wait, because
     * the outcome of each call must be known; it stays set.
     *
     * @param calls an exception means that the call failed; an error is thrown once all calls have ended
     * @param executor runs all calls except one; the caller's thread runs that one, and every call that the executor
     *     rejects
     */
    public static Result run(List<? extends Runnable> calls, Executor executor) {
        Outcome outcome = new Outcome(calls.size());
        for (Runnable call : calls.subList(Math.min(1, calls.size()), calls.size())) {
            Runnable counted = () -> outcome.count(call);
            try {
                executor.execute(counted);
            } catch (RejectedExecutionException e) {
                // The executor is shutting down. A sync that has begun still makes all of its calls.
                counted.run();
            }
        }
        if (!calls.isEmpty()) {
            outcome.count(calls.get(0));
        }
        return outcome.await();
    }

    /**
     * Every thread that makes a call writes it; the caller reads it when all have ended. The latch orders the writes
     * before the read.
     */
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
