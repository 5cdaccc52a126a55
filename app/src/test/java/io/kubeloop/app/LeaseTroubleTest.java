/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/** A manager that cannot read its lease waits indefinitely and logs the reason. */
@Isolated("reads standard error")
@Timeout(60)
class LeaseTroubleTest {

    @RegisterExtension
    private final CapturedErrors log = new CapturedErrors();

    @Test
    void controllerManager_leaseRefused_isWarnedOf() {
        ShutdownSignal signal = ShutdownSignal.inert();
        StringWriter out = new StringWriter();
        try (EmbeddedApiServer server = EmbeddedApiServer.builder().build();
                HttpApiServer httpServer = HttpApiServer.start(server.server(), HttpApiServer.Config.DEFAULT)) {
            CompletableFuture<Integer> code = CompletableFuture.supplyAsync(() -> Main.run(
                    signal,
                    new PrintWriter(out, true),
                    new PrintWriter(out, true),
                    "controller-manager",
                    "--secure-port=0",
                    "--master=" + httpServer.uri(),
                    "--leader-elect-resource-namespace=nowhere"));
            await().until(() -> log.text().contains("namespaces \"nowhere\" not found"));
            signal.ask();
            assertThat(code.join()).isZero();
        }
        assertThat(log.text())
                .contains("[WARN] LeaderAttempt - Cannot acquire or renew lease nowhere/kube-controller-manager");
        assertThat(log.text().lines().filter(line -> line.contains("[WARN]")))
                .as("the end is nobody's trouble")
                .allMatch(line -> line.contains("not found"));
    }
}
