/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.access;

import io.kubeloop.apiserver.access.AccessRequest;
import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.admission.AdmissionRequest.Operation;
import io.kubeloop.apiserver.objectmeta.Members;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Prevents that a user grants permissions that the user lacks (upstream: {@code pkg/registry/rbac/...policybased}). A
 * role needs the permissions that it contains, or the verb {@code escalate}. A binding needs the permissions of its
 * role, or the verb {@code bind}.
 *
 * <p>Upstream does this in the storage of these kinds, after the mutation and before the validation. This plug-in is
 * therefore the last mutating plug-in of the chain, although it changes nothing. Immutable; thread-safe.
 */
public final class EscalationCheck implements AdmissionPlugin {

    /** The fields that the garbage collector writes; who changes nothing else grants nothing. */
    private static final List<String> OF_COLLECTOR = List.of("ownerReferences", "finalizers", "managedFields");

    private static final JsonObject EVERYTHING =
            JsonObject.parse("{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":[\"*\"]}");
    private static final JsonObject EVERY_PATH = JsonObject.parse("{\"verbs\":[\"*\"],\"nonResourceURLs\":[\"*\"]}");

    private final RoleAuthorizer authorizer;

    /** Creates a check against the roles of this authorizer. */
    public EscalationCheck(RoleAuthorizer authorizer) {
        this.authorizer = authorizer;
    }

    @Override
    public JsonObject mutate(AdmissionRequest request, JsonObject object) {
        boolean isChecked = request.resource().group().equals(RoleAuthorizer.GROUP)
                && request.isMain()
                && !RoleAuthorizer.isUnlimited(request.options().user())
                && !changesNothing(object, request.old());
        if (isChecked) {
            if (request.resource().plural().endsWith("bindings")) {
                checkBinding(request, object);
            } else {
                checkRole(request, object);
            }
        }
        return object;
    }

    private static boolean changesNothing(JsonObject object, @Nullable JsonObject old) {
        if (old == null) {
            return false;
        }
        JsonObject metadata = Meta.of(object);
        for (String field : OF_COLLECTOR) {
            metadata = Members.take(metadata, field, Meta.of(old));
        }
        return object.with("metadata", metadata).equals(old);
    }

    private void checkRole(AdmissionRequest request, JsonObject role) {
        // The path of a creation has no name.
        String name = request.operation() == Operation.CREATE ? "" : request.name();
        if (isAllowed(request, "escalate", request.resource().plural(), name)) {
            return;
        }
        String missing = missing(request, role.array("rules").objects().toList());
        if (missing != null) {
            throw forbidden(request, role, missing);
        }
        boolean aggregates = aggregates(role) || (request.old() != null && aggregates(request.old()));
        if (aggregates && missing(request, List.of(EVERYTHING, EVERY_PATH)) != null) {
            throw forbidden(request, role, "must have cluster-admin privileges to use the aggregationRule");
        }
    }

    private static boolean aggregates(JsonObject role) {
        return !role.array("aggregationRule", "clusterRoleSelectors").isEmpty();
    }

    private void checkBinding(AdmissionRequest request, JsonObject binding) {
        JsonObject reference = binding.object("roleRef");
        String kind = reference.string("kind");
        boolean isClusterRole = kind.equals(RoleAuthorizer.CLUSTER_ROLE);
        if (!isClusterRole && !kind.equals("Role")) {
            throw StatusException.unclassified("unsupported role reference kind: " + GoText.quoted(kind));
        }
        String name = reference.string("name");
        if (isAllowed(request, "bind", isClusterRole ? "clusterroles" : "roles", name)) {
            return;
        }
        if (!isClusterRole && request.namespace().isEmpty()) {
            throw StatusException.badRequest("Namespace parameter required.");
        }
        List<JsonObject> absent = new ArrayList<>();
        List<JsonObject> rules = authorizer.rules(binding, absent);
        if (!absent.isEmpty()) {
            // upstream names the resource of the request
            throw StatusException.notFound(request.store().resource(), name);
        }
        String missing = missing(request, rules);
        if (missing != null) {
            throw forbidden(request, binding, missing);
        }
    }

    private boolean isAllowed(AdmissionRequest request, String verb, String resource, String name) {
        AccessRequest.Target target =
                new AccessRequest.Target(RoleAuthorizer.GROUP, resource, "", request.namespace(), name);
        return authorizer
                .decide(request.options().user(), AccessRequest.of(verb, target))
                .allowed();
    }

    private static RuntimeException forbidden(AdmissionRequest request, JsonObject object, String why) {
        return StatusException.forbidden(request.store().resource(), Meta.name(object), why);
    }

    /**
     * Returns upstream's text for the permissions that the user of a request lacks; null if the user has all of them.
     */
    private @Nullable String missing(AdmissionRequest request, List<JsonObject> wanted) {
        UserInfo user = request.options().user();
        List<JsonObject> absent = new ArrayList<>();
        List<JsonObject> held = authorizer.rules(user, request.namespace(), absent);
        List<Permission> missing = wanted.stream()
                .flatMap(rule -> Permission.of(rule).stream())
                .filter(permission -> held.stream().noneMatch(permission::isCoveredBy))
                .toList();
        if (missing.isEmpty()) {
            return null;
        }
        String text = "user " + GoText.quoted(user.name()) + " (groups=" + Permission.quoted(user.groups())
                + ") is attempting to grant RBAC permissions not currently held:\n"
                + String.join("\n", new TreeSet<>(Permission.describe(missing)));
        return absent.isEmpty()
                ? text
                : text + "; resolution errors: ["
                        + RoleAuthorizer.aggregate(
                                absent,
                                reference -> request.resource() + " " + GoText.quoted(reference.string("name"))
                                        + " not found")
                        + "]";
    }

    /**
     * One verb on one resource, object or path: the smallest part of a rule (upstream: {@code BreakdownRule} and {@code
     * ruleCovers} of {@code policy_comparator.go}). Immutable.
     *
     * @param target the object of the verb: a resource or a path
     * @param verb the verb; may be {@code *}
     */
    private record Permission(Target target, String verb) {

        /**
         * A resource, an object or a path.
         *
         * @param group the API group; may be {@code *}
         * @param resource the resource with its subresource; empty for a path
         * @param name the name of an object; empty for all of them
         * @param path the path; empty for a resource
         */
        record Target(String group, String resource, String name, String path) {}

        /** Returns the parts of a rule. */
        static List<Permission> of(JsonObject rule) {
            List<Target> targets = new ArrayList<>();
            List<String> names = texts(rule, "resourceNames");
            for (String group : texts(rule, "apiGroups")) {
                for (String resource : texts(rule, "resources")) {
                    (names.isEmpty() ? List.of("") : names)
                            .forEach(name -> targets.add(new Target(group, resource, name, "")));
                }
            }
            List<Permission> permissions = new ArrayList<>();
            for (Target target : targets) {
                texts(rule, "verbs").forEach(verb -> permissions.add(new Permission(target, verb)));
            }
            for (String path : texts(rule, "nonResourceURLs")) {
                texts(rule, "verbs")
                        .forEach(verb -> permissions.add(new Permission(new Target("", "", "", path), verb)));
            }
            return permissions;
        }

        private static List<String> texts(JsonObject rule, String list) {
            return rule.array(list).strings().toList();
        }

        /** Returns whether a rule contains this permission. */
        boolean isCoveredBy(JsonObject rule) {
            if (!Members.isListed(rule.array("verbs"), verb)) {
                return false;
            }
            if (!target.path().isEmpty()) {
                return rule.array("nonResourceURLs")
                        .strings()
                        .anyMatch(path -> RoleRule.matchesPath(path, target.path()));
            }
            List<String> names = texts(rule, "resourceNames");
            return Members.isListed(rule.array("apiGroups"), target.group())
                    && coversResource(rule.array("resources"))
                    && (names.isEmpty() || names.contains(target.name()));
        }

        private boolean coversResource(JsonArray resources) {
            String resource = target.resource();
            int slash = resource.indexOf('/');
            return Members.isListed(resources, resource)
                    || (slash >= 0 && resources.strings().anyMatch(("*" + resource.substring(slash))::equals));
        }

        /**
         * Returns upstream's texts of permissions: one for each resource or object, with its verbs, and one for each
         * verb on a path.
         */
        static List<String> describe(List<Permission> permissions) {
            List<String> texts = new ArrayList<>();
            Map<Target, List<String>> verbs = new LinkedHashMap<>();
            for (Permission permission : permissions) {
                if (permission.target().path().isEmpty()) {
                    verbs.computeIfAbsent(permission.target(), target -> new ArrayList<>())
                            .add(permission.verb());
                } else {
                    texts.add("{NonResourceURLs:"
                            + quoted(List.of(permission.target().path())) + ", Verbs:"
                            + quoted(List.of(permission.verb())) + "}");
                }
            }
            verbs.forEach((target, all) -> texts.add("{APIGroups:" + quoted(List.of(target.group())) + ", Resources:"
                    + quoted(List.of(target.resource()))
                    + (target.name().isEmpty() ? "" : ", ResourceNames:" + quoted(List.of(target.name()))) + ", Verbs:"
                    + quoted(all) + "}"));
            return texts;
        }

        /** Returns texts as Go prints a list of quoted ones. */
        static String quoted(List<String> texts) {
            return texts.stream().map(GoText::quoted).collect(Collectors.joining(" ", "[", "]"));
        }
    }
}
