/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.core.ServiceSpecBuilder;
import io.kubeloop.testing.Vectors;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The exact patch texts by which pods are adopted and released. */
class ControllerRefsTest {

    @TestFactory
    Stream<DynamicTest> adoptionPatch_vectors() {
        return ofKind("adoptText", input -> {
            OwnerReference owner = new OwnerReference(
                    (String) input.get("apiVersion"),
                    (String) input.get("ownerKind"),
                    (String) input.get("ownerName"),
                    (String) input.get("ownerUID"),
                    true,
                    true,
                    UnknownFields.NONE);
            return ControllerRefs.adoptionPatch(owner, (String) input.get("uid"));
        });
    }

    @TestFactory
    @SuppressWarnings("unchecked")
    Stream<DynamicTest> releasePatch_vectors() {
        return ofKind(
                "releaseText",
                input -> ControllerRefs.releasePatch((String) input.get("uid"), (List<String>) input.get("ownerUIDs")));
    }

    @Test
    void finalizers_areAddedAndRemovedWithTheReference() {
        OwnerReference owner = new OwnerReference("batch/v1", "Job", "j", "u", true, true, UnknownFields.NONE);
        assertThat(ControllerRefs.adoptionPatch(owner, "p", List.of("f")))
                .endsWith("\"blockOwnerDeletion\":true}],\"uid\":\"p\",\"finalizers\":[\"f\"]}}");
        assertThat(ControllerRefs.releasePatch("p", List.of("u"), List.of("f")))
                .endsWith("\"uid\":\"u\"}],\"$deleteFromPrimitiveList/finalizers\":[\"f\"]}}");
    }

    private static Service service(String namespace, String uid) {
        return Service.of(
                ObjectMetaBuilder.builder(ObjectMeta.named(namespace, "owner"))
                        .uid(uid)
                        .build(),
                ServiceSpecBuilder.builder().build());
    }

    @Test
    void withController_addsOrReplacesTheReference() {
        OwnerReference other = new OwnerReference("v1", "Node", "n", "other", null, null, UnknownFields.NONE);
        OwnerReference stale = new OwnerReference("v1", "Service", "owner", "u", null, null, UnknownFields.NONE);
        ConfigMap child = ConfigMap.of(
                ObjectMetaBuilder.builder(ObjectMeta.named("shop", "child"))
                        .ownerReferences(List.of(other, stale))
                        .build(),
                Map.of());
        ConfigMap owned = ControllerRefs.withController(child, ResourceTypes.SERVICES, service("shop", "u"));
        assertThat(owned.metadata().ownerReferences())
                .containsExactly(
                        other, new OwnerReference("v1", "Service", "owner", "u", true, true, UnknownFields.NONE));
        assertThat(ControllerRefs.withController(owned, ResourceTypes.SERVICES, service("shop", "u")))
                .isEqualTo(owned);
        assertThatThrownBy(() -> ControllerRefs.withController(owned, ResourceTypes.SERVICES, service("shop", "v")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Service owner is its controller already");
    }

    @Test
    void withController_refusesOwnersThatTheCollectorWouldNotFind() {
        ConfigMap child = ConfigMap.of(ObjectMeta.named("shop", "child"), Map.of());
        ConfigMap ofCluster = ConfigMap.of(ObjectMeta.named("", "child"), Map.of());
        assertThatThrownBy(() -> ControllerRefs.withController(child, ResourceTypes.SERVICES, service("shop", "")))
                .hasMessageContaining("it has no UID");
        assertThatThrownBy(() -> ControllerRefs.withController(child, ResourceTypes.SERVICES, service("other", "u")))
                .hasMessageContaining("needs dependents in this namespace");
        assertThatThrownBy(() -> ControllerRefs.withController(ofCluster, ResourceTypes.SERVICES, service("a", "u")))
                .hasMessageContaining("needs dependents in this namespace");
    }

    private Stream<DynamicTest> ofKind(String kind, Function<Map<String, Object>, String> text) {
        return Vectors.load(getClass(), "patches").stream()
                .filter(vector -> vector.input().get("kind").equals(kind))
                .map(vector -> DynamicTest.dynamicTest(
                        vector.name(),
                        () -> assertThat(text.apply(vector.input()))
                                .isEqualTo(vector.expected().get("text"))));
    }
}
