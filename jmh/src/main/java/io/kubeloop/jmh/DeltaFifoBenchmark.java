/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.queue.Delta;
import io.kubeloop.cache.queue.DeltaConsumer;
import io.kubeloop.cache.queue.DeltaFifo;
import io.kubeloop.cache.queue.DeltaQueue;
import io.kubeloop.cache.queue.KnownObjects;
import io.kubeloop.cache.queue.RealFifo;
import io.kubeloop.json.JsonCodec;
import java.io.ByteArrayInputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.infra.Blackhole;

/**
 * Measures the cost of an object on its way through the queue between reflector and store.
 *
 * <p>Parameter: one of the two queues. The benchmark uses 10,000 pods with distinct keys, and the consumer ignores
 * them. Each pop takes as many entries as an informer takes at once.
 *
 * <pre>
 * java -jar jmh/target/benchmarks.jar DeltaFifoBenchmark -prof gc
 * </pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class DeltaFifoBenchmark {

    private static final int PODS = 10_000;
    private static final int UPDATES = 100;

    /** The queue. */
    @Param({"DeltaFifo", "RealFifo"})
    public String queue;

    private List<Pod> pods;
    private Map<ObjectName, Pod> known;
    private DeltaQueue<ObjectName, Pod> shared;
    private int next;
    private CyclicBarrier roundStart;
    private Thread producer;

    /** One for the whole benchmark, as an informer has one consumer: its 24 bytes are not the queue's. */
    private Counter counter;

    private volatile boolean ended;

    /** Creates the pods and the queue. */
    @Setup
    public void setUp(Blackhole blackhole) {
        counter = new Counter(blackhole);
        pods = JsonCodec.standard()
                .decodeList(ResourceTypes.PODS, new ByteArrayInputStream(PodListGenerator.list(PODS)))
                .items();
        known = new LinkedHashMap<>();
        pods.forEach(pod -> known.put(pod.objectName(), pod));
        shared = newQueue(Map.of());
        roundStart = new CyclicBarrier(2);
        producer = new Thread(this::produce, "producer");
        producer.start();
    }

    private DeltaQueue<ObjectName, Pod> newQueue(Map<ObjectName, Pod> stored) {
        return queue.equals("DeltaFifo")
                ? new DeltaFifo<>(KubeObject::objectName, new Stored(stored))
                : new RealFifo<>(KubeObject::objectName);
    }

    private void produce() {
        try {
            for (roundStart.await(); !ended; roundStart.await()) {
                pods.forEach(shared::add);
            }
        } catch (Exception e) {
            throw new IllegalStateException("Cannot add the pods: the producer thread failed", e);
        }
    }

    /** Ends the producer. */
    @TearDown
    public void tearDown() throws Exception {
        ended = true;
        roundStart.await();
        producer.join();
    }

    /** Adds one object and takes it out. */
    @Benchmark
    public void addPopDistinct() {
        shared.add(pods.get(next));
        next = next + 1 == PODS ? 0 : next + 1;
        shared.pop(counter);
    }

    /** Adds all objects, then takes them all out: per object. */
    @Benchmark
    @OperationsPerInvocation(PODS)
    public void addAllThenPopAll() {
        pods.forEach(shared::add);
        drain(shared, counter);
    }

    /** Updates one object 100 times, then takes out the result: per update. */
    @Benchmark
    @OperationsPerInvocation(UPDATES)
    public void updateSameKey() {
        Pod pod = pods.get(0);
        for (int i = 0; i < UPDATES; i++) {
            shared.update(pod);
        }
        drain(shared, counter);
    }

    /** Adds all objects on another thread and takes them out at the same time: per object. */
    @Benchmark
    @OperationsPerInvocation(PODS)
    public void oneProducerOneConsumer() throws Exception {
        roundStart.await();
        counter.count = 0;
        while (counter.count < PODS) {
            shared.pop(counter);
        }
    }

    /** Relists the stored objects, and takes out the changes: per list of 10,000. */
    @Benchmark
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public DeltaQueue<ObjectName, Pod> replaceKnownAndDrain() {
        DeltaQueue<ObjectName, Pod> fresh = newQueue(known);
        fresh.replace(pods, "1");
        drain(fresh, counter);
        return fresh;
    }

    private static void drain(DeltaQueue<ObjectName, Pod> queue, Counter counter) {
        while (queue.size() > 0) {
            queue.pop(counter);
        }
    }

    /** Counts objects, and ignores their content. */
    private static final class Counter implements DeltaConsumer<ObjectName, Pod> {

        private final Blackhole blackhole;
        private int count;

        Counter(Blackhole blackhole) {
            this.blackhole = blackhole;
        }

        @Override
        public void deltas(List<Delta<ObjectName, Pod>> deltas, boolean isInInitialList) {
            count += deltas.size();
            blackhole.consume(deltas);
        }

        @Override
        public void replacedAll(List<Pod> objects, String resourceVersion, boolean isInInitialList) {
            count += objects.size();
            blackhole.consume(objects);
        }

        @Override
        public void syncAll() {}

        @Override
        public void bookmark(String resourceVersion) {}

        @Override
        public void synced() {}
    }

    /** The objects that a real consumer would have stored. */
    private record Stored(Map<ObjectName, Pod> objects) implements KnownObjects<ObjectName, Pod> {

        @Override
        public List<ObjectName> keys() {
            return List.copyOf(objects.keySet());
        }

        @Override
        public Pod get(ObjectName key) {
            return objects.get(key);
        }
    }
}
