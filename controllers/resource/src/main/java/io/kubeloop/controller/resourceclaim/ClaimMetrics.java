/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.resourceclaim;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.json.tree.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of claims (upstream: {@code resourceclaim/metrics}). Creations are counted on any thread; the states of
 * the claims are confined to the thread of the informer that reports them.
 */
final class ClaimMetrics {

    private static final String PREFIX = "dynamic_resource_allocation_";
    private static final ControllerMetric CREATIONS = ControllerMetric.counter(
            PREFIX + "resourceclaim_creates_total",
            "Requests that create claims, by their result and the owner",
            "status",
            "admin_access",
            "owner_api_group",
            "owner_api_kind");
    private static final ControllerMetric CLAIMS = ControllerMetric.gauge(
            PREFIX + "resource_claims",
            "Claims by their allocation, access and origin",
            "allocated",
            "admin_access",
            "source");

    private final ControllerMetrics metrics;
    private final Map<ObjectName, List<String>> labels = new HashMap<>();
    private final Map<List<String>, Integer> counts = new HashMap<>();

    ClaimMetrics(ControllerMetrics metrics) {
        this.metrics = metrics;
    }

    /** Counts the creation of a claim. Blocks as long as the request. */
    GenericObject create(GenericObject claim, Supplier<GenericObject> request) {
        String status = "failure";
        try {
            GenericObject created = request.get();
            status = "success";
            return created;
        } finally {
            OwnerReference owner = claim.metadata().controller();
            String version = owner == null ? "" : owner.apiVersion();
            metrics.record(
                    CREATIONS,
                    1,
                    status,
                    adminAccess(claim),
                    version.substring(0, Math.max(0, version.indexOf('/'))),
                    owner == null ? "" : owner.kind());
        }
    }

    /** Records the state of a claim; null if it is gone. */
    void state(ObjectName name, @Nullable GenericObject claim) {
        List<String> current = claim == null ? null : labels(claim);
        List<String> before = current == null ? labels.remove(name) : labels.put(name, current);
        if (before != null && !before.equals(current)) {
            add(before, -1);
        }
        if (current != null && !current.equals(before)) {
            add(current, 1);
        }
    }

    private void add(List<String> of, int difference) {
        metrics.record(CLAIMS, counts.merge(of, difference, Integer::sum), of.toArray(String[]::new));
    }

    private static List<String> labels(GenericObject claim) {
        Map<String, String> annotations = claim.metadata().annotations();
        String source = "true".equals(annotations.get("resource.kubernetes.io/extended-resource-claim"))
                ? "extended_resource"
                : ClaimReading.entryName(claim).isEmpty() ? "" : "resource_claim_template";
        boolean isAllocated = ClaimReading.status(claim).has("allocation");
        return List.of(String.valueOf(isAllocated), adminAccess(claim), source);
    }

    private static String adminAccess(GenericObject claim) {
        return String.valueOf(JsonObject.of(claim.unknownFields())
                .array("spec", "devices", "requests")
                .objects()
                .anyMatch(request -> request.object("exactly").bool("adminAccess")));
    }
}
