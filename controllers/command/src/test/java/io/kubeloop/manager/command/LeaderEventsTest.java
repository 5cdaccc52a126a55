/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.core.Event;
import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.junit.KubeloopTest;
import io.kubeloop.manager.ControllerTable;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The events of the lease show which process led, and when (LK-04). */
@KubeloopTest(nodes = 0)
@Timeout(60)
class LeaderEventsTest {

    @Test
    void whoBecomesAndCeasesToBeLeader_isToldAsEventsOfTheLease(URI server, KubeClient client) {
        ShutdownSignal signal = ShutdownSignal.inert();
        CompletableFuture<Integer> exit = CompletableFuture.supplyAsync(
                () -> new ControllerManagerCommand(signal, ControllerTable.BUILT_IN, ManagerObserver.Factory.NONE)
                        .line()
                        .execute("--secure-port=0", "--master=" + server, "--leader-elect"));
        List<Event> first = awaitEvents(client, 1);
        signal.ask();
        List<Event> both = awaitEvents(client, 2);

        assertThat(exit.join()).isZero();
        assertThat(first).allMatch(event -> event.message().endsWith(" became leader"));
        assertThat(both).anyMatch(event -> event.message().endsWith(" stopped leading"));
        assertThat(both).allSatisfy(event -> {
            assertThat(event.reason()).isEqualTo("LeaderElection");
            assertThat(event.type()).isEqualTo("Normal");
            assertThat(event.source().component()).isEqualTo("kube-controller-manager");
            assertThat(event.involvedObject().apiVersion()).isEqualTo("coordination.k8s.io/v1");
            assertThat(event.involvedObject().uid()).isNotEmpty();
        });
    }

    private static List<Event> awaitEvents(KubeClient client, int count) {
        return await().atMost(Duration.ofSeconds(30))
                .until(
                        () ->
                                client
                                        .resource(ResourceTypes.EVENTS)
                                        .list("kube-system", ListOptions.NONE)
                                        .items()
                                        .stream()
                                        .filter(event ->
                                                event.involvedObject().kind().equals("Lease"))
                                        .toList(),
                        events -> events.size() == count);
    }
}
