/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.UnknownFields;
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

    private Stream<DynamicTest> ofKind(String kind, Function<Map<String, Object>, String> text) {
        return Vectors.load(getClass(), "patches").stream()
                .filter(vector -> vector.input().get("kind").equals(kind))
                .map(vector -> DynamicTest.dynamicTest(
                        vector.name(),
                        () -> assertThat(text.apply(vector.input()))
                                .isEqualTo(vector.expected().get("text"))));
    }
}
