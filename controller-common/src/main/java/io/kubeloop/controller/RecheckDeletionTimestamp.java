/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.KubeClient;

/**
 * Checks on the server, not in the cache, that an object may still adopt others (upstream: the function of that name).
 * Stateless.
 */
public final class RecheckDeletionTimestamp {

    private RecheckDeletionTimestamp() {}

    /**
     * Returns a check that reads the object from the server. It throws {@link ControllerException} if the object
     * cannot be read, was replaced by another of its name, or is being deleted. The check blocks until the server
     * responds.
     */
    public static <T extends KubeObject> Runnable of(KubeClient client, ResourceType<T> type, T cached) {
        return () -> {
            ObjectMeta fresh = read(client, type, cached).metadata();
            if (!fresh.uid().equals(cached.metadata().uid())) {
                throw new ControllerException(
                        "can't recheck DeletionTimestamp: original " + type.kind() + " " + cached.objectName()
                                + " is gone: got uid " + fresh.uid() + ", wanted "
                                + cached.metadata().uid(),
                        null);
            }
            if (fresh.isDeleting()) {
                throw new ControllerException(
                        cached.objectName() + " has just been deleted at " + fresh.deletionTimestamp(), null);
            }
        };
    }

    private static <T extends KubeObject> T read(KubeClient client, ResourceType<T> type, T cached) {
        try {
            return client.resource(type).get(cached.objectName());
        } catch (RuntimeException e) {
            throw new ControllerException("can't recheck DeletionTimestamp: " + Errors.text(e), e);
        }
    }
}
