/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.admission;

import io.kubeloop.api.ResourceType;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.WriteOptions;
import io.kubeloop.apiserver.storage.Snapshot;
import io.kubeloop.json.tree.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * A write that is about to happen. Immutable.
 *
 * @param operation the operation of the client
 * @param store the resource
 * @param subresource the written subresource, such as {@code status}; empty for the object itself
 * @param namespace the namespace of the path; empty for a cluster-scoped resource
 * @param name the name of the object; while an object is mutated at creation, the prefix of the name that the server
 *     will generate
 * @param old the object before the write; null at creation
 * @param now the objects of the server when the write was computed
 * @param options the options of the write, with the client
 */
public record AdmissionRequest(
        Operation operation,
        ResourceStore store,
        String subresource,
        String namespace,
        String name,
        @Nullable JsonObject old,
        Snapshot now,
        WriteOptions options) {

    /** The operation of a client on an object. */
    public enum Operation {
        /** Creates it. */
        CREATE,
        /** Changes it. */
        UPDATE,
        /** Deletes it. */
        DELETE,
        /** Connects to it, such as a command in a pod. */
        CONNECT
    }

    /** Returns whether nothing will be stored. */
    public boolean dryRun() {
        return options.dryRun();
    }

    /** Returns the resource type of the written object. */
    public ResourceType<?> resource() {
        return store.type();
    }

    /** Returns a failure with code 403, to be thrown by a plug-in that rejects the write. */
    public RuntimeException forbidden(String why) {
        return StatusException.forbidden(store.resource(), name, why);
    }

    /** Returns whether the object itself is written, not a subresource. */
    public boolean isMain() {
        return subresource.isEmpty();
    }
}
