package io.kubeloop.controller.resourcequota;

import static io.kubeloop.controller.resourcequota.QuotaObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.discovery.ResourceMonitors.Monitored;
import io.kubeloop.controller.fake.FakeLister;
import io.kubeloop.json.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class UsageCountTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final String DELETED =
            ",\"deletionTimestamp\":\"2026-01-01T00:00:00Z\",\"deletionGracePeriodSeconds\":30";
    private static final JsonObject SPEC = JsonObject.parse("{\"hard\":{\"pods\":\"9\",\"requests.cpu\":\"9\"}}");

    private final FakeLister<Pod> pods =
            new FakeLister<Pod>().with(pod("a", "1", "", "", "")).with(pod("b", "1", "", "", ""));

    private UsageCount count(JsonObject spec, boolean hasSynced, Instant now, UsageCount last) {
        Monitored monitored = new Monitored(ResourceTypes.metadataOf(ResourceTypes.PODS), pods, hasSynced);
        return UsageCount.of(spec, "n", List.of(monitored), now, last);
    }

    private UsageCount count(UsageCount last) {
        return count(SPEC, true, NOW, last);
    }

    private static String used(UsageCount count) {
        return count.used().json().toString();
    }

    @Test
    void count_objectInTheSameVersion_isNotReadAgain() {
        UsageCount first = count(UsageCount.NONE);
        pods.with(pod("b", "2", "", "", "")).with(pod("c", "1", "", "", ""));
        UsageCount second = count(first);

        assertThat(used(first)).isEqualTo("{\"pods\":\"2\",\"requests.cpu\":\"200m\"}");
        assertThat(used(second)).isEqualTo("{\"pods\":\"3\",\"requests.cpu\":\"300m\"}");
        assertThat(second.byUid().get("a")).isSameAs(first.byUid().get("a"));
        assertThat(second.byUid().get("b")).isNotSameAs(first.byUid().get("b"));
    }

    @Test
    void count_objectThatIsGone_isForgotten() {
        UsageCount first = count(UsageCount.NONE);
        pods.remove(pod("a", "1", "", "", "").objectName());
        assertThat(count(first).byUid()).containsOnlyKeys("b");
    }

    @Test
    void count_otherLimits_readEverythingAgain() {
        UsageCount first = count(UsageCount.NONE);
        JsonObject other = JsonObject.parse("{\"hard\":{\"pods\":\"9\"},\"scopes\":[\"BestEffort\"]}");
        assertThat(used(count(other, true, NOW, first))).isEqualTo("{\"pods\":\"0\"}");
    }

    @Test
    void count_terminatingPod_countsUntilItsGracePeriodHasPassed() {
        pods.with(pod("b", "2", DELETED, "", ""));
        UsageCount first = count(UsageCount.NONE);
        UsageCount later = count(SPEC, true, NOW.plusSeconds(31), first);
        assertThat(used(first)).isEqualTo("{\"pods\":\"2\",\"requests.cpu\":\"200m\"}");
        assertThat(used(later)).isEqualTo("{\"pods\":\"1\",\"requests.cpu\":\"100m\"}");
    }

    @Test
    void count_kindThatHasNotBeenRead_isReported() {
        UsageCount count = count(SPEC, false, NOW, UsageCount.NONE);
        assertThat(count.unread()).hasToString("[pods]");
        assertThat(count.used().isEmpty()).isTrue();
    }
}
