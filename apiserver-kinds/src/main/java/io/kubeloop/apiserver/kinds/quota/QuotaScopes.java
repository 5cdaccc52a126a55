package io.kubeloop.apiserver.kinds.quota;

import io.kubeloop.apiserver.kinds.validation.QosClass;
import io.kubeloop.apiserver.machinery.ServedResource;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.stream.Stream;

/**
 * The objects to which a quota applies: all objects, or the pods that match each of its scopes (upstream: {@code
 * podMatchesScopeFunc}).
 */
final class QuotaScopes {

    private QuotaScopes() {}

    /** Returns whether a quota with this spec applies to the object. A quota with scopes applies to pods only. */
    static boolean match(JsonObject spec, ServedResource resource, JsonObject object) {
        List<JsonObject> requirements = Stream.concat(
                        spec.array("scopes")
                                .strings()
                                .map(scope -> JsonObject.EMPTY
                                        .with("scopeName", scope)
                                        .with("operator", "Exists")),
                        spec.object("scopeSelector").array("matchExpressions").objects())
                .toList();
        return requirements.isEmpty()
                || (resource.toString().equals("pods")
                        && requirements.stream().allMatch(requirement -> matches(requirement, object.object("spec"))));
    }

    private static boolean matches(JsonObject requirement, JsonObject pod) {
        return switch (requirement.string("scopeName")) {
            case "Terminating" -> hasDeadline(pod);
            case "NotTerminating" -> !hasDeadline(pod);
            case "BestEffort" -> isBestEffort(pod);
            case "NotBestEffort" -> !isBestEffort(pod);
            case "PriorityClass" -> matchesPriority(requirement, pod.string("priorityClassName"));
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

    private static boolean matchesPriority(JsonObject requirement, String priority) {
        boolean named = requirement.array("values").strings().anyMatch(priority::equals);
        return switch (requirement.string("operator")) {
            case "In" -> !priority.isEmpty() && named;
            case "NotIn" -> priority.isEmpty() || !named;
            case "Exists" -> !priority.isEmpty();
            default -> priority.isEmpty();
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
