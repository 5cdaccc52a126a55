/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.device;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Administrative access reaches devices that others use, so only the claims of namespaces with a label may have it
 * (upstream: {@code AuthorizedForAdmin}). What a namespace had before it lost the label stays.
 */
public final class AdminAccessRules {

    private static final String LABEL = "resource.kubernetes.io/admin-access";
    private static final String FIELD = "adminAccess";

    private AdminAccessRules() {}

    /** Checks a new claim, and the results in the status of one. */
    public static void claim(
            Supplier<Map<String, String>> labels, FieldCursor claim, @Nullable JsonObject old, Part part) {
        JsonObject current = claim.object();
        if (old == null) {
            requests(labels, claim, current.object("spec", "devices"));
        } else if (part == Part.STATUS && results(old).isEmpty()) {
            results(current).ifPresent(index -> require(labels, claim, "status.allocation.devices.results[" + index));
        }
    }

    /** Checks a new template of claims. */
    public static void template(
            Supplier<Map<String, String>> labels, FieldCursor template, @Nullable JsonObject old, Part part) {
        if (old == null) {
            requests(labels, template, template.object().object("spec", "spec", "devices"));
        }
    }

    private static void requests(Supplier<Map<String, String>> labels, FieldCursor object, JsonObject devices) {
        List<JsonObject> requests = devices.array("requests").objects().toList();
        IntStream.range(0, requests.size())
                .filter(index -> requests.get(index).object("exactly").bool(FIELD))
                .findFirst()
                // The field of a template has the same name, as upstream.
                .ifPresent(index -> require(labels, object, "spec.devices.requests[" + index));
    }

    private static OptionalInt results(JsonObject claim) {
        List<JsonObject> results = claim.array("status", "allocation", "devices", "results")
                .objects()
                .toList();
        return IntStream.range(0, results.size())
                .filter(index -> results.get(index).bool(FIELD))
                .findFirst();
    }

    private static void require(Supplier<Map<String, String>> labels, FieldCursor object, String item) {
        if (!"true".equals(labels.get().get(LABEL))) {
            object.errors()
                    .forbidden(
                            item + "]." + FIELD,
                            "admin access to devices requires the `" + LABEL
                                    + ": true` label on the containing namespace");
        }
    }
}
