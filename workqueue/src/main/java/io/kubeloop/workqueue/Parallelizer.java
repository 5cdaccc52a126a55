package io.kubeloop.workqueue;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Does numbered pieces of work side by side (upstream: {@code util/workqueue/parallelizer.go}). */
public final class Parallelizer {

    // The threads share `next`, the number of the chunk that nobody took yet, and two reasons to end early. Each takes
    // chunks until there are none, it is told to stop, or a piece failed. No lock; join orders what they did before the
    // caller's return.

    private final BooleanSupplier stop;
    private final int pieces;
    private final int chunkSize;
    private final IntConsumer piece;
    private final AtomicLong next = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean givenUp;

    private Parallelizer(BooleanSupplier stop, int pieces, int chunkSize, IntConsumer piece) {
        this.stop = Objects.requireNonNull(stop, "stop");
        this.pieces = pieces;
        this.chunkSize = chunkSize;
        this.piece = Objects.requireNonNull(piece, "piece");
    }

    /**
     * Runs the pieces 0 to n-1 and blocks until all threads have ended. What a piece throws ends the work as a stop does, and
     * is thrown here, the first one of several (upstream lets the process die).
     *
     * @param stop asked before each piece: true ends the work early; called from all threads
     * @param workers how many threads at most; at least 1. There are never more than chunks
     * @param pieces how many pieces; 0 or less returns at once
     * @param chunkSize how many pieces in a row a thread takes at a time; at least 1
     * @param threads makes the threads, which are named {@code kubeloop-parallelizer-1} and so on
     * @param piece does the piece of this number; called from all threads
     * @throws InterruptedException if interrupted while waiting: the work ends early, and its threads have ended too
     */
    public static void parallelizeUntil(
            BooleanSupplier stop, int workers, int pieces, int chunkSize, ThreadFactory threads, IntConsumer piece)
            throws InterruptedException {
        if (workers < 1 || chunkSize < 1) {
            throw new IllegalArgumentException(
                    "no work is done by " + workers + " workers in chunks of " + chunkSize + " pieces");
        }
        if (pieces > 0) {
            new Parallelizer(stop, pieces, chunkSize, piece).run(Math.min(workers, chunks(pieces, chunkSize)), threads);
        }
    }

    private static int chunks(int pieces, int chunkSize) {
        return (pieces - 1) / chunkSize + 1;
    }

    private void run(int workers, ThreadFactory factory) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        boolean interrupted = false;
        try {
            for (int i = 1; i <= workers; i++) {
                Thread thread = factory.newThread(this::work);
                thread.setName("kubeloop-parallelizer-" + i);
                thread.start();
                threads.add(thread);
            }
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        } finally {
            interrupted = join(threads);
        }
        if (interrupted) {
            throw new InterruptedException();
        }
        throwFailure();
    }

    /** Returns whether an interrupt came meanwhile, which ends the work early. */
    private boolean join(List<Thread> threads) {
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                    givenUp = true;
                }
            }
        }
        return interrupted;
    }

    private void throwFailure() {
        Throwable first = failure.get();
        if (first instanceof RuntimeException e) {
            throw e;
        }
        if (first instanceof Error e) {
            throw e;
        }
        if (first != null) {
            throw new UndeclaredThrowableException(first, "a piece threw what it does not declare");
        }
    }

    private void work() {
        try {
            long chunks = chunks(pieces, chunkSize);
            for (long chunk = next.getAndIncrement(); chunk < chunks; chunk = next.getAndIncrement()) {
                int from = (int) chunk * chunkSize;
                int to = Math.min(pieces - from, chunkSize) + from;
                for (int i = from; i < to; i++) {
                    if (givenUp || failure.get() != null || stop.getAsBoolean()) {
                        return;
                    }
                    piece.accept(i);
                }
            }
        } catch (Throwable e) {
            failure.compareAndSet(null, e);
        }
    }
}
