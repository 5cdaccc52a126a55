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
 * What does an event of a watch cost, over HTTP, from the socket to the handler?
 *
 * <p>Parameters: whose informer, and how many pods of about 5.8 KB it has in its cache. The server runs in the same process and
 * does nothing but copy bytes.
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

    /** Whose informer. */
    @Param("kubeloop")
    public String library;

    /** How many pods are in the cache. */
    @Param("10000")
    public int pods;

    private final Semaphore updated = new Semaphore(0);
    private CannedApiServer server;
    private CannedApiServer.EventSource watch;
    private PodInformer informer;

    /** Starts server and informer, and waits until the informer watches. */
    @Setup
    public void setUp() throws InterruptedException {
        server = new CannedApiServer(pods);
        CountDownLatch added = new CountDownLatch(pods);
        informer = Contender.named(library).informer(server.url(), new PodInformer.Listener() {
            @Override
            public void added() {
                added.countDown();
            }

            @Override
            public void updated() {
                updated.release();
            }
        });
        informer.start();
        added.await();
        watch = server.awaitWatch();
    }

    /** Ends both. */
    @TearDown
    public void tearDown() throws IOException {
        informer.close();
        server.close();
    }

    /** Has the server say 5,000 changes as fast as it is read: per change. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OperationsPerInvocation(BURST)
    public void burst() throws InterruptedException {
        watch.send(BURST);
        updated.acquire(BURST);
    }

    /** Has it say one, and waits until the handler was told. */
    @Benchmark
    @BenchmarkMode(Mode.SampleTime)
    public void single() throws InterruptedException {
        watch.send(1);
        updated.acquire();
    }
}
