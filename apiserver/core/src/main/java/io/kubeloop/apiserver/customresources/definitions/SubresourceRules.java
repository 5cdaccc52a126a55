/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/** The rules of the paths of the scale subresource. Static functions only. */
final class SubresourceRules {

    private SubresourceRules() {}

    static void check(FieldCursor subresources) {
        FieldCursor scale = subresources.at("scale");
        if (scale.value() instanceof JsonObject) {
            checkPath(scale.at("specReplicasPath"), List.of(".spec."), ".spec");
            checkPath(scale.at("statusReplicasPath"), List.of(".status."), ".status");
            FieldCursor selector = scale.at("labelSelectorPath");
            if (!selector.isEmpty()) {
                checkPath(selector, List.of(".spec.", ".status."), "either .spec or .status");
            }
        }
    }

    private static void checkPath(FieldCursor path, List<String> parents, String where) {
        if (!path.require()) {
            return;
        }
        if (!path.text().startsWith(".")) {
            path.invalid("must be a simple json path starting with .");
        } else if (parents.stream().noneMatch(path.text()::startsWith)) {
            path.invalid("should be a json path under " + where);
        }
    }
}
