/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.quota;

import io.kubeloop.api.value.Quantity;
import io.kubeloop.json.tree.JsonObject;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The usage of device claims (upstream: {@code claimEvaluator}).
 *
 * <p>A claim uses the devices that it requests, counted by class under up to three names: {@code
 * CLASS.deviceclass.resource.k8s.io/devices}, {@code requests.deviceclass.resource.kubernetes.io/CLASS}, and {@code
 * requests.NAME} for the extended resource that the class names. A pod that requests the same extended resource uses
 * the last two itself; the claim that its scheduler creates for it uses only what exceeds that.
 *
 * <p>Reads the classes, and the claims of the namespace, at most once. Confined to one thread.
 */
public final class DeviceClaims {

    /** No classes, claims and pods. */
    public static final Source NOTHING = new Source() {
        @Override
        public Stream<JsonObject> classes() {
            return Stream.empty();
        }

        @Override
        public Stream<JsonObject> claims() {
            return Stream.empty();
        }

        @Override
        public @Nullable JsonObject pod(String name) {
            return null;
        }
    };

    /** The start of the name of a class as an extended resource. */
    private static final String IMPLICIT = "deviceclass.resource.kubernetes.io/";

    private static final String REQUESTS = "requests.";

    /** The end of the name of the devices of one class. */
    private static final String DEVICES = ".deviceclass.resource.k8s.io/devices";

    /** The number of devices of a request for all, which can be allocated at most. */
    private static final long ALL_DEVICES = 32;

    private final Source source;
    private @Nullable Map<String, String> extendedResources;
    private @Nullable Map<String, JsonObject> firstClaims;

    /** The objects on which the usage of a claim depends. */
    public interface Source {

        /** Returns all device classes. */
        Stream<JsonObject> classes();

        /** Returns the device claims of the namespace. */
        Stream<JsonObject> claims();

        /** Returns a pod of the namespace, or null if there is none. */
        @Nullable
        JsonObject pod(String name);
    }

    /** Creates the usage of the claims of one namespace. */
    public DeviceClaims(Source source) {
        this.source = source;
    }

    /** Returns whether the name is that of an extended resource or of a device class. */
    static boolean isExtended(String resource) {
        return resource.startsWith(IMPLICIT)
                || (resource.indexOf('/') > 0
                        && !resource.contains("kubernetes.io/")
                        && !resource.startsWith(REQUESTS));
    }

    /** Returns whether a quota limits requests of an extended resource by this name. */
    static boolean isRequestOfExtended(String name) {
        return name.startsWith(REQUESTS + IMPLICIT)
                || (name.startsWith(REQUESTS) && name.indexOf('/') > 0 && !name.contains("kubernetes.io/"));
    }

    /** Returns whether this name of a quota is a resource that claims can use. */
    boolean concerns(String name) {
        if (name.endsWith(DEVICES) || !isRequestOfExtended(name)) {
            return name.endsWith(DEVICES);
        }
        String resource = name.substring(REQUESTS.length());
        return resource.startsWith(IMPLICIT)
                ? extendedResources().containsKey(resource.substring(IMPLICIT.length()))
                : extendedResources().containsValue(resource);
    }

    /** Returns the devices that a claim uses. */
    Amounts of(JsonObject claim, Instant now) {
        Amounts devices = Amounts.NONE;
        for (JsonObject request :
                claim.array("spec", "devices", "requests").objects().toList()) {
            // Of several alternatives, the one with the most devices of a class counts.
            Amounts most = request.has("exactly") ? devices(request.object("exactly")) : Amounts.NONE;
            for (JsonObject alternative :
                    request.array("firstAvailable").objects().toList()) {
                most = most.max(devices(alternative).beyond(Amounts.NONE));
            }
            devices = devices.plus(most);
        }
        Amounts extended = Amounts.NONE;
        for (Map.Entry<String, Quantity> used : devices.byName().entrySet()) {
            String name = used.getKey().substring(0, used.getKey().length() - DEVICES.length());
            String resource = extendedResources().getOrDefault(name, "");
            extended = extended.with(REQUESTS + IMPLICIT + name, used.getValue());
            extended = resource.isEmpty() ? extended : extended.with(REQUESTS + resource, used.getValue());
        }
        return devices.plus(extended.beyond(usedByPod(claim, now)));
    }

    private static Amounts devices(JsonObject request) {
        Long count = request.number("count");
        long devices = switch (request.string("allocationMode")) {
            case "ExactCount" -> count == null ? 0 : count;
            case "All" -> ALL_DEVICES;
            default -> 0;
        };
        return Amounts.NONE.with(request.string("deviceClassName") + DEVICES, Quantity.of(devices));
    }

    /** Returns the usage of the pod for whose extended resources the claim was created; nothing for other claims. */
    private Amounts usedByPod(JsonObject claim, Instant now) {
        JsonObject owner = podOfExtended(claim);
        JsonObject pod = owner.isEmpty() ? null : source.pod(owner.string("name"));
        if (pod == null || !pod.string("metadata", "uid").equals(owner.string("uid"))) {
            return Amounts.NONE;
        }
        String name = claim.string("metadata", "name");
        JsonObject allocated = pod.object("status", "extendedResourceClaimStatus");
        // A pod has one such claim. Until its status names the claim, the first one is taken for it.
        boolean isOfPod = allocated.isEmpty()
                ? name.equals(
                        firstClaims().getOrDefault(owner.string("uid"), claim).string("metadata", "name"))
                : name.equals(allocated.string("resourceClaimName"));
        return isOfPod ? QuotaUsage.ofPod(Amounts.NONE, pod, now) : Amounts.NONE;
    }

    /** Returns the reference to the pod that owns a claim for extended resources; an empty object for other claims. */
    private static JsonObject podOfExtended(JsonObject claim) {
        if (!claim.string("metadata", "annotations", "resource.kubernetes.io/extended-resource-claim")
                .equals("true")) {
            return JsonObject.EMPTY;
        }
        return claim.array("metadata", "ownerReferences")
                .objects()
                .filter(owner -> owner.bool("controller"))
                .findFirst()
                .filter(owner -> owner.string("kind").equals("Pod")
                        && owner.string("apiVersion").equals("v1"))
                .orElse(JsonObject.EMPTY);
    }

    /**
     * Returns the extended resource of each class by the name of the class; an empty string for a class that names
     * none.
     */
    private Map<String, String> extendedResources() {
        if (extendedResources == null) {
            extendedResources = source.classes()
                    .collect(Collectors.toMap(
                            one -> one.string("metadata", "name"),
                            one -> one.string("spec", "extendedResourceName"),
                            (one, two) -> two,
                            TreeMap::new));
        }
        return extendedResources;
    }

    /**
     * Returns the oldest claim for extended resources of each pod by the UID of the pod; of equally old ones the first
     * by name.
     */
    private Map<String, JsonObject> firstClaims() {
        if (firstClaims == null) {
            Comparator<JsonObject> age = Comparator.comparing(claim -> claim.string("metadata", "creationTimestamp"));
            firstClaims = source.claims()
                    .filter(claim -> !podOfExtended(claim).isEmpty())
                    .collect(Collectors.toMap(
                            claim -> podOfExtended(claim).string("uid"),
                            Function.identity(),
                            BinaryOperator.minBy(age.thenComparing(claim -> claim.string("metadata", "name")))));
        }
        return firstClaims;
    }
}
