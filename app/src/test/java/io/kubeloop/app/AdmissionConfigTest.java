/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file of {@code --admission-control-config-file}. */
@Timeout(120)
class AdmissionConfigTest {

    private static final String POD_SECURITY = """
            apiVersion: pod-security.admission.config.k8s.io/v1
            kind: PodSecurityConfiguration
            defaults: {enforce: baseline, enforce-version: latest}
            exemptions: {namespaces: [kube-system]}
            """;

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();

    private CompletableFuture<Integer> start(ShutdownSignal signal, Path file) {
        PrintWriter printed = new PrintWriter(out, true);
        return CompletableFuture.supplyAsync(() ->
                Main.run(signal, printed, printed, "apiserver", "--port=0", "--admission-control-config-file=" + file));
    }

    private Path write(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    private static JsonObject createPod(String server, String namespace) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(server + "/api/v1/namespaces/" + namespace + "/pods")
                        .toURL()
                        .openConnection();
        connection.setRequestMethod("POST");
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setDoOutput(true);
        connection.getOutputStream().write("""
                {"metadata":{"name":"p"},"spec":{"hostNetwork":true,"containers":[{"name":"a","image":"b"}]}\
                }""".getBytes(UTF_8));
        try (var in = connection.getResponseCode() < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return JsonObject.parse(in.readAllBytes());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"inline", "path"})
    void defaultsAndExemptions_areThoseOfTheFile(String form) throws Exception {
        write("security.yaml", POD_SECURITY);
        String plugin = form.equals("path") ? "  path: security.yaml\n" : "  configuration:\n" + POD_SECURITY.indent(4);
        Path file = write("admission.yaml", """
                apiVersion: apiserver.config.k8s.io/v1
                kind: AdmissionConfiguration
                plugins:
                - name: PodSecurity
                """ + plugin);
        ShutdownSignal signal = ShutdownSignal.inert();
        CompletableFuture<Integer> code = start(signal, file);
        try {
            await().atMost(60, TimeUnit.SECONDS).until(() -> out.toString().contains("listening on "));
            String server = out.toString().lines().findFirst().orElseThrow().substring("listening on ".length());

            assertThat(createPod(server, "default").string("message"))
                    .isEqualTo("pods \"p\" is forbidden: violates PodSecurity \"baseline:latest\": host namespaces"
                            + " (hostNetwork=true)");
            assertThat(createPod(server, "kube-system").string("kind")).isEqualTo("Pod");
        } finally {
            signal.ask();
            assertThat(code).succeedsWithin(30, TimeUnit.SECONDS).isEqualTo(0);
        }
    }

    @Test
    void fileThatIsMissing_orNamesAnUnknownPlugin_isWrongUsage() throws Exception {
        assertThat(start(ShutdownSignal.inert(), folder.resolve("none.yaml")).get(60, TimeUnit.SECONDS))
                .isEqualTo(2);
        Path file =
                write("unknown.yaml", "{plugins: [{name: EventRateLimit, configuration: {}}], kind: A, apiVersion: a}");
        assertThat(start(ShutdownSignal.inert(), file).get(60, TimeUnit.SECONDS))
                .isEqualTo(2);
        assertThat(out.toString()).contains("--admission-control-config-file: ", "EventRateLimit");
    }
}
