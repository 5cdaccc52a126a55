/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.admission;

import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;

/**
 * Rejects the creation of objects in namespaces that do not exist or are being deleted (upstream: the plug-in {@code
 * NamespaceLifecycle}). Stateless; thread-safe.
 */
public final class NamespaceLifecycle implements AdmissionPlugin {

    private final ResourceStore namespaces;

    /** Creates the plug-in. */
    public NamespaceLifecycle(ResourceStore namespaces) {
        this.namespaces = namespaces;
    }

    @Override
    public JsonObject mutate(AdmissionRequest request, JsonObject object) {
        if (request.operation() == AdmissionRequest.Operation.CREATE
                && request.store().type().isNamespaced()) {
            requireActive(request);
        }
        return object;
    }

    private void requireActive(AdmissionRequest request) {
        String namespace = request.namespace();
        StoredObject found = request.now().get(namespaces.bucket(), namespace);
        if (found == null) {
            throw StatusException.notFound(namespaces.resource(), namespace);
        }
        if (Meta.isDeleting(found.tree())) {
            throw StatusException.namespaceTerminating(request.store().resource(), request.name(), namespace);
        }
    }
}
