/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.requests;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.admission.AdmissionRequest.Operation;
import io.kubeloop.apiserver.objectmeta.Members;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a webhook or a policy receives a write, and in which version (upstream: {@code
 * apiserver/pkg/admission/plugin/webhook}: {@code generic}, {@code rules} and {@code predicates}). Immutable;
 * thread-safe.
 */
public final class RequestMatcher {

    private static final String ANY = "*";

    /** The configurations of admission, which no webhook can block. */
    private static final Set<String> EXEMPT = Set.of(
            "validatingwebhookconfigurations",
            "mutatingwebhookconfigurations",
            "validatingadmissionpolicies",
            "validatingadmissionpolicybindings",
            "mutatingadmissionpolicies",
            "mutatingadmissionpolicybindings");

    private final ApiBackend backend;

    /** Creates a matcher for a server. */
    public RequestMatcher(ApiBackend backend) {
        this.backend = backend;
    }

    /** Returns whether no webhook and no policy receives writes of a resource. */
    public static boolean isExempt(ResourceStore store) {
        return store.type().group().equals("admissionregistration.k8s.io")
                && EXEMPT.contains(store.type().plural());
    }

    /**
     * Returns the resource in whose version a webhook receives a write; null if it does not receive it.
     *
     * @param object the object after the write; null at deletion
     * @throws StatusException 404 if the namespace does not exist
     */
    public @Nullable ResourceStore match(MatchedRequests match, AdmissionRequest request, @Nullable JsonObject object) {
        if (resource(match.excluded(), match.isExact(), request) != null) {
            return null;
        }
        ResourceStore store = match.isAny() && match.rules().isEmpty()
                ? request.store()
                : resource(match.rules(), match.isExact(), request);
        return store != null
                        && selectsObject(match.objects(), request, object)
                        && selectsNamespace(match.namespaces(), request, object)
                ? store
                : null;
    }

    private @Nullable ResourceStore resource(JsonArray rules, boolean isExact, AdmissionRequest request) {
        ResourceStore requested = request.store();
        if (rules.objects().anyMatch(rule -> matches(rule, request, requested.type()))) {
            return requested;
        }
        if (isExact) {
            return null;
        }
        for (JsonObject rule : rules.objects().toList()) {
            for (ResourceStore other : backend.registry().stores()) {
                if (other.bucket() == requested.bucket() && matches(rule, request, other.type())) {
                    return other;
                }
            }
        }
        return null;
    }

    private static boolean matches(JsonObject rule, AdmissionRequest request, ResourceType<?> type) {
        return matchesName(rule.array("resourceNames"), request.name())
                && matchesScope(rule.string("scope"), type)
                && Members.isListed(
                        rule.array("operations"), request.operation().name())
                && Members.isListed(rule.array("apiGroups"), type.group())
                && Members.isListed(rule.array("apiVersions"), type.version())
                && rule.array("resources")
                        .strings()
                        .anyMatch(resource -> matchesResource(resource, type.plural(), request.subresource()));
    }

    private static boolean matchesName(JsonArray names, String name) {
        return names.isEmpty() || names.strings().anyMatch(name::equals);
    }

    private static boolean matchesScope(String scope, ResourceType<?> type) {
        return switch (scope) {
            case "", ANY -> true;
            case "Namespaced" -> type.isNamespaced();
            default -> !type.isNamespaced();
        };
    }

    private static boolean matchesResource(String rule, String plural, String subresource) {
        int slash = rule.indexOf('/');
        String resource = slash < 0 ? rule : rule.substring(0, slash);
        String part = slash < 0 ? "" : rule.substring(slash + 1);
        return (resource.equals(ANY) || resource.equals(plural)) && (part.equals(ANY) || part.equals(subresource));
    }

    private static boolean selectsObject(Selector selector, AdmissionRequest request, @Nullable JsonObject object) {
        return selector.isEmpty() || selects(selector, object) || selects(selector, request.old());
    }

    private static boolean selects(Selector selector, @Nullable JsonObject object) {
        return object != null && selector.matches(labels(object));
    }

    private static Map<String, String> labels(JsonObject object) {
        return object.object("metadata", "labels").strings();
    }

    private boolean selectsNamespace(Selector namespaces, AdmissionRequest request, @Nullable JsonObject object) {
        if (namespaces.isEmpty()) {
            return true;
        }
        boolean isNamespace = request.store() == backend.namespaces();
        if (isNamespace && object != null && request.isMain() && request.operation() != Operation.DELETE) {
            return namespaces.matches(labels(object));
        }
        String namespace = isNamespace ? request.name() : request.namespace();
        if (namespace.isEmpty()) {
            return true; // a webhook receives all cluster-scoped objects
        }
        StoredObject found = request.now().get(backend.namespaces().bucket(), namespace);
        if (found == null) {
            throw StatusException.notFound(backend.namespaces().resource(), namespace);
        }
        return namespaces.matches(found.labels());
    }
}
