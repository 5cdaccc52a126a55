/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.policy.PodDisruptionBudgetStatus;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Time alone syncs no budget: the controller has no resync of its own, as upstream. */
class NoResyncTest {

    private static final ObjectName WEB = new ObjectName("default", "web");

    private final ManualClock wall = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final ManualScheduler steady = new ManualScheduler();
    private final EmbeddedApiServer server =
            EmbeddedApiServer.builder().clock(wall).build();
    private final KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
    private final SharedInformerFactory informers = SharedInformers.factory(
            client, InformerConfig.DEFAULT.withScheduler(steady).withResyncPeriod(Duration.ofHours(12)));
    private final DisruptionController controller = DisruptionController.of(new ControllerContext(
            component -> client,
            informers,
            wall,
            Thread::new,
            name -> WorkQueueConfig.named(name).withScheduler(steady),
            component -> new FakeRecorder()));

    @AfterEach
    void close() {
        controller.close();
        informers.close();
        client.close();
        server.close();
    }

    private <T extends KubeObject> T create(ResourceType<T> type, String json) {
        return client.resource(type)
                .create(JsonCodec.standard()
                        .decode(
                                type,
                                new ByteArrayInputStream(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8))));
    }

    private void createBudget(ObjectName name) {
        create(ResourceTypes.POD_DISRUPTION_BUDGETS, """
                {'metadata':{'name':'%s','namespace':'default'},
                 'spec':{'selector':{'matchLabels':{'app':'%s'}},'maxUnavailable':1}\
                }""".formatted(name.name(), name.name()));
    }

    private PodDisruptionBudgetStatus status(ObjectName name) {
        return client.resource(ResourceTypes.POD_DISRUPTION_BUDGETS).get(name).status();
    }

    /**
     * The informer, its handler and the only worker are in order: a new budget is synced after all that came before.
     */
    private void awaitAllSyncs(String newBudget) {
        ObjectName last = new ObjectName("default", newBudget);
        createBudget(last);
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> !status(last).conditions().isEmpty());
    }

    private void awaitExpectedPods(int number) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(status(WEB).expectedPods()).isEqualTo(number));
    }

    @Test
    void budget_ownerIsScaledAndMinutesPass_isSyncedByTheNextEventOnly() {
        String uid = create(ResourceTypes.DEPLOYMENTS, """
                {'metadata':{'name':'web','namespace':'default'},
                 'spec':{'replicas':2,'selector':{'matchLabels':{'app':'web'}},
                 'template':{'metadata':{'labels':{'app':'web'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}\
                }""").metadata().uid();
        create(ResourceTypes.PODS, """
                {'metadata':{'name':'web','namespace':'default','labels':{'app':'web'},'ownerReferences':[
                 {'apiVersion':'apps/v1','kind':'Deployment','name':'web','uid':'%s','controller':true}]},
                 'spec':{'containers':[{'name':'c','image':'i'}]}}""".formatted(uid));
        createBudget(WEB);
        controller.start(1);
        informers.start();
        awaitExpectedPods(2);
        awaitAllSyncs("before");
        client.resource(ResourceTypes.DEPLOYMENTS).patch(WEB, Patch.merge("{\"spec\":{\"replicas\":7}}"));

        wall.advance(Duration.ofMinutes(2));
        steady.advance(Duration.ofMinutes(2));

        awaitAllSyncs("after");
        assertThat(status(WEB).expectedPods()).isEqualTo(2);

        client.resource(ResourceTypes.PODS)
                .patch(WEB, Patch.merge("{\"metadata\":{\"labels\":{\"changed\":\"yes\"}}}"));
        awaitExpectedPods(7);
    }
}
