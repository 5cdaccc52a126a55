/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.resourceclaim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClaimMetricsTest {

    private static final ObjectName NAME = new ObjectName("default", "c");

    private final List<String> recorded = new ArrayList<>();
    private final ClaimMetrics metrics = new ClaimMetrics((metric, value, labels) ->
            recorded.add(metric.name() + " " + (int) value + " " + String.join(",", labels)));

    private static GenericObject claim(Map<String, String> annotations, String content) {
        OwnerReference pod = new OwnerReference("v1", "Pod", "p", "u", true, null, UnknownFields.NONE);
        return new GenericObject(
                ClaimReading.CLAIMS.apiVersion(),
                ClaimReading.CLAIMS.kind(),
                ObjectMetaBuilder.builder()
                        .name("c")
                        .annotations(annotations)
                        .ownerReferences(List.of(pod))
                        .build(),
                JsonObject.parse(content).toUnknownFields());
    }

    @Test
    void claims_areCountedByTheirState() {
        Map<String, String> ofTemplate = Map.of(ClaimReading.POD_CLAIM_NAME, "gpu");
        metrics.state(NAME, claim(ofTemplate, "{}"));
        metrics.state(NAME, claim(ofTemplate, "{\"metadata\":{}}"));
        metrics.state(new ObjectName("default", "d"), claim(ofTemplate, "{}"));
        metrics.state(NAME, claim(ofTemplate, "{\"status\":{\"allocation\":{}}}"));
        metrics.state(NAME, null);

        String gauge = "dynamic_resource_allocation_resource_claims ";
        assertThat(recorded)
                .containsExactly(
                        gauge + "1 false,false,resource_claim_template",
                        gauge + "2 false,false,resource_claim_template",
                        gauge + "1 false,false,resource_claim_template",
                        gauge + "1 true,false,resource_claim_template",
                        gauge + "0 true,false,resource_claim_template");
    }

    @Test
    void origin_isThatOfTheAnnotations_andAccessThatOfAnyRequest() {
        metrics.state(NAME, claim(Map.of("resource.kubernetes.io/extended-resource-claim", "true"), """
                {"spec":{"devices":{"requests":[{"name":"a"},{"name":"b","exactly":{"adminAccess":true}}]}}}"""));
        metrics.state(new ObjectName("default", "d"), claim(Map.of(), "{}"));

        assertThat(recorded)
                .containsExactly(
                        "dynamic_resource_allocation_resource_claims 1 false,true,extended_resource",
                        "dynamic_resource_allocation_resource_claims 1 false,false,");
    }

    @Test
    void creations_areCountedByTheirResult() {
        GenericObject claim = claim(Map.of(), "{}");
        assertThat(metrics.create(claim, () -> claim)).isSameAs(claim);
        assertThatThrownBy(() -> metrics.create(claim, () -> {
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");

        assertThat(recorded)
                .containsExactly(
                        "dynamic_resource_allocation_resourceclaim_creates_total 1 success,false,,Pod",
                        "dynamic_resource_allocation_resourceclaim_creates_total 1 failure,false,,Pod");
    }
}
