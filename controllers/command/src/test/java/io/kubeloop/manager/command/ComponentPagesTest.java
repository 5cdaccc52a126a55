/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.manager.ControllerTable;
import io.kubeloop.manager.command.pages.HealthPage.Check;
import io.kubeloop.manager.command.pages.HealthSlis;
import io.kubeloop.manager.command.pages.ManagerHttp;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The pages {@code /flagz}, {@code /statusz} and {@code /metrics/slis}, as kube-controller-manager 1.37.2 has them. */
class ComponentPagesTest {

    private final ComponentStatus status =
            new ComponentStatus(ManagerSettings.of(ControllerManagerCommand.OPTIONS.parse(), ControllerTable.BUILT_IN)
                    .values());
    private final ManagerHttp http = ManagerHttp.bind("127.0.0.1", 0)
            .route("/statusz", status.status())
            .route("/flagz", status.flags())
            .start();

    @AfterEach
    void close() {
        http.close();
    }

    private record Answer(int code, String type, String warning, String body) {}

    private Answer get(String path, String accept) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + http.port() + path).toURL().openConnection();
        connection.setRequestProperty("Accept", accept);
        int code = connection.getResponseCode();
        try (InputStream body = code < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return new Answer(
                    code,
                    connection.getContentType(),
                    String.valueOf(connection.getHeaderField("Warning")),
                    new String(body.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void flagz_isTheOriginals_exceptForOwnFlags() throws IOException {
        List<String> theirs;
        try (InputStream in = getClass().getResourceAsStream("kube-controller-manager-flagz.txt")) {
            theirs = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.endsWith("(of the command that recorded it)"))
                    .toList();
        }
        List<String> ours = get("/flagz", "*/*").body().lines().toList();

        assertThat(theirs).hasSizeGreaterThan(140);
        assertThat(ours).containsAll(theirs);
        assertThat(ours)
                .filteredOn(line -> !theirs.contains(line))
                .extracting(line -> line.split(":", 2)[0])
                .containsExactly(
                        "authorization-always-allow-paths",
                        "bind-address",
                        "cert-dir",
                        "http-bind-address",
                        "http-port",
                        "kubeconfig",
                        "live-page",
                        "secure-port",
                        "tls-cert-file",
                        "tls-private-key-file");
    }

    @Test
    void statusz_isTextOrTheKindThatTheClientNames() throws IOException {
        Answer text = get("/statusz", "text/plain");
        assertThat(text.type()).isEqualTo("text/plain; charset=utf-8");
        assertThat(text.body())
                .startsWith("\nkube-controller-manager statusz\nWarning: This endpoint is not meant")
                .containsPattern(
                        "\n\nStarted: \\w{3} \\w{3} \\d+ \\d\\d:\\d\\d:\\d\\d UTC \\d{4}\nUp: 0 hr 0\\d min \\d\\d "
                                + "sec\n")
                .endsWith("\nBinary version: 1.37.2\nEmulation version: 1.37\nPaths: /configz /flagz /healthz "
                        + "/metrics\n");

        Answer object = get("/statusz", "application/json;as=Statusz;v=v1beta1;g=config.k8s.io");
        assertThat(object.type()).isEqualTo("application/json;g=config.k8s.io;v=v1beta1;as=Statusz");
        assertThat(JsonObject.parse(object.body()).members().keySet())
                .isEqualTo(Set.of(
                        "kind",
                        "apiVersion",
                        "metadata",
                        "startTime",
                        "uptimeSeconds",
                        "goVersion",
                        "binaryVersion",
                        "emulationVersion",
                        "paths"));
        assertThat(object.warning()).isEqualTo("null");
        assertThat(get("/statusz", "application/json;as=Statusz;v=v1alpha1;g=config.k8s.io")
                        .warning())
                .startsWith("299 - \"This version of the statusz endpoint is deprecated.");
        assertThat(get("/statusz", "text/html").code()).isEqualTo(406);
        assertThat(get("/flagz", "application/json").code()).isEqualTo(406);
    }

    @Test
    void slis_countTheResultsOfEachCheck() {
        HealthSlis slis = new HealthSlis("healthz");
        assertThat(slis.text()).isEmpty();
        Check good = slis.counting(Check.ping("job-controller"));
        Check bad = slis.counting(new Check("leaderElection", () -> "no lease"));

        assertThat(List.of(
                        good.problem().get(),
                        good.problem().get(),
                        bad.problem().get()))
                .containsExactly("", "", "no lease");

        assertThat(new String(slis.text(), StandardCharsets.UTF_8).lines().filter(line -> !line.startsWith("# HELP")))
                .containsExactly(
                        "# TYPE kubernetes_healthcheck gauge",
                        "kubernetes_healthcheck{name=\"job-controller\",type=\"healthz\"} 1",
                        "kubernetes_healthcheck{name=\"leaderElection\",type=\"healthz\"} 0",
                        "# TYPE kubernetes_healthchecks_total counter",
                        "kubernetes_healthchecks_total{name=\"job-controller\",status=\"success\",type=\"healthz\"} 2",
                        "kubernetes_healthchecks_total{name=\"leaderElection\",status=\"error\",type=\"healthz\"} 1");
    }
}
