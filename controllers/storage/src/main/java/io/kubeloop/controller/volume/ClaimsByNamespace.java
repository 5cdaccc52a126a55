/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume;

import io.kubeloop.api.ObjectName;
import io.kubeloop.controller.Errors;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The claims that wait for a sync, by namespace (upstream: {@code pvcProcessingStore}). Thread-safe.
 *
 * <p>A namespace with a waiting claim is in the queue, or its sync is about to take the claim, or has failed and comes
 * back by itself.
 */
final class ClaimsByNamespace {

    private final Map<String, Set<String>> waiting = new ConcurrentHashMap<>();
    private final Consumer<String> namespaces;

    /**
     * Creates an empty set.
     *
     * @param namespaces receives the namespaces that have something to sync
     */
    ClaimsByNamespace(Consumer<String> namespaces) {
        this.namespaces = namespaces;
    }

    /** Adds a claim, and its namespace to the queue. */
    void add(ObjectName claim) {
        put(claim.namespace(), claim.name());
        namespaces.accept(claim.namespace());
    }

    private void put(String namespace, String name) {
        waiting.compute(namespace, (key, names) -> {
            Set<String> all = names == null ? new LinkedHashSet<>() : names;
            all.add(name);
            return all;
        });
    }

    /**
     * Passes each waiting claim of a namespace to an action. The claims of which the action fails wait again.
     *
     * @throws RuntimeException after the last claim, if the action has failed: all its failures
     */
    void takeEach(String namespace, Consumer<String> action) {
        Set<String> names = waiting.remove(namespace);
        if (names == null) {
            return;
        }
        List<RuntimeException> failures = new ArrayList<>();
        for (String name : names) {
            try {
                action.accept(name);
            } catch (RuntimeException e) {
                put(namespace, name);
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            throw Errors.aggregate(failures);
        }
    }
}
