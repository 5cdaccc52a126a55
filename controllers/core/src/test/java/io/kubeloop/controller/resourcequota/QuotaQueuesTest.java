/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.resourcequota;

import static io.kubeloop.controller.resourcequota.QuotaObjects.quota;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.DeletedFinalStateUnknown;
import io.kubeloop.controller.discovery.ResourceMonitors.Monitored;
import io.kubeloop.controller.fake.FakeLister;
import io.kubeloop.controller.fake.FakeQueue;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuotaQueuesTest {

    private static final String LIMIT = "\"pods\":\"9\"";
    private static final String COUNTED = "\"hard\":{\"pods\":\"9\"},\"used\":{\"pods\":\"1\"}";
    private static final GenericObject QUOTA = quota("q", "1", LIMIT, COUNTED);

    private final FakeQueue<ObjectName> withoutUsage = new FakeQueue<>();
    private final FakeQueue<ObjectName> changed = new FakeQueue<>();
    private final FakeQueue<QuotaQueues.Recheck> written = new FakeQueue<>();
    private final FakeLister<GenericObject> quotas = new FakeLister<>();
    private final QuotaQueues queues = new QuotaQueues(
            withoutUsage,
            changed,
            written,
            quotas,
            () -> List.of(new Monitored(ResourceTypes.metadataOf(ResourceTypes.PODS), new FakeLister<Pod>(), true)));

    private void assertQueued(String missing, String again) {
        assertThat(String.join(" ", withoutUsage.takeAdded())).isEqualTo(missing);
        assertThat(String.join(" ", changed.takeAdded())).isEqualTo(again);
        assertThat(written.takeAdded()).isEmpty();
    }

    @Test
    void add_quotaWithUsage_isCountedAgain() {
        queues.onAdd(QUOTA, true);
        assertQueued("", "n/q");
    }

    @Test
    void add_quotaWithoutUsage_isFirst() {
        queues.onAdd(quota("q", "1", LIMIT, ""), false);
        assertQueued("n/q", "");
    }

    @Test
    void add_statusWithOtherLimits_isFirst() {
        queues.onAdd(quota("q", "1", "\"pods\":\"8\"", COUNTED), false);
        assertQueued("n/q", "");
    }

    @Test
    void add_amountInAnotherNotation_isTheSameLimit() {
        queues.onAdd(quota("q", "1", "\"cpu\":\"1000m\"", "\"hard\":{\"cpu\":\"1\"},\"used\":{\"cpu\":\"0\"}"), false);
        assertQueued("", "n/q");
    }

    @Test
    void add_usageOfAKindThatNobodyMonitors_doesNotComeFirst() {
        String unknown = "\"count/nothings.example.com\":\"1\"";
        queues.onAdd(quota("q", "1", unknown, "\"hard\":{" + unknown + "}"), false);
        assertQueued("", "n/q");
    }

    @Test
    void update_status_needsNoCount() {
        queues.onUpdate(QUOTA, quota("q", "2", LIMIT, "\"hard\":{\"pods\":\"9\"},\"used\":{\"pods\":\"2\"}"));
        assertQueued("", "");
    }

    @Test
    void update_limits_isFirst() {
        queues.onUpdate(QUOTA, quota("q", "2", "\"pods\":\"8\"", COUNTED));
        assertQueued("n/q", "");
    }

    @Test
    void update_resync_isCountedAgain() {
        queues.onUpdate(QUOTA, QUOTA);
        assertQueued("", "n/q");
    }

    @Test
    void update_anotherQuotaOfTheName_isAddedLikeANewOne() {
        GenericObject other = QuotaObjects.object(Trees.QUOTAS, """
                {"metadata":{"name":"q","namespace":"n","uid":"other","resourceVersion":"2"},\
                "spec":{"hard":{"pods":"9"}}}""");
        queues.onUpdate(QUOTA, other);
        assertQueued("n/q", "");
    }

    @Test
    void delete_isQueued_soThatItsLastCountIsDropped() {
        queues.onDelete(new DeletedFinalStateUnknown<>(QUOTA.objectName(), QUOTA));
        assertQueued("", "n/q");
    }

    @Test
    void resourcesRead_queuesQuotasThatLackUsage() {
        quotas.with(QUOTA).with(quota("r", "1", LIMIT, "\"hard\":{\"pods\":\"9\"}"));
        queues.resourcesRead();
        assertQueued("n/r", "");
    }

    @Test
    void replenish_queuesQuotasThatLimitTheKind() {
        quotas.with(QUOTA).with(quota("s", "1", "\"services\":\"9\"", "\"hard\":{\"services\":\"9\"}"));
        queues.replenish(ResourceTypes.PODS, "n");
        assertQueued("", "n/q");
        queues.replenish(ResourceTypes.PODS, "other");
        assertQueued("", "");
        queues.replenish(ResourceTypes.SERVICES, "n");
        assertQueued("", "n/s");
    }

    @Test
    void recheck_waitsASecond() {
        queues.recheck(QUOTA);
        assertThat(written.takeAdded()).containsExactly("Recheck[key=n/q, resourceVersion=1] after 1s");
    }
}
