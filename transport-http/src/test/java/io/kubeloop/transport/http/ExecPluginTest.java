/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.http.call.HttpClients;
import io.kubeloop.transport.http.call.OpenCalls;
import io.kubeloop.transport.http.credentials.ExecPlugin;
import io.kubeloop.transport.http.route.ProxySetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * AU-10, AU-11, AU-14, AU-15, with shell scripts as plugins; long because a plugin can fail, hang and be interrupted in
 * many ways.
 */
@DisabledOnOs(OS.WINDOWS)
class ExecPluginTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String V1 = "client.authentication.k8s.io/v1";

    @TempDir
    Path directory;

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final List<String> shown = new ArrayList<>();

    private Path script(String body) throws IOException {
        Path file = directory.resolve("plugin-" + body.hashCode() + ".sh");
        Files.writeString(file, "cd " + directory + "\necho run >>runs\n" + body + "\n");
        return file;
    }

    private int runs() throws IOException {
        Path runs = directory.resolve("runs");
        return Files.exists(runs) ? Files.readAllLines(runs).size() : 0;
    }

    private ExecPlugin plugin(String version, String body, boolean clusterInfo) throws IOException {
        return plugin(version, body, clusterInfo, clock);
    }

    private ExecPlugin plugin(String version, String body, boolean clusterInfo, Clock time) throws IOException {
        ExecConfig exec = new ExecConfig(
                version,
                "/bin/sh",
                List.of(script(body).toString(), "argument"),
                List.of(new ExecConfig.EnvVar("REGION", "eu")),
                "get it from example.com",
                clusterInfo,
                "Never");
        ClientConfig config = ClientConfigBuilder.builder()
                .server("https://h:6443")
                .tls(TlsConfigBuilder.builder().caData("CA").serverName("n").build())
                .build();
        return new ExecPlugin(exec, config, (certificate, key) -> shown.add(certificate), LIMIT, time);
    }

    private static String answer(String version, String status) {
        return "cat <<'E'\n{\"apiVersion\":\"" + version + "\",\"kind\":\"ExecCredential\",\"status\":" + status
                + "}\nE";
    }

    @ParameterizedTest
    @ValueSource(strings = {"client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"})
    void authorization_token_isKeptUntilA401(String version) throws IOException {
        // AU-10, AU-11
        ExecPlugin plugin = plugin(
                version,
                "printf '%s' \"$(wc -l <runs)\" >n\n" + "cat <<E\n" + "{\"apiVersion\":\"" + version
                        + "\",\"kind\":\"ExecCredential\",\"status\":{\"token\":\"t$(cat n | tr -d ' ')\"}}\nE",
                false);

        assertThat(plugin.authorization()).isEqualTo("Bearer t1");
        clock.advance(Duration.ofDays(1000));
        assertThat(plugin.authorization()).isEqualTo("Bearer t1");
        assertThat(plugin.renew("Bearer t1", () -> false)).isTrue();
        assertThat(plugin.authorization()).isEqualTo("Bearer t2");
        // A 401 of another request, for the token that was replaced already, starts no run.
        assertThat(plugin.renew("Bearer t1", () -> false)).isTrue();
        assertThat(runs()).isEqualTo(2);
    }

    @Test
    void authorization_expired_runsAgain() throws IOException {
        // AU-11
        ExecPlugin plugin =
                plugin(V1, answer(V1, "{\"token\":\"t\",\"expirationTimestamp\":\"2026-01-01T01:00:00Z\"}"), false);

        plugin.authorization();
        clock.advance(Duration.ofMinutes(59));
        plugin.authorization();
        assertThat(runs()).isEqualTo(1);
        clock.advance(Duration.ofMinutes(1));
        plugin.authorization();
        assertThat(runs()).isEqualTo(2);
    }

    @Test
    void renew_sameCredentialAgain_isNotWorthARetry() throws IOException {
        ExecPlugin plugin = plugin(V1, answer(V1, "{\"token\":\"t\"}"), false);

        assertThat(plugin.renew(plugin.authorization(), () -> false)).isFalse();
        assertThat(runs()).isEqualTo(2);
    }

    @Test
    void authorization_fromManyThreads_runsOnce() throws Exception {
        // AU-11
        ExecPlugin plugin = plugin(V1, answer(V1, "{\"token\":\"t\"}"), false);

        Set<String> seen = java.util.stream.IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.supplyAsync(plugin::authorization, task -> new Thread(task).start()))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .collect(Collectors.toSet());

        assertThat(seen).containsExactly("Bearer t");
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void run_environmentAndArguments_areHandedOver() throws IOException {
        ExecPlugin plugin = plugin(
                V1,
                "printf '%s' \"$KUBERNETES_EXEC_INFO\" >info\nprintf '%s' \"$1 $REGION $HOME\" >rest\n"
                        + "read nothing || echo closed >stdin\n" + answer(V1, "{\"token\":\"t\"}"),
                true);

        plugin.authorization();

        JsonObject info = JsonObject.parse(Files.readString(directory.resolve("info")));
        assertThat(info)
                .isEqualTo(JsonObject.parse("{\"apiVersion\":\"" + V1 + "\",\"kind\":\"ExecCredential\",\"spec\":{"
                        + "\"interactive\":false,\"cluster\":{\"server\":\"https://h:6443\","
                        + "\"certificate-authority-data\":\"Q0E=\",\"tls-server-name\":\"n\"}}}"));
        assertThat(directory.resolve("rest")).hasContent("argument eu " + System.getenv("HOME"));
        assertThat(directory.resolve("stdin")).hasContent("closed");
    }

    @Test
    void authorization_certificate_isHandedOn() throws IOException {
        // AU-13
        HeldCertificate first = new HeldCertificate.Builder().build();
        HeldCertificate second = new HeldCertificate.Builder().build();
        Files.writeString(directory.resolve("1"), credential(first));
        Files.writeString(directory.resolve("2"), credential(second));
        ExecPlugin plugin = plugin(V1, "cat $(wc -l <runs | tr -d ' ')", false);

        assertThat(plugin.authorization()).isNull();
        assertThat(shown).containsExactly(first.certificatePem());
        assertThat(plugin.renew(null, () -> false)).isTrue();
        assertThat(shown).containsExactly(first.certificatePem(), second.certificatePem());
        // A 401 of another request, for the certificate that was replaced already, starts no run.
        assertThat(plugin.renew(null, () -> true)).isTrue();
        assertThat(runs()).isEqualTo(2);
    }

    private static String credential(HeldCertificate certificate) {
        return JsonObject.builder()
                .put("apiVersion", V1)
                .put("kind", "ExecCredential")
                .put(
                        "status",
                        JsonObject.builder()
                                .put("clientCertificateData", certificate.certificatePem())
                                .put("clientKeyData", certificate.privateKeyPkcs8Pem())
                                .build())
                .build()
                .toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exit 3 | ended with code 3",
                "echo secret | its output is not a JSON object",
                "echo '{\"kind\":\"Status\",\"apiVersion\":\"v1\"}' | answered with a v1 Status, expected",
                "echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\"}' | neither a "
                        + "token",
                "echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\","
                        + "\"status\":{\"clientKeyData\":\"secret\"}}' | only one of",
                "echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\","
                        + "\"status\":{\"token\":\"secret\",\"expirationTimestamp\":\"soon\"}}' | not RFC 3339: soon",
            })
    void authorization_pluginThatFails_saysWhyAndIsTriedAgain(String body, String message) throws IOException {
        ExecPlugin plugin = plugin(V1, body, false);

        for (int i = 1; i <= 2; i++) {
            assertThatThrownBy(plugin::authorization)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("exec plugin /bin/sh: ")
                    .hasMessageContaining(message)
                    .hasMessageNotContaining("secret");
            assertThat(runs()).isEqualTo(i);
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void authorization_pluginThatHangs_isKilledAfterItsTime() throws Exception {
        ExecPlugin plugin = new ExecPlugin(
                new ExecConfig(
                        V1,
                        "/bin/sh",
                        List.of(script("echo $$ >pid\necho 'open https://login.example' >&2\nsleep 1000\n")
                                .toString()),
                        List.of(),
                        "",
                        false,
                        "Never"),
                ClientConfig.of("https://h"),
                (certificate, key) -> {},
                Duration.ofSeconds(5),
                clock);

        assertThatThrownBy(plugin::authorization)
                .isInstanceOf(TransportException.class)
                .hasMessage("exec plugin /bin/sh: did not end within 5 s and was killed;"
                        + " standard error: open https://login.example");
        long pid = Long.parseLong(Files.readString(directory.resolve("pid")).strip());
        await().until(() -> hasEnded(pid));
    }

    private static boolean hasEnded(long pid) {
        return ProcessHandle.of(pid).map(process -> !process.isAlive()).orElse(true) || isZombie(pid);
    }

    /**
     * Returns whether a process has ended, even if its parent has not collected it; the first process of a container
     * may never do so.
     */
    private static boolean isZombie(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
        } catch (IOException goneOrNoLinux) {
            return false;
        }
    }

    @Test
    void authorization_withoutALimit_waitsForItsEnd() throws Exception {
        Path file = script(answer(V1, "{\"token\":\"t\"}"));
        ExecConfig exec = new ExecConfig(V1, "/bin/sh", List.of(file.toString()), List.of(), "", false, "Never");
        ExecPlugin plugin = new ExecPlugin(
                exec,
                ClientConfig.of("https://h"),
                (certificate, key) -> {},
                Duration.ofSeconds(Long.MAX_VALUE),
                clock);

        assertThat(plugin.authorization()).isEqualTo("Bearer t");
    }

    @Test
    void authorization_pluginThatLeavesAProgramBehind_isNotWaitedForNorIsAThreadLeftToIt() throws Exception {
        // I12: the program that remains holds the pipes.
        ExecPlugin plugin = plugin(V1, "sleep 1000 &\necho $! >child\n" + answer(V1, "{\"token\":\"t\"}"), false);
        CompletableFuture<String> answer = new CompletableFuture<>();
        ThreadGroup group = new ThreadGroup("caller");
        Thread caller = new Thread(group, () -> answer.complete(plugin.authorization()));
        caller.start();

        assertThat(answer.get(10, TimeUnit.SECONDS)).isEqualTo("Bearer t");

        caller.join();
        ProcessHandle child = ProcessHandle.of(Long.parseLong(
                        Files.readString(directory.resolve("child")).strip()))
                .orElseThrow();
        assertThat(child.isAlive()).isTrue();
        // Threads started by the caller would be in its group.
        assertThat(group.activeCount()).isZero();
        child.destroyForcibly();
    }

    @Test
    void authorization_pluginThatWritesMoreThanAPipeHolds_isReadToItsEnd() throws Exception {
        ExecPlugin plugin =
                plugin(V1, "head -c 300000 /dev/zero | tr '\\0' ' '\n" + answer(V1, "{\"token\":\"t\"}"), false);

        assertThat(plugin.authorization()).isEqualTo("Bearer t");
    }

    @Test
    void authorization_interrupted_killsThePluginAndIsNobodyElsesFailure() throws Exception {
        ExecPlugin plugin = plugin(
                V1,
                "if [ $(wc -l <runs) = 1 ]; then echo $$ >pid; sleep 1000; fi\n" + answer(V1, "{\"token\":\"t\"}"),
                false);
        CompletableFuture<Throwable> first = new CompletableFuture<>();
        Thread runner = new Thread(() -> {
            try {
                plugin.authorization();
            } catch (TransportException e) {
                first.complete(e);
            }
        });
        runner.start();
        await().until(() -> Files.exists(directory.resolve("pid")));
        CompletableFuture<String> second =
                CompletableFuture.supplyAsync(plugin::authorization, task -> new Thread(task).start());

        runner.interrupt();

        assertThat(first.get(10, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.CLOSED));
        assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo("Bearer t");
    }

    @Test
    void authorization_interruptedWhileTwoWait_isFollowedByOneRunAlone() throws Exception {
        // E1: the second caller learns that its run was interrupted only after the first caller has started another
        //     run.
        Waiter first = new Waiter();
        Waiter second = new Waiter();
        ExecPlugin plugin = plugin(
                V1,
                "case $(wc -l <runs | tr -d ' ') in 1) ;; 2) sleep 1000 ;;"
                        + " *) while [ ! -e go ]; do sleep 0.1; done ;; esac\n"
                        + answer(V1, "{\"token\":\"t\",\"expirationTimestamp\":\"2026-01-01T01:00:00Z\"}"),
                false,
                new WaitersClock());
        plugin.authorization();
        clock.advance(Duration.ofHours(1));
        first.start(plugin);
        second.start(plugin);
        assertThat(first.asksTheTime.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(second.asksTheTime.await(20, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Throwable> interrupted = new CompletableFuture<>();
        Thread runner = new Thread(() -> interrupted.complete(catchThrowable(plugin::authorization)));
        runner.start();
        await().until(() -> runs() == 2);
        first.mayHearTheTime.countDown();
        second.mayHearTheTime.countDown();
        await().until(() -> first.getState() == Thread.State.WAITING && second.getState() == Thread.State.WAITING);
        first.mayGoOn.countDown();

        runner.interrupt();
        assertThat(interrupted.get(20, TimeUnit.SECONDS)).isInstanceOf(TransportException.class);
        await().until(() -> runs() == 3);
        assertThat(second.hearsOfTheInterrupt.await(20, TimeUnit.SECONDS)).isTrue();
        second.mayGoOn.countDown();

        await().until(() -> second.getState() == Thread.State.WAITING || runs() > 3);
        assertThat(runs()).isEqualTo(3);
        Files.createFile(directory.resolve("go"));
        assertThat(first.answer.get(20, TimeUnit.SECONDS)).isEqualTo("Bearer t");
        assertThat(second.answer.get(20, TimeUnit.SECONDS)).isEqualTo("Bearer t");
    }

    /**
     * A caller that the test can hold at two points: when it reads the clock, and when it finds that its run was
     * interrupted.
     */
    private static final class Waiter extends Thread {

        final CountDownLatch asksTheTime = new CountDownLatch(1);
        final CountDownLatch mayHearTheTime = new CountDownLatch(1);
        final CountDownLatch hearsOfTheInterrupt = new CountDownLatch(1);
        final CountDownLatch mayGoOn = new CountDownLatch(1);
        final CompletableFuture<String> answer = new CompletableFuture<>();

        private volatile ExecPlugin plugin;

        void start(ExecPlugin of) {
            plugin = of;
            start();
        }

        @Override
        public void run() {
            try {
                answer.complete(plugin.authorization());
            } catch (TransportException e) {
                answer.completeExceptionally(e);
            }
        }

        void askTheTime() {
            asksTheTime.countDown();
            hold(mayHearTheTime);
        }

        @Override
        public boolean isInterrupted() {
            hearsOfTheInterrupt.countDown();
            hold(mayGoOn);
            return super.isInterrupted();
        }

        /** A timed wait, so the state of the thread differs from the wait for a run. */
        private static void hold(CountDownLatch until) {
            try {
                if (!until.await(20, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("held for too long");
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** The clock of the test; a waiting caller that reads it may have to wait. */
    private final class WaitersClock extends Clock {

        @Override
        public Instant instant() {
            if (Thread.currentThread() instanceof Waiter waiter) {
                waiter.askTheTime();
            }
            return clock.instant();
        }

        @Override
        public ZoneId getZone() {
            return clock.getZone();
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return clock.withZone(zone);
        }
    }

    @Test
    void transportClose_whileAPluginRuns_endsItsCallAndEverythingThatRuns() throws Exception {
        // I12
        ExecConfig exec = new ExecConfig(
                V1,
                "/bin/sh",
                List.of(script("sleep 1000 & echo $! >child; echo $$ >pid.new; mv pid.new pid; wait")
                        .toString()),
                List.of(),
                "",
                false,
                "Never");
        OkHttpTransport transport = OkHttpTransport.create(ClientConfigBuilder.builder()
                .server("http://127.0.0.1:1")
                .auth(AuthConfigBuilder.builder().exec(exec).build())
                .build());
        List<CompletableFuture<Object>> calls = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            calls.add(CompletableFuture.supplyAsync(
                    () -> transport.execute(ApiRequest.get("/api", Map.of())), task -> new Thread(task).start()));
        }
        await().until(() -> Files.exists(directory.resolve("pid")));

        transport.close();

        for (CompletableFuture<Object> call : calls) {
            assertThatThrownBy(() -> call.get(10, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(
                            TransportException.class,
                            e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.CLOSED));
        }
        assertThat(runs()).isEqualTo(1);
        for (String name : List.of("pid", "child")) {
            long pid = Long.parseLong(Files.readString(directory.resolve(name)).strip());
            await().until(() -> hasEnded(pid));
        }
    }

    @Test
    void authorization_afterClose_runsNothing() throws Exception {
        ExecPlugin plugin = plugin(V1, answer(V1, "{\"token\":\"t\"}"), false);

        plugin.close();

        assertThatThrownBy(plugin::authorization)
                .isInstanceOf(TransportException.class)
                .hasMessage("exec plugin /bin/sh: the transport was closed");
        assertThat(runs()).isZero();
    }

    @Test
    void authorization_pluginThatFails_quotesWhatItSays() throws Exception {
        ExecPlugin plugin = plugin(V1, "echo 'token of \"me\" has \033[31mexpired' >&2\nexit 1", false);

        assertThatThrownBy(plugin::authorization)
                .hasMessageContaining("ended with code 1; standard error: token of \"me\" has ")
                .hasMessageEndingWith("expired");
    }

    @Test
    void authorization_certificateThatMakesNoSense_isAnErrorOfThePlugin() throws Exception {
        ExecPlugin plugin = new ExecPlugin(
                new ExecConfig(
                        V1,
                        "/bin/sh",
                        List.of(script(answer(V1, "{\"clientCertificateData\":\"x\",\"clientKeyData\":\"secret\"}"))
                                .toString()),
                        List.of(),
                        "",
                        false,
                        "Never"),
                ClientConfig.of("https://h"),
                new HttpClients(
                        ClientConfig.of("https://h"),
                        new okhttp3.OkHttpClient(),
                        null,
                        new ProxySetup(null, true),
                        new OpenCalls(),
                        System::nanoTime)::show,
                LIMIT,
                clock);

        assertThatThrownBy(plugin::authorization)
                .hasMessage("exec plugin /bin/sh: answered with a certificate that cannot be used:"
                        + " client certificate data with key data: no PEM certificate");
    }

    @Test
    void authorization_missingProgram_showsTheInstallHint() {
        // AU-15
        ExecConfig exec =
                new ExecConfig(V1, "/no/such/plugin", List.of(), List.of(), "get \u001b[31mit", false, "Never");
        ExecPlugin plugin = new ExecPlugin(exec, ClientConfig.of("https://h"), (certificate, key) -> {}, LIMIT, clock);

        assertThatThrownBy(plugin::authorization)
                .hasMessageContaining("cannot be run")
                .hasMessageEndingWith("get ?[31mit");
    }

    @Test
    void construct_unsupported_isRefused() {
        // AU-10, AU-14
        assertThatThrownBy(() -> plugin("client.authentication.k8s.io/v1alpha1", "", false))
                .hasMessageContaining("v1alpha1\" is not supported");
        ExecConfig always = new ExecConfig(V1, "p", List.of(), List.of(), "", false, "Always");
        assertThatThrownBy(() ->
                        new ExecPlugin(always, ClientConfig.of("https://h"), (certificate, key) -> {}, LIMIT, clock))
                .hasMessageContaining("needs a terminal");
    }
}
