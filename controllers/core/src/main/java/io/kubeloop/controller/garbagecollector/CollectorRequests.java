/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.garbagecollector;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.DeleteOptions.PropagationPolicy;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.Retry;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.ControllerRefs;
import io.kubeloop.controller.discovery.ApiCatalog;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The requests of the garbage collector (upstream: {@code operations.go}). Every method blocks until the server has
 * answered. Thread-safe.
 */
final class CollectorRequests {

    /** The code of a server that does not support strategic merge patches of a resource, such as a custom one. */
    private static final int UNSUPPORTED_MEDIA_TYPE = 415;

    /** Tries of a deletion while other writers change the object; then the object is checked again later. */
    private static final int DELETION_TRIES = 5;

    private final KubeClient client;
    private final BiFunction<String, String, ApiCatalog.@Nullable Entry> served;

    /**
     * Creates the requests.
     *
     * @param served returns the resource of an {@code apiVersion} and a kind; null if it is not served
     */
    CollectorRequests(KubeClient client, BiFunction<String, String, ApiCatalog.@Nullable Entry> served) {
        this.client = client;
        this.served = served;
    }

    /**
     * Returns the resource of a kind.
     *
     * @throws UnknownKindException if it is not served, as far as is known
     */
    ApiCatalog.Entry resource(String apiVersion, String kind) {
        ApiCatalog.Entry entry = served.apply(apiVersion, kind);
        if (entry == null) {
            throw new UnknownKindException(apiVersion, kind);
        }
        return entry;
    }

    /** The server does not serve a kind, or has not been found to serve it yet. */
    static final class UnknownKindException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UnknownKindException(String apiVersion, String kind) {
            super("the server serves no kind " + kind + " of " + apiVersion, null, false, false);
        }
    }

    /** Returns the object at these coordinates, whatever its UID; null if there is none. */
    @Nullable
    ObjectMeta read(ObjectCoordinates object) {
        try {
            return resource(object).get(nameOf(object)).metadata();
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return null;
            }
            throw e;
        }
    }

    private ResourceClient<PartialObjectMetadata> resource(ObjectCoordinates object) {
        return client.resource(resource(object.apiVersion(), object.kind()).type());
    }

    /** Returns the name; a cluster-scoped object has no namespace, whatever its dependents claim. */
    private ObjectName nameOf(ObjectCoordinates object) {
        boolean isNamespaced =
                resource(object.apiVersion(), object.kind()).type().isNamespaced();
        return new ObjectName(isNamespaced ? object.namespace() : "", object.name());
    }

    /**
     * Deletes the object in the version that was read. After a conflict it reads the object again, and deletes it if it
     * still has the same owners: frequent updates of other fields must not keep it.
     *
     * @param read the state from which the decision follows
     * @return false if the object does not exist any more
     * @throws ApiException with the last conflict if the owners have changed, or after {@link #DELETION_TRIES} tries
     */
    boolean delete(ObjectCoordinates object, ObjectMeta read, PropagationPolicy policy) {
        ResourceClient<PartialObjectMetadata> resource = resource(object);
        ObjectMeta known = read;
        for (int left = DELETION_TRIES - 1; ; left--) {
            try {
                // Upstream retries without the version, and could then delete an object that has just got an owner.
                resource.delete(nameOf(object), new DeleteOptions(null, policy, object.uid(), known.resourceVersion()));
                return true;
            } catch (ApiException e) {
                if (e.isNotFound()) {
                    return false;
                }
                if (!e.isConflict() || left == 0) {
                    throw e;
                }
                ObjectMeta now = read(object);
                if (now == null) {
                    return false;
                }
                if (!now.uid().equals(object.uid()) || !now.ownerReferences().equals(read.ownerReferences())) {
                    throw e;
                }
                known = now;
            }
        }
    }

    /**
     * Removes references to these owners.
     *
     * @throws ApiException if the object does not exist, or another one has its name
     */
    void removeOwners(ObjectCoordinates object, List<String> ownerUids) {
        Patch strategic = Patch.strategicMerge(ControllerRefs.releasePatch(object.uid(), ownerUids));
        try {
            resource(object).patch(nameOf(object), strategic);
        } catch (ApiException e) {
            if (e.code() != UNSUPPORTED_MEDIA_TYPE) {
                throw e;
            }
            removeByMerge(object, ownerUids);
        }
    }

    /**
     * Changes the references of the object so that it no longer blocks its owners, and returns its new state.
     *
     * @param read the state of the object; the server rejects the change if it has another one, so no reference
     *     returns that another writer has removed
     */
    ObjectMeta unblockOwners(ObjectCoordinates object, ObjectMeta read) {
        String patch = OwnerPatches.owners(read.resourceVersion(), read.ownerReferences(), true);
        return resource(object).patch(nameOf(object), Patch.merge(patch)).metadata();
    }

    private void removeByMerge(ObjectCoordinates object, List<String> ownerUids) {
        ObjectMeta now = resource(object).get(nameOf(object)).metadata();
        if (!now.uid().equals(object.uid())) {
            throw new ControllerException(object + " was replaced by another object of its name", null);
        }
        List<OwnerReference> kept = now.ownerReferences().stream()
                .filter(reference -> !ownerUids.contains(reference.uid()))
                .toList();
        String patch = OwnerPatches.owners(now.resourceVersion(), kept, false);
        resource(object).patch(nameOf(object), Patch.merge(patch));
    }

    /**
     * Removes a finalizer, and tries again when another writer was faster. Does nothing if the object or the finalizer
     * is gone.
     *
     * @throws InterruptedException if interrupted between two tries
     */
    void removeFinalizer(ObjectCoordinates object, String finalizer) throws InterruptedException {
        Retry.DEFAULT_BACKOFF.onConflict(() -> {
            ObjectMeta now = read(object);
            if (now != null
                    && now.uid().equals(object.uid())
                    && now.finalizers().contains(finalizer)) {
                List<String> kept = now.finalizers().stream()
                        .filter(other -> !other.equals(finalizer))
                        .toList();
                patchFinalizers(object, OwnerPatches.finalizers(now.resourceVersion(), kept));
            }
            return object;
        });
    }

    private void patchFinalizers(ObjectCoordinates object, String patch) {
        try {
            resource(object).patch(nameOf(object), Patch.merge(patch));
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }
}
