package io.kubeloop.controller;

import io.kubeloop.api.ObjectIdentity;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.Creation;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;

/**
 * Creates, deletes and patches pods for a controlling object, and says so in events about that object (upstream:
 * {@code RealPodControl}). Every call blocks. Thread-safe.
 */
public final class PodControl {

    /** Reason of the event about a created pod. */
    public static final String SUCCESSFUL_CREATE = "SuccessfulCreate";
    /** Reason of the event, and of the condition, about a pod that could not be created. */
    public static final String FAILED_CREATE = "FailedCreate";
    /** Reason of the event about a deleted pod. */
    public static final String SUCCESSFUL_DELETE = "SuccessfulDelete";
    /** Reason of the event, and of the condition, about a pod that could not be deleted. */
    public static final String FAILED_DELETE = "FailedDelete";

    private final KubeClient client;
    private final EventRecorder recorder;

    /** Makes a pod control that writes through the client and reports to the recorder. */
    public PodControl(KubeClient client, EventRecorder recorder) {
        this.client = client;
        this.recorder = recorder;
    }

    /**
     * Prepares to create pods from one template: each call of what is returned creates one, and returns which one it
     * has become. A refusal is reported by an event, unless the namespace is being deleted: there no event could be stored
     * either.
     *
     * <p>Calls throw {@link ControllerException} if the template has no labels, so that no selector could find the pod again,
     * and what the client throws.
     *
     * @param owner the controlling object, whom events are about
     * @param controllerRef makes the pods the owner's
     */
    public Creation podCreation(
            String namespace, PodTemplateSpec template, ObjectReference owner, OwnerReference controllerRef) {
        Pod wanted = PodTemplates.podFromTemplate(template, namespace, controllerRef);
        if (wanted.metadata().labels().isEmpty()) {
            return () -> {
                throw new ControllerException("unable to create pods, no labels", null);
            };
        }
        Creation creation = client.resource(ResourceTypes.PODS).prepareCreate(wanted);
        return () -> {
            ObjectIdentity created;
            try {
                created = creation.create();
            } catch (RuntimeException e) {
                if (!Errors.isNamespaceTerminating(e)) {
                    recorder.event(owner, EventType.WARNING, FAILED_CREATE, "Error creating: " + Errors.text(e));
                }
                throw e;
            }
            recorder.event(
                    owner,
                    EventType.NORMAL,
                    SUCCESSFUL_CREATE,
                    "Created pod: " + created.name().name());
            return created;
        };
    }

    /**
     * Deletes a pod with the server's defaults.
     *
     * @param owner the controlling object, whom events are about
     * @throws ApiException as the server said it, if there is no such pod; no event then
     * @throws ControllerException if it fails for any other reason
     */
    public void deletePod(ObjectName pod, ObjectReference owner) {
        try {
            client.resource(ResourceTypes.PODS).delete(pod, DeleteOptions.DEFAULT);
        } catch (RuntimeException e) {
            if (e instanceof ApiException refused && refused.isNotFound()) {
                throw refused;
            }
            recorder.event(owner, EventType.WARNING, FAILED_DELETE, "Error deleting: " + Errors.text(e));
            throw new ControllerException("unable to delete pods: " + Errors.text(e), e);
        }
        recorder.event(owner, EventType.NORMAL, SUCCESSFUL_DELETE, "Deleted pod: " + pod.name());
    }

    /** Patches a pod and returns it as stored. */
    public Pod patchPod(ObjectName pod, Patch patch) {
        return client.resource(ResourceTypes.PODS).patch(pod, patch);
    }
}
