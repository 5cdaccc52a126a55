/* SPDX-License-Identifier: Apache-2.0 */
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.transport.http.Kubeconfigs;
import io.kubeloop.transport.http.OkHttpTransport;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Keeps a server's watchers busy: scales ReplicaSets, and makes, changes and deletes Services and ServiceAccounts, from
 * four threads, whether or not the server is there.
 *
 * <p>{@code java -cp ... WatchStorm.java KUBECONFIG SEED} prints {@code storm} and goes on until it is killed, then
 * prints how much got through.
 */
final class WatchStorm {

    private static final String CORE = "/api/v1/namespaces/storm/";
    private static final String SETS = "/apis/apps/v1/namespaces/storm/replicasets/";
    private static final int WRITERS = 4;
    private static final int NAMES = 40;
    private static final long PAUSE_NANOS = 10_000_000;

    private final Transport transport;
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong unanswered = new AtomicLong();

    private WatchStorm(Transport transport) {
        this.transport = transport;
    }

    public static void main(String[] args) {
        WatchStorm storm = new WatchStorm(OkHttpTransport.create(Kubeconfigs.fromFlags("", args[0])));
        for (int i = 0; i < WRITERS; i++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(Long.parseLong(args[1]) + i);
            int writer = i;
            new Thread(() -> storm.write(writer, random), "writer-" + i).start();
        }
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> System.out.println("storm over: " + storm.accepted
                        + " writes accepted, " + storm.refused + " refused, " + storm.unanswered + " without answer")));
        System.out.println("storm");
    }

    private void write(int writer, RandomGenerator random) {
        for (int i = writer; i < NAMES; i += WRITERS) {
            send("POST", CORE + "serviceaccounts", ApiRequest.JSON, "{\"metadata\":{\"name\":\"s-" + i + "\"}}");
        }
        while (true) {
            String name = "s-" + random.nextInt(NAMES);
            switch (random.nextInt(20)) {
                case 0 -> send("POST", CORE + "services", ApiRequest.JSON, """
                        {"metadata":{"name":"%s"},"spec":{"selector":{"app":"a-%d"},"ports":[{"port":80}]}\
                        }""".formatted(name, random.nextInt(3)));
                case 1 -> send("DELETE", CORE + "services/" + name, "", "");
                case 2 ->
                    send(
                            "POST",
                            CORE + "serviceaccounts",
                            ApiRequest.JSON,
                            "{\"metadata\":{\"name\":\"" + name + "\"}}");
                case 4 -> send("DELETE", CORE + "serviceaccounts/" + name, "", "");
                case 3, 5 ->
                    send(
                            "PATCH",
                            SETS + "a-" + random.nextInt(3),
                            "application/merge-patch+json",
                            "{\"spec\":{\"replicas\":" + random.nextInt(6) + "}}");
                default ->
                    send(
                            "PATCH",
                            CORE + "serviceaccounts/" + name,
                            "application/merge-patch+json",
                            "{\"metadata\":{\"annotations\":{\"storm\":\"" + random.nextLong() + "\"}}}");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void send(String method, String path, String type, String body) {
        ApiRequest.Body content =
                body.isEmpty() ? null : new ApiRequest.Body(type, body.getBytes(StandardCharsets.UTF_8));
        try (ApiResponse response = transport.execute(ApiRequest.of(method, path, Map.of(), content))) {
            (response.isSuccessful() ? accepted : refused).incrementAndGet();
        } catch (TransportException e) {
            unanswered.incrementAndGet();
        }
    }
}
