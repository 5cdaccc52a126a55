/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ApplyPatchTest {

    private static ApplyPatch patch() {
        return ApplyPatch.of(ResourceTypes.DEPLOYMENTS, new ObjectName("shop", "web"));
    }

    private static String body(ApplyPatch patch) {
        Patch made = patch.toPatch("cards", true);
        assertThat(made.type()).isEqualTo(Patch.Type.APPLY);
        assertThat(made.fieldManager()).isEqualTo("cards");
        assertThat(made.force()).isTrue();
        return new String(made.body(), StandardCharsets.UTF_8);
    }

    @Test
    void setFields_areSentWithTheirZeros() {
        ApplyPatch patch = patch().set("spec.replicas", 0)
                .set("spec.paused", false)
                .set("spec.template.spec.nodeName", "")
                .set("metadata.labels", Map.of("example.com/a", "\"b\""))
                .set("spec.list", Arrays.asList(1, 2.5, null, List.of(), Map.of()))
                .set("spec.none", null);
        assertThat(body(patch))
                .isEqualTo("{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"web\","
                        + "\"namespace\":\"shop\",\"labels\":{\"example.com/a\":\"\\\"b\\\"\"}},"
                        + "\"spec\":{\"replicas\":0,"
                        + "\"paused\":false,\"template\":{\"spec\":{\"nodeName\":\"\"}},\"list\":[1,2.5,null,[],{}],"
                        + "\"none\":null}}");
    }

    @Test
    void cluster_hasNoNamespace() {
        assertThat(body(ApplyPatch.of(ResourceTypes.NODES, new ObjectName("", "n"))))
                .isEqualTo("{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"}}");
    }

    @Test
    void laterValue_replacesTheEarlierOne_andMapsAreCopied() {
        Map<String, Object> labels = new HashMap<>(Map.of("a", "1"));
        ApplyPatch patch = patch().set("metadata.labels", labels)
                .set("metadata.labels.b", "2")
                .set("spec.replicas", 1);
        labels.put("c", "3");
        patch.set("spec.replicas", 2);
        assertThat(body(patch)).contains("\"labels\":{\"a\":\"1\",\"b\":\"2\"}", "\"replicas\":2}");
    }

    @Test
    void wrongPathsAndValues_areRefused() {
        assertThatThrownBy(() -> patch().set("spec..replicas", 1)).hasMessageContaining("has an empty name");
        assertThatThrownBy(() -> patch().set("", 1)).hasMessageContaining("has an empty name");
        assertThatThrownBy(() -> patch().set("kind.name", 1)).hasMessageContaining("kind is already set to Deployment");
        assertThatThrownBy(() -> patch().set("spec.at", new Object())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> patch().set("spec.at", Double.NaN)).hasMessageContaining("no form for NaN");
        assertThatThrownBy(() -> patch().set("spec.at", Map.of(1, 2))).isInstanceOf(IllegalArgumentException.class);
    }
}
