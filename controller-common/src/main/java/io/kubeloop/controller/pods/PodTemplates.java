/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.pods;

import io.kubeloop.api.NameValidation;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.controller.ControllerRefs;
import java.util.List;

/** Makes pods from templates (upstream: {@code GetPodFromTemplate}). Stateless. */
public final class PodTemplates {

    private PodTemplates() {}

    /**
     * Returns a pod with the template's spec, labels, annotations and finalizers, owned by its controller. The server
     * generates its name from the controller's name. Other metadata of the template is ignored.
     *
     * @param namespace the pod's namespace
     * @param controllerRef the controller's reference, see {@link ControllerRefs#newControllerRef}
     */
    public static Pod podFromTemplate(PodTemplateSpec template, String namespace, OwnerReference controllerRef) {
        ObjectMeta wanted = template.metadata();
        ObjectMeta metadata = ObjectMetaBuilder.builder()
                .generateName(podsPrefix(controllerRef.name()))
                .namespace(namespace)
                .labels(wanted.labels())
                .annotations(wanted.annotations())
                .finalizers(wanted.finalizers())
                .ownerReferences(List.of(controllerRef))
                .build();
        return Pod.of(metadata, template.spec(), PodStatus.EMPTY);
    }

    /** Returns the name and a dash, or the name alone if the dash would make the pod's name invalid. */
    static String podsPrefix(String controllerName) {
        String prefix = controllerName + "-";
        return NameValidation.dns1123SubdomainPrefix(prefix).isEmpty() ? prefix : controllerName;
    }
}
