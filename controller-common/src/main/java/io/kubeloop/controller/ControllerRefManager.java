/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.Patch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the children of one owner, and adopts and releases objects where needed (upstream: {@code
 * PodControllerRefManager} and {@code ReplicaSetControllerRefManager}). Children are pods, ReplicaSets or any other
 * kind.
 *
 * <ul>
 *   <li>An object whose controller is another object stays as it is, whatever its labels.
 *   <li>A child is kept if it matches the selector, and released if it no longer does.
 *   <li>An orphan that matches is adopted, unless the orphan or the owner is being deleted.
 * </ul>
 *
 * <p>Before the first adoption the owner is read from the server. The cached owner may have been deleted and its name
 * reused; adopting its orphans would then save them from the garbage collector.
 *
 * <p>Not thread-safe; a manager serves one sync. {@link #claim} blocks.
 *
 * @param <C> the kind of the children
 */
public final class ControllerRefManager<C extends KubeObject> {

    private final ResourceType<?> ownerType;
    private final KubeObject owner;
    private final Predicate<Map<String, String>> selector;
    private final Runnable canAdopt;
    private final String childKind;
    private final BiConsumer<C, Patch> patch;
    private final List<String> finalizers;

    private boolean askedCanAdopt;
    private @Nullable RuntimeException cannotAdopt;

    /**
     * Creates a manager for one owner.
     *
     * @param ownerType the owner's resource
     * @param owner the owner as cached
     * @param selector whether the owner selects an object with these labels
     * @param canAdopt throws if the owner must not adopt; called at most once, before the first adoption
     * @param childKind the kind of the children, for messages
     * @param patch patches an object; its first argument is the object as it was examined
     */
    public ControllerRefManager(
            ResourceType<?> ownerType,
            KubeObject owner,
            Predicate<Map<String, String>> selector,
            Runnable canAdopt,
            String childKind,
            BiConsumer<C, Patch> patch) {
        this(ownerType, owner, selector, canAdopt, childKind, patch, List.of());
    }

    /**
     * Creates a manager for one owner whose children carry finalizers.
     *
     * @param finalizers added to a child that is adopted, and removed from one that is released; the other parameters
     *     are those of the constructor without finalizers
     */
    public ControllerRefManager(
            ResourceType<?> ownerType,
            KubeObject owner,
            Predicate<Map<String, String>> selector,
            Runnable canAdopt,
            String childKind,
            BiConsumer<C, Patch> patch,
            List<String> finalizers) {
        this.finalizers = List.copyOf(finalizers);
        this.ownerType = ownerType;
        this.owner = owner;
        this.selector = selector;
        this.canAdopt = canAdopt;
        this.childKind = childKind;
        this.patch = patch;
    }

    /**
     * Adopts and releases objects, and returns those that the owner controls afterwards, in the given order. A failure
     * does not stop the rest. Blocks while it sends one patch for each adoption and release.
     *
     * @param children the candidates, including those that no longer match; orphans of other namespaces are skipped
     * @throws RuntimeException if an adoption or release failed, except when the object no longer exists; see
     *     {@link Errors#aggregate}
     */
    public List<C> claim(List<C> children) {
        return claim(children, child -> true);
    }

    /**
     * Does what {@link #claim(List)} does, for owners whose children must meet another condition beside the selector. A
     * child that does not meet it is released.
     *
     * @param filter the other condition
     */
    public List<C> claim(List<C> children, Predicate<? super C> filter) {
        List<C> claimed = new ArrayList<>(children.size());
        List<RuntimeException> errors = new ArrayList<>();
        for (C child : children) {
            try {
                if (claim(child, filter)) {
                    claimed.add(child);
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

    private boolean claim(C child, Predicate<? super C> filter) {
        OwnerReference controllerRef = child.metadata().controller();
        boolean matches = selector.test(child.metadata().labels()) && filter.test(child);
        boolean ownerDeleting = owner.metadata().isDeleting();
        if (controllerRef != null) {
            if (!controllerRef.uid().equals(owner.metadata().uid())) {
                return false;
            }
            if (!matches && !ownerDeleting) {
                release(child);
            }
            return matches;
        }
        return matches && !ownerDeleting && !child.metadata().isDeleting() && isInReach(child) && adopt(child);
    }

    /** A namespaced owner must not adopt in another namespace: the garbage collector would delete the child. */
    private boolean isInReach(C child) {
        String namespace = owner.metadata().namespace();
        return namespace.isEmpty() || namespace.equals(child.metadata().namespace());
    }

    private boolean adopt(C child) {
        checkCanAdopt(child);
        String text = ControllerRefs.adoptionPatch(
                ControllerRefs.newControllerRef(ownerType, owner),
                child.metadata().uid(),
                finalizers);
        try {
            patch.accept(child, Patch.strategicMerge(text));
            return true;
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return false;
            }
            throw e;
        }
    }

    private void checkCanAdopt(C child) {
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
                    "can't adopt " + childKind + " " + child.objectName() + " ("
                            + child.metadata().uid() + "): " + Errors.text(refused),
                    refused);
        }
    }

    private void release(C child) {
        String text = ControllerRefs.releasePatch(
                child.metadata().uid(), List.of(owner.metadata().uid()), finalizers);
        try {
            patch.accept(child, Patch.strategicMerge(text));
        } catch (ApiException e) {
            // The child no longer exists, or another object has its name (invalid: the UID differs). Neither is the
            // owner's.
            if (!e.isNotFound() && !e.isInvalid()) {
                throw e;
            }
        }
    }
}
