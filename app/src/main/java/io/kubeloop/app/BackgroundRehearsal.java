package io.kubeloop.app;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Has a manager rehearse beside its work, once, as soon as it has nothing to do: when somebody else leads, or when the first work
 * of its own is done. So nobody waits for a rehearsal, neither a restarted leader's pods nor a candidate's lease.
 */
final class BackgroundRehearsal implements AutoCloseable {

    // Invariants
    //   B1  There is one rehearsal at most, and none that began while the manager was known to have work.
    //   B2  When close() has returned, none is under way, unless it took longer than PATIENCE to break off.
    // Threads: the rehearsal has one of its own; the command's calls start and close; whoever ends the process asks
    // for the end. No lock.

    /** Blocks until it has been gone through or the end is asked for. */
    @FunctionalInterface
    interface Work {

        void run(ShutdownSignal end) throws InterruptedException;
    }

    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

    /** Two looks in a row: between a cache that is filled and a queue that is no longer empty lies a moment. */
    private static final int IDLE_LOOKS = 2;

    /** Who has been at work for so long has nothing left to rehearse. */
    private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final ShutdownSignal end = ShutdownSignal.inert();
    private final BooleanSupplier idle;
    private final Work rehearsal;
    private final Thread thread;

    private BackgroundRehearsal(BooleanSupplier idle, Work rehearsal) {
        this.idle = idle;
        this.rehearsal = rehearsal;
        this.thread = Threads.daemons().newThread(this::rehearseWhenIdle);
        thread.setName("kubeloop-rehearsal");
    }

    /**
     * Starts to wait for the moment, and returns.
     *
     * @param process tells of the end, and the rehearsal breaks off
     * @param idle whether the manager has nothing to do; asked often, from another thread
     * @param rehearsal what to do then
     */
    static BackgroundRehearsal start(ShutdownSignal process, BooleanSupplier idle, Work rehearsal) {
        BackgroundRehearsal started = new BackgroundRehearsal(idle, rehearsal);
        started.thread.start();
        process.onAsked(started.end::ask);
        return started;
    }

    private void rehearseWhenIdle() {
        try {
            if (awaitIdle()) {
                rehearsal.run(end);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean awaitIdle() throws InterruptedException {
        long start = System.nanoTime();
        int looks = 0;
        while (looks < IDLE_LOOKS) {
            end.await(LOOK_AGAIN);
            if (end.isAsked() || System.nanoTime() - start > LONG_ENOUGH.toNanos()) {
                return false;
            }
            looks = idle.getAsBoolean() ? looks + 1 : 0;
        }
        return true;
    }

    /** Breaks the rehearsal off, if it is under way, and waits until it has ended. */
    @Override
    public void close() {
        end.ask();
        try {
            thread.join(PATIENCE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
