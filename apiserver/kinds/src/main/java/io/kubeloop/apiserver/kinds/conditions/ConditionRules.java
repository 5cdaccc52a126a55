/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.conditions;

import io.kubeloop.api.ObjectName;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Computes the conditions, with the fields that their writers own. */
final class ConditionRules {

    private static final List<String> PATH = List.of("status", "conditions");

    /** The fields of a condition, in the form of managed fields. */
    private static final JsonObject FIELDS = JsonObject.parse("""
            {".":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}}
            """);

    private ConditionRules() {}

    /** Returns a flow schema with the condition whether its priority level is missing; null if it has the condition. */
    static @Nullable JsonObject dangling(JsonObject schema, Predicate<String> exists, String time) {
        String level = schema.string("spec", "priorityLevelConfiguration", "name");
        boolean found = exists.test(level);
        JsonObject condition = JsonObject.EMPTY
                .with("type", "Dangling")
                .with("status", found ? "False" : "True")
                .with("lastTransitionTime", time)
                .with("reason", found ? "Found" : "NotFound")
                .with(
                        "message",
                        "This FlowSchema references the PriorityLevelConfiguration object named \"" + level + "\" "
                                + (found ? "and it exists" : "but there is no such object"));
        JsonObject next = with(schema, condition, false);
        return next == null ? null : owned(next, schema, "api-priority-and-fairness-config-consumer-v1", "Apply", time);
    }

    /**
     * Returns an API service with the condition whether it is available; null if it has the condition. The condition of
     * an API service whose service exists is not changed: the front end that forwards requests keeps it.
     */
    static @Nullable JsonObject available(JsonObject api, Predicate<ObjectName> exists, String time) {
        JsonObject target = api.object("spec", "service");
        ObjectName name = new ObjectName(target.string("namespace"), target.string("name"));
        boolean isLocal = !api.object("spec").has("service");
        if (!isLocal && exists.test(name)) {
            return null;
        }
        JsonObject condition = JsonObject.EMPTY
                .with("type", "Available")
                .with("status", isLocal ? "True" : "False")
                .with("lastTransitionTime", time)
                .with("reason", isLocal ? "Local" : "ServiceNotFound")
                .with(
                        "message",
                        isLocal
                                ? "Local APIServices are always available"
                                : "service/" + name.name() + " in \"" + name.namespace() + "\" is not present");
        JsonObject next = with(api, condition, true);
        return next == null ? null : owned(next, api, "kube-apiserver", "Update", time);
    }

    /** Returns the object with a condition in place of that of the same type; null if it has the same already. */
    private static @Nullable JsonObject with(JsonObject object, JsonObject condition, boolean keepsTime) {
        List<JsonObject> conditions =
                new ArrayList<>(object.array("status", "conditions").objects().toList());
        for (int i = 0; i < conditions.size(); i++) {
            JsonObject before = conditions.get(i);
            if (!before.string("type").equals(condition.string("type"))) {
                continue;
            }
            String since = before.string("lastTransitionTime");
            if (before.equals(condition.with("lastTransitionTime", since))) {
                return null;
            }
            boolean keeps = keepsTime && before.string("status").equals(condition.string("status"));
            conditions.set(i, keeps ? condition.with("lastTransitionTime", since) : condition);
            return object.with(PATH, JsonArray.of(conditions));
        }
        conditions.add(condition);
        return object.with(PATH, JsonArray.of(conditions));
    }

    /** Adds the manager of the condition. The list itself belongs to the first manager, unless that manager applies. */
    private static JsonObject owned(
            JsonObject object, JsonObject before, String manager, String operation, String time) {
        boolean isApply = operation.equals("Apply");
        JsonObject owned = isApply || !before.array("status", "conditions").isEmpty()
                ? JsonObject.EMPTY
                : JsonObject.EMPTY.with(".", JsonObject.EMPTY);
        owned = owned.with("k:{\"type\":\"" + (isApply ? "Dangling" : "Available") + "\"}", FIELDS);
        JsonObject entry = JsonObject.EMPTY
                .with("manager", manager)
                .with("operation", operation)
                .with("apiVersion", object.string("apiVersion"))
                .with("time", time)
                .with("fieldsType", "FieldsV1")
                .with("fieldsV1", JsonObject.EMPTY.with("f:status", JsonObject.EMPTY.with("f:conditions", owned)))
                .with("subresource", "status");
        List<JsonObject> entries = new ArrayList<>(Meta.of(object)
                .array("managedFields")
                .objects()
                .filter(other -> !other.string("manager").equals(manager)
                        || !other.string("subresource").equals("status"))
                .toList());
        entries.add(isApply ? 0 : entries.size(), entry); // applies come first
        return Meta.with(object, "managedFields", JsonArray.of(entries));
    }
}
