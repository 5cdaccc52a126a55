/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.quota;

import io.kubeloop.json.tree.JsonObject;
import java.util.function.Function;
import java.util.stream.Stream;

/** The requests and limits of a pod as a whole (upstream: {@code component-helpers/resource}). */
public final class PodAmounts {

    private PodAmounts() {}

    /** Returns requests or limits with the overhead, which is added only to resources that have a limit. */
    static Amounts withOverhead(JsonObject spec, String which, Amounts amounts) {
        Amounts overhead = Amounts.read(spec.object("overhead"));
        Amounts positive = amounts.beyond(Amounts.NONE);
        return amounts.plus(which.equals("limits") ? overhead.only(positive.names()::contains) : overhead);
    }

    /** Returns the {@code requests} or {@code limits} of a pod's containers together, without the overhead. */
    public static Amounts withoutOverhead(JsonObject spec, String which) {
        return withoutOverhead(spec, container -> of(container, which));
    }

    /**
     * Returns the amounts of a pod's containers together: the sum over containers and sidecars, or the amount of an
     * init container with the sidecars before it if that is larger.
     */
    static Amounts withoutOverhead(JsonObject spec, Function<JsonObject, Amounts> ofContainer) {
        Amounts sidecars = Amounts.NONE;
        Amounts peak = Amounts.NONE;
        for (JsonObject container : spec.array("initContainers").objects().toList()) {
            Amounts requested = ofContainer.apply(container);
            if (container.string("restartPolicy").equals("Always")) {
                sidecars = sidecars.plus(requested);
                peak = peak.max(sidecars);
            } else {
                peak = peak.max(sidecars.plus(requested));
            }
        }
        Stream<JsonObject> containers = spec.array("containers").objects();
        return containers
                .map(ofContainer)
                .reduce(Amounts.NONE, Amounts::plus) // a sum has the notation of its first amount
                .plus(sidecars)
                .max(peak);
    }

    /** Returns the same, but an amount that the pod itself specifies instead of the sum over its containers. */
    public static Amounts effective(JsonObject spec, String which) {
        return ofPod(spec, which).orElse(withoutOverhead(spec, which));
    }

    /** Returns the {@code requests} or {@code limits} that a pod specifies for all its containers together. */
    static Amounts ofPod(JsonObject spec, String which) {
        return of(spec, which).only(PodAmounts::isOfPod);
    }

    /** Returns whether a pod can specify amounts of this resource for all its containers together. */
    public static boolean isOfPod(String resource) {
        return resource.equals("cpu") || resource.equals("memory") || resource.startsWith("hugepages-");
    }

    /** Returns whether a pod specifies requests or limits for all its containers together. */
    public static boolean areOfPod(JsonObject spec) {
        return !ofPod(spec, "requests").isEmpty() || !ofPod(spec, "limits").isEmpty();
    }

    /** Returns the containers, then the init containers. */
    public static Stream<JsonObject> containers(JsonObject spec) {
        return Stream.concat(
                spec.array("containers").objects(), spec.array("initContainers").objects());
    }

    /** Returns the {@code requests} or {@code limits} of one container. */
    public static Amounts of(JsonObject container, String which) {
        return Amounts.read(container.object("resources", which));
    }
}
