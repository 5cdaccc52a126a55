/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo.lessons;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.manager.ControllerManager;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A controller manager that is started again when it has lost its lease, as a cluster starts its process again.
 *
 * <p>Thread-safe. One thread, {@code kubeloop-demo-NAME}, waits for the end of each manager and starts the next one.
 */
final class Candidate implements AutoCloseable {

    /* closed and manager are read and written together, so close() ends the manager that runs. */

    private final String name;
    private final Function<ControllerManager.Listener, ControllerManager> starter;
    private final Runnable onLeading;
    private final Thread thread;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private boolean closed;

    @GuardedBy("lock")
    private @Nullable ControllerManager manager;

    /** The manager that runs controllers. */
    private volatile @Nullable ControllerManager started;

    private Candidate(
            String name, Runnable onLeading, Function<ControllerManager.Listener, ControllerManager> starter) {
        this.name = name;
        this.onLeading = onLeading;
        this.starter = starter;
        this.thread = new Thread(this::run, "kubeloop-demo-" + name);
        thread.setDaemon(true);
    }

    /**
     * Starts a candidate.
     *
     * @param onLeading runs whenever its controllers have started
     * @param starter starts a manager with this listener
     */
    static Candidate start(
            String name, Runnable onLeading, Function<ControllerManager.Listener, ControllerManager> starter) {
        Candidate candidate = new Candidate(name, onLeading, starter);
        candidate.thread.start();
        return candidate;
    }

    String name() {
        return name;
    }

    boolean isLeading() {
        ControllerManager now = started;
        return now != null && now.isLeading();
    }

    /** Returns the informers of the controllers; null while this candidate runs none. */
    @Nullable
    SharedInformerFactory informers() {
        ControllerManager now = started;
        return now == null ? null : now.informers();
    }

    private void run() {
        for (ControllerManager next = next(); next != null; next = next()) {
            try (ControllerManager running = next) {
                running.awaitEnd();
            } catch (ControllerException lost) {
                started = null; // the next one waits for the lease
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private @Nullable ControllerManager next() {
        started = null;
        if (isClosed()) {
            return null;
        }
        ControllerManager next = starter.apply(new ControllerManager.Listener() {
            @Override
            public void onStarted(ControllerManager leader) {
                started = leader;
                onLeading.run();
            }
        });
        lock.lock();
        try {
            manager = next;
        } finally {
            lock.unlock();
        }
        if (isClosed()) {
            next.requestEnd(); // requestEnd did not find it
        }
        return next;
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Requests the end; does not wait. */
    void requestEnd() {
        ControllerManager running;
        lock.lock();
        try {
            closed = true;
            running = manager;
        } finally {
            lock.unlock();
        }
        if (running != null) {
            running.requestEnd();
        }
    }

    /** Ends the manager. Blocks as {@link ControllerManager#close} does. An interrupt ends the wait and stays set. */
    @Override
    public void close() {
        requestEnd();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
