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
 * Sorts out which pods belong to one controlling object, and makes it so (upstream: {@code PodControllerRefManager}).
 *
 * <ul>
 *   <li>A pod whose controller is another object is left alone, whatever its labels.
 *   <li>A pod of its own that matches the selector is kept; one that no longer matches is released.
 *   <li>An orphan that matches is adopted, unless the pod or the owner is being deleted.
 * </ul>
 *
 * <p>Before the first adoption the owner is read live, since a cached owner may be gone, and its name taken by another:
 * orphans meant for the garbage collector would come back to life.
 *
 * <p>Lives for one sync, on one thread.
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
     * Makes a manager for one owner.
     *
     * @param ownerType the owner's resource
     * @param owner the owner as cached
     * @param selector whether the owner wants a pod of these labels
     * @param canAdopt throws if the owner must not adopt; asked at most once, before the first adoption
     * @param patchPod patches a pod, which is given as it was looked at
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
     * Returns the pods that are the owner's, in the given order, after adopting and releasing. Every pod is looked at, even
     * after a failure. Blocks: sends patches.
     *
     * @param pods the candidates; those that match no more must be among them. Orphans of other namespaces are passed over
     * @throws RuntimeException if an adoption or release failed, other than because the pod is gone; see
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

    /** An owner within a namespace owns nothing outside of it: the garbage collector would delete a pod that says so. */
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
            // Gone, or (invalid: the UID differs) another pod has its name by now: either way it is not the owner's.
            if (!e.isNotFound() && !e.isInvalid()) {
                throw e;
            }
        }
    }
}
