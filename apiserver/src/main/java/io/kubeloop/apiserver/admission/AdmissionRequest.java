package io.kubeloop.apiserver.admission;

import io.kubeloop.apiserver.machinery.ResourceStore;
import io.kubeloop.apiserver.storage.Snapshot;
import io.kubeloop.json.tree.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * A write that is about to happen. Immutable.
 *
 * @param operation what the client does
 * @param store the resource
 * @param subresource the written subresource, such as {@code status}; empty for the object itself
 * @param namespace the namespace of the path; empty for a cluster-scoped resource
 * @param name the name of the object; empty if the server has yet to generate it
 * @param old the object before the write; null at creation
 * @param now the objects of the server when the write was computed
 * @param dryRun whether nothing will be stored
 */
public record AdmissionRequest(
        Operation operation,
        ResourceStore store,
        String subresource,
        String namespace,
        String name,
        @Nullable JsonObject old,
        Snapshot now,
        boolean dryRun) {

    /** What a client does with an object. */
    public enum Operation {
        /** Creates it. */
        CREATE,
        /** Changes it. */
        UPDATE,
        /** Deletes it. */
        DELETE,
        /** Connects to it, such as the creation of a pod's eviction. */
        CONNECT
    }

    /** Returns whether the object itself is written, not a subresource. */
    public boolean isMain() {
        return subresource.isEmpty();
    }
}
