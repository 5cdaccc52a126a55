import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.apiserver.http.HttpApiServer;
import java.lang.management.ManagementFactory;
import java.net.HttpURLConnection;
import java.util.Arrays;
import java.util.Locale;

/**
 * Starts and stops an empty server several times in this JVM, and prints rows of a Markdown table: the time until it answers,
 * and its heap.
 *
 * <p>{@code java -cp ... Start.java}
 */
final class Start {

    private static final int TIMES = 15;

    private Start() {}

    public static void main(String[] args) throws Exception {
        double[] millis = new double[TIMES];
        for (int i = 0; i < TIMES; i++) {
            long begin = System.nanoTime();
            ControlPlane plane = start();
            millis[i] = (System.nanoTime() - begin) / 1e6;
            plane.close();
        }
        long before = used();
        ControlPlane plane = start();
        long server = used();
        double[] later = Arrays.copyOfRange(millis, 1, TIMES);
        Arrays.sort(later);
        System.out.printf(Locale.ROOT, "| first start, with class loading | %.0f ms |%n", millis[0]);
        System.out.printf(Locale.ROOT, "| later starts | median %.1f ms, largest %.1f ms |%n", later[later.length / 2], later[later.length - 1]);
        System.out.printf(Locale.ROOT, "| heap of the JVM with an empty server | %.1f MB, of which the server %.1f MB |%n", server / 1e6, (server - before) / 1e6);
        plane.close();
    }

    /** Starts a server and waits for its first answer. */
    private static ControlPlane start() throws Exception {
        ControlPlane plane = ControlPlane.builder().http(HttpApiServer.Config.DEFAULT).start();
        HttpURLConnection connection = (HttpURLConnection) plane.uri().resolve("/api/v1/namespaces").toURL().openConnection();
        if (connection.getResponseCode() != 200) {
            throw new IllegalStateException("answered " + connection.getResponseCode());
        }
        connection.getInputStream().readAllBytes();
        return plane;
    }

    private static long used() throws InterruptedException {
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            Thread.sleep(50);
            used = Math.min(used, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return used;
    }
}
