/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.defaults;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.quota.Amounts;
import io.kubeloop.quota.PodAmounts;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The resources of a pod as a whole. They are completed from those of its containers after the admission, which may add
 * containers (upstream: {@code DefaultPodLevelResources}). Static functions only.
 */
public final class PodResources {

    private static final Set<String> SHARED = Set.of("cpu", "memory");

    private PodResources() {}

    /** Returns the spec of a pod with its resources completed; a spec without amounts of the pod stays as it is. */
    public static JsonObject complete(JsonObject spec) {
        JsonObject resources = spec.object("resources");
        JsonObject asked = resources.object("requests");
        if (asked.isEmpty() && resources.object("limits").isEmpty()) {
            return spec;
        }
        Amounts ofContainers = PodAmounts.withoutOverhead(spec, "limits");
        JsonObject limits = withMissing(
                resources.object("limits"), ofContainers, name -> name.startsWith("hugepages-") && !asked.has(name));
        JsonObject requests = withMissing(asked, PodAmounts.withoutOverhead(spec, "requests"), SHARED::contains);
        requests = withMissing(requests, Amounts.read(limits), PodAmounts::isOfPod);
        // A limit of the pod must be at least its request.
        Amounts requested = Amounts.read(requests).only(name -> isLimitedEverywhere(spec, name));
        limits = withMissing(
                limits, ofContainers.only(requested.names()::contains).max(requested), PodAmounts::isOfPod);
        JsonObject completed = limits.isEmpty() ? resources : resources.with("limits", limits);
        return spec.with("resources", requests.isEmpty() ? completed : completed.with("requests", requests));
    }

    private static boolean isLimitedEverywhere(JsonObject spec, String resource) {
        return PodAmounts.containers(spec)
                .allMatch(container -> container.object("resources", "limits").has(resource));
    }

    private static JsonObject withMissing(JsonObject amounts, Amounts more, Predicate<String> names) {
        return amounts.withMissing(more.only(names).json());
    }
}
