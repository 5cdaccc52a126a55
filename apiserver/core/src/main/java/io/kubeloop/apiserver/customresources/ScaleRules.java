/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources;

import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.rest.ScalePaths;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.json.typed.GoText;
import io.kubeloop.json.typed.NumberText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks the fields that the scale subresource of a custom resource shows. Static functions only. */
final class ScaleRules {

    private ScaleRules() {}

    static void checkSpec(ScalePaths scale, JsonObject object, FieldErrors errors) {
        checkReplicas(scale.specReplicas(), object, errors);
    }

    static void checkStatus(ScalePaths scale, JsonObject object, FieldErrors errors) {
        checkReplicas(scale.statusReplicas(), object, errors);
        if (!scale.selector().isEmpty()) {
            JsonValue selector = find(scale.selector(), object, errors, "\"\"");
            if (selector != null && !(selector instanceof JsonString)) {
                errors.invalid(path(scale.selector()), "", wrongType(scale.selector(), selector, "string"));
            }
        }
    }

    private static void checkReplicas(List<String> path, JsonObject object, FieldErrors errors) {
        JsonValue found = find(path, object, errors, "0");
        if (found == null) {
            return;
        }
        if (!(found instanceof JsonNumber number) || !NumberText.isInteger(number)) {
            errors.invalidLiteral(path(path), "0", wrongType(path, found, "int64"));
            return;
        }
        long replicas = NumberText.toLong(number);
        if (replicas < 0) {
            errors.invalid(path(path), number, "should be a non-negative integer");
        } else if (replicas > Integer.MAX_VALUE) {
            errors.invalid(path(path), number, "should be less than or equal to " + Integer.MAX_VALUE);
        }
    }

    /** Returns the value at a path; null if it is absent, or if an error was added because it is below a scalar. */
    private static @Nullable JsonValue find(List<String> path, JsonObject object, FieldErrors errors, String shown) {
        JsonValue value = object;
        for (int i = 0; i < path.size(); i++) {
            if (!(value instanceof JsonObject parent)) {
                errors.invalidLiteral(
                        path(path), shown, wrongType(path.subList(0, i + 1), value, "map[string]interface{}"));
                return null;
            }
            value = parent.get(path.get(i));
            if (value == null || value == JsonNull.NULL) {
                return null;
            }
        }
        return value;
    }

    private static String path(List<String> path) {
        return "." + String.join(".", path);
    }

    private static String wrongType(List<String> path, JsonValue value, String expected) {
        return path(path) + " accessor error: " + GoText.plain(value) + " is of the type " + GoText.type(value)
                + ", expected " + expected;
    }
}
