/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.apiserver.command.KubeconfigFile;
import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.yaml.Manifests;
import io.kubeloop.junit.KubeloopTest;
import io.kubeloop.manager.ControllerTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The static pod that kubeadm 1.36 writes: its flags run the manager, and its probes find the pages. */
@KubeloopTest(nodes = 0)
@Timeout(120)
class KubeadmManifestTest {

    @TempDir
    private Path home;

    private static JsonObject container() throws IOException {
        Path copy = Files.createTempFile("kubeadm", ".yaml");
        try (InputStream in =
                KubeadmManifestTest.class.getResourceAsStream("kubeadm-1.36-kube-controller-manager.yaml")) {
            Files.write(copy, in.readAllBytes());
            JsonObject pod = Manifests.read(copy).iterator().next();
            return pod.object("spec").array("containers").objects().findFirst().orElseThrow();
        } finally {
            Files.delete(copy);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Creates the files that kubeadm creates in {@code /etc/kubernetes}. */
    private void writeFiles(URI server) throws Exception {
        Path pki = Files.createDirectories(home.resolve("pki"));
        IssuedKeys authority = IssuedKeys.authority(home);
        for (String name : List.of("ca", "front-proxy-ca", "sa")) {
            Files.writeString(pki.resolve(name + ".crt"), authority.pem());
            Files.writeString(pki.resolve(name + ".key"), authority.key());
        }
        KubeconfigFile.write(home.resolve("controller-manager.conf"), server.toString(), "", "");
    }

    @Test
    void flagsOfTheManifest_runTheManager_andItsProbeSucceeds(URI server) throws Exception {
        writeFiles(server);
        JsonObject container = container();
        List<String> arguments = new ArrayList<>();
        container
                .array("command")
                .strings()
                .skip(1)
                .forEach(flag -> arguments.add(flag.replace("/etc/kubernetes", home.toString())));
        assertThat(arguments).hasSize(17);
        int port = freePort();
        arguments.add("--secure-port=" + port);
        ShutdownSignal signal = ShutdownSignal.inert();
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = new ControllerManagerCommand(signal, ControllerTable.BUILT_IN, ManagerObserver.Factory.NONE)
                .line()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true));
        CompletableFuture<Integer> exit =
                CompletableFuture.supplyAsync(() -> line.execute(arguments.toArray(String[]::new)));

        try {
            await().atMost(Duration.ofSeconds(60)).until(() -> out.toString().contains("started ") || exit.isDone());
            JsonObject probe = container.object("livenessProbe").object("httpGet");
            String url = probe.string("scheme").toLowerCase(Locale.ROOT) + "://" + probe.string("host") + ":" + port
                    + probe.string("path");
            assertThat(get(url)).isEqualTo("ok");
            // The original lists its controllers in the order of their start, which is random.
            assertThat(get(url + "?verbose").lines()).containsExactlyInAnyOrderElementsOf(recorded());
        } finally {
            signal.ask(); // its threads and warnings would disturb other tests
        }

        assertThat(exit.join()).isZero();
        assertThat(out.toString())
                .contains("bootstrap-signer-controller", "token-cleaner-controller", "serviceaccount-token-controller");
        assertThat(err.toString().lines())
                .containsExactly("--cluster-name has no effect: only in-tree cloud providers use it");
    }

    /** What kube-controller-manager 1.36.3 lists with the flags of the manifest. */
    private static List<String> recorded() throws IOException {
        try (InputStream in = KubeadmManifestTest.class.getResourceAsStream("kubeadm-healthz.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    /** As the kubelet, which does not verify the certificate of a probe. */
    private static String get(String url) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new SecurePagesTest.TrustEveryServer()}, new SecureRandom());
        HttpsURLConnection connection =
                (HttpsURLConnection) URI.create(url).toURL().openConnection();
        connection.setSSLSocketFactory(context.getSocketFactory());
        connection.setHostnameVerifier((name, session) -> true);
        try (InputStream in = connection.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
