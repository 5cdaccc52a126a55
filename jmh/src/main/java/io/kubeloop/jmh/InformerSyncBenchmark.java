/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh;

import io.kubeloop.jmh.canned.CannedApiServer;
import io.kubeloop.jmh.contender.Contender;
import io.kubeloop.jmh.contender.PodInformer;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * Measures the time from the start of an informer, over HTTP, until its handler has received every pod of the first
 * list.
 *
 * <p>Parameters: the library of the informer, and the number of pods of about 5.8 KB. The server runs in the same
 * process and only copies bytes.
 *
 * <pre>
 * java -jar jmh/target/benchmarks.jar InformerSyncBenchmark -prof gc
 * </pre>
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Benchmark)
@Fork(
        value = 2,
        jvmArgsAppend = {"-Xmx4g", "-Xms4g"})
@Warmup(iterations = 8)
@Measurement(iterations = 8)
public class InformerSyncBenchmark {

    /** The library of the informer. */
    @Param("kubeloop")
    public String library;

    /** The number of pods. */
    @Param("10000")
    public int pods;

    private CannedApiServer server;
    private PodInformer informer;
    private CountDownLatch added;

    /** Starts the server. */
    @Setup
    public void setUp() {
        server = new CannedApiServer(pods);
    }

    /** Stops the server. */
    @TearDown
    public void tearDown() throws IOException {
        server.close();
    }

    /** Creates an informer. */
    @Setup(Level.Invocation)
    public void newInformer() {
        added = new CountDownLatch(pods);
        informer = Contender.named(library).informer(server.url(), new PodInformer.Listener() {
            @Override
            public void added() {
                added.countDown();
            }

            @Override
            public void updated() {}
        });
    }

    /** Starts the informer, and waits until its handler has every pod. */
    @Benchmark
    public void sync() throws InterruptedException {
        informer.start();
        added.await();
    }

    /** Closes the informer. */
    @TearDown(Level.Invocation)
    public void closeInformer() {
        informer.close();
    }
}
