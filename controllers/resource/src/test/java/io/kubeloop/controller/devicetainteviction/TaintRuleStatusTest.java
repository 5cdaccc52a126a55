/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.devicetainteviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodSpecBuilder;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.controller.fake.Action;
import io.kubeloop.controller.fake.FakeLister;
import io.kubeloop.controller.fake.FakeQueue;
import io.kubeloop.controller.fake.FakeTransport;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.testing.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The condition of a rule. The texts are those of kube-controller-manager 1.37. */
class TaintRuleStatusTest {

    private static final ResourceType<GenericObject> RULES = ResourceTypes.generic(
            "resource.k8s.io", "v1", "devicetaintrules", "DeviceTaintRule", ResourceType.Scope.CLUSTER);
    private static final ObjectName RULE = new ObjectName("", "broken");

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final FakeTransport server = new FakeTransport();
    private final FakeLister<GenericObject> rules = new FakeLister<>();
    private final FakeLister<GenericObject> claims = new FakeLister<>();
    private final FakeLister<GenericObject> slices = new FakeLister<>();
    private final FakeLister<Pod> pods = new FakeLister<>();
    private final FakeQueue<ObjectName> queue = new FakeQueue<>();
    private final DeviceTaints taints = new DeviceTaints(pool -> slices.list(), rules::list);
    private final TaintRuleStatus status = new TaintRuleStatus(
            rules,
            KubeClient.of(server, JsonCodec.standard()).resource(RULES),
            taints,
            new TaintRuleStatus.Sources(
                    pods,
                    claims,
                    slices,
                    (pod, causes) -> claims.list().stream()
                            .filter(claim -> claim.objectName().equals(pod.objectName()))
                            .map(causes::expiry)
                            .filter(Objects::nonNull)
                            .findFirst()
                            .orElse(null)),
            queue,
            clock);

    private void rule(String effect, String selector, String conditions) {
        GenericObject rule = object(
                "DeviceTaintRule",
                "",
                "broken",
                "{'spec':{'deviceSelector':{" + selector + "},'taint':{'key':'x/broken','effect':'" + effect
                        + "','timeAdded':'2026-01-01T00:00:00Z'}},'status':{'conditions':[" + conditions + "]}}");
        rules.with(rule);
        server.with(
                "devicetaintrules",
                Map.of(
                        "apiVersion",
                        "resource.k8s.io/v1",
                        "kind",
                        "DeviceTaintRule",
                        "metadata",
                        Map.of("name", "broken")));
    }

    private static GenericObject object(String kind, String namespace, String name, String content) {
        return new GenericObject(
                "resource.k8s.io/v1",
                kind,
                ObjectMetaBuilder.builder()
                        .namespace(namespace)
                        .name(name)
                        .uid("u-" + name)
                        .generation(3)
                        .build(),
                JsonObject.parse(content.replace('\'', '"')).toUnknownFields());
    }

    /** Adds a pod in a namespace, and a claim of its name with this device. */
    private void user(String namespace, String name, String device) {
        pods.with(Pod.of(
                ObjectMetaBuilder.builder().namespace(namespace).name(name).build(),
                PodSpecBuilder.builder().nodeName("n").build(),
                PodStatus.EMPTY));
        claims.with(object(
                "ResourceClaim",
                namespace,
                name,
                "{'status':{'allocation':{'devices':{'results':[{'driver':'d','pool':'p','device':'" + device
                        + "'}]}}}}"));
    }

    private Stream<JsonObject> written() {
        return server.actions("patch", "devicetaintrules").stream()
                .map(Action::body)
                .map(JsonObject::parse)
                .map(body -> body.object("status")
                        .array("conditions")
                        .objects()
                        .findFirst()
                        .orElseThrow());
    }

    private String text() {
        status.sync(RULE);
        JsonObject condition = written().reduce((first, last) -> last).orElseThrow();
        return condition.string("status") + " " + condition.string("reason") + ": " + condition.string("message");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "NoExecute | 'device':'none' | False NotStarted:",
                "NoExecute | 'device':'one' | True PodsPendingEviction: 1 pod needs to be evicted in 1 namespace.",
                "NoExecute | 'driver':'d' | True PodsPendingEviction: 3 pods need to be evicted in 2 different "
                        + "namespaces.",
                "NoExecute | 'driver':'d','device':'two' | True PodsPendingEviction: 2 pods need to be evicted in 2 "
                        + "different namespaces.",
                "NoSchedule | 'driver':'d' | False OtherEffect: Eviction only happens for the NoExecute effect.",
                "None | 'device':'one' | False NoEffect: 1 published device selected. 1 allocated device selected. 1 "
                        + "pod would be evicted in 1 namespace if the effect was NoExecute. This information will not "
                        + "be updated again. Recreate the DeviceTaintRule to trigger an update.",
                "None | 'driver':'d' | False NoEffect: 2 published devices selected. 3 allocated devices selected. 3 "
                        + "pods would be evicted in 2 different namespaces if the effect was NoExecute. This "
                        + "information will not be updated again. Recreate the DeviceTaintRule to trigger an "
                        + "update."
            })
    void condition_countsWhatTheRuleSelects(String effect, String selector, String expected) {
        slices.with(object(
                "ResourceSlice",
                "",
                "s",
                "{'spec':{'driver':'d','pool':{'name':'p','generation':1},'devices':[{'name':'one'},"
                        + "{'name':'two'}]}}"));
        user("a", "p", "one");
        user("a", "q", "two");
        user("b", "r", "two");
        rule(effect, selector, "");

        assertThat(text().strip()).isEqualTo(expected);
        assertThat(written()).hasSize(1);
    }

    @Test
    void evictions_areCountedSinceTheStart() {
        rule("NoExecute", "'device':'one'", "");
        DeviceTaints.Expiry expiry = new DeviceTaints.Expiry(clock.instant(), Set.of("broken"));

        status.evicted(expiry);
        assertThat(text()).isEqualTo("False Completed: 1 pod evicted since starting the controller.");

        status.evicted(expiry);
        assertThat(text()).isEqualTo("False Completed: 2 pods evicted since starting the controller.");
        assertThat(queue.takeAdded()).containsOnly("broken after 10s");
    }

    @Test
    void condition_isNotWrittenAgainWithinTenSeconds_unlessTheRuleHasChanged() {
        String old = "{'type':'EvictionInProgress','status':'True','reason':'PodsPendingEviction','message':'m',"
                + "'observedGeneration':%d,'lastTransitionTime':'2026-01-01T00:00:00Z'}";
        rule("NoExecute", "'device':'one'", old.formatted(3));
        clock.advance(Duration.ofSeconds(4));
        status.sync(RULE);
        assertThat(written()).isEmpty();
        assertThat(queue.takeAdded()).containsExactly("broken after 6s");

        rule("NoExecute", "'device':'one'", old.formatted(2));
        assertThat(text()).isEqualTo("False NotStarted: ");

        rule("NoExecute", "'device':'one'", old.formatted(3));
        clock.advance(Duration.ofSeconds(6));
        assertThat(text()).isEqualTo("False NotStarted: ");
        assertThat(written()).hasSize(2);
    }
}
