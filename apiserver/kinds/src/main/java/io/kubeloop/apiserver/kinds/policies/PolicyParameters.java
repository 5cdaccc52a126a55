/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.policies;

import io.kubeloop.api.selector.Selector;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.LabelSelectorTrees;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the parameters of a policy for a request (upstream: {@code generic.CollectParams}). Immutable; thread-safe. */
final class PolicyParameters {

    private final ApiBackend backend;

    /** The parameters cannot be found; the message is upstream's. */
    static final class ParameterException extends Exception {

        private static final long serialVersionUID = 1L;

        ParameterException(String message) {
            super(message, null, false, false);
        }
    }

    PolicyParameters(ApiBackend backend) {
        this.backend = backend;
    }

    /**
     * Returns the objects with which a policy is evaluated, one after the other; one null if it has no parameters.
     *
     * @param policy the specification of the policy
     * @param binding the specification of the binding
     */
    List<@Nullable JsonObject> of(AdmissionRequest request, JsonObject policy, JsonObject binding)
            throws ParameterException {
        if (!(policy.get("paramKind") instanceof JsonObject kind)
                || !(binding.get("paramRef") instanceof JsonObject reference)) {
            return Collections.singletonList(null);
        }
        ResourceStore store = backend.storeOfKind(kind.string("apiVersion"), kind.string("kind"));
        if (store == null) {
            throw new ParameterException("paramKind kind `&ParamKind{APIVersion:" + kind.string("apiVersion") + ",Kind:"
                    + kind.string("kind") + ",}` not known");
        }
        List<@Nullable JsonObject> found = find(request, store, reference);
        if (found.isEmpty() && reference.string("parameterNotFoundAction").equals("Deny")) {
            throw new ParameterException("no params found for policy binding with `Deny` parameterNotFoundAction");
        }
        return found;
    }

    private static List<@Nullable JsonObject> find(AdmissionRequest request, ResourceStore store, JsonObject reference)
            throws ParameterException {
        String namespace = reference.string("namespace");
        if (store.type().isNamespaced()) {
            namespace = namespace.isEmpty() ? request.namespace() : namespace;
            if (namespace.isEmpty()) {
                throw new ParameterException(
                        "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
            }
        } else if (!namespace.isEmpty()) {
            throw new ParameterException("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
        }
        String name = reference.string("name");
        if (!name.isEmpty()) {
            StoredObject object = request.now().get(store.bucket(), store.key(namespace, name));
            return object == null
                    ? List.of()
                    : List.of(store.served(store.read(object).tree()));
        }
        Selector selector = LabelSelectorTrees.read(reference.object("selector"));
        List<@Nullable JsonObject> found = new ArrayList<>();
        for (StoredObject object : store.objects(request.now(), namespace)) {
            if (selector.matches(object.labels())) {
                found.add(store.served(store.read(object).tree()));
            }
        }
        return found;
    }
}
