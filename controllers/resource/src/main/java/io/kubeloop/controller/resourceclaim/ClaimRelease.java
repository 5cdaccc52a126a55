/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.resourceclaim;

import io.kubeloop.api.Finalizers;
import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.Lister;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Removes the reservations of pods that no longer need a claim. With the last one, the claim loses its allocation and
 * its finalizer. A claim that was created for such a pod is deleted. Thread-safe; one thread at a time syncs a claim.
 * {@link #sync} blocks for its requests.
 *
 * @param pods the cached pods
 * @param podClient reads pods that the cache does not show
 * @param client writes claims
 */
record ClaimRelease(Lister<Pod> pods, ResourceClient<Pod> podClient, ResourceClient<GenericObject> client) {

    /** The finalizer of allocated claims. */
    static final String FINALIZER = "resource.kubernetes.io/delete-protection";

    /**
     * Syncs a claim.
     *
     * @throws ApiException if the claim changed meanwhile; the caller tries again
     */
    void sync(GenericObject claim) {
        List<JsonObject> reservations = ClaimReading.reservations(claim);
        List<JsonObject> valid = reservations.stream()
                .filter(reservation -> isValid(claim.metadata().namespace(), reservation))
                .toList();
        boolean isProtected = Finalizers.has(claim, FINALIZER);
        if (valid.size() < reservations.size()) {
            JsonObject status = valid.isEmpty()
                    ? ClaimReading.status(claim).without("reservedFor")
                    : ClaimReading.status(claim).with("reservedFor", JsonArray.of(valid));
            GenericObject written = client.updateStatus(ClaimReading.withStatus(
                    claim, valid.isEmpty() && isProtected ? status.without("allocation") : status));
            if (valid.isEmpty() && isProtected) {
                removeFinalizer(written);
            }
        } else if (isProtected && claim.metadata().isDeleting() && valid.isEmpty()) {
            JsonObject status = ClaimReading.status(claim);
            removeFinalizer(
                    status.has("allocation")
                            ? client.updateStatus(ClaimReading.withStatus(claim, status.without("allocation")))
                            : claim);
        }
        if (valid.isEmpty() && !claim.metadata().isDeleting()) {
            deleteIfOwnerIsDone(claim);
        }
    }

    private boolean isValid(String namespace, JsonObject reservation) {
        if (!ClaimReading.isForPod(reservation)) {
            return true;
        }
        Pod pod = find(new ObjectName(namespace, reservation.string("name")));
        return pod != null && pod.metadata().uid().equals(reservation.string("uid")) && !ClaimReading.isDone(pod);
    }

    /** The cache may lack a pod that the scheduler has just bound, so the server decides. */
    private @Nullable Pod find(ObjectName name) {
        Pod cached = pods.get(name);
        if (cached != null) {
            return cached;
        }
        try {
            return podClient.get(name);
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return null;
            }
            throw e;
        }
    }

    private void removeFinalizer(GenericObject claim) {
        client.update(Finalizers.remove(claim, FINALIZER));
    }

    /** A claim whose pod the cache does not show is left to the garbage collector: the pod may be new. */
    private void deleteIfOwnerIsDone(GenericObject claim) {
        OwnerReference owner = ClaimReading.owner(claim);
        Pod pod =
                owner == null ? null : pods.get(new ObjectName(claim.metadata().namespace(), owner.name()));
        if (owner == null || pod == null || (pod.metadata().uid().equals(owner.uid()) && !ClaimReading.isDone(pod))) {
            return;
        }
        try {
            client.delete(
                    claim.objectName(),
                    new DeleteOptions(null, null, claim.metadata().uid(), null));
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }
}
