/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.access;

import io.kubeloop.api.selector.Selector;
import io.kubeloop.apiserver.access.AccessRequest;
import io.kubeloop.apiserver.access.Authorizer;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.apiserver.storage.Snapshot;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.LabelSelectorTrees;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides by roles and role bindings (upstream: {@code plugin/pkg/auth/authorizer/rbac}). The group {@code
 * system:masters} may do everything. Aggregated roles have the rules of the roles that they select, whether or not a
 * controller has copied them.
 *
 * <p>Immutable; thread-safe. A decision reads one snapshot of the storage. O(number of bindings).
 */
public final class RoleAuthorizer implements Authorizer {

    /** The group of roles and bindings. */
    static final String GROUP = "rbac.authorization.k8s.io";

    /** The kind of the roles without a namespace. */
    static final String CLUSTER_ROLE = "ClusterRole";

    private static final String MASTERS = "system:masters";

    private final ApiBackend backend;

    /** Creates the authorizer of a server. */
    public RoleAuthorizer(ApiBackend backend) {
        this.backend = backend;
    }

    @Override
    public Decision decide(UserInfo user, AccessRequest request) {
        if (isUnlimited(user)) {
            return new Decision(true, "");
        }
        List<JsonObject> missing = new ArrayList<>();
        String[] found = {""};
        boolean allowed = visit(user, request.target().namespace(), missing, grant -> {
            boolean allows = grant.rules().stream().anyMatch(rule -> RoleRule.allows(rule, request));
            found[0] = allows ? "RBAC: allowed by " + grant.description() : "";
            return allows;
        });
        if (allowed) {
            return new Decision(true, found[0]);
        }
        return new Decision(false, missing.isEmpty() ? "" : "RBAC: " + aggregate(missing, RoleAuthorizer::lost));
    }

    /** Returns whether a user may do everything, whatever the roles are. */
    static boolean isUnlimited(UserInfo user) {
        return user.groups().contains(MASTERS);
    }

    private static String lost(JsonObject reference) {
        String kind = reference.string("kind").equals(CLUSTER_ROLE) ? "clusterrole" : "role";
        return kind + "." + GROUP + " " + GoText.quoted(reference.string("name")) + " not found";
    }

    /** Returns the errors about references to roles as upstream shows them; more than one have brackets. */
    static String aggregate(List<JsonObject> missing, Function<JsonObject, String> text) {
        List<String> distinct = missing.stream().map(text).distinct().toList();
        return distinct.size() == 1 ? distinct.get(0) : "[" + String.join(", ", distinct) + "]";
    }

    @Override
    public List<JsonObject> rules(UserInfo user, String namespace) {
        return rules(user, namespace, new ArrayList<>());
    }

    /**
     * Returns the rules that apply to a user in a namespace.
     *
     * @param missing receives the references of bindings to roles that do not exist
     */
    List<JsonObject> rules(UserInfo user, String namespace, List<JsonObject> missing) {
        List<JsonObject> rules = new ArrayList<>();
        visit(user, namespace, missing, grant -> {
            rules.addAll(grant.rules());
            return false;
        });
        return rules;
    }

    /**
     * Returns the rules of the role that a binding names.
     *
     * @param missing receives the reference if the role does not exist
     */
    List<JsonObject> rules(JsonObject binding, List<JsonObject> missing) {
        return rules(backend.storage().snapshot(), binding, missing);
    }

    /** The rules that a binding gives to a user. */
    private record Grant(JsonObject binding, JsonObject subject, List<JsonObject> rules) {

        String description() {
            String namespace = Meta.namespace(binding);
            JsonObject role = binding.object("roleRef");
            String name = Meta.name(binding) + (namespace.isEmpty() ? "" : "/" + namespace);
            return binding.string("kind") + " " + GoText.quoted(name) + " of " + role.string("kind") + " "
                    + GoText.quoted(role.string("name")) + " to " + subject.string("kind") + " "
                    + GoText.quoted(subjectName(namespace));
        }

        private String subjectName(String namespace) {
            String name = subject.string("name");
            String own = subject.string("namespace");
            return subject.string("kind").equals("ServiceAccount")
                    ? name + "/" + (own.isEmpty() ? namespace : own)
                    : name;
        }
    }

    /** Visits the grants of a user, and returns whether a visit has returned true. */
    private boolean visit(UserInfo user, String namespace, List<JsonObject> missing, Predicate<Grant> visitor) {
        Snapshot now = backend.storage().snapshot();
        Stream<JsonObject> bindings = objects("ClusterRoleBinding", now, "");
        if (!namespace.isEmpty()) {
            bindings = Stream.concat(bindings, objects("RoleBinding", now, namespace));
        }
        return bindings.anyMatch(binding -> {
            JsonObject subject = subject(binding, user);
            if (subject == null) {
                return false;
            }
            List<JsonObject> rules = rules(now, binding, missing);
            return visitor.test(new Grant(binding, subject, rules));
        });
    }

    private Stream<JsonObject> objects(String kind, Snapshot now, String namespace) {
        List<JsonObject> objects = new ArrayList<>();
        store(kind).objects(now, namespace).forEach(object -> objects.add(object.tree()));
        return objects.stream();
    }

    private ResourceStore store(String kind) {
        return Objects.requireNonNull(backend.storeOfKind(GROUP + "/v1", kind), kind);
    }

    private static @Nullable JsonObject subject(JsonObject binding, UserInfo user) {
        return binding.array("subjects")
                .objects()
                .filter(subject -> applies(subject, user, Meta.namespace(binding)))
                .findFirst()
                .orElse(null);
    }

    private static boolean applies(JsonObject subject, UserInfo user, String namespace) {
        String name = subject.string("name");
        return switch (subject.string("kind")) {
            case "User" -> user.name().equals(name);
            case "Group" -> user.groups().contains(name);
            case "ServiceAccount" -> {
                String own = subject.string("namespace");
                String in = own.isEmpty() ? namespace : own;
                yield !in.isEmpty() && user.name().equals("system:serviceaccount:" + in + ":" + name);
            }
            default -> false;
        };
    }

    private List<JsonObject> rules(Snapshot now, JsonObject binding, List<JsonObject> missing) {
        JsonObject reference = binding.object("roleRef");
        boolean isClusterRole = reference.string("kind").equals(CLUSTER_ROLE);
        ResourceStore store = store(isClusterRole ? CLUSTER_ROLE : "Role");
        String name = reference.string("name");
        StoredObject role = now.get(store.bucket(), store.key(isClusterRole ? "" : Meta.namespace(binding), name));
        if (role == null) {
            missing.add(reference);
            return List.of();
        }
        Set<JsonObject> rules = new LinkedHashSet<>();
        collect(now, role.tree(), rules, new HashSet<>());
        return List.copyOf(rules);
    }

    /** Adds the rules of a role and of the roles that it aggregates. */
    private void collect(Snapshot now, JsonObject role, Set<JsonObject> rules, Set<String> visited) {
        role.array("rules").objects().forEach(rules::add);
        List<Selector> selectors = role.array("aggregationRule", "clusterRoleSelectors")
                .objects()
                .map(LabelSelectorTrees::read)
                .toList();
        if (selectors.isEmpty() || !visited.add(Meta.name(role))) {
            return;
        }
        for (StoredObject other : store(CLUSTER_ROLE).objects(now, "")) {
            if (selectors.stream().anyMatch(selector -> selector.matches(other.labels()))) {
                collect(now, other.tree(), rules, visited);
            }
        }
    }
}
