/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.webhook;

import io.kubeloop.api.KubeObject;
import org.jspecify.annotations.Nullable;

/**
 * A write that a webhook decides about. Immutable.
 *
 * @param operation {@code CREATE}, {@code UPDATE}, {@code DELETE} or {@code CONNECT}
 * @param namespace empty for a resource of the cluster
 * @param name empty for an object whose name the server makes
 * @param subresource such as {@code status}; empty for the object itself
 * @param user the name of the user that writes
 * @param dryRun whether nothing is stored; a handler must then have no side effects
 * @param object the object after the write; null for a deletion
 * @param oldObject the object before the write; null for a creation
 */
public record AdmissionReview<T extends KubeObject>(
        String operation,
        String namespace,
        String name,
        String subresource,
        String user,
        boolean dryRun,
        @Nullable T object,
        @Nullable T oldObject) {}
