/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import io.kubeloop.runtime.Scheduler;
import java.time.Instant;

/**
 * The time of another scheduler, before each of whose tasks a test runs something. As thread-safe as what it is made
 * of.
 */
public record WrappedScheduler(Scheduler scheduler, Runnable before) implements Scheduler {

    @Override
    public Instant now() {
        return scheduler.now();
    }

    @Override
    public long nanoTime() {
        return scheduler.nanoTime();
    }

    /** Runs the action first; if it throws, the task is not scheduled. */
    @Override
    public Task scheduleAt(long nanoTime, Runnable task) {
        before.run();
        return scheduler.scheduleAt(nanoTime, task);
    }

    @Override
    public void close() {
        scheduler.close();
    }
}
