/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.quota;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.Time;
import io.kubeloop.api.value.Quantity;
import io.kubeloop.json.tree.JsonObject;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The usage of the resources that a quota can limit (upstream: {@code pkg/quota/v1/evaluator/core}).
 *
 * <p>A pod uses the requests and limits of its containers, and {@code pods} until it has ended. A service uses
 * {@code services}, and node ports and load balancers depending on its type. A volume claim uses storage, in total and
 * of its class; a device claim uses devices of each class. Each object also uses one {@code count/<plural>.<group>};
 * objects of some core kinds also use one of their plural.
 */
public final class QuotaUsage {

    /**
     * Node resources that have three names in quotas: the plain name, {@code requests.} and {@code limits.}; the first
     * two both mean the requests.
     */
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

    /** Kinds that a quota can name as {@code secrets} as well as {@code count/secrets}. */
    private static final Set<String> COUNTED =
            Set.of("configmaps", "replicationcontrollers", "resourcequotas", "secrets");

    private static final String CLAIMS = "persistentvolumeclaims";
    private static final String STORAGE = "requests.storage";

    /** The resources of volume claims, in total. */
    public static final Set<String> OF_CLAIMS = Set.of(CLAIMS, STORAGE);

    /** The end of the name of a resource of one storage class; its start is the name of the class. */
    private static final String STORAGE_CLASS = ".storageclass.storage.k8s.io/";

    private static final String DEVICE_CLAIMS = "resourceclaims.resource.k8s.io";

    /** Names without a slash that a quota may limit. */
    static final Set<String> STANDARD = Stream.of(OF_PODS, OF_SERVICES, COUNTED, OF_CLAIMS)
            .flatMap(Set::stream)
            .collect(Collectors.toUnmodifiableSet());

    /** Resources that are counted in whole units only. */
    public static final Set<String> WHOLE = Stream.of(Set.of("pods", CLAIMS), OF_SERVICES, COUNTED)
            .flatMap(Set::stream)
            .collect(Collectors.toUnmodifiableSet());

    private static final Quantity ONE = Quantity.of(1);

    private QuotaUsage() {}

    /**
     * Returns whether objects of a kind can use a resource. Quotas are of namespaces, so objects without one use
     * nothing.
     *
     * @param resource the kind of the objects
     * @param name the name of the resource in quotas, such as {@code requests.cpu} or {@code count/widgets.example.com}
     * @param devices the usage of device claims, which depends on the device classes
     */
    public static boolean concerns(ResourceType<?> resource, String name, DeviceClaims devices) {
        if (!resource.isNamespaced() || name.equals(countName(resource))) {
            return resource.isNamespaced();
        }
        return switch (resource.toString()) {
            case "pods" -> isOfPods(name);
            case "services" -> OF_SERVICES.contains(name);
            case CLAIMS ->
                OF_CLAIMS.contains(name)
                        || OF_CLAIMS.stream().anyMatch(resourceName -> name.endsWith(STORAGE_CLASS + resourceName));
            case DEVICE_CLAIMS -> devices.concerns(name);
            default -> COUNTED.contains(name) && name.equals(resource.toString());
        };
    }

    /** Returns whether a quota may limit this name, which has no slash. */
    public static boolean isStandard(String name) {
        return STANDARD.contains(name) || name.startsWith("hugepages-") || name.startsWith("requests.hugepages-");
    }

    /** Returns whether only pods use the resource. */
    public static boolean isOfPods(String name) {
        return OF_PODS.contains(name) || isRequestOfOthers(name);
    }

    /** Returns whether the name requests an extended resource, such as {@code requests.example.com/gpu}. */
    private static boolean isRequestOfOthers(String name) {
        return name.startsWith("hugepages-")
                || name.startsWith("requests.hugepages-")
                || DeviceClaims.isRequestOfExtended(name);
    }

    private static String countName(ResourceType<?> type) {
        return "count/" + type.plural() + (type.group().isEmpty() ? "" : "." + type.group());
    }

    /** Returns zero for each of the resources that meet the condition. */
    public static Amounts none(Set<String> names, Predicate<String> condition) {
        Amounts none = Amounts.NONE;
        for (String name : names) {
            none = condition.test(name) ? none.with(name, Quantity.ZERO) : none;
        }
        return none;
    }

    /**
     * Returns the usage of an object.
     *
     * @param resource the resource of the object
     * @param now the time, by which a terminating pod is recognized as lost
     * @param devices the usage of the device claims of the object's namespace
     */
    public static Amounts of(ResourceType<?> resource, JsonObject object, Instant now, DeviceClaims devices) {
        Amounts counted = Amounts.NONE.with(countName(resource), ONE);
        return switch (resource.toString()) {
            case "pods" -> ofPod(counted, object, now);
            case "services" -> ofService(counted, object.object("spec"));
            case CLAIMS -> ofClaim(counted, object);
            case DEVICE_CLAIMS -> counted.plus(devices.of(object, now));
            default -> COUNTED.contains(resource.toString()) ? counted.with(resource.toString(), ONE) : counted;
        };
    }

    static Amounts ofPod(Amounts counted, JsonObject pod, Instant now) {
        return hasEnded(pod, now)
                ? counted
                : counted.plus(named(ContainerStatuses.requests(pod), ContainerStatuses.limits(pod)))
                        .with("pods", ONE);
    }

    /**
     * Returns whether a pod has ended, or should have: it is terminating, and its grace period has passed. Such a pod
     * still counts as one object.
     */
    public static boolean hasEnded(JsonObject pod, Instant now) {
        String phase = pod.string("status", "phase");
        return phase.equals("Succeeded") || phase.equals("Failed") || isLost(pod.object("metadata"), now);
    }

    private static boolean isLost(JsonObject metadata, Instant now) {
        String deletion = metadata.string("deletionTimestamp");
        Long grace = metadata.number("deletionGracePeriodSeconds");
        return !deletion.isEmpty()
                && grace != null
                && now.isAfter(Time.parse(deletion).instant().plusSeconds(grace));
    }

    /** Returns requests and limits under their names in quotas. */
    private static Amounts named(Amounts requests, Amounts limits) {
        NavigableMap<String, Quantity> named = new TreeMap<>();
        for (Map.Entry<String, Quantity> request : requests.byName().entrySet()) {
            String name = request.getKey();
            boolean huge = name.startsWith("hugepages-");
            if (COMPUTE.contains(name) || huge) {
                named.put(name, request.getValue());
            }
            if (COMPUTE.contains(name) || huge || DeviceClaims.isExtended(name)) {
                named.put("requests." + name, request.getValue());
            }
        }
        for (Map.Entry<String, Quantity> limit : limits.byName().entrySet()) {
            if (COMPUTE.contains(limit.getKey())) {
                named.put("limits." + limit.getKey(), limit.getValue());
            }
        }
        return new Amounts(named);
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

    private static Amounts ofClaim(Amounts counted, JsonObject claim) {
        Amounts used = Amounts.NONE.with(CLAIMS, ONE);
        Quantity requested = storage(claim.object("spec", "resources", "requests"));
        if (requested != null) {
            Quantity allocated = storage(claim.object("status", "allocatedResources"));
            used = used.with(STORAGE, allocated != null && allocated.compareTo(requested) > 0 ? allocated : requested);
        }
        JsonObject annotations = claim.object("metadata", "annotations");
        String older = "volume.beta.kubernetes.io/storage-class";
        String name = annotations.has(older) ? annotations.string(older) : claim.string("spec", "storageClassName");
        Amounts all = counted.plus(used);
        if (!name.isEmpty()) {
            for (Map.Entry<String, Quantity> amount : used.byName().entrySet()) {
                all = all.with(name + STORAGE_CLASS + amount.getKey(), amount.getValue());
            }
        }
        return all;
    }

    /** Returns the storage in whole bytes; null if it is not specified. */
    private static @Nullable Quantity storage(JsonObject amounts) {
        Quantity amount = Amounts.read(amounts).byName().get("storage");
        return amount == null || amount.amount().scale() <= 0
                ? amount
                : Quantity.of(amount.amount().setScale(0, RoundingMode.UP), amount.format());
    }

    /**
     * Returns the error of a pod with containers that do not specify a processor or memory amount that a quota
     * limits; their usage would be unknown. Empty if there is no error.
     *
     * @param resource the resource of the object
     * @param limited the limited resources
     */
    public static String unspecified(ResourceType<?> resource, JsonObject object, Set<String> limited) {
        Map<String, Set<String>> silent = new TreeMap<>();
        if (resource.toString().equals("pods") && !PodAmounts.areOfPod(object.object("spec"))) {
            for (String list : List.of("containers", "initContainers")) {
                object.object("spec").array(list).objects().forEach(container -> {
                    Amounts specified = named(PodAmounts.of(container, "requests"), PodAmounts.of(container, "limits"));
                    limited.stream()
                            .filter(name -> name.endsWith("cpu") || name.endsWith("memory"))
                            .filter(name ->
                                    OF_PODS.contains(name) && !specified.names().contains(name))
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
