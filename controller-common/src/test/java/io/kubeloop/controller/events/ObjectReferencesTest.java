/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.testing.Vectors;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** EV-03. */
class ObjectReferencesTest {

    @TestFactory
    @SuppressWarnings("unchecked")
    Stream<DynamicTest> vectors() {
        return Vectors.tests(getClass(), "object-reference", vector -> {
            Map<String, Object> object = (Map<String, Object>) vector.input().get("object");
            String fieldPath = (String) vector.input().getOrDefault("fieldPath", "");
            assertThat(EventVectorObjects.toJson(EventVectorObjects.reference(object, fieldPath)))
                    .isEqualTo(vector.expected().get("reference"));
        });
    }
}
