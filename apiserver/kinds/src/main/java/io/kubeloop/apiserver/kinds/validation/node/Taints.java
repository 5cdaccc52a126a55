/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.node;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validation of taints. */
final class Taints {

    private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

    private Taints() {}

    static void check(String path, List<JsonObject> taints, FieldErrors errors) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < taints.size(); i++) {
            JsonObject taint = taints.get(i);
            String field = path + "[" + i + "]";
            String key = taint.string("key");
            String effect = taint.string("effect");
            errors.invalid(field + ".key", key, NameValidation.qualifiedName(key));
            List<String> problems = NameValidation.labelValue(taint.string("value"));
            if (!problems.isEmpty()) {
                errors.invalid(field + ".value", taint.string("value"), String.join(";", problems));
            }
            if (effect.isEmpty()) {
                errors.required(field + ".effect", "");
            } else {
                errors.oneOf(field + ".effect", effect, EFFECTS);
            }
            if (!seen.add(effect + "/" + key)) {
                errors.duplicate(field, shown(taint), "taints must be unique by key and effect pair");
            }
        }
    }

    /** Upstream's message shows all fields of its internal taint type. */
    private static JsonObject shown(JsonObject taint) {
        JsonValue added = taint.get("timeAdded");
        return JsonObject.builder()
                .put("Key", taint.string("key"))
                .put("Value", taint.string("value"))
                .put("Effect", taint.string("effect"))
                .put("TimeAdded", added == null ? JsonNull.NULL : added)
                .build();
    }
}
