/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh;

import io.kubeloop.jmh.contender.Contender;
import io.kubeloop.jmh.contender.PodSeed;
import io.kubeloop.jmh.contender.PodStore;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of reads and writes of an informer's store.
 *
 * <p>Parameters: the library of the store, and the number of pods in it. They are spread over 100 indexed namespaces.
 * The benchmark visits the pods in another order than that of their creation, so CPU caches help as little as in
 * real programs.
 *
 * <pre>
 * java -jar jmh/target/benchmarks.jar StoreBenchmark -prof gc
 * </pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class StoreBenchmark {

    /** The library of the store. */
    @Param("kubeloop")
    public String library;

    /** The number of pods. */
    @Param({"10000", "100000"})
    public int pods;

    private PodStore store;
    private int next;
    private boolean second;

    /** Fills the store. */
    @Setup
    public void setUp() {
        store = Contender.named(library).store(PodSeed.shuffled(pods));
    }

    private int next() {
        int pod = next++;
        if (next == pods) {
            next = 0;
            second = !second;
        }
        return pod;
    }

    /** Looks up one pod by key. */
    @Benchmark
    public Object get() {
        return store.get(next());
    }

    /** Stores a new state with the same labels and namespace. */
    @Benchmark
    public void update() {
        int pod = next();
        store.update(pod, second);
    }

    /** Removes one pod and adds it again. */
    @Benchmark
    public void deleteAndAdd() {
        store.deleteAndAdd(next());
    }

    /** Lists one namespace, which has a hundredth of the pods. */
    @Benchmark
    public Object listNamespace() {
        return store.inNamespaceOf(next());
    }

    /** Lists all pods. */
    @Benchmark
    public Object list() {
        return store.list();
    }
}
