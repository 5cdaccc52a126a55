/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.api.NameValidation;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.objectmeta.Names;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.ApiHandler;
import io.kubeloop.apiserver.registry.IncomingObject;
import io.kubeloop.apiserver.registry.ObjectUpdater;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.registry.Subresources;
import io.kubeloop.apiserver.registry.request.Query;
import io.kubeloop.apiserver.registry.request.RequestInfo;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The binding of pods to nodes (upstream: {@code BindingREST} of {@code pkg/registry/core/pod/storage}). Thread-safe.
 */
public final class PodActions {

    private final ApiBackend backend;
    private final ObjectUpdater updater;

    /** Creates the operations of a server. */
    public PodActions(ApiBackend backend) {
        this.backend = backend;
        updater = new ObjectUpdater(backend);
    }

    /**
     * Binds the pod of the same name to a node: the obsolete resource {@code bindings}.
     *
     * @param store the store of bindings, which is empty
     */
    public ServerResponse bindNamed(ResourceStore store, RequestInfo info, Query query, ApiRequest request) {
        JsonObject binding =
                IncomingObject.read("v1", "Binding", ApiHandler.json(request), query.writeOptions("CreateOptions"));
        String name = Meta.name(binding);
        if (name.isEmpty()) {
            throw StatusException.badRequest("Name parameter required.");
        }
        List<String> problems = Names.pathSegment(name, false);
        if (!problems.isEmpty()) {
            throw StatusException.badRequest("Name parameter invalid: \"" + name + "\": " + String.join(";", problems));
        }
        String namespace = Meta.namespace(binding);
        if (!namespace.isEmpty() && !namespace.equals(info.namespace())) {
            throw StatusException.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
        ResourceStore namespaces = backend.namespaces();
        namespaces.require(backend.storage().snapshot().get(namespaces.bucket(), info.namespace()), info.namespace());
        return bind(Objects.requireNonNull(backend.storeOfKind("v1", "Pod")), info.namespace(), binding, query);
    }

    /** Binds a pod to a node. The scheduler uses this path; an update of the pod cannot set its node. */
    public ServerResponse bind(ResourceStore store, RequestInfo info, Query query, ApiRequest request) {
        JsonObject binding =
                IncomingObject.read("v1", "Binding", ApiHandler.json(request), query.writeOptions("CreateOptions"));
        requireName(info, binding, "Binding");
        return bind(store, info.namespace(), binding, query);
    }

    private ServerResponse bind(ResourceStore store, String namespace, JsonObject binding, Query query) {
        String node = binding.string("target", "name");
        String kind = binding.string("target", "kind");
        FieldErrors errors = new FieldErrors();
        if (!kind.isEmpty() && !kind.equals("Node")) {
            errors.notSupported("target.kind", kind, List.of("Node", "<empty>"));
        }
        if (node.isEmpty()) {
            errors.required("target.name", "");
        } else if (errors.isEmpty()) {
            errors.invalid("target.name", node, NameValidation.dns1123Subdomain(node));
        }
        if (!errors.isEmpty()) {
            throw StatusException.unclassified(errors.message());
        }
        updater.update(
                store,
                namespace,
                Meta.name(binding),
                RestStrategy.Part.BINDING,
                pod -> bound(store, pod, node, Meta.of(binding)),
                query.writeOptions("CreateOptions"));
        return created();
    }

    private JsonObject bound(ResourceStore store, JsonObject pod, String node, JsonObject metadata) {
        String uid = metadata.string("uid");
        if (!uid.isEmpty() && !uid.equals(Meta.uid(pod))) {
            throw Subresources.otherUid(store, pod, uid);
        }
        if (Meta.isDeleting(pod)) {
            throw StatusException.conflict(
                    store.resource(),
                    "binding",
                    Meta.name(pod),
                    "pod " + Meta.name(pod) + " is being deleted, cannot be assigned to a host");
        }
        String current = pod.string("spec", "nodeName");
        if (!current.isEmpty()) {
            throw StatusException.conflict(
                    store.resource(),
                    "binding",
                    Meta.name(pod),
                    "pod " + Meta.name(pod) + " is already assigned to node \"" + current + "\"");
        }
        if (!pod.array("spec", "schedulingGates").isEmpty()) {
            throw StatusException.conflict(
                    store.resource(),
                    "binding",
                    Meta.name(pod),
                    "pod " + Meta.name(pod) + " has non-empty .spec.schedulingGates");
        }
        JsonObject result = pod.with("spec", pod.object("spec").with("nodeName", node))
                .with("status", scheduled(pod.object("status")));
        return copied("labels", metadata, copied("annotations", metadata, result));
    }

    /** Copies the labels or annotations of a binding to its pod. */
    private static JsonObject copied(String field, JsonObject metadata, JsonObject pod) {
        JsonObject.Builder own = JsonObject.builder();
        metadata.object(field).members().keySet().forEach(name -> own.put(name, metadata.string(field, name)));
        JsonObject all = pod.object("metadata", field).withAll(own.build());
        return all.isEmpty() ? pod : Meta.with(pod, field, all);
    }

    private JsonObject scheduled(JsonObject status) {
        return withCondition(status, trueCondition("PodScheduled", backend.now().toString()));
    }

    static JsonObject trueCondition(String type, String now) {
        return JsonObject.EMPTY
                .with("type", type)
                .with("status", "True")
                .with("lastProbeTime", JsonNull.NULL)
                .with("lastTransitionTime", now);
    }

    static JsonObject withCondition(JsonObject status, JsonObject added) {
        List<JsonValue> conditions = new ArrayList<>();
        status.array("conditions")
                .objects()
                .filter(condition -> !condition.string("type").equals(added.string("type")))
                .forEach(conditions::add);
        conditions.add(added);
        return status.with("conditions", JsonArray.of(conditions));
    }

    static void requireName(RequestInfo info, JsonObject body, String kind) {
        if (!Meta.name(body).equals(info.name())) {
            throw StatusException.badRequest("name in URL does not match name in " + kind + " object");
        }
    }

    static ServerResponse created() {
        return ServerResponse.Document.of(201, Subresources.success(201, JsonObject.EMPTY));
    }
}
