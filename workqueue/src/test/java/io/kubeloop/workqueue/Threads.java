/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;

/** Threads of a test: made, remembered, waited for. */
public final class Threads implements ThreadFactory {

    private final List<Thread> made = new CopyOnWriteArrayList<>();

    /** Makes a factory that has made no thread. */
    public Threads() {}

    @Override
    public Thread newThread(Runnable action) {
        Thread thread = new Thread(action);
        thread.setDaemon(true);
        made.add(thread);
        return thread;
    }

    public List<Thread> made() {
        return made;
    }

    public boolean allEnded() {
        return made.stream().noneMatch(Thread::isAlive);
    }

    /** Runs something that blocks on a thread of its own, and returns once it does block. */
    public <T> FutureTask<T> startAndAwaitBlocked(Callable<T> blocking) {
        FutureTask<T> task = new FutureTask<>(blocking);
        Thread thread = newThread(task);
        thread.start();
        await("the thread blocks")
                .pollInterval(Duration.ofMillis(1))
                .until(() -> thread.getState() == Thread.State.WAITING);
        return task;
    }
}
