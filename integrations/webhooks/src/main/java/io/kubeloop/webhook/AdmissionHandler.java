/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.webhook;

import io.kubeloop.api.KubeObject;

/**
 * Decides about writes of one resource. Must be thread-safe, and answer within the {@code timeoutSeconds} of the
 * webhook's configuration. An exception fails the call, and the {@code failurePolicy} of the configuration applies.
 */
@FunctionalInterface
public interface AdmissionHandler<T extends KubeObject> {

    /** Returns the answer to a write. */
    AdmissionAnswer<T> review(AdmissionReview<T> review);
}
