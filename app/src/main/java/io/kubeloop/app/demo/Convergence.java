package io.kubeloop.app.demo;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.core.EndpointAddress;
import io.kubeloop.api.core.EndpointSubset;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.ReplicationController;
import io.kubeloop.api.core.Service;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.SharedInformerFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far a cluster is from what its objects ask for, seen through caches. Thread-safe: reads only.
 *
 * @param replicaSets the cache of ReplicaSets
 * @param replicationControllers the cache of ReplicationControllers
 * @param services the cache of Services
 * @param endpoints the cache of Endpoints
 * @param pods the cache of Pods
 */
record Convergence(
        Lister<ReplicaSet> replicaSets,
        Lister<ReplicationController> replicationControllers,
        Lister<Service> services,
        Lister<Endpoints> endpoints,
        Lister<Pod> pods) {

    /** Returns what these informers see; those that do not run yet are started with their factory. */
    static Convergence of(SharedInformerFactory informers) {
        return new Convergence(
                informers.informer(ResourceTypes.REPLICA_SETS).lister(),
                informers.informer(ResourceTypes.REPLICATION_CONTROLLERS).lister(),
                informers.informer(ResourceTypes.SERVICES).lister(),
                informers.informer(ResourceTypes.ENDPOINTS).lister(),
                informers.informer(ResourceTypes.PODS).lister());
    }

    /**
     * One object and how far it has come.
     *
     * @param kind its kind, short
     * @param name its name
     * @param wanted pods or addresses asked for
     * @param present pods that exist, or addresses that are published
     * @param ready how many of them are ready
     * @param settled whether nothing is left to do
     */
    record Row(String kind, ObjectName name, int wanted, int present, int ready, boolean settled) {}

    /** Returns a row for each ReplicaSet, ReplicationController and Service with a selector, in order of kind and name. */
    List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (ReplicaSet set : replicaSets.list()) {
            int wanted = orOne(set.spec().replicas());
            boolean observed =
                    set.status().observedGeneration() >= set.metadata().generation();
            rows.add(owner("ReplicaSet", set.metadata(), wanted, set.status().readyReplicas(), observed));
        }
        for (ReplicationController rc : replicationControllers.list()) {
            int wanted = orOne(rc.spec().replicas());
            boolean observed = rc.status().observedGeneration() >= rc.metadata().generation();
            rows.add(owner(
                    "ReplicationController", rc.metadata(), wanted, rc.status().readyReplicas(), observed));
        }
        for (Service service : services.list()) {
            if (!service.spec().selector().isEmpty()) {
                rows.add(service(service));
            }
        }
        rows.sort(Comparator.comparing(Row::kind).thenComparing(Row::name));
        return rows;
    }

    private static int orOne(@Nullable Integer replicas) {
        return replicas == null ? 1 : replicas;
    }

    private Row owner(String kind, ObjectMeta meta, int wanted, int reportedReady, boolean observed) {
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
        boolean settled = observed && present == wanted && ready == wanted && reportedReady == wanted;
        return new Row(kind, new ObjectName(meta.namespace(), meta.name()), wanted, present, ready, settled);
    }

    private Row service(Service service) {
        ObjectName name = service.objectName();
        Set<String> wanted = new HashSet<>();
        for (Pod pod : pods.list(name.namespace())) {
            if (matches(service.spec().selector(), pod.metadata().labels())
                    && pod.isReady()
                    && !pod.isFinished()
                    && !pod.metadata().isDeleting()
                    && !pod.status().podIP().isEmpty()) {
                wanted.add(pod.status().podIP());
            }
        }
        Endpoints published = endpoints.get(name);
        Set<String> addresses = new HashSet<>();
        if (published != null) {
            for (EndpointSubset subset : published.subsets()) {
                for (EndpointAddress address : subset.addresses()) {
                    addresses.add(address.ip());
                }
            }
        }
        boolean settled =
                published != null && (isCutOff(published) ? wanted.containsAll(addresses) : addresses.equals(wanted));
        return new Row("Service", name, wanted.size(), addresses.size(), addresses.size(), settled);
    }

    /** Returns whether there are more addresses than one object may hold, and as many of them are ready as it holds. */
    private static boolean isCutOff(Endpoints published) {
        return "truncated".equals(published.metadata().annotations().get("endpoints.kubernetes.io/over-capacity"))
                && published.subsets().stream()
                        .allMatch(subset -> subset.notReadyAddresses().isEmpty());
    }

    private static boolean matches(Map<String, String> selector, Map<String, String> labels) {
        return labels.entrySet().containsAll(selector.entrySet());
    }
}
