/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.usage;

import io.kubeloop.json.tree.JsonObject;
import java.util.stream.Stream;

/** The requests and limits of a pod as a whole (upstream: {@code component-helpers/resource}). */
public final class PodAmounts {

    private PodAmounts() {}

    /**
     * Returns the requests that a scheduler uses: the sum over containers and sidecars, or the request of an init
     * container with the sidecars before it if that is larger; plus the overhead.
     */
    public static Amounts requests(JsonObject spec) {
        return effective(spec, "requests").plus(overhead(spec));
    }

    /** Returns the limits, computed in the same way. The overhead is added only to resources that have a limit. */
    public static Amounts limits(JsonObject spec) {
        Amounts limits = effective(spec, "limits");
        Amounts positive = limits.beyond(Amounts.NONE);
        return limits.plus(overhead(spec).only(positive.names()::contains));
    }

    private static Amounts overhead(JsonObject spec) {
        return Amounts.read(spec.object("overhead"));
    }

    /** Returns the {@code requests} or {@code limits} of a pod's containers together, without the overhead. */
    public static Amounts withoutOverhead(JsonObject spec, String which) {
        Amounts sidecars = Amounts.NONE;
        Amounts peak = Amounts.NONE;
        for (JsonObject container : spec.array("initContainers").objects().toList()) {
            Amounts requested = of(container, which);
            if (container.string("restartPolicy").equals("Always")) {
                sidecars = sidecars.plus(requested);
                peak = peak.max(sidecars);
            } else {
                peak = peak.max(sidecars.plus(requested));
            }
        }
        Stream<JsonObject> containers = spec.array("containers").objects();
        return containers
                .map(container -> of(container, which))
                .reduce(Amounts.NONE, Amounts::plus) // a sum has the notation of its first amount
                .plus(sidecars)
                .max(peak);
    }

    /** Returns the same, but an amount that the pod itself specifies instead of the sum over its containers. */
    public static Amounts effective(JsonObject spec, String which) {
        return ofPod(spec, which).orElse(withoutOverhead(spec, which));
    }

    /** Returns the {@code requests} or {@code limits} that a pod specifies for all its containers together. */
    private static Amounts ofPod(JsonObject spec, String which) {
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
