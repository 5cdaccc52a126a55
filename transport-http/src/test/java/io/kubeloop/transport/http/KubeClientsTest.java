/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import example.ListPods;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.transport.http.kubeconfig.InClusterConfig;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client from the default configuration, in each of its three places. */
class KubeClientsTest {

    private static final String PODS = """
            {"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},
             "items":[{"metadata":{"name":"a","namespace":"default"}}]}
            """;

    private final MockWebServer server = new MockWebServer();

    @TempDir
    Path directory;

    @BeforeEach
    void start() throws IOException {
        server.start();
        server.enqueue(new MockResponse.Builder()
                .setHeader("Content-Type", "application/json")
                .body(PODS)
                .build());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private InClusterConfig pod(Map<String, String> environment) {
        return new InClusterConfig(environment, directory.resolve("serviceaccount"));
    }

    private String kubeconfig(String context) {
        return """
                {"current-context": "%s", "contexts": [{"name": "x", "context": {"cluster": "c"}}],
                 "clusters": [{"name": "c", "cluster": {"server": "http://127.0.0.1:%d"}}]}
                """.formatted(context, server.getPort());
    }

    private static void assertListsThePod(KubeClient client) {
        assertThat(client.resource(ResourceTypes.PODS)
                        .list("default", ListOptions.NONE)
                        .items())
                .extracting(pod -> pod.metadata().name())
                .containsExactly("a");
    }

    @Test
    void fromDefaultConfig_variableNamesAFile_usesIt() throws IOException {
        Path file = Files.writeString(directory.resolve("named"), kubeconfig("x"));
        Path home = Files.createDirectories(directory.resolve(".kube"));
        Files.writeString(home.resolve("config"), kubeconfig("none"));
        Map<String, String> environment = Map.of("KUBECONFIG", file.toString(), "HOME", directory.toString());

        try (KubeClient client = KubeClients.fromDefaultConfig(environment, pod(environment))) {
            assertListsThePod(client);
        }
    }

    @Test
    void fromDefaultConfig_noVariable_usesTheFileOfTheHomeDirectory() throws IOException {
        Path home = Files.createDirectories(directory.resolve(".kube"));
        Files.writeString(home.resolve("config"), kubeconfig("x"));
        Map<String, String> environment = Map.of("HOME", directory.toString());

        try (KubeClient client = KubeClients.fromDefaultConfig(environment, pod(environment))) {
            assertListsThePod(client);
        }
    }

    @Test
    void fromDefaultConfig_noFileInAPod_usesTheServiceAccount() throws Exception {
        HeldCertificate certificate = LoopbackTls.certificate();
        server.useHttps(LoopbackTls.serving(certificate));
        Path account = Files.createDirectories(directory.resolve("serviceaccount"));
        Files.writeString(account.resolve("token"), "secret");
        Files.writeString(account.resolve("ca.crt"), certificate.certificatePem());
        Map<String, String> environment = Map.of(
                "HOME", directory.toString(),
                "KUBERNETES_SERVICE_HOST", "127.0.0.1",
                "KUBERNETES_SERVICE_PORT", String.valueOf(server.getPort()));

        try (KubeClient client = KubeClients.fromDefaultConfig(environment, pod(environment))) {
            assertListsThePod(client);
        }
        assertThat(server.takeRequest().getHeaders().get("Authorization")).isEqualTo("Bearer secret");
    }

    @Test
    void fromDefaultConfig_nothingConfigured_isAKubeconfigException() {
        Map<String, String> environment = Map.of("HOME", directory.toString());

        assertThatExceptionOfType(KubeconfigException.class)
                .isThrownBy(() -> KubeClients.fromDefaultConfig(environment, pod(environment)))
                .matches(KubeconfigException::isEmpty)
                .withMessageContaining("no API server is configured");
    }

    @Test
    void example_ofTheGuide_listsThePodsOfTheVariablesCluster() throws Exception {
        Path file = Files.writeString(directory.resolve("named"), kubeconfig("x"));
        ProcessBuilder program = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path") + File.pathSeparator + System.getProperty("jdk.module.path", ""),
                ListPods.class.getName());
        program.environment().put("KUBECONFIG", file.toString());
        program.redirectError(ProcessBuilder.Redirect.INHERIT);
        Process process = program.start();
        try {
            assertThat(process.getInputStream()).hasContent("a");
            assertThat(process.waitFor()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void close_closesTheTransport() {
        KubeClient client = KubeClients.of(ClientConfig.of("http://127.0.0.1:" + server.getPort()));
        assertListsThePod(client);

        client.close();

        assertThatExceptionOfType(TransportException.class)
                .isThrownBy(() -> assertListsThePod(client))
                .matches(e -> e.kind() == TransportException.Kind.CLOSED);
    }
}
