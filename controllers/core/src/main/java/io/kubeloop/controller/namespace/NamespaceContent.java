/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.namespace;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.DeleteOptions.PropagationPolicy;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Namespace;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.discovery.ApiCatalog;
import io.kubeloop.controller.discovery.DiscoveryReader;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the objects of a namespace, of every resource that the server serves (upstream: {@code deleteAllContent}).
 *
 * <p>Pods are deleted first. While one is left, nothing else is deleted: a pod must not lose, for example, the network
 * policy that restricts it (KEP-5080).
 *
 * <p>Thread-safe. {@link #delete} blocks for about two requests per resource.
 */
final class NamespaceContent {

    private static final DeleteOptions BACKGROUND = new DeleteOptions(null, PropagationPolicy.BACKGROUND, null, null);

    /** The estimate for objects that only a finalizer holds. */
    private static final Duration FINALIZER_ESTIMATE = Duration.ofSeconds(15);

    private final KubeClient client;
    private final Clock clock;

    NamespaceContent(KubeClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /**
     * Deletes the objects of the namespace, and returns a report of those that are left. One failed resource does not
     * stop the others.
     */
    ContentReport delete(Namespace namespace) {
        ContentReport report = new ContentReport();
        List<ApiCatalog.Entry> others = new ArrayList<>();
        for (ApiCatalog.Entry entry : discover(report)) {
            if (!isPods(entry.type())) {
                others.add(entry);
            } else if (deletePods(entry, namespace, report) > 0) {
                return report;
            }
        }
        for (ApiCatalog.Entry entry : others) {
            try {
                Remaining remaining = deleteAll(entry, namespace);
                report.remains(entry.type(), remaining);
                if (!remaining.problem().isEmpty()) {
                    report.failed(new ControllerException(remaining.problem(), null), remaining.problem());
                }
            } catch (RuntimeException e) {
                report.failed(e, Errors.text(e));
            }
        }
        report.listRemaining();
        return report;
    }

    /** Returns the deletable resources, pods first. */
    private List<ApiCatalog.Entry> discover(ContentReport report) {
        ApiCatalog catalog;
        try {
            catalog = new DiscoveryReader(client.transport()).read();
        } catch (RuntimeException e) {
            report.discoveryFailed(e, Errors.text(e));
            return List.of();
        }
        if (!catalog.failures().isEmpty()) {
            ControllerException failure = new ControllerException(catalog.failureText(), null);
            report.discoveryFailed(
                    failure,
                    "Discovery failed for some groups, " + catalog.failures().size() + " failing: "
                            + catalog.failureText());
        }
        List<ApiCatalog.Entry> deletable = new ArrayList<>();
        for (ApiCatalog.Entry entry : catalog.preferred()) {
            if (entry.type().isNamespaced() && entry.supports("delete")) {
                deletable.add(isPods(entry.type()) ? 0 : deletable.size(), entry);
            }
        }
        return deletable;
    }

    private static boolean isPods(ResourceType<?> type) {
        return type.group().isEmpty() && type.plural().equals(ResourceTypes.PODS.plural());
    }

    private int deletePods(ApiCatalog.Entry pods, Namespace namespace, ContentReport report) {
        try {
            Remaining remaining = deleteAll(pods, namespace);
            report.remains(pods.type(), remaining);
            if (!remaining.problem().isEmpty()) {
                report.failed(podFailure(namespace, remaining.problem(), null), remaining.problem());
            }
            return remaining.count();
        } catch (RuntimeException e) {
            report.failed(podFailure(namespace, Errors.text(e), e), Errors.text(e));
            return 0;
        }
    }

    private static ControllerException podFailure(Namespace namespace, String problem, @Nullable Throwable cause) {
        return new ControllerException(
                "failed to delete pods for namespace: " + namespace.metadata().name() + ", err: " + problem, cause);
    }

    /**
     * The remaining objects of one resource.
     *
     * @param objects the objects
     * @param estimate the time after which the objects may be deleted
     * @param problem why they should be gone already; empty if they should not
     */
    record Remaining(List<PartialObjectMetadata> objects, Duration estimate, String problem) {

        int count() {
            return objects.size();
        }
    }

    private Remaining deleteAll(ApiCatalog.Entry entry, Namespace namespace) {
        String name = namespace.metadata().name();
        ResourceClient<PartialObjectMetadata> resource = client.resource(entry.type());
        Duration estimate = isPods(entry.type()) ? gracePeriod(namespace) : Duration.ZERO;
        if (!deleteCollection(entry, resource, name)) {
            deleteEach(entry, resource, name);
        }
        KubeList<PartialObjectMetadata> left = list(entry, resource, name);
        if (left == null || left.items().isEmpty()) {
            return new Remaining(List.of(), left == null ? estimate : Duration.ZERO, "");
        }
        if (!estimate.isZero()) {
            return new Remaining(left.items(), estimate, "");
        }
        if (left.items().stream()
                .anyMatch(object -> !object.metadata().finalizers().isEmpty())) {
            return new Remaining(left.items(), FINALIZER_ESTIMATE, "");
        }
        ResourceType<?> type = entry.type();
        return new Remaining(
                left.items(),
                estimate,
                "unexpected items still remain in namespace: " + name + " for gvr: " + type.group() + "/"
                        + type.version() + ", Resource=" + type.plural());
    }

    /**
     * Returns the longest grace period of the running pods; zero if it has passed since the deletion of the namespace.
     */
    private Duration gracePeriod(Namespace namespace) {
        long longest = 0;
        for (Pod pod : client.resource(ResourceTypes.PODS)
                .list(namespace.metadata().name(), ListOptions.NONE)
                .items()) {
            String phase = pod.status().phase();
            Long grace = pod.spec().terminationGracePeriodSeconds();
            if (grace != null && !phase.equals("Succeeded") && !phase.equals("Failed")) {
                longest = Math.max(longest, grace);
            }
        }
        Duration estimate = Duration.ofSeconds(longest);
        Time deleted = Objects.requireNonNull(namespace.metadata().deletionTimestamp(), "deletionTimestamp");
        Duration passed = Duration.between(deleted.instant(), clock.instant());
        return passed.compareTo(estimate) >= 0 ? Duration.ZERO : estimate;
    }

    private static boolean deleteCollection(
            ApiCatalog.Entry entry, ResourceClient<PartialObjectMetadata> resource, String namespace) {
        if (!entry.supports("deletecollection")) {
            return false;
        }
        try {
            resource.deleteCollection(namespace, BACKGROUND, ListOptions.NONE);
            return true;
        } catch (ApiException e) {
            if (isUnsupported(e)) {
                return false;
            }
            throw e;
        }
    }

    private static void deleteEach(
            ApiCatalog.Entry entry, ResourceClient<PartialObjectMetadata> resource, String namespace) {
        KubeList<PartialObjectMetadata> objects = list(entry, resource, namespace);
        if (objects == null) {
            return;
        }
        for (PartialObjectMetadata object : objects.items()) {
            try {
                resource.delete(object.objectName(), BACKGROUND);
            } catch (ApiException e) {
                if (!isUnsupported(e)) {
                    throw e;
                }
            }
        }
    }

    private static @Nullable KubeList<PartialObjectMetadata> list(
            ApiCatalog.Entry entry, ResourceClient<PartialObjectMetadata> resource, String namespace) {
        if (!entry.supports("list")) {
            return null;
        }
        try {
            return resource.list(namespace, ListOptions.NONE);
        } catch (ApiException e) {
            if (isUnsupported(e)) {
                return null;
            }
            throw e;
        }
    }

    /** Returns whether the object or the resource is gone, or does not support the verb. */
    private static boolean isUnsupported(ApiException e) {
        return e.isNotFound() || e.code() == 405;
    }
}
