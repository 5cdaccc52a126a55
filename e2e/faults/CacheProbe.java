/* SPDX-License-Identifier: Apache-2.0 */
import com.sun.net.httpserver.HttpServer;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.transport.http.Kubeconfigs;
import io.kubeloop.transport.http.OkHttpTransport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Runs informers over the HTTP transport with everything at its defaults, and shows what their caches hold.
 *
 * <p>{@code java -cp ... CacheProbe.java KUBECONFIG} prints {@code probe on PORT}, and serves on loopback, in plain
 * text: {@code /RESOURCE} with one line {@code namespace/name uid resourceVersion} per cached object, sorted; {@code
 * /requests} with the number of lists and watches that were asked for; {@code /health} with the informers' health.
 */
final class CacheProbe {

    private static final List<ResourceType<? extends KubeObject>> WATCHED = List.of(
            ResourceTypes.PODS,
            ResourceTypes.REPLICA_SETS,
            ResourceTypes.SERVICES,
            ResourceTypes.ENDPOINTS,
            ResourceTypes.SERVICE_ACCOUNTS);

    private CacheProbe() {}

    public static void main(String[] args) throws Exception {
        KubeClient client =
                KubeClient.of(OkHttpTransport.create(Kubeconfigs.fromFlags("", args[0])), JsonCodec.standard());
        SharedInformerFactory informers = SharedInformers.factory(client);
        Map<String, Supplier<String>> pages = new LinkedHashMap<>();
        for (ResourceType<? extends KubeObject> type : WATCHED) {
            var lister = informers.informer(type).lister();
            pages.put(
                    "/" + type.plural(),
                    () -> lister.list().stream().map(CacheProbe::line).sorted().collect(Collectors.joining()));
        }
        pages.put(
                "/requests",
                () -> informers.health().stream()
                                .mapToLong(health -> health.lists() + health.watches())
                                .sum()
                        + "\n");
        pages.put(
                "/health",
                () -> informers.health().stream().map(health -> health + "\n").collect(Collectors.joining()));

        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        server.createContext("/", exchange -> {
            Supplier<String> page = pages.get(exchange.getRequestURI().getPath());
            byte[] text = page == null ? new byte[0] : page.get().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(page == null ? 404 : 200, text.length == 0 ? -1 : text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        informers.start();
        server.start();
        System.out.println("probe on " + server.getAddress().getPort());
        new CountDownLatch(1).await();
    }

    private static String line(KubeObject object) {
        var metadata = object.metadata();
        return metadata.namespace() + "/" + metadata.name() + " " + metadata.uid() + " " + metadata.resourceVersion()
                + "\n";
    }
}
