/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.persistentvolume;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.workqueue.RateLimiter;
import io.kubeloop.workqueue.RateLimiters;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Empties released volumes with the policy Recycle by a pod, and gives them back (upstream: {@code
 * recycleVolumeOperation}). The events of the pod bring the worker back, so no sync waits for it. A pod that an earlier
 * manager has left is deleted, because nobody knows what it did.
 *
 * <p>Confined to the worker; blocks for requests.
 */
final class Recycler {

    static final ResourceType<GenericObject> PODS =
            ResourceTypes.generic("", "v1", "pods", "Pod", ResourceType.Scope.NAMESPACED);

    /** The beginning of a pod's name, before that of its volume. */
    static final String PREFIX = "recycler-for-";

    private static final Duration FIRST_DELAY = Duration.ofMillis(500);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(122);
    private static final String FAILED = "VolumeFailedRecycle";

    /**
     * What is known of a volume.
     *
     * @param pod the UID of its pod; null if none runs
     * @param next when the next attempt may begin
     */
    private record Attempt(@Nullable String pod, Instant next) {}

    private final Binding binding;
    private final Lister<Pod> pods;
    private final ResourceClient<GenericObject> client;
    private final Map<String, RecyclerPod> templates;
    private final Clock clock;
    private final RateLimiter<String> delays = RateLimiters.exponential(FIRST_DELAY, LONGEST_DELAY);
    private final Map<String, Attempt> attempts = new HashMap<>();

    /**
     * Creates the recycler.
     *
     * @param templates the pods by the member of the volumes that they empty, such as {@code nfs}
     * @param clock measures the delays
     */
    Recycler(
            Binding binding,
            Lister<Pod> pods,
            ResourceClient<GenericObject> client,
            Map<String, RecyclerPod> templates,
            Clock clock) {
        this.binding = binding;
        this.pods = pods;
        this.client = client;
        this.templates = Map.copyOf(templates);
        this.clock = clock;
    }

    /** Begins to empty a volume, or gives back one that is empty. */
    void recycle(Volume volume) {
        String users = String.join(",", users(volume));
        if (!users.isEmpty() && binding.claim(volume.claimName()) == null) {
            binding.event(volume, EventType.NORMAL, FAILED, "Volume is used by pods: " + users);
            return;
        }
        Optional<String> source = templates.keySet().stream()
                .filter(volume.content().object("spec")::has)
                .findFirst();
        if (source.isEmpty()) {
            binding.fail(volume, FAILED, "No recycler plugin found for the volume!");
            return;
        }
        RecyclerPod template = Objects.requireNonNull(templates.get(source.get()));
        ObjectName name = new ObjectName(template.template().metadata().namespace(), PREFIX + volume.name());
        Attempt attempt = attempts.getOrDefault(volume.name(), new Attempt(null, Instant.MIN));
        try {
            if (attempt.pod() != null) {
                check(volume, name, attempt.pod());
            } else if (!clock.instant().isBefore(attempt.next())) {
                begin(volume, template.of(volume, name.name(), source.get()), attempt);
            }
        } catch (RecyclingException e) {
            Instant next = clock.instant().plus(delays.when(volume.name()));
            attempts.put(volume.name(), new Attempt(null, next));
            binding.fail(volume, FAILED, "Failed to recycle volume: " + Errors.text(e));
        }
    }

    /** Drops what is known of a volume that is gone. */
    void forget(String volume) {
        attempts.remove(volume);
        delays.forget(volume);
    }

    private Iterable<String> users(Volume volume) {
        ObjectName claim = volume.claimName();
        return pods.list(claim.namespace()).stream()
                .filter(pod -> !pod.isFinished() && ClaimSync.uses(pod, claim.name()))
                .map(pod -> claim.namespace() + "/" + pod.metadata().name())
                .sorted()
                .toList();
    }

    private void begin(Volume volume, GenericObject pod, Attempt attempt) {
        try {
            GenericObject created = client.create(pod);
            binding.created(created);
            attempts.put(volume.name(), new Attempt(created.metadata().uid(), attempt.next()));
        } catch (ApiException e) {
            if (!e.isAlreadyExists()) {
                throw new RecyclingException("unexpected error creating recycler pod:  " + Errors.text(e));
            }
            ObjectName name = pod.objectName();
            delete(name, "failed to delete old recycler pod " + name + ": ");
            throw new RecyclingException("old recycler pod found, will retry later");
        }
    }

    private void forgetPod(Volume volume) {
        attempts.computeIfPresent(volume.name(), (key, last) -> new Attempt(null, last.next()));
    }

    private void check(Volume volume, ObjectName name, String uid) {
        Pod pod = pods.get(name);
        if (pod == null || !pod.metadata().uid().equals(uid)) {
            forgetPod(volume);
            throw new RecyclingException("failed to recycle volume: recycler pod was deleted");
        }
        if (!pod.isFinished()) {
            return;
        }
        forgetPod(volume);
        delete(name, "failed to delete recycler pod: ");
        if (!pod.status().phase().equals("Succeeded")) {
            String message = pod.status().message();
            throw new RecyclingException("failed to recycle volume: "
                    + (message.isEmpty() ? "pod failed, pod.Status.Message unknown" : message));
        }
        forget(volume.name());
        binding.event(volume, EventType.NORMAL, "VolumeRecycled", "Volume recycled");
        binding.unbind(volume);
    }

    private void delete(ObjectName pod, String failure) {
        try {
            client.delete(pod, DeleteOptions.DEFAULT);
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw new RecyclingException(failure + Errors.text(e));
            }
        }
    }

    /** Says why a volume is not empty. */
    private static final class RecyclingException extends RuntimeException {

        private static final long serialVersionUID = 1;

        RecyclingException(String message) {
            super(message);
        }
    }
}
