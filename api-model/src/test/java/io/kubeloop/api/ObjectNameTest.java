/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodSpec;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.testing.Vectors;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** KEY-01, KEY-04, KEY-06. Tombstones and keys given as text belong to the cache. */
class ObjectNameTest {

    @TestFactory
    Stream<DynamicTest> vectors() {
        return Vectors.load(ObjectNameTest.class, "object-keys").stream()
                .filter(c -> !c.input().containsKey("tombstone") && !c.input().containsKey("explicitKey"))
                .map(c -> DynamicTest.dynamicTest(c.name(), () -> check(c.input(), c.expected())));
    }

    private static void check(Map<String, Object> input, Map<String, Object> expected) {
        String text = (String) input.get("split");
        if (text == null) {
            Pod pod = Pod.of(
                    ObjectMeta.named(
                            (String) input.getOrDefault("namespace", ""), (String) input.getOrDefault("name", "")),
                    PodSpec.EMPTY,
                    PodStatus.EMPTY);
            assertThat(pod.objectName()).hasToString((String) expected.get("key"));
        } else if (expected.containsKey("error")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ObjectName.parse(text))
                    .withMessageContaining("\"" + text + "\"");
        } else {
            assertThat(ObjectName.parse(text))
                    .isEqualTo(new ObjectName((String) expected.get("namespace"), (String) expected.get("name")));
        }
    }
}
