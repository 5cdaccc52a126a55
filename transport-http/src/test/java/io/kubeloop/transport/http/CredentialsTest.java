/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.TransportException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.junit5.StartStop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens, token files, basic authentication, and rejected credentials (users #21). */
class CredentialsTest {

    @StartStop
    final MockWebServer server = new MockWebServer();

    @TempDir
    Path directory;

    private final AtomicLong clock = new AtomicLong();

    private OkHttpTransport transport(AuthConfig auth) {
        return OkHttpTransport.builder(ClientConfigBuilder.builder()
                        .server(server.url("/").toString())
                        .auth(auth)
                        .build())
                .scheduler(new InstantScheduler(clock))
                .build();
    }

    private void answers(int... codes) {
        for (int code : codes) {
            server.enqueue(new MockResponse.Builder().code(code).body("{}").build());
        }
    }

    private static int call(OkHttpTransport transport) throws Exception {
        try (ApiResponse response = transport.execute(
                ApiRequest.of("POST", "/api/v1/pods", Map.of(), ApiRequest.Body.json("{}".getBytes(UTF_8))))) {
            response.body().readAllBytes();
            return response.code();
        }
    }

    private String sent() throws InterruptedException {
        return server.takeRequest().getHeaders().get("Authorization");
    }

    @Test
    void token_fixed_isSentAndNotRetriedAfterA401() throws Exception {
        // AU-01
        answers(200, 401);
        try (OkHttpTransport transport = transport(AuthConfig.bearer("abc\n"))) {
            assertThat(call(transport)).isEqualTo(200);
            assertThat(call(transport)).isEqualTo(401);
        }
        assertThat(sent()).isEqualTo("Bearer abc");
        assertThat(server.getRequestCount()).isEqualTo(2);
    }

    @Test
    void basic_isSentInUtf8() throws Exception {
        // AU-01
        answers(200);
        try (OkHttpTransport transport = transport(
                AuthConfigBuilder.builder().username("jürgen").password("p:w").build())) {
            call(transport);
        }
        assertThat(sent()).isEqualTo("Basic asO8cmdlbjpwOnc=");
    }

    @Test
    void tokenFile_isReadAgainAfterFiftySeconds() throws Exception {
        // TP-07
        Path file = Files.writeString(directory.resolve("token"), "one\n");
        answers(200, 200, 200);
        try (OkHttpTransport transport =
                transport(AuthConfigBuilder.builder().tokenFile(file.toString()).build())) {
            call(transport);
            Files.writeString(file, "two\n");
            clock.addAndGet(Duration.ofSeconds(49).toNanos());
            call(transport);
            clock.addAndGet(Duration.ofSeconds(2).toNanos());
            call(transport);
        }
        assertThat(List.of(sent(), sent(), sent())).containsExactly("Bearer one", "Bearer one", "Bearer two");
    }

    @Test
    void tokenFile_after401_isReadAgainAtOnceAndTheRequestRepeatedOnce() throws Exception {
        // TP-08
        Path file = Files.writeString(directory.resolve("token"), "one");
        answers(200, 401, 200, 401);
        try (OkHttpTransport transport =
                transport(AuthConfigBuilder.builder().tokenFile(file.toString()).build())) {
            assertThat(call(transport)).isEqualTo(200);
            Files.writeString(file, "two");
            assertThat(call(transport)).isEqualTo(200);
            assertThat(call(transport)).isEqualTo(401);
        }
        assertThat(List.of(sent(), sent(), sent(), sent()))
                .containsExactly("Bearer one", "Bearer one", "Bearer two", "Bearer two");
        assertThat(server.getRequestCount()).isEqualTo(4);
    }

    @Test
    void tokenFile_gone_keepsTheLastGoodToken() throws Exception {
        // TP-07
        Path file = Files.writeString(directory.resolve("token"), "one");
        answers(200, 200, 200, 401);
        try (OkHttpTransport transport =
                transport(AuthConfigBuilder.builder().tokenFile(file.toString()).build())) {
            call(transport);
            Files.delete(file);
            clock.addAndGet(Duration.ofSeconds(60).toNanos());
            call(transport);
            Files.writeString(file, "");
            clock.addAndGet(Duration.ofSeconds(60).toNanos());
            call(transport);
            assertThat(call(transport)).isEqualTo(401);
        }
        assertThat(List.of(sent(), sent(), sent(), sent())).containsOnly("Bearer one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"two\nlines", "\0\0\0\0", "half\0\0"})
    void tokenFile_damaged_keepsTheLastGoodTokenUntilItIsMended(String content) throws Exception {
        // For example after a crash of the machine, or with a full disk.
        Path file = Files.writeString(directory.resolve("token"), "one");
        answers(200, 200, 401, 200);
        try (OkHttpTransport transport =
                transport(AuthConfigBuilder.builder().tokenFile(file.toString()).build())) {
            call(transport);
            Files.writeString(file, content);
            clock.addAndGet(Duration.ofSeconds(60).toNanos());
            assertThat(call(transport)).isEqualTo(200);
            Files.writeString(file, "two");
            assertThat(call(transport)).isEqualTo(200);
        }
        assertThat(List.of(sent(), sent(), sent(), sent()))
                .containsExactly("Bearer one", "Bearer one", "Bearer one", "Bearer two");
    }

    @Test
    void tokenFile_neverThere_isAClearError() {
        try (OkHttpTransport transport =
                transport(AuthConfigBuilder.builder().tokenFile("/no/token").build())) {
            assertThatThrownBy(() -> call(transport))
                    .isInstanceOf(TransportException.class)
                    .hasMessage("cannot read token file /no/token: no such file");
        }
    }

    @Test
    void tokenFile_withTokenBeside_fallsBackToItUntilTheFileIsThere() throws Exception {
        // CC-24
        Path file = directory.resolve("token");
        answers(200, 200);
        try (OkHttpTransport transport = transport(AuthConfigBuilder.builder()
                .token("inline")
                .tokenFile(file.toString())
                .build())) {
            call(transport);
            Files.writeString(file, "from-file");
            clock.addAndGet(Duration.ofSeconds(60).toNanos());
            call(transport);
        }
        assertThat(List.of(sent(), sent())).containsExactly("Bearer inline", "Bearer from-file");
    }

    @ParameterizedTest
    @CsvSource({
        "oidc, kubectl-oidc_login",
        "gcp, gke-gcloud-auth-plugin",
        "azure, kubelogin",
        "x, client.authentication.k8s.io/v1"
    })
    void authProvider_anyOf_isRefusedNamingItsReplacement(String name, String replacement) {
        // AU-01
        assertThatThrownBy(() -> transport(AuthConfigBuilder.builder()
                        .authProvider(new AuthProvider(name, Map.of("client-secret", "secret")))
                        .build()))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("auth-provider \"" + name + "\" is not supported")
                .hasMessageContaining(replacement)
                .hasMessageNotContaining("secret");
    }

    @Test
    void tokenAndPassword_together_areRefused() {
        // TP-04
        assertThatThrownBy(() -> transport(
                        AuthConfigBuilder.builder().token("t").username("u").build()))
                .hasMessageContaining("exclude each other");
    }

    @Test
    void execPlugin_besideATokenOrACertificate_isNotRun() throws Exception {
        // AU-12
        ExecConfig exec = new ExecConfig(
                "client.authentication.k8s.io/v1", "/no/such/plugin", List.of(), List.of(), "", false, "Never");
        answers(200);
        try (OkHttpTransport transport =
                transport(AuthConfigBuilder.builder().token("t").exec(exec).build())) {
            assertThat(call(transport)).isEqualTo(200);
        }
        assertThat(sent()).isEqualTo("Bearer t");
    }

    @Test
    void impersonation_withoutUser_isRefused() {
        // CC-26
        assertThatThrownBy(() -> transport(AuthConfigBuilder.builder()
                        .impersonation(new Impersonation("", "", List.of("g"), Map.of()))
                        .build()))
                .hasMessageContaining("needs a user");
    }
}
