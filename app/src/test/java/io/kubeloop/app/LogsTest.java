/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.command.log.LogFormat;
import io.kubeloop.command.log.Logs;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.manager.command.pages.ManagerHttp;
import io.kubeloop.manager.command.pages.Profiling;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log: which messages are written, and in which form. */
@Isolated("reads standard error")
@Timeout(60)
class LogsTest {

    private static final Logger LOG = LoggerFactory.getLogger("example.shop.Till");

    @RegisterExtension
    private final CapturedErrors log = new CapturedErrors();

    @AfterEach
    void reset() {
        Logs.configure(0, Map.of(), LogFormat.TEXT);
    }

    private List<String> lines() {
        LOG.error("e");
        LOG.warn("w");
        LOG.info("i");
        LOG.debug("d");
        LOG.trace("t");
        return log.text()
                .lines()
                .filter(line -> line.contains(" Till - "))
                .map(line -> line.substring(line.length() - 1))
                .toList();
    }

    @Test
    void level0_isWarningsAndErrors() {
        Logs.configure(0, Map.of(), LogFormat.TEXT);
        assertThat(lines()).containsExactly("e", "w");
        assertThat(log.text().lines().findFirst().orElseThrow())
                .matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{3} \\[.+] \\[ERROR] Till - e");
    }

    @Test
    void level2_addsDebugMessages_andLevel3Traces() {
        Logs.level(2);
        assertThat(lines()).containsExactly("e", "w", "i", "d");
        Logs.level(3);
        assertThat(LOG.isTraceEnabled()).isTrue();
    }

    @Test
    void levelOfAPrefix_orOfTheLastPart_isThatOfTheLogger_alsoWhenTheOtherLevelChanges() {
        Logs.configure(0, Map.of("example.shop", 1, "example", 3, "example.sho", 3), LogFormat.TEXT);
        assertThat(lines()).containsExactly("e", "w", "i");
        Logs.level(3);
        assertThat(LOG.isDebugEnabled()).isFalse();
        Logs.configure(0, Map.of("Till", 2), LogFormat.TEXT);
        assertThat(LOG.isDebugEnabled()).isTrue();
        assertThat(LoggerFactory.getLogger("example.shop.Tills").isInfoEnabled())
                .isFalse();
    }

    /** The keys and the form of {@code ts} are those of kube-controller-manager 1.36.3 with the same option. */
    @Test
    void json_isAnObjectALine_withTheKeysOfTheOriginal() {
        Logs.configure(1, Map.of(), LogFormat.JSON);
        long before = Instant.now().toEpochMilli();
        LOG.info("sold {} of\n{}", 2, "\"three\"");
        LOG.error("Cannot sell", new IllegalStateException("empty"));
        long after = Instant.now().toEpochMilli();

        List<JsonObject> lines = log.text().lines().map(JsonObject::parse).toList();
        assertThat(lines).hasSize(2);
        JsonObject sold = lines.get(0);
        assertThat(sold.members().keySet()).containsExactly("ts", "caller", "logger", "msg", "v", "thread");
        assertThat(String.valueOf(sold.get("ts"))).matches("\\d{13}\\.\\d{3}");
        assertThat(Double.parseDouble(String.valueOf(sold.get("ts")))).isBetween((double) before, after + 1.0);
        assertThat(sold.string("caller")).matches("app/LogsTest\\.java:\\d+");
        assertThat(sold.string("logger")).isEqualTo("example.shop.Till");
        assertThat(sold.string("msg")).isEqualTo("sold 2 of\n\"three\"");
        assertThat(sold.number("v")).isEqualTo(1);
        JsonObject failed = lines.get(1);
        assertThat(failed.has("v")).isFalse();
        assertThat(failed.string("err")).isEqualTo("java.lang.IllegalStateException: empty");
        assertThat(failed.string("stacktrace")).contains("\tat io.kubeloop.app.LogsTest.");
    }

    /** The header is that of kube-controller-manager 1.37.2, with which filters find severity, time and place. */
    @Test
    void klog_hasTheHeaderOfTheOriginal() {
        Logs.configure(1, Map.of(), LogFormat.KLOG);
        LOG.info("sold {}", 2);
        LOG.warn("Cannot sell");
        LOG.error("Broken", new IllegalStateException("empty"));

        String header = "\\d{4} \\d\\d:\\d\\d:\\d\\d\\.\\d{6} +\\d+ LogsTest\\.java:\\d+] ";
        assertThat(log.text())
                .containsPattern("(?m)^I" + header + "sold 2$")
                .containsPattern("(?m)^W" + header + "Cannot sell$")
                .containsPattern("(?m)^E" + header + "Broken\njava.lang.IllegalStateException: empty$");
    }

    /** The codes and texts are those of kube-controller-manager 1.36.3. */
    @Test
    void pageOfTheLevel_setsIt() throws Exception {
        ManagerHttp http = ManagerHttp.bind("127.0.0.1", 0);
        Profiling.addTo(http);
        try (ManagerHttp started = http.start()) {
            URI level = URI.create("http://127.0.0.1:" + started.port() + "/debug/flags/v");
            assertThat(send("PUT", level, "2")).isEqualTo("200 successfully set klog.logging.verbosity to 2\n");
            assertThat(LOG.isDebugEnabled()).isTrue();
            assertThat(send("PUT", level, "x")).isEqualTo("400 strconv.ParseUint: parsing \"x\": invalid syntax\n");
            assertThat(send("GET", level, "")).isEqualTo("406 unsupported http method\n");
            assertThat(send("GET", level.resolve("/debug/pprof/"), "")).startsWith("200 profile");
            assertThat(send("GET", level.resolve("/debug/pprof/threads"), ""))
                    .contains("io.kubeloop.manager.command.pages.Profiling.threads");
        }
    }

    private static String send(String method, URI page, String body) throws Exception {
        HttpURLConnection connection = (HttpURLConnection) page.toURL().openConnection();
        connection.setRequestMethod(method);
        if (!body.isEmpty()) {
            connection.setDoOutput(true);
            connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
        }
        int code = connection.getResponseCode();
        try (InputStream in = code < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return code + " " + new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
