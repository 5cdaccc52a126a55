/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.registry.WatchFrame;
import io.kubeloop.apiserver.storage.SleepObserver;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The frames of a watch that counts as work unless its reader waits for an event. The reader therefore counts from its
 * wake-up until it has processed the frame and waits again.
 */
final class CountedFrames extends OpenFrames implements SleepObserver {

    /*
     * Invariants:
     *   C1  The watch is counted if and only if state is BUSY.
     *   C2  A close by another thread than the reader leaves the watch busy: its reader wakes up, and counts until
     *       it closes the watch itself.
     *
     * Threads: the reader; the threads that write objects, under the lock of the event log; any thread that closes.
     */

    private enum State {
        BUSY,
        IDLE,
        CLOSED
    }

    private final WorkCount work;
    private final Thread opener = Thread.currentThread();
    private final AtomicReference<State> state = new AtomicReference<>(State.BUSY);
    private volatile @Nullable Thread reader;

    private CountedFrames(ServerResponse.Frames frames, WorkCount work) {
        super(frames, closed -> {});
        this.work = work;
    }

    static CountedFrames of(ServerResponse.Frames frames, WorkCount work) {
        CountedFrames counted = new CountedFrames(frames, work);
        work.beginWatch(counted.opener);
        frames.observe(counted);
        return counted;
    }

    @Override
    public @Nullable WatchFrame next() throws InterruptedException {
        reader = Thread.currentThread();
        return super.next();
    }

    @Override
    public void sleeps() {
        if (state.compareAndSet(State.BUSY, State.IDLE)) {
            work.endWatch(opener);
        }
    }

    @Override
    public void wakes() {
        work.beginWatch(opener);
        if (!state.compareAndSet(State.IDLE, State.BUSY)) {
            work.endWatch(opener);
        }
    }

    @Override
    public void close() {
        super.close();
        Thread reading = reader;
        if (reading == null || reading == Thread.currentThread() || !reading.isAlive()) {
            if (state.getAndSet(State.CLOSED) == State.BUSY) {
                work.endWatch(opener);
            }
        }
    }
}
