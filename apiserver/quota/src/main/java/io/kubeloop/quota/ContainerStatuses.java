/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.quota;

import io.kubeloop.json.tree.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The resources of a pod with those that the kubelet has given to its containers, which differ from the spec while a
 * pod is resized in place (upstream: {@code component-helpers/resource}, {@code PodRequests} and {@code PodLimits}).
 *
 * <p>The desired, the allocated and the actual amounts are each summed over the containers, and the largest sum counts.
 * A resize that is infeasible counts without the desired amounts. Amounts that the pod specifies as a whole replace the
 * sums. Confined to one thread.
 */
final class ContainerStatuses {

    private static final String REQUESTS = "requests";
    private static final String LIMITS = "limits";
    private static final String RESOURCES = "resources";
    private static final String ALLOCATED = "allocatedResources";

    private final JsonObject spec;
    private final Map<String, JsonObject> containers = new HashMap<>();
    private final boolean infeasible;

    private ContainerStatuses(JsonObject pod) {
        spec = pod.object("spec");
        JsonObject status = pod.object("status");
        Stream.of("initContainerStatuses", "containerStatuses")
                .flatMap(list -> status.array(list).objects())
                .forEach(container -> containers.put(container.string("name"), container));
        infeasible = status.array("conditions")
                .objects()
                .filter(condition -> condition.string("type").equals("PodResizePending"))
                .findFirst()
                .filter(condition -> condition.string("reason").equals("Infeasible"))
                .isPresent();
    }

    /** Returns the requests of a pod, with its overhead. */
    static Amounts requests(JsonObject pod) {
        return PodAmounts.withOverhead(pod.object("spec"), REQUESTS, new ContainerStatuses(pod).requests());
    }

    /** Returns the limits of a pod, with its overhead. */
    static Amounts limits(JsonObject pod) {
        return PodAmounts.withOverhead(pod.object("spec"), LIMITS, new ContainerStatuses(pod).limits());
    }

    private Amounts requests() {
        Amounts given = PodAmounts.withoutOverhead(spec, this::actualRequests)
                .max(PodAmounts.withoutOverhead(spec, this::allocated));
        return PodAmounts.ofPod(spec, REQUESTS).orElse(withDesired(REQUESTS, given));
    }

    private Amounts limits() {
        Amounts given = PodAmounts.withoutOverhead(spec, this::actualLimits);
        return PodAmounts.ofPod(spec, LIMITS).orElse(withDesired(LIMITS, given));
    }

    private Amounts withDesired(String which, Amounts given) {
        return infeasible ? given : PodAmounts.withoutOverhead(spec, which).max(given);
    }

    private Amounts allocated(JsonObject container) {
        JsonObject given = containers.getOrDefault(container.string("name"), JsonObject.EMPTY);
        return given.has(ALLOCATED) ? Amounts.read(given.object(ALLOCATED)) : desired(container, REQUESTS);
    }

    private Amounts actualRequests(JsonObject container) {
        return actual(container, REQUESTS, this::allocated);
    }

    private Amounts actualLimits(JsonObject container) {
        return actual(container, LIMITS, any -> desired(any, LIMITS));
    }

    private Amounts actual(JsonObject container, String which, Function<JsonObject, Amounts> otherwise) {
        JsonObject given = containers.getOrDefault(container.string("name"), JsonObject.EMPTY);
        return given.object(RESOURCES).has(which) ? PodAmounts.of(given, which) : otherwise.apply(container);
    }

    private Amounts desired(JsonObject container, String which) {
        return infeasible ? Amounts.NONE : PodAmounts.of(container, which);
    }
}
