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
 * What do reads and writes of an informer's store cost?
 *
 * <p>Parameters: whose store, and how many pods are in it, over 100 namespaces, which are indexed. The pods are visited in an order
 * that is not that of their making, so that caches help as little as in life.
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

    /** Whose store. */
    @Param("kubeloop")
    public String library;

    /** How many pods it has. */
    @Param({"10000", "100000"})
    public int pods;

    private PodStore store;
    private int next;
    private boolean second;

    /** Fills it. */
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

    /** Looks up by key. */
    @Benchmark
    public Object get() {
        return store.get(next());
    }

    /** Stores a new state; labels and namespace stay. */
    @Benchmark
    public void update() {
        int pod = next();
        store.update(pod, second);
    }

    /** Removes one, and adds it again. */
    @Benchmark
    public void deleteAndAdd() {
        store.deleteAndAdd(next());
    }

    /** Lists one of the namespaces, which has a hundredth of the pods. */
    @Benchmark
    public Object listNamespace() {
        return store.inNamespaceOf(next());
    }

    /** Lists all. */
    @Benchmark
    public Object list() {
        return store.list();
    }
}
