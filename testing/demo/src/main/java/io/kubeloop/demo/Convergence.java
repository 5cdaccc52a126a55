/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.EndpointAddress;
import io.kubeloop.api.core.EndpointSubset;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.SharedInformerFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares the objects of a cluster with the state that they request, as the caches of informers show both.
 * Thread-safe: it only reads.
 *
 * @param owners the caches of the kinds that have pods
 * @param services the cache of Services
 * @param endpoints the cache of Endpoints
 * @param pods the cache of Pods
 */
record Convergence(List<Owners<?>> owners, Lister<Service> services, Lister<Endpoints> endpoints, Lister<Pod> pods) {

    /** The cache of one kind that has pods. */
    record Owners<T extends KubeObject>(Owner.Reader<T> kind, Lister<T> cache) {

        static <T extends KubeObject> Owners<T> of(SharedInformerFactory informers, Owner.Reader<T> kind) {
            return new Owners<>(kind, informers.informer(kind.type()).lister());
        }

        List<Owner> list() {
            return cache.list().stream().map(kind.read()).toList();
        }

        @Nullable
        Owner get(ObjectName name) {
            T object = cache.get(name);
            return object == null ? null : kind.read().apply(object);
        }
    }

    /**
     * Returns a view on the caches of these informers. Creates the informers that do not exist yet; starting the
     * factory starts them.
     */
    static Convergence of(SharedInformerFactory informers) {
        return new Convergence(
                Owner.KINDS.stream()
                        .<Owners<?>>map(kind -> Owners.of(informers, kind))
                        .toList(),
                informers.informer(ResourceTypes.SERVICES).lister(),
                informers.informer(ResourceTypes.ENDPOINTS).lister(),
                informers.informer(ResourceTypes.PODS).lister());
    }

    /**
     * The progress of one object.
     *
     * @param kind its kind
     * @param name its name
     * @param wanted the pods that an owner requests, or that a Service selects
     * @param present the pods of the owner, or the addresses in the Endpoints of the Service
     * @param ready how many of these are ready
     * @param settled whether no controller has anything left to do for it. A Service is settled when its Endpoints list
     *     all of its ready pods, which may be none
     */
    record Row(String kind, ObjectName name, int wanted, int present, int ready, boolean settled) {}

    /**
     * The pods of a Service and the addresses in its Endpoints.
     *
     * @param ready the ready addresses in the Endpoints
     * @param notReady the addresses in the Endpoints that are not ready
     * @param complete whether there are pods, their owners have all their pods, all are ready, and all have their
     *     address in the Endpoints
     */
    record ServiceProgress(Set<String> ready, int notReady, boolean complete) {}

    /** Returns a row for each object that has pods and each Service with a selector, in order of kind and name. */
    List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Owners<?> kind : owners) {
            kind.list().forEach(owner -> rows.add(row(owner)));
        }
        for (Service service : services.list()) {
            if (!service.spec().selector().isEmpty()) {
                rows.add(service(service));
            }
        }
        rows.sort(Comparator.comparing(Row::kind).thenComparing(Row::name));
        return rows;
    }

    private Row row(Owner owner) {
        ObjectMeta meta = owner.metadata();
        ObjectName name = new ObjectName(meta.namespace(), meta.name());
        int wanted = owner.wanted();
        Integer reported = owner.reported();
        if (reported != null) {
            boolean settled = owner.observed() && reported == wanted && owner.reportedReady() == wanted;
            return new Row(owner.kind(), name, wanted, reported, owner.reportedReady(), settled);
        }
        int present = 0;
        int ready = 0;
        for (Pod pod : pods.list(meta.namespace())) {
            var controller = pod.metadata().controller();
            if (controller != null
                    && controller.uid().equals(meta.uid())
                    && !pod.metadata().isDeleting()) {
                present++;
                ready += pod.isReady() ? 1 : 0;
            }
        }
        boolean settled = owner.observed() && present == wanted && ready == wanted && owner.reportedReady() == wanted;
        return new Row(owner.kind(), name, wanted, present, ready, settled);
    }

    /** Returns the object that controls the pod; null if the caches have none. */
    @Nullable
    Owner ownerOf(Pod pod) {
        var controller = pod.metadata().controller();
        if (controller == null) {
            return null;
        }
        Owner owner = owner(controller.kind(), new ObjectName(pod.metadata().namespace(), controller.name()));
        return owner != null && owner.metadata().uid().equals(controller.uid()) ? owner : null;
    }

    /** Returns an object that has pods; null if the caches have none of this kind and name. */
    @Nullable
    Owner owner(String kind, ObjectName name) {
        for (Owners<?> known : owners) {
            if (known.kind().type().kind().equals(kind)) {
                return known.get(name);
            }
        }
        return null;
    }

    /** Compares Endpoints with the pods of their Service; null if the cache has no such Service. */
    @Nullable
    ServiceProgress progress(Endpoints published) {
        ObjectName name = published.objectName();
        Service service = services.get(name);
        if (service == null) {
            return null;
        }
        Set<String> ready = readyAddresses(published);
        int notReady = notReadyAddresses(published);
        List<Pod> selected = selectedBy(service);
        boolean complete = !selected.isEmpty()
                && ready.size() == selected.size()
                && selected.stream()
                        .allMatch(pod ->
                                pod.isReady() && ready.contains(pod.status().podIP()) && ownerHasAllPods(pod));
        return new ServiceProgress(ready, notReady, complete);
    }

    private boolean ownerHasAllPods(Pod pod) {
        Owner owner = ownerOf(pod);
        if (owner == null) {
            return true;
        }
        Row row = row(owner);
        return row.present() == row.wanted();
    }

    private static Set<String> readyAddresses(Endpoints published) {
        Set<String> addresses = new HashSet<>();
        for (EndpointSubset subset : published.subsets()) {
            for (EndpointAddress address : subset.addresses()) {
                addresses.add(address.ip());
            }
        }
        return addresses;
    }

    private Row service(Service service) {
        ObjectName name = service.objectName();
        List<Pod> selected = selectedBy(service);
        Set<String> readyPods = selected.stream()
                .filter(Pod::isReady)
                .map(pod -> pod.status().podIP())
                .filter(ip -> !ip.isEmpty())
                .collect(Collectors.toSet());
        Endpoints published = endpoints.get(name);
        Set<String> addresses = published == null ? Set.of() : readyAddresses(published);
        int notReady = published == null ? 0 : notReadyAddresses(published);
        boolean settled = published != null
                && (isCutOff(published) ? readyPods.containsAll(addresses) : addresses.equals(readyPods));
        return new Row("Service", name, selected.size(), addresses.size() + notReady, addresses.size(), settled);
    }

    /** Returns the pods of a Service that count: those that have neither ended nor been deleted. */
    private List<Pod> selectedBy(Service service) {
        return pods.list(service.metadata().namespace()).stream()
                .filter(pod -> matches(service.spec().selector(), pod.metadata().labels())
                        && !pod.isFinished()
                        && !pod.metadata().isDeleting())
                .toList();
    }

    private static int notReadyAddresses(Endpoints published) {
        return published.subsets().stream()
                .mapToInt(subset -> subset.notReadyAddresses().size())
                .sum();
    }

    /** Returns whether the Endpoints have reached the limit of addresses and list ready addresses only. */
    private static boolean isCutOff(Endpoints published) {
        return "truncated".equals(published.metadata().annotations().get("endpoints.kubernetes.io/over-capacity"))
                && published.subsets().stream()
                        .allMatch(subset -> subset.notReadyAddresses().isEmpty());
    }

    private static boolean matches(Map<String, String> selector, Map<String, String> labels) {
        return labels.entrySet().containsAll(selector.entrySet());
    }
}
