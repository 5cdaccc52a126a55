/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.policy.PodDisruptionBudgetStatus;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.controller.discovery.ScaleClient;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SimulatedQueue;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sync of a budget, on an API server whose state the caches show at once. */
class BudgetSyncTest {

    private static final ObjectName BUDGET = new ObjectName("default", "web");

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final EmbeddedApiServer server =
            EmbeddedApiServer.builder().clock(clock).build();
    private final KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
    private final FakeRecorder events = new FakeRecorder();
    private final SimulatedQueue<ObjectName> queue = new SimulatedQueue<>(clock);

    @AfterEach
    void close() {
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

    private void createBudget(String limit) {
        create(ResourceTypes.POD_DISRUPTION_BUDGETS, """
                {'apiVersion':'policy/v1','kind':'PodDisruptionBudget','metadata':{'name':'web','namespace':'default'},
                 'spec':{'selector':{'matchLabels':{'app':'web'}},%s}}""".formatted(limit));
    }

    private String createReplicaSet(int replicas) {
        return create(ResourceTypes.REPLICA_SETS, """
                {'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'name':'web','namespace':'default'},
                 'spec':{'replicas':%d,'selector':{'matchLabels':{'app':'web'}},
                 'template':{'metadata':{'labels':{'app':'web'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}\
                }""".formatted(replicas))
                .metadata()
                .uid();
    }

    private void createPod(String name, String owner, boolean ready) {
        create(ResourceTypes.PODS, """
                {'apiVersion':'v1','kind':'Pod','metadata':{'name':'%s','namespace':'default','labels':{'app':'web'}%s},
                 'spec':{'nodeName':'n','containers':[{'name':'c','image':'i'}]}}""".formatted(name, owner));
        client.resource(ResourceTypes.PODS)
                .patch(
                        new ObjectName("default", name),
                        Patch.merge(
                                "{\"status\":{\"phase\":\"Running\",\"conditions\":[{\"type\":\"Ready\",\"status\":\""
                                        + (ready ? "True" : "False") + "\"}]}}"),
                        "status");
    }

    private static String ownedBy(String apiVersion, String kind, String name, String uid) {
        return ",'ownerReferences':[{'apiVersion':'%s','kind':'%s','name':'%s','uid':'%s','controller':true}]"
                .formatted(apiVersion, kind, name, uid);
    }

    private <T extends KubeObject> LaggingCache<T> cache(ResourceType<T> type) {
        LaggingCache<T> cache = new LaggingCache<>();
        cache.start(client.resource(type).list("", ListOptions.NONE).items(), new ResourceEventHandler<>() {});
        return cache;
    }

    private PodDisruptionBudgetStatus sync() {
        DisruptionCaches caches = new DisruptionCaches(
                cache(ResourceTypes.POD_DISRUPTION_BUDGETS),
                cache(ResourceTypes.PODS),
                cache(ResourceTypes.REPLICATION_CONTROLLERS),
                cache(ResourceTypes.REPLICA_SETS),
                cache(ResourceTypes.DEPLOYMENTS),
                cache(ResourceTypes.STATEFUL_SETS));
        new BudgetSync(
                        caches,
                        new ExpectedPods(caches, new ScaleClient(client.transport())),
                        client.resource(ResourceTypes.POD_DISRUPTION_BUDGETS),
                        events,
                        queue,
                        clock)
                .sync(BUDGET);
        return client.resource(ResourceTypes.POD_DISRUPTION_BUDGETS).get(BUDGET).status();
    }

    private boolean hasEvent(String text) {
        return events.events().stream().anyMatch(event -> event.text().contains(text));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "'minAvailable':2,          2, 1, 3",
                "'minAvailable':'50%',      3, 0, 5",
                "'maxUnavailable':1,        4, 0, 5",
                "'maxUnavailable':'50%',    2, 1, 5",
                "'maxUnavailable':0,        5, 0, 5",
                "'maxUnavailable':9,        0, 3, 5"
            })
    void sync_threeReadyPodsOfAReplicaSetOfFive(String limit, int desired, int allowed, int expected) {
        String owner = ownedBy("apps/v1", "ReplicaSet", "web", createReplicaSet(5));
        createPod("a", owner, true);
        createPod("b", owner, true);
        createPod("c", owner, true);
        createBudget(limit);

        PodDisruptionBudgetStatus status = sync();

        assertThat(status.desiredHealthy()).isEqualTo(desired);
        assertThat(status.disruptionsAllowed()).isEqualTo(allowed);
        assertThat(status.expectedPods()).isEqualTo(expected);
        assertThat(status.currentHealthy()).isEqualTo(3);
        assertThat(status.conditions())
                .singleElement()
                .satisfies(condition ->
                        assertThat(condition.reason()).isEqualTo(allowed > 0 ? "SufficientPods" : "InsufficientPods"));
    }

    @Test
    void sync_nothingHasChanged_writesNothing() {
        createPod("a", ownedBy("apps/v1", "ReplicaSet", "web", createReplicaSet(1)), true);
        createBudget("'maxUnavailable':1");
        sync();
        String version = client.resource(ResourceTypes.POD_DISRUPTION_BUDGETS)
                .get(BUDGET)
                .metadata()
                .resourceVersion();

        sync();

        assertThat(client.resource(ResourceTypes.POD_DISRUPTION_BUDGETS)
                        .get(BUDGET)
                        .metadata()
                        .resourceVersion())
                .isEqualTo(version);
    }

    @Test
    void sync_ownerOfAnotherKind_itsScaleIsRead() {
        String uid = create(ResourceTypes.DEPLOYMENTS, """
                {'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'web','namespace':'default'},
                 'spec':{'replicas':4,'selector':{'matchLabels':{'app':'web'}},
                 'template':{'metadata':{'labels':{'app':'web'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}\
                }""").metadata().uid();
        createPod("a", ownedBy("apps/v1", "Deployment", "web", uid), true);
        createBudget("'maxUnavailable':'25%'");

        assertThat(sync().expectedPods()).isEqualTo(4);
    }

    @Test
    void sync_ownerThatIsGone_allowsNoDisruption() {
        createPod("a", ownedBy("apps/v1", "ReplicaSet", "gone", "u"), true);
        createBudget("'maxUnavailable':1");

        PodDisruptionBudgetStatus status = sync();

        assertThat(status.disruptionsAllowed()).isZero();
        assertThat(status.conditions()).singleElement().satisfies(condition -> {
            assertThat(condition.reason()).isEqualTo("SyncFailed");
            assertThat(condition.message()).isEqualTo("found no controllers for pod \"a\"");
        });
        assertThat(hasEvent("CalculateExpectedPodCountFailed")).isTrue();
    }

    @Test
    void sync_podWithoutOwner_warnsAndDoesNotCountIt() {
        createPod("a", "", true);
        createBudget("'maxUnavailable':1");

        assertThat(sync().expectedPods()).isZero();
        assertThat(hasEvent("(selector: &LabelSelector{MatchLabels:map[string]string{app: web,},"
                        + "MatchExpressions:[]LabelSelectorRequirement{},})"))
                .isTrue();
    }

    private void evict(String one, String other) {
        client.resource(ResourceTypes.POD_DISRUPTION_BUDGETS)
                .patch(
                        BUDGET,
                        Patch.merge("{\"status\":{\"disruptedPods\":{\"" + one + "\":\"" + clock.instant() + "\",\""
                                + other + "\":\"" + clock.instant() + "\"}}}"),
                        "status");
    }

    /** A stateful set replaces a pod by one of the same name. The times of both are whole seconds. */
    @ParameterizedTest
    @CsvSource({"0, false", "2, true"})
    void sync_evictedPodWasReplaced_itsSuccessorIsNotDisrupted(int seconds, boolean isForgottenAtOnce) {
        String owner = ownedBy("apps/v1", "ReplicaSet", "web", createReplicaSet(2));
        createPod("b", owner, true);
        createBudget("'minAvailable':1");
        sync();
        evict("a", "z");
        clock.advance(Duration.ofSeconds(seconds));
        createPod("a", owner, true);

        assertThat(sync().disruptedPods().isEmpty()).isEqualTo(isForgottenAtOnce);

        clock.advance(BudgetSync.REPLACEMENT_TIMEOUT.plusSeconds(1));
        assertThat(sync().disruptedPods()).isEmpty();
        assertThat(sync().currentHealthy()).isEqualTo(2);
        assertThat(hasEvent("NotDeleted")).isFalse();
    }

    @Test
    void sync_evictedPodThatIsNotDeleted_countsAgainAfterTwoMinutes() {
        String owner = ownedBy("apps/v1", "ReplicaSet", "web", createReplicaSet(2));
        createPod("a", owner, true);
        createPod("b", owner, true);
        createBudget("'minAvailable':1");
        clock.advance(Duration.ofSeconds(1));
        sync();
        evict("a", "z");

        PodDisruptionBudgetStatus status = sync();
        assertThat(status.currentHealthy()).isEqualTo(1);
        assertThat(status.disruptedPods()).containsOnlyKeys("a");

        clock.advance(Duration.ofMinutes(2).plusSeconds(1));
        assertThat(queue.get()).isEqualTo(BUDGET);
        assertThat(sync().currentHealthy()).isEqualTo(2);
        assertThat(hasEvent("NotDeleted")).isTrue();
    }
}
