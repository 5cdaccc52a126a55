/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.namespace;

import io.kubeloop.api.Condition;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.Retry;
import io.kubeloop.api.core.Namespace;
import io.kubeloop.api.core.NamespaceSpecBuilder;
import io.kubeloop.api.core.NamespaceStatusBuilder;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.Errors;
import io.kubeloop.workqueue.DelayingQueue;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Syncs one namespace: marks it as terminating, deletes its content, and removes its finalizer when nothing is left
 * (upstream: {@code namespacedResourcesDeleter}). Thread-safe; one worker at a time syncs a namespace.
 */
final class NamespaceSync {

    static final String FINALIZER = "kubernetes";
    private static final String TERMINATING = "Terminating";

    private static final Logger LOG = LoggerFactory.getLogger(NamespaceSync.class);

    private final Lister<Namespace> namespaces;
    private final ResourceClient<Namespace> client;
    private final NamespaceContent content;
    private final DelayingQueue<ObjectName> queue;
    private final Duration longestWait;
    private final Clock clock;

    NamespaceSync(
            Lister<Namespace> namespaces,
            ResourceClient<Namespace> client,
            NamespaceContent content,
            DelayingQueue<ObjectName> queue,
            Duration longestWait,
            Clock clock) {
        this.namespaces = namespaces;
        this.client = client;
        this.content = content;
        this.queue = queue;
        this.longestWait = longestWait;
        this.clock = clock;
    }

    /**
     * Syncs a namespace. Blocks until every request has its response.
     *
     * @throws RuntimeException if discovery or a deletion failed; a later try may succeed
     */
    void syncNamespace(ObjectName key) throws InterruptedException {
        if (namespaces.get(key) == null) {
            return;
        }
        Namespace found = read(key);
        if (found == null || !found.metadata().isDeleting()) {
            return;
        }
        Namespace namespace = change(found, this::markTerminating);
        if (namespace == null || namespace.spec().finalizers().isEmpty()) {
            return;
        }
        ContentReport report = content.delete(namespace);
        writeConditions(namespace, report);
        report.throwFailures();
        if (!report.estimate().isZero()) {
            // Half of the estimate, because it is an upper bound.
            Duration half = Duration.ofSeconds(report.estimate().toSeconds() / 2 + 1);
            Duration pause = half.compareTo(longestWait) < 0 ? half : longestWait;
            LOG.debug("Namespace {} still has content; looking again after {}", key.name(), pause);
            queue.addAfter(key, pause);
            return;
        }
        change(namespace, this::removeFinalizer);
    }

    private @Nullable Namespace read(ObjectName key) {
        try {
            return client.get(key);
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return null;
            }
            throw e;
        }
    }

    /**
     * Writes a change, and reads and changes the namespace again after a conflict.
     *
     * @return the stored namespace; null if it is gone
     */
    private @Nullable Namespace change(Namespace read, Function<Namespace, Namespace> write)
            throws InterruptedException {
        boolean[] isFirst = {true};
        try {
            return Retry.DEFAULT_BACKOFF.onConflict(() -> {
                Namespace current = isFirst[0] ? read : client.get(read.objectName());
                isFirst[0] = false;
                if (!current.metadata().uid().equals(read.metadata().uid())) {
                    throw new ControllerException("namespace uid has changed across retries", null);
                }
                return write.apply(current);
            });
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return null;
            }
            throw e;
        }
    }

    private Namespace markTerminating(Namespace namespace) {
        if (!namespace.metadata().isDeleting() || namespace.status().phase().equals(TERMINATING)) {
            return namespace;
        }
        return client.updateStatus(namespace.withStatus(NamespaceStatusBuilder.builder(namespace.status())
                .phase(TERMINATING)
                .build()));
    }

    private Namespace removeFinalizer(Namespace namespace) {
        TreeSet<String> kept = new TreeSet<>(namespace.spec().finalizers());
        kept.remove(FINALIZER);
        return client.updateSubresource(
                namespace.withSpec(NamespaceSpecBuilder.builder(namespace.spec())
                        .finalizers(List.copyOf(kept))
                        .build()),
                "finalize");
    }

    /** Writes the conditions if they changed. A failure is only logged: the content matters more. */
    private void writeConditions(Namespace namespace, ContentReport report) {
        List<Condition> before = namespace.status().conditions();
        List<Condition> now = report.conditions(before, clock.instant());
        if (now.equals(before)) {
            return;
        }
        try {
            client.updateStatus(namespace.withStatus(NamespaceStatusBuilder.builder(namespace.status())
                    .conditions(now)
                    .build()));
        } catch (ApiException e) {
            LOG.warn(
                    "Cannot write the conditions of namespace {}; the next sync writes them: {}",
                    namespace.metadata().name(),
                    Errors.text(e));
        }
    }
}
