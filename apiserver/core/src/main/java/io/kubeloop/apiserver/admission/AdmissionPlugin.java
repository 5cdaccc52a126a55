/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.admission;

import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Changes or rejects writes (upstream: {@code admission.MutationInterface} and {@code ValidationInterface}). Must be
 * thread-safe. A method rejects a write with an {@link io.kubeloop.apiserver.rest.StatusException}.
 */
public interface AdmissionPlugin {

    /** Returns the object with the changes of this plug-in. Called after defaults and before validation. */
    default JsonObject mutate(AdmissionRequest request, JsonObject object) {
        return object;
    }

    /** Checks an object that is valid. */
    default void validate(AdmissionRequest request, JsonObject object) {}

    /**
     * Checks a deletion.
     *
     * @param object the object that is to be deleted
     */
    default void validateDelete(AdmissionRequest request, JsonObject object) {}

    /**
     * Checks a connection to an object, such as a command in a pod. Nothing is written.
     *
     * @param options what the client wants, such as {@code PodExecOptions}
     */
    default void validateConnect(AdmissionRequest request, JsonObject options) {}

    /**
     * Runs the write. A plug-in that counts stored objects surrounds the write.
     *
     * @param write stores the object; returns null if another client was faster, and then nothing is stored
     * @return the result of the write
     */
    default @Nullable StoredObject store(
            AdmissionRequest request, JsonObject object, Supplier<@Nullable StoredObject> write) {
        return write.get();
    }
}
