/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.quota;

import io.kubeloop.api.ResourceType;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The objects to which a quota applies: all objects, or the pods or claims that match each of its scopes (upstream:
 * {@code podMatchesScopeFunc}, {@code pvcMatchesScopeFunc}).
 */
public final class QuotaScopes {

    private QuotaScopes() {}

    /**
     * Returns whether a quota applies to an object. A quota with scopes applies to pods and volume claims only.
     *
     * @param spec the spec of the quota
     * @param resource the resource of the object
     */
    public static boolean match(JsonObject spec, ResourceType<?> resource, JsonObject object) {
        List<JsonObject> requirements = Stream.concat(
                        spec.array("scopes")
                                .strings()
                                .map(scope -> JsonObject.EMPTY
                                        .with("scopeName", scope)
                                        .with("operator", "Exists")),
                        spec.object("scopeSelector").array("matchExpressions").objects())
                .toList();
        return requirements.isEmpty()
                || switch (resource.toString()) {
                    case "pods" ->
                        requirements.stream().allMatch(requirement -> matches(requirement, object.object("spec")));
                    case "persistentvolumeclaims" ->
                        requirements.stream().allMatch(requirement -> matchesClaim(requirement, object));
                    default -> false;
                };
    }

    /** A claim can name up to three attribute classes while it changes from one to another. */
    private static boolean matchesClaim(JsonObject requirement, JsonObject claim) {
        if (!requirement.string("scopeName").equals("VolumeAttributesClass")) {
            return false;
        }
        Set<String> names = Stream.of(
                        claim.string("spec", "volumeAttributesClassName"),
                        claim.string("status", "currentVolumeAttributesClassName"),
                        claim.string("status", "modifyVolumeStatus", "targetVolumeAttributesClassName"))
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet());
        return names.isEmpty()
                ? matchesClass(requirement, "")
                : names.stream().anyMatch(name -> matchesClass(requirement, name));
    }

    private static boolean matches(JsonObject requirement, JsonObject pod) {
        return switch (requirement.string("scopeName")) {
            case "Terminating" -> hasDeadline(pod);
            case "NotTerminating" -> !hasDeadline(pod);
            case "BestEffort" -> isBestEffort(pod);
            case "NotBestEffort" -> !isBestEffort(pod);
            case "PriorityClass" -> matchesClass(requirement, pod.string("priorityClassName"));
            case "CrossNamespacePodAffinity" -> refersToOtherNamespaces(pod);
            default -> false;
        };
    }

    private static boolean hasDeadline(JsonObject pod) {
        Long deadline = pod.number("activeDeadlineSeconds");
        return deadline != null && deadline >= 0;
    }

    private static boolean isBestEffort(JsonObject pod) {
        return QosClass.of(pod).equals("BestEffort");
    }

    private static boolean matchesClass(JsonObject requirement, String name) {
        boolean named = requirement.array("values").strings().anyMatch(name::equals);
        return switch (requirement.string("operator")) {
            case "In" -> !name.isEmpty() && named;
            case "NotIn" -> name.isEmpty() || !named;
            case "Exists" -> !name.isEmpty();
            default -> name.isEmpty();
        };
    }

    /** Returns whether the pod has affinity or anti-affinity terms that refer to pods of other namespaces. */
    private static boolean refersToOtherNamespaces(JsonObject pod) {
        return Stream.of("podAffinity", "podAntiAffinity")
                .map(kind -> pod.object("affinity", kind))
                .flatMap(affinity -> Stream.concat(
                        affinity.array("requiredDuringSchedulingIgnoredDuringExecution")
                                .objects(),
                        affinity.array("preferredDuringSchedulingIgnoredDuringExecution")
                                .objects()
                                .map(weighted -> weighted.object("podAffinityTerm"))))
                .anyMatch(term -> !term.array("namespaces").strings().toList().isEmpty()
                        || term.get("namespaceSelector") != null);
    }
}
