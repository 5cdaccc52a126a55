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

/** Runs numbered pieces of work in parallel (upstream: {@code util/workqueue/parallelizer.go}). */
public final class Parallelizer {

    // The threads share `next`, the number of the next free chunk, and the fields `failure` and `givenUp`. Each thread
    // takes chunks until none is left, `stop` returns true, the caller was interrupted, or a piece failed. No lock. The
    // caller joins the threads, so their actions happen before its return.

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
     * Runs the pieces 0 to n-1, and blocks until all threads have ended, without a time limit. If a piece throws, the remaining
     * pieces are skipped, and this method throws the first error. Upstream lets the process die.
     *
     * @param stop called before each piece, from all threads; true ends the work early
     * @param workers the maximum number of threads; at least 1. There are never more threads than chunks
     * @param pieces the number of pieces; with 0 or less the method returns at once
     * @param chunkSize the number of consecutive pieces that a thread takes at once; at least 1
     * @param threads creates the threads, which are named {@code kubeloop-parallelizer-1} and so on
     * @param piece runs the piece with the given number; called from all threads
     * @throws IllegalArgumentException if {@code workers} or {@code chunkSize} is less than 1
     * @throws InterruptedException if interrupted while waiting; the remaining pieces are skipped, and the threads have ended
     */
    public static void parallelizeUntil(
            BooleanSupplier stop, int workers, int pieces, int chunkSize, ThreadFactory threads, IntConsumer piece)
            throws InterruptedException {
        if (workers < 1 || chunkSize < 1) {
            throw new IllegalArgumentException(
                    "workers and chunkSize must be at least 1, got " + workers + " and " + chunkSize);
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

    /** Waits for the threads; returns whether the caller was interrupted, which ends the work early. */
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
            throw new UndeclaredThrowableException(first, "A piece of work threw an undeclared checked exception");
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
