/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.manager.ControllerTable;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.RequestMetricsProvider;
import io.kubeloop.transport.http.Timeouts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** I10 with a server that requests retries, and a process that stops leading before the retry. */
@Timeout(30)
class ManagerClientsTest {

    private static final ApiRequest WRITE = ApiRequest.of("POST", "/api/v1/namespaces/a/pods", Map.of(), null);

    private final AtomicBoolean leading = new AtomicBoolean(true);
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicReference<String> userAgent = new AtomicReference<>();
    private final HttpServer server = server();
    private final ManagerClients clients = new ManagerClients(
            ClientConfig.of("http://127.0.0.1:" + server.getAddress().getPort()),
            settings(),
            RequestMetricsProvider.NONE,
            UnaryOperator.identity());

    @AfterEach
    void close() {
        clients.close();
        server.stop(0);
    }

    private static ManagerSettings settings(String... flags) {
        return ManagerSettings.of(ControllerManagerCommand.OPTIONS.parse(flags), ControllerTable.BUILT_IN);
    }

    private HttpServer server() {
        try {
            HttpServer bound = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            bound.createContext("/", exchange -> {
                requests.incrementAndGet();
                userAgent.set(exchange.getRequestHeaders().getFirst("User-Agent"));
                leading.set(false);
                exchange.getResponseHeaders().add("Retry-After", "0");
                exchange.sendResponseHeaders(429, -1);
                exchange.close();
            });
            bound.start();
            return bound;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void controllers_leadLostInTheMiddleOfAWrite_sendItNoMore() {
        Transport transport =
                clients.fenced(leading::get).client("replicaset-controller").transport();

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> transport.execute(WRITE))
                    .isInstanceOfSatisfying(
                            TransportException.class,
                            e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.CLOSED));
        }

        assertThat(requests).hasValue(1);
    }

    @Test
    void requests_nameTheManagerAndTheController_RC05() {
        Transport transport =
                clients.fenced(() -> true).client("replicaset-controller").transport();

        transport.execute(ApiRequest.of("GET", "/api/v1/pods", Map.of(), null)).close();

        assertThat(userAgent.get()).matches("kubeloop-controller-manager/\\S+ \\(\\S+/\\S+\\) replicaset-controller");
    }

    @Test
    void leaderElection_writesAnyway() {
        clients.fenced(leading::get);

        clients.forLeaderElection().transport().execute(WRITE).close();

        assertThat(requests).hasValueGreaterThan(1);
    }

    /** A leader notices a dead connection in time for more than one attempt on a new one. */
    @Test
    void leaderElection_pingsItsConnectionEveryRetryPeriod_LK05() {
        ClientConfig given = ClientConfig.of("https://server.example.com");

        Timeouts usual = ManagerClients.impatient(given, Duration.ofSeconds(10), Duration.ofSeconds(2))
                .timeouts();
        Timeouts hasty = ManagerClients.impatient(given, Duration.ofMillis(500), Duration.ofMillis(200))
                .timeouts();

        assertThat(usual.call()).isEqualTo(Duration.ofSeconds(5));
        assertThat(usual.ping()).isEqualTo(Duration.ofSeconds(2));
        assertThat(hasty.call()).isEqualTo(Duration.ofSeconds(1));
        assertThat(hasty.ping()).isEqualTo(Duration.ofSeconds(1));
        assertThat(usual.read()).isEqualTo(given.timeouts().read());
    }

    /** With a renew deadline of two seconds there is one for an answer: time for another try. */
    @Test
    void leaderElection_serverIsSilent_isGivenUpBeforeTheDeadline_LK05() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ManagerClients impatient = new ManagerClients(
                        ClientConfig.of("http://127.0.0.1:" + silent.getLocalPort()),
                        settings("--leader-elect-renew-deadline=2s", "--leader-elect-retry-period=1s"),
                        RequestMetricsProvider.NONE,
                        UnaryOperator.identity())) {
            Transport transport = impatient.forLeaderElection().transport();
            long start = System.nanoTime();

            assertThatThrownBy(() -> transport.execute(WRITE))
                    .isInstanceOfSatisfying(
                            TransportException.class,
                            e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.TIMEOUT));

            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(900), Duration.ofSeconds(20));
        }
    }
}
