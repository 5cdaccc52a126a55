/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh;

import io.kubeloop.jmh.canned.CannedApiServer;
import io.kubeloop.jmh.contender.Contender;
import io.kubeloop.jmh.contender.PodInformer;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
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

/**
 * Measures the cost of a watch event over HTTP, from the socket to the handler.
 *
 * <p>Parameters: the library of the informer, and the number of cached pods of about 5.8 KB. The server runs in the
 * same process and only copies bytes.
 *
 * <pre>
 * java -jar jmh/target/benchmarks.jar InformerWatchBenchmark -prof gc
 * </pre>
 */
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Benchmark)
@Fork(
        value = 2,
        jvmArgsAppend = {"-Xmx4g", "-Xms4g"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class InformerWatchBenchmark {

    private static final int BURST = 5_000;

    /** The library of the informer. */
    @Param("kubeloop")
    public String library;

    /** The number of pods in the cache. */
    @Param("10000")
    public int pods;

    private final Semaphore updated = new Semaphore(0);
    private CannedApiServer server;
    private CannedApiServer.EventSource watch;
    private PodInformer informer;

    /** Starts the server and the informer, and waits until the informer has opened its watch. */
    @Setup
    public void setUp() throws InterruptedException {
        server = new CannedApiServer(pods);
        CountDownLatch added = new CountDownLatch(pods);
        informer = Contender.named(library).informer(server.url(), PodInformer.Listener.counting(added, updated));
        informer.start();
        added.await();
        watch = server.awaitWatch();
    }

    /** Closes both. */
    @TearDown
    public void tearDown() throws IOException {
        informer.close();
        server.close();
    }

    /** Lets the server send 5,000 changes as fast as the client reads them: per change. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OperationsPerInvocation(BURST)
    public void burst() throws InterruptedException {
        watch.send(BURST);
        updated.acquire(BURST);
    }

    /** Lets the server send one change, and waits until the handler has received it. */
    @Benchmark
    @BenchmarkMode(Mode.SampleTime)
    public void single() throws InterruptedException {
        watch.send(1);
        updated.acquire();
    }
}
