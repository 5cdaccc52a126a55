/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager;

import io.kubeloop.controller.leaderelection.LeaderCallbacks;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the work of a leader from the start to the end of its leadership.
 *
 * <p>An ordered shutdown has two steps: the work stops while the server still accepts its writes, then the leadership
 * ends. A lost lease interrupts the work, and its writes are rejected.
 */
final class LeaderRun implements LeaderCallbacks {

    /*
     * Invariant:
     *   T1  After a shutdown request, giveUp is called: by requestEnd if the work has not begun, otherwise by the
     *       leading thread when the work has ended. Work that begins after requestEnd ends at once and calls it
     *       too.
     *
     * Called by: the leading thread (onStartedLeading), the threads of the elector (the other callbacks), the thread
     * that receives the signal (requestEnd). No lock.
     */

    /**
     * The work of a leader. Blocks until the end is requested or the thread is interrupted. An exception ends the
     * leadership.
     */
    @FunctionalInterface
    interface Work {

        void run() throws InterruptedException;
    }

    private final Work work;
    private final Runnable giveUp;
    private final Consumer<String> newLeaders;
    private final Runnable ended;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean begun;

    /**
     * Creates a term.
     *
     * @param work the work of the leader
     * @param giveUp ends the leadership
     * @param newLeaders receives the identity of each new leader; empty for none
     * @param ended runs when the leadership has ended
     */
    LeaderRun(Work work, Runnable giveUp, Consumer<String> newLeaders, Runnable ended) {
        this.work = work;
        this.giveUp = giveUp;
        this.newLeaders = newLeaders;
        this.ended = ended;
    }

    /** Requests the end of the term; safe to call twice. */
    void requestEnd() {
        if (!begun) {
            giveUp.run();
        }
    }

    @Override
    public void onStartedLeading() throws InterruptedException {
        begun = true;
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            failure.set(e); // also an Error: it is the cause that rethrow() reports instead of a lost lease
        } finally {
            giveUp.run();
        }
    }

    /** The elector has interrupted the leading thread. */
    @Override
    public void onStoppedLeading() {
        ended.run();
    }

    @Override
    public void onNewLeader(String identity) {
        newLeaders.accept(identity);
    }

    /** Throws the exception of the work, if it failed. */
    void rethrow() {
        Throwable thrown = failure.get();
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
    }
}
