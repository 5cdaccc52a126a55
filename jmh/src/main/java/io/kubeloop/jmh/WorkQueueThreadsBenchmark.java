/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh;

import io.kubeloop.jmh.contender.Contender;
import io.kubeloop.jmh.contender.KeyQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the time of an item in the queue while several threads add and several process.
 *
 * <p>Parameters: the library of the queue, the number of producers and the number of workers. One operation is one of
 * 100,000 distinct keys, in wall time. The threads are started once for all rounds, and the workers ignore the keys.
 *
 * <pre>
 * java -jar jmh/target/benchmarks.jar WorkQueueThreadsBenchmark -prof gc
 * </pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class WorkQueueThreadsBenchmark {

    private static final int KEYS = 100_000;

    /** The library of the queue. */
    @Param("kubeloop")
    public String library;

    /** The number of threads that add keys. */
    @Param({"1", "2", "4"})
    public int producers;

    /** The number of threads that process keys. */
    @Param({"1", "4"})
    public int workers;

    private final String[] keys = Keys.distinct(KEYS);
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger processed = new AtomicInteger();
    private final Semaphore roundDone = new Semaphore(0);
    private KeyQueue queue;
    private CyclicBarrier roundStart;
    private volatile boolean ended;

    /** Starts the threads. */
    @Setup
    public void setUp() {
        queue = Contender.named(library).queue();
        roundStart = new CyclicBarrier(producers + 1);
        for (int i = 0; i < producers; i++) {
            int from = i * (KEYS / producers);
            start("producer-" + i, () -> produce(from, from + KEYS / producers));
        }
        for (int i = 0; i < workers; i++) {
            start("worker-" + i, this::process);
        }
    }

    private interface Body {
        void run() throws Exception;
    }

    private void start(String name, Body body) {
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                    } catch (Exception e) {
                        throw new IllegalStateException(name, e);
                    }
                },
                name);
        thread.start();
        threads.add(thread);
    }

    private void produce(int from, int to) throws Exception {
        for (roundStart.await(); !ended; roundStart.await()) {
            for (int i = from; i < to; i++) {
                queue.add(keys[i]);
            }
        }
    }

    private void process() throws InterruptedException {
        for (String key = queue.get(); key != null; key = queue.get()) {
            queue.done(key);
            if (processed.incrementAndGet() == KEYS) {
                roundDone.release();
            }
        }
    }

    /** Stops the threads. */
    @TearDown
    public void tearDown() throws Exception {
        ended = true;
        roundStart.await();
        queue.shutDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Passes all keys through the queue once. */
    @Benchmark
    @OperationsPerInvocation(KEYS)
    public void transfer() throws Exception {
        processed.set(0);
        roundStart.await();
        roundDone.acquire();
    }
}
