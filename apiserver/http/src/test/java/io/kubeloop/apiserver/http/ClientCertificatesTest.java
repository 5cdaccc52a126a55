/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.http.HttpApiServer.Config;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.json.tree.JsonObject;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Users that certificates identify, with the answers of kube-apiserver 1.36.3. */
@Timeout(60)
class ClientCertificatesTest {

    private static final String POD = "/api/v1/namespaces/d/pods/p";
    private static final String CLIENT = "eku=clientAuth";

    @TempDir
    static Path dir;

    @TempDir
    static Path otherDir;

    private static TestCertificate authority;
    private static Map<String, TestCertificate> clients;

    private final AtomicReference<UserInfo> user = new AtomicReference<>();

    private HttpApiServer httpServer;

    @BeforeAll
    static void makeCertificates() throws Exception {
        authority = TestCertificate.make(dir);
        TestCertificate.make(otherDir);
        clients = Map.of(
                "jane", TestCertificate.issue(dir, "CN=jane, O=two, O=one", CLIENT),
                "server", TestCertificate.issue(dir, "CN=jane", "eku=serverAuth"),
                "nameless", TestCertificate.issue(dir, "O=one", CLIENT),
                "foreign", TestCertificate.issue(otherDir, "CN=jane", CLIENT),
                "sha1",
                        TestCertificate.issue(
                                dir, "CN=jane", CLIENT, "SHA1withECDSA", "-keyalg", "EC", "-groupname", "secp256r1"),
                "rsa1024",
                        TestCertificate.issue(
                                dir, "CN=jane", CLIENT, "SHA256withECDSA", "-keyalg", "RSA", "-keysize", "1024"));
    }

    @AfterEach
    void close() {
        httpServer.close();
    }

    private void serve(BearerTokens tokens) {
        ServingCertificate tls = ServingCertificate.load(
                authority.certificate(), authority.key(), ClientAuthorities.load(authority.certificate()));
        httpServer = HttpApiServer.start(
                ScriptedServer.RESOURCES,
                Config.DEFAULT.withTls(tls).withTokens(tokens),
                (request, client) -> {
                    user.set(client);
                    return ScriptedServer.answer(200, "{}");
                },
                Clock.systemUTC());
    }

    private int get(@Nullable TestCertificate client, String path, String authorization) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(httpServer.uri() + path)).timeout(Duration.ofSeconds(20));
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        HttpClient http = HttpClient.newBuilder()
                .sslContext(authority.trusting(client == null ? null : client.identity()))
                .build();
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        return response.statusCode();
    }

    @Test
    void certificate_namesTheUserAndItsGroups() throws Exception {
        serve(BearerTokens.NONE);

        assertThat(get(clients.get("jane"), POD, "")).isEqualTo(200);

        assertThat(user.get().name()).isEqualTo("jane");
        assertThat(user.get().groups()).containsExactlyInAnyOrder("one", "two", "system:authenticated");
        assertThat(user.get().extra().get("authentication.kubernetes.io/credential-id"))
                .singleElement()
                .asString()
                .matches("X509SHA256=[0-9a-f]{64}");
    }

    @ParameterizedTest
    @CsvSource({
        "'',/api,'',401",
        "'',/version,'',200",
        "'',/api,Bearer token,200",
        "jane,/api,'',200",
        "jane,/api,Bearer wrong,200",
        "server,/api,'',401",
        "nameless,/api,'',401",
        "foreign,/api,'',401",
        "foreign,/version,'',401",
        "sha1,/api,'',401",
        "rsa1024,/api,'',200",
        "foreign,/api,Bearer token,200",
    })
    void clients_areAcceptedByCertificateOrToken(String client, String path, String authorization, int code)
            throws Exception {
        serve(BearerTokens.of(Set.of("token")));
        assertThat(get(clients.get(client), path, authorization)).isEqualTo(code);
    }

    @Test
    void authorities_withoutTokens_closeTheServerToOthers() throws Exception {
        serve(BearerTokens.NONE);
        assertThat(get(null, POD, "")).isEqualTo(401);
        assertThat(get(null, "/healthz", "")).isEqualTo(200);
    }

    /** Other servers can authenticate the same clients. */
    @Test
    void authorities_arePublished() {
        serve(BearerTokens.NONE);
        ServerResponse response = ScriptedServer.RESOURCES.handle(ApiRequest.get(
                "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication", Map.of()));
        assertThat(JsonObject.parse(((ServerResponse.Document) response).bytes())
                        .string("data", "client-ca-file"))
                .isEqualTo(new String(authority.certificate(), StandardCharsets.US_ASCII));
    }

    @Test
    void handshake_namesTheAuthorities() throws Exception {
        serve(BearerTokens.NONE);
        List<Principal> named = new ArrayList<>();
        SSLContext context = authority.trusting(new KeyManager[] {
            new WithoutKeys() {
                @Override
                public @Nullable String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
                    named.addAll(List.of(issuers));
                    return null;
                }
            }
        });
        try (SSLSocket socket = (SSLSocket)
                context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), httpServer.port())) {
            socket.startHandshake();
        }
        assertThat(named).extracting(Principal::getName).containsExactly("CN=test");
    }

    @Test
    void files_withoutCertificates_areRefused() {
        serve(BearerTokens.NONE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientAuthorities.load(new byte[0]))
                .withMessage("the file holds no certificate");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientAuthorities.load("rubbish".getBytes(US_ASCII)))
                .withMessageStartingWith("the file cannot be read");
    }

    /** A client that has no key. */
    private abstract static class WithoutKeys implements X509KeyManager {

        @Override
        public String[] getClientAliases(String type, Principal[] issuers) {
            return new String[0];
        }

        @Override
        public String[] getServerAliases(String type, Principal[] issuers) {
            return new String[0];
        }

        @Override
        public @Nullable String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            return null;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return new X509Certificate[0];
        }

        @Override
        public @Nullable PrivateKey getPrivateKey(String alias) {
            return null;
        }
    }
}
