/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.rest.ServerWarnings;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Removes owner references that an object has twice (upstream: {@code
 * apiserver/pkg/endpoints/handlers/response.go}). Static functions only.
 */
final class OwnerReferences {

    private OwnerReferences() {}

    /** Returns an object that a client has sent, without repeated references; warns about them. */
    static JsonObject ofRequest(JsonObject object, ServerWarnings warnings) {
        return distinct(object, "", warnings);
    }

    /** Returns an object as patches and admission have changed it, without repeated references; warns about them. */
    static JsonObject ofMutation(JsonObject object, ServerWarnings warnings) {
        return distinct(object, " after mutating admission happens", warnings);
    }

    private static JsonObject distinct(JsonObject object, String when, ServerWarnings warnings) {
        JsonArray owners = object.array("metadata", "ownerReferences");
        if (owners.size() < 2) {
            return object;
        }
        Set<JsonObject> distinct = new LinkedHashSet<>();
        List<String> repeated = new ArrayList<>();
        owners.objects().forEach(owner -> {
            if (!distinct.add(owner)) {
                repeated.add(owner.string("uid"));
            }
        });
        if (repeated.isEmpty()) {
            return object;
        }
        warnings.add(".metadata.ownerReferences contains duplicate entries" + when
                + "; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24;"
                + " please fix your requests; duplicate UID(s) observed: " + String.join(", ", repeated));
        return Meta.with(object, "ownerReferences", JsonArray.of(distinct));
    }
}
