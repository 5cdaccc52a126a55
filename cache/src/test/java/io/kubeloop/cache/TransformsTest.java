/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodSpec;
import io.kubeloop.api.core.PodStatus;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TransformsTest {

    private static final String MANAGED =
            "\"managedFields\":[{\"manager\":\"kubectl\",\"fieldsV1\":{\"f:spec\":{\"f:\\\"]\":{}}}}]";
    private static final Map<String, String> ANNOTATIONS =
            Map.of("kubectl.kubernetes.io/last-applied-configuration", "{}", "team", "shop");

    private static ObjectMeta metadata(String unknown) {
        return ObjectMetaBuilder.builder()
                .namespace("shop")
                .name("web")
                .resourceVersion("7")
                .annotations(ANNOTATIONS)
                .unknownFields(UnknownFields.ofMembers(unknown))
                .build();
    }

    @Test
    void stripManagedFields_leavesEverythingElse() {
        Pod pod = Pod.of(metadata(MANAGED + ",\"selfLink\":\"/x\""), PodSpec.EMPTY, PodStatus.EMPTY);
        assertThat(Transforms.stripManagedFields(pod)).isEqualTo(pod.withMetadata(metadata("\"selfLink\":\"/x\"")));
        GenericObject generic = new GenericObject(
                "v1", "ConfigMap", metadata(MANAGED), UnknownFields.ofMembers("\"data\":{\"managedFields\":\"mine\"}"));
        assertThat(Transforms.stripManagedFields(generic)).isEqualTo(generic.withMetadata(metadata("")));
    }

    @Test
    void stripManagedFields_whereThereAreNone_isTheSameInstance() {
        Pod pod = Pod.of(metadata("\"selfLink\":\"/x\""), PodSpec.EMPTY, PodStatus.EMPTY);
        assertThat(Transforms.stripManagedFields(pod)).isSameAs(pod);
    }

    @Test
    void stripLastApplied_leavesTheOtherAnnotations() {
        Pod pod = Pod.of(metadata(MANAGED), PodSpec.EMPTY, PodStatus.EMPTY);
        Pod stripped = Transforms.stripLastApplied(pod);
        assertThat(stripped.metadata().annotations()).isEqualTo(Map.of("team", "shop"));
        assertThat(stripped.metadata().unknownFields()).hasToString("{" + MANAGED + "}");
        assertThat(Transforms.stripLastApplied(stripped)).isSameAs(stripped);
    }

    @Test
    void andThen_doesOneAfterTheOther() {
        ObjectTransform both = ((ObjectTransform) Transforms::stripManagedFields).andThen(Transforms::stripLastApplied);
        Pod pod = Pod.of(metadata(MANAGED), PodSpec.EMPTY, PodStatus.EMPTY);
        Pod stripped = both.apply(pod);
        assertThat(stripped.metadata().unknownFields()).isSameAs(UnknownFields.NONE);
        assertThat(stripped.metadata().annotations()).isEqualTo(Map.of("team", "shop"));
        ObjectTransform nothing = Transforms::identity;
        assertThat(nothing.andThen(nothing).<KubeObject>apply(pod)).isSameAs(pod);
    }
}
