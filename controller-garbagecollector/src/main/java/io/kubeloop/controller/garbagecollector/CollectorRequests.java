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
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.ControllerRefs;
import io.kubeloop.controller.Retry;
import io.kubeloop.controller.discovery.ApiCatalog;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The requests of the garbage collector (upstream: {@code operations.go}). Every method blocks until the server has answered.
 * Thread-safe.
 */
final class CollectorRequests {

    /** The code of a server that does not support strategic merge patches of a resource, such as a custom one. */
    private static final int UNSUPPORTED_MEDIA_TYPE = 415;

    private final KubeClient client;
    private final ServedApi served;

    CollectorRequests(KubeClient client, ServedApi served) {
        this.client = client;
        this.served = served;
    }

    /**
     * Returns the resource of a kind.
     *
     * @throws UnknownKindException if it is not served, as far as is known
     */
    ApiCatalog.Entry resource(String apiVersion, String kind) {
        ApiCatalog.Entry entry = served.ofKind(apiVersion, kind);
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
     * Deletes the object unless it has changed since it was read. If only other fields than its owners have changed, it is
     * deleted nevertheless: frequent updates must not keep it.
     *
     * @param read the state from which the decision follows
     * @return false if the object does not exist any more
     */
    boolean delete(ObjectCoordinates object, ObjectMeta read, PropagationPolicy policy) {
        ResourceClient<PartialObjectMetadata> resource = resource(object);
        try {
            resource.delete(nameOf(object), new DeleteOptions(null, policy, object.uid(), read.resourceVersion()));
            return true;
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return false;
            }
            if (!e.isConflict()) {
                throw e;
            }
            return deleteChanged(object, read, policy, e);
        }
    }

    private boolean deleteChanged(
            ObjectCoordinates object, ObjectMeta read, PropagationPolicy policy, ApiException conflict) {
        ObjectMeta now = read(object);
        if (now == null) {
            return false;
        }
        boolean sameOwners = now.uid().equals(object.uid())
                && !now.resourceVersion().equals(read.resourceVersion())
                && now.ownerReferences().equals(read.ownerReferences());
        if (!sameOwners) {
            throw conflict;
        }
        try {
            resource(object).delete(nameOf(object), new DeleteOptions(null, policy, object.uid(), null));
            return true;
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Removes references to these owners.
     *
     * @throws ApiException if the object does not exist, or another one has its name
     */
    void removeOwners(ObjectCoordinates object, List<String> ownerUids) {
        Patch strategic = Patch.strategicMerge(ControllerRefs.releasePatch(object.uid(), ownerUids));
        patchOwners(object, strategic, reference -> !ownerUids.contains(reference.uid()), false);
    }

    /** Changes all references of the object so that it no longer blocks its owners. */
    void unblockOwners(ObjectCoordinates object, List<OwnerReference> owners) {
        List<OwnerReference> blocking =
                owners.stream().filter(ObjectNode::isBlocking).toList();
        Patch strategic = Patch.strategicMerge(OwnerPatches.unblocking(object.uid(), blocking));
        patchOwners(object, strategic, reference -> true, true);
    }

    private void patchOwners(
            ObjectCoordinates object, Patch strategic, Predicate<OwnerReference> isKept, boolean unblocks) {
        try {
            resource(object).patch(nameOf(object), strategic);
        } catch (ApiException e) {
            if (e.code() != UNSUPPORTED_MEDIA_TYPE) {
                throw e;
            }
            ObjectMeta now = resource(object).get(nameOf(object)).metadata();
            if (!now.uid().equals(object.uid())) {
                throw new ControllerException(object + " was replaced by another object of its name", e);
            }
            List<OwnerReference> kept =
                    now.ownerReferences().stream().filter(isKept).toList();
            resource(object)
                    .patch(nameOf(object), Patch.merge(OwnerPatches.owners(now.resourceVersion(), kept, unblocks)));
        }
    }

    /**
     * Removes a finalizer, and tries again when another writer was faster. Does nothing if the object or the finalizer is
     * gone.
     *
     * @throws InterruptedException if interrupted between two tries
     */
    void removeFinalizer(ObjectCoordinates object, String finalizer) throws InterruptedException {
        Retry.onConflict(Retry.DEFAULT_BACKOFF, () -> {
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
