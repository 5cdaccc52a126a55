/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.apiserver.command.ManifestApplier;
import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.demo.DemoCommand;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.yaml.Manifests;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** In a thread dump the threads of the modules differ from all others, and from each other. */
@Isolated("looks at all threads of the JVM")
@Timeout(120)
class ThreadNamesTest {

    private static final Pattern OURS = Pattern.compile("kubeloop-.*");

    /** What the JDK calls a thread that nobody names. */
    private static final Pattern NAMELESS = Pattern.compile("Thread-\\d+|pool-\\d+-thread-\\d+|");

    /** Connections are opened on threads of OkHttp's, through our sockets. */
    private static final Pattern BORROWED = Pattern.compile("OkHttp .*");

    /** The JVM lists platform threads only. */
    private static final int FIRST_JDK_WITH_VIRTUAL_CONTROLLERS = 24;

    private final Set<Thread> before = Set.copyOf(Thread.getAllStackTraces().keySet());
    private final Set<String> seen = new TreeSet<>();
    private final Set<String> wrong = new TreeSet<>();

    private Set<String> look() {
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            String name = thread.getName();
            if (before.contains(thread)) {
                return;
            }
            seen.add(name);
            boolean atOurs =
                    Arrays.stream(stack).map(StackTraceElement::getClassName).anyMatch(ThreadNamesTest::isOurs);
            boolean known =
                    OURS.matcher(name).matches() || BORROWED.matcher(name).matches();
            if (NAMELESS.matcher(name).matches() || (atOurs && !known)) {
                wrong.add(name + " at " + Arrays.toString(stack));
            }
        });
        return seen;
    }

    private static boolean isOurs(String className) {
        return className.startsWith("io.kubeloop.") && !className.startsWith(ThreadNamesTest.class.getName());
    }

    @Test
    void threads_ofAManagerItsServerAndItsKubelet_areNamedAfterWhatTheyServe() throws Exception {
        ShutdownSignal signal = ShutdownSignal.inert();
        int port = freePort();
        try (ControlPlane server = ControlPlane.builder()
                .http(HttpApiServer.Config.DEFAULT)
                .kubelet(true)
                .start()) {
            applySample(server);
            Thread manager = new Thread(() -> run(signal, server.uri().toString(), port), "kubeloop-test-manager");
            manager.start();
            URI health = URI.create("http://127.0.0.1:" + port + "/healthz");
            await().ignoreExceptions().until(() -> read(health).equals("ok"));
            List<String> wanted = new ArrayList<>(List.of(
                    "kubeloop-timer",
                    "kubeloop-kubelet-\\d+-watch",
                    "kubeloop-kubelet-\\d+-worker-\\d",
                    "kubeloop-leader-election-.*kube-controller-manager-leading"));
            if (Runtime.version().feature() < FIRST_JDK_WITH_VIRTUAL_CONTROLLERS) {
                wanted.addAll(List.of(
                        "kubeloop-manager-http-1",
                        "kubeloop-reflector-pods",
                        "kubeloop-informer-replicasets\\.apps",
                        "kubeloop-handler-pods-1",
                        "kubeloop-worker-endpoint-5",
                        "kubeloop-worker-replicaset-1",
                        "kubeloop-worker-replicationmanager-1",
                        "kubeloop-writer-replicaset-1",
                        "kubeloop-event-broadcaster-replicaset-controller"));
            }
            await().pollInterval(Duration.ofMillis(5))
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(look())
                            .satisfies(names -> wanted.forEach(
                                    pattern -> assertThat(names).anyMatch(name -> name.matches(pattern)))));
            signal.ask();
            while (manager.isAlive()) {
                look();
                manager.join(5);
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static String read(URI page) throws IOException {
        try (InputStream in = page.toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static void applySample(ControlPlane plane) throws IOException {
        try (InputStream sample = DemoCommand.class.getResourceAsStream("sample.yaml")) {
            new ManifestApplier(
                            plane.transport(),
                            JsonCodec.standard(),
                            plane.server().backend().registry())
                    .create(Manifests.read("the sample", Objects.requireNonNull(sample)));
        }
    }

    private static void run(ShutdownSignal signal, String url, int port) {
        PrintWriter nobody = new PrintWriter(new StringWriter());
        Main.run(
                signal,
                nobody,
                nobody,
                "controller-manager",
                "--secure-port=0",
                "--master=" + url,
                "--leader-elect",
                "--http-port=" + port);
    }
}
