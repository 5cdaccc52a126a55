/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.transport.http.call.HttpClients;
import io.kubeloop.transport.http.call.OpenCalls;
import io.kubeloop.transport.http.route.ProxySetup;
import io.kubeloop.transport.http.tls.TlsMaterial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.OkHttpClient;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Authorities and client certificates that change during the life of the client (TP-05, TP-06, AU-13; users #21). */
@Timeout(60)
class CertificateRotationTest {

    private static final ApiRequest GET = ApiRequest.get("/api", Map.of());
    private static final ApiRequest POST =
            ApiRequest.of("POST", "/api", Map.of(), ApiRequest.Body.json("{}".getBytes(UTF_8)));
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    private final HeldCertificate authority = authority("ca");
    private final HeldCertificate otherAuthority = authority("other ca");
    private final MockWebServer server = new MockWebServer();
    private final AtomicLong clock = new AtomicLong();
    private final List<OkHttpTransport> transports = new ArrayList<>();

    private Path caFile;
    private Path certFile;
    private Path keyFile;

    private static HeldCertificate authority(String name) {
        return new HeldCertificate.Builder()
                .certificateAuthority(0)
                .commonName(name)
                .build();
    }

    private static HeldCertificate client(String name, HeldCertificate authority) {
        return new HeldCertificate.Builder()
                .commonName(name)
                .signedBy(authority)
                .build();
    }

    /** Makes a transport; a subclass overrides it to run these tests with another TLS provider. */
    OkHttpTransport.Builder builder(ClientConfig config) {
        return OkHttpTransport.builder(config);
    }

    @BeforeEach
    void start() throws IOException {
        caFile = directory.resolve("ca.crt");
        certFile = directory.resolve("client.crt");
        keyFile = directory.resolve("client.key");
        Files.writeString(caFile, authority.certificatePem());
        server.useHttps(new HandshakeCertificates.Builder()
                .heldCertificate(new HeldCertificate.Builder()
                        .addSubjectAlternativeName("127.0.0.1")
                        .signedBy(authority)
                        .build())
                .addTrustedCertificate(authority.certificate())
                .build()
                .sslSocketFactory());
        server.requestClientAuth();
        server.start();
    }

    @AfterEach
    void close() {
        transports.forEach(OkHttpTransport::close);
        server.close();
    }

    private void write(HeldCertificate client) throws IOException {
        Files.writeString(certFile, client.certificatePem());
        Files.writeString(keyFile, client.privateKeyPkcs8Pem());
    }

    private OkHttpTransport transport(TlsConfig tls, AuthConfig auth) {
        OkHttpTransport transport = builder(ClientConfigBuilder.builder()
                        .server("https://127.0.0.1:" + server.getPort())
                        .tls(tls)
                        .auth(auth)
                        .build())
                .scheduler(new InstantScheduler(clock))
                .build();
        transports.add(transport);
        return transport;
    }

    private OkHttpTransport withClientFiles() {
        return transport(
                TlsConfigBuilder.builder()
                        .caFile(caFile.toString())
                        .certFile(certFile.toString())
                        .keyFile(keyFile.toString())
                        .build(),
                AuthConfig.NONE);
    }

    private void answers(int... codes) {
        for (int code : codes) {
            server.enqueue(new MockResponse.Builder().code(code).body("{}").build());
        }
    }

    private static int call(OkHttpTransport transport, ApiRequest request) throws IOException {
        try (ApiResponse response = transport.execute(request)) {
            response.body().readAllBytes();
            return response.code();
        }
    }

    /** Returns the client identity of the next request. */
    private String shown() throws InterruptedException {
        RecordedRequest request = server.takeRequest();
        return String.valueOf(request.getHandshake().peerPrincipal());
    }

    @Test
    void execute_clientCertificateFilesReplaced_areShownWithinAMinute() throws Exception {
        write(client("first", authority));
        answers(200, 200, 200);
        OkHttpTransport transport = withClientFiles();

        call(transport, GET);
        write(client("second", authority));
        clock.addAndGet(INTERVAL.toNanos() - 1);
        call(transport, GET);
        clock.addAndGet(1);
        call(transport, GET);

        assertThat(List.of(shown(), shown(), shown())).containsExactly("CN=first", "CN=first", "CN=second");
    }

    @Test
    void execute_401AfterReplacement_showsTheNewCertificateAtOnce() throws Exception {
        write(client("first", authority));
        answers(200, 401, 200, 401);
        OkHttpTransport transport = withClientFiles();

        assertThat(call(transport, POST)).isEqualTo(200);
        write(client("second", authority));
        assertThat(call(transport, POST)).isEqualTo(200);
        assertThat(call(transport, POST)).isEqualTo(401);

        assertThat(List.of(shown(), shown(), shown(), shown()))
                .containsExactly("CN=first", "CN=first", "CN=second", "CN=second");
    }

    @Test
    void execute_manyRefusedAtOnceAfterReplacement_areAllSentAgain() throws Exception {
        // Only one thread finds the files changed; the others use the new certificates as well.
        write(client("first", authority));
        int requests = 4;
        CountDownLatch refused = new CountDownLatch(requests);
        server.setDispatcher(new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) throws InterruptedException {
                boolean first =
                        "CN=first".equals(String.valueOf(request.getHandshake().peerPrincipal()));
                if (first) {
                    refused.countDown();
                    refused.await();
                }
                return new MockResponse.Builder().code(first ? 401 : 200).build();
            }
        });
        OkHttpTransport transport = withClientFiles();
        write(client("second", authority));

        List<CompletableFuture<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            calls.add(CompletableFuture.supplyAsync(
                    () -> {
                        try (ApiResponse response = transport.execute(POST)) {
                            return response.code();
                        }
                    },
                    task -> new Thread(task, "caller").start()));
        }

        assertThat(calls).extracting(CompletableFuture::join).containsOnly(200);
    }

    private HttpClients clients(Supplier<TlsMaterial> files) {
        ClientConfig config = ClientConfigBuilder.builder()
                .server("https://h")
                .tls(TlsConfigBuilder.builder()
                        .certFile(certFile.toString())
                        .keyFile(keyFile.toString())
                        .build())
                .build();
        return new HttpClients(
                config, new OkHttpClient(), null, new ProxySetup(null, true), new OpenCalls(), clock::get, files);
    }

    private static TlsMaterial material(HeldCertificate client) {
        return new TlsMaterial("", client.certificatePem(), client.privateKeyPkcs8Pem());
    }

    @Test
    void reload_afterSomebodyElsesReload_isTrueForWhoeverUsedTheFormerCertificate() {
        TlsMaterial[] files = {material(client("first", authority))};
        boolean[] gone = {false};
        HttpClients clients = clients(() -> {
            if (gone[0]) {
                throw new TransportException(Kind.CONFIGURATION, "no such file", null);
            }
            return files[0];
        });
        OkHttpClient requests = clients.get(false);
        OkHttpClient streams = clients.get(true);
        assertThat(clients.reload(requests)).isFalse();

        files[0] = material(client("second", authority));

        assertThat(clients.reload(requests)).isTrue();
        assertThat(clients.reload(requests)).isTrue();
        assertThat(clients.reload(streams)).isTrue();
        gone[0] = true;
        assertThat(clients.reload(requests)).isTrue();
        assertThat(clients.reload(clients.get(false))).isFalse();
        assertThat(clients.reload(clients.get(true))).isFalse();
    }

    @Test
    void reload_overtakenWhileReading_doesNotBringTheFormerCertificateBack() {
        TlsMaterial first = material(client("first", authority));
        TlsMaterial second = material(client("second", authority));
        AtomicReference<TlsMaterial> files = new AtomicReference<>(first);
        AtomicReference<Runnable> whileReading = new AtomicReference<>(() -> {});
        HttpClients clients = clients(() -> {
            TlsMaterial read = files.get();
            whileReading.getAndSet(() -> {}).run();
            return read;
        });
        OkHttpClient former = clients.get(false);
        AtomicReference<OkHttpClient> fresh = new AtomicReference<>();
        whileReading.set(() -> {
            files.set(second);
            clients.reload(former);
            fresh.set(clients.get(false));
        });

        assertThat(clients.reload(former)).isTrue();

        assertThat(fresh.get()).isNotSameAs(former);
        assertThat(clients.get(false)).isSameAs(fresh.get());
    }

    @Test
    void execute_rotationWhileAWatchIsOpen_leavesTheWatchAndUsesAFreshConnection() throws Exception {
        write(client("first", authority));
        server.enqueue(new MockResponse.Builder()
                .body("{\"a\":1}{\"b\":2}")
                .throttleBody(7, 500, TimeUnit.MILLISECONDS)
                .build());
        answers(200);
        OkHttpTransport transport = withClientFiles();

        try (ApiStream watch = transport.stream(GET)) {
            assertThat(watch.next()).asString(UTF_8).isEqualTo("{\"a\":1}");
            write(client("second", authority));
            clock.addAndGet(INTERVAL.toNanos());
            call(transport, GET);

            assertThat(watch.next()).asString(UTF_8).isEqualTo("{\"b\":2}");
            assertThat(watch.next()).isNull();
        }
        assertThat(List.of(shown(), shown())).containsExactly("CN=first", "CN=second");
    }

    @Test
    void close_afterRotation_reachesConnectionsOfFormerCertificates() throws Exception {
        // I12
        write(client("first", authority));
        server.enqueue(new MockResponse.Builder()
                .body("{\"a\":1}{\"b\":2}")
                .throttleBody(7, 1, TimeUnit.HOURS)
                .build());
        answers(200, 200);
        OkHttpTransport transport = withClientFiles();
        ApiStream watch = transport.stream(GET);
        assertThat(watch.next()).isNotNull();
        for (String name : List.of("second", "third")) {
            write(client(name, authority));
            clock.addAndGet(INTERVAL.toNanos());
            call(transport, GET);
        }

        transport.close();

        assertThat(watch.next()).isNull();
        String prefix = "OkHttp 127.0.0.1";
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith(prefix)
                        && thread.getName().contains(String.valueOf(server.getPort()))));
    }

    @Test
    void execute_filesReplacedOneAfterTheOther_keepTheFormerPairUntilBothMatch() throws Exception {
        write(client("first", authority));
        answers(200, 200, 200);
        OkHttpTransport transport = withClientFiles();
        call(transport, GET);
        HeldCertificate second = client("second", authority);

        Files.writeString(certFile, second.certificatePem());
        clock.addAndGet(INTERVAL.toNanos());
        call(transport, GET);
        Files.writeString(keyFile, second.privateKeyPkcs8Pem());
        clock.addAndGet(INTERVAL.toNanos());
        call(transport, GET);

        assertThat(List.of(shown(), shown(), shown())).containsExactly("CN=first", "CN=first", "CN=second");
    }

    @Test
    void execute_filesGoneEmptyOrDamaged_keepWhatWasRead() throws Exception {
        write(client("first", authority));
        answers(200, 200, 200, 200);
        OkHttpTransport transport = withClientFiles();
        call(transport, GET);

        Files.delete(certFile);
        clock.addAndGet(INTERVAL.toNanos());
        call(transport, GET);
        Files.writeString(caFile, "");
        clock.addAndGet(INTERVAL.toNanos());
        call(transport, GET);
        Files.writeString(caFile, "-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n");
        clock.addAndGet(INTERVAL.toNanos());
        call(transport, GET);

        assertThat(List.of(shown(), shown(), shown(), shown())).containsOnly("CN=first");
    }

    @Test
    void execute_authorityReplaced_isTrustedAtOnceWhenTlsFails() throws Exception {
        // Also for a write: a failed handshake has sent nothing.
        Files.writeString(caFile, otherAuthority.certificatePem());
        answers(200);
        OkHttpTransport transport =
                transport(TlsConfigBuilder.builder().caFile(caFile.toString()).build(), AuthConfig.NONE);
        assertThat(catchThrowableOfType(TransportException.class, () -> transport.execute(POST))
                        .kind())
                .isEqualTo(Kind.TLS);

        Files.writeString(caFile, otherAuthority.certificatePem() + authority.certificatePem());

        assertThat(call(transport, POST)).isEqualTo(200);
    }

    @Test
    void execute_authorityWithdrawn_isNotTrustedAfterAMinute() throws Exception {
        answers(200, 200);
        OkHttpTransport transport =
                transport(TlsConfigBuilder.builder().caFile(caFile.toString()).build(), AuthConfig.NONE);
        assertThat(call(transport, GET)).isEqualTo(200);

        Files.writeString(caFile, otherAuthority.certificatePem());
        clock.addAndGet(INTERVAL.toNanos());

        // No former connection or TLS session is used again.
        assertThat(catchThrowableOfType(TransportException.class, () -> transport.execute(GET))
                        .kind())
                .isEqualTo(Kind.TLS);
    }

    @Test
    void execute_execPluginYieldsAnotherCertificateAfterA401_showsItOnAFreshConnection() throws Exception {
        for (String name : List.of("1", "2")) {
            HeldCertificate client = client("exec-" + name, authority);
            Files.writeString(
                    directory.resolve(name),
                    io.kubeloop.json.tree.JsonObject.builder()
                            .put("apiVersion", "client.authentication.k8s.io/v1")
                            .put("kind", "ExecCredential")
                            .put(
                                    "status",
                                    io.kubeloop.json.tree.JsonObject.builder()
                                            .put("clientCertificateData", client.certificatePem())
                                            .put("clientKeyData", client.privateKeyPkcs8Pem())
                                            .build())
                            .build()
                            .toString());
        }
        Path script = Files.writeString(
                directory.resolve("plugin.sh"),
                "cd " + directory + "\necho run >>runs\ncat $(wc -l <runs | tr -d ' ')\n");
        ExecConfig exec = new ExecConfig(
                "client.authentication.k8s.io/v1",
                "/bin/sh",
                List.of(script.toString()),
                List.of(),
                "",
                false,
                "Never");
        answers(200, 401, 200);
        OkHttpTransport transport = transport(
                TlsConfigBuilder.builder().caFile(caFile.toString()).build(),
                AuthConfigBuilder.builder().exec(exec).build());

        assertThat(call(transport, GET)).isEqualTo(200);
        assertThat(call(transport, GET)).isEqualTo(200);

        assertThat(List.of(shown(), shown(), shown())).containsExactly("CN=exec-1", "CN=exec-1", "CN=exec-2");
    }

    @Test
    void create_keyOfAnotherCertificate_isRefused() throws Exception {
        write(client("first", authority));
        Files.writeString(keyFile, client("second", authority).privateKeyPkcs8Pem());

        assertThatThrownBy(this::withClientFiles)
                .isInstanceOf(TransportException.class)
                .hasMessage("client certificate " + certFile + " with key " + keyFile
                        + ": the key does not belong to the certificate");
    }
}
