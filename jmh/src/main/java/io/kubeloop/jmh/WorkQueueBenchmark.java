/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh;

import io.kubeloop.workqueue.RateLimiter;
import io.kubeloop.workqueue.RateLimiters;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of an item on its way through the work queue, and of a retry, on one thread.
 *
 * <p>It has no parameters. It uses 10,000 distinct keys in turn, and no metrics.
 *
 * <pre>
 * java -jar jmh/target/benchmarks.jar WorkQueueBenchmark -prof gc
 * </pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class WorkQueueBenchmark {

    private static final int KEYS = 10_000;
    private static final int DELAYED = 10_000;

    private final String[] keys = Keys.distinct(KEYS);
    private int next;

    private RateLimitingQueue<String> queue;
    private RateLimitingQueue<String> deep;
    private RateLimitingQueue<String> noDelay;
    private RateLimitingQueue<String> exponential;
    private RateLimiter<String> itemExponential;
    private RateLimiter<String> defaultController;

    /** Creates the queues. */
    @Setup
    public void setUp() {
        queue = WorkQueues.rateLimiting("plain");
        noDelay = WorkQueues.rateLimiting("no-delay", RateLimiters.exponential(Duration.ZERO, Duration.ZERO));
        exponential = WorkQueues.rateLimiting(
                "exponential", RateLimiters.exponential(Duration.ofHours(1), Duration.ofDays(1000)));
        deep = WorkQueues.rateLimiting("deep");
        for (String key : Keys.distinct(2 * KEYS)) {
            deep.add(key);
        }
        itemExponential = RateLimiters.exponential(Duration.ofMillis(5), Duration.ofSeconds(1000));
    }

    /** Starts each iteration with a full token bucket. Reservations would accumulate otherwise. */
    @Setup(Level.Iteration)
    public void newLimiter() {
        defaultController = RateLimiters.defaultController();
    }

    /** Ends the queues' threads. */
    @TearDown
    public void tearDown() {
        queue.shutDown();
        noDelay.shutDown();
        exponential.shutDown();
        deep.shutDown();
    }

    private String nextKey() {
        String key = keys[next];
        next = next + 1 == KEYS ? 0 : next + 1;
        return key;
    }

    /** Takes one key through an empty queue. */
    @Benchmark
    public String addGetDone() throws InterruptedException {
        queue.add(nextKey());
        String key = queue.get();
        queue.done(key);
        return key;
    }

    /** Takes one key out of a queue of 20,000 and adds it again. */
    @Benchmark
    public String addGetDoneDeep() throws InterruptedException {
        String key = deep.get();
        deep.done(key);
        deep.add(key);
        return key;
    }

    /** Adds a key that is already queued. */
    @Benchmark
    public void addDuplicate() {
        deep.add(keys[0]);
    }

    /** Adds a key while it is processed, so it goes through the queue twice. */
    @Benchmark
    public String addWhileProcessing() throws InterruptedException {
        queue.add(nextKey());
        String key = queue.get();
        queue.add(key);
        queue.done(key);
        key = queue.get();
        queue.done(key);
        return key;
    }

    /** Retries without delay, and forgets: the cost of the limiter and of one pass through the queue. */
    @Benchmark
    public String addRateLimitedNoDelay() throws InterruptedException {
        noDelay.addRateLimited(nextKey());
        String key = noDelay.get();
        noDelay.forget(key);
        noDelay.done(key);
        return key;
    }

    /** Retries with a growing delay: the cost of the limiter and of the heap, which holds all 10,000 keys. */
    @Benchmark
    public void addRateLimitedExponential() {
        exponential.addRateLimited(nextKey());
    }

    /** Gets a delay from the limiter of one item, and forgets it. */
    @Benchmark
    public Duration whenForgetItemExponential() {
        String key = nextKey();
        Duration delay = itemExponential.when(key);
        itemExponential.forget(key);
        return delay;
    }

    /** Gets a delay from the limiter that controllers use. */
    @Benchmark
    public Duration whenDefaultController() {
        return defaultController.when(nextKey());
    }

    /** Delays 10,000 keys by 1 ms, and waits until the queue has returned them: per key. */
    @Benchmark
    @OperationsPerInvocation(DELAYED)
    public void addAfterOneMilli() throws InterruptedException {
        Duration delay = Duration.ofMillis(1);
        for (int i = 0; i < DELAYED; i++) {
            queue.addAfter(keys[i], delay);
        }
        for (int i = 0; i < DELAYED; i++) {
            queue.done(queue.get());
        }
    }
}
