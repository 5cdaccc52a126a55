/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.command;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Turns SIGTERM and Ctrl-C into an ordered shutdown with exit code 0.
 *
 * <p>By default a JVM exits with code 143 after SIGTERM, whatever its shutdown hooks do. The hook of this class
 * requests the command to end, waits for it, and halts the JVM with the exit code of the command.
 */
public final class ShutdownSignal {

    /*
     * Invariants
     *   S1  The hook halts the JVM only if a signal started the shutdown. A command that ended by itself exits
     *       normally.
     * Threads: the main thread waits and completes; the JVM's hook thread requests the end and halts. No lock.
     */

    /** The longest wait for an ordered shutdown, in seconds. */
    private static final long PATIENCE_SECONDS = 30;

    /** The part of it that is left for all but the stop of the controllers. */
    private static final long REST_SECONDS = 20;

    private final CompletableFuture<Void> asked = new CompletableFuture<>();
    private final CountDownLatch completed = new CountDownLatch(1);
    private volatile int exitCode = 1;
    private volatile long patienceSeconds = PATIENCE_SECONDS;

    private ShutdownSignal() {}

    /** Returns an instance that receives no signal; only {@link #ask} completes it. */
    public static ShutdownSignal inert() {
        return new ShutdownSignal();
    }

    /** Returns an instance whose hook is registered with the JVM. */
    public static ShutdownSignal install() {
        ShutdownSignal signal = new ShutdownSignal();
        Runtime.getRuntime().addShutdownHook(new Thread(signal::hook, "kubeloop-shutdown"));
        return signal;
    }

    private void hook() {
        boolean endedByItself = completed.getCount() == 0;
        if (endedByItself) {
            return;
        }
        ask();
        try {
            if (!completed.await(patienceSeconds, TimeUnit.SECONDS)) {
                System.err.println("kubeloop: the ordered shutdown did not finish within " + patienceSeconds
                        + " s; the process ends now");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(exitCode);
    }

    /**
     * Extends the longest wait for an ordered shutdown.
     *
     * @param work the longest time of the current work; zero for no limit
     */
    public void patience(Duration work) {
        patienceSeconds = work.isZero() ? Long.MAX_VALUE : Math.max(PATIENCE_SECONDS, work.toSeconds() + REST_SECONDS);
    }

    /** Requests the end, as a signal does. Thread-safe; repeated calls have no effect. */
    public void ask() {
        asked.complete(null);
    }

    /** Runs the action when the end is requested, on the requesting thread; at once if it was requested before. */
    public void onAsked(Runnable action) {
        var unused = asked.thenRun(action);
    }

    /** Returns whether the end was requested. */
    public boolean isAsked() {
        return asked.isDone();
    }

    /** Blocks until the end is requested. Ignores interrupts. */
    public void await() {
        asked.join();
    }

    /**
     * Blocks until the end is requested.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    public void awaitInterruptibly() throws InterruptedException {
        try {
            asked.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the signal was completed exceptionally", e);
        }
    }

    /**
     * Blocks until the end is requested or the time has passed.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    public void await(Duration atMost) throws InterruptedException {
        try {
            asked.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return;
        } catch (ExecutionException e) {
            throw new IllegalStateException("the signal was completed exceptionally", e);
        }
    }

    /**
     * Runs work on a separate thread. Blocks until the work has ended or the end is requested; it ignores interrupts.
     * In the second case the work may still run, and the caller closes the resources that it uses.
     *
     * @return whether the work is done, that is, the end was not requested
     */
    public boolean outlasts(Runnable work) {
        CompletableFuture<Void> done = CompletableFuture.runAsync(work, task -> {
            Thread thread = DaemonThreads.factory().newThread(task);
            thread.setName("kubeloop-command");
            thread.start();
        });
        try {
            CompletableFuture.anyOf(asked, done).join();
        } catch (CompletionException e) {
            if (isAsked()) {
                return false;
            }
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
        return !isAsked();
    }

    /** Records that the command has ended with this exit code. */
    public void complete(int code) {
        exitCode = code;
        completed.countDown();
    }
}
