package io.kubeloop.controller;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the pods that belong to one owner, and adopts and releases pods where needed (upstream: {@code PodControllerRefManager}).
 *
 * <ul>
 *   <li>A pod whose controller is another object stays as it is, whatever its labels.
 *   <li>A pod of this owner is kept if it matches the selector, and released if it no longer does.
 *   <li>An orphan that matches is adopted, unless the pod or the owner is being deleted.
 * </ul>
 *
 * <p>Before the first adoption the owner is read from the server. The cached owner may have been deleted and its name
 * reused; adopting its orphans would then save them from the garbage collector.
 *
 * <p>Not thread-safe; a manager serves one sync. {@link #claimPods} blocks.
 */
public final class PodControllerRefManager {

    private final ResourceType<?> ownerType;
    private final KubeObject owner;
    private final Predicate<Map<String, String>> selector;
    private final Runnable canAdopt;
    private final BiConsumer<Pod, Patch> patchPod;

    private boolean askedCanAdopt;
    private @Nullable RuntimeException cannotAdopt;

    /**
     * Creates a manager for one owner.
     *
     * @param ownerType the owner's resource
     * @param owner the owner as cached
     * @param selector whether the owner selects a pod with these labels
     * @param canAdopt throws if the owner must not adopt; called at most once, before the first adoption
     * @param patchPod patches a pod; its first argument is the pod as it was examined
     */
    public PodControllerRefManager(
            ResourceType<?> ownerType,
            KubeObject owner,
            Predicate<Map<String, String>> selector,
            Runnable canAdopt,
            BiConsumer<Pod, Patch> patchPod) {
        this.ownerType = ownerType;
        this.owner = owner;
        this.selector = selector;
        this.canAdopt = canAdopt;
        this.patchPod = patchPod;
    }

    /**
     * Adopts and releases pods, and returns those that the owner controls afterwards, in the given order. A failure
     * does not stop the rest. Blocks while it sends one patch for each adoption and release.
     *
     * @param pods the candidates, including those that no longer match; orphans of other namespaces are skipped
     * @throws RuntimeException if an adoption or release failed, except when the pod no longer exists; see
     *     {@link Errors#aggregate}
     */
    public List<Pod> claimPods(List<Pod> pods) {
        List<Pod> claimed = new ArrayList<>(pods.size());
        List<RuntimeException> errors = new ArrayList<>();
        for (Pod pod : pods) {
            try {
                if (claim(pod)) {
                    claimed.add(pod);
                }
            } catch (RuntimeException e) {
                errors.add(e);
            }
        }
        if (!errors.isEmpty()) {
            throw Errors.aggregate(errors);
        }
        return claimed;
    }

    private boolean claim(Pod pod) {
        OwnerReference controllerRef = pod.metadata().controller();
        boolean matches = selector.test(pod.metadata().labels());
        boolean ownerDeleting = owner.metadata().isDeleting();
        if (controllerRef != null) {
            if (!controllerRef.uid().equals(owner.metadata().uid())) {
                return false;
            }
            if (!matches && !ownerDeleting) {
                release(pod);
            }
            return matches;
        }
        return matches && !ownerDeleting && !pod.metadata().isDeleting() && isInReach(pod) && adopt(pod);
    }

    /** A namespaced owner must not adopt in another namespace: the garbage collector would delete the pod. */
    private boolean isInReach(Pod pod) {
        String namespace = owner.metadata().namespace();
        return namespace.isEmpty() || namespace.equals(pod.metadata().namespace());
    }

    private boolean adopt(Pod pod) {
        checkCanAdopt(pod);
        String patch = ControllerRefs.adoptionPatch(
                ControllerRefs.newControllerRef(ownerType, owner),
                pod.metadata().uid());
        try {
            patchPod.accept(pod, Patch.strategicMerge(patch));
            return true;
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return false;
            }
            throw e;
        }
    }

    private void checkCanAdopt(Pod pod) {
        if (!askedCanAdopt) {
            askedCanAdopt = true;
            try {
                canAdopt.run();
            } catch (RuntimeException e) {
                cannotAdopt = e;
            }
        }
        RuntimeException refused = cannotAdopt;
        if (refused != null) {
            throw new ControllerException(
                    "can't adopt Pod " + pod.objectName() + " ("
                            + pod.metadata().uid() + "): " + Errors.text(refused),
                    refused);
        }
    }

    private void release(Pod pod) {
        String patch = ControllerRefs.releasePatch(
                pod.metadata().uid(), List.of(owner.metadata().uid()));
        try {
            patchPod.accept(pod, Patch.strategicMerge(patch));
        } catch (ApiException e) {
            // The pod no longer exists, or another pod has its name (invalid: the UID differs). Neither is the owner's.
            if (!e.isNotFound() && !e.isInvalid()) {
                throw e;
            }
        }
    }
}
