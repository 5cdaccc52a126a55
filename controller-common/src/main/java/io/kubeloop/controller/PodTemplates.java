package io.kubeloop.controller;

import io.kubeloop.api.NameValidation;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.api.core.PodTemplateSpec;
import java.util.List;

/** Makes pods from templates (upstream: {@code GetPodFromTemplate}). */
public final class PodTemplates {

    private PodTemplates() {}

    /**
     * Returns a pod as the template wants it, owned by its controller and named by the server from the controller's name. Of
     * the template's metadata only labels, annotations and finalizers count.
     *
     * @param namespace where the pod shall live
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

    /** Returns the name and a dash, or the name alone where a dash would leave no room for a valid pod name. */
    static String podsPrefix(String controllerName) {
        String prefix = controllerName + "-";
        return NameValidation.dns1123SubdomainPrefix(prefix).isEmpty() ? prefix : controllerName;
    }
}
