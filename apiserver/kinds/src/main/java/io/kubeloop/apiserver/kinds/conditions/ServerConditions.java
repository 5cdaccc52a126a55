/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.conditions;

import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.storage.SerialReconciler;
import io.kubeloop.apiserver.storage.Snapshot;
import io.kubeloop.apiserver.storage.Storage;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the conditions of flow schemas and of API services (upstream: {@code
 * apiserver/pkg/util/flowcontrol/apf_controller.go} and {@code kube-aggregator/pkg/controllers/status}). Thread-safe.
 *
 * <p>Every write of one of these kinds, or of a kind that they refer to, computes the conditions of all objects. The
 * cost is linear in the number of flow schemas and API services.
 */
public final class ServerConditions {

    /*
     * Invariant: the conditions are computed by one thread at a time, from the storage alone; see SerialReconciler. No
     * lock is held meanwhile. Every thread that writes calls reconcile().
     */

    private final SerialReconciler reconciler = new SerialReconciler(this::compute);
    private final ApiBackend backend;
    private final Storage storage;
    private final List<Kept> kinds;

    /** The rule of the condition of a kind. */
    @FunctionalInterface
    interface Rule {

        /** Returns the object with its condition; null if nothing is to change. */
        @Nullable
        JsonObject next(JsonObject object, Snapshot now, String time);
    }

    private record Kept(ResourceStore store, Rule rule) {}

    private ServerConditions(ApiBackend backend) {
        this.backend = backend;
        storage = backend.storage();
        ResourceStore schemas = store("flowcontrol.apiserver.k8s.io/v1", "FlowSchema");
        ResourceStore levels = store("flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration");
        ResourceStore services = store("v1", "Service");
        ResourceStore apis = store("apiregistration.k8s.io/v1", "APIService");
        kinds = List.of(
                new Kept(
                        schemas,
                        (schema, now, time) -> ConditionRules.dangling(
                                schema, level -> now.get(levels.bucket(), level) != null, time)),
                new Kept(
                        apis,
                        (api, now, time) -> ConditionRules.available(
                                api,
                                service -> now.get(services.bucket(), services.key(service.namespace(), service.name()))
                                        != null,
                                time)));
        List.of(schemas, levels, services, apis)
                .forEach(store -> storage.onWrite(store.bucket(), reconciler::reconcile));
    }

    /** Keeps the conditions in a server from now on. */
    public static void follow(ApiBackend backend) {
        new ServerConditions(backend).reconciler.reconcile();
    }

    private ResourceStore store(String apiVersion, String kind) {
        return Objects.requireNonNull(backend.storeOfKind(apiVersion, kind));
    }

    private void compute() {
        kinds.forEach(this::compute);
    }

    private void compute(Kept kind) {
        Snapshot now = storage.snapshot();
        for (StoredObject object : kind.store().objects(now, "")) {
            JsonObject next = kind.rule().next(object.tree(), now, backend.now().toString());
            if (next != null) {
                // An object that was changed meanwhile is computed again, because that write requests it.
                var unused = storage.put(kind.store().bucket(), object.key(), object, next, null);
            }
        }
    }
}
