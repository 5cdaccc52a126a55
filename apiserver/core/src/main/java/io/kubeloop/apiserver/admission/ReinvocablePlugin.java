/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.admission;

import io.kubeloop.json.tree.JsonObject;

/**
 * A plug-in whose changes can require that all plug-ins see the object again (upstream: {@code
 * admission.ReinvocationContext}). Must be thread-safe.
 */
public interface ReinvocablePlugin extends AdmissionPlugin {

    /** The changes of one write. Confined to the thread of the request. */
    interface Round {

        /**
         * Returns the object with the changes of the plug-in.
         *
         * @param again whether this is the second and last call for the write
         */
        JsonObject mutate(JsonObject object, boolean again);

        /** Returns whether the plug-ins must be called again after the first call. */
        boolean requiresAnother();
    }

    /** Starts the changes of a write. */
    Round round(AdmissionRequest request);
}
