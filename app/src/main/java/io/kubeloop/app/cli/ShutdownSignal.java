package io.kubeloop.app.cli;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Turns SIGTERM and Ctrl-C into an orderly end with exit code 0.
 *
 * <p>The JVM's own answer to SIGTERM is exit code 143, whatever its shutdown hooks do. Here the hook asks the command to end,
 * waits for it, and then halts with the command's own code.
 */
public final class ShutdownSignal {

    // Invariants
    //   S1  The hook halts the JVM only if a signal started the shutdown; a command that ended by itself exits as
    //       usual.
    // Threads: the main thread waits and completes; the JVM's hook thread asks and halts. No lock.

    /** After this many seconds an orderly end is given up. */
    private static final long PATIENCE_SECONDS = 30;

    private final CompletableFuture<Void> asked = new CompletableFuture<>();
    private final CountDownLatch completed = new CountDownLatch(1);
    private volatile int exitCode = 1;

    private ShutdownSignal() {}

    /** Returns one that no signal reaches: only {@link #ask} does. */
    public static ShutdownSignal inert() {
        return new ShutdownSignal();
    }

    /** Registers the hook. */
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
            if (!completed.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println(
                        "kubeloop: the shutdown took longer than " + PATIENCE_SECONDS + " s and was cut off");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(exitCode);
    }

    /** Ends the wait from inside the process, as a signal would. */
    public void ask() {
        asked.complete(null);
    }

    /** Runs the action when the end is asked for, on the thread that asks; at once if it was already. */
    public void onAsked(Runnable action) {
        var unused = asked.thenRun(action);
    }

    /** Returns whether the end was asked for. */
    public boolean isAsked() {
        return asked.isDone();
    }

    /** Blocks until the end is asked for. */
    public void await() {
        asked.join();
    }

    /** Blocks until the end is asked for. */
    public void awaitInterruptibly() throws InterruptedException {
        try {
            asked.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("nothing completes the signal exceptionally", e);
        }
    }

    /** Blocks until the end is asked for, or the time has passed. */
    public void await(Duration atMost) throws InterruptedException {
        try {
            asked.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return;
        } catch (ExecutionException e) {
            throw new IllegalStateException("nothing completes the signal exceptionally", e);
        }
    }

    /**
     * Runs something on a thread of its own, and blocks until it has ended or the end is asked for. In the second case it may
     * still be under way: it is for the caller to close what it works with.
     *
     * @return whether the end was not asked for, so that the work is done
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

    /** Says that the command has ended, and how. */
    public void complete(int code) {
        exitCode = code;
        completed.countDown();
    }
}
