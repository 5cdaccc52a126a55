/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.resourcequota;

import static io.kubeloop.controller.resourcequota.QuotaObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ResourceType;
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

    private static Monitored of(String plural, String kind, ResourceType.Scope scope, String... objects) {
        ResourceType<GenericObject> type = ResourceTypes.generic("resource.k8s.io", "v1", plural, kind, scope);
        FakeLister<GenericObject> lister = new FakeLister<>();
        for (String object : objects) {
            lister.with(QuotaObjects.object(type, object));
        }
        return new Monitored(ResourceTypes.metadataOf(type), lister, true);
    }

    private static UsageCount countDevices(String extendedResource, UsageCount last) {
        JsonObject spec = JsonObject.parse("{\"hard\":{\"requests.deviceclass.resource.kubernetes.io/gpu\":\"9\","
                + "\"requests.example.com/gpu\":\"9\",\"count/deviceclasses.resource.k8s.io\":\"9\"}}");
        Monitored classes =
                of("deviceclasses", "DeviceClass", ResourceType.Scope.CLUSTER, """
                {"metadata":{"name":"gpu","uid":"gpu","resourceVersion":"1"},"spec":{%s}\
                }""".formatted(extendedResource));
        Monitored claims = of("resourceclaims", "ResourceClaim", ResourceType.Scope.NAMESPACED, """
                {"metadata":{"name":"c","namespace":"n","uid":"c","resourceVersion":"1"},"spec":{"devices":{"requests":[
                  {"name":"r","exactly":{"deviceClassName":"gpu","allocationMode":"ExactCount","count":2}}]}}}""");
        return UsageCount.of(spec, "n", List.of(claims, classes), NOW, last);
    }

    @Test
    void count_devices_areCountedByTheNamesOfTheirClass() {
        UsageCount without = countDevices("", UsageCount.NONE);
        assertThat(used(without)).isEqualTo("{\"requests.deviceclass.resource.kubernetes.io/gpu\":\"2\"}");
        // The claim is the same as before, but its class is not.
        UsageCount with = countDevices("\"extendedResourceName\":\"example.com/gpu\"", without);
        assertThat(used(with))
                .isEqualTo("{\"requests.deviceclass.resource.kubernetes.io/gpu\":\"2\","
                        + "\"requests.example.com/gpu\":\"2\"}");
    }

    @Test
    void count_kindThatHasNotBeenRead_isReported() {
        UsageCount count = count(SPEC, false, NOW, UsageCount.NONE);
        assertThat(count.unread()).hasToString("[pods]");
        assertThat(count.used().isEmpty()).isTrue();
    }
}
