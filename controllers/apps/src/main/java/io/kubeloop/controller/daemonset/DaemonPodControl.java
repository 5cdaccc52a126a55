/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.daemonset;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.DaemonSet;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.controller.ChildIndex;
import io.kubeloop.controller.ChildWrites;
import io.kubeloop.controller.ControllerRefManager;
import io.kubeloop.controller.ControllerRefs;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.RecheckDeletionTimestamp;
import io.kubeloop.controller.events.ObjectReferences;
import io.kubeloop.controller.parallel.ParallelCalls;
import io.kubeloop.controller.parallel.SlowStartBatch;
import io.kubeloop.controller.pods.PodControl;
import io.kubeloop.controller.pods.PodTemplates;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Claims, creates and deletes the pods of sets (upstream: {@code syncNodes}).
 *
 * <p>Thread-safe for different sets. Every method that writes blocks.
 */
final class DaemonPodControl {

    /** The largest number of creations, and of deletions, of one sync. */
    static final int BURST = 250;

    private final KubeClient client;
    private final ChildIndex<Pod> cache;
    private final ChildWrites<Pod> writes;
    private final PodControl control;
    private final Executor executor;

    /**
     * Creates a control.
     *
     * @param executor runs the writes of one sync in parallel
     */
    DaemonPodControl(
            KubeClient client, ChildIndex<Pod> cache, ChildWrites<Pod> writes, PodControl control, Executor executor) {
        this.client = client;
        this.cache = cache;
        this.writes = writes;
        this.control = control;
        this.executor = executor;
    }

    /**
     * Adopts and releases pods, and returns those that the set controls afterwards. A sync calls this once: the cache
     * does not show its own writes yet.
     */
    List<Pod> claim(DaemonSet set, Selector selector) {
        return new ControllerRefManager<Pod>(
                        ResourceTypes.DAEMON_SETS,
                        set,
                        selector::matches,
                        RecheckDeletionTimestamp.of(client, ResourceTypes.DAEMON_SETS, set),
                        "Pod",
                        (pod, patch) -> patch(set, pod, patch))
                .claim(writes.latest(set, cache));
    }

    private Pod patch(DaemonSet set, Pod pod, Patch patch) {
        return writes.write(set.objectName(), pod, () -> control.patchPod(pod.objectName(), patch));
    }

    /** Sets the hash of the remaining revision on pods whose template had several, and returns the pods with it. */
    List<Pod> relabel(DaemonSet set, List<Pod> owned, String hash) {
        Patch patch = Patch.merge("{\"metadata\":{\"labels\":{\"" + DaemonPods.HASH_LABEL + "\":\"" + hash + "\"}}}");
        return owned.stream()
                .map(pod ->
                        hash.equals(pod.metadata().labels().get(DaemonPods.HASH_LABEL)) ? pod : patch(set, pod, patch))
                .toList();
    }

    /**
     * Carries a plan out, up to {@value #BURST} creations and deletions; events of the pods lead to the next sync,
     * which does the rest.
     *
     * @throws RuntimeException if a write failed, after all were tried that could succeed
     */
    void carryOut(DaemonSet set, String hash, DaemonPodPlan plan) {
        List<RuntimeException> errors = new ArrayList<>();
        ObjectReference owner = ObjectReferences.of(ResourceTypes.DAEMON_SETS, set);
        create(set, owner, DaemonPods.template(set, hash), plan.nodes(), errors);
        List<Runnable> deletions = new ArrayList<>();
        plan.deletions().stream().limit(BURST).forEach(pod -> deletions.add(() -> delete(set, owner, pod)));
        add(errors, ParallelCalls.run(deletions, executor));
        if (!errors.isEmpty()) {
            throw Errors.aggregate(errors);
        }
    }

    private void create(
            DaemonSet set,
            ObjectReference owner,
            PodTemplateSpec template,
            List<String> nodes,
            List<RuntimeException> errors) {
        AtomicInteger next = new AtomicInteger();
        add(
                errors,
                SlowStartBatch.run(
                        Math.min(nodes.size(), BURST),
                        SlowStartBatch.INITIAL_BATCH_SIZE,
                        executor,
                        () -> create(set, owner, DaemonPods.onNode(template, nodes.get(next.getAndIncrement())))));
    }

    private void create(DaemonSet set, ObjectReference owner, PodTemplateSpec template) {
        OwnerReference controller = ControllerRefs.newControllerRef(ResourceTypes.DAEMON_SETS, set);
        Pod wanted = PodTemplates.podFromTemplate(template, set.metadata().namespace(), controller);
        try {
            control.createPod(wanted, owner, pod -> writes.create(set.objectName(), pod));
        } catch (RuntimeException e) {
            // All further creations would fail, too, and the set goes with its namespace.
            if (!Errors.isNamespaceTerminating(e)) {
                throw e;
            }
        }
    }

    private void delete(DaemonSet set, ObjectReference owner, Pod pod) {
        try {
            writes.delete(set.objectName(), pod, () -> control.deletePod(pod.objectName(), owner));
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }

    private static void add(List<RuntimeException> errors, ParallelCalls.Result result) {
        if (result.error() != null) {
            errors.add(result.error());
        }
    }
}
