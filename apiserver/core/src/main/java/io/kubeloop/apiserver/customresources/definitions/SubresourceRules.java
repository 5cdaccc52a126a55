/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/** The rules of the paths of the scale subresource. Static functions only. */
final class SubresourceRules {

    private SubresourceRules() {}

    static void check(String path, JsonObject subresources, FieldErrors problems) {
        if (!(subresources.get("scale") instanceof JsonObject scale)) {
            return;
        }
        checkPath(
                path + ".scale.specReplicasPath",
                scale.string("specReplicasPath"),
                List.of(".spec."),
                ".spec",
                problems);
        checkPath(
                path + ".scale.statusReplicasPath",
                scale.string("statusReplicasPath"),
                List.of(".status."),
                ".status",
                problems);
        String selector = scale.string("labelSelectorPath");
        if (!selector.isEmpty()) {
            checkPath(
                    path + ".scale.labelSelectorPath",
                    selector,
                    List.of(".spec.", ".status."),
                    "either .spec or .status",
                    problems);
        }
    }

    private static void checkPath(String path, String value, List<String> parents, String where, FieldErrors problems) {
        if (value.isEmpty()) {
            problems.required(path, "");
        } else if (!value.startsWith(".")) {
            problems.invalid(path, value, "must be a simple json path starting with .");
        } else if (parents.stream().noneMatch(value::startsWith)) {
            problems.invalid(path, value, "should be a json path under " + where);
        }
    }
}
