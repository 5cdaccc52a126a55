/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.statefulset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.fake.FakeLister;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.fake.FakeTransport;
import io.kubeloop.controller.fake.Fault;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.Json;
import io.kubeloop.testing.ManualClock;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class VolumeClaimsTest {

    private static final String CLAIM = """
            {"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"data-db-0","namespace":"n","uid":"c",
             "resourceVersion":"%s"%s}}""";

    private final FakeTransport server = new FakeTransport();
    private final FakeLister<PersistentVolumeClaim> cache = new FakeLister<>();
    private final VolumeClaims claims = new VolumeClaims(
            KubeClient.of(server, JsonCodec.standard()).resource(ResourceTypes.PERSISTENT_VOLUME_CLAIMS),
            cache,
            new FakeRecorder(),
            new WriteBarrier(new ManualClock(Instant.EPOCH), key -> {}, resource -> {})
                    .follow(ResourceTypes.PERSISTENT_VOLUME_CLAIMS, cache));

    private static <T extends KubeObject> T object(ResourceType<T> type, String json) {
        return JsonCodec.standard().decode(type, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    }

    @SuppressWarnings("unchecked")
    private void serverHas(String claim) {
        server.with(
                "persistentvolumeclaims", (Map<String, @Nullable Object>) Objects.requireNonNull(Json.parse(claim)));
    }

    @Test
    void updateOwners_claimThatAnotherControllerChangedMeanwhile_isReadAndWrittenAgain() {
        StatefulSet set = object(ResourceTypes.STATEFUL_SETS, """
                {"metadata":{"name":"db","namespace":"n","uid":"s"},"spec":{"replicas":1,
                 "volumeClaimTemplates":[{"metadata":{"name":"data"}}],
                 "persistentVolumeClaimRetentionPolicy":{"whenScaled":"Retain","whenDeleted":"Delete"}}}""");
        Pod pod = object(ResourceTypes.PODS, "{\"metadata\":{\"name\":\"db-0\",\"namespace\":\"n\",\"uid\":\"p\"}}");
        cache.with(object(ResourceTypes.PERSISTENT_VOLUME_CLAIMS, CLAIM.formatted("1", "")));
        serverHas(CLAIM.formatted("2", ",\"finalizers\":[\"kubernetes.io/pvc-protection\"]"));
        server.with(Fault.of("update", "persistentvolumeclaims", 409, "Conflict", "changed")
                .onCalls(1, 1));

        claims.updateOwners(set, pod);

        assertThat(server.actions("update", "persistentvolumeclaims")).hasSize(2);
        assertThat(server.actions("update", "persistentvolumeclaims").get(1).body())
                .contains("\"resourceVersion\":\"2\"", "kubernetes.io/pvc-protection", "\"uid\":\"s\"");
    }
}
