/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The conditions that kube-apiserver 1.36.3 sets. */
class ConditionRulesTest {

    private static final String NOW = "2020-01-02T03:04:05Z";

    private static final JsonObject SCHEMA =
            JsonObject.parse("{\"spec\":{\"priorityLevelConfiguration\":{\"name\":\"level\"}}}");

    private static List<String> texts(JsonObject object) {
        return object.array("status", "conditions")
                .objects()
                .map(condition -> condition.string("type") + "=" + condition.string("status") + " "
                        + condition.string("reason") + ": " + condition.string("message"))
                .toList();
    }

    @Test
    void aSchemaWithoutItsLevelDangles() {
        JsonObject dangling = Objects.requireNonNull(ConditionRules.dangling(SCHEMA, level -> false, NOW));
        assertThat(texts(dangling))
                .containsExactly(
                        "Dangling=True NotFound: This FlowSchema references the PriorityLevelConfiguration object"
                                + " named \"level\" but there is no such object");

        assertThat(ConditionRules.dangling(dangling, level -> false, "later")).isNull();
        JsonObject found = Objects.requireNonNull(ConditionRules.dangling(dangling, level -> true, NOW));
        assertThat(texts(found))
                .containsExactly(
                        "Dangling=False Found: This FlowSchema references the PriorityLevelConfiguration object"
                                + " named \"level\" and it exists");
        assertThat(found.array("metadata", "managedFields").size()).isEqualTo(1);
    }

    @Test
    void aLocalApiServiceIsAvailable() {
        JsonObject api = JsonObject.parse("{\"spec\":{\"group\":\"g\"}}");
        assertThat(texts(Objects.requireNonNull(ConditionRules.available(api, service -> false, NOW))))
                .containsExactly("Available=True Local: Local APIServices are always available");
    }

    @Test
    void anApiServiceNeedsItsService() {
        JsonObject api = JsonObject.parse("{\"spec\":{\"service\":{\"namespace\":\"n\",\"name\":\"s\"}}}");
        assertThat(texts(Objects.requireNonNull(ConditionRules.available(api, service -> false, NOW))))
                .containsExactly("Available=False ServiceNotFound: service/s in \"n\" is not present");
        assertThat(ConditionRules.available(api, service -> true, NOW)).isNull();
    }
}
