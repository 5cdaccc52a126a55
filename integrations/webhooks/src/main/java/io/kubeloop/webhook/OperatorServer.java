/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.webhook;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.http.wire.ClientMemory;
import io.kubeloop.apiserver.http.wire.ConnectionLimits;
import io.kubeloop.apiserver.http.wire.HttpListener;
import io.kubeloop.apiserver.http.wire.HttpServerExchange;
import io.kubeloop.apiserver.http.wire.ServerTls;
import io.kubeloop.controller.runner.RunnerHealth;
import io.kubeloop.runtime.OwnedThreads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small server of an operator: webhooks, {@code /livez} and {@code /readyz} for the probes of its pod, and
 * {@code /metrics}. It serves HTTPS if it has a certificate, and else HTTP.
 *
 * <pre>{@code
 * OperatorServer server = OperatorServer.builder()
 *         .port(8443)
 *         .certificate(Path.of("/tls/tls.crt"), Path.of("/tls/tls.key"))
 *         .webhooks(webhooks)
 *         .health(runner::health)
 *         .start();
 * }</pre>
 *
 * <p>Bounds: {@value #MAX_CONNECTIONS} connections and some for this machine, each with a thread; 64 KiB of headers and
 * {@value #MAX_BODY} bytes of body for a request; the handshake with the headers, and the body, {@value #SECONDS}
 * seconds each; 90 s for an idle connection, and 60 s for a client that does not read. Bodies in memory count against a
 * sixth of the heap, which this process's servers share. Thread-safe.
 */
public final class OperatorServer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(OperatorServer.class);

    static final int MAX_CONNECTIONS = 128;
    static final int MAX_BODY = 16 << 20;

    private static final int SECONDS = 10;
    private static final int CHUNK = 64 << 10;

    /** A document in memory, its tree, and the records of it, by the bytes of the document. */
    private static final int GROWTH = 4;

    private static final Duration TIME = Duration.ofSeconds(SECONDS);
    private static final ConnectionLimits LIMITS =
            new ConnectionLimits(MAX_CONNECTIONS, 64 << 10, TIME, TIME, Duration.ofSeconds(90), Duration.ofSeconds(60));

    private final Builder settings;
    private final HttpListener listener;
    private final OwnedThreads threads = new OwnedThreads(OwnedThreads.virtualOrDaemon());
    private final CountDownLatch closed = new CountDownLatch(1);

    private OperatorServer(Builder settings, @Nullable ServerTls tls) throws IOException {
        this.settings = settings;
        listener = HttpListener.bind(
                new InetSocketAddress(settings.address, settings.port), tls, LIMITS, this::answer, threads);
    }

    /** Returns a builder of a server on port 8443 of all addresses, which serves nothing yet. */
    public static Builder builder() {
        return new Builder();
    }

    /** Configures a server. Not thread-safe. */
    public static final class Builder {

        private String address = "0.0.0.0";
        private int port = 8443;
        private @Nullable Path certificate;
        private @Nullable Path key;
        private @Nullable Webhooks webhooks;
        private Supplier<? extends @Nullable RunnerHealth> health = () -> null;
        private @Nullable Supplier<String> metrics;

        private Builder() {}

        /** Sets the address of this machine to listen on. */
        public Builder address(String host) {
            address = host;
            return this;
        }

        /** Sets the port; 0 takes a free one. */
        public Builder port(int number) {
            port = number;
            return this;
        }

        /**
         * Serves HTTPS. Each handshake uses what the files contain then, so a renewed certificate needs no restart.
         *
         * @param certificateFile the certificate and its intermediate certificates, in PEM
         * @param keyFile the private key, in PEM as PKCS#8
         */
        public Builder certificate(Path certificateFile, Path keyFile) {
            certificate = certificateFile;
            key = keyFile;
            return this;
        }

        /** Serves these webhooks. */
        public Builder webhooks(Webhooks served) {
            webhooks = served;
            return this;
        }

        /** Serves the health of a runner at {@code /livez} and {@code /readyz}. Called for each request. */
        public Builder health(Supplier<RunnerHealth> runner) {
            health = runner;
            return this;
        }

        /** Serves metrics in the text format of Prometheus at {@code /metrics}. Called for each request. */
        public Builder metrics(Supplier<String> text) {
            metrics = text;
            return this;
        }

        /**
         * Starts the server.
         *
         * @throws IOException if the port is taken, or a file cannot be read
         * @throws IllegalArgumentException if the files have no certificate with its key
         */
        public OperatorServer start() throws IOException {
            ServerTls tls = certificate == null || key == null ? null : tls(certificate, key);
            OperatorServer server = new OperatorServer(this, tls);
            server.threads.start("kubeloop-operator-http", server::cutBlocked);
            server.listener.start();
            return server;
        }

        private static ServerTls tls(Path certificate, Path key) throws IOException {
            try {
                SSLContext context = SSLContext.getInstance("TLS");
                context.init(new KeyManager[] {new ReloadedKeys(certificate, key)}, null, null);
                return ServerTls.of(context, false);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("the JDK lacks TLS", e);
            }
        }
    }

    private void cutBlocked() {
        try {
            while (!closed.await(SECONDS, TimeUnit.SECONDS)) {
                listener.cutBlocked();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the port that the server listens on. */
    public int port() {
        return listener.address().getPort();
    }

    private void answer(HttpServerExchange exchange) throws IOException {
        String path = exchange.target().path();
        Webhooks webhooks = settings.webhooks;
        if (webhooks != null && webhooks.paths().contains(path)) {
            review(exchange, webhooks, path);
            return;
        }
        RunnerHealth health = settings.health.get();
        Supplier<String> metrics = settings.metrics;
        if (path.equals("/livez") || path.equals("/healthz")) {
            health(exchange, health == null ? List.of() : health.liveness());
        } else if (path.equals("/readyz")) {
            health(exchange, health == null ? List.of() : health.readiness());
        } else if (path.equals("/metrics") && metrics != null) {
            text(exchange, 200, metrics.get());
        } else {
            List<String> known = new ArrayList<>(List.of("/livez", "/readyz"));
            known.addAll(webhooks == null ? List.of() : webhooks.paths());
            text(exchange, 404, "no page at this path; the pages are " + known + "\n");
        }
    }

    private static void health(HttpServerExchange exchange, List<String> problems) throws IOException {
        text(
                exchange,
                problems.isEmpty() ? 200 : 500,
                problems.isEmpty() ? "ok\n" : String.join("\n", problems) + "\n");
    }

    private static void review(HttpServerExchange exchange, Webhooks webhooks, String path) throws IOException {
        if (!exchange.method().equals("POST")) {
            exchange.setHeader("Allow", "POST");
            text(exchange, 405, "a webhook takes reviews: use POST\n");
            return;
        }
        byte[] body = body(exchange);
        if (body == null) {
            return;
        }
        byte[] answer;
        try {
            answer = webhooks.answer(path, body);
        } catch (DecodeException | IllegalArgumentException e) {
            text(exchange, 400, e.getMessage() + "\n");
            return;
        } catch (RuntimeException e) {
            log.warn("The webhook {} has failed", path, e);
            text(exchange, 500, "the webhook has failed: " + e + "\n");
            return;
        }
        exchange.setHeader("Content-Type", "application/json");
        exchange.reply(200, answer);
    }

    /** Returns the body of a request; null after an answer that refuses it. */
    private static byte @Nullable [] body(HttpServerExchange exchange) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        InputStream in = exchange.body();
        byte[] chunk = new byte[CHUNK];
        String length = exchange.header("Content-Length");
        boolean isLong = !length.isEmpty() && Long.parseLong(length) > MAX_BODY;
        for (int read = isLong ? 0 : in.read(chunk); read >= 0; read = in.read(chunk)) {
            if (isLong || body.size() + read > MAX_BODY) {
                exchange.closeAfterwards();
                text(exchange, 413, "a review has at most " + MAX_BODY + " bytes\n");
                return null;
            }
            if (!exchange.memory().take((long) GROWTH * read, ClientMemory.PATIENCE)) {
                exchange.closeAfterwards();
                text(exchange, 429, "too many reviews at a time; try again later\n");
                return null;
            }
            body.write(chunk, 0, read);
        }
        return body.toByteArray();
    }

    private static void text(HttpServerExchange exchange, int code, String text) throws IOException {
        exchange.setHeader("Content-Type", "text/plain; charset=utf-8");
        exchange.setHeader("X-Content-Type-Options", "nosniff");
        exchange.reply(code, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Stops listening and ends all connections. Blocks until the server's threads have ended: running reviews have 5 s
     * to finish, then their connections are cut, and the method waits 2 s more.
     */
    @Override
    public void close() {
        closed.countDown();
        listener.close();
    }
}
