package io.kubeloop.app.manager;

import io.kubeloop.controller.leaderelection.LeaderCallbacks;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What happens while this process leads: the work runs from the beginning of leadership to its end.
 *
 * <p>An orderly end has two steps: the work stops while its writes still pass, then leadership is given up. Losing
 * leadership has one: the work is interrupted, and its writes no longer pass.
 */
final class LeadingTerm implements LeaderCallbacks {

    // Invariants
    //   T1  After the end was asked for, giveUp is called: by askToEnd if the work has not begun, else by the thread
    //       that leads, when the work has ended. A work that begins after askToEnd ends at once and calls it too.
    // Called by: the thread that leads (onStartedLeading), the elector's (the other callbacks), the one that receives
    // the signal (askToEnd). No lock.

    /** Blocks until the end is asked for or the thread is interrupted; whatever it throws ends leadership. */
    @FunctionalInterface
    interface Work {

        void run() throws InterruptedException;
    }

    private final Work work;
    private final Runnable giveUp;
    private final Consumer<String> say;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean begun;

    /**
     * Makes a term.
     *
     * @param work what the leader does
     * @param giveUp ends leadership
     * @param say tells people
     */
    LeadingTerm(Work work, Runnable giveUp, Consumer<String> say) {
        this.work = work;
        this.giveUp = giveUp;
        this.say = say;
    }

    /** Called when the process is told to end. */
    void askToEnd() {
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
            failure.set(e); // an error too: who asks why leadership ended is not to hear of the lease
        } finally {
            giveUp.run();
        }
    }

    /** Nothing to do: the elector interrupts the thread that leads, and waits for it. */
    @Override
    public void onStoppedLeading() {}

    @Override
    public void onNewLeader(String identity) {
        say.accept(identity.isEmpty() ? "there is no leader" : "the leader is " + identity);
    }

    /** Throws what the work failed with, if it did. */
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
