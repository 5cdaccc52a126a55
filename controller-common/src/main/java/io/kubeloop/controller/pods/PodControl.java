/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.pods;

import io.kubeloop.api.ObjectIdentity;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.PreparedCreate;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import java.util.function.UnaryOperator;

/**
 * Creates, deletes and patches the pods of an owner, and records events about the owner (upstream: {@code
 * RealPodControl}). Thread-safe.
 *
 * <p>Each call that writes blocks until the server responds; the client's timeouts limit it, and an interrupt does
 * what the client documents.
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

    /** Creates a pod control that writes through the client and records events with the recorder. */
    public PodControl(KubeClient client, EventRecorder recorder) {
        this.client = client;
        this.recorder = recorder;
    }

    /**
     * Prepares the creation of pods from one template. Each call of the result creates one pod and returns its
     * identity. A failed creation is recorded as an event, unless the namespace is being deleted, where no event can
     * be stored either.
     *
     * <p>Calls throw what the client throws. They throw {@link ControllerException} if the template has no labels,
     * because no selector could match the pod.
     *
     * @param owner the owner, which the events are about
     * @param controllerRef the controller reference of the pods
     */
    public PreparedCreate podCreation(
            String namespace, PodTemplateSpec template, ObjectReference owner, OwnerReference controllerRef) {
        Pod wanted = PodTemplates.podFromTemplate(template, namespace, controllerRef);
        if (wanted.metadata().labels().isEmpty()) {
            return () -> {
                throw new ControllerException("unable to create pods, no labels", null);
            };
        }
        PreparedCreate creation = client.resource(ResourceTypes.PODS).prepareCreate(wanted);
        return () -> {
            try {
                ObjectIdentity created = creation.create();
                created(owner, created.name().name());
                return created;
            } catch (RuntimeException e) {
                notCreated(owner, e);
                throw e;
            }
        };
    }

    /**
     * Creates one pod and records an event about the outcome, as the calls of {@link #podCreation} do.
     *
     * @param wanted the pod; it must have labels
     * @param owner the owner, which the event is about
     * @param send sends the request and returns the pod that the server returns
     * @throws ControllerException if the pod has no labels, because no selector could match it
     */
    public Pod createPod(Pod wanted, ObjectReference owner, UnaryOperator<Pod> send) {
        if (wanted.metadata().labels().isEmpty()) {
            throw new ControllerException("unable to create pods, no labels", null);
        }
        try {
            Pod created = send.apply(wanted);
            created(owner, created.metadata().name());
            return created;
        } catch (RuntimeException e) {
            notCreated(owner, e);
            throw e;
        }
    }

    private void created(ObjectReference owner, String pod) {
        recorder.event(owner, EventType.NORMAL, SUCCESSFUL_CREATE, "Created pod: " + pod);
    }

    private void notCreated(ObjectReference owner, RuntimeException error) {
        if (!Errors.isNamespaceTerminating(error)) {
            recorder.event(owner, EventType.WARNING, FAILED_CREATE, "Error creating: " + Errors.text(error));
        }
    }

    /**
     * Deletes a pod with the server's defaults.
     *
     * @param owner the owner, which the events are about
     * @throws ApiException the server's response if there is no such pod; no event is recorded then
     * @throws ControllerException if the deletion fails for any other reason
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
