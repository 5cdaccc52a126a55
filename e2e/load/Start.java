/* SPDX-License-Identifier: Apache-2.0 */
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import java.lang.management.ManagementFactory;
import java.net.HttpURLConnection;
import java.util.Arrays;
import java.util.Locale;

/**
 * Starts and stops an empty server several times in this JVM, and prints rows of a Markdown table: the time until it
 * answers, and its heap.
 *
 * <p>{@code java -cp ... Start.java}
 */
final class Start {

    private static final int TIMES = 15;

    private Start() {}

    public static void main(String[] args) throws Exception {
        double[] millis = new double[TIMES];
        double[] cpu = new double[TIMES];
        for (int i = 0; i < TIMES; i++) {
            long begin = System.nanoTime();
            long cpuBegin = cpu();
            Started started = start();
            millis[i] = (System.nanoTime() - begin) / 1e6;
            cpu[i] = (cpu() - cpuBegin) / 1e6;
            started.close();
        }
        long before = used();
        Started started = start();
        long server = used();
        double[] later = Arrays.copyOfRange(millis, 1, TIMES);
        Arrays.sort(later);
        double[] laterCpu = Arrays.copyOfRange(cpu, 1, TIMES);
        Arrays.sort(laterCpu);
        System.out.printf(Locale.ROOT, "| first start, with class loading | %.0f ms |%n", millis[0]);
        System.out.printf(
                Locale.ROOT,
                "| later starts | median %.0f ms, shortest %.0f ms; CPU of the JVM: median %.0f ms |%n",
                later[later.length / 2],
                later[0],
                laterCpu[laterCpu.length / 2]);
        System.out.printf(
                Locale.ROOT,
                "| heap of the JVM with an empty server | %.1f MB, of which the server %.1f MB |%n",
                server / 1e6,
                (server - before) / 1e6);
        started.close();
    }

    private record Started(ApiServer server, HttpApiServer http) {

        void close() {
            http.close();
            server.close();
        }
    }

    /** Starts a server and waits for its first answer. */
    private static Started start() throws Exception {
        ApiServer server = ApiServer.builder().build(BuiltInKinds.create());
        HttpApiServer http = HttpApiServer.start(server, HttpApiServer.Config.DEFAULT);
        HttpURLConnection connection = (HttpURLConnection)
                http.uri().resolve("/api/v1/namespaces").toURL().openConnection();
        if (connection.getResponseCode() != 200) {
            throw new IllegalStateException("answered " + connection.getResponseCode());
        }
        connection.getInputStream().readAllBytes();
        return new Started(server, http);
    }

    /** The CPU time of this JVM, in nanoseconds: on a busy machine a better measure than the time. */
    private static long cpu() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static long used() throws InterruptedException {
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            Thread.sleep(50);
            used = Math.min(
                    used,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return used;
    }
}
