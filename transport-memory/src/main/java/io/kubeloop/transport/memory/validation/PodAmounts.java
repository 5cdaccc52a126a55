package io.kubeloop.transport.memory.validation;

import io.kubeloop.json.tree.JsonObject;
import java.util.stream.Stream;

/** What a pod asks for as a whole (upstream: {@code component-helpers/resource}). */
public final class PodAmounts {

    private PodAmounts() {}

    /**
     * Returns what the scheduler reckons with: the sum of what containers and sidecars ask for, or what an init container and the
     * sidecars before it do if that is more; and the overhead.
     */
    public static Amounts requests(JsonObject spec) {
        return withoutOverhead(spec, "requests").plus(overhead(spec));
    }

    /** Returns the limits, reckoned likewise. A resource without a limit gets none from the overhead. */
    public static Amounts limits(JsonObject spec) {
        Amounts limits = withoutOverhead(spec, "limits");
        return limits.plus(overhead(spec).only(limits.names()::contains));
    }

    private static Amounts overhead(JsonObject spec) {
        return Amounts.read(spec.object("overhead"));
    }

    /** Returns the {@code requests} or {@code limits} of a pod, reckoned likewise. */
    public static Amounts withoutOverhead(JsonObject spec, String which) {
        Amounts sidecars = Amounts.NONE;
        Amounts peak = Amounts.NONE;
        for (JsonObject container : spec.array("initContainers").objects().toList()) {
            Amounts asked = of(container, which);
            if (container.string("restartPolicy").equals("Always")) {
                sidecars = sidecars.plus(asked);
                peak = peak.max(sidecars);
            } else {
                peak = peak.max(sidecars.plus(asked));
            }
        }
        Stream<JsonObject> containers = spec.array("containers").objects();
        return containers
                .map(container -> of(container, which))
                .reduce(sidecars, Amounts::plus)
                .max(peak);
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
