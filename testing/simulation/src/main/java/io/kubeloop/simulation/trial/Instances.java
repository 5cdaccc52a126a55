/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.apiserver.http.KubeconfigText;
import io.kubeloop.controller.runner.ControllerRunner;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.controlplane.SimulatedClock;
import io.kubeloop.runtime.WorkCounter;
import io.kubeloop.simulation.Environment;
import io.kubeloop.simulation.Moment;
import io.kubeloop.simulation.Subject;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The instances of the operator in a run. They are started and stopped by one thread, in a thread group that notices
 * when a thread of theirs dies. Thread-safe; only {@link #close} blocks.
 */
final class Instances implements AutoCloseable {

    /*
     * Invariants
     *   N1  A start or stop counts as work of the clock from the request for it until it is done.
     *   N2  Only the thread of the instances starts and stops them; newest is written by it alone.
     */

    private static final long PATIENCE_MILLIS = 40_000;

    /** How many instances of a run may end by themselves: some do when they lose a lease or a connection. */
    private static final int MOST_ENDS = 5;

    /**
     * Notices threads of operators that die. One group serves all runs, because a group keeps each group that was ever
     * made in it.
     */
    private static final ThreadGroup OPERATORS = new ThreadGroup("operator") {
        @Override
        public void uncaughtException(Thread dead, Throwable cause) {
            Reference<Instances> owner = OWNER.get();
            Instances instances = owner == null ? null : owner.get();
            if (instances != null) {
                instances.fail("the thread " + dead.getName() + " died of " + cause);
            }
        }
    };

    /** The owner of the current thread. Threads that outlive a run, such as those of shared pools, do not keep it. */
    private static final InheritableThreadLocal<@Nullable Reference<Instances>> OWNER = new InheritableThreadLocal<>();

    private final Subject subject;
    private final ControlPlane plane;
    private final BiConsumer<Lane, Moment.Kind> moments;
    private final WorkCounter work;
    /** What went wrong, in order. */
    private final List<String> failures = new CopyOnWriteArrayList<>();

    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final Thread thread;

    /** Confined to the thread of the instances. */
    private final Deque<Instance> running = new ArrayDeque<>();

    /** Confined to the thread of the instances. */
    private int count;

    private final Map<Lane, Own> environments = new ConcurrentHashMap<>();

    /** The mistakes that the instances have printed or thrown. */
    private final Set<String> errors = new ConcurrentSkipListSet<>();

    private final AtomicInteger ends = new AtomicInteger();

    private volatile Lane newest = new Lane(-1);
    private volatile boolean closed;

    private record Instance(Lane lane, Own environment, AutoCloseable operator) {}

    Instances(Subject subject, ControlPlane plane, BiConsumer<Lane, Moment.Kind> moments) {
        this.moments = moments;
        this.subject = subject;
        this.plane = plane;
        work = Objects.requireNonNull(plane.clock().scheduler().counter("starts and stops of the operator"));
        thread = new Thread(OPERATORS, this::work, "kubeloop-simulation");
        thread.setDaemon(true);
        thread.start();
    }

    void fail(String failure) {
        failures.add(failure);
    }

    List<String> failures() {
        return List.copyOf(failures);
    }

    /** Returns the mistakes that the instances have printed or thrown until now, or until they were killed. */
    Set<String> errors() {
        environments.forEach((lane, environment) -> {
            if (!lane.isDead()) {
                environment.readErrors();
            }
        });
        return Set.copyOf(errors);
    }

    Lane newest() {
        return newest;
    }

    /** Lets the watches of all instances deliver what nothing holds back any more. */
    void release() {
        environments.keySet().forEach(lane -> lane.watches().forEach(LaneFrames::release));
    }

    void start() {
        submit(this::startOne);
    }

    /** Starts another instance beside this one, unless a newer one has been started. */
    void startBeside(Lane lane) {
        submit(() -> startAfter(lane));
    }

    private void startAfter(Lane lane) {
        if (newest == lane) {
            startOne();
        }
    }

    /**
     * Cuts off an instance at once, then ends its threads and starts another one, unless a newer one has been started
     * beside it: one operator is proved, not two that work at the same time.
     */
    void restart(Lane lane) {
        if (!lane.isDead()) {
            work.begin();
            kill(lane);
            submit(() -> {
                stop(lane);
                startAfter(lane);
            });
            work.end();
        }
    }

    /** Starts another instance after one that has ended by itself. */
    private void ended(Lane lane, String reason) {
        if (lane.isDead()) {
            return;
        }
        if (ends.incrementAndGet() > MOST_ENDS) {
            fail("instance " + lane.number() + " is the " + ends.get() + "th that ended by itself: " + reason);
            end(lane);
        } else {
            restart(lane);
        }
    }

    /** Cuts off an instance at once, then ends its threads. */
    void end(Lane lane) {
        kill(lane);
        submit(() -> stop(lane));
    }

    private void kill(Lane lane) {
        Own environment = environments.get(lane);
        if (!lane.isDead() && environment != null) {
            moments.accept(lane, Moment.Kind.ENDED);
            environment.readErrors(); // what the instance prints without its connections, no trial explains
            lane.kill();
        }
    }

    private void submit(Runnable task) {
        work.begin();
        tasks.add(() -> {
            try {
                task.run();
            } finally {
                work.end();
            }
        });
    }

    private void work() {
        OWNER.set(new WeakReference<>(this));
        try {
            while (!closed || !tasks.isEmpty()) {
                tasks.take().run();
            }
            for (Instance instance : List.copyOf(running)) {
                instance.lane().kill();
                stop(instance.lane());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // only the JVM's end interrupts this thread
        }
    }

    private void startOne() {
        Lane lane = new Lane(count++);
        Own environment = new Own(lane);
        newest = lane;
        environments.put(lane, environment);
        moments.accept(lane, Moment.Kind.STARTED);
        try {
            running.add(new Instance(lane, environment, subject.start(environment)));
        } catch (Exception e) {
            fail("instance " + lane.number() + " did not start: " + e);
        }
    }

    private void stop(Lane lane) {
        for (Instance instance : List.copyOf(running)) {
            if (instance.lane() == lane) {
                running.remove(instance);
                try {
                    instance.operator().close();
                } catch (Exception e) {
                    fail("instance " + lane.number() + " did not stop: " + e);
                }
                instance.environment().close();
            }
        }
    }

    /** Kills all instances and waits until they have ended, at most 40 s. An interrupt ends the wait and stays set. */
    @Override
    public void close() {
        closed = true;
        submit(() -> {});
        try {
            thread.join(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The environment of one instance. Used by the thread of the instances, and by the operator. */
    private final class Own implements Environment {

        private final Lane lane;
        /** Held while a part is made, so a second caller waits for it instead of making another. */
        private final ReentrantLock making = new ReentrantLock();

        @GuardedBy("making")
        private final List<Path> files = new ArrayList<>();

        @GuardedBy("making")
        private @Nullable HttpApiServer http;

        @GuardedBy("making")
        private @Nullable Path log;

        Own(Lane lane) {
            this.lane = lane;
        }

        @Override
        public KubeClient client(ObjectCodec codec) {
            return KubeClient.of(lane.over(plane.transport()), codec);
        }

        @Override
        public ControllerRunner.Builder runner(ObjectCodec codec) {
            return plane.runner(client(codec))
                    .queues(name -> WorkQueueConfig.named(name)
                            .withScheduler(plane.clock().scheduler())
                            .withFailures((item, error, retries, willRetry) -> noteErrors(error)))
                    .shutdownTimeout(Duration.ofSeconds(10));
        }

        @Override
        public SimulatedClock clock() {
            return plane.clock();
        }

        @Override
        public void ended(String reason) {
            Instances.this.ended(lane, reason);
        }

        @Override
        public URI uri() {
            making.lock();
            try {
                HttpApiServer known = http;
                if (known == null) {
                    known = HttpApiServer.start(
                            plane.server(),
                            HttpApiServer.Config.DEFAULT,
                            request -> lane.call(() -> plane.server().handle(request)));
                    http = known;
                }
                return known.uri();
            } finally {
                making.unlock();
            }
        }

        @Override
        public Path kubeconfig() {
            making.lock();
            try {
                Path file = file("kubeconfig");
                try {
                    Files.writeString(file, KubeconfigText.of(uri().toString(), "", ""));
                    return file;
                } catch (IOException e) {
                    throw new UncheckedIOException("cannot write a kubeconfig: " + e.getMessage(), e);
                }
            } finally {
                making.unlock();
            }
        }

        @Override
        public Path log() {
            making.lock();
            try {
                Path known = log;
                if (known == null) {
                    known = file("log");
                    log = known;
                }
                return known;
            } finally {
                making.unlock();
            }
        }

        /** Looks for mistakes in what the instance has printed so far. */
        void readErrors() {
            making.lock();
            try {
                if (log != null) {
                    try {
                        errors.addAll(ProgramErrors.in(new String(Files.readAllBytes(log), StandardCharsets.UTF_8)));
                    } catch (IOException e) {
                        fail("cannot read the output of instance " + lane.number() + ": " + e.getMessage());
                    }
                }
            } finally {
                making.unlock();
            }
        }

        /** Looks for mistakes in what a sync has thrown. */
        private void noteErrors(Throwable thrown) {
            if (!lane.isDead()) {
                StringWriter trace = new StringWriter();
                thrown.printStackTrace(new PrintWriter(trace));
                errors.addAll(ProgramErrors.in(trace.toString()));
            }
        }

        @GuardedBy("making")
        private Path file(String suffix) {
            try {
                Path file = Files.createTempFile("kubeloop-", "." + suffix);
                files.add(file);
                return file;
            } catch (IOException e) {
                throw new UncheckedIOException("cannot make a file for the operator: " + e.getMessage(), e);
            }
        }

        void close() {
            making.lock();
            try {
                if (http != null) {
                    http.close();
                }
                for (Path file : files) {
                    try {
                        Files.deleteIfExists(file);
                    } catch (IOException e) {
                        fail("cannot remove " + file + ": " + e.getMessage());
                    }
                }
            } finally {
                making.unlock();
            }
        }
    }
}
