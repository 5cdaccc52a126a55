/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.conversion;

import io.kubeloop.api.ResourceType;
import io.kubeloop.apiserver.storage.codec.StorageForm;

/** The table of the resources that are served in several versions. */
public final class StorageForms {

    private StorageForms() {}

    /** Returns the form in which the objects of a served version are stored. */
    public static StorageForm of(ResourceType<?> served) {
        return switch (served.apiVersion() + "/" + served.plural()) {
            case "events.k8s.io/v1/events" -> new StorageForm("events", "v1", new EventConversion());
            case "autoscaling/v1/horizontalpodautoscalers" ->
                new StorageForm(served.toString(), "autoscaling/v2", new AutoscalerConversion());
            default -> StorageForm.of(served);
        };
    }
}
