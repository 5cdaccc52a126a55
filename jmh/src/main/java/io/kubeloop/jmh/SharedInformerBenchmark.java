/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.ListMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ListerWatcher;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.api.client.WatchStream;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.cache.metrics.InformerMetricsProvider;
import io.kubeloop.json.JsonCodec;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
 * Measures the cost that an informer adds to the events of its source: queue, store and delivery to the handlers.
 *
 * <p>Parameters: the delta queue, and the number of handlers, each with a thread. The cache holds 10,000 pods.
 * Nothing is sent or decoded.
 *
 * <pre>
 * java -jar jmh/target/benchmarks.jar SharedInformerBenchmark -prof gc
 * </pre>
 */
@BenchmarkMode(Mode.AverageTime)
@State(Scope.Benchmark)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class SharedInformerBenchmark {

    private static final int PODS = 10_000;
    private static final int BURST = 1_000;

    /** The delta queue. */
    @Param({"DELTA_FIFO", "REAL_FIFO"})
    public InformerConfig.QueueKind queue;

    /** The number of handlers. */
    @Param({"1", "4"})
    public int handlers;

    private final Semaphore requested = new Semaphore(0);
    private final Semaphore delivered = new Semaphore(0);
    private List<Pod> pods;
    private List<Pod> changed;
    private SharedInformer<Pod> informer;

    /** Starts an informer, and waits until all handlers have received all pods. */
    @Setup
    public void setUp() throws InterruptedException {
        pods = JsonCodec.standard()
                .decodeList(ResourceTypes.PODS, new ByteArrayInputStream(PodListGenerator.list(PODS)))
                .items();
        // The two states of a pod need different versions, because an equal version is not a change.
        changed = pods.stream()
                .map(pod -> withVersion(pod, "9" + pod.metadata().resourceVersion()))
                .toList();
        informer = start();
    }

    /** Closes the informer. */
    @TearDown
    public void tearDown() {
        informer.close();
    }

    private static Pod withVersion(Pod pod, String version) {
        return pod.withMetadata(ObjectMetaBuilder.builder(pod.metadata())
                .resourceVersion(version)
                .build());
    }

    /** Returns the receiver of measurements; none here. */
    InformerMetricsProvider metrics() {
        return InformerMetricsProvider.NONE;
    }

    private SharedInformer<Pod> start() throws InterruptedException {
        SharedInformer<Pod> started = SharedInformers.informer(
                ResourceTypes.PODS,
                new Source(),
                InformerConfig.DEFAULT.withStreamingList(false).withQueue(queue).withMetrics(metrics()));
        for (int i = 0; i < handlers; i++) {
            started.addHandler(new ResourceEventHandler<>() {
                @Override
                public void onAdd(Pod pod, boolean isInInitialList) {
                    delivered.release();
                }

                @Override
                public void onUpdate(Pod oldPod, Pod newPod) {
                    delivered.release();
                }
            });
        }
        started.start();
        delivered.acquire(PODS * handlers);
        return started;
    }

    /** Delivers 1,000 changes, and waits until every handler has received each of them: per change. */
    @Benchmark
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    @OperationsPerInvocation(BURST)
    public void change() throws InterruptedException {
        requested.release(BURST);
        delivered.acquire(BURST * handlers);
    }

    /** Starts another informer, waits until its handlers have received 10,000 listed pods, and closes it. */
    @Benchmark
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public void sync() throws InterruptedException {
        start().close();
    }

    /** A source that returns the list at once, and as many events as were requested. */
    private final class Source implements ListerWatcher<Pod> {

        @Override
        public KubeList<Pod> list(ListOptions options) {
            return new KubeList<>(new ListMeta("1", "", null, UnknownFields.NONE), pods);
        }

        @Override
        public WatchStream<Pod> watch(ListOptions options) {
            return new Changes();
        }
    }

    private final class Changes implements WatchStream<Pod> {

        private List<Pod> states = changed;
        private int next;
        private volatile boolean closed;

        @Override
        public @Nullable WatchEvent<Pod> next() {
            try {
                requested.acquire();
            } catch (InterruptedException e) {
                // The informer interrupts a silent source to close it.
                Thread.currentThread().interrupt();
                return null;
            }
            if (closed) {
                return null;
            }
            Pod pod = states.get(next++);
            if (next == PODS) {
                next = 0;
                states = states == changed ? pods : changed;
            }
            return new WatchEvent.Modified<>(pod);
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
