/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.resourcequota;

import static io.kubeloop.controller.resourcequota.QuotaObjects.object;
import static io.kubeloop.controller.resourcequota.QuotaObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.cache.DeletedFinalStateUnknown;
import io.kubeloop.controller.fake.FakeLister;
import io.kubeloop.controller.fake.FakeQueue;
import io.kubeloop.testing.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplenishmentTest {

    private static final Pod POD = pod("p", "1", "", "", "");
    private static final String DELETED =
            ",\"deletionTimestamp\":\"2026-01-01T00:00:00Z\",\"deletionGracePeriodSeconds\":30";

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final FakeQueue<ObjectName> changed = new FakeQueue<>();
    private final FakeLister<GenericObject> quotas = new FakeLister<GenericObject>()
            .with(QuotaObjects.quota(
                    "q", "1", "", "\"hard\":{\"pods\":\"9\",\"services\":\"9\",\"requests.storage\":\"1\"}"));
    private final QuotaQueues queues = new QuotaQueues(new FakeQueue<>(), changed, new FakeQueue<>(), quotas, List::of);
    private final Replenishment<Pod> pods =
            new Replenishment<>(ResourceTypes.PODS, Replenishment.ofPods(clock), queues);

    private boolean isQueued() {
        return !changed.takeAdded().isEmpty();
    }

    private <T extends KubeObject> boolean isQueued(Replenishment<T> handler, T old, T now) {
        handler.onUpdate(old, now);
        return isQueued();
    }

    @Test
    void add_isCharged_byTheServer() {
        pods.onAdd(POD, false);
        assertThat(isQueued()).isFalse();
    }

    @Test
    void delete_queues() {
        pods.onDelete(new DeletedFinalStateUnknown<>(POD.objectName(), POD));
        assertThat(isQueued()).isTrue();
    }

    @Test
    void update_runningPod_doesNotQueue() {
        assertThat(isQueued(pods, POD, pod("p", "2", ",\"labels\":{\"a\":\"b\"}", "", "")))
                .isFalse();
    }

    @Test
    void update_podThatEnds_queuesOnce() {
        Pod ended = pod("p", "2", "", "", ",\"phase\":\"Succeeded\"");
        assertThat(isQueued(pods, POD, ended)).isTrue();
        assertThat(isQueued(pods, ended, pod("p", "3", "", "", ",\"phase\":\"Failed\"")))
                .isFalse();
    }

    @Test
    void update_lostPod_queuesAfterItsGracePeriod() {
        assertThat(isQueued(pods, POD, pod("p", "2", DELETED, "", ""))).isFalse();
        clock.advance(Duration.ofSeconds(31));
        assertThat(isQueued(pods, POD, pod("p", "2", DELETED, "", ""))).isTrue();
    }

    @Test
    void update_podWithADeadline_changesItsScope() {
        assertThat(isQueued(pods, POD, pod("p", "2", "", "\"activeDeadlineSeconds\":5,", "")))
                .isTrue();
    }

    @Test
    void update_resizedPod_queues() {
        Pod resized = pod("p", "2", "", "", """
                ,"containerStatuses":[{"name":"c","resources":{"requests":{"cpu":"50m"}}}]""");
        assertThat(isQueued(pods, POD, resized)).isTrue();
        assertThat(isQueued(pods, resized, resized)).isFalse();
    }

    @Test
    void update_anotherPodOfTheName_queues() {
        Pod other = object(ResourceTypes.PODS, """
                {"metadata":{"name":"p","namespace":"n","uid":"other","resourceVersion":"2"},\
                "status":{"phase":"Running"}}""");
        assertThat(isQueued(pods, POD, other)).isTrue();
    }

    @Test
    void update_namespaceWithoutQuotas_comparesNothing() {
        Replenishment<Pod> handler = new Replenishment<>(
                ResourceTypes.PODS,
                (old, now) -> {
                    throw new AssertionError("nothing needs to be compared");
                },
                queues);
        Pod elsewhere = object(ResourceTypes.PODS, """
                {"metadata":{"name":"p","namespace":"other","uid":"u","resourceVersion":"2"}}""");
        assertThat(isQueued(handler, elsewhere, elsewhere)).isFalse();
    }

    @Test
    void update_typeOfAService_queues() {
        Replenishment<Service> services =
                new Replenishment<Service>(ResourceTypes.SERVICES, Replenishment::isDue, queues);
        String service = "{\"metadata\":{\"name\":\"s\",\"namespace\":\"n\",\"uid\":\"u\"},\"spec\":{\"type\":\"%s\"}}";
        Service plain = object(ResourceTypes.SERVICES, service.formatted("ClusterIP"));
        assertThat(isQueued(services, plain, object(ResourceTypes.SERVICES, service.formatted("NodePort"))))
                .isTrue();
        assertThat(isQueued(services, plain, plain)).isFalse();
    }

    @Test
    void update_claim_alwaysQueues() {
        Replenishment<PersistentVolumeClaim> claims = new Replenishment<PersistentVolumeClaim>(
                ResourceTypes.PERSISTENT_VOLUME_CLAIMS, Replenishment::isDue, queues);
        PersistentVolumeClaim claim = object(ResourceTypes.PERSISTENT_VOLUME_CLAIMS, """
                {"metadata":{"name":"c","namespace":"n","uid":"u"}}""");
        assertThat(isQueued(claims, claim, claim)).isTrue();
    }
}
