/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.statefulset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodSpec;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Compares the owners of claims with those of Kubernetes' own functions, recorded by {@code e2e/record-sets.sh}. */
class ClaimOwnersTest {

    @TestFactory
    Stream<DynamicTest> owners_areThoseOfUpstream() throws IOException {
        List<JsonObject> vectors = vectors();
        assertThat(vectors).hasSizeGreaterThan(200);
        return vectors.stream()
                .map(vector -> DynamicTest.dynamicTest(vector.toString(), () -> {
                    PersistentVolumeClaim claim = PersistentVolumeClaim.of(ObjectMetaBuilder.builder()
                            .name("data-db-1")
                            .ownerReferences(owners(vector, "owners"))
                            .build());
                    Pod pod = Pod.of(
                            ObjectMetaBuilder.builder()
                                    .name("db-1")
                                    .uid(vector.string("podUid"))
                                    .build(),
                            PodSpec.EMPTY,
                            PodStatus.EMPTY);
                    ClaimOwners owners = new ClaimOwners(claim, set(vector), pod);

                    assertThat(owners.areUpToDate()).isEqualTo(vector.bool("upToDate"));
                    assertThat(owners.hasOtherController()).isEqualTo(vector.bool("otherController"));
                    assertThat(owners.areOfEarlierPod()).isEqualTo(vector.bool("earlierPod"));
                    assertThat(owners.updated().metadata().ownerReferences()).isEqualTo(owners(vector, "updated"));
                }));
    }

    private static StatefulSet set(JsonObject vector) {
        String json = """
                {"metadata":{"name":"db","uid":"s1"},
                 "spec":{"replicas":%d,"ordinals":{"start":%d},
                         "persistentVolumeClaimRetentionPolicy":{"whenScaled":"%s","whenDeleted":"%s"}}}""".formatted(
                        vector.number("replicas"),
                        vector.number("start"),
                        vector.string("whenScaled"),
                        vector.string("whenDeleted"));
        return JsonCodec.standard()
                .decode(ResourceTypes.STATEFUL_SETS, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<OwnerReference> owners(JsonObject vector, String member) {
        return vector.array(member)
                .objects()
                .map(owner -> new OwnerReference(
                        owner.string("apiVersion"),
                        owner.string("kind"),
                        owner.string("name"),
                        owner.string("uid"),
                        owner.has("controller") ? owner.bool("controller") : null,
                        owner.has("blockOwnerDeletion") ? owner.bool("blockOwnerDeletion") : null,
                        UnknownFields.NONE))
                .toList();
    }

    private static List<JsonObject> vectors() throws IOException {
        try (InputStream in = ClaimOwnersTest.class.getResourceAsStream("/vectors/claim-owners.json")) {
            String list = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return JsonObject.parse("{\"list\":" + list + "}")
                    .array("list")
                    .objects()
                    .toList();
        }
    }
}
