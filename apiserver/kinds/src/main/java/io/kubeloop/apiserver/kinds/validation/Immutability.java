/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/** The rule for immutable ConfigMaps and Secrets: the flag and the content cannot change. */
public final class Immutability {

    private Immutability() {}

    /** Checks that an immutable object keeps its flag and the content of these fields. */
    public static void check(JsonObject object, JsonObject old, List<String> content, FieldErrors errors) {
        if (!old.bool("immutable")) {
            return;
        }
        if (!object.bool("immutable")) {
            errors.forbidden("immutable", "field is immutable when `immutable` is set");
        }
        for (String field : content) {
            if (!object.object(field).equals(old.object(field))) {
                errors.forbidden(field, "field is immutable when `immutable` is set");
            }
        }
    }
}
