/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Reads and sets the conditions of a definition. Static functions only. */
public final class DefinitionConditions {

    /** Whether all requested names are in use. */
    public static final String NAMES_ACCEPTED = "NamesAccepted";
    /** Whether the resource is served. */
    public static final String ESTABLISHED = "Established";
    /** Whether the objects are being deleted together with the definition. */
    public static final String TERMINATING = "Terminating";
    /** Whether a definition in a group of the Kubernetes community is approved. */
    public static final String APPROVED = "KubernetesAPIApprovalPolicyConformant";

    private DefinitionConditions() {}

    /**
     * A condition without its time.
     *
     * @param type the type, such as {@link #ESTABLISHED}
     * @param status {@code True}, {@code False} or {@code Unknown}
     * @param reason the reason in one word
     * @param message the reason for people
     */
    public record Condition(String type, String status, String reason, String message) {}

    /** Returns the condition of a type; empty if it is absent. */
    static JsonObject find(JsonObject definition, String type) {
        return definition
                .array("status", "conditions")
                .objects()
                .filter(condition -> condition.string("type").equals(type))
                .findFirst()
                .orElse(JsonObject.EMPTY);
    }

    /** Returns whether a definition has a condition with this status, reason and message. */
    static boolean has(JsonObject definition, Condition condition) {
        JsonObject found = find(definition, condition.type());
        return found.string("status").equals(condition.status())
                && found.string("reason").equals(condition.reason())
                && found.string("message").equals(condition.message());
    }

    /**
     * Returns the definition with a condition. The time changes only with the status.
     *
     * @param now the current time in the form of the API
     */
    static JsonObject with(JsonObject definition, Condition condition, String now) {
        JsonObject before = find(definition, condition.type());
        boolean kept = before.string("status").equals(condition.status())
                && !before.string("lastTransitionTime").isEmpty();
        JsonObject changed = JsonObject.builder()
                .put("type", condition.type())
                .put("status", condition.status())
                .put("lastTransitionTime", kept ? before.string("lastTransitionTime") : now)
                .put("reason", condition.reason())
                .put("message", condition.message())
                .build();
        List<JsonObject> conditions = new ArrayList<>(
                definition.array("status", "conditions").objects().toList());
        int index = conditions.indexOf(before);
        if (index < 0) {
            conditions.add(changed);
        } else {
            conditions.set(index, changed);
        }
        JsonObject status = definition.object("status").with("conditions", JsonArray.of(conditions));
        return definition.with("status", status);
    }
}
