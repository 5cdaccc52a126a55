/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.command.KubeconfigFile;
import io.kubeloop.command.ShutdownSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that receives a signal before the server has answered exits at once with code 0. */
class EndBeforeTheBeginningTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"controller-manager", "kubelet"})
    @Timeout(60)
    void ask_whileTheServerIsSilent_endsWithZeroAtOnce(String command) throws IOException {
        ShutdownSignal signal = ShutdownSignal.inert();
        StringWriter out = new StringWriter();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Path kubeconfig = folder.resolve("kubeconfig");
            KubeconfigFile.write(kubeconfig, "http://127.0.0.1:" + server.getLocalPort(), "", "");
            CompletableFuture<Integer> code = CompletableFuture.supplyAsync(() -> Main.run(
                    signal,
                    new PrintWriter(out, true),
                    new PrintWriter(out, true),
                    command,
                    "--kubeconfig=" + kubeconfig));
            try (Socket asked = server.accept()) {
                assertThat(asked.getInputStream().read()).isEqualTo('G');
                signal.ask();
                assertThat(code).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo(0);
            }
        }
        assertThat(out.toString()).isEmpty();
    }
}
