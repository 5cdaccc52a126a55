/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.node;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;

/** Validation of node annotations that fields have replaced, and that upstream still checks. */
final class NodeAnnotations {

    private static final String TAINTS = "scheduler.alpha.kubernetes.io/taints";
    private static final String AVOIDED = "scheduler.alpha.kubernetes.io/preferAvoidPods";
    private static final String FIELD = "metadata.annotations";

    private NodeAnnotations() {}

    static void check(JsonObject annotations, FieldErrors errors) {
        String taints = annotations.string(TAINTS);
        if (!taints.isEmpty()) {
            taints(taints, errors);
        }
        String avoided = annotations.string(AVOIDED);
        if (!avoided.isEmpty()) {
            avoided(avoided, errors);
        }
    }

    private static void taints(String text, FieldErrors errors) {
        try {
            if (JsonValue.parse(text) instanceof JsonArray taints) {
                Taints.check(FIELD + "." + TAINTS, taints.objects().toList(), errors);
                return;
            }
        } catch (DecodeException e) {
            // The annotation is not JSON, so that it contains no taints.
        }
        errors.invalid(FIELD, TAINTS, "must be a list of taints in JSON");
    }

    private static void avoided(String text, FieldErrors errors) {
        try {
            if (JsonValue.parse(text) instanceof JsonObject preferences) {
                List<JsonObject> entries =
                        preferences.array("preferAvoidPods").objects().toList();
                for (int i = 0; i < entries.size(); i++) {
                    entry(FIELD + "." + AVOIDED + "[" + i + "].PodSignature", entries.get(i), errors);
                }
                return;
            }
        } catch (DecodeException e) {
            // The annotation is not JSON, so that it contains no preferences.
        }
        errors.invalid(FIELD + ".AvoidPods", AVOIDED, "must be an object in JSON");
    }

    private static void entry(String field, JsonObject entry, FieldErrors errors) {
        JsonObject owner = entry.object("podSignature", "podController");
        if (owner.isEmpty()) {
            errors.required(field, "");
        } else if (!owner.bool("controller")) {
            errors.invalid(field + ".PodController.Controller", JsonBoolean.FALSE, "must point to a controller");
        }
    }
}
