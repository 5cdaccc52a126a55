/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ObjectName;
import io.kubeloop.testing.Vectors;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Keys as upstream makes them (KEY-01, KEY-04 to KEY-07). */
class ObjectKeyVectorsTest {

    @TestFactory
    Stream<DynamicTest> keys() {
        // KEY-01, KEY-04, KEY-05, KEY-06
        return Vectors.tests(getClass(), "object-keys", vector -> check(vector.input(), vector.expected()));
    }

    private static void check(Map<String, Object> input, Map<String, Object> expected) {
        if (!input.containsKey("split")) {
            assertThat(keyOf(input)).isEqualTo(expected.get("key"));
        } else if (expected.containsKey("error")) {
            // The recorded text has the key as Go quotes it; only the existence of an error is compared.
            assertThatThrownBy(() -> ObjectName.parse((String) input.get("split")))
                    .isInstanceOf(IllegalArgumentException.class);
        } else {
            ObjectName name = ObjectName.parse((String) input.get("split"));
            assertThat(name.namespace()).isEqualTo(expected.get("namespace"));
            assertThat(name.name()).isEqualTo(expected.get("name"));
        }
    }

    private static String keyOf(Map<String, Object> input) {
        ObjectName name = input.containsKey("explicitKey")
                ? new ObjectName("", (String) input.get("explicitKey"))
                : new ObjectName((String) input.getOrDefault("namespace", ""), (String) input.getOrDefault("name", ""));
        DeletedObject<Object> deleted = input.containsKey("tombstone")
                ? new DeletedFinalStateUnknown<>(ObjectName.parse((String) input.get("tombstone")), name)
                : new DeletedObject.Observed<>(name, name);
        return deleted.name().toString();
    }
}
