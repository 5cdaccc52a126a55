/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import io.kubeloop.api.core.Container;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.value.Quantity;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.json.tree.JsonObject;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads how much of a resource pods request (upstream: {@code calculateRequests}). Stateless. */
final class PodRequests {

    /** Resources that a pod can request as a whole; also every resource that begins with {@link #HUGE_PAGES}. */
    private static final Set<String> POD_LEVEL = Set.of("cpu", "memory");

    private static final String HUGE_PAGES = "hugepages-";

    private PodRequests() {}

    /**
     * Returns the requests of the pods in thousandths, by their names. O(pods and their containers).
     *
     * @param container the container whose request counts; empty for the pod
     * @throws ControllerException if a request is missing
     */
    static Map<String, Long> of(List<Pod> pods, String container, String resource) {
        Map<String, Long> requests = new HashMap<>();
        for (Pod pod : pods) {
            JsonObject ofPod = JsonObject.of(pod.spec().unknownFields()).object("resources", "requests");
            boolean isPodLevel =
                    container.isEmpty() && ofPod.members().keySet().stream().anyMatch(PodRequests::isPodLevel);
            requests.put(
                    pod.metadata().name(),
                    isPodLevel ? ofPod(pod, ofPod, resource) : ofContainers(pod, container, resource));
        }
        return requests;
    }

    private static boolean isPodLevel(String resource) {
        return POD_LEVEL.contains(resource) || resource.startsWith(HUGE_PAGES);
    }

    private static long ofContainers(Pod pod, String name, String resource) {
        List<Container> containers = new ArrayList<>(pod.spec().containers());
        containers.addAll(pod.spec().sidecars());
        long sum = 0;
        for (Container container : containers) {
            if (!name.isEmpty() && !name.equals(container.name())) {
                continue;
            }
            BigDecimal request = request(container, resource);
            if (request == null) {
                throw new ControllerException(
                        "missing request for " + resource + " in container " + container.name() + " of Pod "
                                + pod.metadata().name(),
                        null);
            }
            sum += milli(request);
            if (!name.isEmpty()) {
                return sum;
            }
        }
        if (!name.isEmpty()) {
            throw new ControllerException(
                    "container " + name + " not found in Pod " + pod.metadata().name(), null);
        }
        return sum;
    }

    /**
     * Returns the request of a pod that requests resources as a whole (upstream: {@code resourcehelpers.PodRequests}).
     */
    private static long ofPod(Pod pod, JsonObject requests, String resource) {
        BigDecimal request = isPodLevel(resource) ? amount(requests, resource) : null;
        if (request == null) {
            request = aggregated(pod, resource);
        }
        BigDecimal overhead = amount(JsonObject.of(pod.spec().unknownFields()).object("overhead"), resource);
        if (request == null && overhead == null) {
            throw new ControllerException(
                    "missing pod-level request for " + resource + " in Pod "
                            + pod.metadata().name(),
                    null);
        }
        return milli(sum(request, overhead));
    }

    /**
     * Returns the larger of two sums: the requests of the containers, and those during the start of the pod. Null if no
     * container has a request.
     */
    private static @Nullable BigDecimal aggregated(Pod pod, String resource) {
        BigDecimal running = null;
        for (Container container : pod.spec().containers()) {
            running = sumOrNull(running, request(container, resource));
        }
        BigDecimal sidecars = null;
        BigDecimal start = null;
        for (Container container : pod.spec().initContainers()) {
            BigDecimal request = request(container, resource);
            BigDecimal needed = sumOrNull(request, sidecars);
            if (container.restartPolicy().equals(Container.ALWAYS)) {
                running = sumOrNull(running, request);
                sidecars = needed;
            }
            start = start == null || (needed != null && needed.compareTo(start) > 0) ? needed : start;
        }
        return running == null || (start != null && start.compareTo(running) > 0) ? start : running;
    }

    private static @Nullable BigDecimal sumOrNull(@Nullable BigDecimal a, @Nullable BigDecimal b) {
        return a == null && b == null ? null : sum(a, b);
    }

    private static BigDecimal sum(@Nullable BigDecimal a, @Nullable BigDecimal b) {
        return (a == null ? BigDecimal.ZERO : a).add(b == null ? BigDecimal.ZERO : b);
    }

    private static @Nullable BigDecimal request(Container container, String resource) {
        return amount(JsonObject.of(container.unknownFields()).object("resources", "requests"), resource);
    }

    private static @Nullable BigDecimal amount(JsonObject list, String resource) {
        return list.has(resource) ? Quantity.parse(list.string(resource)).amount() : null;
    }

    private static long milli(BigDecimal amount) {
        return Quantity.of(amount, Quantity.Format.DECIMAL_SI).milliValue();
    }
}
