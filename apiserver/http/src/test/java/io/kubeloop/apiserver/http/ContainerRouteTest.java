/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.http.HttpApiServer.Config;
import io.kubeloop.apiserver.http.wire.HttpListener;
import io.kubeloop.apiserver.http.wire.HttpServerExchange;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.runtime.OwnedThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Logs, commands and connections of a node whose kubelet serves HTTPS. */
@Timeout(60)
class ContainerRouteTest {

    private static final String PODS = "/api/v1/namespaces/d/pods/";

    @TempDir
    static Path dir;

    private static TestCertificate authority;
    private static TestCertificate apiserver;

    private final OwnedThreads threads = new OwnedThreads(OwnedThreads.virtualOrDaemon());
    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private HttpListener kubelet;
    private HttpApiServer server;
    private String nodeAddress = "127.0.0.1";

    @BeforeAll
    static void makeCertificates() throws Exception {
        authority = TestCertificate.make(dir);
        apiserver = TestCertificate.issue(dir, "CN=kube-apiserver", "eku=clientAuth");
    }

    @BeforeEach
    void start() throws IOException {
        ServingCertificate tls = ServingCertificate.load(
                authority.certificate(), authority.key(), ClientAuthorities.load(authority.certificate()));
        kubelet = HttpListener.bind(
                new InetSocketAddress("0.0.0.0", 0),
                tls.tls(),
                HttpLimits.DEFAULT.connection(),
                this::answerAsKubelet,
                threads);
        kubelet.start();
        serve(KubeletAccess.of(
                authority.certificate(), apiserver.certificate(), apiserver.key(), KubeletAccess.ADDRESS_TYPES));
    }

    private void serve(KubeletAccess kubelets) {
        server = HttpApiServer.start(
                ScriptedServer.RESOURCES,
                Config.DEFAULT.withNodes(new NodeAccess(kubelets, null)).withIdleWatch(Duration.ofMillis(5)),
                this::object);
    }

    @AfterEach
    void close() {
        server.close();
        kubelet.close();
        assertThat(threads.await(Duration.ofSeconds(20))).isTrue();
    }

    private ServerResponse object(ApiRequest request) {
        String containers = "{'name':'a','ports':[{'containerPort':%d}]}".formatted(kubeletPort());
        String spec = "'spec':{'nodeName':'%s','initContainers':[{'name':'i'}],'containers':[%s]}";
        String metadata = "'metadata':{'namespace':'d','name':'%s'},";
        String pod = metadata + spec + ",'status':{'podIP':'%s'}";
        String name = request.path().substring(request.path().lastIndexOf('/') + 1);
        String body = switch (name) {
            case "web" -> pod.formatted(name, "node-1", containers, nodeAddress);
            case "two" -> pod.formatted(name, "node-1", containers + ",{'name':'b'}", "");
            case "pending" -> pod.formatted(name, "", containers, "");
            case "lost" -> pod.formatted(name, "gone", containers, "");
            case "node-1" ->
                "'status':{'addresses':[{'type':'InternalIP','address':'" + nodeAddress
                        + "'}],'daemonEndpoints':{'kubeletEndpoint':{'Port':" + kubeletPort() + "}}}";
            case "svc" -> "'spec':{'ports':[{'name':'p','port':80},{'name':'q','port':81}]}";
            default -> null;
        };
        if (request.path().endsWith("endpoints/svc")) {
            body = ("'subsets':[{'addresses':[{'ip':'%s','targetRef':{'name':'web'}}],"
                            + "'ports':[{'name':'p','port':%d}]}]")
                    .formatted(nodeAddress, kubeletPort());
        }
        return body == null
                ? ScriptedServer.answer(
                        404,
                        "{\"kind\":\"Status\",\"code\":404,\"reason\":\"NotFound\",\"message\":\"%s not found\"}"
                                .formatted(name))
                : ScriptedServer.answer(200, ("{" + body + "}").replace('\'', '"'));
    }

    private int kubeletPort() {
        return kubelet.address().getPort();
    }

    private void answerAsKubelet(HttpServerExchange exchange) throws IOException {
        seen.add(exchange.method() + " " + exchange.target().path() + "?"
                + exchange.target().rawQuery());
        seen.add(
                exchange.certificates().isEmpty()
                        ? "nobody"
                        : exchange.certificates()
                                .get(0)
                                .getSubjectX500Principal()
                                .getName());
        if (exchange.target().path().startsWith("/containerLogs/")) {
            int code = exchange.target().rawQuery().contains("limitBytes=") ? 400 : 200;
            exchange.reply(code, (code == 200 ? "a line\n" : "container is waiting to start").getBytes(ISO_8859_1));
        } else if (exchange.headers("Upgrade").isEmpty()) {
            exchange.reply(200, exchange.headers("X-Forwarded-Uri").toString().getBytes(ISO_8859_1));
        } else {
            exchange.setHeader("Upgrade", exchange.headers("Upgrade").get(0));
            exchange.setHeader("Connection", "Upgrade");
            HttpServerExchange.Upgraded upgraded = exchange.upgrade(101);
            upgraded.output().write(upgraded.input().readNBytes(4));
        }
    }

    private HttpResponse<String> send(String method, String target) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(server.uri() + target))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static String message(HttpResponse<String> response) {
        return response.statusCode() + " " + JsonObject.parse(response.body()).string("message");
    }

    @Test
    void log_comesFromTheKubelet_withTheOptions() throws Exception {
        HttpResponse<String> response = send(
                "GET",
                PODS + "web/log?follow=true&previous=false&timestamps=1&tailLines=5&sinceTime=2026-01-02T03:04:05Z");

        assertThat(response.body()).isEqualTo("a line\n");
        assertThat(seen.take())
                .isEqualTo("GET /containerLogs/d/web/a?follow=true&sinceTime=2026-01-02T03%3A04%3A05Z&stream=All"
                        + "&tailLines=5&timestamps=true");
        assertThat(seen.take()).isEqualTo("CN=kube-apiserver");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "web/log?container=x       | 400 container x is not valid for pod web",
                "two/log                   | 400 a container name must be specified for pod two, choose one of: [i a "
                        + "b]",
                "none/log                  | 404 none not found",
                "none/log/                 | 404 none not found",
                "web/log//?container=x     | 400 container x is not valid for pod web",
                "none/portforward/         | 404 none not found",
                "web/exec/?command=x       | 400 Upgrade request required",
                "lost/log                  | 404 gone not found",
                "web/log?limitBytes=1      | 400 container is waiting to start",
                "web/log?limitBytes=0      | 422 PodLogOptions \"web\" is invalid: limitBytes: Invalid value: 0: must "
                        + "be greater than 0",
                "web/log?tailLines=-1      | 422 PodLogOptions \"web\" is invalid: tailLines: Invalid value: -1: must "
                        + "be greater than or equal to 0",
                "web/log?tailLines=x       | 400 strconv.ParseInt: parsing \"x\": invalid syntax",
                "two/exec?command=x        | 400 a container name must be specified for pod two, choose one of: [i a "
                        + "b]",
                "pending/exec?command=x    | 400 pod pending does not have a host assigned",
                "pending/portforward       | 400 pod pending does not have a host assigned",
                "web/exec?command=x        | 400 Upgrade request required",
                "none/attach               | 404 none not found",
                "none/attach/              | 404 none not found",
            })
    void wrongRequests_haveUpstreamsAnswers(String target, String answer) throws Exception {
        assertThat(message(send("GET", PODS + target))).isEqualTo(answer);
    }

    @Test
    void log_ofAPodWithoutANode_isEmpty() throws Exception {
        HttpResponse<String> response = send("GET", PODS + "pending/log");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exec?command=a&command=b%20c&stdin=true&stdout=1&tty=false | "
                        + "/exec/d/web/a?input=1&output=1&command=a&command=b+c",
                "attach?stderr=true&container=i                             | /attach/d/web/i?error=1",
                "portforward?ports=80                                       | /portForward/d/web?port=80",
            })
    void stream_isATunnelToTheKubelet(String target, String kubelets) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write(("POST " + PODS + "web/" + target
                                    + " HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: "
                                    + "SPDY/3.1\r\n\r\nping")
                            .getBytes(ISO_8859_1));
            String answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
            assertThat(answer)
                    .startsWith("HTTP/1.1 101 ")
                    .contains("Upgrade: SPDY/3.1\r\n")
                    .endsWith("\r\n\r\nping");
        }
        String path = seen.take();
        assertThat(path).startsWith("POST ");
        assertThat(List.of(path.substring(5).split("[?&]", -1))).containsExactlyInAnyOrder(kubelets.split("[?&]", -1));
    }

    @Test
    void kubeletThatCannotBeReached_isUpstreamsError() throws Exception {
        int port = kubeletPort();
        kubelet.close();
        assertThat(message(send("GET", PODS + "web/log")))
                .isEqualTo("500 Get \"https://127.0.0.1:" + port
                        + "/containerLogs/d/web/a?stream=All\": dial tcp 127.0.0.1:" + port
                        + ": connect: connection refused");
        try (RawClient raw = new RawClient(server.port())) {
            raw.send(("GET " + PODS + "web/exec?command=x HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                            + "Upgrade: websocket\r\n\r\n")
                    .getBytes(ISO_8859_1));
            assertThat(raw.drain())
                    .contains("500 Internal Server Error", "error dialing backend: dial tcp 127.0.0.1:" + port);
        }
    }

    @Test
    void kubeletsCertificate_isVerified_unlessTheClientSkipsIt(@TempDir Path other) throws Exception {
        server.close();
        TestCertificate foreign = TestCertificate.make(other);
        serve(KubeletAccess.of(foreign.certificate(), null, "", KubeletAccess.ADDRESS_TYPES));
        assertThat(message(send("GET", PODS + "web/log"))).contains("500 ", "failed to verify certificate");
        assertThat(send("GET", PODS + "web/log?insecureSkipTLSVerifyBackend=true")
                        .body())
                .isEqualTo("a line\n");
        assertThat(seen.take()).startsWith("GET ");
        assertThat(seen.take()).isEqualTo("nobody");
    }

    @Test
    void proxy_refusesAddressesOfThisMachine() throws Exception {
        for (String target : List.of("nodes/node-1", "namespaces/d/pods/web", "namespaces/d/services/svc:p")) {
            assertThat(message(send("GET", "/api/v1/" + target + "/proxy/"))).isEqualTo("400 address not allowed");
        }
    }

    @Test
    void proxy_relaysToNodesPodsAndServices() throws Exception {
        String address = routableAddress();
        Assumptions.assumeTrue(address != null, "this machine has an address beside the loopback");
        nodeAddress = String.valueOf(address);
        server.close();
        serve(KubeletAccess.of(null, apiserver.certificate(), apiserver.key(), KubeletAccess.ADDRESS_TYPES));
        Map<String, String> targets = Map.of(
                "nodes/node-1",
                "CN=kube-apiserver",
                "nodes/https:node-1:" + kubeletPort(),
                "CN=kube-apiserver",
                "namespaces/d/pods/https:web:",
                "CN=kube-apiserver",
                "namespaces/d/services/https:svc:p",
                "CN=kube-apiserver",
                "namespaces/d/services/https:svc:80",
                "CN=kube-apiserver");
        for (Map.Entry<String, String> target : targets.entrySet()) {
            String path = "/api/v1/" + target.getKey() + "/proxy";
            assertThat(send("GET", path + "/a%20b?x=y").body()).as(path).isEqualTo("[" + path + "/a%20b]");
            assertThat(seen.take()).isEqualTo("GET /a b?x=y");
            assertThat(seen.take()).isEqualTo(target.getValue());
        }
        assertThat(message(send("GET", "/api/v1/namespaces/d/services/svc:q/proxy/")))
                .isEqualTo("503 no endpoints available for service \"svc\"");
        assertThat(message(send("GET", "/api/v1/namespaces/d/services/svc:82/proxy/")))
                .isEqualTo("503 no service port 82 found for service \"svc\"");
        assertThat(send("GET", "/api/v1/nodes/node-1/proxy").headers().firstValue("Location"))
                .hasValue("/api/v1/nodes/node-1/proxy/");
    }

    private static @Nullable String routableAddress() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address.getAddress().length == 4
                        && !address.isLoopbackAddress()
                        && !address.isLinkLocalAddress())
                .map(InetAddress::getHostAddress)
                .findFirst()
                .orElse(null);
    }
}
