/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.aggregation;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.kubeloop.apiserver.http.wire.NewAuthority;
import io.kubeloop.apiserver.http.wire.PemTls;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** A server of the group {@code extra.example.com} on a free port of this machine. Thread-safe. */
final class ExtensionServer implements AutoCloseable {

    static final String GROUP_VERSION = "/apis/extra.example.com/v1alpha1";

    private static final String RESOURCES = """
            {"kind":"APIResourceList","apiVersion":"v1","groupVersion":"extra.example.com/v1alpha1","resources":[\
            {"name":"things","singularName":"thing","namespaced":true,"kind":"Thing","verbs":["get","list","watch"],\
            "shortNames":["th"]},\
            {"name":"things/status","singularName":"","namespaced":true,"kind":"Thing","verbs":["get"]}]}""";

    /** A request that has arrived. */
    record Received(String method, String target, Map<String, List<String>> headers, String body, String proxy) {

        String header(String name) {
            return String.join("|", headers.getOrDefault(name, List.of()));
        }
    }

    /** A scripted answer. */
    record Answer(int code, String contentType, Map<String, String> headers, String body) {

        static Answer json(String body) {
            return new Answer(200, "application/json", Map.of(), body);
        }
    }

    private final NewAuthority authority = new NewAuthority("extension", Instant.now());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final HttpsServer server;

    /** Binds a port; {@link #start} begins to answer. */
    ExtensionServer() throws IOException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        answers.put(GROUP_VERSION, Answer.json(RESOURCES));
    }

    /**
     * Begins to answer requests, with the name of the service {@code agg} in the namespace {@code default}.
     *
     * @param proxies the authority of the proxies that may send requests
     */
    void start(String proxies) {
        NewAuthority.Issued own = authority.issueForServer("extension", "agg.default.svc");
        SSLContext context = PemTls.client(
                PemTls.keys(own.certificate().getBytes(US_ASCII), own.key()), PemTls.trust(proxies.getBytes(US_ASCII)));
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters required = context.getDefaultSSLParameters();
                required.setNeedClientAuth(true);
                parameters.setSSLParameters(required);
            }
        });
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Returns the bundle with which the server is trusted, as an {@code APIService} contains it. */
    String caBundle() {
        return Base64.getEncoder().encodeToString(authority.pem().getBytes(US_ASCII));
    }

    void answer(String path, Answer answer) {
        answers.put(path, answer);
    }

    /** Returns the last request for a path. */
    Received last(String path) {
        return received.stream()
                .filter(request ->
                        request.target().equals(path) || request.target().startsWith(path + "?"))
                .reduce((first, second) -> second)
                .orElseThrow(() -> new AssertionError("no request for " + path + " in " + received));
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            headers.putAll(exchange.getRequestHeaders());
            received.add(new Received(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    headers,
                    new String(exchange.getRequestBody().readAllBytes(), UTF_8),
                    ((HttpsExchange) exchange)
                            .getSSLSession()
                            .getPeerPrincipal()
                            .getName()));
            Answer answer = answers.getOrDefault(
                    exchange.getRequestURI().getPath(),
                    new Answer(404, "text/plain", Map.of(), "404 page not found\n"));
            byte[] body = answer.body().getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", answer.contentType());
            answer.headers().forEach(exchange.getResponseHeaders()::set);
            exchange.sendResponseHeaders(answer.code(), body.length == 0 ? -1 : body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
