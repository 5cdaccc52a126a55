/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.requests;

import io.kubeloop.apiserver.access.AccessRequest;
import io.kubeloop.apiserver.access.Authorizer;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.expressions.AccessCheck;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.apiserver.expressions.RequestVariables;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values of the variables of expressions about requests. Thread-safe. */
public final class RequestFacts {

    private static final long BUDGET = 10_000_000;

    private final ApiBackend backend;
    private final ExpressionCompiler compiler;

    /**
     * Created on first use, because it loads the library. Threads that create it at the same time create equal ones.
     */
    private volatile @Nullable RequestVariables variables;

    private RequestFacts(ApiBackend backend, ExpressionCompiler compiler) {
        this.backend = backend;
        this.compiler = compiler;
    }

    /** Returns the facts of a server; null if it has no compiler of expressions. */
    public static @Nullable RequestFacts installed(ApiBackend backend) {
        return ExpressionCompiler.installed()
                .map(compiler -> new RequestFacts(backend, compiler))
                .orElse(null);
    }

    /** Returns the types of the variables. */
    public RequestVariables variables() {
        RequestVariables present = variables;
        if (present == null) {
            present = new RequestVariables(compiler);
            variables = present;
        }
        return present;
    }

    /**
     * Returns the evaluation of expressions about a request, except of {@code namespaceObject}.
     *
     * @param matched the resource in whose version the objects are shown
     * @param object the object after the write; null at deletion
     * @param params the parameters of a policy; null for none
     */
    public RequestEvaluation of(
            AdmissionRequest request, ResourceStore matched, @Nullable JsonObject object, @Nullable JsonObject params) {
        JsonObject facts = RequestDocument.of("", backend, request, matched, object);
        AccessCheck access = new AccessCheck(asked -> decide(request.options().user(), asked), Map.of());
        Map<String, Object> values = new HashMap<>();
        values.put(
                RequestVariables.REQUEST, facts.without("uid").without("object").without("oldObject"));
        values.put(RequestVariables.OBJECT, orNull(facts, "object"));
        values.put(RequestVariables.OLD_OBJECT, orNull(facts, "oldObject"));
        values.put(RequestVariables.NAMESPACE, JsonNull.NULL);
        values.put(RequestVariables.AUTHORIZER, access);
        values.put(
                RequestVariables.REQUEST_RESOURCE,
                access.with(AccessCheck.GROUP, request.resource().group())
                        .with(AccessCheck.RESOURCE, request.resource().plural())
                        .with(AccessCheck.SUBRESOURCE, request.subresource())
                        .with(AccessCheck.NAMESPACE, request.namespace())
                        .with(AccessCheck.NAME, request.name()));
        return new RequestEvaluation(BUDGET, values, params);
    }

    private AccessCheck.Decision decide(UserInfo user, Map<String, String> asked) {
        String path = asked.getOrDefault(AccessCheck.PATH, "");
        String verb = asked.getOrDefault(AccessCheck.VERB, "");
        AccessRequest request = path.isEmpty()
                ? AccessRequest.of(
                        verb,
                        new AccessRequest.Target(
                                asked.getOrDefault(AccessCheck.GROUP, ""),
                                asked.getOrDefault(AccessCheck.RESOURCE, ""),
                                asked.getOrDefault(AccessCheck.SUBRESOURCE, ""),
                                asked.getOrDefault(AccessCheck.NAMESPACE, ""),
                                asked.getOrDefault(AccessCheck.NAME, "")))
                : AccessRequest.ofPath(verb, path);
        String account = asked.get(AccessCheck.ACCOUNT);
        Authorizer.Decision decision =
                backend.kinds().authorizer(backend).decide(account == null ? user : serviceAccount(account), request);
        return new AccessCheck.Decision(decision.allowed(), decision.reason());
    }

    private static UserInfo serviceAccount(String account) {
        String namespace = account.substring(0, account.indexOf(':'));
        return new UserInfo(
                "system:serviceaccount:" + account,
                "",
                List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated"),
                Map.of());
    }

    private static JsonValue orNull(JsonObject facts, String name) {
        JsonValue value = facts.get(name);
        return value == null ? JsonNull.NULL : value;
    }

    /** Returns the namespace of a request without the fields that expressions cannot read; null if it has none. */
    public @Nullable JsonObject namespace(AdmissionRequest request) {
        if (request.namespace().isEmpty() || request.store() == backend.namespaces()) {
            return null;
        }
        StoredObject found = request.now().get(backend.namespaces().bucket(), request.namespace());
        if (found == null) {
            return null;
        }
        JsonObject metadata = found.tree().object("metadata");
        for (String hidden : List.of("managedFields", "ownerReferences", "selfLink")) {
            metadata = metadata.without(hidden);
        }
        return found.tree().without("kind").without("apiVersion").with("metadata", metadata);
    }
}
