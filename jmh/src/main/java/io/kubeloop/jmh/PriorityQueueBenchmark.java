/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh;

import io.kubeloop.workqueue.AddOptions;
import io.kubeloop.workqueue.PriorityWorkQueue;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of priorities. It sends items through the queue with priorities and through the one without, in
 * the same ways as {@link WorkQueueBenchmark}, on one thread.
 *
 * <pre>
 * java -jar jmh/target/benchmarks.jar PriorityQueueBenchmark -prof gc
 * </pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class PriorityQueueBenchmark {

    private static final int KEYS = 20_000;

    /** The queue. */
    @Param({"fifo", "priority"})
    public String kind;

    private final String[] keys = Keys.distinct(KEYS);
    private RateLimitingQueue<String> empty;
    private RateLimitingQueue<String> deep;
    private int next;

    /** Creates the queues. One holds all keys, a tenth of them with a low priority if it supports priorities. */
    @Setup
    public void setUp() {
        empty = queue("empty");
        deep = queue("deep");
        for (int i = 0; i < KEYS; i++) {
            if (deep instanceof PriorityWorkQueue<String> priorities && i % 10 == 0) {
                priorities.addWithOptions(keys[i], AddOptions.ofPriority(PriorityWorkQueue.LOW_PRIORITY));
            } else {
                deep.add(keys[i]);
            }
        }
    }

    private RateLimitingQueue<String> queue(String name) {
        return kind.equals("fifo") ? WorkQueues.rateLimiting(name) : WorkQueues.priority(name);
    }

    /** Shuts the queues down. */
    @TearDown
    public void tearDown() {
        empty.shutDown();
        deep.shutDown();
    }

    /** Takes one key through an empty queue. */
    @Benchmark
    public String addGetDone() throws InterruptedException {
        empty.add(keys[next]);
        next = next + 1 == KEYS ? 0 : next + 1;
        String key = empty.get();
        empty.done(key);
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
        deep.add(keys[KEYS - 1]);
    }
}
