/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.Transforms;
import io.kubeloop.command.DaemonThreads;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.leaderelection.LeaseDurations;
import io.kubeloop.controller.leaderelection.LeaseLock;
import io.kubeloop.manager.ControllerDescriptor;
import io.kubeloop.manager.ControllerManager;
import io.kubeloop.manager.ControllerOptions;
import io.kubeloop.manager.ControllerSelection;
import io.kubeloop.manager.ControllerTable;
import io.kubeloop.runtime.OwnedThreads;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The manager of a process, and during a leader migration a second one with the second lease and the controllers that
 * migrate. The second one joins its election when the controllers of the first have started, so one process
 * usually holds both leases. The end of either ends both. Thread-safe.
 */
final class ManagerTerms implements AutoCloseable {

    /*
     * Invariants: a manager that has started while isEnding was set ends at once. Locks: `lock` guards managers, opened
     * and isEnding, and is held for no call of a manager or a client. Threads: the main thread starts, waits and
     * closes; the leading thread of the first manager starts the second one, for which a thread of its own waits; the
     * thread of a signal requests the end.
     */

    private final ManagerSettings settings;
    private final ControllerTable table;
    private final ManagerStatus status;
    private final ControllerOptions options;
    private final Consumer<String> out;
    private final LeaderMigration migration;
    private final String identity = LeaseLock.uniqueIdentity();
    private final AtomicReference<@Nullable ControllerException> failure = new AtomicReference<>();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Deque<ControllerManager> managers = new ArrayDeque<>();

    @GuardedBy("lock")
    private final Deque<ManagerClients> opened = new ArrayDeque<>();

    @GuardedBy("lock")
    private boolean isEnding;

    /**
     * Creates the terms.
     *
     * @param out receives lines about the changes of the role
     */
    ManagerTerms(
            ManagerSettings settings,
            ControllerTable table,
            ManagerStatus status,
            ControllerOptions options,
            Consumer<String> out) {
        this.settings = settings;
        this.table = table;
        this.status = status;
        this.options = options;
        this.out = out;
        this.migration = settings.migration();
    }

    /**
     * Starts the controllers, or joins the election.
     *
     * @param clients the clients of the first manager, which the caller closes
     * @param more makes those of the second one, whose writes depend on the second lease
     */
    void start(ManagerClients clients, Supplier<ManagerClients> more) {
        Runnable next = migration.isEnabled() ? () -> startMigrated(more) : () -> {};
        ControllerManager.Builder builder = builder(clients, migration::stays, next);
        if (settings.leaderElect()) {
            elect(builder, settings.lease(), clients);
            String emulated = settings.coordinatedAs();
            if (!emulated.isEmpty()) {
                builder.coordinated(FeatureGates.RELEASE, emulated);
            }
        }
        started(builder.start(), settings.lease());
    }

    private void startMigrated(Supplier<ManagerClients> more) {
        if (isEnding()) {
            return;
        }
        ObjectName lease = new ObjectName(settings.lease().namespace(), migration.leaderName());
        ManagerClients clients = more.get();
        opened(clients);
        ControllerManager.Builder builder = builder(clients, migration::migrates, () -> {});
        elect(builder, lease, clients);
        ControllerManager manager = builder.start();
        started(manager, lease);
        Thread thread = DaemonThreads.factory().newThread(() -> awaitMigrated(manager));
        thread.setName("kubeloop-migrated-controllers");
        thread.start();
    }

    private void awaitMigrated(ControllerManager manager) {
        try {
            manager.awaitEnd();
        } catch (ControllerException e) {
            failure.set(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        requestEnd();
    }

    private void opened(ManagerClients clients) {
        lock.lock();
        try {
            opened.push(clients);
        } finally {
            lock.unlock();
        }
    }

    private void started(ControllerManager manager, ObjectName lease) {
        lock.lock();
        try {
            managers.push(manager);
        } finally {
            lock.unlock();
        }
        manager.elector().ifPresent(elector -> status.takesPart(lease, elector));
        if (isEnding()) {
            manager.requestEnd();
        }
    }

    private boolean isEnding() {
        lock.lock();
        try {
            return isEnding;
        } finally {
            lock.unlock();
        }
    }

    private ControllerManager.Builder builder(
            ManagerClients clients, Predicate<ControllerDescriptor> filter, Runnable whenStarted) {
        List<String> selected = table.select(settings.selection()).stream()
                .filter(filter)
                .map(ControllerDescriptor::name)
                .toList();
        return ControllerManager.builder(clients.informers())
                .clients(clients::fenced)
                .table(table)
                .controllers(new ControllerSelection(selected))
                .options(options)
                .informers(InformerConfig.DEFAULT
                        .withResyncPeriod(settings.resyncPeriod())
                        .withMetrics(status.informerMetrics())
                        .withTransform(Transforms::stripManagedFields))
                .queues(name -> WorkQueueConfig.named(name).withMetrics(status.queueMetrics()))
                .metrics(status.controllerMetrics())
                .threads(OwnedThreads.defaultFactory())
                .startInterval(settings.values().duration("controller-start-interval"))
                .stopTimeout(settings.stopTimeout())
                .listener(new Progress(whenStarted));
    }

    private void elect(ControllerManager.Builder builder, ObjectName lease, ManagerClients clients) {
        out.accept("waiting for the lease " + lease + " as " + identity);
        LeaseDurations durations = settings.leaseDurations();
        // Threads of the system and a timer of its own: an election must not wait for a carrier on which a controller
        // computes, nor for the tasks of queues.
        builder.lease(lease)
                .identity(identity)
                .electionClient(clients.forLeaderElection())
                .election(config -> config.withDurations(
                                durations.leaseDuration(), durations.renewDeadline(), durations.retryPeriod())
                        .withMetrics(status.electionMetrics(lease))
                        .withTime(ControllerTime.system(DaemonThreads.factory()))
                        .withThreads(DaemonThreads.factory()));
    }

    /** Reports the changes of a manager's role. */
    private final class Progress implements ControllerManager.Listener {

        private final Runnable whenStarted;

        Progress(Runnable whenStarted) {
            this.whenStarted = whenStarted;
        }

        @Override
        public void onStarted(ControllerManager manager) {
            status.running(manager);
            out.accept("started " + String.join(", ", manager.controllers()));
            List<String> entries = settings.selection().entries();
            table.descriptors().stream()
                    .filter(controller ->
                            !controller.skipped().isEmpty() && entries.stream().anyMatch(controller::isCalled))
                    .forEach(controller -> out.accept("skipped " + controller.name() + ": " + controller.skipped()));
            whenStarted.run();
        }

        @Override
        public void onStopping() {
            out.accept("stopping");
        }

        @Override
        public void onNewLeader(String leader) {
            out.accept(leader.isEmpty() ? "there is no leader" : "the leader is " + leader);
        }
    }

    /** Requests the end, and returns at once. */
    void requestEnd() {
        List<ControllerManager> running;
        lock.lock();
        try {
            isEnding = true;
            running = List.copyOf(managers);
        } finally {
            lock.unlock();
        }
        running.forEach(ControllerManager::requestEnd);
    }

    /**
     * Blocks until the end was requested and the controllers of the first manager have stopped.
     *
     * @throws ControllerException if a lease was lost, or controllers failed or did not stop in time
     */
    void awaitEnd() throws InterruptedException {
        ControllerManager first;
        lock.lock();
        try {
            first = managers.getLast();
        } finally {
            lock.unlock();
        }
        first.awaitEnd();
        ControllerException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }

    /** Closes the last manager first; the first one may have started another one meanwhile. */
    @Override
    public void close() {
        requestEnd();
        for (Runnable next = nextToClose(); next != null; next = nextToClose()) {
            next.run();
        }
    }

    private @Nullable Runnable nextToClose() {
        lock.lock();
        try {
            ControllerManager manager = managers.poll();
            if (manager != null) {
                return manager::close;
            }
            ManagerClients clients = opened.poll();
            return clients == null ? null : clients::close;
        } finally {
            lock.unlock();
        }
    }
}
