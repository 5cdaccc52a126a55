package io.kubeloop.transport.memory.quota;

import io.kubeloop.api.Quantity;
import io.kubeloop.api.ResourceType;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.machinery.ServedResource;
import io.kubeloop.transport.memory.validation.Amounts;
import io.kubeloop.transport.memory.validation.PodAmounts;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What objects use of the resources that a quota can limit (upstream: {@code pkg/quota/v1/evaluator/core}).
 *
 * <p>Pods use what their containers ask for, and {@code pods} as long as they have not ended; services use {@code services}, and node
 * ports and load balancers by their type; each object is one of {@code count/<plural>.<group>}, and those of some kinds of the core
 * group are one of their plural, too.
 */
public final class QuotaUsage {

    /** Resources of nodes that are known by three names: what is requested has two. */
    private static final List<String> COMPUTE = List.of("cpu", "memory", "ephemeral-storage");

    private static final Set<String> OF_PODS = Set.of(
            "pods",
            "cpu",
            "memory",
            "ephemeral-storage",
            "requests.cpu",
            "requests.memory",
            "requests.ephemeral-storage",
            "limits.cpu",
            "limits.memory",
            "limits.ephemeral-storage");

    private static final Set<String> OF_SERVICES = Set.of("services", "services.loadbalancers", "services.nodeports");

    /** Kinds that are counted under their plural. */
    private static final Set<String> COUNTED =
            Set.of("configmaps", "replicationcontrollers", "resourcequotas", "secrets");

    /** What can be limited, though nothing that is served here uses it. */
    static final Set<String> OF_ABSENT_KINDS = Set.of("persistentvolumeclaims", "requests.storage");

    /** What a quota may limit without a slash in its name. */
    static final Set<String> STANDARD = Stream.of(OF_PODS, OF_SERVICES, COUNTED, OF_ABSENT_KINDS)
            .flatMap(Set::stream)
            .collect(Collectors.toUnmodifiableSet());

    /** What there are only whole ones of. */
    static final Set<String> WHOLE = Stream.of(Set.of("pods", "persistentvolumeclaims"), OF_SERVICES, COUNTED)
            .flatMap(Set::stream)
            .collect(Collectors.toUnmodifiableSet());

    private static final Quantity ONE = Quantity.of(1);

    private QuotaUsage() {}

    /** Returns whether objects of this kind may use the resource. */
    static boolean concerns(ServedResource resource, String name) {
        if (name.equals(countName(resource.type()))) {
            return true;
        }
        return switch (resource.toString()) {
            case "pods" -> isOfPods(name);
            case "services" -> OF_SERVICES.contains(name);
            default -> COUNTED.contains(name) && name.equals(resource.toString());
        };
    }

    /** Returns whether this is a name, without a slash, of what a quota may limit. */
    static boolean isStandard(String name) {
        return STANDARD.contains(name) || name.startsWith("hugepages-") || name.startsWith("requests.hugepages-");
    }

    /** Returns whether pods, and nothing else, use the resource. */
    static boolean isOfPods(String name) {
        return OF_PODS.contains(name) || isRequestOfOthers(name);
    }

    /** Whether these are requests of something that nodes have beside the usual, such as {@code requests.example.com/gpu}. */
    private static boolean isRequestOfOthers(String name) {
        return name.startsWith("hugepages-")
                || name.startsWith("requests.hugepages-")
                || (name.startsWith("requests.") && name.indexOf('/') > 0);
    }

    private static String countName(ResourceType<?> type) {
        return "count/" + type.plural() + (type.group().isEmpty() ? "" : "." + type.group());
    }

    /** Returns zero of each of those resources for which the condition holds. */
    static Amounts none(Set<String> names, Predicate<String> condition) {
        Amounts none = Amounts.NONE;
        for (String name : names) {
            none = condition.test(name) ? none.with(name, Quantity.ZERO) : none;
        }
        return none;
    }

    /** Returns what an object uses. */
    static Amounts of(ServedResource resource, JsonObject object) {
        Amounts counted = Amounts.NONE.with(countName(resource.type()), ONE);
        return switch (resource.toString()) {
            case "pods" -> ofPod(counted, object);
            case "services" -> ofService(counted, object.object("spec"));
            default -> COUNTED.contains(resource.toString()) ? counted.with(resource.toString(), ONE) : counted;
        };
    }

    private static Amounts ofPod(Amounts counted, JsonObject pod) {
        JsonObject spec = pod.object("spec");
        return hasEnded(pod)
                ? counted
                : counted.plus(named(PodAmounts.requests(spec), PodAmounts.limits(spec)))
                        .with("pods", ONE);
    }

    /** Returns whether nothing of the pod runs any more; it still is an object that counts as one. */
    public static boolean hasEnded(JsonObject pod) {
        String phase = pod.string("status", "phase");
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    /** Returns requests and limits under the names that quotas have for them. */
    private static Amounts named(Amounts requests, Amounts limits) {
        Amounts named = Amounts.NONE;
        for (Map.Entry<String, Quantity> request : requests.byName().entrySet()) {
            String name = request.getKey();
            boolean huge = name.startsWith("hugepages-");
            if (COMPUTE.contains(name) || huge) {
                named = named.with(name, request.getValue());
            }
            if (COMPUTE.contains(name) || huge || name.indexOf('/') > 0) {
                named = named.with("requests." + name, request.getValue());
            }
        }
        for (Map.Entry<String, Quantity> limit : limits.byName().entrySet()) {
            if (COMPUTE.contains(limit.getKey())) {
                named = named.with("limits." + limit.getKey(), limit.getValue());
            }
        }
        return named;
    }

    private static Amounts ofService(Amounts counted, JsonObject spec) {
        String type = spec.string("type");
        boolean balanced = type.equals("LoadBalancer");
        boolean eachPort = type.equals("NodePort")
                || (balanced
                        && (!spec.has("allocateLoadBalancerNodePorts") || spec.bool("allocateLoadBalancerNodePorts")));
        long nodePorts = spec.array("ports")
                .objects()
                .filter(port -> eachPort || (balanced && port.has("nodePort")))
                .count();
        return counted.with("services", ONE)
                .with("services.loadbalancers", balanced ? ONE : Quantity.ZERO)
                .with("services.nodeports", Quantity.of(nodePorts));
    }

    /**
     * Complains about containers that say nothing of processors or memory where these are limited: what they would use is not known.
     * Empty if nothing is amiss.
     *
     * @param limited the resources that are limited
     */
    static String unspecified(ServedResource resource, JsonObject object, Set<String> limited) {
        Map<String, Set<String>> silent = new TreeMap<>();
        if (resource.toString().equals("pods")) {
            for (String list : List.of("containers", "initContainers")) {
                object.object("spec").array(list).objects().forEach(container -> {
                    Amounts said = named(PodAmounts.of(container, "requests"), PodAmounts.of(container, "limits"));
                    limited.stream()
                            .filter(name -> name.endsWith("cpu") || name.endsWith("memory"))
                            .filter(name ->
                                    OF_PODS.contains(name) && !said.names().contains(name))
                            .forEach(name -> silent.computeIfAbsent(name, n -> new TreeSet<>())
                                    .add(container.string("name")));
                });
            }
        }
        StringBuilder complaint = new StringBuilder();
        silent.forEach((name, containers) -> complaint
                .append(complaint.isEmpty() ? "must specify " : "; ")
                .append(name)
                .append(" for: ")
                .append(String.join(",", containers)));
        return complaint.toString();
    }
}
