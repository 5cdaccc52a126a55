/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.json.tree.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Validation of the claim that the scheduler makes for the extended resources of a pod. */
final class ExtendedClaimRules {

    private ExtendedClaimRules() {}

    static void check(FieldCursor claim, FieldCursor spec) {
        FieldCursor mappings = claim.at("requestMappings");
        if (mappings.isEmpty()) {
            mappings.required("at least one request mapping is required");
        }
        Map<String, JsonObject> containers = new HashMap<>();
        for (String list : List.of("initContainers", "containers")) {
            spec.at(list)
                    .array()
                    .objects()
                    .forEach(container ->
                            containers.put(container.string("name"), container.object("resources", "requests")));
        }
        Set<JsonObject> seen = new HashSet<>();
        mappings.each(mapping -> {
            mapping(mapping, containers, claim.path());
            if (!seen.add(mapping.object())) {
                mapping.at("containerName").duplicate();
                mapping.at("resourceName").duplicate();
                mapping.at("requestName").duplicate();
            }
        });
        FieldCursor name = claim.at("resourceClaimName");
        if (name.require()) {
            name.follows(NameValidation::dns1123Subdomain);
        }
    }

    private static void mapping(FieldCursor mapping, Map<String, JsonObject> containers, String path) {
        JsonObject requests = containers.get(mapping.at("containerName").text());
        if (requests == null) {
            mapping.at("containerName")
                    .invalid("must match the name of an entry in spec.initContainers.name or spec.containers.name");
        } else if (!requests.has(mapping.at("resourceName").text())) {
            mapping.at("resourceName")
                    .invalid("must match the extended resource name of an entry in"
                            + " spec.initContainers.resources.requests or spec.containers.resources.requests");
        }
        // As upstream, the path has no index.
        mapping.at("requestName").named(path + ".requestName").follows(NameValidation::dns1123Label);
    }
}
